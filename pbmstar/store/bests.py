"""The best that each player has reached in each puzzle."""

from __future__ import annotations

from sqlalchemy import Column, Double, Index, Integer, Table, Text, and_, or_, select

from . import tables as t
from .rows import Best
from .statements import Connection, every, p, upsert

# The best that each player has reached in each puzzle. It stays when the board is put back or removed.
bests = Table(
    "bests",
    t.metadata,
    Column("game", Text, primary_key=True),
    Column("options", Text, primary_key=True),  # as of the board
    Column("userid", Text, primary_key=True),
    Column("rank", Integer, nullable=False),  # 0 is as good as can be
    Column("turns", Integer, nullable=False),  # 0 where they do not matter
    Column("at", Double, nullable=False),
    Column("board", Integer, nullable=False),
    Column("note", Text, nullable=False),  # in words: 17 queens, every cell is guarded
    Index("bests_first", "game", "options", "rank", "turns", "at"),
    sqlite_with_rowid=False,
)
_bests = bests.c
_new = upsert(bests).values(**every(bests))
_KEEP = _new.on_conflict_do_update(
    index_elements=["game", "options", "userid"],
    set_={name: _new.excluded[name] for name in ("rank", "turns", "at", "board", "note")},
    where=or_(
        _new.excluded.rank < _bests.rank,
        and_(_new.excluded.rank == _bests.rank, _new.excluded.turns < _bests.turns),
    ),
)
_BESTS = (
    select(bests)
    .where(_bests.game == p("game"), _bests.options == p("options"))
    .order_by(_bests.rank, _bests.turns, _bests.at)
    .limit(p("count"))
)


_BEST_OF = select(_bests.rank, _bests.turns).where(
    _bests.game == p("game"), _bests.options == p("options"), _bests.userid == p("userid")
)


class Bests(Connection):
    """The part of a transaction that knows what was reached in puzzles."""

    def keep_best(self, best: Best) -> None:
        """Keep what a player has reached, if the player has not reached as much before."""
        self._do(_KEEP, **best._asdict())

    def best_of(self, game: str, options: str, userid: str) -> tuple[int, int] | None:
        """Rank and turns of the best that a player has reached; None if there is none."""
        row = self._row(_BEST_OF, game=game, options=options, userid=userid)
        return (int(row[0]), int(row[1])) if row else None

    def bests(self, game: str, options: str, count: int) -> list[Best]:
        """The best of at most ``count`` players, the best first, of equal ones the earliest."""
        rows = self._run(_BESTS, game=game, options=options, count=count).fetchall()
        return [Best._make(row) for row in rows]
