"""The last boards of a Sunday game, for its letter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from ... import games
from ...render.added import Letters

_WIDE = 72  # characters of a line
_GAP = 3


def final_drawn(final: Mapping[str, str]) -> str:
    """Return the last board of a player, drawn with letters."""
    game = games.load(final["game"], final["options"])
    return game.draw(bytes.fromhex(final["stones"])).rstrip("\n")


def side_by_side(finals: Sequence[Mapping[str, str]]) -> str:
    """Return last boards drawn with letters, each below its player: beside each other if there is room."""
    drawn = [[each["title"], *final_drawn(each).split("\n")] for each in finals]
    wide = [max(map(len, lines)) + _GAP for lines in drawn]
    if sum(wide) - _GAP > _WIDE:
        return "\n\n".join("\n".join(lines) for lines in drawn)
    rows = zip_longest(*drawn, fillvalue="")
    return "\n".join(
        "".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in rows
    )


LETTERS = Letters(filters=(final_drawn, side_by_side))
