"""A picture as SVG, from the same shapes: for web pages."""

from __future__ import annotations

from html import escape

from .shapes import Disc, Line, Picture, Polygon, Shape

_UNIT = 40  # a distance of 1 on the board, in the picture's own coordinates
_BELOW = 0.36  # from the middle of a text to its base line, as a part of its size


def svg(picture: Picture, title: str = "") -> str:
    """The SVG of a picture as one element, its title escaped."""
    left, top, width, height = (_number(each) for each in picture.empty.box)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left} {top} {width} {height}" role="img">'
        f"<title>{escape(title)}</title>{''.join(map(_element, picture.shapes))}</svg>"
    )


def _element(shape: Shape) -> str:
    if isinstance(shape, Polygon):
        points = " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)
        return f'<polygon points="{points}"{_paint(shape.fill, shape.line, shape.width)}/>'
    if isinstance(shape, Disc):
        x, y, radius = _number(shape.at[0]), _number(shape.at[1]), _number(shape.radius)
        paint = _paint(shape.fill, shape.line, shape.width)
        return f'<circle cx="{x}" cy="{y}" r="{radius}"{paint}/>'
    if isinstance(shape, Line):
        (x1, y1), (x2, y2) = shape.a, shape.b
        return (
            f'<path d="M{_number(x1)},{_number(y1)} {_number(x2)},{_number(y2)}" '
            f'stroke-linecap="{"round" if shape.round else "butt"}"'
            f"{_paint('', shape.line, shape.width)}/>"
        )
    x, y = _number(shape.at[0]), _number(shape.at[1] + _BELOW * shape.size)
    return (
        f'<text x="{x}" y="{y}" font-size="{_number(shape.size)}" fill="{shape.fill}" '
        f'text-anchor="middle" font-family="sans-serif">{escape(shape.text)}</text>'
    )


def _paint(fill: str, line: str, width: float) -> str:
    border = f' stroke="{line}" stroke-width="{_number(width)}"' if line and width else ""
    return f' fill="{fill or "none"}"{border}'


def _number(length: float) -> str:
    return f"{length * _UNIT:.1f}".removesuffix(".0")
