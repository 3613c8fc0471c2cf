"""One letter instead of two: what tells a player's move waits until the bot has answered it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..match import Happening, Match
from ..render.recipe import Recipe
from . import clocks
from .post import reply_to, turn_of
from .work import Work

HOUR = 3600.0
WAIT = 15.0  # seconds that a letter waits for the bot's answer at most
ANSWERS_AN_HOUR = 60  # by all bots together, to one player
AWAITS = "awaits"  # the fact of a recipe: the turn that is awaited
_TOLD_TOGETHER = ("moved", "passed")  # what the sentence of both moves says better


def bot_of(work: Work, seats: Iterable[str]) -> str:
    """The userid of the bot among the players of a board; empty if people play."""
    for userid in seats:
        user = work.tx.user(userid)
        if user is not None and user.state == "bot":
            return userid
    return ""


def _bot_to_move(work: Work, match: Match) -> str:
    return bot_of(work, (match.to_move,)) if match.to_move else ""


def unanswered(work: Work, match: Match) -> tuple[Happening, ...]:
    """Why the bot whose turn it is does not answer now; empty if it does, or if none is to move."""
    bot = _bot_to_move(work, match)
    if not bot:
        return ()
    if not work.context.config.bots:
        return (Happening("bot-waits", bot, "off"),)
    if is_satisfied(work, match.opponent(bot)):
        return (Happening("bot-waits", bot, str(ANSWERS_AN_HOUR)),)
    return ()


def is_satisfied(work: Work, userid: str) -> bool:
    """Whether a player has had as many answers as an hour allows."""
    counter = counter_of(userid)
    return work.limited and work.tx.counted(counter, work.now, HOUR) >= ANSWERS_AN_HOUR


def counter_of(userid: str) -> str:
    """The name of the counter of the answers that a player has had."""
    return f"bot answers {userid}"


def awaited(work: Work, match: Match) -> dict[str, list[int]]:
    """The fact of letters that show a board on which a bot will answer soon; empty for others."""
    if _bot_to_move(work, match) and not unanswered(work, match):
        return {AWAITS: _turn(match)}
    return {}


def hold(work: Work, letters: Iterable[int]) -> None:
    """Let letters wait for the bot's answer."""
    for letter in letters:
        work.tx.delay_letter(letter, work.now + WAIT)


def replaced(
    work: Work, before: Match, after: Match, happenings: tuple[Happening, ...]
) -> dict[str, int]:
    """Tell a bot's answer by the letters that waited for it; returns their numbers, by userid.

    A letter that is on its way already is not among them: its reader is to get another one.
    """
    letters = {}
    for userid in before.seats:
        if letter := waiting(work, userid, AWAITS, _turn(before)):
            number, recipe = letter
            if userid == after.to_move and after.clock.told is not None:
                after = clocks.told_by(work, after, number)
            content = _amended(work, recipe, userid, after, happenings).to_bytes()
            work.tx.replace_letter(number, content, work.now)
            letters[userid] = number
    return letters


def let_go(work: Work, before: Match) -> None:
    """Let letters wait no longer for an answer to that turn, since the player does something else."""
    if _bot_to_move(work, before):
        for userid in before.seats:
            if letter := waiting(work, userid, AWAITS, _turn(before)):
                work.tx.delay_letter(letter[0], work.now)


def waiting(work: Work, userid: str, fact: str, value: object) -> tuple[int, Recipe] | None:
    """The newest letter to an account with that fact, its number and recipe; None if it is on its way."""
    for number, content in work.tx.unclaimed(userid):
        recipe = Recipe.from_bytes(content) if content.startswith(b"{") else None
        if recipe is not None and recipe.facts.get(fact) == value:
            return number, recipe
    return None


def _amended(
    work: Work, recipe: Recipe, userid: str, after: Match, happenings: tuple[Happening, ...]
) -> Recipe:
    """The recipe of a letter that shows the bot's answer as well."""
    facts = {name: value for name, value in recipe.facts.items() if name != AWAITS}
    heads = dict(recipe.headers)
    heads["Reply-To"] = reply_to(work, turn_of(after, userid))
    before = [each for each in recipe.happenings if each.kind not in _TOLD_TOGETHER]
    later = [each for each in happenings if each.kind != "moved"]
    # A swap is told by itself, with what it means.
    count = 1 if any(each.kind == "swapped" for each in before) else 2
    both = (*before, Happening("bot-played", after.opponent(userid), str(count)), *later)
    return replace(
        recipe,
        headers=heads,
        at=work.now,
        facts=facts,
        match=after,
        happenings=both,
        clock=clocks.shown(work, after),
    )


def _turn(match: Match) -> list[int]:
    return [match.number, match.resets, len(match.record)]
