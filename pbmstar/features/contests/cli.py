"""Parts that the operator's commands about ladders and leagues share."""

from __future__ import annotations

import click

from ...cli.listings import Rows, times
from ...cli.shared import work
from ...games import GAMES, title_of
from ...service.work.work import Work
from . import operator
from .feature import ContestKind

# The games that two play.
game_argument = click.argument(
    "game",
    type=click.Choice([game.word for game in GAMES if len(game.seats) == 2], case_sensitive=False),
    metavar="GAME",
)
options_argument = click.argument("options", nargs=-1, type=click.UNPROCESSED)
AS_OF_A_CHALLENGE = {"ignore_unknown_options": True}


def time_option() -> str | None:
    """Return the time of players that the command line gives as an option of the configuration."""
    found = click.get_current_context().find_root().ensure_object(dict).get("time")
    return None if found is None else str(found)


def close(kind: ContestKind, game: str) -> None:
    """Close the contest of a kind and a game, and say so."""
    with work() as at:
        closed = operator.close(at, kind, game)
    click.echo(f"{kind.word.capitalize()} of {title_of(closed.game)} closed.")


def listed(at: Work, kind: str) -> Rows:
    """Return the contests of a kind, one for each game, as rows of a list."""
    return [times(row, "ends") for row in operator.listed(at.tx, kind)]
