"""Tell a change of a match to its players, by a letter or in their digests.

One letter instead of two: the letter about a player's move waits in the outbox for the bot's answer.

It waits as a recipe, and the answer is added to that. It goes after 15 seconds in any case, even if the
bot or this process fails, and any process can send it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ...bots import budget, warm
from ...machine.times import Seconds
from ...match import BOTS, Change, Happening, Match
from ...match import happenings as h
from ...match.bots import BotPlayed, BotThinks, BotWaits
from ...match.happenings import Moved, Passed, Swapped, has_muted
from ...render.facts import BoardFacts
from ...render.recipe import Recipe, packed
from ..work import timekeeping
from ..work.feature import Feature, features
from ..work.letter import asked_mark, reply_to, scope_of
from ..work.work import Work
from . import digests, stakes
from .post import AWAITS, BoardLetter, RemovedLetter, below_of, send, shown
from .words import comment, leave_out_signature

WAIT = 15.0  # the most seconds that a letter waits for the bot's answer
_MINUTES = {9: 2, 10: 5}  # within which those levels mostly answer; the others within one
_TOLD_TOGETHER = Moved | Passed | BotThinks  # one sentence about both moves replaces these


def tell(work: Work, change: Change, author: str = "", to: Sequence[str] | None = None) -> None:
    """Mail a change to both players, or to the userids in ``to``, and store the comment of its author.

    ``author``: the player whose mail made the change; empty if no mail did.
    """
    (*_, last) = change.happenings
    readers = change.after.seats if to is None else to
    if isinstance(last, h.Gone):
        send(work, RemovedLetter(change.after, last, readers))
        return
    is_said = any(isinstance(each, h.Talked) for each in change.happenings)
    is_first = leave_out_signature(work, author, change.after.number, must_stay=is_said)
    words = comment(work, author)
    heard = _heard(work, change.after, author) if words and is_first else ""
    if words is not None:
        number, length = change.after.number, len(change.after.record)
        work.tx.notebook.add_comment(number, length, author, work.now, words.text)
    if is_said:  # the letter has only words
        events = work.tx.boards.events(change.after.number)
        readers = [each for each in readers if each == author or not has_muted(events, each)]
    let_go(work, change.before)
    for feature in features(Feature.on_change, work.context.config.without):
        feature.on_change(work, change)
    expected = awaited(work, change.after)
    letter = BoardLetter(
        change.after,
        (*change.happenings, *expected.happenings),
        digests.readers(work, change, author, readers),
        facts=BoardFacts(comment=words, awaits=change.after.state if expected.seconds else ()),
        answers=author,
        withheld=work.words.withheld,
        heard=heard,
        album=change.is_end,
    )
    before = len(work.report.letters)
    send(work, letter)
    for number in work.report.letters[before:] if expected.seconds else ():
        work.tx.outbox.delay(number, work.now + expected.seconds)


def _heard(work: Work, match: Match, author: str) -> str:
    """Return the opponent who reads the words of a player on a board; empty if nobody does."""
    other = match.opponent(author)
    is_read = other and other != match.program
    return other if is_read and not has_muted(work.tx.boards.events(match.number), other) else ""


class Expected(NamedTuple):
    """The answer of a bot that is to come: what a letter tells of it now.

    seconds  the letter waits so long for it, so that it can tell of both; 0 if it goes at once
    """

    happenings: tuple[Happening, ...]
    seconds: Seconds = 0.0


_NOTHING = Expected(())


def _bot_to_move(match: Match) -> str:
    return match.to_move if match.to_move in BOTS else ""


def awaited(work: Work, match: Match) -> Expected:
    """Return what a letter says of the bot to move, and how long it waits: nothing if no bot is to move.

    It does not wait if the bot does not answer soon.
    """
    bot = _bot_to_move(match)
    if not bot:
        return _NOTHING
    config, person = work.context.config, match.opponent(bot)
    why = (
        budget.rests(work.tx, config, work.now, bot, person) if config.bots else BotWaits(bot, None)
    )
    if why:
        return Expected((why,))
    minutes = _MINUTES.get(budget.level(bot), 1) if warm.is_ready(config.spool) else 0
    return Expected((BotThinks(bot, minutes),), WAIT)


def replaced(
    work: Work, before: Match, after: Match, happenings: tuple[Happening, ...]
) -> dict[str, int]:
    """Add a bot's answer to the letters that waited for it; return their numbers by userid.

    A letter that is already on its way is not among them: its reader needs another one.
    """
    letters: dict[str, int] = {}
    for userid in before.seats:
        held = waiting(work, userid, AWAITS, list(before.state))
        user = work.tx.accounts.user(userid)
        if not held or user is None or held[0][1].headers["To"] != user.address:
            continue  # copies alone are not enough: the first address must be told
        letters[userid] = held[0][0]
        if userid == after.to_move and after.clock.announced_by is not None:
            after = timekeeping.told_by(work, after, letters[userid])
        for number, recipe in held:
            content = _amended(work, recipe, userid, after, happenings).to_bytes()
            work.tx.outbox.replace(number, content, work.now)
    return letters


def let_go(work: Work, before: Match) -> None:
    """Send the letters that wait for a bot's answer to that turn: the player has done another act."""
    if _bot_to_move(before):
        for userid in before.seats:
            for number, _ in waiting(work, userid, AWAITS, list(before.state)):
                work.tx.outbox.delay(number, work.now)


def waiting(work: Work, userid: str, fact: str, value: object) -> list[tuple[int, Recipe]]:
    """Return the held letters to an account with that fact, as pairs of number and recipe.

    They are the newest to each address, in the order in which they were written.
    """
    found: dict[str, tuple[int, Recipe]] = {}
    for number, content in work.tx.outbox.held_for(userid):
        recipe = Recipe.from_bytes(content) if content.startswith(b"{") else None
        if recipe is not None and recipe.facts.get(fact) == value:
            found.setdefault(recipe.headers["To"], (number, recipe))
    return list(found.values())[::-1]


def _amended(
    work: Work, recipe: Recipe, userid: str, after: Match, happenings: tuple[Happening, ...]
) -> Recipe:
    """Return the recipe of a letter with the bot's answer added."""
    facts = {name: value for name, value in recipe.facts.items() if name != AWAITS}
    told = stakes.of(work, after, userid) if after.position.over else BoardFacts()
    heads = dict(recipe.headers)
    if "Reply-To" in heads:
        heads["Reply-To"] = reply_to(work, scope_of(after, userid), asked_mark(work, after, userid))
    before = [each for each in recipe.happenings if not isinstance(each, _TOLD_TOGETHER)]
    later = [each for each in happenings if not isinstance(each, Moved)]
    # A swap has a sentence of its own, which explains it.
    count = 1 if any(isinstance(each, Swapped) for each in before) else 2
    both = (*before, BotPlayed(after.opponent(userid), count), *later)
    user = work.tx.accounts.user(userid)
    if user and after.position.over:  # the letter was written while the game ran
        below = below_of(work, BoardLetter(after, both, (userid,)), user, userid)
        told = replace(told, below=[line._asdict() for line in below])
    facts |= replace(told, more=(*shown(work, after), *told.more)).stored()
    return replace(
        recipe,
        headers=heads,
        at=work.now,
        facts=facts,
        board=packed(after),
        happenings=both,
        clock=timekeeping.shown(work, after),
    )
