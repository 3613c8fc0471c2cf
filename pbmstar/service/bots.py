"""Bots in play: who may challenge one, which board is next, and the answer, played exactly once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from .. import games, identity
from ..errors import Refusal
from ..games.base import Game
from ..match import DRAW, SCORE, UNDO, Act, Match, manners
from ..store import BotTurn, Tx, User
from . import alerts, receipts
from .apply import Change, apply, load
from .results import Task
from .tell import tell
from .work import BoardRefusal, Work

HOUR, DAY = 3600.0, 86400.0
AT_ONCE = 3  # running games against bots that a player may have
TOO_OLD = 600.0  # seconds after which a bot's turn is an alarm
CRASHES = "bot crashes"  # the counter of a day
_LOOKED_AT = 500  # turns that are compared to find the next one
_STRONG = 6  # bots above that level wait while more boards than ...
_CROWD = 8  # ... so many wait
_PATIENCE = 300.0  # seconds after which a turn is next whoever has waited for how much


class Question(NamedTuple):
    """What a bot has to think about, and when its answer counts: the turn as it was.

    request   for the process that thinks, its seed always the same for one turn; None if a rule says
              what is done
    """

    turn: BotTurn
    resets: int
    length: int
    request: Mapping[str, Any] | None


def may_challenge(work: Work, challenger: User, bot: User, game: Game) -> None:
    """Raises Refusal, which says what a bot can, if it does not take a challenge."""
    if not work.context.config.bots:
        raise Refusal(
            "The bots of this server are switched off. To find a person to play with, send: who",
            "bots-off",
        )
    if not manners.plays(game):
        able = ", ".join(kind.title for kind in games.GAMES if manners.plays(kind))
        raise Refusal(
            f"{bot.userid} does not play {game.title}. Bots play {able}.", "not-a-bots-game"
        )
    running = [
        row.board
        for row in work.tx.boards_of(challenger.userid, "active")
        if receipts.bot_of(work, row.seats)
    ]
    if work.limited and len(running) >= AT_ONCE:
        boards = ", ".join(map(str, running))
        raise Refusal(
            f"You have {len(running)} games with bots running, boards {boards}; {AT_ONCE} are the "
            "most. Finish or resign one of them first.",
            "too-many-bot-games",
        )


def next_question(work: Work, busy: Collection[int], used: Mapping[str, float]) -> Question | None:
    """The turn to think about next; None if none is due.

    busy  boards that are thought about already
    used  seconds that have been thought for each player within the last hour
    """
    if work.tx.fact("paused"):
        return None
    turns = [
        turn
        for turn in work.tx.bot_turns(_LOOKED_AT)
        if turn.board not in busy and not receipts.is_satisfied(work, turn.person)
    ]
    crowded = len(turns) > _CROWD

    def order(turn: BotTurn) -> tuple[bool, bool, float, float]:
        fresh = work.now - turn.since < _PATIENCE
        has_to_wait = crowded and fresh and level(turn.bot) > _STRONG
        return fresh, has_to_wait, used.get(turn.person, 0.0) if fresh else 0.0, turn.since

    for turn in sorted(turns, key=order):
        with suppress(Refusal):  # a corrupt record: ``admin check`` names it
            match = load(work, turn.board)
            if match.to_move != turn.bot:
                continue
            ruled = manners.by_rule(match, turn.bot) is not None
            request = None if ruled else _request(work, match)
            return Question(turn, match.resets, len(match.record), request)
    return None


def level(bot: str) -> int:
    """How strong a bot is, from 1 to 9."""
    return int(bot.removeprefix("bot"))


def _request(work: Work, match: Match) -> dict[str, Any]:
    return {
        "game": match.game.word,
        "options": games.dump(match.game),
        "moves": [entry.move for entry in match.record],
        "level": level(match.to_move),
        "seed": identity.turn_seed(work.keys, match.number, match.resets, len(match.record)),
    }


def answer(
    work: Work, question: Question, thought: Mapping[str, Any] | None, crashes: int = 0
) -> bool:
    """Play a bot's answer, if the turn is as it was; else it is dropped. True if it was played.

    thought  what the process that thinks has said; None if it could not, or was not asked: then what
             is done follows from a rule
    crashes  how often that process failed at it, for the operator

    Raises Refusal, KeyError, TypeError or ValueError for a thought that is no legal move: nothing is done.
    """
    turn = question.turn
    row = work.tx.board(turn.board)
    if row is None or (row.to_move, row.length, row.resets) != (
        turn.bot,
        question.length,
        question.resets,
    ):
        return False
    match = load(work, turn.board)
    act = manners.by_rule(match, turn.bot)
    if act is None and thought is not None:
        act = manners.from_answer(turn.bot, thought)
    act = act or manners.nearest_the_middle(match, turn.bot)
    settled = manners.certain_score(match) if match.bounds.settled else None
    _carry_out(work, match, turn, act, settled or _score(thought))
    for _ in range(crashes):
        work.tx.count(CRASHES, work.now, DAY)
        alerts.tell(work.tx, work.context.config, work.now, "bot", f"board {turn.board}")
    return True


def _score(reply: Mapping[str, Any] | None) -> tuple[int, int] | None:
    """The score that is certain after a move, as the process that thinks has found it."""
    if reply is None or not reply.get("score"):
        return None
    x, o = map(int, reply["score"])
    return x, o


def _carry_out(
    work: Work, match: Match, turn: BotTurn, act: Act, score: tuple[int, int] | None
) -> None:
    """Do what a bot wants, and tell the person, in the letter that waits for it if it still does.

    score  what it proposes then, if it has not proposed it before
    """
    change = _proposed(work, apply(work, match, act), turn.bot, score)
    work.tx.count(receipts.counter_of(turn.person), work.now, HOUR)
    waiting = receipts.replaced(work, match, change.after, change.happenings)
    if turn.person not in waiting:
        tell(work, change)


def _proposed(work: Work, change: Change, bot: str, score: tuple[int, int] | None) -> Change:
    match = change.after
    if score is None or match.position.over:
        return change
    proposal = f"{score[0]} {score[1]}"
    events = work.tx.events(match.number)
    if any((e.kind, e.userid, e.data) == ("proposed", bot, proposal) for e in events):
        return change
    with suppress(Refusal):  # it cannot come about: the process that thinks was wrong
        asked = apply(work, match, Act(bot, "propose", proposal))
        return Change(change.before, asked.after, (*change.happenings, *asked.happenings))
    return change


def reply(work: Work, change: Change) -> Change:
    """The change with what a bot says at once to what its opponent asks; as it is if nothing is asked.

    Raises Missing if the score has to be looked for first.
    """
    match, request = change.after, change.after.request
    bot = receipts.bot_of(work, match.seats)
    if not bot or request is None or request.userid == bot or request == change.before.request:
        return change
    score = None
    if request.kind in (SCORE, DRAW):
        task = Task(
            ("score", match.number, match.resets, len(match.record)),
            partial(manners.certain_score, match),
            "reading",
        )
        score = work.results.of(task)
    said = apply(work, match, manners.to_request(match, bot, request, score))
    # What was asked is told as of the board on which it was asked: after an undo that is gone.
    asked = () if request.kind == UNDO else change.happenings
    return Change(change.before, said.after, (*asked, *said.happenings))


def refuse_plan(work: Work, match: Match) -> None:
    """Raises BoardRefusal on a board of a bot: it answers at once."""
    if bot := receipts.bot_of(work, match.seats):
        raise BoardRefusal(
            f"{bot} answers at once, so there is nothing to plan on this board.",
            "no-plan-with-bots",
            match,
        )


def is_late(tx: Tx, now: float, since: float) -> bool:
    """Whether a bot's turn is older than ten minutes of those ``since`` bots could think.

    Who has had as many answers as an hour allows may have to wait for longer.
    """
    oldest = min(
        (
            turn.since
            for turn in tx.bot_turns(_LOOKED_AT)
            if tx.counted(receipts.counter_of(turn.person), now, HOUR) < receipts.ANSWERS_AN_HOUR
        ),
        default=now,
    )
    return now - max(oldest, since) > TOO_OLD
