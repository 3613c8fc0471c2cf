"""The acts of bots without thinking: they take challenges, answer requests, need neither time nor words."""

from __future__ import annotations

import re
from functools import partial

from ... import games
from ...bots import budget, rules
from ...errors import Refusal, Sentence, say, together
from ...games.base import Game
from ...match import BOTS, DRAW, SCORE, UNDO, Change, Match, program_among
from ...store import Board, User
from .apply import apply
from .context import Computation
from .feature import Feature, features
from .work import BoardRefusal, Speaker, Work

_A_BOT = re.compile(r"(?:ro)?bots?[0-9_-]*|computer|server")
AT_ONCE = 3  # running games against bots that a player may have


def opponents(work: Work, game: Game) -> list[str]:
    """Return the bots of this server that play a game soon enough, the weakest first."""
    if not work.context.config.bots or not rules.plays(game):
        return []
    there = {user.userid for user in work.tx.accounts.programs()}
    return [userid for userid in budget.quick_bots(game) if userid in there]


def meant(work: Work, userid: str) -> Sentence | None:
    """Return a sentence for somebody who may mean a bot by a name that nobody has; None if nobody may."""
    if not work.context.config.bots or not _A_BOT.fullmatch(userid):
        return None
    return say(
        "Our bots are {first} to {last}. For more about them, send: help bots",
        first=BOTS[0],
        last=BOTS[-1],
    )


def require_game(work: Work, challenger: User, bot: User, game: Game, is_proved: bool) -> None:
    """Raise Refusal if the bot does not take a challenge; the text tells what is possible.

    Games that other people began in the player's name do not count against a player who is proved.
    """
    if not work.context.config.bots:
        raise Refusal(
            say("This server's bots are switched off. To find someone to play with, send: who"),
            "bots-off",
        )
    if not rules.plays(game):
        able = tuple(kind.title for kind in games.GAMES if rules.plays(kind))
        raise Refusal(
            say(
                "{bot} doesn't play {game}. Bots play {games}.",
                bot=bot.userid,
                game=game.title,
                games=able,
            ),
            "not-a-bots-game",
        )
    able_here = budget.quick_bots(game)
    if bot.userid not in able_here:
        raise Refusal(
            say(
                "{bot} would need more than a minute per move on a board with {number} cells. On "
                "this board, choose a bot from {first} to {last}.",
                bot=bot.userid,
                number=len(game.grid),
                first=able_here[0],
                last=able_here[-1],
            ),
            "slow-bot",
        )
    running = [
        row
        for row in work.tx.boards.of(challenger.userid, "active")
        if program_among(row.seats) and not row.agreed.contest
    ]
    own = [row for row in running if _is_own(work, row, challenger)]
    counted = own if is_proved else running
    if work.limited and len(counted) >= AT_ONCE:
        boards = ", ".join(str(row.board) for row in counted)
        many = say(
            "You can have at most {most} games with bots at a time, and you're already playing "
            "on boards {boards}. Finish or resign one of them first.",
            most=AT_ONCE,
            boards=boards,
        )
        others = say(
            "If other people started some of these games, send your challenge as a reply to a "
            "board letter. Then games you haven't moved in yet don't count toward your limit."
        )
        is_of_others = len(own) < AT_ONCE
        raise Refusal(together(many, others if is_of_others else None), "too-many-bot-games")


def _is_own(work: Work, row: Board, player: User) -> bool:
    """Return True if a player has proved to want that game: by a proved beginning, or by a move."""
    return bool(row.proved) or any(
        entry.userid == player.userid for entry in work.tx.boards.record(row.board)
    )


def require_act(work: Work, speaker: Speaker, act: str) -> None:
    """Raise Refusal if a player may not do an act, because of what the game belongs to or the opponent.

    ``act``: see ``Feature.check_act``.
    """
    for feature in features(Feature.check_act, of=speaker.match.terms.contest):
        feature.check_act(work, speaker, act)
    require(speaker.match, act)


def require(match: Match, act: str) -> None:
    """Raise BoardRefusal for an act that means nothing to the bot of a game, if it has one."""
    bot = match.program
    if not bot:
        return
    if act == "extend":
        raise BoardRefusal(say("{bot} is a bot and has no clock.", bot=bot), "no-clock", match)
    if act == "say":
        raise BoardRefusal(
            say("{bot} is a bot and can't read messages.", bot=bot), "bots-read-nothing", match
        )
    if act == "plan":
        raise BoardRefusal(
            say("{bot} answers right away, so there's nothing to plan on this board.", bot=bot),
            "no-plan-with-bots",
            match,
        )


def reply(work: Work, change: Change) -> Change:
    """Return the change with a bot's immediate answer to a request; the same change if there is none.

    Raise NeedsComputation if the score must be computed first.
    """
    match, request = change.after, change.after.request
    bot = match.program
    if not bot or request is None or request.userid == bot or request == change.before.request:
        return change
    score = None
    if request.kind in (SCORE, DRAW):
        certain = partial(rules.certain_score, match)
        score = work.results.of(Computation(("score", *match.state), certain, "reading"))
    answered = apply(work, match, rules.to_request(match, bot, request, score))
    # A request is told with the board on which it was made: after an undo that board is gone.
    asked = () if request.kind == UNDO else change.happenings
    return Change(change.before, answered.after, (*asked, *answered.happenings))
