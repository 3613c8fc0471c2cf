"""The operator's acts on boards, letters, keys and outages, each noted for audit; the state of the server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ... import identity
from ...errors import MISREAD, BadInput, IllegalMove, TemporaryFailure
from ...games.spelling import plural
from ...machine.log import Show, unseen
from ...machine.times import HOUR, Epoch, Seconds
from ...match import FORFEIT, Change, Entry, Match
from ...match.happenings import PlanDropped, Reset
from ...ratings.rows import Ratings
from ...store import Board, Tx
from ..letters import alerts
from ..letters.post import readdress
from ..letters.tell import tell
from ..verbs import play
from ..work import timekeeping
from ..work.apply import load, store
from ..work.feature import Feature, features
from ..work.work import Work
from . import check
from .lookup import BACKED_UP, all_boards

PAUSED = "paused by the operator"


def _match(work: Work, number: int) -> Match:
    """Return a board's match; if the record is corrupt, the part that can be replayed.

    Raises BadInput, and IllegalMove if the board itself is damaged.
    """
    try:
        return board(work, number)
    except IllegalMove:
        row = work.tx.boards.get(number)
        assert row is not None
        match = row.match(())
        whole = _whole(work.tx, number)
        for length in range(1, len(whole) + 1):
            try:
                match = row.match(whole[:length])
            except IllegalMove:
                break
        return match


def _whole(tx: Tx, number: int) -> list[Entry]:
    """Return the record of a board up to the first missing entry."""
    entries = zip(tx.boards.entries(number), tx.boards.record(number), strict=True)
    return [entry for place, (seq, entry) in enumerate(entries) if place == seq]


def board(work: Work, number: int) -> Match:
    """Return a board's match. Raises BadInput if there is none, IllegalMove if it is damaged."""
    if work.tx.boards.get(number) is None:
        raise BadInput(f"There's no board {number}. See: pbmstar admin board list", "no-board")
    return load(work, number)


def remove_board(work: Work, number: int) -> None:
    """Delete a board, and tell its players; nobody can be told of a damaged one. Raises BadInput."""
    try:
        match = _match(work, number)
    except IllegalMove:
        work.tx.boards.drop(number)
        work.note(f"board remove {number}: damaged")
        return
    play.remove(work, match)
    work.note(f"board remove {number}: {record_text(match)}")


def reset_board(work: Work, number: int, before: int) -> Match:
    """Reset a board to the turn of move ``before``, and tell its players. Raises BadInput.

    A swap made before that move stays; an end by resignation, forfeit or agreement does not.
    Faults of the board that ``check`` reports are fixed too.
    """
    match = _match(work, number)
    row = work.tx.boards.get(number)
    assert row is not None
    first = match.offset + 1
    if not first <= before <= match.turn:
        had = plural(match.position.played, "move")
        raise BadInput(f"Board {number} has had {had}; {first} to {match.turn} will do.", "no-move")
    length = _entries_before(match, before)
    if length == row.length and not any(check.differences(work.tx, row)):
        raise BadInput(f"Board {number} stands before move {before} already.", "as-it-is")
    work.tx.boards.cut_record(number, length)
    cut = row._replace(request=None, resets=row.resets + 1, since=work.now)
    after = timekeeping.rewound(work, cut.match(match.record[:length]))
    dropped = (PlanDropped(each.userid) for each in match.plans)
    change = Change(match, after, (Reset(before), *dropped))
    store(work, change)
    tell(work, change)
    work.note(f"board reset {number} --to-move {before}: {record_text(match)}")
    return after


def _entries_before(match: Match, before: int) -> int:
    """Return the number of entries that stay when move ``before`` is due again."""
    length = 0
    for entry in match.record:
        if entry.number is not None and entry.number >= before:
            break
        if entry.number is None and entry.move != "swap":
            break
        length += 1
    return length


def retry_letters(work: Work, numbers: Iterable[int]) -> int:
    """Make letters due at once, to the present addresses of their readers; return their number.

    If no number is given, that is done for all letters that were not sent.
    """
    count = 0
    for number in tuple(numbers) or [letter.id for letter in work.tx.outbox.unsent()]:
        readdress(work, number)
        count += work.tx.outbox.revive(number, work.now)
    work.note(f"outbox retry: {count} letters")
    return count


def rotate_keys(work: Work, void: bool) -> int:
    """Make a new key, which signs reply addresses from now on; return its number.

    ``void``: delete all older keys; the addresses in letters sent before then no longer work.
    """
    work.tx.ledger.add_key(work.context.random(identity.KEY), work.now)
    newest = work.tx.ledger.keys()[0][0]
    if void:
        work.tx.ledger.drop_keys(newest)
    work.note(f"key rotate{' --void' if void else ''}")
    return newest


def note_backup(work: Work) -> None:
    """Remember that a backup has been written."""
    work.tx.ledger.set_fact(BACKED_UP, str(work.now))


def drop_letters(work: Work, numbers: Sequence[int]) -> None:
    """Drop these letters, all or none: they are never sent. Raises BadInput."""
    for number in numbers:
        if not work.tx.outbox.drop(number):
            raise BadInput(f"There's no waiting or refused letter {number}.", "no-letter")
    work.note(f"outbox drop {' '.join(map(str, numbers))}")


def record_text(match: Match) -> str:
    """Return the record in one line."""
    return " ".join(entry.move.replace(" ", ",") for entry in match.whole)


def all_matches(tx: Tx) -> Iterator[Match]:
    """Yield the match of every board, in the order of numbers. Raises IllegalMove for a damaged one."""
    for row in all_boards(tx):
        yield row.match(tx.boards.record(row.board))


def _differences(tx: Tx, row: Board) -> list[str]:
    """Return the differences of a board, or that its values are none to compare."""
    try:
        return list(check.differences(tx, row))
    except MISREAD as error:
        return [f"board {row.board}: it is damaged: {error or type(error).__name__}"]


def check_all(tx: Tx, show: Show = unseen) -> list[str]:
    """Replay every record, compare all cached values with it, and return the differences.

    ``show`` is told the boards that are done.
    """
    problems = [f"board {number}: its row is damaged" for number in tx.boards.damaged()]
    due = sum(tx.boards.states().values())
    for done, row in enumerate(all_boards(tx), 1):
        problems += _differences(tx, row)
        show(done, due)
    problems += [f"board {number}: moves without a board" for number in tx.boards.stray_records()]
    problems += tx.of(Ratings).differences()
    problems += check.offer_differences(tx)
    problems += [
        problem for feature in features(Feature.check) for problem in feature.check(tx, None)
    ]
    problems += check.address_differences(tx)
    return problems


def pause(work: Work) -> None:
    """Take no mail from now on, and stop all clocks. Raises BadInput if the server is paused already."""
    if work.tx.clocks.paused() is not None:
        raise BadInput("The server is already paused.", "paused")
    work.tx.clocks.add_outage(work.now, None, PAUSED)
    work.tx.ledger.set_fact("paused", "1")
    work.note("pause")


def resume(work: Work) -> Epoch:
    """Take mail again; return the seconds of the pause. Raises BadInput if the server is not paused."""
    outage = work.tx.clocks.paused()
    if outage is None:
        raise BadInput("The server isn't paused.", "not-paused")
    work.tx.clocks.end_outage(outage.id, work.now)
    work.tx.ledger.set_fact("paused", "")
    alerts.note_remind(work.tx, work.now)  # no alert that the reminders did not run meanwhile
    work.note("resume")
    return work.now - outage.begin


def add_outage(work: Work, begin: Epoch, until: Epoch, why: str) -> tuple[int, list[int]]:
    """Add an outage; return its number, and the boards forfeited since it began.

    Players get back the time that they used in it. Raises BadInput.
    """
    if until <= begin:
        raise BadInput("An outage ends after it begins.", "bad-outage")
    number = work.tx.clocks.add_outage(begin, until, why)
    timekeeping.count_again(work.tx, begin)
    work.note(f"outage add {number}")
    over = (row.board for row in all_boards(work.tx) if not row.to_move and row.since >= begin)
    last = {board: work.tx.boards.record(board)[-1:] for board in over}
    return number, [board for board, end in last.items() if [e.move for e in end] == [FORFEIT]]


def remove_outage(work: Work, number: int) -> None:
    """Delete an outage: its time counts after all. Raises BadInput."""
    outage = next((each for each in work.tx.clocks.outages() if each.id == number), None)
    if outage is None:
        raise BadInput(f"There's no outage {number}.", "no-outage")
    work.tx.clocks.drop_outage(number)
    timekeeping.count_again(work.tx, outage.begin)
    # Reminders are due earlier now, so the next run looks at every board.
    work.tx.ledger.set_fact("reminders", "")
    work.note(f"outage remove {number}")


def admit_mail(tx: Tx) -> None:
    """Raise TemporaryFailure while the server is paused; the mail then comes again."""
    if tx.ledger.fact("paused"):
        raise TemporaryFailure(PAUSED)


def mute(work: Work, seconds: Seconds) -> Epoch:
    """Send no alerts for so long from now on, 0 to send them again; return the end of that time."""
    until = work.now + seconds
    work.tx.ledger.set_fact(alerts.MUTED, str(until))
    work.note(f"alerts mute {seconds / HOUR:g}h" if seconds else "alerts unmute")
    return until
