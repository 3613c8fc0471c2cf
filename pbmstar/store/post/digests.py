"""Digests: the time of a player's next one, its contents, and the digests that were sent."""

from __future__ import annotations

from sqlalchemy import delete, func, select, update

from .. import schema as t
from ..statements import PRUNED, Subject, by, p

_users, _digests, _untold = t.users.c, t.digests.c, t.untold.c

_DUE = (
    select(_users.userid, _users.digest_due)
    .where(_users.digest_due <= p("now"))
    .order_by(_users.digest_due)
    .limit(p("count"))
)
_MOVE_ON = (
    update(t.users)
    .where(by(t.users, "userid"), _users.digest_due == p("was"))
    .values(digest_due=p("due"))
)
_LAST = select(func.max(_digests.at)).where(by(t.digests, "userid"))
_DIGEST = select(_digests.userid, _digests.boards).where(by(t.digests, "id"))
_UNTOLD = select(_untold.board, _untold.data).where(by(t.untold, "userid")).order_by(_untold.id)
_PRUNE = delete(t.digests).where(
    _digests.id.in_(select(_digests.id).where(_digests.at < p("before")).limit(PRUNED))
)


class Digests(Subject):
    """Digests, and the news that waits for the next ones."""

    def due(self, now: float, count: int) -> list[tuple[str, float]]:
        """Return at most ``count`` players whose digest is due, each with the time when it fell due."""
        return [(userid, due) for userid, due in self._db.rows(_DUE, now=now, count=count)]

    def move_on(self, userid: str, was: float, due: float | None) -> bool:
        """Set the time of the next digest, or None. Return False if the time is no longer ``was``."""
        self._db.forget("user")
        return bool(self._db.changed(_MOVE_ON, userid=userid, was=was, due=due))

    def add(self, userid: str, at: float, boards: str) -> int:
        """Keep the turns in a digest; return its number."""
        return self._db.numbered(t.digests, userid=userid, at=at, boards=boards)

    def last(self, userid: str) -> float | None:
        """Return the time of a player's last digest; None if it is not known."""
        at: float | None = self._db.row(_LAST, userid=userid)[0]
        return at

    def get(self, number: int) -> tuple[str, str] | None:
        """Return the userid of a digest and the turns in it; None if it is forgotten."""
        row = self._db.row(_DIGEST, id=number)
        return (row[0], row[1]) if row else None

    def add_untold(self, userid: str, board: int, at: float, data: str) -> None:
        """Keep news of a board for a player's next digest."""
        self._db.add(t.untold, userid=userid, board=board, at=at, data=data)

    def untold(self, userid: str) -> list[tuple[int, str]]:
        """Return the news that waits for a player's next digest, the oldest first: the board, and JSON."""
        return [(board, data) for board, data in self._db.rows(_UNTOLD, userid=userid)]

    def drop_untold(self, userid: str) -> None:
        """Forget the news that waits for a player's next digest."""
        self._db.drop(t.untold, userid=userid)

    def prune(self, before: float) -> bool:
        """Forget digests from before a time: replies to them then do nothing. True if there may be more."""
        return self._db.changed(_PRUNE, before=before) == PRUNED
