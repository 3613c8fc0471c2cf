"""Bots in play: challenges to them, the board that is next, and the answer, played exactly once."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from ... import games, identity
from ...config import Config
from ...errors import Refusal, say, together
from ...games.base import Game
from ...machine.times import Epoch, Seconds
from ...match import DRAW, SCORE, UNDO, Act, Match, program_among
from ...match.happenings import Proposed
from ...match.terms import DAY
from ...service.letters import alerts
from ...service.letters.tell import tell
from ...service.work.apply import Change, apply, load
from ...service.work.tasks import Task
from ...service.work.work import BoardRefusal, Work
from ...store import Board, Tx, User
from ..feature import owner
from . import budget, receipts, rules
from .rows import Bots, BotTask

AT_ONCE = 3  # running games against bots that a player may have
TOO_OLD = 600.0  # seconds after which a bot's turn is an alarm
CRASHES = "bot crashes"  # the counter, kept for a day
_LOOKED_AT = 500  # the most turns that are compared to find the next one


class Question(NamedTuple):
    """A turn for a bot to think about; its answer counts only while the turn is the same.

    request   for the process that thinks, its seed always the same for one turn; None if a rule gives
              the answer, or another game of the series has given it
    """

    turn: BotTask
    resets: int
    length: int
    request: Mapping[str, Any] | None


def may_challenge(work: Work, challenger: User, bot: User, game: Game, is_proved: bool) -> None:
    """Raise Refusal if the bot does not take a challenge; the text tells what is possible.

    Games that other people began in the player's name do not count against a player who is proved.
    """
    if not budget.processes(work.context.config):
        raise Refusal(
            say(
                "The bots of this server are switched off. To find a person to play with, send: who"
            ),
            "bots-off",
        )
    if not rules.plays(game):
        able = ", ".join(kind.title for kind in games.GAMES if rules.plays(kind))
        raise Refusal(
            say(
                "{bot} does not play {game}. Bots play {games}.",
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
                "{bot} would think for more than a minute about a move on a board of {number} "
                "cells. On this board you can play with {first} to {last}.",
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
            "You can have at most {most} running games with bots; yours are on boards {boards}. Finish or "
            "resign one of them first.",
            most=AT_ONCE,
            boards=boards,
        )
        others = say(
            "If somebody else began one in your name, send the challenge as a reply to a letter about a "
            "board. Then a game without a move of yours does not count."
        )
        is_of_others = len(own) < AT_ONCE
        raise Refusal(together(many, others if is_of_others else None), "too-many-bot-games")


def _is_own(work: Work, row: Board, player: User) -> bool:
    """Return True if a player has proved to want that game: by a proved beginning, or by a move."""
    return bool(row.proved) or any(
        entry.userid == player.userid for entry in work.tx.boards.record(row.board)
    )


def next_question(work: Work, busy: Collection[int], levels: Collection[int]) -> Question | None:
    """Return the next turn for a bot of these levels to think about; None if none is due.

    The player for whom bots have thought least within the hour comes first, then the oldest turn.
    A bot thinks already on the boards of ``busy``.
    """
    if work.tx.ledger.fact("paused"):
        return None
    tx, config, now = work.tx, work.context.config, work.now
    turns = [
        turn
        for turn in tx.of(Bots).turns(_LOOKED_AT, levels)
        if turn.board not in busy and not budget.rests(tx, config, now, turn.bot, turn.person)
    ]
    used = {person: budget.used(tx, now, person) for person in {turn.person for turn in turns}}
    for turn in sorted(turns, key=lambda turn: (used[turn.person], turn.since)):
        with suppress(Refusal):  # a corrupt record: ``admin check`` names it
            match = load(work, turn.board)
            if match.to_move != turn.bot:
                continue
            series = owner(match.terms).series(work, match)
            ruled = rules.by_rule(match, turn.bot, resigns=not series) is not None
            is_known = ruled or _known(work, series, match) is not None
            request = None if is_known else _request(work, match, series)
            return Question(turn, match.resets, len(match.record), request)
    return None


def _known(work: Work, series: str, match: Match) -> dict[str, Any] | None:
    """Return the answer that another game of a series has had in an equal position; None if there is none."""
    mark = rules.mark(match.position)
    found = work.tx.of(Bots).known_answer(series, mark) if series else None
    return None if found is None else json.loads(found)


def _keep(work: Work, series: str, match: Match, reply: Mapping[str, Any]) -> None:
    """Keep an answer for the other games of its series: what is played and proposed there."""
    kept = json.dumps({name: reply[name] for name in ("move", "score") if reply.get(name)})
    work.tx.of(Bots).keep_answer(series, rules.mark(match.position), kept)


def _request(work: Work, match: Match, series: str) -> dict[str, Any]:
    of_series = identity.series_seed(work.keys, series) if series else None
    return {
        "game": match.game.word,
        "options": games.dump(match.game),
        "moves": [entry.move for entry in match.whole],
        "level": budget.level(match.to_move),
        "seed": identity.turn_seed(work.keys, *match.state) if of_series is None else of_series,
        **({"resigns": False} if series else {}),
    }


def answer(
    work: Work,
    question: Question,
    reply: Mapping[str, Any] | None,
    crashes: int = 0,
    seconds: Seconds = 0.0,
) -> bool:
    """Play a bot's answer if the turn is the same, otherwise drop it. Return True if it was played.

    reply    the answer of the process that thinks; None if it failed or was not asked: then a rule
             gives the answer. A known answer to an equal position in a game of the series goes first
    crashes  how often that process failed at this turn, for the operator
    seconds  the processor time that its player is charged for the answer, played or not

    Raise Refusal, KeyError, TypeError or ValueError for a reply that is not a legal move; then nothing is
    played.
    """
    turn = question.turn
    budget.charge(work.tx, work.now, turn.person, seconds)
    row = work.tx.boards.get(turn.board)
    if row is None or (row.to_move, row.length, row.resets) != (
        turn.bot,
        question.length,
        question.resets,
    ):
        return False
    match = load(work, turn.board)
    series = owner(match.terms).series(work, match)
    act = rules.by_rule(match, turn.bot, resigns=not series)
    if act is None:
        usual = {"move": rules.nearest_the_middle(match, turn.bot).text}
        reply = _known(work, series, match) or reply or usual
        act = rules.from_answer(turn.bot, reply)
        if series:
            _keep(work, series, match, reply)
    settled = rules.certain_score(match) if match.bounds.settled else None
    _carry_out(work, match, turn, act, settled or _score(reply))
    for _ in range(crashes):
        work.tx.ledger.count(CRASHES, work.now, DAY)
        alerts.tell(work.tx, work.context.config, work.now, "bot", f"board {turn.board}")
    return True


def _score(reply: Mapping[str, Any] | None) -> tuple[int, int] | None:
    """Return the certain score after a move, (X, O), that the process that thinks found; None for none."""
    if reply is None or not reply.get("score"):
        return None
    x, o = map(int, reply["score"])
    return x, o


def _carry_out(
    work: Work, match: Match, turn: BotTask, act: Act, score: tuple[int, int] | None
) -> None:
    """Carry out a bot's act, and tell the person, in the letter that waits for it if it still does.

    score  the score that the bot then proposes, if it has not proposed it before; None for none
    """
    change = _proposed(work, apply(work, match, act), turn.bot, score)
    budget.count_answer(work.tx, work.now, turn.person)
    waiting = receipts.replaced(work, match, change.after, change.happenings)
    if turn.person not in waiting:
        tell(work, change)


def _proposed(work: Work, change: Change, bot: str, score: tuple[int, int] | None) -> Change:
    match = change.after
    if score is None or match.position.over:
        return change
    proposal = f"{score[0]} {score[1]}"
    asked_before = Proposed(bot, SCORE, proposal)
    if any(event.happening == asked_before for event in work.tx.boards.events(match.number)):
        return change
    with suppress(Refusal):  # the score is not possible: the process that thinks was wrong
        asked = apply(work, match, Act(bot, "propose", proposal))
        return Change(change.before, asked.after, (*change.happenings, *asked.happenings))
    return change


def reply(work: Work, change: Change) -> Change:
    """Return the change with a bot's immediate answer to a request; the same change if there is none.

    Raise Missing if the score must be computed first.
    """
    match, request = change.after, change.after.request
    bot = match.program
    if not bot or request is None or request.userid == bot or request == change.before.request:
        return change
    score = None
    if request.kind in (SCORE, DRAW):
        certain = partial(rules.certain_score, match)
        score = work.results.of(Task(("score", *match.state), certain, "reading"))
    answered = apply(work, match, rules.to_request(match, bot, request, score))
    # A request is told with the board on which it was made: after an undo that board is gone.
    asked = () if request.kind == UNDO else change.happenings
    return Change(change.before, answered.after, (*asked, *answered.happenings))


def opponents(work: Work, game: Game) -> list[str]:
    """Return the bots of this server that play a game soon enough, the weakest first."""
    if not budget.processes(work.context.config) or not rules.plays(game):
        return []
    there = {user.userid for user in work.tx.accounts.programs()}
    return [userid for userid in budget.quick_bots(game) if userid in there]


def require(match: Match, act: str) -> None:
    """Raise BoardRefusal for an act that means nothing to a bot; see ``Feature.require``."""
    bot = match.program
    if act == "extend":
        raise BoardRefusal(say("{bot} is a bot, and has no clock.", bot=bot), "no-clock", match)
    if act == "say":
        raise BoardRefusal(
            say("{bot} is a bot, and reads no words.", bot=bot), "bots-read-nothing", match
        )
    if act == "plan":
        raise BoardRefusal(
            say("{bot} answers at once, so there is nothing to plan on this board.", bot=bot),
            "no-plan-with-bots",
            match,
        )


def is_late(tx: Tx, config: Config, now: Epoch, since: Epoch) -> bool:
    """Return True if a bot's turn has waited for more than ten minutes after ``since``.

    Bots could think from ``since`` on. A turn does not count while the budget of its player is used up.
    """
    turns = tx.of(Bots).turns(_LOOKED_AT)
    due = (t.since for t in turns if not budget.rests(tx, config, now, t.bot, t.person))
    return now - max(min(due, default=now), since) > TOO_OLD
