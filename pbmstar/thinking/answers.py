"""The answers of bots: the board that is next, and the answer, played exactly once."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from .. import games, identity
from ..bots import budget, rules
from ..bots.engine.levels import is_careless
from ..bots.rows import Bots, BotTask
from ..errors import Refusal
from ..machine.times import DAY, Seconds
from ..match import SCORE, Act, Change, Match
from ..match.happenings import Proposed
from ..service.letters import alerts
from ..service.letters.tell import replaced, tell
from ..service.work.apply import apply, load
from ..service.work.feature import group_of
from ..service.work.work import Work


class Question(NamedTuple):
    """A turn for a bot to think about; its answer counts only while the turn is the same.

    request   for the process that thinks, its seed always the same for one turn; None if a rule gives
              the answer, or another game of the series has given it
    """

    turn: BotTask
    resets: int
    length: int
    request: Mapping[str, Any] | None


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
        for turn in tx.of(Bots).turns(budget.LOOKED_AT, levels)
        if turn.board not in busy and not budget.rests(tx, config, now, turn.bot, turn.person)
    ]
    used = {person: budget.used(tx, now, person) for person in {turn.person for turn in turns}}
    for turn in sorted(turns, key=lambda turn: (used[turn.person], turn.since)):
        with suppress(Refusal):  # a corrupt record: ``admin check`` names it
            match = load(work, turn.board)
            if match.to_move != turn.bot:
                continue
            series = _series(work, match)
            ruled = rules.by_rule(match, turn.bot, resigns=not series) is not None
            is_known = ruled or _known(work, series, match) is not None
            request = None if is_known else _request(work, match, series)
            return Question(turn, match.resets, len(match.record), request)
    return None


def _series(work: Work, match: Match) -> str:
    """Return the series of games in which equal positions have one answer; empty if there is none."""
    group = group_of(work, match)
    return group.name if group else ""


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
    number, at = budget.level(match.to_move), (match.number, match.resets)
    of_turn, of_game = (identity.turn_seed(work.keys, *at, each) for each in (len(match.record), 0))
    if series:
        of_turn = of_game = identity.series_seed(work.keys, series)
    return {
        "game": match.game.word,
        "options": games.dump(match.game),
        "moves": [entry.move for entry in match.whole],
        "level": number,
        "careless": is_careless(number, of_game),
        "seed": of_turn,
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
    series = _series(work, match)
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
        work.tx.ledger.count(budget.CRASHES, work.now, DAY)
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
    waiting = replaced(work, match, change.after, change.happenings)
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
