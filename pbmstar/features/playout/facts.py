"""Letters that show a position of a finished game: the line that plays it on from there."""

from __future__ import annotations

from ...render.letter import Letters


def _goes_on(number: int) -> str:
    """Return the line of a reply that plays the game on from the board after that move; empty for none."""
    return f"from {number}" if number else ""


LETTERS = Letters(goes_on=_goes_on)
