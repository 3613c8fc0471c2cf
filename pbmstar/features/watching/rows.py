"""The boards that players watch, and the players whose games they watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Integer, Table, Text

from ...store.columns import primary, required, table
from ...store.statements import Repository

# The players who watch a board that runs; how: they are told by each, end or digest.
watches = table(
    "watches",
    *primary(board=Integer, userid=Text),
    *required(how=Text),
    indexed=("userid",),
    own=True,
    of_board=True,
    counted=True,
)

# The players who watch each new game of a player, in the same ways.
followers = table(
    "followers",
    *primary(player=Text, userid=Text),
    *required(how=Text),
    indexed=("userid",),
    own=True,
)

TABLES: tuple[Table, ...] = (watches, followers)


class Watcher(NamedTuple):
    """A player who watches, or the watched board's number or player; and how the news is told."""

    name: str
    how: str


class Watches(Repository):
    """Boards and players that others watch."""

    def watch(self, board: int, userid: str, how: str) -> None:
        """Let a player watch a board, or watch it in another way."""
        self._db.forget("board", board)
        self._db.keep(watches, board=board, userid=userid, how=how)

    def unwatch(self, board: int, userid: str) -> bool:
        """Let a player watch a board no more; return False if the player did not watch it."""
        self._db.forget("board", board)
        return self._db.dropped(watches, board=board, userid=userid)

    def end(self, board: int) -> None:
        """Let nobody watch a board any more: its game is over."""
        self._db.forget("board", board)
        self._db.drop(watches, board=board)

    def watchers(self, board: int) -> list[Watcher]:
        """Return the players who watch a board."""
        return self._db.all(
            Watcher,
            "SELECT userid, how FROM watches WHERE board = :board ORDER BY userid",
            board=board,
        )

    def watched(self, userid: str) -> list[Watcher]:
        """Return the boards that a player watches."""
        rows = self._db.rows(
            "SELECT board, how FROM watches WHERE userid = :userid ORDER BY board", userid=userid
        )
        return [Watcher(str(board), how) for board, how in rows]

    def count(self, userid: str) -> int:
        """Count the boards that a player watches."""
        return self._db.count(watches, userid=userid)

    def follow(self, player: str, userid: str, how: str) -> None:
        """Let ``userid`` watch the new games of a player too."""
        self._db.keep(followers, player=player, userid=userid, how=how)

    def unfollow(self, player: str, userid: str) -> bool:
        """Let ``userid`` watch no new games of a player; return False if ``userid`` did not watch them."""
        return self._db.dropped(followers, player=player, userid=userid)

    def followers(self, seats: Sequence[str]) -> list[Watcher]:
        """Return the players who watch the games of one of the players of a new game."""
        one, other = (*seats, *seats)[:2]
        return self._db.all(
            Watcher,
            "SELECT userid, how FROM followers WHERE player IN (:one, :other) ORDER BY userid",
            one=one,
            other=other,
        )

    def followed(self, userid: str) -> list[Watcher]:
        """Return the players whose games ``userid`` watches."""
        return self._db.all(
            Watcher,
            "SELECT player, how FROM followers WHERE userid = :userid ORDER BY player",
            userid=userid,
        )

    def forget(self, userid: str) -> None:
        """Forget the boards and players that a player watches, and the watchers of the player's new games."""
        self._db.forget("board")
        self._db.drop(watches, userid=userid)
        self._db.drop(followers, userid=userid)
        self._db.drop(followers, player=userid)
