"""The work of the bots: boards that wait for a bot, which are the queue, and reviews."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from sqlalchemy import and_, delete, func, or_, select

from ...store import schema
from ...store.statements import Subject, add_once, p, quoted
from . import tables as t
from .players import PLAYERS as BOTS

THOUGHT = 1200.0  # seconds that all tries at one answer take at most; after them a claim is void


class BotTask(NamedTuple):
    """A board on which a bot is to move, with the opponent and the beginning of the turn."""

    board: int
    bot: str
    person: str
    since: float


class WaitingBots(NamedTuple):
    """The number of boards that wait for a bot, and the time since which the oldest waits."""

    boards: int
    since: float | None


_boards, _seats = schema.boards.c, schema.seats.c
_reviews, _thoughts = t.reviews.c, t.thoughts.c

_waits = _boards.to_move.in_([quoted(bot) for bot in BOTS])
_TURNS = (
    select(_boards.board, _boards.to_move, _seats.userid, _boards.since)
    .join(schema.seats, and_(_seats.board == _boards.board, _seats.userid != _boards.to_move))
    .where(_waits, _boards.to_move.in_([p(bot) for bot in BOTS]))
    .order_by(_boards.since, _boards.board)
    .limit(p("count"))
)
_WAITING = select(func.count(), func.min(_boards.since)).where(_waits)
_TO_REVIEW = select(_reviews.board).order_by(_reviews.at, _reviews.board).limit(p("count"))
_THINK = add_once(t.thoughts)
_DROP_NODE = delete(t.thoughts).where(_thoughts.owner.like(p("beginning")))
# A wrong clock sets times in the future.
_DROP_OLD = delete(t.thoughts).where(or_(_thoughts.at < p("before"), _thoughts.at > p("beyond")))


class Bots(Subject):
    """Boards that wait for a bot, and reviews of finished games."""

    def turns(self, count: int, levels: Iterable[int] = range(1, 10)) -> list[BotTask]:
        """Return at most ``count`` boards where a bot of these levels is to move, the oldest turn first."""
        wanted = {BOTS[level - 1] for level in levels}
        bots = {bot: bot if bot in wanted else "" for bot in BOTS}
        return self._db.all(BotTask, _TURNS, count=count, **bots)

    def waiting(self) -> WaitingBots:
        """Count the boards on which a bot is to move."""
        return WaitingBots(*self._db.row(_WAITING))

    def think(self, owner: str, board: int, at: float) -> bool:
        """Claim a board to think about. Return False if another owner has claimed it."""
        return bool(self._db.changed(_THINK, board=board, owner=owner, at=at))

    def thought_about(self, at: float) -> set[int]:
        """Return the claimed boards; drop the claims that are too old."""
        self._db.do(_DROP_OLD, before=at - THOUGHT, beyond=at + THOUGHT)
        return set(self._db.values(_thoughts.board))

    def drop_thought(self, owner: str) -> None:
        """Drop the claims of this owner."""
        self._db.drop(t.thoughts, owner=owner)

    def drop_thoughts_of(self, node: str) -> None:
        """Drop the claims of all places of a node."""
        self._db.do(_DROP_NODE, beginning=f"{node}.%")

    def await_review(self, board: int, userid: str, at: float) -> None:
        """Note that a player waits for the review of a board."""
        self._db.add_once(t.reviews, board=board, userid=userid, at=at)

    def reviews_awaited(self) -> int:
        """Count the players who wait for a review, once for each board."""
        return self._db.count(t.reviews)

    def boards_to_review(self, count: int) -> list[int]:
        """Return at most ``count`` boards with players who wait for a review, the longest wait first."""
        return self._db.column(_TO_REVIEW, count=count)

    def end_review(self, board: int) -> list[str]:
        """Return the userids that wait for the review of a board, and forget the waiting."""
        readers = self._db.values(_reviews.userid, board=board)
        self._db.drop(t.reviews, board=board)
        return readers

    def review(self, board: int, resets: int, length: int) -> str | None:
        """Return the review of a board in its present state, as JSON; None if there is none."""
        place = {"board": board, "resets": resets, "length": length}
        return cast(str | None, self._db.value(t.reviewed.c.data, **place))

    def keep_review(self, board: int, resets: int, length: int, data: str) -> None:
        """Keep the review of a board."""
        self._db.drop(t.reviewed, board=board)
        self._db.add(t.reviewed, board=board, resets=resets, length=length, data=data)
