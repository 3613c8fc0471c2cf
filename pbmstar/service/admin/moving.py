"""Boards that come from another server, or from a backup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...errors import BadInput, Refusal
from ...match import Match
from ...store import OtherAddress, Tx, User
from ..letters.post import BoardLetter, send
from ..proof.strangers import require_free
from ..work import rated, timekeeping
from ..work.work import Work
from . import check
from .operator import note

FORM = "pbmstar board 1"  # the format of an exported board, under its key "form"
_PERSONS = ("userid", "to_move", "result")


def exported(tx: Tx, number: int) -> dict[str, Any]:
    """Return a board with all its rows, for ``board import``. Raises BadInput."""
    rows = tx.boards.rows(number)
    if not rows["boards"]:
        raise BadInput(f"There is no board {number}.", "no-board")
    return {"form": FORM, **rows}


def bring(work: Work, board: Mapping[str, Any], names: Mapping[str, str], number: int = 0) -> Match:
    """Put an exported board into the store, and tell its players. No clock has run on the way.

    ``names``: the userids here, by the userids there, for players whose userid differs.
    ``number``: the number that the board gets; 0 for a new one.
    Raises BadInput if it is no board, or if a player has no account here.
    """
    if board.get("form") != FORM:
        raise BadInput("That is no exported board of this version.", "bad-board")
    number = number or work.tx.boards.last() + 1
    before = work.tx.boards.get(number)
    rows = {
        name: [_renamed(row, names) for row in found]
        for name, found in board.items()
        if isinstance(found, list)
    }
    try:
        (row,) = rows["boards"]
        row |= {"told": None, "clock_from": None, "due": None}
        if before is not None:  # makes replies to letters about the former board void
            row["resets"] = max(int(row["resets"]), before.resets) + 1
        for userid in (str(seat["userid"]) for seat in rows["seats"]):
            if work.tx.accounts.user(userid) is None:
                raise BadInput(
                    f"There is no user {userid} here. Say --as {userid}=NAME.", "no-user"
                )
        work.tx.boards.put(number, rows)
        stored = work.tx.boards.get(number)
        assert stored is not None
        match = stored.match(work.tx.boards.record(number))
    except (Refusal, KeyError, TypeError, ValueError) as error:
        text = str(error) if isinstance(error, Refusal) else "That is no exported board."
        raise BadInput(text, "bad-board") from None
    _settle(work, match)
    note(work, f"board {'restore' if before else 'import'} {number}")
    return match


def _settle(work: Work, match: Match) -> None:
    """Rate a finished game; begin the clock of a running one, and show it to its players.

    Raises BadInput if the board differs from its record.
    """
    if match.position.over:
        rated.follow(work.tx, match, ended_now=False)
        return
    work.tx.boards.set_due(match.number, work.now)
    work.tx.boards.set_clock(match.number, None, work.now)
    timekeeping.count_again(work.tx, 0.0)
    stored = work.tx.boards.get(match.number)
    assert stored is not None
    if problems := list(check.differences(work.tx, stored)):
        raise BadInput("; ".join(problems), "bad-board")
    shown = stored.match(match.record)
    for userid in match.seats:
        user = work.tx.accounts.user(userid)
        if user is not None and user.state == "active":
            send(work, BoardLetter.answer(shown, userid))


def _open_again(work: Work, user: User, others: Sequence[OtherAddress]) -> None:
    """Open an account of a backup with all its addresses. Raises BadInput if another account has one."""
    if user.address:
        require_free(work, user.address, user.userid, as_first=True)
    if work.tx.accounts.user(user.userid):
        work.tx.accounts.reopen(user)
    else:
        work.tx.accounts.add(user)
    for other in others:
        require_free(work, other.address, user.userid, as_first=False)
        work.tx.accounts.add_address(other)
    note(work, f"user restore {user.userid}")


def _renamed(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a row in which each person has the userid from here."""
    return {
        key: names.get(str(value), value) if key in _PERSONS else value
        for key, value in row.items()
    }


def restore(work: Work, backup: Tx, userid: str = "", number: int = 0) -> list[int]:
    """Bring back a board from a backup, or a player with all boards of theirs that are gone here.

    An account that is closed here is open again, with the addresses, wishes and password of the backup.
    Return the numbers of the boards. Raises BadInput, also if another account has one of the addresses.
    """
    if number:
        bring(work, exported(backup, number), {}, number)
        return [number]
    row = backup.accounts.user(userid)
    if row is None:
        raise BadInput(f"The backup has no user {userid}.", "no-user")
    there = work.tx.accounts.user(userid)
    if there is None or (there.state == "closed" and row.state != "closed"):
        _open_again(work, row, backup.accounts.others(row))
    gone = [
        each.board for each in backup.boards.of(userid) if work.tx.boards.get(each.board) is None
    ]
    for each in gone:
        bring(work, exported(backup, each), {}, each)
    return gone
