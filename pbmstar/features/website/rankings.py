"""Ratings, ladders and leagues on the site: tables of the players who may be seen.

Not only the boards that everybody may see change these tables. So each page has a mark of its own; if the
mark changes, the page is written anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ... import games
from ...contest.rating import SURE
from ...service.letters.stakes import titles_of
from ...store import Tx
from ..feature import Feature
from .catalogue import mark
from .rows import Showcase

_TOP = 5  # players of a game on the front page; a provisional rating is not there
_HISTORY = 300  # games of a curve
HIDDEN = "a player"  # the name of a hidden player in a table that needs the line


class Standing(NamedTuple):
    """A page of a table: its template, its title, and the facts that fill the template."""

    template: str
    title: str
    facts: Mapping[str, Any]


class Season(NamedTuple):
    """The next season of a league: the name of its page, its title, its game's word, its player count."""

    name: str
    title: str
    word: str
    players: int


class Standings:
    """All tables as they are now, and the ratings of each player; those of ``some`` features."""

    def __init__(self, tx: Tx, some: Iterable[Feature]) -> None:
        self._people = tx.of(Showcase).people()
        self.pages: dict[str, Standing] = {}
        self.of: dict[str, list[tuple[str, bool, int, int, int]]] = defaultdict(list)
        self.titles: dict[str, list[str]] = {}
        self.tops: dict[str, list[tuple[str, int]]] = {}
        self.paths: list[tuple[str, str]] = []
        self.seasons: list[Season] = []
        for kind in games.GAMES:
            if len(kind.seats) == 2:
                self._rated(tx, kind.word, kind.title)
        self._of_features(tx, some)

    def marks(self) -> dict[str, str]:
        """Return a mark for each page, by name: a mark of the tables and ratings that the page shows."""
        marks = {name: mark(repr(page)) for name, page in self.pages.items()}
        for who in self.of.keys() | self.titles.keys():
            marks[f"p/{who}.html"] = mark(repr((self.of.get(who), self.titles.get(who))))
        for name in ("index.html", "ratings/index.html"):
            marks[name] = mark(repr((self.tops, self.paths, self.seasons)))
        marks["sitemap.xml"] = mark(repr(sorted(self.pages)))
        return marks

    def _rated(self, tx: Tx, word: str, title: str) -> None:
        tables = []
        for practice in (False, True):
            rows = []
            for userid, tally in tx.ratings.listed(word, practice):
                if userid in self._people:
                    numbers = (round(tally.rating), round(tally.deviation), tally.games)
                    rows.append((userid, *numbers, tally.won, tally.lost, tally.tied))
                    self.of[userid].append((word, practice, *numbers))
            tables.append(rows)
        if any(tables):
            facts = {"people": tables[0], "practice": tables[1]}
            name = f"ratings/{games.path_of(word)}.html"
            self.pages[name] = Standing("ratings.html", f"Ratings of {title}", facts)
            self.paths.append((name, f"Ratings of {title}"))
            sure = [(who, rating) for who, rating, deviation, *_ in tables[0] if deviation < SURE]
            self.tops[title] = sure[:_TOP]

    def _of_features(self, tx: Tx, some: Iterable[Feature]) -> None:
        entered: set[str] = set()
        for page in (page for feature in some for page in feature.pages(tx, self._name)):
            self.pages[page.path] = Standing(page.template, page.title, page.facts)
            self.paths.append((page.path, page.title))
            if page.joins:
                self.seasons.append(Season(page.path, page.title, page.joins, len(page.players)))
            entered |= page.players
        for who in entered & self._people:
            if titles := titles_of(tx, who):
                self.titles[who] = titles

    def _name(self, userid: str) -> str:
        return userid if userid in self._people else HIDDEN


def curve_of(tx: Tx, who: str, word: str, practice: bool) -> dict[str, Any] | None:
    """Return a player's ratings in a game as the path of a line, the last one on the right.

    Return None if there are fewer than two.
    """
    past = tx.ratings.history(who, word, practice, _HISTORY)
    values = [round(each.tally.rating) for each in reversed(past)]
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    points = " ".join(f"{at} {high - value}" for at, value in enumerate(values))
    return {"path": f"M{points}", "steps": len(values) - 1, "low": low, "high": high}
