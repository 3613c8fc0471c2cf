"""The schedule of a turn that takes long. Pure: everything is seconds of a player's time."""

from __future__ import annotations

from typing import NamedTuple

from ...match.clock import LEAST
from ...match.terms import DAY
from .timekeeping import WARNING, Limit

NAG, FORFEIT, ASK = "nag", "forfeit", "ask"
# Until the opponent of somebody whom no letter reaches is asked what to do.
UNREACHED_TIME = 14 * DAY
USUAL = 21 * DAY  # a turn without limit is reminded of like one of so much


class Schedule(NamedTuple):
    """The seconds of a turn at which its reminders, its last warning and its end are due."""

    calls: tuple[int, ...]
    warning: int | None
    limit: int | None


class UnderWay(NamedTuple):
    """The letter that tells of the turn, or that warns of its end, is under way."""


class Running(NamedTuple):
    """A turn that its player knows of.

    used    seconds of the player's time; stops are left out
    newest  the number of the last reminder that was sent; -1 if none was
    """

    used: int
    newest: int = -1


class Expiring(NamedTuple):
    """A running turn whose player had its last warning, which names the present end, so long ago."""

    used: int
    newest: int
    warned: int


class OutOfReach(NamedTuple):
    """A turn of a player whom no letter reaches.

    lasts  seconds since that is known, by the clock on the wall
    tried  when the last letter was written
    noted  it is in the store since when that is known
    asked  the opponent has been asked what to do
    """

    used: int
    newest: int
    lasts: int
    tried: float
    noted: bool
    asked: bool


Phase = UnderWay | Running | Expiring | OutOfReach


def schedule_of(
    limit: Limit,
    first: float | None = None,
    often: int = 1,
    early: bool = False,
    alone: bool = False,
) -> Schedule:
    """Return a schedule: a third, two thirds, and two days or a tenth before the end, but not
    before a third.

    first  seconds until the first reminder, if that is set
    often  how reminders are wanted: 0 not at all, 1 so, 2 every day from the first on
    early  the last warning comes a day earlier
    alone  it is a puzzle, of which there is one reminder
    """
    whole = limit.seconds
    if alone:
        return Schedule((round(first or USUAL / 3),) if often else (), None, None)
    third = (whole or USUAL) // 3
    last = (whole or USUAL) - max(LEAST, (whole or USUAL) // 10) - (DAY if early else 0)
    last = max(third, last)
    begin = round(first or (whole // 2 if limit.first and whole else third))
    daily = range(begin, last, DAY)
    calls = tuple(daily) if often > 1 else (begin, 2 * third, *(() if whole else (last,)))
    fit = tuple(sorted({each for each in calls if begin <= each < last or whole is None}))
    return Schedule(fit if often else (), last if whole else None, whole)


def stage(schedule: Schedule, phase: Phase) -> str:
    """Return what is to be done now: ``nag N``, ``warning``, ``forfeit``, ``ask``, or empty for nothing.

    A late run sends the newest reminder only, and nothing comes after the last warning but the
    forfeit. That needs a warning delivered two days before, however long the turn has taken. If no
    letter gets through, the opponent is asked whether to end the game.
    """
    match phase:
        case UnderWay():
            return ""
        case OutOfReach():
            return ASK if phase.lasts >= UNREACHED_TIME and not phase.asked else ""
        case Expiring(used, warned=warned) if used >= (schedule.limit or 0) and warned >= LEAST:
            return FORFEIT
    if schedule.warning is not None and phase.used >= schedule.warning:
        return WARNING if isinstance(phase, Running) else ""
    number = sum(each <= phase.used for each in schedule.calls) - 1
    return f"{NAG} {number}" if number > phase.newest else ""


def wait(schedule: Schedule, turn: Running | Expiring) -> int | None:
    """Return how much more of the player's time runs until there is something to do; None: it never is."""
    times = list(schedule.calls[turn.newest + 1 :])
    if isinstance(turn, Expiring):
        times.append(max(schedule.limit or 0, turn.used + LEAST - turn.warned))
    elif schedule.warning is not None:
        times.append(schedule.warning)
    return max(0, min(times) - turn.used) if times else None
