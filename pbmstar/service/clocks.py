"""The time of players: what a turn may take and has taken, and what letters show of it."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf
from typing import NamedTuple, Protocol

from ..config import Config
from ..match import Clock, Entry, Event, Match, Stops, Terms
from ..match.clock import BOUNCED, LEAST, Span, at_most
from ..match.terms import DAY, HOUR
from ..render.clocks import Shown
from ..store import Absence, Tx
from ..store.stops import AUTO, BOUNCE, LEAVE
from .work import Work

# Events: a player gives the other so many seconds, and so many were added when the record had that
# length; what the players have, in the order of the seats, when the record has that length, since moves
# were taken back.
GIVEN, BANKS = "extended", "banks"
WARNING = "warning"  # the stage of a turn in which its player is warned that it ends


class Timed(Protocol):
    """What clocks need to know of a board: a match says it, and a row without its record."""

    @property
    def seats(self) -> tuple[str, ...]: ...
    @property
    def to_move(self) -> str: ...
    @property
    def since(self) -> float: ...
    @property
    def has_begun(self) -> bool: ...
    @property
    def terms(self) -> Terms: ...
    @property
    def clock(self) -> Clock: ...


class Limit(NamedTuple):
    """How long a turn may take: so many seconds; for ever if None.

    first  it is before everybody's first move: then the board is removed, and nobody has lost
    """

    seconds: int | None
    first: bool = False


def limit_of(match: Timed, config: Config) -> Limit:
    """How long the turn that is due may take. However little is left, it has LEAST."""
    if len(match.seats) == 1:
        return Limit(None)
    if not match.has_begun:
        return Limit(round(config.start_days * DAY), first=True)
    return Limit(None if match.terms.pace is None else max(LEAST, bank_of(match, match.to_move)))


def bank_of(match: Timed, userid: str) -> int:
    """What a player has at the beginning of the turn, in seconds."""
    return match.clock.banks[match.seats.index(userid)]


def stops_of(tx: Tx, match: Timed, userid: str, since: float) -> Stops:
    """When the clock of a player stands on a board, as far as it matters after ``since``."""
    spans = [_span(each.begin, each.until) for each in tx.outages() if each.until > since]
    user = tx.user(userid)
    if user is not None and user.away is not None and user.away > since:
        absences = tx.absences(userid)
        kinds = (LEAVE, AUTO) if match.terms.leave else ()
        spans += _spans(absences, *kinds)
        spans += at_most(_spans(absences, BOUNCE), since, BOUNCED)
    zones = match.terms.weekends
    return Stops(spans, zones[match.seats.index(userid)] if zones else "")


def _spans(absences: list[Absence], *kinds: str) -> list[Span]:
    return [_span(each.begin, each.until) for each in absences if each.kind in kinds]


def _span(begin: float, until: float) -> Span:
    return int(begin), until if until == inf else ceil(until)


def began(work: Work, match: Timed) -> float | None:
    """Since when the clock of the turn runs; None while the letter that tells of it is under way."""
    clock = match.clock
    if clock.began is not None or clock.told is None or clock.told in work.tx.reserved:
        return clock.began
    letter = work.tx.letter(clock.told)
    if letter is None:  # sent so long ago that it is forgotten
        return match.since
    return letter.sent if letter.state == "sent" else None


def turned(work: Work, before: Match, after: Match) -> Match:
    """A match after moves, with the time of its players as it is then.

    The first of the moves has taken what ran of its turn; those that follow at once have taken none.
    """
    entries = after.record[len(before.record) :]
    if len(after.seats) == 1 or after.position.over:
        return replace(after, clock=Clock(before.clock.banks, None, work.now))
    if len(after.record) < len(before.record):
        return _taken_back(work, before, after)
    if not entries:
        return after
    pace = before.terms.pace
    keeps = pace is not None and pace.increment is not None
    if keeps and before.has_begun and not entries[0].by_plan:
        counted = entries[0]._replace(began=began(work, before))
        entries = (counted, *entries[1:])
        after = replace(after, record=(*before.record, *entries))
    banks = moved(work.tx, before, before.clock.banks, entries)
    return replace(after, clock=fresh(work, after, banks))


def moved(
    tx: Tx, match: Match, banks: tuple[int, ...], entries: tuple[Entry, ...]
) -> tuple[int, ...]:
    """What the players of a match have after some entries of its record."""
    pace = match.terms.pace
    if pace is None:
        return banks
    after = dict(zip(match.seats, banks, strict=True))
    for entry in entries:
        used = 0
        if entry.began is not None:
            stops = stops_of(tx, match, entry.userid, entry.began)
            used = stops.elapsed(entry.began, entry.at)
        after[entry.userid] = pace.after(after[entry.userid], used)
    return tuple(after.values())


def fresh(work: Work, match: Match, banks: tuple[int, ...]) -> Clock:
    """The clock at the beginning of a turn: it runs once the relay has taken the letter that tells so.

    The letters that come of it in this transaction get the numbers that are reserved here.
    """
    user = work.tx.user(match.to_move) if len(match.seats) > 1 else None
    if user is None or user.state != "active" or user.letters == "daily":
        return Clock(banks, None, work.now)
    for userid in match.seats:
        work.reserved[match.number, userid] = work.tx.reserve_letter()
    return Clock(banks, work.reserved[match.number, match.to_move])


def told_by(work: Work, match: Match, letter: int) -> Match:
    """A match whose turn is told by a letter that waits already, not by the one reserved for it."""
    del work.reserved[match.number, match.to_move]
    work.tx.set_clock(match.number, letter, None)
    return replace(match, clock=Clock(match.clock.banks, letter))


def count_again(tx: Tx, begin: float) -> None:
    """Count anew what the players have of running boards on which a move was made after ``begin``."""
    for row in tx.counted_since(begin):
        match = row.match(tx.record(row.board))
        tx.set_banks(row.board, row.banks, banks_of(tx, match))


def overdrawn(work: Work, match: Match, userid: str) -> int:
    """How much more than the player had has been used of a turn: who gets days has those from now on."""
    since = began(work, match) if match.to_move == userid else None
    if since is None:
        return 0
    used = stops_of(work.tx, match, userid, since).elapsed(since, work.now)
    return max(0, used - bank_of(match, userid))


def given(match: Match, userid: str, seconds: int) -> Match:
    """A match in which that player has so much more time."""
    banks = zip(match.seats, match.clock.banks, strict=True)
    more = tuple(bank + seconds * (who == userid) for who, bank in banks)
    return replace(match, clock=match.clock._replace(banks=more))


def rewound(work: Work, match: Match) -> Match:
    """A match that the operator has put back, with the time that its players had then."""
    last = match.record[-1].at if match.record else match.made
    return _set(work, match, banks_of(work.tx, match, last))


def _taken_back(work: Work, before: Match, after: Match) -> Match:
    """A match after moves were taken back: time that is used stays used, but whoever is to move again
    has three days at least."""
    pace = before.terms.pace
    banks = dict(zip(before.seats, before.clock.banks, strict=True))
    if pace is not None:
        since = began(work, before) if before.to_move and pace.increment is not None else None
        if since is not None and before.has_begun:
            stops = stops_of(work.tx, before, before.to_move, since)
            left = banks[before.to_move] - stops.elapsed(since, work.now)
            banks[before.to_move] = max(0, left)
        least = min(3 * DAY, pace.bank)
        banks[after.to_move] = max(banks[after.to_move], least)
    return _set(work, after, tuple(banks.values()))


def _set(work: Work, match: Match, banks: tuple[int, ...]) -> Match:
    """A match whose players have other banks than the moves alone say: that is noted as an event."""
    data = " ".join(map(str, (len(match.record), *banks)))
    work.tx.add_event(match.number, work.now, "", BANKS, data)
    return replace(match, clock=fresh(work, match, banks))


def banks_of(tx: Tx, match: Match, until: float = inf) -> tuple[int, ...]:
    """What the players have by the record of a match, what they gave each other and what was set anew."""
    pace = match.terms.pace
    banks = (pace.bank if pace else 0,) * len(match.seats)
    begin = 0
    given: list[tuple[int, Event]] = []
    for event in tx.events(match.number):
        if event.kind == BANKS and event.at <= until:
            length, *rest = map(int, event.data.split(" "))
            if length <= len(match.record):
                banks, begin, given = tuple(rest), length, []
        elif event.kind == GIVEN and event.at <= until:
            given.append((_place(match, event), event))
    for place, entry in enumerate(match.record[begin:], begin):
        before = [event for length, event in given if length <= place]
        banks = moved(tx, match, _with(match, banks, before), (entry,))
        given = given[len(before) :]
    return _with(match, banks, [event for _, event in given])


def _place(match: Match, event: Event) -> int:
    """How long the record was when a player gave the other time; of an old event, by when that was."""
    _, _, *length = event.data.split(" ")
    return int(length[0]) if length else sum(each.at < event.at for each in match.record)


def _with(match: Match, banks: tuple[int, ...], given: list[Event]) -> tuple[int, ...]:
    after = dict(zip(match.seats, banks, strict=True))
    for each in given:
        after[match.opponent(each.userid)] += int(each.data.split(" ")[1])
    return tuple(after.values())


def shown(work: Work, match: Match, least: float = 0.0) -> Shown | None:
    """What a letter about a board tells of its clocks; None if there is nothing to tell.

    ``least``: the turn does not end before then, since somebody is only warned now.
    """
    tx, now = work.tx, work.now
    limit = limit_of(match, work.context.config) if match.to_move else Limit(None)
    if limit.seconds is None:
        return None
    since = began(work, match)
    begin = now if since is None else min(since, now)
    stops = stops_of(tx, match, match.to_move, begin)
    left = dict(zip(match.seats, match.clock.banks, strict=True))
    if not limit.first:
        left[match.to_move] = max(0, left[match.to_move] - stops.elapsed(begin, now))
    end, stands = stops.end(begin, limit.seconds), _stands(tx, match, now)
    if stands:
        end = None
    elif end is not None and end - now < LEAST:
        least = max(least, _warned(tx, match) + LEAST)
    return Shown(
        left,
        match.terms.time,
        None if end is None else max(end, now, least),
        limit.seconds if limit.first or bank_of(match, match.to_move) < LEAST else None,
        limit.first,
        stands,
        end is not None and least - end >= HOUR,
    )


def _warned(tx: Tx, match: Match) -> float:
    """When the player to move was warned last in this turn; 0 if that was not done."""
    sent = tx.reminded(match.number, match.resets, len(match.record))
    return max((at for stage, _, at in sent if stage.startswith(WARNING)), default=0.0)


def _stands(tx: Tx, match: Match, now: float) -> tuple[str, float | None] | None:
    """Why the clock of the player to move stands now, and until when; weekends are not looked at."""
    user = tx.user(match.to_move)
    if user is not None and user.away is not None and user.away > now and match.terms.leave:
        for each in tx.absences(match.to_move):
            if each.kind in (LEAVE, AUTO) and each.begin <= now < each.until:
                return "leave", each.until
    for outage in tx.outages():
        if outage.begin <= now < outage.until:
            return "outage", None if outage.until == inf else outage.until
    return None
