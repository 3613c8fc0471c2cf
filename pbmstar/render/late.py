"""Notices on turns that take long, and on the time of players; see ``happenings``."""

from __future__ import annotations

from collections.abc import Callable

from ..match import Happening, Match
from .clocks import length, moment


def days(number: float) -> str:
    """A number of days in words, rounded down."""
    whole = int(number)
    if whole == 1:
        return "1 day"
    return f"{whole} days" if whole else "less than a day"


def _overdue(match: Match, happening: Happening) -> tuple[str, ...]:
    waited, *rest = happening.text.split()
    text = f"Your move has been awaited for {days(float(waited))}."
    if not rest:
        alone = "This is the only reminder of this move." if len(match.seats) == 1 else ""
        return (text, f"Take as long as you like. {alone}".strip())
    return (text, f"Without a move {_end(rest)}. Before that comes a last warning.")


def _warning(_: Match, happening: Happening) -> tuple[str, ...]:
    waited, *rest = happening.text.split()
    hint = "Your mail program answers that you are away. Reply away 14 and your clocks stand."
    return (
        *([hint] if "absent" in rest else []),
        f"Your move has been awaited for {days(float(waited))}.",
        f"This is the last warning: without a move from you {_end(rest)}.",
    )


def _end(rest: list[str]) -> str:
    """What happens in so many days; nobody loses before both have moved."""
    left = rest[0]
    if "first" in rest:
        return f"the board is removed in {days(float(left))}, and nobody loses"
    return f"the game is forfeited in {days(float(left))}"


def _extended(match: Match, happening: Happening) -> tuple[str, ...]:
    giver = happening.userid
    return (
        f"{giver} gives {match.opponent(giver)} {length(int(happening.text.split()[0]))} more.",
    )


def _unbegun(_: Match, happening: Happening) -> tuple[str, ...]:
    return (
        f"{happening.userid} has not made a first move for {days(float(happening.text))}; the board "
        "is removed, and nobody has lost.",
    )


def _ends(happening: Happening, zone: str) -> tuple[str, ...]:
    late = happening.userid
    return (
        f"{late}'s time ends on {moment(float(happening.text), zone)}. To give {late} more: reply "
        "extend 7.",
    )


def _leave_used(match: Match, happening: Happening) -> tuple[str, ...]:
    left = int(happening.text.split()[0])
    return (
        f"Your time on board {match.number} is up; a day of your leave has been used, {left} are left. "
        "Reply with a move, or back to stop this.",
    )


def _away(happening: Happening, zone: str) -> tuple[str, ...]:
    return (f"{happening.userid} is away until {moment(float(happening.text), zone)}.",)


def _on_leave(happening: Happening, zone: str) -> tuple[str, ...]:
    who, until = happening.userid, float(happening.text.split()[1])
    return (
        f"{who}'s time is up; a day of leave has been used for {who}, so the clock stands until "
        f"{moment(until, zone)}.",
    )


NOTICES: dict[str, Callable[[Match, Happening], tuple[str, ...]]] = {
    "overdue": _overdue,
    "warning": _warning,
    "extended": _extended,
    "unbegun": _unbegun,
    "leave-used": _leave_used,
}
# Those that name a time: by the zone of the reader.
TIMED: dict[str, Callable[[Happening, str], tuple[str, ...]]] = {
    "ends": _ends,
    "on-leave": _on_leave,
    "away": _away,
}
