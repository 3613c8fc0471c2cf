"""The arguments of verbs that list games, or offer another one."""

from __future__ import annotations

from dataclasses import replace

from ..errors import BadInput
from ..games.base import Game
from ..games.text import plain, shown
from . import values
from .arguments import OPTIONS, Argument, Taken, option_labels, take_options


def _take_counter(words: list[str], game: type[Game] | None) -> Taken:
    """``options`` as of a challenge, and ``seat``, that of who writes."""
    seats = [word for word in words if plain(word).lower().startswith("-seat")]
    taken = take_options([word for word in words if word not in seats], game)
    if not seats:
        return taken
    seat = plain(seats[0]).lower().removeprefix("-seat=").upper()
    if len(seats) > 1 or (seat not in ("X", "O")):
        raise BadInput("A seat is -seat=x, who begins, or -seat=o.", "bad-seat")
    return Taken(
        {**taken.values, "seat": seat}, [*taken.shown, f"-seat={seat.lower()}"], taken.rest
    )


def _counter_labels(game: type[Game]) -> list[str]:
    return [f"{option_labels(game)[0]} [-seat=x|o]".strip()]


COUNTER = replace(OPTIONS, take=_take_counter, labels=_counter_labels)
FILTERS = Argument(
    "filters",
    "filter...",
    lambda words, _: Taken({"filters": values.read_filters(words)}, [*map(shown, words)], []),
    optional=True,
)
