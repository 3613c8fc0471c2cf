"""The operator's acts: each is like an act by mail, is told to the players, and is noted for audit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any

from ... import identity
from ...command import RESERVED, Secret
from ...errors import BadInput, IllegalMove
from ...match import Entry, Match
from ...match.happenings import PlanDropped, Reset
from ...store import Board, Tx, User
from ..letters.post import readdress, tell_account
from ..letters.tell import tell
from ..proof import strangers
from ..proof.strangers import require_free, usable_address
from ..verbs import addressing, membership, play
from ..work import timekeeping
from ..work.apply import Change, load, store
from ..work.work import Work
from . import check


def add_user(work: Work, userid: str, address: str, password: Secret) -> None:
    """Open an account without confirmation by mail. Raises BadInput."""
    if userid in RESERVED or work.tx.accounts.user(userid):
        raise BadInput(f"The userid {userid} is not free.", "taken")
    _refuse_own(work, address)
    require_free(work, address.lower(), userid, as_first=True)
    hashed = identity.hash_password(password)
    public = membership.is_shown(work, work.now)
    work.tx.accounts.add(User(userid, address.lower(), hashed, "active", work.now, public=public))
    note(work, f"user add {userid}")


def _refuse_own(work: Work, address: str) -> None:
    """Raise BadInput for an address of this server: it would write to itself."""
    local, _, domain = address.lower().rpartition("@")
    config = work.context.config
    if domain == config.domain and local.partition("+")[0] in (config.local, "postmaster", "abuse"):
        raise BadInput("That is an address of this server.", "own-address")


def add_bot(work: Work, userid: str) -> bool:
    """Make the account of a bot; return False if there is one. Raises BadInput if it is a person's."""
    row = work.tx.accounts.user(userid)
    if row is not None and row.state != "bot":
        raise BadInput(f"{userid} is the account of a person.", "taken")
    if row is None:
        work.tx.accounts.add_bot(userid)
        note(work, f"bot add {userid}")
    return row is None


def user(tx: Tx, userid: str) -> User:
    """Return the account of a userid. Raises BadInput if there is none."""
    row = tx.accounts.user(userid)
    if row is None:
        raise BadInput(f"There is no user {userid}.", "no-user")
    return row


def _open(work: Work, userid: str) -> User:
    """Return the account of a userid. Raises BadInput if there is none, or it is closed or a bot."""
    row = user(work.tx, userid)
    if row.state == "bot":
        raise BadInput(f"{userid} is a bot: it has no password and no address.", "bot")
    if row.state == "closed":
        raise BadInput(f"The account {userid} is closed.", "closed")
    return row


def remove_user(work: Work, userid: str) -> None:
    """Close an account, and resign its running games. Raises BadInput."""
    membership.close_account(work, _open(work, userid))
    note(work, f"user remove {userid}")


def set_password(work: Work, userid: str, password: Secret) -> None:
    """Give an account another password. Raises BadInput."""
    membership.set_password(work, _open(work, userid), identity.hash_password(password))
    note(work, f"user password {userid}")


def set_address(work: Work, userid: str, address: str) -> None:
    """Give an account another address without confirmation, and tell both addresses. Raises BadInput."""
    _refuse_own(work, address)
    addressing.move_account(work, _open(work, userid).userid, address.lower())
    note(work, f"user address {userid}")


def remove_address(work: Work, userid: str, address: str) -> None:
    """Take a further address from an account, and tell the first one. Raises BadInput."""
    row = _open(work, userid)
    if address.lower() not in work.tx.accounts.addresses(row)[1:]:
        raise BadInput(f"That is no address of {userid} beside its first.", "no-such-address")
    addressing.take_away(work, row, address.lower())
    tell_account(work, row, f"{address.lower()} is no address of this account any more.")
    note(work, f"user address {userid} --remove")


def suppress(work: Work, address: str, lift: bool = False) -> None:
    """Stop mail to an address unless an account has it, or allow it again. Raises BadInput."""
    known = strangers.marks(usable_address(work, address))
    mark = strangers.reader(address)
    if not lift:
        work.tx.people.suppress(mark, work.now)
    elif not {work.tx.people.unsuppress(each) for each in known} - {False}:
        raise BadInput("That address is not suppressed.", "not-suppressed")
    note(work, f"suppress{' --lift' if lift else ''} {mark}")


def _match(work: Work, number: int) -> Match:
    """Return a board's match; if the record is corrupt, the part that can be replayed. Raises BadInput."""
    try:
        return load(work, number)
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


def remove_board(work: Work, number: int) -> None:
    """Delete a board, and tell its players. Raises BadInput."""
    match = _match(work, number)
    play.remove(work, match)
    note(work, f"board remove {number}: {record_text(match)}")


def reset_board(work: Work, number: int, before: int) -> Match:
    """Reset a board to the turn of move ``before``, and tell its players. Raises BadInput.

    A swap made before that move stays; an end by resignation, forfeit or agreement does not.
    Faults of the board that ``check`` reports are mended too.
    """
    match = _match(work, number)
    row = work.tx.boards.get(number)
    assert row is not None
    if not 1 <= before <= match.turn:
        raise BadInput(
            f"Board {number} has had {match.position.played} moves; 1 to {match.turn} will do.",
            "no-move",
        )
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


def status(work: Work) -> dict[str, Any]:
    """Return counts of the server's state for a person or a monitoring program."""
    users, boards = work.tx.accounts.states(), work.tx.boards.states()
    letters = work.tx.outbox.unsent()
    waiting = [letter for letter in letters if letter.state == "new"]
    return {
        "version": version("pbmstar"),
        "users": users.get("active", 0),
        "suspended": users.get("suspended", 0),
        "boards": sum(boards.values()),
        "running": boards["running"],
        "letters_waiting": len(waiting),
        "oldest_letter_seconds": int(max((work.now - each.made for each in waiting), default=0)),
        "letters_refused": len(letters) - len(waiting),
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
    return " ".join(entry.move.replace(" ", ",") for entry in match.record)


def all_boards(tx: Tx) -> Iterator[Board]:
    """Yield every board, in the order of numbers."""
    after = 0
    while page := tx.boards.page(after):
        yield from page
        after = page[-1].board


def all_matches(tx: Tx) -> Iterator[Match]:
    """Yield the match of every board, in the order of numbers."""
    for row in all_boards(tx):
        yield row.match(tx.boards.record(row.board))


def check_all(tx: Tx) -> list[str]:
    """Replay every record, compare all cached values with it, and return the differences."""
    problems = [problem for row in all_boards(tx) for problem in check.differences(tx, row)]
    problems += [f"board {number}: moves without a board" for number in tx.boards.stray_records()]
    problems += check.contest_differences(tx)
    problems += check.offer_differences(tx)
    problems += check.problem_differences(tx)
    problems += check.address_differences(tx)
    return problems + list(tx.ratings.differences())
