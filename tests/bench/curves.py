"""Curves one below the other in a PNG, each on a scale of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

WIDE, HIGH, EDGE = 960, 110, 14
INK, LINE, MARK = (33, 33, 33), (23, 92, 168), (205, 92, 92)


def draw(
    path: Path,
    times: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    marks: Sequence[tuple[float, str]],
    unit: str,
) -> None:
    """Write the picture: a curve for each name, above the same times; a mark is an upright line with a word."""
    last = max(times[-1], 1e-9)
    image = Image.new("RGB", (WIDE, HIGH * len(curves) + 2 * EDGE), "white")
    pen = ImageDraw.Draw(image)

    def across(time: float) -> float:
        return EDGE + (WIDE - 2 * EDGE) * time / last

    for time, word in marks:
        pen.line((across(time), EDGE, across(time), image.height - EDGE), fill=MARK)
        pen.text((across(time) + 2, image.height - EDGE), word, fill=MARK)
    for number, (name, values) in enumerate(curves.items()):
        top, bottom = HIGH * number + 2 * EDGE, HIGH * (number + 1)
        most = max(*values, 1e-9)
        points = [
            (across(time), bottom - (bottom - top) * value / most)
            for time, value in zip(times, values, strict=True)
        ]
        pen.line((EDGE, bottom, WIDE - EDGE, bottom), fill=(190, 190, 190))
        pen.line(points, fill=LINE, width=2)
        pen.text((EDGE, top - EDGE), f"{name}: at most {most:.4g}, last {values[-1]:.4g}", fill=INK)
    pen.text((WIDE - 110, 1), f"0 to {last:.4g} {unit}", fill=INK)
    image.save(path)
