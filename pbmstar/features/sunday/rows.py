"""The rows of the Sunday game."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import Integer, Table, Text

from ...match import UNFINISHED
from ...store.columns import about, nullable, primary, required, table
from ...store.statements import Repository, columns

# week: see ``rules``; seat: where the person sits, 0 moves first; is_over: all its games have been counted.
sundays = Table(
    "sundays",
    *about("number", *required(week=Integer, game=Text, options=Text, bot=Text, seat=Integer)),
    *required(is_over=Integer),
)

# The board of each player; margin: the points by which the player won, below 0 lost; null until the end.
sunday_boards = table(
    "sunday_boards",
    *primary(number=Integer, userid=Text),
    *required(board=Integer),
    *nullable(margin=Integer),
    indexed=("board",),
    own=True,
    of_board=True,
)

# The players who get a board each week; told: the number of the last one; idle: the last boards in a row
# that the player has not played.
sunday_readers = table(
    "sunday_readers",
    *primary(userid=Text),
    *required(told=Integer),
    *required("0", idle=Integer),
    own=True,
)

TABLES: tuple[Table, ...] = (sundays, sunday_boards, sunday_readers)


class Sunday(NamedTuple):
    """The game of a week; see ``TABLES``."""

    number: int
    week: int
    game: str
    options: str
    bot: str
    seat: int
    is_over: int = 0


class SundayBoard(NamedTuple):
    """A player's board of a Sunday; see ``TABLES``."""

    number: int
    userid: str
    board: int
    margin: int | None = None


class Sundays(Repository):
    """The Sunday games, and their players."""

    def newest(self) -> Sunday | None:
        """Return the newest Sunday game, locked until the end of the transaction."""
        return self._db.one(
            Sunday,
            f"SELECT {columns(Sunday)} FROM sundays ORDER BY number DESC LIMIT 1 FOR UPDATE",
        )

    def get(self, number: int) -> Sunday | None:
        """Return the Sunday game of that number."""
        return self._db.find(Sunday, sundays, number=number)

    def add(self, sunday: Sunday) -> bool:
        """Keep a new Sunday game; return False if there is one of that number."""
        return self._db.added(sundays, **sunday._asdict())

    def end(self, number: int) -> None:
        """Keep that all games of a Sunday have been counted."""
        self._db.change(sundays, {"number": number}, is_over=1)

    def add_board(self, number: int, userid: str, board: int) -> None:
        """Keep the board of a player."""
        self._db.add(sunday_boards, number=number, userid=userid, board=board, margin=None)

    def has_board(self, number: int, userid: str) -> bool:
        """Return True if a player has a board of that Sunday."""
        return bool(self._db.count(sunday_boards, number=number, userid=userid))

    def of_board(self, board: int) -> SundayBoard | None:
        """Return whose board that is, and of which Sunday; None if it is of none."""
        return self._db.find(SundayBoard, sunday_boards, board=board)

    def listed(self, number: int) -> list[tuple[str, int, int, int | None]]:
        """Return the boards of a Sunday by player: the userid, the board, its moves, and the margin."""
        rows = self._db.rows(
            """
            SELECT userid, board, (
                SELECT count(*) FROM moves WHERE moves.board = sunday_boards.board AND number IS NOT NULL
            ), margin FROM sunday_boards WHERE number = :number ORDER BY userid
            """,
            number=number,
        )
        return [(userid, board, moves, margin) for userid, board, moves, margin in rows]

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
        self._db.change(sunday_boards, {"number": of.number, "userid": of.userid}, margin=margin)

    def leave_out(self, of: SundayBoard) -> None:
        """Forget a board: its player has not played."""
        self._db.drop(sunday_boards, number=of.number, userid=of.userid)

    def results(self, number: int) -> list[tuple[str, int, int, bool]]:
        """Return what each has done who played on a Sunday and has an account still.

        It is the userid, the board, the margin, and True if the game was not finished in time.
        """
        rows = self._db.rows(
            """
            SELECT users.userid, board, margin, EXISTS (
                SELECT 1 FROM moves WHERE moves.board = sunday_boards.board AND move = :unfinished
            )
            FROM sunday_boards JOIN users ON users.userid = sunday_boards.userid
            WHERE number = :number AND margin IS NOT NULL AND state != 'closed'
            """,
            number=number,
            unfinished=UNFINISHED,
        )
        return [(userid, board, margin, bool(cut)) for userid, board, margin, cut in rows]

    def of_season(self, first: int, last: int) -> list[tuple[int, str, int]]:
        """Return the number, the player and the margin of each counted game of some Sundays."""
        rows = self._db.rows(
            """
            SELECT number, users.userid, margin
            FROM sunday_boards JOIN users ON users.userid = sunday_boards.userid
            WHERE number >= :first AND number <= :last AND margin IS NOT NULL AND state != 'closed'
            """,
            first=first,
            last=last,
        )
        return [(number, userid, margin) for number, userid, margin in rows]

    def has_played(self, number: int, names: Collection[str]) -> bool:
        """Return True if one of these players has played a Sunday game that is over."""
        played = {userid for userid, *_ in self.results(number)}
        return not played.isdisjoint(names)

    def count_players(self, number: int) -> int:
        """Count the boards of a Sunday."""
        return self._db.count(sunday_boards, number=number)

    # -- the readers

    def subscribe(self, userid: str, told: int) -> None:
        """Let a player get a board each week, the first one after the number ``told``."""
        self._db.add_once(sunday_readers, userid=userid, told=told, idle=0)

    def unsubscribe(self, userid: str) -> None:
        """Let a player get no more boards."""
        self._db.drop(sunday_readers, userid=userid)

    def note(self, userid: str, has_played: bool) -> int:
        """Note that a player has played a board or not; return how many in a row were not played."""
        idle = "0" if has_played else "idle + 1"
        self._db.changed(
            f"UPDATE sunday_readers SET idle = {idle} WHERE userid = :userid", userid=userid
        )
        found = self._db.column(
            "SELECT idle FROM sunday_readers WHERE userid = :userid", userid=userid
        )
        return sum(found)

    def is_reader(self, userid: str) -> bool:
        """Return True if a player gets a board each week."""
        return bool(self._db.count(sunday_readers, userid=userid))

    def count_readers(self) -> int:
        """Count the players who get a board each week."""
        return self._db.count(sunday_readers)

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
