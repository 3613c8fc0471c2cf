"""The winners of leagues in the store, and the players who did not move."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Double, Integer, Table, Text

from ...machine.times import Epoch
from ...store.columns import primary, required, table
from ...store.statements import Repository

# The winner of each division of a season that is over: cached.
titles = table(
    "titles",
    *primary(contest=Integer, userid=Text),
    *required(game=Text, season=Integer, division=Integer, divisions=Integer, at=Double),
    indexed=("userid",),
)

TABLES: tuple[Table, ...] = (titles,)


class Title(NamedTuple):
    """The first place of a division; see schema."""

    contest: int
    userid: str
    game: str
    season: int
    division: int
    divisions: int
    at: Epoch


_MOVERS = """
    SELECT DISTINCT userid FROM moves JOIN pairings ON pairings.board = moves.board
    WHERE contest = :contest
"""


class Titles(Repository):
    """The winners of each season, and who was idle in it."""

    def keep(self, contest: int, won: Iterable[Title]) -> None:
        """Keep the winners of a season, and no others."""
        self._db.drop(titles, contest=contest)
        self._db.add_each(titles, [title._asdict() for title in won])

    def of(self, contest: int) -> list[Title]:
        """Return the winners of a season, by division."""
        return self._db.ordered(Title, titles, "division", contest=contest)

    def of_player(self, userid: str) -> list[Title]:
        """Return the titles of a player, the oldest first."""
        return self._db.ordered(Title, titles, "at", userid=userid)

    def idle(self, contest: int, since: Epoch) -> set[str]:
        """Return the players who were to move on a judged board and have not moved since ``since``."""
        moved = self._db.column(
            f"{_MOVERS} AND move != 'judged' AND at >= :since", contest=contest, since=since
        )
        judged = self._db.column(f"{_MOVERS} AND move = 'judged'", contest=contest)
        return set(judged).difference(moved)
