"""The players' time in a letter: a line each, the time that is due, and the happenings on clocks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple, assert_never

from ...features import modules
from ...match import Match, Terms, zones
from ...match import happenings as h
from ...match.clock import LEAST
from ...match.terms import DAY, HOUR

_LITTLE = 2 * DAY
_WHY = {"leave": "on leave", "outage": "this server cannot be reached"}


class ClockFace(NamedTuple):
    """The clocks of a board as a letter shows them. Times are seconds since 1970 UTC.

    left      the time of each player, in seconds; programs have none
    time      the time at the beginning, and after a move: ``10d+36h``
    deadline  the end of the turn; None while the clock stands, and in the turn of a program
    allowed   the seconds that this turn may take, if they differ from the player's time
    first     a player has not made a first move yet, so nobody can lose
    stands    the reason that the clock stands, and its end if that is known; None while it runs
    warned    the turn lasts longer than the time left, since the last warning came late
    """

    left: Mapping[str, int]
    time: str
    deadline: float | None
    allowed: int | None
    first: bool
    stands: tuple[str, float | None] | None
    warned: bool = False

    @classmethod
    def of(cls, values: list[object]) -> ClockFace:
        """Return the clocks from their values in JSON."""
        shown = cls(*values)  # type: ignore[arg-type]
        return shown._replace(stands=shown.stands and (shown.stands[0], shown.stands[1]))


def lines(shown: ClockFace, to_move: str, zone: str) -> tuple[str, ...]:
    """Return the clock of the player to move, and then the other's; times are those of a zone."""
    rest = tuple(f"{userid} has {length(has)}." for userid, has in _of_others(shown, to_move))
    if to_move not in shown.left:
        return rest
    left = f"{length(shown.left[to_move])} left ({shown.time})"
    if shown.first and shown.allowed is not None:
        left = f"{length(shown.allowed)} for a first move"
    if shown.stands:
        why, until = shown.stands
        till = f" until {day(until, zone)}" if until else ""
        own = f"{to_move}'s clock stands ({_WHY[why]}{till}); {left}."
    else:
        assert shown.deadline is not None
        end = moment(shown.deadline, zone)
        own = f"{to_move} has {left}, until {end}."
        if shown.allowed is not None and not shown.first:
            own = f"{to_move} must move by {end}."
        elif shown.warned and not shown.first:
            own = f"{to_move} must move by {end}, {length(LEAST)} after the last warning."
    if shown.allowed is not None and not shown.first:
        own += " This is the last warning: without a move the game is forfeited then."
    return own, *rest


class Due(NamedTuple):
    """A player's time as a sentence; ``is_urgent``: the reader has little of it left."""

    text: str
    is_urgent: bool


def due(shown: ClockFace, to_move: str, reader: str, zone: str) -> tuple[Due, ...]:
    """Return the same for a reader in a hurry: ``You have 21 days, until Sun 13 Dec.``"""
    rest = tuple(
        Due(f"{'You have' if userid == reader else f'{userid} has'} {length(has)}.", False)
        for userid, has in _of_others(shown, to_move)
    )
    if to_move not in shown.left:
        return rest
    own = reader == to_move
    left, whose = shown.left[to_move], "Your" if own else f"{to_move}'s"
    if shown.first and shown.allowed is not None:
        left = shown.allowed
    if shown.stands:
        why, until = shown.stands
        till = f" until {day(until, zone)}" if until else ""
        text = f"{whose} clock is stopped ({_WHY[why]}{till}); {length(left)} left."
        return Due(text, False), *rest
    assert shown.deadline is not None
    is_warned = not shown.first and (shown.allowed is not None or shown.warned)
    is_short = left < _LITTLE or is_warned
    end = _hour(shown.deadline, zone) if is_short else _date(shown.deadline, zone)
    if is_warned:
        last = ": this is the last warning" if shown.allowed is not None else ""
        text = f"{'You' if own else to_move} must move by {end}{last}."
    else:
        move = " for a first move" if shown.first and shown.allowed is not None else ""
        text = f"{'You have' if own else f'{to_move} has'} {length(left)}{move}, until {end}."
    return Due(text, own and is_short), *rest


def _of_others(shown: ClockFace, to_move: str) -> list[tuple[str, int]]:
    """Return the time of the player who is not to move, if it is not the same for each move."""
    if shown.first:
        return []
    pace = Terms(shown.time).pace
    return [
        (userid, has)
        for userid, has in shown.left.items()
        if userid != to_move and (pace is None or (has, None) != pace[:2])
    ]


def length(seconds: int) -> str:
    """Return a length of time in days and hours, rounded down: ``8 days 3 h``."""
    days, hours = seconds // DAY, seconds % DAY // HOUR
    words = [f"{days} day{'s' if days > 1 else ''}"] if days else []
    words += [f"{hours} h"] if hours else []
    return " ".join(words) or "less than 1 h"


def moment(at: float, zone: str) -> str:
    """Return a time of a zone, with UTC behind it: ``Sun 2026-12-06 14:20 CET (13:20 UTC)``."""
    local = zones.when(at, zone)
    utc = datetime.fromtimestamp(at, UTC)
    return local if local.endswith(" UTC") else f"{local} ({utc:%H:%M} UTC)"


def day(at: float, zone: str) -> str:
    """Return a day of a zone: ``3 Jan``."""
    local = datetime.fromtimestamp(at, zones.zone_of(zone))
    return f"{local.day} {local:%b}"


def _date(at: float, zone: str) -> str:
    """Return a day of a zone with its weekday: ``Sun 13 Dec``."""
    local = datetime.fromtimestamp(at, zones.zone_of(zone))
    return f"{local:%a} {local.day} {local:%b}"


def _hour(at: float, zone: str) -> str:
    """Return a time of a zone without its year: ``Sun 13 Dec 14:20 CET (13:20 UTC)``."""
    _, _, time = moment(at, zone).split(" ", 2)
    return f"{_date(at, zone)} {time}"


# -- happenings on clocks


def in_days(number: float) -> str:
    """Return a number of days in words, rounded down."""
    whole = int(number)
    if whole == 1:
        return "1 day"
    return f"{whole} days" if whole else "less than a day"


def of_time(match: Match, happening: h.Timing, reader: str, zone: str) -> tuple[str, ...]:
    """Return the sentences on a happening that concerns a player's time."""
    match happening:
        case h.Overdue(_, waited, None, _, stood, why):
            return (_awaited(match, waited, stood, why), _without_end(match))
        case h.Overdue(_, waited, left, first, stood, why):
            assert left is not None
            end = _turn_end(left, first)
            loss = f"If you do not move, {end}. You will get a last warning before that."
            return (_awaited(match, waited, stood, why), f"{loss} Are you away? Reply: away 14")
        case h.Warned(_, waited, left, first, absent, stood, why, only):
            hint = (
                "Your mail program tells us that you are away. Reply away 14 to stop your clocks for "
                "14 days."
            )
            return (
                *([hint] if absent else []),
                _awaited(match, waited, stood, why),
                f"This is the {'only' if only else 'last'} warning: if you do not move, "
                f"{_turn_end(left, first)}.",
            )
        case h.Ends(userid, at):
            more = "" if _judged(match) else f" To give {userid} more: reply extend 7."
            return (f"{userid}'s time ends on {moment(at, zone)}.{more}",)
        case h.Extended(userid, seconds):
            return (f"{userid} gives {match.opponent(userid)} {length(seconds)} more.",)
        case h.Unbegun(userid, days, stood, why):
            so_long = f"{in_days(days)}{stood_still(stood, why)}"
            who = "You have" if userid == reader else f"{userid} has"
            return (
                f"{who} not made a first move for {so_long}. The board is removed, and nobody has lost.",
            )
        case h.Away(userid, until):
            return (f"{userid} is away until {moment(until, zone)}.",)
        case h.LeaveTaken(userid, left, _) if userid == reader:
            return (
                f"Your time on board {match.number} ran out, so one of your leave days was used; "
                f"{left} remain. Reply with your move, or reply back to stop using leave.",
            )
        case h.LeaveTaken(userid, _, until):
            return (
                f"{userid}'s time ran out, so one of {userid}'s leave days was used. {userid}'s clock is "
                f"stopped until {moment(until, zone)}.",
            )
        case _:
            assert_never(happening)


def _without_end(match: Match) -> str:
    """Return the sentence for a player in a turn without an end."""
    if judged := _judged(match):
        return judged
    alone = " This is the only reminder of this move." if len(match.seats) == 1 else ""
    return f"Take as long as you like.{alone}"


def _judged(match: Match) -> str:
    """Return the sentence of the feature that judges a game which lasts too long; empty if none does."""
    rendering = dict(modules("rendering")).get(match.terms.contest)
    return getattr(rendering, "JUDGED", "")


def _awaited(match: Match, days: float, stood: int, why: str) -> str:
    who = match.opponent(match.to_move)
    waits = f"{who} has been waiting" if who else "Your board has been waiting"
    return f"{waits} for your move for {in_days(days)}{stood_still(stood, why)}."


def stood_still(days: int, why: str) -> str:
    """Return an aside on the days that were not counted; empty if all were counted."""
    return f" ({days} of them not counted: {why})" if days else ""


def _turn_end(left: float, first: bool) -> str:
    """Tell of the end of a turn, in days from now; nobody loses before both have moved."""
    if first:
        return f"the board is removed in {in_days(left)}, and nobody loses"
    return f"you lose the game in {in_days(left)}"
