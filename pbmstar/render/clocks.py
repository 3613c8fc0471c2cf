"""The players' time in a letter: a line each, and what programs want to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import NamedTuple

from ..match import Terms, zones
from ..match.clock import LEAST
from ..match.terms import DAY, HOUR, NONE
from .exported import when

_WHY = {"leave": "on leave", "outage": "this server cannot be reached"}


class Shown(NamedTuple):
    """The clocks of a board as a letter shows them. Times are seconds since 1970 UTC.

    left      what each player has, in seconds
    time      how much that is at the beginning, and after a move: ``10d+36h``
    deadline  when the turn is over; None while the clock stands
    allowed   seconds that this turn may take, if that is not what the player has
    first     not everybody has made a first move: there is nothing to lose
    stands    why the clock stands, and until when if that is known; None while it runs
    warned    the turn lasts longer than what is left, since the last warning came late
    """

    left: Mapping[str, int]
    time: str
    deadline: float | None
    allowed: int | None
    first: bool
    stands: tuple[str, float | None] | None
    warned: bool = False

    @classmethod
    def of(cls, values: list[object]) -> Shown:
        """The clocks again, out of JSON."""
        shown = cls(*values)  # type: ignore[arg-type]
        return shown._replace(stands=shown.stands and (shown.stands[0], shown.stands[1]))


def lines(shown: Shown, to_move: str, zone: str) -> tuple[str, ...]:
    """The clock of the player to move, and then the other's; by the time of a zone."""
    left = f"{length(shown.left[to_move])} left ({shown.time})"
    if shown.first and shown.allowed is not None:
        left = f"{length(shown.allowed)} for a first move"
    if shown.stands:
        why, until = shown.stands
        till = f" until {day(until, zone)}" if until else ""
        own = f"{to_move}'s clock stands ({_WHY[why]}{till}); {left}."
    else:
        assert shown.deadline is not None
        if shown.allowed is not None and not shown.first:
            left = f"{left}, but {length(shown.allowed)} for this move"
        elif shown.warned and not shown.first:
            left = f"{left}, but {length(LEAST)} from the last warning on"
        own = f"{to_move} has {left}, until {moment(shown.deadline, zone)}."
    if shown.first:
        return (own,)
    if shown.allowed is not None:
        own += " This is the last warning: without a move the game is forfeited then."
    pace = Terms(shown.time).pace
    others = ((userid, has) for userid, has in shown.left.items() if userid != to_move)
    # Who has the same time anew for each move need not be told how much that is.
    some = ((userid, has) for userid, has in others if pace is None or (has, None) != pace[:2])
    return own, *(f"{userid} has {length(has)}." for userid, has in some)


def headers(shown: Shown) -> dict[str, str]:
    """The same for programs; the deadline is empty while the clock stands."""
    deadline = "" if shown.deadline is None else when(shown.deadline)
    left = shown.left if shown.time != NONE else {}
    clocks = " ".join(f"{userid}={seconds}" for userid, seconds in left.items())
    return {"X-Pbmstar-Deadline": deadline, "X-Pbmstar-Clock": clocks}


def length(seconds: int) -> str:
    """A length of time in days and hours, rounded down: ``8 days 3 h``."""
    days, hours = seconds // DAY, seconds % DAY // HOUR
    words = [f"{days} day{'s' if days > 1 else ''}"] if days else []
    words += [f"{hours} h"] if hours else []
    return " ".join(words) or "less than 1 h"


@lru_cache(64)  # the players of a board get their letters one after the other
def moment(at: float, zone: str) -> str:
    """A time of a zone, with UTC behind it: ``Sun 2026-12-06 14:20 CET (13:20 UTC)``."""
    local = zones.when(at, zone)
    utc = datetime.fromtimestamp(at, UTC)
    return local if local.endswith(" UTC") else f"{local} ({utc:%H:%M} UTC)"


def day(at: float, zone: str) -> str:
    """A day of a zone: ``3 Jan``."""
    local = datetime.fromtimestamp(at, zones.zone_of(zone))
    return f"{local.day} {local:%b}"
