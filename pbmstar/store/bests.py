"""The best that each player has reached in each puzzle."""

from __future__ import annotations

from sqlalchemy import and_, or_, select

from . import tables as t
from .rows import Best
from .statements import Connection, every, p, upsert

_bests = t.bests.c
_new = upsert(t.bests).values(**every(t.bests))
_KEEP = _new.on_conflict_do_update(
    index_elements=["game", "options", "userid"],
    set_={name: _new.excluded[name] for name in ("rank", "turns", "at", "board", "note")},
    where=or_(
        _new.excluded.rank < _bests.rank,
        and_(_new.excluded.rank == _bests.rank, _new.excluded.turns < _bests.turns),
    ),
)
_BESTS = (
    select(t.bests)
    .where(_bests.game == p("game"), _bests.options == p("options"))
    .order_by(_bests.rank, _bests.turns, _bests.at)
    .limit(p("count"))
)


class Bests(Connection):
    """The part of a transaction that knows what was reached in puzzles."""

    def keep_best(self, best: Best) -> None:
        """Keep what a player has reached, if the player has not reached as much before."""
        self._do(_KEEP, **best._asdict())

    def bests(self, game: str, options: str, count: int) -> list[Best]:
        """The best of at most ``count`` players, the best first, of equal ones the earliest."""
        rows = self._run(_BESTS, game=game, options=options, count=count).fetchall()
        return [Best._make(row) for row in rows]
