"""The time of players: the limit of a turn, the time used, and the clocks that letters show."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf
from typing import NamedTuple

from ...config import Config
from ...machine.times import DAY, HOUR, Epoch
from ...match import Clock, Entry, Match, Stops, Terms, program_among
from ...match.clock import BOUNCED, LEAST, Span, at_most
from ...match.happenings import BanksSet, Extended
from ...match.terms import judged
from ...render.board.clock_face import ClockFace
from ...store import Absence, Board, Tx
from ...store.play.clocks import AUTO, BOUNCE, LEAVE
from .work import Work

WARNING = "warning"  # the stage of a turn in which its player is warned of its end


class WaitingBoard(NamedTuple):
    """The part of a board that clocks need, for a row without its record."""

    seats: tuple[str, ...]
    to_move: str
    since: Epoch
    has_begun: bool
    terms: Terms
    clock: Clock


Timed = Match | WaitingBoard


class Limit(NamedTuple):
    """The longest time that a turn may take, in seconds; None for no limit.

    first  not every player has moved yet: at the end of it the board is removed, and nobody loses
    """

    seconds: int | None
    first: bool = False


def limit_of(match: Timed, config: Config) -> Limit:
    """Return the limit of the turn that is due; if its end loses the game, it is never less than LEAST."""
    if len(match.seats) == 1:
        return Limit(None)
    if not match.has_begun and not judged(match.terms.contest):
        return Limit(round(config.start_days * DAY), first=True)
    return Limit(None if match.terms.pace is None else max(LEAST, bank_of(match, match.to_move)))


def bank_of(match: Timed, userid: str) -> int:
    """Return the seconds that a player has at the beginning of the turn."""
    return match.clock.banks[match.seats.index(userid)]


def stops_of(tx: Tx, match: Timed, userid: str, since: Epoch) -> Stops:
    """Return the times after ``since`` at which the clock of a player stands on a board."""
    spans = [_span(each.begin, each.until) for each in tx.clocks.outages() if each.until > since]
    user = tx.accounts.user(userid)
    if user is not None and user.away is not None and user.away > since:
        absences = tx.clocks.absences(userid)
        kinds = (LEAVE, AUTO) if match.terms.leave else ()
        spans += _spans(absences, *kinds)
        spans += at_most(_spans(absences, BOUNCE), since, BOUNCED)
    zones = match.terms.weekends
    return Stops(spans, zones[match.seats.index(userid)] if zones else "")


def why_stood(tx: Tx, match: Timed, userid: str, since: Epoch, now: Epoch) -> str:
    """Return the reasons, in words, for which a player's clock stood between two moments."""
    kinds = {
        each.kind for each in tx.clocks.absences(userid) if each.begin < now and each.until > since
    }
    reasons = {
        "leave": match.terms.leave and not kinds.isdisjoint((LEAVE, AUTO)),
        "letters that came back": BOUNCE in kinds,
        "this server couldn't be reached": any(
            each.begin < now and each.until > since for each in tx.clocks.outages()
        ),
        "weekends": bool(match.terms.weekends),
    }
    return ", ".join(reason for reason, holds in reasons.items() if holds)


def _spans(absences: list[Absence], *kinds: str) -> list[Span]:
    return [_span(each.begin, each.until) for each in absences if each.kind in kinds]


def _span(begin: Epoch, until: Epoch) -> Span:
    return int(begin), until if until == inf else ceil(until)


def began(work: Work, match: Timed) -> Epoch | None:
    """Return the time at which the clock of the turn began; None while its letter is under way."""
    clock = match.clock
    if (
        clock.began is not None
        or clock.announced_by is None
        or work.tx.outbox.is_of_now(clock.announced_by)
    ):
        return clock.began
    letter = work.tx.outbox.status(clock.announced_by)
    if letter is None:  # sent so long ago that it was deleted
        return match.since
    return letter.sent if letter.state == "sent" else None


def turned(work: Work, before: Match, after: Match) -> Match:
    """Return a match after moves, with the time of its players brought up to date.

    The first of the moves has used the time of its turn; the moves that follow at once have used none.
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
    """Return the seconds that each player of a match has after some entries of its record."""
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
    """Return the clock at the beginning of a turn; it runs once the relay has taken the turn's letter.

    The number of that letter is reserved here, after the numbers for the players in earlier seats.
    """
    user = work.tx.accounts.user(match.to_move) if len(match.seats) > 1 else None
    if user is None or user.state != "active" or user.letters == "daily":
        return Clock(banks, None, work.now)
    return Clock(banks, work.tx.outbox.reserve(match.seats.index(match.to_move)).number)


def told_by(work: Work, match: Match, letter: int) -> Match:
    """Return a match whose turn is announced by a letter that waits already, not by the reserved one."""
    work.tx.boards.set_clock(match.number, letter, None)
    return replace(match, clock=Clock(match.clock.banks, letter))


def count_again(tx: Tx, begin: Epoch) -> None:
    """Compute the banks again, and store them, for running boards with a move after ``begin``."""
    for row in tx.boards.banked_since(begin):
        match = row.match(tx.boards.record(row.board))
        tx.boards.set_banks(row.board, row.banks, banks_of(tx, match))


def overdrawn(work: Work, match: Match, userid: str) -> int:
    """Return the seconds by which a player is over the time of the turn; 0 if there is time left.

    Days that the opponent gives count from now on.
    """
    since = began(work, match) if match.to_move == userid else None
    if since is None:
        return 0
    used = stops_of(work.tx, match, userid, since).elapsed(since, work.now)
    return max(0, used - bank_of(match, userid))


def given(match: Match, userid: str, seconds: int) -> Match:
    """Return a match in which that player has so many seconds more."""
    banks = zip(match.seats, match.clock.banks, strict=True)
    more = tuple(bank + seconds * (who == userid) for who, bank in banks)
    return replace(match, clock=match.clock._replace(banks=more))


def rewound(work: Work, match: Match) -> Match:
    """Return a match that the operator has reset, with the time that its players had at that turn."""
    last = match.record[-1].at if match.record else match.made
    return _set(work, match, banks_of(work.tx, match, last))


def _taken_back(work: Work, before: Match, after: Match) -> Match:
    """Return a match after moves were taken back. Used time stays used.

    The player to move has at least three days, or the whole bank if that is less.
    """
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
    """Return a match with these banks, and note them as an event: its moves alone would give others."""
    work.tx.boards.add_event(match.number, work.now, BanksSet(len(match.record), banks))
    return replace(match, clock=fresh(work, match, banks))


def banks_of(tx: Tx, match: Match, until: Epoch = inf) -> tuple[int, ...]:
    """Return the banks that follow from the record of a match, the time given, and the banks set.

    Events after ``until`` do not count.
    """
    pace = match.terms.pace
    banks = (pace.bank if pace else 0,) * len(match.seats)
    begin = 0
    gifts: list[tuple[int, Extended]] = []
    for event in tx.boards.events(match.number):
        if event.at > until:
            continue
        match event.happening:
            case BanksSet(length, seconds) if length <= len(match.record):
                banks, begin, gifts = seconds, length, []
            case Extended() as extended:
                gifts.append((_length_at(match, event.at, extended), extended))
    for at, entry in enumerate(match.record[begin:], begin):
        before = [extended for length, extended in gifts if length <= at]
        banks = moved(tx, match, _with(match, banks, before), (entry,))
        gifts = gifts[len(before) :]
    return _with(match, banks, [extended for _, extended in gifts])


def extensions(tx: Tx, match: Match) -> list[Extended]:
    """Return the extensions that the players of a match have given each other."""
    happenings = [event.happening for event in tx.boards.events(match.number)]
    return [each for each in happenings if isinstance(each, Extended)]


def _length_at(match: Match, at: Epoch, extended: Extended) -> int:
    """Return the length of the record when a player gave time; an old event only tells it by its time."""
    if extended.length is not None:
        return extended.length
    return sum(each.at < at for each in match.record)


def _with(match: Match, banks: tuple[int, ...], extensions: list[Extended]) -> tuple[int, ...]:
    """Return the banks after these extensions."""
    after = dict(zip(match.seats, banks, strict=True))
    for each in extensions:
        after[match.opponent(each.userid)] += each.gained
    return tuple(after.values())


def shown(work: Work, match: Match, least: float = 0.0) -> ClockFace | None:
    """Return the clocks that a letter about a board shows; None if there is nothing to show.

    The turn does not end before ``least``, if its player is warned only now.
    """
    tx, now = work.tx, work.now
    limit = limit_of(match, work.context.config) if match.to_move else Limit(None)
    if limit.seconds is None:
        return None
    banks = zip(match.seats, match.clock.banks, strict=True)
    left = {userid: bank for userid, bank in banks if userid != match.program}
    if match.to_move not in left:
        return ClockFace(left, match.terms.time, None, None, limit.first, None)
    since = began(work, match)
    begin = now if since is None else min(since, now)
    stops = stops_of(tx, match, match.to_move, begin)
    if not limit.first:
        left[match.to_move] = max(0, left[match.to_move] - stops.elapsed(begin, now))
    end, stands = stops.end(begin, limit.seconds), _stands(tx, match, now)
    if stands:
        end = None
    elif end is not None and end - now < LEAST:
        least = max(least, _warned(tx, match) + LEAST)
    return ClockFace(
        left,
        match.terms.time,
        None if end is None else max(end, now, least),
        limit.seconds if limit.first or bank_of(match, match.to_move) < LEAST else None,
        limit.first,
        stands,
        end is not None and least - end >= HOUR,
    )


def _warned(tx: Tx, match: Match) -> Epoch:
    """Return the time of the last warning to the player to move in this turn; 0 if there was none."""
    sent = tx.clocks.reminders(*match.state)
    return max((at for stage, _, at in sent if stage.startswith(WARNING)), default=0.0)


def _stands(tx: Tx, match: Match, now: Epoch) -> tuple[str, float | None] | None:
    """Return the reason for which the clock of the player to move stands now, and the time it ends.

    None if the clock runs; weekends do not count.
    """
    user = tx.accounts.user(match.to_move)
    if user is not None and user.away is not None and user.away > now and match.terms.leave:
        for each in tx.clocks.absences(match.to_move):
            if each.kind in (LEAVE, AUTO) and each.begin <= now < each.until:
                return "leave", each.until
    for outage in tx.clocks.outages():
        if outage.begin <= now < outage.until:
            return "outage", None if outage.until == inf else outage.until
    return None


def urgency(row: Board, left: int | None) -> tuple[float, float]:
    """Return the key that sorts lists of boards: the least time left first, no limit last.

    Boards with the same time left follow by their turns, the longest first.
    """
    return (inf if left is None else left, row.since)


def left_on(work: Work, row: Board) -> int | None:
    """Return the seconds that the player to move still has on a board; None if no limit or clock runs.

    The record is not needed: players take turns, so both have moved once it has two entries.
    """
    has_begun = row.length >= len(row.seats)
    board = WaitingBoard(row.seats, row.to_move, row.since, has_begun, row.agreed, row.clock)
    seconds = limit_of(board, work.context.config).seconds
    if seconds is None or program_among((row.to_move,)):
        return None
    since = began(work, board)
    begin = work.now if since is None else min(since, work.now)
    stops = stops_of(work.tx, board, row.to_move, begin)
    return max(0, seconds - stops.elapsed(begin, work.now))
