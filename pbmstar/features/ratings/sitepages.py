"""Ratings on the site: a table for each game, and the ratings of a player with their curves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ... import games
from ...errors import say
from ...store import Tx
from ..values import TablePage
from .fold import Tally
from .rating import Rating
from .rows import Ratings

_TOP = 5  # players of a game on the front page
_HISTORY = 300  # games of a curve
_KINDS = [kind for kind in games.GAMES if len(kind.seats) == 2]


def pages(tx: Tx, name: Callable[[str], str]) -> Iterator[TablePage]:
    """Yield the table of each game with ratings of players who may be seen.

    Those whose ratings are provisional come after the others.
    """
    for kind in _KINDS:
        tables: list[list[tuple[Any, ...]]] = []
        of_each: dict[str, tuple[Any, ...]] = {}
        for practice in (False, True):
            rows = []
            for userid, tally in tx.of(Ratings).listed(kind.word, practice):
                if name(userid) == userid:
                    numbers = (_shown(tally), round(tally.deviation), tally.games)
                    rows.append((userid, *numbers, tally.won, tally.lost, tally.tied))
                    of_each[userid] = (*of_each.get(userid, ()), (practice, *numbers))
            tables.append(sorted(rows, key=lambda row: row[1].endswith("?")))
        if any(tables):
            first = [(who, rating) for who, rating, *_ in tables[0][:_TOP]]
            yield TablePage(
                f"ratings/{games.path_of(kind.word)}.html",
                "ratings.html",
                say("Ratings of {title}", title=kind.title),
                {"people": tables[0], "practice": tables[1]},
                first={kind.title: first},
                of_each=of_each,
            )


def profile(tx: Tx, userid: str) -> dict[str, Any]:
    """Return a player's ratings in each game, among people and in practice, each with its curve."""
    known = {(game, practice): tally for game, practice, tally in tx.of(Ratings).all_of(userid)}
    rows = [
        (
            kind.title,
            practice,
            *(_shown(tally), round(tally.deviation), tally.games),
            _curve(tx, userid, kind.word, practice),
        )
        for kind in _KINDS
        for practice in (False, True)
        if (tally := known.get((kind.word, practice)))
    ]
    return {"ratings": rows}


def _shown(tally: Tally) -> str:
    """Return a rating as lists show it: one that is provisional has a ``?``."""
    return str(Rating(tally.rating, tally.deviation))


def _curve(tx: Tx, who: str, word: str, practice: bool) -> dict[str, Any] | None:
    """Return a player's ratings in a game as the path of a line, the last one on the right.

    Return None if there are fewer than two.
    """
    past = tx.of(Ratings).history(who, word, practice, _HISTORY)
    values = [round(each.tally.rating) for each in reversed(past)]
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    points = " ".join(f"{at} {high - value}" for at, value in enumerate(values))
    return {"path": f"M{points}", "steps": len(values) - 1, "low": low, "high": high}
