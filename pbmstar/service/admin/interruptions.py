"""Times in which no mail is taken or no clock runs: pauses and outages."""

from __future__ import annotations

from ...errors import BadInput, TemporaryFailure
from ...machine.times import HOUR, Epoch, Seconds
from ...match import FORFEIT
from ...store import Tx
from ..letters import alerts
from ..work import timekeeping
from ..work.work import Work
from .lookup import all_boards
from .operator import note

PAUSED = "paused by the operator"


def pause(work: Work) -> None:
    """Take no mail from now on, and stop all clocks. Raises BadInput if the server is paused already."""
    if work.tx.clocks.paused() is not None:
        raise BadInput("The server is already paused.", "paused")
    work.tx.clocks.add_outage(work.now, None, PAUSED)
    work.tx.ledger.set_fact("paused", "1")
    note(work, "pause")


def resume(work: Work) -> Epoch:
    """Take mail again; return the seconds of the pause. Raises BadInput if the server is not paused."""
    outage = work.tx.clocks.paused()
    if outage is None:
        raise BadInput("The server isn't paused.", "not-paused")
    work.tx.clocks.end_outage(outage.id, work.now)
    work.tx.ledger.set_fact("paused", "")
    alerts.note_remind(work.tx, work.now)  # no alert that the reminders did not run meanwhile
    note(work, "resume")
    return work.now - outage.begin


def add_outage(work: Work, begin: Epoch, until: Epoch, why: str) -> tuple[int, list[int]]:
    """Add an outage; return its number, and the boards forfeited since it began.

    Players get back the time that they used in it. Raises BadInput.
    """
    if until <= begin:
        raise BadInput("An outage ends after it begins.", "bad-outage")
    number = work.tx.clocks.add_outage(begin, until, why)
    timekeeping.count_again(work.tx, begin)
    note(work, f"outage add {number}")
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
    note(work, f"outage remove {number}")


def admit_mail(tx: Tx) -> None:
    """Raise TemporaryFailure while the server is paused; the mail then comes again."""
    if tx.ledger.fact("paused"):
        raise TemporaryFailure(PAUSED)


def mute(work: Work, seconds: Seconds) -> Epoch:
    """Send no alerts for so long from now on, 0 to send them again; return the end of that time."""
    until = work.now + seconds
    work.tx.ledger.set_fact(alerts.MUTED, str(until))
    note(work, f"alerts mute {seconds / HOUR:g}h" if seconds else "alerts unmute")
    return until
