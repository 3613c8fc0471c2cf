"""What the operator may do: the same acts as by mail, told to the players, noted for audit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from .. import identity
from ..command import RESERVED, Secret
from ..errors import BadInput, IllegalMove
from ..match import Entry, Happening, Match
from ..store import Board, Tx, User
from . import check, clocks
from .addresses import usable_address
from .apply import Change, load, store
from .post import readdress
from .tell import tell
from .verbs import accounts, play
from .work import Work


def add_user(work: Work, userid: str, address: str, password: Secret) -> None:
    """Open an account without confirmation by mail. Raises BadInput."""
    if userid in RESERVED or work.tx.user(userid):
        raise BadInput(f"The userid {userid} is not free.", "taken")
    hashed = identity.hash_password(password)
    work.tx.add_user(User(userid, address.lower(), hashed, "active", work.now))
    note(work, f"user add {userid}")


def add_bot(work: Work, userid: str) -> bool:
    """Make the account of a bot. False if there is one; raises BadInput if it is a person's."""
    row = work.tx.user(userid)
    if row is not None and row.state != "bot":
        raise BadInput(f"{userid} is the account of a person.", "taken")
    if row is None:
        work.tx.add_bot(userid)
        note(work, f"bot add {userid}")
    return row is None


def user(tx: Tx, userid: str) -> User:
    """The account of that userid. Raises BadInput if there is none."""
    row = tx.user(userid)
    if row is None:
        raise BadInput(f"There is no user {userid}.", "no-user")
    return row


def _open(work: Work, userid: str) -> User:
    """The account of that userid. Raises BadInput if there is none, or it is closed or a bot."""
    row = user(work.tx, userid)
    if row.state == "bot":
        raise BadInput(f"{userid} is a bot: it has no password and no address.", "bot")
    if row.state == "closed":
        raise BadInput(f"The account {userid} is closed.", "closed")
    return row


def remove_user(work: Work, userid: str) -> None:
    """Close an account; its running games are resigned."""
    accounts.close_account(work, _open(work, userid))
    note(work, f"user remove {userid}")


def set_password(work: Work, userid: str, password: Secret) -> None:
    """Give an account another password."""
    accounts.set_password(work, _open(work, userid), identity.hash_password(password))
    note(work, f"user password {userid}")


def set_address(work: Work, userid: str, address: str) -> None:
    """Give an account another address without confirmation; both addresses are told."""
    accounts.move_account(work, _open(work, userid).userid, address.lower())
    note(work, f"user address {userid}")


def suppress(work: Work, address: str, lift: bool = False) -> None:
    """Write to an address no more unless an account has it; or lift that. Raises BadInput."""
    mark = identity.address_mark(usable_address(work, address))
    if not lift:
        work.tx.suppress(mark, work.now)
    elif not work.tx.lift(mark):
        raise BadInput("That address is not suppressed.", "not-suppressed")
    note(work, f"suppress{' --lift' if lift else ''} {mark}")


def _match(work: Work, number: int) -> Match:
    """The match of a board; of a corrupt record the part that can be replayed. Raises BadInput."""
    try:
        return load(work, number)
    except IllegalMove:
        row = work.tx.board(number)
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
    """The record of a board up to the first entry that is missing."""
    entries = zip(tx.places(number), tx.record(number), strict=True)
    return [entry for place, (seq, entry) in enumerate(entries) if place == seq]


def remove_board(work: Work, number: int) -> None:
    """Delete a board; its players are told."""
    match = _match(work, number)
    play.remove(work, match)
    note(work, f"board remove {number}: {record_text(match)}")


def reset_board(work: Work, number: int, before: int) -> Match:
    """Put a board back to before move ``before``; its players are told. Raises BadInput.

    A swap made before that move stands; an end by resignation, forfeit or agreement does not. What
    is wrong with the board, so that ``check`` reports it, is put right by this as well.
    """
    match = _match(work, number)
    row = work.tx.board(number)
    assert row is not None
    if not 1 <= before <= match.turn:
        raise BadInput(
            f"Board {number} has had {match.position.played} moves; 1 to {match.turn} will do.",
            "no-move",
        )
    length = _entries_before(match, before)
    if length == row.length and not any(check.differences(work.tx, row)):
        raise BadInput(f"Board {number} stands before move {before} already.", "as-it-is")
    work.tx.cut_record(number, length)
    cut = row._replace(request=None, resets=row.resets + 1, since=work.now)
    after = clocks.rewound(work, cut.match(match.record[:length]))
    dropped = (Happening("unplanned", each.userid) for each in match.plans)
    change = Change(match, after, (Happening("reset", "", str(before)), *dropped))
    store(work, change)
    tell(work, change)
    note(work, f"board reset {number} --to-move {before}: {record_text(match)}")
    return after


def _entries_before(match: Match, before: int) -> int:
    """How many entries of a record stay when move ``before`` is due again."""
    length = 0
    for entry in match.record:
        if entry.number is not None and entry.number >= before:
            break
        if entry.number is None and entry.move != "swap":
            break
        length += 1
    return length


def retry_letters(work: Work, numbers: Iterable[int]) -> int:
    """Make letters due at once, to the addresses of now; all that were not sent if none is named."""
    count = 0
    for number in tuple(numbers) or [letter.id for letter in work.tx.letters()]:
        readdress(work, number)
        count += work.tx.revive(number, work.now)
    note(work, f"outbox retry: {count} letters")
    return count


def rotate_keys(work: Work, void: bool) -> int:
    """Make a new key, which signs reply addresses from now on; returns its number.

    With ``void`` all older ones are forgotten, and the addresses in letters sent before are void.
    """
    work.tx.add_key(work.context.random(identity.KEY), work.now)
    newest = work.tx.keys()[0][0]
    if void:
        work.tx.drop_keys(newest)
    note(work, f"key rotate{' --void' if void else ''}")
    return newest


def status(work: Work) -> dict[str, Any]:
    """How the server is: counts for a person or a monitoring program."""
    users, boards = work.tx.user_states(), work.tx.board_states()
    letters = work.tx.letters()
    waiting = [letter for letter in letters if letter.state == "new"]
    return {
        "users": users.get("active", 0),
        "suspended": users.get("suspended", 0),
        "boards": sum(boards.values()),
        "running": boards["running"],
        "letters_waiting": len(waiting),
        "oldest_letter_seconds": int(max((work.now - each.made for each in waiting), default=0)),
        "letters_refused": len(letters) - len(waiting),
    }


def note(work: Work, act: str) -> None:
    """Write an audit line."""
    work.tx.add_audit(work.now, work.actor, act)


def drop_letters(work: Work, numbers: Sequence[int]) -> None:
    """Never send these letters, all or none of them. Raises BadInput."""
    for number in numbers:
        if not work.tx.drop_letter(number):
            raise BadInput(f"There is no letter {number} that waits or was refused.", "no-letter")
    note(work, f"outbox drop {' '.join(map(str, numbers))}")


def record_text(match: Match) -> str:
    """The record in one line."""
    return " ".join(entry.move.replace(" ", ",") for entry in match.record)


def all_boards(tx: Tx) -> Iterator[Board]:
    """Every board, in order."""
    after = 0
    while page := tx.boards(after):
        yield from page
        after = page[-1].board


def all_matches(tx: Tx) -> Iterator[Match]:
    """Every board with its record, in order."""
    for row in all_boards(tx):
        yield row.match(tx.record(row.board))


def check_all(tx: Tx) -> list[str]:
    """Replay every record and compare what is cached with what follows from it; the differences."""
    problems = [problem for row in all_boards(tx) for problem in check.differences(tx, row)]
    return problems + [f"board {number}: moves without a board" for number in tx.stray_records()]
