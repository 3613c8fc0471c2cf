"""The operator's commands about cups."""

from __future__ import annotations

from collections.abc import Callable

import click

from ...cli.listings import Rows, as_json_option, lists, times
from ...cli.options import Group, configuration, statuses
from ...cli.shared import context, send, store, work
from ...games import title_of
from ...service.work.work import Work
from ..contests.cli import game_argument, listed
from ..contests.rows import Contest
from ..league.cli import print_season
from . import operator, running
from .rules import CUP


@click.group(cls=Group, example="list")
def cup() -> None:
    """Cups: list, show, begin, end, close.

    They begin by themselves, and in a cup all players play each other at the same time.
    """


@cup.command("list")
@lists("There are no cups yet: the first player who enters one makes it.")
def cup_list(at: Work) -> Rows:
    """List the cups.

    For each game you see the running cup, and the next one if players can enter it.
    """
    return listed(at, CUP)


@cup.command("show", example="star")
@game_argument
@as_json_option
def cup_show(game: str, as_json: bool) -> None:
    """Print the table of a game's cup.

    You see the running cup, or else the last one, and who has entered the next one.
    """
    with work(writes=False) as at:
        facts = times(operator.facts(at.tx, game), "begins")
    print_season("Cup", facts, as_json)
    if not as_json:
        begins = f"; it begins on {facts['begins']}" if facts["begins"] else ""
        click.echo(f"In the next cup: {', '.join(facts['joined']) or 'nobody'}{begins}.")


@cup.command("begin", example="star")
@game_argument
def cup_begin(game: str) -> None:
    """Start the next cup now.

    At least two players must have entered it.
    """
    _change(operator.begin, game, "begun")


@cup.command("end", example="star")
@game_argument
def cup_end(game: str) -> None:
    """End the cup now.

    We judge the games that are still running.
    """
    _change(operator.end, game, "ended")


@cup.command("close", example="star")
@game_argument
def cup_close(game: str) -> None:
    """Close the cups of a game.

    After that, nobody can enter one. We call off the next cup, and tell its players. A running cup goes on.
    """
    _change(operator.close, game, "closed")


@cup.command("open", example="star")
@game_argument
def cup_open(game: str) -> None:
    """Open the cups of a game again.

    You only need this after you've closed them.
    """
    _change(operator.reopen, game, "opened")


@cup.command("remove", example="star alice")
@game_argument
@click.argument("userid")
def cup_remove(game: str, userid: str) -> None:
    """Take a player out of a cup.

    We tell the player. In a running cup, the player's games go on, but they no longer count: if at least half
    of them are over, the player loses the others in the table. Otherwise we take all of them out of the
    table.
    """
    _change(lambda at, word: operator.remove(at, word, userid.lower()), game, "changed")


def _change(change: Callable[[Work, str], Contest], game: str, how: str) -> None:
    """Change a cup: its games begin or are judged in small steps, and their letters are sent."""
    with work() as at:
        changed = change(at, game)
    config = configuration()
    with statuses(), store(config) as opened:
        running.carry_on(context(config), opened)
        send(config, opened)
    click.echo(f"Cup {changed.season} of {title_of(changed.game)} {how}.")


COMMAND = cup
