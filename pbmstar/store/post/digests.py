"""Digests: the time of a player's next one, its contents, and the digests that were sent."""

from __future__ import annotations

from typing import cast

from ...machine.times import Epoch
from .. import schema as t
from ..statements import PRUNED, Repository


class Digests(Repository):
    """Digests, and the news that waits for the next ones."""

    def due(self, now: Epoch, count: int) -> list[tuple[str, float]]:
        """Return at most ``count`` players whose digest is due, each with the time when it fell due."""
        rows = self._db.rows(
            "SELECT userid, digest_due FROM users WHERE digest_due <= :now"
            " ORDER BY digest_due LIMIT :count",
            now=now,
            count=count,
        )
        return [(userid, due) for userid, due in rows]

    def move_on(self, userid: str, was: Epoch, due: Epoch | None) -> bool:
        """Set the time of the next digest, or None. Return False if the time is no longer ``was``."""
        self._db.forget("user")
        moved = self._db.changed(
            "UPDATE users SET digest_due = :due WHERE userid = :userid AND digest_due = :was",
            userid=userid,
            was=was,
            due=due,
        )
        return moved > 0

    def add(self, userid: str, at: Epoch, boards: str, daily: bool = True) -> int:
        """Keep the turns in a digest, or in another letter of several boards; return its number."""
        return self._db.numbered(t.digests, userid=userid, at=at, boards=boards, daily=int(daily))

    def last(self, userid: str) -> Epoch | None:
        """Return the time of a player's last digest; None if it is not known."""
        (at,) = self._db.row(
            "SELECT max(at) FROM digests WHERE userid = :userid AND daily = 1", userid=userid
        )
        return cast(float | None, at)

    def get(self, number: int) -> tuple[str, str] | None:
        """Return the userid of a digest and the turns in it; None if it is forgotten."""
        row = self._db.row("SELECT userid, boards FROM digests WHERE id = :id", id=number)
        return (row[0], row[1]) if row else None

    def add_untold(self, userid: str, board: int, at: Epoch, data: str) -> None:
        """Keep news of a board for a player's next digest."""
        self._db.add(t.untold, userid=userid, board=board, at=at, data=data)

    def untold(self, userid: str) -> list[tuple[int, str]]:
        """Return the news that waits for a player's next digest, the oldest first: the board, and JSON."""
        rows = self._db.rows(
            "SELECT board, data FROM untold WHERE userid = :userid ORDER BY id", userid=userid
        )
        return [(board, data) for board, data in rows]

    def drop_untold(self, userid: str) -> None:
        """Forget the news that waits for a player's next digest."""
        self._db.drop(t.untold, userid=userid)

    def prune(self, before: float) -> bool:
        """Forget digests from before a time: replies to them then do nothing. True if there may be more."""
        done = self._db.changed(
            "DELETE FROM digests WHERE id IN"
            " (SELECT id FROM digests WHERE at < :before LIMIT :most)",
            before=before,
            most=PRUNED,
        )
        return done == PRUNED
