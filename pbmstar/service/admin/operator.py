"""The operator's acts on boards, letters and keys, each noted for audit; the state of the server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ... import identity
from ...errors import DAMAGE, BadInput, IllegalMove
from ...features.feature import features
from ...games.spelling import plural
from ...machine.times import Epoch
from ...machine.version import COMMIT, VERSION
from ...match import Entry, Match
from ...match.happenings import PlanDropped, Reset
from ...store import Board, Tx
from ..letters.post import readdress
from ..letters.tell import tell
from ..verbs import play
from ..work import timekeeping
from ..work.apply import Change, load, store
from ..work.work import Work
from . import check


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
        raise BadInput(f"There is no board {number}. See: pbmstar admin board list", "no-board")
    return load(work, number)


def remove_board(work: Work, number: int) -> None:
    """Delete a board, and tell its players; nobody can be told of a damaged one. Raises BadInput."""
    try:
        match = _match(work, number)
    except IllegalMove:
        work.tx.boards.drop(number)
        note(work, f"board remove {number}: damaged")
        return
    play.remove(work, match)
    note(work, f"board remove {number}: {record_text(match)}")


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
    note(work, f"board reset {number} --to-move {before}: {record_text(match)}")
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
    note(work, f"outbox retry: {count} letters")
    return count


def rotate_keys(work: Work, void: bool) -> int:
    """Make a new key, which signs reply addresses from now on; return its number.

    ``void``: delete all older keys; the addresses in letters sent before then no longer work.
    """
    work.tx.ledger.add_key(work.context.random(identity.KEY), work.now)
    newest = work.tx.ledger.keys()[0][0]
    if void:
        work.tx.ledger.drop_keys(newest)
    note(work, f"key rotate{' --void' if void else ''}")
    return newest


_BACKED_UP = "backup"  # a fact: the time of the last backup that was written and is whole


def note_backup(work: Work) -> None:
    """Remember that a backup has been written."""
    work.tx.ledger.set_fact(_BACKED_UP, str(work.now))


def last_backup(tx: Tx) -> Epoch | None:
    """Return the time of the last good backup; None if there was none."""
    return float(tx.ledger.fact(_BACKED_UP) or 0) or None


def status(work: Work) -> dict[str, Any]:
    """Return the server's state for a person or a monitoring program; times are in seconds since 1970."""
    run = work.tx.ledger.newest_run(work.context.config.node)
    backup = last_backup(work.tx)
    users, boards = work.tx.accounts.states(), work.tx.boards.states()
    letters = work.tx.outbox.unsent()
    waiting = [letter for letter in letters if letter.state == "new"]
    return {
        "version": VERSION,
        "commit": COMMIT or None,
        "started": run.began if run else None,
        "users": users.get("active", 0),
        "suspended": users.get("suspended", 0),
        "boards": sum(boards.values()),
        "running": boards["running"],
        "letters_waiting": len(waiting),
        "oldest_letter_seconds": int(max((work.now - each.made for each in waiting), default=0)),
        "letters_refused": len(letters) - len(waiting),
        "database_bytes": work.tx.ledger.database_bytes(),
        "backup_seconds": None if backup is None else max(0, int(work.now - backup)),
    }


def note(work: Work, act: str) -> None:
    """Note an act of the operator for audit."""
    work.tx.ledger.add_act(work.now, work.author.operator, act)


def drop_letters(work: Work, numbers: Sequence[int]) -> None:
    """Drop these letters, all or none: they are never sent. Raises BadInput."""
    for number in numbers:
        if not work.tx.outbox.drop(number):
            raise BadInput(f"There is no letter {number} that waits or was refused.", "no-letter")
    note(work, f"outbox drop {' '.join(map(str, numbers))}")


def record_text(match: Match) -> str:
    """Return the record in one line."""
    return " ".join(entry.move.replace(" ", ",") for entry in match.whole)


def all_boards(tx: Tx) -> Iterator[Board]:
    """Yield every board, in the order of numbers."""
    after = 0
    while page := tx.boards.page(after):
        yield from page
        after = page[-1].board


def all_matches(tx: Tx) -> Iterator[Match]:
    """Yield the match of every board, in the order of numbers. Raises IllegalMove for a damaged one."""
    for row in all_boards(tx):
        yield row.match(tx.boards.record(row.board))


def _differences(tx: Tx, row: Board) -> list[str]:
    """Return the differences of a board, or that its values are none to compare."""
    try:
        return list(check.differences(tx, row))
    except DAMAGE as error:
        return [f"board {row.board}: it is damaged: {error or type(error).__name__}"]


def check_all(tx: Tx) -> list[str]:
    """Replay every record, compare all cached values with it, and return the differences."""
    problems = [f"board {number}: its row is damaged" for number in tx.boards.damaged()]
    problems += [problem for row in all_boards(tx) for problem in _differences(tx, row)]
    problems += [f"board {number}: moves without a board" for number in tx.boards.stray_records()]
    problems += [problem for feature in features() for problem in feature.check(tx, None)]
    problems += check.address_differences(tx)
    return problems
