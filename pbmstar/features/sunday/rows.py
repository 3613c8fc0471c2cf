"""The rows of the Sunday game."""

from __future__ import annotations

from typing import NamedTuple

from ...store.statements import Subject, columns
from . import tables as t


class Sunday(NamedTuple):
    """The game of a week; see ``tables``."""

    number: int
    week: int
    game: str
    options: str
    bot: str
    seat: int
    is_over: int = 0


class SundayBoard(NamedTuple):
    """A player's board of a Sunday; see ``tables``."""

    number: int
    userid: str
    board: int
    margin: int | None = None


class Sundays(Subject):
    """The Sunday games, and their players."""

    def newest(self) -> Sunday | None:
        """Return the newest Sunday game, locked until the end of the transaction."""
        return self._db.one(
            Sunday,
            f"SELECT {columns(Sunday)} FROM sundays ORDER BY number DESC LIMIT 1 FOR UPDATE",
        )

    def get(self, number: int) -> Sunday | None:
        """Return the Sunday game of that number."""
        return self._db.find(Sunday, t.sundays, number=number)

    def add(self, sunday: Sunday) -> bool:
        """Keep a new Sunday game; return False if there is one of that number."""
        return self._db.added(t.sundays, **sunday._asdict())

    def end(self, number: int) -> None:
        """Keep that all games of a Sunday have been counted."""
        self._db.change(t.sundays, {"number": number}, is_over=1)

    def add_board(self, number: int, userid: str, board: int) -> None:
        """Keep the board of a player."""
        self._db.add(t.sunday_boards, number=number, userid=userid, board=board, margin=None)

    def has_board(self, number: int, userid: str) -> bool:
        """Return True if a player has a board of that Sunday."""
        return bool(self._db.count(t.sunday_boards, number=number, userid=userid))

    def of_board(self, board: int) -> SundayBoard | None:
        """Return whose board that is, and of which Sunday; None if it is of none."""
        return self._db.find(SundayBoard, t.sunday_boards, board=board)

    def uncounted(self, number: int, count: int) -> list[SundayBoard]:
        """Return at most ``count`` boards of a Sunday whose games have not been counted."""
        return self._db.all(
            SundayBoard,
            f"""
            SELECT {columns(SundayBoard)} FROM sunday_boards
            WHERE number = :number AND margin IS NULL ORDER BY userid LIMIT :count
            """,
            number=number,
            count=count,
        )

    def count_in(self, of: SundayBoard, margin: int) -> None:
        """Keep the result of a player."""
        self._db.change(t.sunday_boards, {"number": of.number, "userid": of.userid}, margin=margin)

    def leave_out(self, of: SundayBoard) -> None:
        """Forget a board: its player has not played."""
        self._db.drop(t.sunday_boards, number=of.number, userid=of.userid)

    def results(self, number: int) -> list[tuple[str, int, int]]:
        """Return the userid, board and margin of each who played on a Sunday and has an account still."""
        rows = self._db.rows(
            """
            SELECT users.userid, board, margin
            FROM sunday_boards JOIN users ON users.userid = sunday_boards.userid
            WHERE number = :number AND margin IS NOT NULL AND state != 'closed'
            """,
            number=number,
        )
        return [(userid, board, margin) for userid, board, margin in rows]

    def count_players(self, number: int) -> int:
        """Count the boards of a Sunday."""
        return self._db.count(t.sunday_boards, number=number)

    # -- the readers

    def subscribe(self, userid: str) -> None:
        """Let a player get a board each week."""
        self._db.add_once(t.sunday_readers, userid=userid, told=0)

    def unsubscribe(self, userid: str) -> None:
        """Let a player get no more boards."""
        self._db.drop(t.sunday_readers, userid=userid)

    def is_reader(self, userid: str) -> bool:
        """Return True if a player gets a board each week."""
        return bool(self._db.count(t.sunday_readers, userid=userid))

    def count_readers(self) -> int:
        """Count the players who get a board each week."""
        return self._db.count(t.sunday_readers)

    def due(self, number: int, count: int) -> list[str]:
        """Return at most ``count`` players who have not yet got the board of that number."""
        return self._db.column(
            "SELECT userid FROM sunday_readers WHERE told < :number ORDER BY userid LIMIT :count",
            number=number,
            count=count,
        )

    def tell(self, userid: str, number: int) -> bool:
        """Note that a player gets a board now; return False if the player has got it already."""
        told = self._db.changed(
            "UPDATE sunday_readers SET told = :number WHERE userid = :userid AND told < :number",
            userid=userid,
            number=number,
        )
        return told > 0
