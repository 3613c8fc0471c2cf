"""The picture of a board as a list of shapes; the writers of PNG and SVG draw them in order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from ...games.base import PLAYERS, Game
from ...games.grids import EMPTY, O_STONE, X_STONE, Grid
from ...games.pentagon import pentahex
from .layout import ROW, TIP, Layout, Outline, Point, layout

WIDTH = 680  # pixels of a picture at most: twice as many as in a narrow letter, for sharp screens
CARD, LABEL, RIM = "#33424d", "#e9eef1", "#5b6b76"
CELLS, EDGE, NAME = ("#efe8d8", "#e4dac4"), "#8d8168", "#7d735f"
BRIDGE, BRIDGE_EDGE = "#c9a227", "#7a5f0a"
LAST = "#d6004c"
GUARDED, GUARDED_NAME = "#a99f88", "#857b66"  # cells that no stone can be put on
_OVER = 0.6  # of the way to a neighbour: with half of it the border would show between two lines


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


CLOSED = ord("#")  # the tint of an empty cell that no stone can be put on

_STAMPED = {X_STONE: LOOKS[X_STONE].stone, O_STONE: LOOKS[O_STONE].rim}
_STAMP_EDGE = 0.04  # of the width of the cells


class Polygon(NamedTuple):
    """A filled polygon, with a border of that width."""

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


# An empty board is compared by identity: there is one for each look, and to compare or hash hundreds of
# shapes would cost more than to draw the changes.


@dataclass(frozen=True, eq=False)
class Empty:
    """The empty board of a grid: its cells in the picture, the places, and the shapes that draw it.

    There's one for each width, and for each part of the grid that is shown.
    """

    grid: Grid
    cells: tuple[int, ...]
    where: Layout
    shapes: tuple[Shape, ...]

    @property
    def box(self) -> Box:
        """The left, top, width and height of its card."""
        return self.where.box


# A tile shows nothing outside its outline, so it can be drawn apart from all others. It is a value, and
# its shapes follow from it. The three kinds have different lengths: no tile equals one of another kind.


class CellTile(NamedTuple):
    """A cell with its stone; ``linked`` are the neighbours with a stone of its chain."""

    empty: Empty
    cell: int
    stone: int
    tint: int
    linked: tuple[int, ...]
    last: bool

    @property
    def outline(self) -> Outline:
        return self.empty.where.outlines[self.cell]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Return the cell, its name or its stone, and a ring if it belongs to the last move."""
        grid, where = self.empty.grid, self.empty.where
        at = where.places[self.cell]
        tint = LOOKS[self.tint].tint if self.tint in LOOKS else ""
        ground, name = _cell(grid, where, self.cell, GUARDED if self.tint == CLOSED else tint)
        shapes: list[Shape] = [ground]
        if self.stone in LOOKS:
            look = LOOKS[self.stone]
            ends = [_end(where, self.cell, other) for other in self.linked]
            shapes += [Line(at, end, look.border, 0.3) for end in ends]
            shapes += [Line(at, end, look.stone, 0.2) for end in ends]
            shapes.append(Disc(at, 0.36, look.stone, look.border, 0.05))
            shapes += _sign(at, self.stone, look.sign)
        else:
            shapes.append(name)
        if self.last:
            shapes.append(Disc(at, 0.43, line="#ffffff", width=0.12))
            shapes.append(Disc(at, 0.43, line=LAST, width=0.08))
        return tuple(shapes)


class RimTile(NamedTuple):
    """A piece of rim beside a cell, in the colour of its owner."""

    empty: Empty
    cell: int
    piece: int
    stone: int

    @property
    def outline(self) -> Outline:
        return self.empty.where.rim[self.cell][self.piece]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        return (Polygon(self.outline, LOOKS[self.stone].rim, CARD, 0.06),)


class BridgeTile(NamedTuple):
    """The bridge with chains that cross it; ``crossing``: each of their cells there, and its stone."""

    empty: Empty
    crossing: tuple[tuple[int, int], ...]

    @property
    def outline(self) -> Outline:
        return self.empty.where.bridge

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """Return the bridge with lines from its middle to the cells, in the colours of the stones."""
        places = self.empty.where.places
        ends = [
            ((places[cell][0] * TIP, places[cell][1] * TIP), LOOKS[stone])
            for cell, stone in self.crossing
        ]
        return (
            Polygon(self.outline, BRIDGE, BRIDGE_EDGE, 0.05),
            *(Line((0.0, 0.0), end, look.border, 0.3, round=True) for end, look in ends),
            *(Line((0.0, 0.0), end, look.stone, 0.2, round=True) for end, look in ends),
        )


Tile = CellTile | RimTile | BridgeTile


class Picture(NamedTuple):
    """The empty board, and the tiles that differ from it; no tile covers another."""

    empty: Empty
    tiles: tuple[Tile, ...]

    @property
    def shapes(self) -> Iterator[Shape]:
        """Yield all shapes in the order in which they are drawn."""
        yield from self.empty.shapes
        for tile in self.tiles:
            yield from tile.shapes


def picture(
    game: Game,
    stones: bytes,
    last: frozenset[int] = frozenset(),
    over: bool = False,
    most: int = 0,
) -> Picture:
    """Return the picture of a board.

    last  the cells of the last move, which are ringed
    over  True if the game has ended: then every area is tinted for the player who encloses it
    most  the pixels that it may be wide; 0 if it isn't one of pixels
    """
    grid, empty = game.grid, empty_board(game.grid, game.window(stones), most)
    owners = areas(game, stones)
    scoring = bytes([o if s == o else EMPTY for s, o in zip(stones, owners, strict=True)])
    rim = _rim_owners(game, stones, owners, scoring, over)
    tints = bytearray(owners if over else scoring)
    for cell in () if over else game.closed(stones):
        tints[cell] = CLOSED
    tiles: list[Tile] = []
    for cell in empty.cells:
        stone, tint = stones[cell], tints[cell]
        if stone != EMPTY or tint != EMPTY or cell in last:
            linked = tuple(n for n in grid.neighbours[cell] if stones[n] == stone != EMPTY)
            tiles.append(CellTile(empty, cell, stone, tint, linked, cell in last))
        if rim[cell] != EMPTY:
            pieces = range(len(empty.where.rim[cell]))
            tiles += [RimTile(empty, cell, piece, rim[cell]) for piece in pieces]
    crossing = tuple(
        (cell, stones[cell])
        for cell, others in sorted(empty.where.spanned.items())
        if stones[cell] in LOOKS and any(stones[other] == stones[cell] for other in others)
    )
    if crossing:
        tiles.append(BridgeTile(empty, crossing))
    return Picture(empty, tuple(tiles))


def stamp(picture: Picture) -> tuple[list[Shape], Box]:
    """Return the shapes of a picture that is seen as small as a stamp, and its box.

    It has no names and no rim, and stones are dots in the colours that cream cells do not hide.
    """
    empty, places = picture.empty, picture.empty.where.places
    on = [tile for tile in picture.tiles if isinstance(tile, CellTile)]
    closed = {tile.cell for tile in on if tile.tint == CLOSED}
    shapes: list[Shape] = [
        Polygon(empty.where.outlines[cell], GUARDED if cell in closed else CELLS[0])
        for cell in empty.cells
    ]
    for tile in on:
        if colour := _STAMPED.get(tile.stone):
            at = places[tile.cell]
            ends = [_end(empty.where, tile.cell, other) for other in tile.linked]
            shapes += [Line(at, end, colour, 0.5) for end in ends]
            shapes.append(Disc(at, 0.42, colour))
    corners = [point for cell in empty.cells for point in empty.where.outlines[cell]]
    (left, right), (top, bottom) = ((min(each), max(each)) for each in zip(*corners, strict=True))
    edge = (right - left) * _STAMP_EDGE
    return shapes, (left - edge, top - edge, right - left + 2 * edge, bottom - top + 2 * edge)


def areas(game: Game, stones: bytes) -> bytes:
    """Return for each cell the stone of the player whose scoring chains hold or enclose it, otherwise EMPTY.

    A chain scores if it has as many cells at the edge as the game asks for; if the game asks for none,
    no chain scores. All other cells form regions: a region that touches scoring chains of one
    player only is enclosed by them.
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
    """Return for each cell the stone of the player who owns the rim there, otherwise EMPTY.

    If the players want different sides, these are theirs. If chains own the cells that they enclose, a
    game that runs shows only the parts that no stone can change.
    """
    x, o = (game.wanted(player) for player in PLAYERS)
    if x != o:
        sides = {(True, False): X_STONE, (False, True): O_STONE}
        return bytes([sides.get((edge & x > 0, edge & o > 0), EMPTY) for edge in game.edges])
    if game.to_score <= 1:
        return bytes([o if edge else EMPTY for o, edge in zip(scoring, game.edges, strict=True)])
    if over:
        return owners
    least = areas(game, stones.replace(b".", b"o"))
    most = areas(game, stones.replace(b".", b"x"))
    return bytes([a if a == b else EMPTY for a, b in zip(least, most, strict=True)])


@lru_cache(64)
def empty_board(grid: Grid, cells: Sequence[int], most: int = 0) -> Empty:
    """Return the card, the rim, the ``cells`` with their names, and the labels around them."""
    where = layout(grid, cells, most)
    left, top, width, height = where.box
    card = ((left, top), (left + width, top), (left + width, top + height), (left, top + height))
    shapes = (
        Polygon(card, CARD),
        *(Polygon(piece, RIM, CARD, 0.06) for pieces in where.rim for piece in pieces),
        *(shape for cell in cells for shape in _cell(grid, where, cell)),
        *((Polygon(where.bridge, BRIDGE, BRIDGE_EDGE, 0.05),) if where.bridge else ()),
        *(Label(at, text, 0.5, LABEL) for at, text in where.labels),
    )
    return Empty(grid, tuple(cells), where, shapes)


def _cell(grid: Grid, where: Layout, cell: int, tint: str = "") -> Iterator[Shape]:
    yield Polygon(where.outlines[cell], tint or CELLS[where.shades[cell]], EDGE, 0.045)
    name, colour = grid.names[cell], GUARDED_NAME if tint == GUARDED else NAME
    yield Label(where.places[cell], name, 0.36 if len(name) < 3 else 0.31, colour)


def _sign(at: Point, stone: int, colour: str) -> tuple[Shape, ...]:
    """Return a cross or a ring: the players differ by more than colour."""
    if stone == O_STONE:
        return (Disc(at, 0.135, line=colour, width=0.06),)
    (x, y), d = at, 0.115
    return (
        Line((x - d, y - d), (x + d, y + d), colour, 0.06, round=True),
        Line((x - d, y + d), (x + d, y - d), colour, 0.06, round=True),
    )


def _end(where: Layout, cell: int, other: int) -> Point:
    """Return the end of the line to a neighbour: just over the border, or at the bridge."""
    (x, y), (x2, y2) = where.places[cell], where.places[other]
    if other in where.spanned.get(cell, ()):
        return x * TIP, y * TIP
    return x + (x2 - x) * _OVER, y + (y2 - y) * _OVER


# -- the 22 shapes of pentahexes, each with its number, for the page that teaches them

_ABREAST = 4  # shapes in a row: a phone shows each about 80 pixels wide
_WIDE, _HIGH = 5.6, 5.0  # of the place of a shape, in cells


def pentahexes() -> tuple[tuple[Shape, ...], Box]:
    """Return the shapes of the picture, and its box; neighbours are 1 apart."""
    known = tuple(pentahex.shapes())
    box = (0.0, 0.0, _WIDE * _ABREAST, _HIGH * -(-len(known) // _ABREAST))
    left, top, width, height = box
    corners = ((left, top), (width, top), (width, height), (left, height))
    every: list[Shape] = [Polygon(corners, CARD)]
    for place, shape in enumerate(known):
        row, column = divmod(place, _ABREAST)
        at = (column * _WIDE, row * _HIGH)
        every.append(Label((at[0] + 0.7, at[1] + 0.7), str(place + 1), 0.9, LABEL))
        every += _pentahex(shape, at)
    return tuple(every), box


def _pentahex(shape: pentahex.Shape, at: Point) -> list[Shape]:
    """Return the cells of a shape with their stones, in the middle of its place."""
    cells = [(q + r / 2, r * ROW) for q, r in shape]
    middle = [(min(each) + max(each)) / 2 for each in zip(*cells, strict=True)]
    x, y = at[0] + _WIDE / 2 + 0.3 - middle[0], at[1] + _HIGH / 2 + 0.2 - middle[1]
    look = LOOKS[X_STONE]
    hexes: list[Shape] = []
    for left, top in cells:
        hexes.append(Polygon(_hexagon((x + left, y + top)), CELLS[0], EDGE, 0.05))
        hexes.append(Disc((x + left, y + top), 0.32, look.stone, look.border, 0.05))
    return hexes


def _hexagon(at: Point) -> Outline:
    """Return the outline of a cell; two of its sides are upright."""
    turns = (math.radians(30 + 60 * corner) for corner in range(6))
    return tuple(
        (at[0] + math.cos(turn) / math.sqrt(3), at[1] + math.sin(turn) / math.sqrt(3))
        for turn in turns
    )
