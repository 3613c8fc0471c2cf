"""The picture of a board: where cells lie, what is tinted, and the bytes of the PNG."""

from __future__ import annotations

import base64
import io
import itertools
import math
import random
import re
import time
from itertools import islice
from typing import Any

import pytest
from harness.positions import largest, match_of, some_games
from PIL import Image, ImageChops

from pbmstar.games import GAMES, make
from pbmstar.games.base import Game, Position
from pbmstar.games.grids import EMPTY
from pbmstar.render.board.view import Telling, view_of
from pbmstar.render.drawings import TapPicture, image, listed_image
from pbmstar.render.picture.attached import STAMP, of_board, of_stamp
from pbmstar.render.picture.canvas import EVERY, drawn, named, shown, sketch
from pbmstar.render.picture.layout import layout
from pbmstar.render.picture.png import png
from pbmstar.render.picture.shapes import (
    CELLS,
    CLOSED,
    GUARDED,
    GUARDED_NAME,
    LAST,
    LOOKS,
    NAME,
    WIDTH,
    CellTile,
    Label,
    Picture,
    Polygon,
    areas,
    picture,
)


def after(game: Game, moves: int, seed: int = 1) -> Position:
    """The position after so many moves of stones, any of the first allowed."""
    chosen, position = random.Random(seed), game.start()
    for _ in range(moves):
        legal = [m for m in islice(position.moves(), 60) if m not in ("pass", "swap")]
        if position.over or not legal:
            break
        position = position.play(chosen.choice(legal))
    return position


def sizes(kind: type[Game]) -> list[dict[str, int]]:
    """The sizes of a game's board; none for one of a single size."""
    ranges = {option.name: option.range for option in kind.options if option.range}
    name = next((name for name in ("size", "rings") if name in ranges), None)
    return [{name: size} for size in range(ranges[name][0], ranges[name][1] + 1)] if name else [{}]


each_game = pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.word)


@each_game
def test_cells_lie_as_the_grid_says(kind: type[Game]) -> None:
    """Cells share a corner pair where they touch, have their middle inside, and do not overlap."""
    for options, most in itertools.product(({}, largest(kind)), (0, WIDTH)):
        game = make(kind.word, options)
        grid, where = game.grid, layout(game.grid, range(len(game.grid)), most)
        left, top, width, height = where.box
        for cell, outline in enumerate(where.outlines):
            assert 4 <= len(outline) <= 8
            assert all(left < x < left + width and top < y < top + height for x, y in outline)
            assert max(math.dist(where.places[cell], corner) for corner in outline) < 1.0
            for near in set(grid.neighbours[cell]) - set(where.spanned.get(cell, ())):
                shared = [
                    p for p in outline for q in where.outlines[near] if math.dist(p, q) < 0.01
                ]
                assert len(shared) == 2, (grid.names[cell], grid.names[near])


@each_game
def test_the_places_on_a_picture_are_nearly_those_of_the_grid(kind: type[Game]) -> None:
    """No step to a neighbour changes by more than a pixel, in a picture of any width."""
    for options, most in itertools.product(sizes(kind), (264, 340, 440, WIDTH)):
        grid = make(kind.word, options).grid
        where, plain = (layout(grid, range(len(grid)), most), layout(grid, range(len(grid))))
        assert where.width <= most
        could = int(most / plain.box[2])
        # Cells are as large as they can be, or a step smaller; on a phone they can be tapped as before.
        assert could - 3 <= where.unit <= could + 2
        assert (where.unit >= 40) == (could >= 40) and where.unit >= min(could, 21)
        for cell, around in enumerate(grid.neighbours):
            for near in around:
                for axis in (0, 1):
                    before, after = (
                        (places[near][axis] - places[cell][axis]) * where.unit
                        for places in (grid.places, where.places)
                    )
                    assert abs(after - before) < 1


@pytest.mark.parametrize(
    ("word", "options", "inner"),
    [
        ("star", {"size": 6}, r"[CDEFG][5-7]"),
        ("hex", {"size": 19}, r"[C-K]1?[3-7]"),
        ("*star", {"rings": 10}, r"A[579][1-3]"),
        ("*star", {"rings": 10}, r"\*[468][1-3]"),
    ],
)
def test_cells_that_are_turned_alike_are_alike_to_the_pixel(
    word: str, options: dict[str, int], inner: str
) -> None:
    """So deflate finds one in the other. Names differ: it is seen above them and below."""
    game = make(word, options)
    empty = picture(game, game.start().stones, most=WIDTH).empty
    seen, unit = Image.open(io.BytesIO(png(Picture(empty, ())))), empty.where.unit
    cells = [cell for name, cell in game.grid.index.items() if re.fullmatch(inner, name)]
    assert len(cells) >= 9
    parts = set()
    for cell in cells:
        x, y = (
            math.floor((place - start) * unit + 1e-6)
            for place, start in zip(empty.where.places[cell], empty.box, strict=False)
        )
        half, edge = unit // 2, unit // 4
        for upper, lower in ((y - half, y - edge), (y + edge, y + half)):
            parts.add((upper < y, seen.crop((x - half, upper, x + half, lower)).tobytes()))
    assert len(parts) == 2


def test_a_picture_is_a_step_smaller_if_a_row_of_cells_is_seen_in_the_next_one_then() -> None:
    """It's one row of 650 pixels that deflate can look back to on the board of Star 6, and no more."""
    for size, unit in ((5, 70), (6, 56), (7, 50)):
        grid = make("star", {"size": size}).grid
        assert layout(grid, range(len(grid)), WIDTH).unit == unit


@pytest.mark.parametrize(
    ("word", "options"),
    [
        ("star", {"size": 6}),
        ("*star", {"rings": 10}),
        ("*star", {"rings": 7}),
        ("y", {"bent": True}),
    ],
)
def test_what_is_tapped_lies_on_the_cell_that_is_drawn(word: str, options: dict[str, Any]) -> None:
    """In both maps of a letter with one board, and in a letter of several boards."""
    match = match_of(word, options, 4)
    grid, seen = match.game.grid, view_of(match, Telling(match.to_move, (), "star+r1@pbm.example"))
    for most in (340, WIDTH):
        drawn_board = of_board(seen, most)
        assert drawn_board
        shown = TapPicture("1@pbm.example", *drawn_board[1:])
        empty = picture(match.game, match.position.stones, most=most).empty
        real = Image.open(io.BytesIO(base64.b64decode(drawn_board.base64)))
        written = str(listed_image(seen, shown, 90_000) if most == 340 else image(seen, shown))
        for part in written.split("<img ")[1:]:
            width, high = (int(number) for number in re.findall(r'(?:width|height)="(\d+)"', part))
            assert abs(high - real.height * width / real.width) < 1
            areas = re.findall(r"coords=(\d+),(\d+),\d+ alt=(\S+)", part)
            scale = width / real.width
            can_be_hit = empty.where.unit * scale >= 20
            assert len(areas) == (len(grid) - 4 if can_be_hit else 0)
            for x, y, name in areas:
                at, (left, top, _, _) = empty.where.places[grid.index[name]], empty.box
                assert abs(int(x) - (at[0] - left) * empty.where.unit * scale) < 1
                assert abs(int(y) - (at[1] - top) * empty.where.unit * scale) < 1


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", some_games("star", "polyy", "queens"))
def test_a_picture_is_small_and_always_the_same(kind: type[Game]) -> None:
    game = make(kind.word, largest(kind))
    for moves in (0, 40, 400):
        position = after(game, moves)
        shown = picture(game, position.stones, frozenset(), position.over, WIDTH)
        content = png(shown)
        assert content == png(shown)
        assert len(content) <= 70_000
        loaded = Image.open(io.BytesIO(content))
        loaded.load()  # checks what the file says of itself
        assert 600 <= loaded.width == shown.empty.where.width <= 680
        assert len(loaded.getcolors(1000) or ()) in range(5, 17)


def drawn_anew(shown: Picture) -> Image.Image:
    """The picture without anything that was drawn before."""
    left, top, _, high = shown.empty.box
    where = shown.empty.where
    anew = drawn(sketch(shown.shapes, (left, top, where.width / where.unit, high), where.unit))
    return anew.convert("RGB")


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", some_games("star", "*star", "queens"))
@pytest.mark.parametrize("moves", [0, 12, 400])
def test_a_colour_in_the_place_of_another_is_hardly_another(kind: type[Game], moves: int) -> None:
    """A board has more colours than its picture. Cells, stones and the last move have their own."""
    position = after(make(kind.word, largest(kind)), moves)
    last = frozenset([first]) if (first := position.stones.find(b"x")) >= 0 else frozenset()
    board = picture(position.game, position.stones, last, position.over, WIDTH)
    left, top, _, high = board.empty.box
    where = board.empty.where
    what = sketch(board.shapes, (left, top, where.width / where.unit, high), where.unit)
    numbers, palette = shown(named(what))
    assert len(palette) <= 3 * 16
    own = {
        *CELLS,
        LAST,
        *(each for look in LOOKS.values() for each in (look.stone, look.tint, look.rim)),
    }
    for colour in {each for stroke in what.strokes for each in (stroke[2], stroke[3])} & {*EVERY}:
        at = 3 * numbers[EVERY.index(colour)]
        apart = [
            abs(a - b) for a, b in zip(bytes.fromhex(colour[1:]), palette[at : at + 3], strict=True)
        ]
        assert max(apart) <= (0 if colour in own else 42), colour


def test_thin_letters_on_guarded_cells_are_whole() -> None:
    """Their colours are near to each other; as many pixels show the name as on any other cell."""

    def inked(ground: str, name: str) -> int:
        square = Polygon(((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)), ground)
        shapes = (square, Label((1.0, 1.0), "T02", 0.55, name))
        image = drawn(sketch(shapes, (0.0, 0.0, 2.0, 2.0), 24.0))
        return 48 * 48 - image.tobytes().count(EVERY.index(ground))

    assert inked(GUARDED, GUARDED_NAME) > 0.9 * inked(CELLS[0], NAME) > 20


@pytest.mark.slow
def test_tiles_give_what_drawing_all_of_it_gives() -> None:
    """What is pasted on the empty board looks as if the whole had been drawn, but for a few edges."""
    for word, options in (("star", {"size": 5}), ("*star", {"rings": 5}), ("stary", {"rings": 4})):
        position = after(make(word, options), 40)
        shown = picture(position.game, position.stones, frozenset([3]), most=WIDTH)
        pasted = Image.open(io.BytesIO(png(shown))).convert("L")
        anew = drawn_anew(shown).convert("L")
        differ = sum(ImageChops.difference(pasted, anew).histogram()[61:])
        assert differ < 0.03 * pasted.width * pasted.height


def test_a_picture_costs_a_small_part_of_drawing_it_anew() -> None:
    """Once a board's empty picture is drawn; by the processor's time, so that a busy machine is fair."""
    position = after(make("*star", {"rings": 6}), 40)
    stones = position.stones
    shown = [picture(position.game, stones, frozenset([cell]), most=WIDTH) for cell in range(6)]
    cheap, dear = math.inf, math.inf
    png(shown[0])
    for each in shown[1:4]:
        begun = time.process_time()
        png(each)
        cheap = min(cheap, time.process_time() - begun)
    for each in shown[:2]:
        begun = time.process_time()
        drawn_anew(each)
        dear = min(dear, time.process_time() - begun)
    assert cheap * 4 < dear


def test_stones_of_each_player_and_the_last_move_can_be_told_apart() -> None:
    game = make("star", {"size": 4})
    start = game.start().play("C4").play("D4")
    shown = picture(game, start.stones, frozenset([game.grid.index["D4"]]), most=WIDTH)
    board = Image.open(io.BytesIO(png(shown))).convert("RGB")
    left, top, width, _ = shown.empty.box

    def colour(name: str, right: float) -> tuple[int, ...]:
        x, y = shown.empty.where.places[game.grid.index[name]]
        unit = board.width / width
        return board.getpixel((round((x + right - left) * unit), round((y - top) * unit)))  # type: ignore[return-value]

    assert colour("C4", 0.25) == (0x1D, 0x35, 0x57) and colour("D4", 0.25) == (0xFF, 0xF6, 0xE0)
    assert colour("D4", 0.43) == (0xD6, 0x00, 0x4C) and colour("C4", 0.43) != (0xD6, 0x00, 0x4C)


def test_areas_are_those_of_the_score() -> None:
    """On a full board of *Star each peri is the area of whoever owns it by the rules."""
    game = make("*star", {"rings": 5})
    for seed in range(30):
        stones = after(game, 999, seed).stones
        owners = areas(game, stones)
        for player, stone in (("X", b"x"), ("O", b"o")):
            peries = game.score(stones).detail["detail"][player]["peries"]  # type: ignore[index]
            assert owners[game.perimeter :].count(stone) == peries  # type: ignore[attr-defined]
        assert EMPTY not in owners


def test_cells_that_no_queen_can_be_put_on_are_shaded() -> None:
    game = make("queens", {})
    position = game.start().play("S42")
    tints = {
        tile.cell: tile.tint
        for tile in picture(game, position.stones).tiles
        if isinstance(tile, CellTile)
    }
    free = {game.grid.index[move] for move in position.moves()}
    assert {cell for cell, tint in tints.items() if tint == CLOSED} == (
        set(range(len(game.grid))) - free - {game.grid.index["S42"]}
    )


def test_mini_solitaire_is_shown_as_large_as_its_five_rings() -> None:
    """And whole as soon as a stone stands farther out."""
    game, whole = make("minisolitaire", {}), make("queens", {})
    start = game.start()
    near = picture(game, start.stones).empty
    assert {game.grid.names[cell][1:2] for cell in near.cells} == {"", "1", "2", "3", "4", "5"}
    assert near.box[2] < picture(whole, whole.start().stones).empty.box[2] * 0.6
    far = game.setup(["*60"], ())
    assert len(picture(game, far.stones).empty.cells) == len(game.grid)


@each_game
def test_a_stamp_is_small_and_has_the_stones_of_its_board(kind: type[Game]) -> None:
    game = kind({})
    position = after(game, 12)
    shown = of_stamp(game, position.stones)
    empty = of_stamp(game, game.start().stones)
    assert shown and empty and shown.width == STAMP and len(shown.base64) < 6_000
    changed = position.stones != game.start().stones
    assert (shown.base64 != empty.base64) == changed
