"""The boards that everybody may see, by game, month and player; and the pages that name a board."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from itertools import product
from typing import NamedTuple

from ... import games
from ...errors import DAMAGE, BadOption, Sentence, say
from ...games.base import Game
from .board_script import BoardScript, surface
from .page_templates import day
from .rows import Shown

FEED = 50
_OUTCOMES = {"tie": say("a tie"), "void": say("no result"), "unsolved": say("not solved")}


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
