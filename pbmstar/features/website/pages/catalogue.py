"""The boards that everybody may see, by game, month and player; and the pages that name a board.

Tables on the site, which features make of the players who may be seen.

Not only the boards that everybody may see change these tables. So each page has a mark of its own; if the
mark changes, the page is written anew.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple

from .... import games
from ....errors import DAMAGE, BadOption, Sentence, Value, say
from ....games.base import Game
from ....ratings.fold import Tally
from ....ratings.rating import Rating
from ....ratings.rows import Ratings
from ....service.letters.stakes import titles_of
from ....service.work.feature import Feature, TablePage
from ....store import Tx
from ..rows import PublicBoards, Shown
from .fragment import BoardScript, surface
from .templates import day

FEED = 50
_OUTCOMES = {"tie": say("a tie"), "void": say("no result"), "unsolved": say("not solved")}
_TOP = 5  # players of a game on the front page
_HISTORY = 300  # games of a curve
_KINDS = [kind for kind in games.GAMES if len(kind.seats) == 2]


class ListedGame(NamedTuple):
    """A board that everybody may see, with its number."""

    number: int
    shown: Shown

    @property
    def players(self) -> tuple[str, ...]:
        """Return the userids of the players, in the order of the seats."""
        return tuple(who.rstrip("~") for who in self.shown.seats)

    @property
    def closed(self) -> tuple[str, ...]:
        """Return the players who have no page of their own."""
        return tuple(who.rstrip("~") for who in self.shown.seats if who.endswith("~"))

    @property
    def title(self) -> str:
        """Return the title of the game."""
        return games.title_of(self.shown.game)

    @property
    def cells(self) -> int:
        """Return the number of cells of the board."""
        return len(games.load(self.shown.game, self.shown.options).grid)

    @property
    def outcome(self) -> Sentence:
        """Return the result of a game that is over, in a few words."""
        result = self.shown.result
        if result in self.players:
            is_puzzle = len(self.players) == 1
            solved, won = (
                say("solved by {userid}", userid=result),
                say("won by {userid}", userid=result),
            )
            return solved if is_puzzle else won
        return _OUTCOMES.get(result, Sentence(result))

    @property
    def month(self) -> str:
        """Return the month in which the game ended; empty while it runs."""
        return day(self.shown.since)[:7] if self.shown.over else ""


def mark(line: str) -> str:
    """Return a mark of a line: another line has another mark."""
    return hashlib.blake2b(line.encode(), digest_size=8).hexdigest()


def lists_of(version: str) -> set[str]:
    """Return the names of the pages that name a board of that version, except its own page."""
    if not version:
        return set()
    _, word, month, *seats = version.split("\t")
    path = games.path_of(word)
    names = {"index.html", "games/index.html", f"games/{path}/index.html", "sitemap.xml"}
    names |= {f"p/{who}.{end}" for who in seats if who[-1:] != "~" for end in ("html", "xml")}
    return names | {f"games/{path}/{month}.html", "feed.xml"} if month else names


def is_listed_anew(old: str, new: str) -> bool:
    """Return True if the lists that name a board must be written again; False if only a move was made."""
    return old.split("\t")[1:] != new.split("\t")[1:]


@cache
def usual() -> tuple[Game, ...]:
    """Return every game with each length that its board can have, alone and with each flag."""
    found = []
    for kind in games.GAMES:
        flags: list[dict[str, object]] = [{}]
        lengths: list[dict[str, object]] = [{}]
        for option in kind.options:
            if not option.range:
                flags.append({option.name: True})
            elif option.default:
                low, high = option.range
                lengths += [{option.name: n} for n in range(low, high + 1) if n != option.default]
        for length, flag in product(lengths, flags):
            with suppress(BadOption):  # some flags go without a length
                found.append(kind({**length, **flag}))
    return tuple(found)


class Catalogue:
    """All boards that everybody may see, as they are now; the lists are made when they are needed."""

    def __init__(self, lines: Mapping[int, str], kinds: Sequence[tuple[str, str]]) -> None:
        self.lines, self._kinds = lines, kinds
        self.damaged = set[int]()  # boards that cannot be shown, as far as anybody has looked

    def surfaces(self) -> set[BoardScript]:
        """Return the empty boards of all games, private ones too: players choose moves on them.

        Those in the usual sizes are there before anybody has played on them: a first letter is opened
        sooner than the site is written.
        """
        found = {surface(game.grid) for game in usual()}
        for kind in self._kinds:
            with suppress(*DAMAGE):  # of a damaged board: ``admin check`` names it
                found.add(surface(games.load(*kind).grid))
        return found

    def game(self, number: int) -> ListedGame:
        """Return one board."""
        return ListedGame(number, Shown.of(self.lines[number]))

    def _sound(self, number: int) -> ListedGame | None:
        """Return one board; None if what is stored of it is damaged."""
        try:
            game = self.game(number)
            games.load(game.shown.game, game.shown.options)
            day(game.shown.since)
        except DAMAGE:
            self.damaged.add(number)
            return None
        return game

    def version(self, number: int) -> str:
        """Return the words that the journal keeps of a board; empty if nobody may see it, or can.

        They are a mark of all that its page shows, and the lists that name it.
        """
        game = self._sound(number) if number in self.lines else None
        if game is None:
            return ""
        words = (mark(self.lines[number]), game.shown.game, game.month, *game.shown.seats)
        return "\t".join(words)

    def changed(self, known: Mapping[int, str]) -> list[int]:
        """Return the boards whose page is not the one in the journal; boards that are gone come last."""
        numbers = [
            number
            for number, line in self.lines.items()
            if known.get(number, "").partition("\t")[0] != mark(line)
        ]
        return numbers + [number for number in known if number not in self.lines]

    @cached_property
    def _all(self) -> list[ListedGame]:
        return [game for number in self.lines if (game := self._sound(number))]

    @cached_property
    def _ended(self) -> list[ListedGame]:
        over = (game for game in self._all if game.shown.over)
        return sorted(over, key=lambda game: (-game.shown.since, -game.number))

    @cached_property
    def _by(self) -> dict[tuple[str, str], list[ListedGame]]:
        """The boards by player, by game, and by game and month; the newest ends first, running games last."""
        found: dict[tuple[str, str], list[ListedGame]] = defaultdict(list)
        for game in [*self._ended, *(game for game in self._all if not game.shown.over)]:
            path = games.path_of(game.shown.game)
            found["games", path].append(game)
            if game.month:
                found[path, game.month].append(game)
            for who in game.shown.seats:
                found["p", who].append(game)
        return found

    def of(self, kind: str, name: str) -> list[ListedGame]:
        """Return the games of ``p`` and a player, of ``games`` and a game, or of a game and a month."""
        return self._by.get((kind, name), [])

    def months(self, path: str) -> list[str]:
        """Return the months in which games ended, the newest first."""
        return sorted({month for kind, month in self._by if kind == path}, reverse=True)

    @property
    def count(self) -> int:
        """Return the number of boards."""
        return len(self._all)

    def ended(self, count: int) -> list[ListedGame]:
        """Return the games that ended last, the newest first."""
        return self._ended[:count]

    def running(self, count: int) -> list[ListedGame]:
        """Return running games, the newest first."""
        return [game for game in reversed(self._all) if not game.shown.over][:count]

    def paths(self) -> set[str]:
        """Return the words of the games that have been played, as names of files."""
        return {name for kind, name in self._by if kind == "games"}

    def players(self) -> set[str]:
        """Return the players who have a page."""
        return {name for kind, name in self._by if kind == "p" and not name.endswith("~")}


def split(some: Iterable[ListedGame]) -> tuple[list[ListedGame], list[ListedGame]]:
    """Return the games that are over, and the running ones."""
    every = list(some)
    over = [game for game in every if game.shown.over]
    return over, [game for game in every if not game.shown.over]


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
