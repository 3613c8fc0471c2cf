"""The boards that wait for a player, and the players who offer a game without conditions."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Table, Text

from ...machine.times import Epoch
from ...store import User
from ...store.columns import primary, table
from ...store.schema import boards
from ...store.statements import Repository, renew

windows = table("closed_windows", *primary(userid=Text), own=True)

TABLES: tuple[Table, ...] = (windows,)


class Waiting(NamedTuple):
    """A board that waits for a player's move, or an offer that the player may be able to take.

    number   of the board, or of the offer
    userid   the opponent, or the player who offers the game
    address  where that player gets letters; this and the rest is empty for a board, whose number is enough
    game     the game's word; ``options`` and ``terms`` of an offer, as JSON
    """

    is_offer: int
    number: int
    userid: str
    address: str
    game: str
    options: str
    terms: str


class Window(Repository):
    """All that players see at the window."""

    def seen(self, user: User, board: int, now: Epoch, most: int) -> list[Waiting]:
        """Return what waits for a player besides a board, the oldest first; nothing if the window is closed.

        There are at most ``most`` boards, and as many offers. This is one statement, for letters after each
        move; so it leaves out offers with conditions, and offers by players who limit or refuse games, or are
        away. To take an offer decides anyway if it can be taken.
        """
        # The row of this board may wait to be written: the query leaves that board out.
        if any(each != board for each in self._db.keys(boards, renew)):
            self._db.write()
        rows = self._db.stored(
            boards,
            """
            SELECT is_offer, number, userid, address, game, options, terms FROM (
                SELECT * FROM (
                    SELECT 0 AS is_offer, boards.board AS number, other.userid AS userid, '' AS address,
                        '' AS game, '' AS options, '' AS terms, since
                    FROM boards
                        JOIN seats AS other ON other.board = boards.board AND other.userid != :userid
                    WHERE to_move = :userid AND to_move != '' AND boards.board != :board
                    ORDER BY since, boards.board LIMIT :most
                ) AS own
                UNION ALL
                SELECT * FROM (
                    SELECT 1 AS is_offer, number, offers.userid AS userid, address,
                        game, options, terms, offers.made AS since
                    FROM offers JOIN users ON users.userid = offers.userid
                    WHERE closed IS NULL AND (until IS NULL OR until > :now)
                        AND low IS NULL AND within IS NULL AND is_new = 0
                        AND offers.userid != :userid AND state = 'active'
                        AND most IS NULL AND refuses = '' AND (away IS NULL OR away <= :now)
                        AND NOT EXISTS (
                            SELECT 1 FROM blocks
                            WHERE blocks.userid = offers.userid AND other = :userid
                                OR blocks.userid = :userid AND other = offers.userid
                        )
                    ORDER BY number LIMIT :most
                ) AS others
            ) AS waiting
            WHERE NOT EXISTS (SELECT 1 FROM closed_windows WHERE closed_windows.userid = :userid)
            ORDER BY is_offer, since, number
            """,
            userid=user.userid,
            board=board,
            now=now,
            most=most,
        )
        return [Waiting(*row) for row in rows]

    def is_open(self, userid: str) -> bool:
        """Return True unless a player has closed the window."""
        return not self._db.count(windows, userid=userid)

    def set(self, userid: str, is_open: bool) -> None:
        """Open or close a player's window."""
        if is_open:
            self._db.drop(windows, userid=userid)
        else:
            self._db.add_once(windows, userid=userid)
