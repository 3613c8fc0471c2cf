"""The cells of a grid as links, and as circles of an image map.

They are the same in all letters about boards of that grid but for an address, and a large board has
500 cells: so they are made once, with ``ADDRESS`` in the place of the address.
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import quote

from markupsafe import escape

from ..games.boards import Grid

ADDRESS = "\0"  # where the address goes, up to the Subject
Box = tuple[float, float, float, float]  # left, top, width, height, in the board's units
_ABREAST = 11  # cells of a row that a phone shows side by side
# Between these cells, for programs that know no styles: with them it is as good as nothing. Cells of a
# table would do as well, but Alpine shows each on a line of its own.
_APART = "&nbsp;\n"


@lru_cache(4096)  # cells of all boards, and words
def subject(word: str) -> str:
    """A word as the Subject of a ``mailto:`` address; ``*`` is written ``Z``, as it may get lost."""
    return quote("star" if word == "@" else word.replace("*", "Z"))


@lru_cache(64)
def links(grid: Grid, more: str) -> list[str]:
    """The link of each cell."""
    return [f'<a\nhref="{ADDRESS}{subject(name + more)}">{escape(name)}</a>' for name in grid.names]


@lru_cache(64)
def circles(grid: Grid, box: Box, width: int, more: str) -> list[str]:
    """The circle of each cell on a picture so wide."""
    unit = width / box[2]
    return [
        f'<area shape="circle" coords="{round((x - box[0]) * unit)},{round((y - box[1]) * unit)},'
        f'{round(unit / 2)}" alt="{escape(name)}"\nhref="{ADDRESS}{subject(name + more)}">'
        for (x, y), name in zip(grid.places, grid.names, strict=True)
    ]


@lru_cache(64)
def rows(grid: Grid) -> tuple[list[int], list[str]]:
    """The cells in the order in which they are shown, and what stands before each and behind the last."""
    order, pieces, text = [], [], ""
    for title, lines in _sections(grid):
        if title:
            text += f'<h3 style="margin:14px 0 2px;font-size:15px">{escape(title)}</h3>\n'
        align = "" if title else ' align="center"'
        for row in lines:
            begin, between, end = f'<div class="c"{align}>', _APART, "</div>"
            if len(row) > _ABREAST:
                begin, between, end = '<p class="c" style="margin:0 0 8px">', "\n", "</p>"
            for number in row:
                pieces.append(text + begin)
                order.append(number)
                text, begin = "", between
            text = f"{end}\n"
    return order, [*pieces, text.removesuffix("\n")]


def _sections(grid: Grid) -> list[tuple[str, list[list[int]]]]:
    """The cells as they are read: row by row; on a board with arms, arm by arm, from the rim inward."""
    if any(name[0] == "*" for name in grid.names):
        arms: dict[str, dict[str, list[int]]] = {}
        for number, name in enumerate(grid.names):
            arms.setdefault(name[0], {}).setdefault(name[1:2], []).append(number)
        order = sorted(arms, key="TARS*@".index)
        return [(_arm(arm), list(arms[arm].values())[::-1]) for arm in order]
    lines: list[list[int]] = []
    level = None
    for number in sorted(
        range(len(grid)), key=lambda n: (round(grid.places[n][1], 3), grid.places[n][0])
    ):
        if level is None or grid.places[number][1] > level + 0.4:
            level = grid.places[number][1]
            lines.append([])
        lines[-1].append(number)
    return [("", [sorted(row, key=lambda n: grid.places[n][0]) for row in lines])]


def _arm(arm: str) -> str:
    if arm == "@":
        return "The star in the middle"
    return f"From arm {arm} clockwise" + (" (Z in a Subject)" if arm == "*" else "")
