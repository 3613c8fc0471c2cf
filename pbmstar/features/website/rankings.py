"""Tables on the site, which features make of the players who may be seen.

Not only the boards that everybody may see change these tables. So each page has a mark of its own; if the
mark changes, the page is written anew.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...errors import Said, Value
from ...service.letters.stakes import titles_of
from ...store import Tx
from ..feature import Feature
from .catalogue import mark
from .rows import PublicBoards

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
        self.titles: dict[str, list[Said]] = {}
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
        for page in (page for feature in some for page in feature.pages(tx, self._name)):
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
