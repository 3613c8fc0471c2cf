"""Boards that come from another server, or from a backup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ... import games
from ...errors import MISREAD, BadInput, IllegalMove, Refusal
from ...games import sgf
from ...machine.times import DAY, Epoch
from ...match import Happening, Match, Terms, begin
from ...match.happenings import Reset
from ...match.terms import dump, read_stored
from ...ratings import rated_games
from ...render.board.sentences import recorded
from ...store import OtherAddress, Tx, User
from ..letters.post import BoardLetter, send
from ..proof.strangers import require_free
from ..work import timekeeping
from ..work.apply import is_hinted, keep_best
from ..work.feature import Feature, features
from ..work.work import Work
from . import check

FORM = "pbmstar board 1"  # the format of an exported board, under its key "form"
_PERSONS = ("userid", "to_move", "result")
# The times that a board of another server may not have in the future: games count in their order.
_LATEST = (("boards", "made"), ("boards", "since"), ("moves", "at"))


def exported(tx: Tx, number: int) -> dict[str, Any]:
    """Return a board with all its rows, for ``board import``. Raises BadInput."""
    rows = tx.boards.rows(number)
    if not rows["boards"]:
        raise BadInput(f"There's no board {number}.", "no-board")
    return {"form": FORM, **rows}


def of_sgf(record: sgf.Record, names: Mapping[str, str], now: Epoch) -> dict[str, Any]:
    """Return a game from a file as an exported board, for ``bring``. It is not rated. Raises BadInput.

    ``names``: the userids here, by the names in the file in small letters. A file has no times, so every move
    is made at ``now``, in seconds since 1970 UTC.
    """
    first, second = (names.get(name.lower(), name.lower()) for name in record.names)
    if not first or not second or first == second:
        raise BadInput("The file doesn't name two players (PB and PW).", "bad-board")
    match = begin(0, record.game, (first, second), now, Terms(rated=False))
    for move in record.moves:
        match = match.after(match.to_move, move, now)
    if record.loser is not None:
        match = match.after(match.seats[record.loser], record.ending, now)
    board = {
        "game": record.game.word, "options": record.game.dumped, "made": now, "resets": 0,
        "length": len(match.record), "to_move": match.to_move, "result": match.result, "since": now,
        "terms": dump(match.terms),
    }  # fmt: skip
    seats = [
        {"seat": seat, "userid": userid, "bank": match.clock.banks[seat]}
        for seat, userid in enumerate(match.seats)
    ]
    moves = [{"seq": seq, **entry._asdict()} for seq, entry in enumerate(match.record)]
    tables = {"boards": [board], "seats": seats, "moves": moves}
    rows = {name: [{"board": 0, **row} for row in rows] for name, rows in tables.items()}
    return {"form": FORM, **rows}


def bring(work: Work, board: Mapping[str, Any], names: Mapping[str, str], number: int = 0) -> Match:
    """Put an exported board into the store, and tell its players. No clock has run on the way.

    ``names``: the userids here, by the userids there, for players whose userid differs.
    ``number``: the number that the board gets; 0 for a new one.
    Raises BadInput, and changes nothing, if it is not a board, or if a player has no account here.
    """
    if board.get("form") != FORM:
        raise BadInput("That isn't an exported board of this version.", "bad-board")
    is_new = not number
    number = number or work.tx.boards.last() + 1
    try:
        with work.tx.savepoint():
            match = _put(work, _rows(board, names), number, is_new)
    except MISREAD as error:
        text = str(error) if isinstance(error, Refusal) else "That isn't an exported board."
        raise BadInput(text, "bad-board") from None
    work.note(f"board {'import' if is_new else 'restore'} {number}")
    return match


def _rows(board: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of an exported board by table, with the userids from here. Raises BadInput."""
    tables = {name: rows for name, rows in board.items() if name != "form"}
    for name, rows in tables.items():
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise BadInput(f"The rows of {name[:40]!r} are not a list of objects.")
    return {name: [_renamed(row, names) for row in rows] for name, rows in tables.items()}


def _put(work: Work, rows: dict[str, list[dict[str, Any]]], number: int, is_new: bool) -> Match:
    """Store the rows of a board, and show it to its players. Raises one of MISREAD if they are none."""
    if len(rows.get("boards", ())) != 1:
        raise BadInput("That isn't an exported board: it doesn't have exactly one row of boards.")
    (row,) = rows["boards"]
    row |= {"told": None, "clock_from": None, "due": None}
    _require_players(work, rows)
    before = None if is_new else _resets(work.tx, number)
    if before is not None:  # makes replies to letters about the former board void
        row["resets"] = max(int(row["resets"]), before) + 1
    work.tx.boards.put(number, rows)
    for table, column in _LATEST:
        if is_new and any(each[column] > work.now + DAY for each in rows.get(table, ())):
            raise BadInput(f"{table}.{column} is a time that is still to come.")
    stored = work.tx.boards.get(number)
    assert stored is not None
    game = games.load(stored.game, stored.options)
    if len(game.seats) != len(stored.seats):
        raise BadInput(f"A game of {game.title} doesn't have {len(stored.seats)} players.")
    read_stored(stored.terms, len(stored.seats))
    for event in work.tx.boards.events(number):
        recorded(event.happening)
    match = stored.match(work.tx.boards.record(number))
    _settle(work, match, () if before is None else (Reset(match.turn),))
    return match


def _require_players(work: Work, rows: Mapping[str, list[dict[str, Any]]]) -> None:
    """Raise BadInput if the seats are not of different players with accounts, or other rows not theirs."""
    players = [str(seat.get("userid")) for seat in rows.get("seats", ())]
    if not players:
        raise BadInput("It has no seats.")
    if len(set(players)) < len(players):
        raise BadInput(f"{players[0]} would play on both sides.")
    for userid in players:
        if work.tx.accounts.user(userid) is None:
            raise BadInput(f"There's no user {userid} here. Use --as {userid}=NAME.", "no-user")
    for table in ("requests", "comments", "notes", "plans", "events"):
        for row in rows.get(table, ()):
            if row.get("userid") not in (*players, *[""] * (table == "events")):
                raise BadInput(f"It has {table} of someone who doesn't play there.")


def _resets(tx: Tx, number: int) -> int | None:
    """Return how often the board that is there was put back, 0 for a damaged one; None if there is none."""
    try:
        row = tx.boards.get(number)
    except IllegalMove:
        return 0
    return row.resets if row else None


def _settle(work: Work, match: Match, happened: Sequence[Happening]) -> None:
    """Have a game counted if it is over; otherwise begin its clock, and show it to its players.

    ``happened``: what they are told besides, and the record keeps: that moves are gone.
    Raises BadInput if the board differs from its record.
    """
    rated_games.follow(work.tx, match, ended_now=False)
    for feature in features(Feature.on_correction):
        feature.on_correction(work, match)
    if match.position.over:
        if match.rank is not None and not is_hinted(work.tx, match.number):
            keep_best(work, match, match.rank)
    else:
        work.tx.boards.set_due(match.number, work.now)
        work.tx.boards.set_clock(match.number, None, work.now)
        timekeeping.count_again(work.tx, 0.0)
    stored = work.tx.boards.get(match.number)
    assert stored is not None
    if problems := list(check.differences(work.tx, stored)):
        raise BadInput("; ".join(problems), "bad-board")
    if match.position.over:
        return
    for each in happened:
        work.tx.boards.add_event(match.number, work.now, each)
    shown = stored.match(match.record)
    for userid in match.seats:
        user = work.tx.accounts.user(userid)
        if user is not None and user.state == "active":
            send(work, BoardLetter.answer(shown, userid, happenings=happened))


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
    work.note(f"user restore {user.userid}")


def _renamed(row: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a row in which each person has the userid from here."""
    return {
        key: names.get(str(value), value) if key in _PERSONS else value
        for key, value in row.items()
    }


class Restored(NamedTuple):
    """The numbers of the boards that were brought back, and of those that ran and have ended since."""

    boards: list[int]
    ended: list[int]


def restore(work: Work, backup: Tx, userid: str = "", number: int = 0) -> Restored:
    """Bring back a board from a backup, or a player with all boards of theirs that are gone here.

    An account that is closed here is open again, with the addresses, wishes and password of the backup.
    Boards that have ended since, by resignation when the account was closed for instance, stay as they
    are. Raises BadInput, also if another account has one of the addresses.
    """
    if number:
        bring(work, exported(backup, number), {}, number)
        return Restored([number], [])
    row = backup.accounts.user(userid)
    if row is None:
        raise BadInput(f"The backup has no user {userid}.", "no-user")
    there = work.tx.accounts.user(userid)
    if there is None or (there.state == "closed" and row.state != "closed"):
        _open_again(work, row, backup.accounts.others(row))
    gone = [each.board for each in backup.boards.of(userid) if _resets(work.tx, each.board) is None]
    for each in gone:
        bring(work, exported(backup, each), {}, each)
    ran = [each.board for each in backup.boards.of(userid, "active") if each.board not in gone]
    over = {each.board for each in work.tx.boards.of(userid, "finished")}
    return Restored(gone, sorted(over.intersection(ran)))
