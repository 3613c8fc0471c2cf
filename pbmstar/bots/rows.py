"""The work of the bots: boards that wait for a bot, which are the queue, and reviews."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, cast

from ..machine.times import Epoch
from ..match import BOTS
from ..store import schema as t
from ..store.statements import Repository
from .engine.levels import NUMBERS

THOUGHT = 1200.0  # seconds that all tries at one answer take at most; after them a claim is void


class BotTask(NamedTuple):
    """A board on which a bot is to move, with the opponent and the beginning of the turn."""

    board: int
    bot: str
    person: str
    since: Epoch


class WaitingBots(NamedTuple):
    """The number of boards that wait for a bot, and the time since which the oldest waits."""

    boards: int
    since: Epoch | None


# Written out: the index of these boards serves only a condition that the planner can read.
_WAITS = f"to_move IN ({', '.join(map(repr, BOTS))})"


class Bots(Repository):
    """Boards that wait for a bot, and reviews of finished games."""

    def turns(self, count: int, levels: Iterable[int] = NUMBERS) -> list[BotTask]:
        """Return at most ``count`` boards where a bot of these levels is to move, the oldest turn first."""
        wanted = {BOTS[level - 1] for level in levels}
        bots = {bot: bot if bot in wanted else "" for bot in BOTS}
        return self._db.all(
            BotTask,
            f"""
            SELECT boards.board, to_move, userid, since
            FROM boards JOIN seats ON seats.board = boards.board AND userid != to_move
            WHERE {_WAITS} AND to_move IN ({", ".join(f":{bot}" for bot in BOTS)})
            ORDER BY since, boards.board LIMIT :count
            """,
            count=count,
            **bots,
        )

    def waiting(self) -> WaitingBots:
        """Count the boards on which a bot is to move."""
        return WaitingBots(*self._db.row(f"SELECT count(*), min(since) FROM boards WHERE {_WAITS}"))

    def waits(self, since: Epoch) -> dict[str, list[float]]:
        """Return by bot the seconds from the beginning of each turn to its answer, for answers since then."""
        waits: dict[str, list[float]] = {}
        for bot, seconds in self._db.rows(
            f"""
            SELECT moves.userid, moves.at - before.at
            FROM moves JOIN moves AS before ON before.board = moves.board AND before.seq = moves.seq - 1
            WHERE moves.userid IN ({", ".join(map(repr, BOTS))})
                AND moves.board IN (SELECT board FROM boards WHERE since >= :since) AND moves.at >= :since
            """,
            since=since,
        ):
            waits.setdefault(bot, []).append(max(seconds, 0.0))
        return waits

    def think(self, owner: str, board: int, at: Epoch) -> bool:
        """Claim a board to think about. Return False if another owner has claimed it."""
        return self._db.added(t.thoughts, board=board, owner=owner, at=at)

    def thought_about(self, at: Epoch) -> set[int]:
        """Return the claimed boards; drop the claims that are too old, or that a wrong clock set."""
        self._db.do(
            "DELETE FROM thoughts WHERE at < :before OR at > :beyond",
            before=at - THOUGHT,
            beyond=at + THOUGHT,
        )
        return set(self._db.values(t.thoughts.c.board))

    def drop_thought(self, owner: str) -> None:
        """Drop the claims of this owner."""
        self._db.drop(t.thoughts, owner=owner)

    def drop_thoughts_of(self, node: str) -> None:
        """Drop the claims of all places of a node."""
        self._db.do("DELETE FROM thoughts WHERE owner LIKE :places", places=f"{node}.%")

    def known_answer(self, series: str, position: str) -> str | None:
        """Return the answer to a position in the games of a series, as JSON; None if none is known."""
        return cast(str | None, self._db.value(t.answers.c.reply, series=series, position=position))

    def keep_answer(self, series: str, position: str, reply: str) -> None:
        """Keep the answer to a position in the games of a series, unless one is kept already."""
        self._db.add_once(t.answers, series=series, position=position, reply=reply)

    def forget_answers(self, series: str) -> None:
        """Forget the answers in the games of a series: they are over."""
        self._db.drop(t.answers, series=series)

    def await_review(self, board: int, userid: str, at: Epoch) -> None:
        """Note that a player waits for the review of a board."""
        self._db.add_once(t.reviews, board=board, userid=userid, at=at)

    def reviews_awaited(self) -> int:
        """Count the players who wait for a review, once for each board."""
        return self._db.count(t.reviews)

    def boards_to_review(self, count: int) -> list[int]:
        """Return at most ``count`` boards with players who wait for a review, the longest wait first."""
        return self._db.column(
            "SELECT board FROM reviews ORDER BY at, board LIMIT :count", count=count
        )

    def end_review(self, board: int) -> list[str]:
        """Return the userids that wait for the review of a board, and forget the waiting."""
        readers = self._db.values(t.reviews.c.userid, board=board)
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
