"""The players' time in a letter: a line each, the time that is due, and the happenings on clocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple, assert_never

from ...errors import Sentence, say, say_many, together
from ...machine.times import DAY, HOUR, Epoch
from ...match import Match, Terms
from ...match import happenings as h
from ...match.clock import LEAST
from ...match.dates import date, day, hour, moment
from ...match.terms import judged
from ..translator import Translator

_LITTLE = 2 * DAY
# Why a clock is stopped: with its end, if that is known, and without.
_UNTIL = {
    "leave": say("on leave until {day}"),
    "outage": say("this server can't be reached until {day}"),
}
_WHILE = {"leave": say("on leave"), "outage": say("this server can't be reached")}
# Why it stood, by the words that are stored: see ``service/work/timekeeping``.
_STOOD = {
    str(said): said
    for said in (
        say("leave"),
        say("letters that came back"),
        say("this server couldn't be reached"),
        say("weekends"),
    )
}


class ClockFace(NamedTuple):
    """The clocks of a board as a letter shows them. Times are seconds since 1970 UTC.

    left      the time of each player, in seconds; programs have none
    time      the time at the beginning, and after a move: ``10d+36h``
    deadline  the end of the turn; None while the clock is stopped, and in the turn of a program
    allowed   the seconds that this turn may take, if they differ from the player's time
    first     a player has not made a first move yet, so nobody can lose
    stands    why the clock is stopped, and its end if that is known; None while it runs
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
        return shown._replace(stands=(shown.stands[0], shown.stands[1])) if shown.stands else shown


def lines(shown: ClockFace, to_move: str, zone: str, translator: Translator) -> tuple[str, ...]:
    """Return the clock of the player to move, and then the other's, with times in a zone."""
    rest = tuple(
        translator.tell("{userid} has {time} left.", userid=userid, time=_length(has, translator))
        for userid, has in _of_others(shown, to_move)
    )
    if to_move not in shown.left:
        return rest
    return _of_mover(shown, to_move, zone, translator), *rest


def _of_mover(shown: ClockFace, userid: str, zone: str, translator: Translator) -> str:
    tell, limit = translator.tell, shown.time
    if shown.first and shown.allowed is not None:
        time = _length(shown.allowed, translator)
        if shown.stands:
            why = _why(*shown.stands, zone, translator)
            return tell(
                "{userid}'s clock is paused ({why}), with {time} for the first move.",
                userid=userid,
                why=why,
                time=time,
            )
        end = _end(shown, zone, translator)
        return tell(
            "{userid} has {time} for the first move, until {end}.",
            userid=userid,
            time=time,
            end=end,
        )
    time = _length(shown.left[userid], translator)
    if shown.stands:
        why = _why(*shown.stands, zone, translator)
        own = tell(
            "{userid}'s clock is paused ({why}), with {time} left ({limit}).",
            userid=userid,
            why=why,
            time=time,
            limit=limit,
        )
    else:
        end = _end(shown, zone, translator)
        if shown.allowed is not None:
            own = tell("{userid} must move by {end}.", userid=userid, end=end)
        elif shown.warned and not shown.first:
            own = tell(
                "{userid} must move by {end}, {time} after the last warning.",
                userid=userid,
                end=end,
                time=_length(LEAST, translator),
            )
        else:
            own = tell(
                "{userid} has {time} left ({limit}), until {end}.",
                userid=userid,
                time=time,
                limit=limit,
                end=end,
            )
    if shown.allowed is not None:
        last = tell(
            "This is the last warning: if {userid} doesn't move by then, {userid} loses the game.",
            userid=userid,
        )
        own = f"{own} {last}"
    return own


def _end(shown: ClockFace, zone: str, translator: Translator) -> str:
    assert shown.deadline is not None
    return _told(moment, shown.deadline, zone, translator)


# Both letters of a move tell of one deadline; most times left are a few hours apart.
@lru_cache(64)
def _told(
    form: Callable[[float, str], Sentence], at: Epoch, zone: str, translator: Translator
) -> str:
    return translator.say(form(at, zone))


def _length(seconds: int, translator: Translator) -> str:
    return _hours(seconds // HOUR, translator)


@lru_cache(512)
def _hours(hours: int, translator: Translator) -> str:
    return translator.say(length(hours * HOUR))


def _why(why: str, until: Epoch | None, zone: str, translator: Translator) -> str:
    """Return why a clock is stopped."""
    return translator.say(_UNTIL[why].given(day=day(until, zone)) if until else _WHILE[why])


class Due(NamedTuple):
    """A player's time as a sentence; ``is_urgent``: the reader has little of it left."""

    text: str
    is_urgent: bool


_YOURS = {
    "has": say("You have {time} left."),
    "until": say("You have {time}, until {end}."),
    "first": say("You have {time} for your first move, until {end}."),
    "must": say("You must move by {end}."),
    "last": say("You must move by {end}: this is the last warning."),
    "stopped": say("Your clock is paused ({why}), with {time} left."),
}
_OTHERS = {
    "has": say("{userid} has {time} left."),
    "until": say("{userid} has {time}, until {end}."),
    "first": say("{userid} has {time} for the first move, until {end}."),
    "must": say("{userid} must move by {end}."),
    "last": say("{userid} must move by {end}: this is the last warning."),
    "stopped": say("{userid}'s clock is paused ({why}), with {time} left."),
}


def due(
    shown: ClockFace,
    to_move: str,
    reader: str,
    zone: str,
    translator: Translator,
    *,
    is_exact: bool = False,
) -> Iterator[Due]:
    """Yield the same for a reader in a hurry: ``You have 21 days, until Sun 13 Dec.``

    ``is_exact``: ``until Sun 2026-12-13 14:20 UTC``, however far that is.
    """

    def told(kind: str, userid: str, seconds: int, **values: str) -> str:
        form = (_YOURS if userid == reader else _OTHERS)[kind].text
        return translator.tell(form, userid=userid, time=_length(seconds, translator), **values)

    if to_move in shown.left:
        left = shown.left[to_move]
        if shown.first and shown.allowed is not None:
            left = shown.allowed
        if shown.stands:
            why = _why(*shown.stands, zone, translator)
            yield Due(told("stopped", to_move, left, why=why), False)
        else:
            assert shown.deadline is not None
            is_warned = not shown.first and (shown.allowed is not None or shown.warned)
            is_short = left < _LITTLE or is_warned
            form = moment if is_exact else hour if is_short else date
            end = _told(form, shown.deadline, zone, translator)
            kind = "first" if shown.first and shown.allowed is not None else "until"
            if is_warned:
                kind = "must" if shown.allowed is None else "last"
            text = told(kind, to_move, left, end=end)
            yield Due(text, reader == to_move and is_short)
    for userid, has in _of_others(shown, to_move):
        yield Due(told("has", userid, has), False)


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


def length(seconds: int) -> Sentence:
    """Return a length of time in days and hours, rounded down: ``8 days 3 h``."""
    days, hours = seconds // DAY, seconds % DAY // HOUR
    if not hours:
        return in_days(days) if days else say("less than 1 h")
    in_hours = say("{hours} h", hours=hours)
    return together(in_days(days), in_hours) if days else in_hours


# -- happenings on clocks


def in_days(number: float) -> Sentence:
    """Return a number of days in words, rounded down."""
    whole = int(number)
    return say_many("{count} day", "{count} days", whole) if whole else say("less than a day")


def so_long(days: float, stood: int, why: str) -> Sentence:
    """Return a number of days in words, with those that were not counted, and why."""
    if not stood:
        return in_days(days)
    reasons = (_STOOD.get(each, each) for each in why.split(", "))
    return say(
        "{days} ({stood} of them don't count: {why})",
        days=in_days(days),
        stood=stood,
        why=together(*reasons, by=", "),
    )


def of_time(match: Match, happening: h.Timing, reader: str, zone: str) -> tuple[Sentence, ...]:
    """Return the sentences on a happening that concerns a player's time."""
    match happening:
        case h.Overdue(_, waited, None, _, stood, why):
            return (_awaited(match, waited, stood, why), _without_end(match))
        case h.Overdue(_, waited, left, first, stood, why):
            assert left is not None
            if first:
                end = say(
                    "If you don't move, we'll remove the board in {days}, and nobody loses.",
                    days=in_days(left),
                )
            else:
                end = say("If you don't move, you'll lose the game in {days}.", days=in_days(left))
            warning = say("You'll get one last warning before then.")
            away = say("Are you away? Reply: away 14")
            return (_awaited(match, waited, stood, why), together(end, warning, away))
        case h.Warned(_, waited, left, first, absent, stood, why, only):
            hint = say(
                "We got an out-of-office reply from you. To stop your clocks for 14 days, "
                "reply: away 14"
            )
            warning = _WARNINGS[only, first].given(days=in_days(left))
            return (*([hint] if absent else []), _awaited(match, waited, stood, why), warning)
        case h.Ends(userid, at):
            ends = say("{userid}'s time runs out on {end}.", userid=userid, end=moment(at, zone))
            more = say("To give {userid} another week, reply: extend 7", userid=userid)
            return (together(ends, more),)
        case h.Extended(userid, seconds):
            other, time = match.opponent(userid), length(seconds)
            if reader == userid:
                return (say("You've given {other} an extra {time}.", other=other, time=time),)
            if reader == other:
                return (say("{userid} has given you an extra {time}.", userid=userid, time=time),)
            return (
                say(
                    "{userid} has given {other} an extra {time}.",
                    userid=userid,
                    other=other,
                    time=time,
                ),
            )
        case h.Unbegun(userid, days, stood, why):
            time = so_long(days, stood, why)
            if userid == reader:
                late = say("After {days}, you still haven't made your first move.", days=time)
            else:
                late = say(
                    "After {days}, {userid} still hasn't made a first move.",
                    userid=userid,
                    days=time,
                )
            return (together(late, say("We've removed the board, and nobody loses.")),)
        case h.Away(userid, until) if userid == reader:
            return (say("You're away until {end}.", end=moment(until, zone)),)
        case h.Away(userid, until):
            return (say("{userid} is away until {end}.", userid=userid, end=moment(until, zone)),)
        case h.LeaveTaken(userid, left, _) if userid == reader:
            return (
                say_many(
                    "Your time on board {board} ran out, so we used one of your leave days. "
                    "You have {count} left. You can still reply with your move. To stop using "
                    "leave, reply: back",
                    "Your time on board {board} ran out, so we used one of your leave days. "
                    "You have {count} left. You can still reply with your move. To stop using "
                    "leave, reply: back",
                    left,
                    board=match.number,
                ),
            )
        case h.LeaveTaken(userid, _, until):
            return (
                say(
                    "{userid} ran out of time but still had leave days, so we used "
                    "one of them. {userid}'s clock is paused until {end}.",
                    userid=userid,
                    end=moment(until, zone),
                ),
            )
        case _:
            assert_never(happening)


# By whether it is the only warning, and whether a first move is awaited, so that nobody loses.
_WARNINGS = {
    (False, False): say(
        "This is the last warning: if you don't move, you'll lose the game in {days}."
    ),
    (False, True): say(
        "This is the last warning: if you don't move, we'll remove the board in "
        "{days}, and nobody loses."
    ),
    (True, False): say(
        "This is the only warning: if you don't move, you'll lose the game in {days}."
    ),
    (True, True): say(
        "This is the only warning: if you don't move, we'll remove the board in "
        "{days}, and nobody loses."
    ),
}


def _without_end(match: Match) -> Sentence:
    """Return the sentence for a player in a turn without an end."""
    if said := judged(match.terms.contest):
        return together(said)
    slowly = say("Take as long as you like.")
    if len(match.seats) > 1:
        return slowly
    return together(slowly, say("We won't remind you about this move again."))


def _awaited(match: Match, days: float, stood: int, why: str) -> Sentence:
    time = so_long(days, stood, why)
    if who := match.opponent(match.to_move):
        return say("{who} has been waiting for your move for {days}.", who=who, days=time)
    return say("Your board has been waiting for your move for {days}.", days=time)
