"""The commands of ``pbmstar admin board``."""

from __future__ import annotations

import click

from .admin import admin, as_json_option, print_json, print_rows
from .shared import NUMBER, Group, work


@admin.group(cls=Group)
def board() -> None:
    """Boards."""


@board.command("list")
@click.option("--waiting", is_flag=True, help="Running boards, the longest turn first.")
@as_json_option
def board_list(waiting: bool, as_json: bool) -> None:
    """All boards: number, game, options, players, whose turn it is or the result, since when."""
    from ..service import operator
    from . import listings

    with work(writes=False) as at:
        boards = list(operator.all_boards(at.tx))
    if waiting:
        boards = sorted((row for row in boards if row.to_move), key=lambda row: row.since)
    rows = [listings.board_line(row) for row in boards]
    print_rows(rows, as_json)


_numbers = click.argument("numbers", metavar="BOARD...", type=NUMBER, nargs=-1, required=True)


@board.command("show")
@_numbers
@click.option("--plans", is_flag=True, help="What players plan, too; it is noted that you looked.")
@as_json_option
def board_show(numbers: tuple[int, ...], plans: bool, as_json: bool) -> None:
    """Boards with their records; with --json an object for each."""
    from ..render import exported
    from ..service import apply, clocks, operator
    from . import listings

    with work(writes=plans) as at:
        matches = [apply.load(at, number) for number in numbers]
        shown = [clocks.shown(at, each) for each in matches]
        if plans:
            operator.note(at, f"board show --plans {' '.join(map(str, numbers))}")
    for match, clock in zip(matches, shown, strict=True):
        if as_json:
            planned = {"plans": listings.plans(match)} if plans else {}
            print_json({**listings.board_facts(match, clock), **planned})
        else:
            click.echo(exported.text(match), nl=False)
            for userid, plan in listings.plans(match).items() if plans else ():
                click.echo(f"Plan of {userid}: {plan}")


@board.command("reset")
@_numbers
@click.option(
    "--to-move", type=int, default=1, help="Back to before this move; else to the empty board."
)
def board_reset(numbers: tuple[int, ...], to_move: int) -> None:
    """Put boards back, all or none of them; their players are told by mail."""
    from ..service import operator

    with work() as at:
        matches = [operator.reset_board(at, number, to_move) for number in numbers]
    for match in matches:
        click.echo(f"board {match.number} is before move {match.turn}, {match.to_move} to move")


@board.command("remove")
@_numbers
def board_remove(numbers: tuple[int, ...]) -> None:
    """Delete boards, all or none of them; their players are told by mail."""
    from ..service import operator

    with work() as at:
        for number in numbers:
            operator.remove_board(at, number)
    for number in numbers:
        click.echo(f"board {number} removed")
