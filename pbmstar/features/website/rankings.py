"""Tables on the site, which features make of the players who may be seen.

Not only the boards that everybody may see change these tables. So each page has a mark of its own; if the
mark changes, the page is written anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ... import games
from ...errors import Sentence, Value, say
from ...ratings.fold import Tally
from ...ratings.rating import Rating
from ...ratings.rows import Ratings
from ...service.letters.stakes import titles_of
from ...service.work.feature import Feature, TablePage
from ...store import Tx
from .catalogue import mark
from .rows import PublicBoards

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
                say("{title} ratings", title=kind.title),
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


TABLES = "ratings/index.html"  # the list of all tables
HIDDEN = "a player"  # the name of a hidden player in a table that needs the line


class Standing(NamedTuple):
    """A page of a table: its template, its title, and the facts that fill the template."""

    template: str
    title: Value
    facts: Mapping[str, Any]


class Joinable(NamedTuple):
    """A table that players can join: the name of its page, its title, the command, its player count."""

    name: str
    title: Value
    command: str
    players: int


class Standings:
    """All tables as they are now, and what the page of each player shows; of ``some`` features."""

    def __init__(self, tx: Tx, some: Iterable[Feature]) -> None:
        self._people = tx.of(PublicBoards).people()
        self.pages: dict[str, Standing] = {}
        self.of: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self.titles: dict[str, list[Sentence]] = {}
        self.tops: dict[str, Sequence[tuple[str, str]]] = {}
        self.paths: list[tuple[str, Value]] = []
        self.joinable: list[Joinable] = []
        self._of_features(tx, some)

    def marks(self) -> dict[str, str]:
        """Return a mark for each page, by name: a mark of what the page shows of the tables."""
        marks = {name: mark(repr(page)) for name, page in self.pages.items()}
        for who in self.of.keys() | self.titles.keys():
            marks[f"p/{who}.html"] = mark(repr((self.of.get(who), self.titles.get(who))))
        marks["index.html"] = mark(repr((self.tops, self.joinable)))
        marks[TABLES] = mark(repr(self.pages))
        marks["sitemap.xml"] = mark(repr(sorted(self.pages)))
        return marks

    def _of_features(self, tx: Tx, some: Iterable[Feature]) -> None:
        entered: set[str] = set()
        of_features = (page for feature in some for page in feature.pages(tx, self._name))
        for page in (*pages(tx, self._name), *of_features):
            self.pages[page.path] = Standing(page.template, page.title, page.facts)
            self.paths.append((page.path, page.title))
            if page.joins:
                self.joinable.append(Joinable(page.path, page.title, page.joins, len(page.players)))
            self.tops |= page.first
            for who, shown in page.of_each.items():
                self.of[who].append((page.path, *shown))
            entered |= page.players
        for who in entered & self._people:
            if titles := titles_of(tx, who):
                self.titles[who] = titles

    def _name(self, userid: str) -> str:
        return userid if userid in self._people else HIDDEN
