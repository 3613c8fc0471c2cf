"""A problem of the week as the operator sees it."""

from __future__ import annotations

from typing import Any

from ... import games
from ...errors import BadInput
from ...service.admin.operator import note
from ...service.work.work import Work
from .judgement import board_of
from .letters import is_open
from .rows import Problems, StoredProblem
from .rules import monday


def stored(work: Work, number: int | None) -> StoredProblem:
    """Return the problem of that number, or the newest one. Raises BadInput if there is none."""
    rows = work.tx.of(Problems)
    found = rows.newest() if number is None else rows.get(number)
    if found is None:
        which = "no problem yet" if number is None else f"no problem {number}"
        raise BadInput(f"There is {which}. See: pbmstar admin problem make", "no-problem")
    return found


def facts(work: Work, problem: StoredProblem, with_solution: bool) -> dict[str, Any]:
    """Return the facts of a problem and the first answers to it; times are in seconds since 1970.

    While its week runs, what solves it is None, unless it is wanted: then that is noted for audit.
    """
    is_secret = is_open(work, problem)
    shows = with_solution or not is_secret
    if with_solution and is_secret:
        note(work, f"problem show --solution {problem.number}")
    answers = work.tx.of(Problems).answers(problem.number)
    return {
        "problem": problem.number,
        "week": monday(problem.week),
        "open": is_secret,
        "game": problem.game,
        "options": dict(games.load(problem.game, problem.options).values),
        "board": problem.board,
        "moves": list(problem.moves),
        "to_move": board_of(problem).to_move,
        "solution": problem.move if shows else None,
        "played": problem.played if shows else None,
        "right": sum(each.right for each in answers),
        "readers": work.tx.of(Problems).count_readers(),
        "answers": [
            {
                "userid": each.userid,
                "right": bool(each.right),
                "move": each.move if shows else None,
                "at": each.at,
            }
            for each in answers
        ],
    }
