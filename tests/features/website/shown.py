"""Stores with games of every kind, for the pages of the site."""

from __future__ import annotations

import os
import random
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from harness.quick import opened

from pbmstar import games
from pbmstar.config import Config, load
from pbmstar.errors import IllegalMove
from pbmstar.features.website.folder import SiteFolder
from pbmstar.features.website.worker import Output, Publisher
from pbmstar.games.base import Position
from pbmstar.machine.times import DAY
from pbmstar.match import Entry
from pbmstar.store import Board, Store, User

SERVER = "star@pbmstar.example"
CHROMIUM = "/usr/bin/chromium"
BEGUN = 1_790_000_000.0
ALL: tuple[tuple[str, str], ...] = (
    ("star", '{"size": 6}'),
    ("*star", "{}"),
    ("*star", '{"rings": 4, "double": true}'),
    ("*star", '{"rings": 5, "handicap": 3}'),
    ("stary", "{}"),
    ("hex", '{"size": 7}'),
    ("y", "{}"),
    ("polyy", "{}"),
    ("pentaline", "{}"),
    ("pentahex", "{}"),
    ("queens", "{}"),
    ("supplyline", "{}"),
    ("ringsolitaire", "{}"),
    ("minisolitaire", "{}"),
)

_SHORT = {"pentaline": 8, "pentahex": 8, "ringsolitaire": 8, "minisolitaire": 5}


Played = dict[int, tuple[str, str, list[str]]]  # of each board its game, options and moves


class Shown(NamedTuple):
    """A site with a game of each kind, in a browser."""

    root: Path
    played: Played
    browser: Any
    troubles: list[str]

    def page(self, name: str, width: int = 390, **settings: Any) -> Any:
        """Open a page; what it asks for elsewhere or complains about is noted."""
        context = self.browser.new_context(viewport={"width": width, "height": 800}, **settings)
        page = context.new_page()
        here = self.root.as_uri()
        page.on("console", lambda said: self.troubles.append(said.text))
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on(
            "request",
            lambda asked: asked.url.startswith((here, "data:")) or self.troubles.append(asked.url),
        )
        page.goto(f"{here}/{name}")
        return page


def moves_of(word: str, options: str, count: int, seed: int = 1) -> tuple[list[str], Position]:
    """Play at random; return the moves and the last position. The second move is a swap if it may be."""
    chance = random.Random(seed)
    position = games.load(word, options).start()
    played: list[str] = []
    while not position.over and len(played) < count:
        if position.swappable:
            move = "swap"
        else:
            some = [m for m in islice(position.moves(), 3000) if m not in ("pass", "swap")]
            move = chance.choice(some or ["pass"])
        try:
            position = position.play(move)
        except IllegalMove:
            continue
        played.append(move)
    return played, position


def add_game(
    store: Store, word: str, options: str, moves: Iterable[str], seats: tuple[str, ...], at: float
) -> int:
    """Keep a board with its record; return its number."""
    position = games.load(word, options).start()
    entries = []
    for move in moves:
        place = 0 if position.to_move in ("X", None) else 1
        who = seats[(place + position.swapped) % len(seats)]
        after = position.play(move)
        number = after.played if after.played > position.played else None
        position = after
        at += 60.0
        entries.append(Entry(number, who, move, at, 0, at - 50))
    row = Board(
        0, word, options, at, 0, 0, seats[0], "", at, None, "{}", None, None, 1, seats, (0,) * len(seats)
    )  # fmt: skip
    with store.transaction() as tx:
        number = tx.boards.add(row)
        before = tx.boards.get(number)
        assert before is not None
        match = before.match(())
        after_all = match
        for entry in entries:
            after_all = after_all.after(entry.userid, entry.move, entry.at)
        tx.boards.save(match, after_all)
    return number


def add_players(store: Store, *names: str) -> None:
    """Keep accounts of players who may be seen."""
    with store.transaction() as tx:
        for name in names:
            tx.accounts.add(User(name, f"{name}@home.example", "x", "active", BEGUN, public=1))


def site_of(folder: Path, **options: str) -> tuple[Config, Store]:
    """Return a configuration with a site, and its store."""
    (folder / "spool").mkdir(parents=True, exist_ok=True)
    values = {"spool": str(folder / "spool"), "address": SERVER, "site": str(folder / "www")}
    config = load({**values, **options}, {})
    return config, opened(config.database)


def publish(config: Config, store: Store, rebuild: bool = False) -> Output:
    """Write what is due."""
    assert config.site is not None
    return Publisher(config, store, SiteFolder(config.site)).run(rebuild)


def world(store: Store, most: int = 300) -> Played:
    """Keep a game of each kind; return the game, the options and the moves of each."""
    add_players(store, "alice", "bob", "carol")
    played = {}
    for days, (word, options) in enumerate(ALL):
        moves, position = moves_of(word, options, min(most, _SHORT.get(word, most)))
        seats = ("alice", "bob") if len(position.game.seats) == 2 else ("carol",)
        at = BEGUN + days * DAY
        played[add_game(store, word, options, moves, seats, at)] = (word, options, moves)
    return played


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless Chromium; skips where there is none."""
    pytest.importorskip("playwright")
    if not os.path.exists(CHROMIUM):
        pytest.skip("there is no Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        running = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield running
        running.close()
