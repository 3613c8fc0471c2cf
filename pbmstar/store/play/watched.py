"""The boards that players watch, and the players whose games they watch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, or_, select

from .. import schema as t
from ..statements import Subject, by, keep, p

_watches, _followers = t.watches.c, t.followers.c

_WATCH = keep(t.watches)
_UNWATCH = delete(t.watches).where(by(_watches, "board", "userid"))
_END = delete(t.watches).where(_watches.board == p("board"))
_WATCHERS = (
    select(_watches.userid, _watches.how)
    .where(_watches.board == p("board"))
    .order_by(_watches.userid)
)
_WATCHED = (
    select(_watches.board, _watches.how)
    .where(_watches.userid == p("userid"))
    .order_by(_watches.board)
)
_FOLLOW = keep(t.followers)
_UNFOLLOW = delete(t.followers).where(
    _followers.player == p("player"), _followers.userid == p("userid")
)
_FOLLOWERS = (
    select(_followers.userid, _followers.how)
    .where(or_(_followers.player == p("one"), _followers.player == p("other")))
    .order_by(_followers.userid)
)
_FOLLOWED = (
    select(_followers.player, _followers.how)
    .where(_followers.userid == p("userid"))
    .order_by(_followers.player)
)
_COUNT = select(func.count()).where(_watches.userid == p("userid"))
_FORGET = (
    delete(t.watches).where(_watches.userid == p("userid")),
    delete(t.followers).where(
        or_(_followers.userid == p("userid"), _followers.player == p("userid"))
    ),
)


class Watcher(NamedTuple):
    """A player who watches, or the watched board's number or player; and how the news is told."""

    name: str
    how: str


class Watches(Subject):
    """Boards and players that others watch."""

    def watch(self, board: int, userid: str, how: str) -> None:
        """Let a player watch a board, or watch it in another way."""
        self._db.forget("board", board)
        self._db.do(_WATCH, board=board, userid=userid, how=how)

    def unwatch(self, board: int, userid: str) -> bool:
        """Let a player watch a board no more; return False if the player did not watch it."""
        self._db.forget("board", board)
        return bool(self._db.changed(_UNWATCH, board=board, userid=userid))

    def end(self, board: int) -> None:
        """Let nobody watch a board any more: its game is over."""
        self._db.forget("board", board)
        self._db.do(_END, board=board)

    def watchers(self, board: int) -> list[Watcher]:
        """Return the players who watch a board."""
        return self._db.all(Watcher, _WATCHERS, board=board)

    def watched(self, userid: str) -> list[Watcher]:
        """Return the boards that a player watches."""
        rows = self._db.rows(_WATCHED, userid=userid)
        return [Watcher(str(board), how) for board, how in rows]

    def count(self, userid: str) -> int:
        """Count the boards that a player watches."""
        return self._db.number(_COUNT, userid=userid)

    def follow(self, player: str, userid: str, how: str) -> None:
        """Let ``userid`` watch the new games of a player too."""
        self._db.do(_FOLLOW, player=player, userid=userid, how=how)

    def unfollow(self, player: str, userid: str) -> bool:
        """Let ``userid`` watch no new games of a player; return False if ``userid`` did not watch them."""
        return bool(self._db.changed(_UNFOLLOW, player=player, userid=userid))

    def followers(self, seats: Sequence[str]) -> list[Watcher]:
        """Return the players who watch the games of one of the players of a new game."""
        one, other = (*seats, *seats)[:2]
        return self._db.all(Watcher, _FOLLOWERS, one=one, other=other)

    def followed(self, userid: str) -> list[Watcher]:
        """Return the players whose games ``userid`` watches."""
        return self._db.all(Watcher, _FOLLOWED, userid=userid)

    def forget(self, userid: str) -> None:
        """Forget the boards and players that a player watches, and the watchers of the player's new games."""
        self._db.forget("board")
        for statement in _FORGET:
            self._db.do(statement, userid=userid)
