"""Games and boards for the tests, and a reader that turns a drawing back into stones."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.positions import game_of
from hypothesis import settings
from hypothesis import strategies as st

from pbmstar import games
from pbmstar.games.base import Game

VECTORS = Path(__file__).parent.parent / "vectors"
ARMS = "*STAR"
# Boards that a test draws itself: every day a quarter.
BOARDS = max(25, settings.default.max_examples)
# Of the positions of a game every fourth is looked at; with --slow each one.
APART = 100 // BOARDS


# Every kind of play, on small boards: first the games of placing stones.
PLACED = [game_of(text) for text in (
    "star -size=4", "star -size=4 -maxi", "*star -rings=4", "*star -rings=3 -nobridge",
    "*star -rings=4 -double", "*star -rings=4 -handicap=3", "*star -rings=4 -handicap=10 -double -nobridge -points=-2", "stary -rings=4",
    "hex -size=5", "y -size=6", "y -bent", "polyy -rings=3",
)]  # fmt: skip
KINDS = PLACED + [game_of(text) for text in (
    "miserehex -size=5", "pentaline", "pentahex", "pentahex -separate", "queens",
    "queens -fewest", "supplyline", "ringsolitaire", "ringsolitaire -ring=6", "minisolitaire",
)]  # fmt: skip


def vectors(name: str) -> list[dict[str, Any]]:
    """The lines of a vector file."""
    lines = (VECTORS / f"{name}.jsonl").read_text(encoding="ascii").splitlines()
    return [json.loads(line) for line in lines]


def set_up(vector: dict[str, Any]) -> games.base.Position:
    """The position that a vector describes."""
    game = games.make(vector["game"], vector["options"])
    position = game.start()
    if "setup" in vector or "to_move" in vector:
        x, o = (vector.get("setup", {}).get(player, ()) for player in "XO")
        position = game.setup(x, o, vector.get("to_move", "X"))
    for move in vector["moves"]:
        position = position.play(game.read(move.split()))
    return position


def stones_of(x: str, o: str) -> tuple[list[str], list[str]]:
    """Two lists of cells from two texts."""
    return x.split(), o.split()


def sizes() -> list[Game]:
    """Every size of every board."""
    stars = [games.make("star", {"size": n}) for n in range(3, 15)]
    pentagons = [
        games.make("*star", {"rings": n, "nobridge": b})
        for n in range(3, 11)
        for b in (True, False)
    ]
    others = [games.make(word, {"rings": n}) for word in ("stary", "polyy") for n in range(3, 11)]
    hexes = [games.make("hex", {"size": n}) for n in range(3, 22)]
    ys = [games.make("y", {"size": n}) for n in range(3, 27)]
    fixed = [kind({}) for kind in games.GAMES if not any(o.range for o in kind.options)]
    return [*stars, *pentagons, *others, *hexes, *ys, games.make("y", {"bent": True}), *fixed]


def names_of(game: Game, stones: bytes, stone: str) -> set[str]:
    """The names of the cells with that stone."""
    return {name for name, s in zip(game.grid.names, stones, strict=True) if chr(s) == stone}


def random_board(rng: random.Random, game: Game, empty: float = 0.0) -> bytes:
    """A board of clusters of any size, a share of it empty."""
    board = bytearray(rng.choice(b"xo") for _ in range(len(game.grid)))
    for _ in range(rng.choice((0, 0, 1, 2))):
        for cell in range(len(board)):
            near = [board[c] for c in game.grid.neighbours[cell]]
            if rng.random() < 0.5:
                board[cell] = max(b"xo", key=near.count)
    share = rng.random()
    for cell in range(len(board)):
        if rng.random() < empty:
            board[cell] = ord(".")
        elif share < 0.2 and rng.random() < 0.5:
            board[cell] = ord("x")
    return bytes(board)


@st.composite
def boards(draw: st.DrawFn, kinds: tuple[Game, ...], full: bool = False) -> tuple[Game, bytes]:
    """A game, and a board of it with stones of any shares."""
    game = draw(st.sampled_from(kinds))
    x, o = sorted((draw(st.integers(0, 256)), draw(st.integers(0, 256))))
    if full:
        o = 256
    noise = draw(st.binary(min_size=len(game.grid), max_size=len(game.grid)))
    return game, bytes(ord("x" if b < x else "o" if b < o else ".") for b in noise)


# -- reading drawings


def read_drawing(game: Game, drawing: str) -> tuple[set[str], set[str]]:
    """X's and O's cells in a drawing, found by its own labels; the rest of it is checked."""
    lines = drawing.split("\n")
    assert lines.pop() == ""
    width = 73 if game.word == "star" and game.value("size") == 14 else 72
    assert all(line == line.rstrip() and line.isascii() and len(line) <= width for line in lines)
    found: dict[str, set[str]] = {"x": set(), "o": set(), ".": set()}
    reader = {
        "star": _slanting_cells,
        "y": _slanting_cells,
        "hex": _hex_cells,
        "miserehex": _hex_cells,
    }.get("armed" if "T82" in game.grid.names else game.word, _armed_cells)
    for name, mark in reader(lines):
        found["." if mark.isdigit() else mark].add(name)
        assert not mark.isdigit() or (name[1] == mark and name[2] == "0")
    assert set().union(*found.values()) == set(game.grid.names)
    return found["x"], found["o"]


def _slanting_cells(lines: list[str]) -> Iterator[tuple[str, str]]:
    """A column runs down to the right, over a backslash, to its letter."""
    letters = {}
    for line, text in enumerate(lines):
        for match in re.finditer(r"[A-Z]", text):
            assert lines[line - 1][match.start() - 1] == "\\"
            letters[match.start() - line] = match[0]
    for line, text in enumerate(lines):
        row = re.match(r" *([0-9]+)- (?:  )?([.xo](?: [.xo])*)", text)
        for i, mark in enumerate(row[2].split(" ") if row else ()):
            yield f"{letters[row.start(2) + 2 * i - line]}{row[1]}", mark


def _hex_cells(lines: list[str]) -> Iterator[tuple[str, str]]:
    """A column runs down to the right from its letter; a row stands between its numbers."""
    letters = {match.start(): match[0] for match in re.finditer("[A-Z]", lines[0])}
    for line, text in enumerate(lines[1:-1], 1):
        row = re.fullmatch(r" *([0-9]+)  ([.xo](?: [.xo])*)  ([0-9]+)", text)
        assert row and row[1] == row[3] == str(line)
        for i, mark in enumerate(row[2].split(" ")):
            yield f"{letters[row.start(2) + 2 * i - line]}{line}", mark
    feet = {match.start() - len(lines) + 1: match[0] for match in re.finditer("[A-Z]", lines[-1])}
    assert feet == letters


def _armed_cells(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Cells by their places between the arms' letters at the corners of the drawing.

    There are five arms, or the three of the bent board, whose middle is another.
    """
    arms = ARMS if any("A" in line for line in lines) else "TRL"
    corners = []
    for arm in arms:
        line = max(line for line, text in enumerate(lines) if arm in text)
        corners.append((line, lines[line].rindex(arm)))
    if arms == ARMS:
        rings: tuple[int, ...] = tuple(range(1, (corners[0][1] - corners[1][1]) // 4))
        middle = corners[0][0] - rings[-1] - 1, (corners[0][1] + corners[1][1]) // 2
        if lines[middle[0]][middle[1]] != "*":
            yield "@", lines[middle[0]][middle[1]]
    else:
        rings = (1, 4, 5, 6, 7, 8)
        middle = corners[1][0] - rings[-1] - 1, corners[0][1]
    steps = [
        ((line - middle[0]) // (rings[-1] + 1), (column - middle[1]) // (rings[-1] + 1))
        for line, column in corners
    ]
    for arm, here, there in zip(arms, steps, steps[1:] + steps[:1], strict=True):
        for ring in rings:
            for offset in range(ring):
                line = middle[0] + (ring - offset) * here[0] + offset * there[0]
                column = middle[1] + (ring - offset) * here[1] + offset * there[1]
                yield f"{arm}{ring % 10}{offset}", lines[line][column]
