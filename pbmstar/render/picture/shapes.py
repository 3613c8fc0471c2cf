"""The picture of a board as a list of shapes; what writes PNG and SVG draws them in their order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ...games.base import PLAYERS, Game
from ...games.boards import EMPTY, O_STONE, X_STONE, Grid
from .layout import TIP, Layout, Outline, Point, layout

CARD, LABEL, RIM = "#33424d", "#e9eef1", "#5b6b76"
CELLS, EDGE, NAME = ("#efe8d8", "#e4dac4"), "#8d8168", "#7d735f"
BRIDGE, BRIDGE_EDGE = "#c9a227", "#7a5f0a"
LAST = "#d6004c"
_OVER = 0.53  # of the way to a neighbour: with half of it the border would show between two lines


class Look(NamedTuple):
    """The colours of a player: of stones, their borders and signs, tinted cells, pieces of rim."""

    stone: str
    border: str
    sign: str
    tint: str
    rim: str


LOOKS = {
    X_STONE: Look("#1d3557", "#0c1a2c", "#dfe8f3", "#a9c0dd", "#4c86c6"),
    O_STONE: Look("#fff6e0", "#8a4b08", "#b4620a", "#f6c978", "#f0a63a"),
}


class Polygon(NamedTuple):
    """Filled, with a border of that width."""

    points: Outline
    fill: str
    line: str = ""
    width: float = 0.0


class Disc(NamedTuple):
    """A circle; without ``fill`` it is a ring."""

    at: Point
    radius: float
    fill: str = ""
    line: str = ""
    width: float = 0.0


class Line(NamedTuple):
    """A straight line, its ends cut straight or round."""

    a: Point
    b: Point
    line: str
    width: float
    round: bool = False


class Label(NamedTuple):
    """A short text around its middle; ``size`` is the height of its letters with their gaps."""

    at: Point
    text: str
    size: float
    fill: str


Box = tuple[float, float, float, float]  # left, top, width, height
Shape = Polygon | Disc | Line | Label


# Tiles and empty boards are compared by identity: there is one of each for all pictures, and to compare
# or hash hundreds of shapes would cost more than to draw what has changed.


@dataclass(frozen=True, eq=False)
class Tile:
    """Shapes that are seen within an outline only, so that it can be drawn apart from all others."""

    outline: Outline
    shapes: tuple[Shape, ...]


@dataclass(frozen=True, eq=False)
class Empty:
    """An empty board: left, top, width and height of its card, and the shapes on it."""

    box: Box
    shapes: tuple[Shape, ...]


class Picture(NamedTuple):
    """The empty board, and the tiles that are different now, none over another."""

    empty: Empty
    tiles: tuple[Tile, ...]

    @property
    def shapes(self) -> Iterator[Shape]:
        """All shapes, in the order in which they are drawn."""
        yield from self.empty.shapes
        for tile in self.tiles:
            yield from tile.shapes


def picture(
    game: Game, stones: bytes, last: frozenset[int] = frozenset(), over: bool = False
) -> Picture:
    """The picture of a board.

    last  the cells of the last move, which are ringed
    over  the game has ended: every area is tinted for whoever encloses it
    """
    grid = game.grid
    where = layout(grid)
    owners = areas(game, stones)
    scoring = bytes(o if s == o else EMPTY for s, o in zip(stones, owners, strict=True))
    rim = _rim_owners(game, stones, owners, scoring, over)
    tiles: list[Tile] = []
    for cell, stone in enumerate(stones):
        tint = owners[cell] if over else scoring[cell]
        if stone != EMPTY or tint != EMPTY or cell in last:
            linked = tuple(n for n in grid.neighbours[cell] if stones[n] == stone != EMPTY)
            tiles.append(_tile(grid, cell, stone, tint, linked, cell in last))
        if rim[cell] != EMPTY:
            tiles += _rim_tiles(grid, cell, rim[cell])
    if where.bridge:
        tiles += _bridge(grid, stones)
    return Picture(_empty(grid), tuple(tiles))


def areas(game: Game, stones: bytes) -> bytes:
    """For each cell the stone of the player whose scoring chains hold or enclose it, else EMPTY.

    A chain scores if it has as many cells at the edge as the game asks for, if it asks for any. All
    other cells hang together in regions: one that touches the scoring chains of one player only is
    enclosed by them.
    """
    grid = game.grid
    owners = bytearray(grid.empty)
    if not game.to_score:
        return bytes(owners)
    for stone in (X_STONE, O_STONE):
        for chain in grid.chains(stones, stone):
            if sum(1 for cell in chain if game.edges[cell]) >= game.to_score:
                for cell in chain:
                    owners[cell] = stone
    scoring = bytes(owners)
    for region in grid.chains(scoring, EMPTY):
        touched = {scoring[near] for cell in region for near in grid.neighbours[cell]} - {EMPTY}
        if len(touched) == 1:
            (stone,) = touched
            for cell in region:
                owners[cell] = stone
    return bytes(owners)


def _rim_owners(game: Game, stones: bytes, owners: bytes, scoring: bytes, over: bool) -> bytes:
    """For each cell who has what lies at the edge there.

    Where the players want different sides these are theirs. Where chains own what they enclose, and
    the game runs, only what no stone can change is shown.
    """
    x, o = (game.wanted(player) for player in PLAYERS)
    if x != o:
        sides = {(True, False): X_STONE, (False, True): O_STONE}
        return bytes(sides.get((edge & x > 0, edge & o > 0), EMPTY) for edge in game.edges)
    if game.to_score <= 1:
        return bytes(o if edge else EMPTY for o, edge in zip(scoring, game.edges, strict=True))
    if over:
        return owners
    least = areas(game, stones.replace(b".", b"o"))
    most = areas(game, stones.replace(b".", b"x"))
    return bytes(a if a == b else EMPTY for a, b in zip(least, most, strict=True))


@lru_cache(64)
def _empty(grid: Grid) -> Empty:
    """The card, the rim, all cells with their names, and what stands around them."""
    where = layout(grid)
    left, top, width, height = where.box
    card = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    shapes = (
        Polygon(card, CARD),
        *(Polygon(piece, RIM, CARD, 0.06) for pieces in where.rim for piece in pieces),
        *(shape for cell in range(len(grid)) for shape in _cell(grid, where, cell)),
        *((Polygon(where.bridge, BRIDGE, BRIDGE_EDGE, 0.05),) if where.bridge else ()),
        *(Label(at, text, 0.5, LABEL) for at, text in where.labels),
    )
    return Empty(where.box, shapes)


def _cell(grid: Grid, where: Layout, cell: int, tint: str = "") -> Iterator[Shape]:
    """An empty cell with its name."""
    yield Polygon(where.outlines[cell], tint or CELLS[where.shades[cell]], EDGE, 0.045)
    name = grid.names[cell]
    yield Label(grid.places[cell], name, 0.36 if len(name) < 3 else 0.31, NAME)


@lru_cache(20_000)
def _tile(
    grid: Grid, cell: int, stone: int, tint: int, linked: tuple[int, ...], last: bool
) -> Tile:
    """A cell with what is on it; ``linked`` are the neighbours with a stone of its chain."""
    where, at = layout(grid), grid.places[cell]
    ground, name = _cell(grid, where, cell, LOOKS[tint].tint if tint in LOOKS else "")
    shapes: list[Shape] = [ground]
    if stone in LOOKS:
        look = LOOKS[stone]
        ends = [_end(grid, where, cell, other) for other in linked]
        shapes += [Line(at, end, look.border, 0.3) for end in ends]
        shapes += [Line(at, end, look.stone, 0.2) for end in ends]
        shapes += [Disc(at, 0.36, look.stone, look.border, 0.05), *_sign(at, stone, look.sign)]
    else:
        shapes.append(name)
    if last:
        shapes += [
            Disc(at, 0.43, line="#ffffff", width=0.12),
            Disc(at, 0.43, line=LAST, width=0.08),
        ]
    return Tile(where.outlines[cell], tuple(shapes))


def _sign(at: Point, stone: int, colour: str) -> tuple[Shape, ...]:
    """A cross or a ring: the players differ by more than colour."""
    if stone == O_STONE:
        return (Disc(at, 0.135, line=colour, width=0.06),)
    (x, y), d = at, 0.115
    return (
        Line((x - d, y - d), (x + d, y + d), colour, 0.06, round=True),
        Line((x - d, y + d), (x + d, y - d), colour, 0.06, round=True),
    )


def _end(grid: Grid, where: Layout, cell: int, other: int) -> Point:
    """Where the line to a neighbour ends: just over the border, or at the bridge."""
    (x, y), (x2, y2) = grid.places[cell], grid.places[other]
    if other in where.spanned.get(cell, ()):
        return x * TIP, y * TIP
    return x + (x2 - x) * _OVER, y + (y2 - y) * _OVER


@lru_cache(4096)
def _rim_tiles(grid: Grid, cell: int, stone: int) -> tuple[Tile, ...]:
    fill = LOOKS[stone].rim
    return tuple(
        Tile(piece, (Polygon(piece, fill, CARD, 0.06),)) for piece in layout(grid).rim[cell]
    )


def _bridge(grid: Grid, stones: bytes) -> tuple[Tile, ...]:
    """The bridge, if chains go over it."""
    crossing = tuple(
        (cell, stones[cell])
        for cell, others in sorted(layout(grid).spanned.items())
        if stones[cell] in LOOKS and any(stones[other] == stones[cell] for other in others)
    )
    return (_bridge_tile(grid, crossing),) if crossing else ()


@lru_cache(4096)
def _bridge_tile(grid: Grid, crossing: tuple[tuple[int, int], ...]) -> Tile:
    """The bridge with lines from its middle to the cells, each in the colours of the stone there."""
    where = layout(grid)
    ends = [
        ((grid.places[cell][0] * TIP, grid.places[cell][1] * TIP), LOOKS[stone])
        for cell, stone in crossing
    ]
    shapes: list[Shape] = [Polygon(where.bridge, BRIDGE, BRIDGE_EDGE, 0.05)]
    shapes += [Line((0.0, 0.0), end, look.border, 0.3, round=True) for end, look in ends]
    shapes += [Line((0.0, 0.0), end, look.stone, 0.2, round=True) for end, look in ends]
    return Tile(where.bridge, tuple(shapes))
