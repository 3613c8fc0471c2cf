"""The operator's commands about the problem of the week, and the problem as the operator sees it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ... import games
from ...cli.listings import as_json_option, print_facts, times
from ...cli.options import NUMBER, Group, configuration, statuses
from ...cli.shared import context, store, work
from ...errors import BadInput
from ...games import title_of
from ...games.spelling import plural
from ...service.work.work import Work
from . import weekly
from .letters import board_of, is_open
from .rows import Problems, StoredProblem
from .rules import monday


@click.group(cls=Group, example="show")
def problem() -> None:
    """The problem of the week.

    It is a position of a game that was played here, in which exactly one move decides.
    """


@problem.command("show", example="12 --solution")
@click.argument("number", type=NUMBER, required=False)
@click.option(
    "--solution", is_flag=True, help="Also print the solution. The audit notes that you looked."
)
@as_json_option
def problem_show(number: int | None, solution: bool, as_json: bool) -> None:
    """Print a problem, and who has answered it.

    Without NUMBER, you get the newest one. Once its week is over, we print the solution in any case.
    """
    with work(writes=solution) as at:
        stored = problem_of(at, number)
        facts = times(problem_facts(at, stored, solution), "week")
        board = board_of(stored)
    print_facts(facts, _shown(facts, board.game.draw(board.position.stones)), as_json)


def _shown(facts: dict[str, Any], drawing: str) -> Iterator[str]:
    """Yield a problem as lines."""
    name = f"Problem {facts['problem']}: {title_of(facts['game'])}"
    yield f"{name}, from board {facts['board']}, of the week from {facts['week'][:10]}."
    yield drawing.rstrip("\n")
    yield f"{facts['to_move']} is to move."
    if facts["solution"]:
        played = facts["played"] or "nothing more"
        yield f"{facts['solution']} decides the game. Played was: {played}."
    count = plural(len(facts["answers"]), "player")
    yield f"{count} answered, {facts['right']} of them right on the first try."
    yield f"{plural(facts['readers'], 'player')} want each problem by mail."
    for each in facts["answers"]:
        move = f": {each['move']}" if each["move"] else ""
        yield f"  {each['userid']}, {'right' if each['right'] else 'wrong'}{move}"


@problem.command("make")
def problem_make() -> None:
    """Find this week's problem now.

    We look for it in the newest games, as remind does once a week. That takes a few seconds at most, and the
    daemon can keep running. The letters go out with the next remind.
    """
    config = configuration()
    with statuses(), store(config) as opened:
        made = weekly.make(context(config), opened)
    if made is None:
        click.echo("None of the newest games gives a good problem this week.")
    else:
        click.echo(f"Problem {made.number} found: {title_of(made.game)}, from board {made.board}.")


def problem_of(work: Work, number: int | None) -> StoredProblem:
    """Return the problem of that number, or the newest one. Raises BadInput if there is none."""
    rows = work.tx.of(Problems)
    found = rows.newest() if number is None else rows.get(number)
    if found is None:
        which = "no problem yet" if number is None else f"no problem {number}"
        raise BadInput(f"There is {which}. See: pbmstar admin problem make", "no-problem")
    return found


def problem_facts(work: Work, problem: StoredProblem, with_solution: bool) -> dict[str, Any]:
    """Return the problem_facts of a problem and the first answers to it; times are in seconds since 1970.

    While its week runs, what solves it is None, unless it is wanted: then that is noted for audit.
    """
    is_secret = is_open(work, problem)
    shows = with_solution or not is_secret
    if with_solution and is_secret:
        work.note(f"problem show --solution {problem.number}")
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


COMMAND = problem
