"""The curve of a review: X's chance after each move, as a line of characters and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

WIDTH, HEIGHT = 640, 240
_MARKS = "_.-~=+*#@"  # from no chance to certain
_LINE = 60  # marks of a line
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 628, 14, 214  # of the curve
_INK, _GRID, _HALF, _CURVE, _DEAR = "#444", "#ddd", "#888", "#1560bd", "#c0392b"


def sparkline(chances: Sequence[float]) -> list[str]:
    """A mark for each position, in lines."""
    marks = [_MARKS[min(len(_MARKS) - 1, int(chance * len(_MARKS)))] for chance in chances]
    return ["".join(marks[at : at + _LINE]) for at in range(0, len(marks), _LINE)]


def png(chances: Sequence[float], dear: Sequence[int]) -> bytes:
    """The curve, with a dot after each of the moves that are ``dear``."""
    from PIL import Image, ImageDraw  # which only who draws needs

    image = Image.new("RGB", (WIDTH, HEIGHT), "white")
    draw = ImageDraw.Draw(image)
    last = max(1, len(chances) - 1)

    def spot(place: int) -> tuple[float, float]:
        x = _LEFT + (_RIGHT - _LEFT) * place / last
        return x, _BOTTOM - (_BOTTOM - _TOP) * chances[place]

    for percent in (0, 25, 50, 75, 100):
        y = _BOTTOM - (_BOTTOM - _TOP) * percent / 100
        draw.line([(_LEFT, y), (_RIGHT, y)], fill=_HALF if percent == 50 else _GRID)
        draw.text((8, y - 6), f"{percent:3}%", fill=_INK)
    step = 10 if last < 100 else 20
    for place in range(0, last + 1, step):
        draw.text((spot(place)[0] - 6, _BOTTOM + 6), str(place), fill=_INK)
    draw.line([spot(place) for place in range(len(chances))], fill=_CURVE, width=2)
    for place in dear:
        x, y = spot(place)
        draw.ellipse([x - 4, y - 4, x + 4, y + 4], fill=_DEAR)
    written = BytesIO()
    image.quantize(16).save(written, "PNG", optimize=True)
    return written.getvalue()
