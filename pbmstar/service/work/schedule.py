"""The schedule of a turn that takes long. It is pure, and counts in seconds of a player's time."""

from __future__ import annotations

from typing import NamedTuple

from ...machine.times import DAY, Epoch
from ...match.clock import LEAST
from .timekeeping import WARNING, Limit

NAG, FORFEIT, ASK = "nag", "forfeit", "ask"
# After so long the opponent of a player whom no letter reaches is asked to choose what to do.
UNREACHED_TIME = 14 * DAY
USUAL = 21 * DAY  # a turn without limit has the reminders of a turn of this length


class Schedule(NamedTuple):
    """The seconds of a turn at which its reminders, its last warning and its end are due."""

    calls: tuple[int, ...]
    warning: int | None
    limit: int | None


class UnderWay(NamedTuple):
    """A turn whose letter, or whose last warning, is under way."""


class Running(NamedTuple):
    """A turn that its player was told about.

    used    seconds of the player's time; stops are left out
    newest  the number of the last reminder that was sent; -1 if none was
    """

    used: int
    newest: int = -1


class Expiring(NamedTuple):
    """A turn whose player got its last warning, which names the present end, ``warned`` seconds ago."""

    used: int
    newest: int
    warned: int


class OutOfReach(NamedTuple):
    """A turn of a player whom no letter reaches.

    lasts  seconds since no letter is known to get through, stops included
    tried  the time when the last letter was written
    noted  the store has the time since which that is so
    asked  the opponent has been asked to choose what to do
    """

    used: int
    newest: int
    lasts: int
    tried: Epoch
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
    """Return the schedule of a turn: reminders after a third and two thirds of it, and the last warning.

    The warning comes two days before the end, or a tenth of the turn if that is more, but not before a
    third. In a game that has not begun the first reminder comes after a half.

    first  seconds until the first reminder, if that is set
    often  0 for no reminders, 1 for those above, 2 for one every day from the first on
    early  the last warning comes a day earlier
    alone  the game is a puzzle, which has one reminder
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
    """Return the stage that is due: ``nag N``, ``warning``, ``forfeit``, ``ask``, or empty for none.

    A late run sends only the newest reminder. After the last warning comes only the forfeit: it needs a
    warning delivered two days before, even if the turn has taken very long. If no letter gets through,
    the opponent is asked if the game should end.
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
    """Return the seconds of the player's time until the next stage is due; None if there is none."""
    times = list(schedule.calls[turn.newest + 1 :])
    if isinstance(turn, Expiring):
        times.append(max(schedule.limit or 0, turn.used + LEAST - turn.warned))
    elif schedule.warning is not None:
        times.append(schedule.warning)
    return max(0, min(times) - turn.used) if times else None
