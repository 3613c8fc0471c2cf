"""The operator's commands about the problem of the week."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from ...cli.listings import as_json_option, print_facts, times
from ...cli.options import NUMBER, Group, configuration, statuses
from ...cli.shared import context, store, work
from ...games import title_of
from ...games.spelling import plural
from . import operator, weekly
from .judgement import board_of


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
        stored = operator.stored(at, number)
        facts = times(operator.facts(at, stored, solution), "week")
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


COMMAND = problem
