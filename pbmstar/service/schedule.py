"""What is to be said in a turn that takes long, and when. Pure: everything is seconds of a player's time."""

from __future__ import annotations

from typing import NamedTuple

from ..match.clock import LEAST
from ..match.terms import DAY
from .clocks import WARNING, Limit

NAG, FORFEIT, ASK = "nag", "forfeit", "ask"
# Until the opponent of somebody whom no letter reaches is asked what to do.
UNREACHED_TIME = 14 * DAY
USUAL = 21 * DAY  # a turn without limit is reminded of like one of so much


class Schedule(NamedTuple):
    """What is to be said in a turn, after how many seconds of it: reminders, the last warning, the end."""

    calls: tuple[int, ...]
    warning: int | None
    limit: int | None


class Turn(NamedTuple):
    """How far a turn is, in seconds; stops are left out.

    used       of the player's time
    newest     the number of the last reminder that was sent; -1 if none was
    warned     since the last warning that names the present end was delivered; None if none was
    warning    whether such a warning was sent, or is not needed any more
    unreached  since it is known that no letter gets through, by the clock on the wall; None if one may
    asked      the opponent has been asked what to do
    """

    used: int
    newest: int = -1
    warned: int | None = None
    warning: bool = False
    unreached: int | None = None
    asked: bool = False


def schedule_of(
    limit: Limit,
    first: float | None = None,
    often: int = 1,
    early: bool = False,
    alone: bool = False,
) -> Schedule:
    """When something is said in a turn: at a third, at two thirds, and two days or a tenth before the
    end, but never before a third.

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


def stage(schedule: Schedule, turn: Turn) -> str:
    """What is to be done now: ``nag N``, ``warning``, ``forfeit``, ``ask``, or empty for nothing.

    A late run sends the newest reminder only, and nothing comes after the last warning but the
    forfeit. That needs a warning delivered two days before, however long the turn has taken. If no
    letter gets through, the opponent is asked whether to end the game.
    """
    if turn.unreached is not None:
        return ASK if turn.unreached >= UNREACHED_TIME and not turn.asked else ""
    if schedule.limit is not None and turn.used >= schedule.limit and (turn.warned or 0) >= LEAST:
        return FORFEIT
    if schedule.warning is not None and turn.used >= schedule.warning:
        return "" if turn.warning else WARNING
    number = sum(each <= turn.used for each in schedule.calls) - 1
    return f"{NAG} {number}" if number > turn.newest else ""


def wait(schedule: Schedule, turn: Turn) -> int | None:
    """How much more of the player's time has to run until there is something to do; None: no time does.

    While a letter is under way, or none gets through, it is the clock on the wall that counts.
    """
    times = list(schedule.calls[turn.newest + 1 :])
    if schedule.limit is not None and turn.warning:
        times.append(max(schedule.limit, turn.used + LEAST - (turn.warned or 0)))
    elif schedule.warning is not None:
        times.append(schedule.warning)
    return max(0, min(times) - turn.used) if times else None
