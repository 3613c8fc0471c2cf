"""The board in the text of a letter, as its reader wishes: drawn, drawn with signs of Unicode, in words."""

from __future__ import annotations

from collections.abc import Iterable

from ..games.base import STONE
from ..games.boards import EMPTY
from .text import hang
from .view import View

_SIGNS = str.maketrans({"x": "\u25cf", "o": "\u25cb", ".": "\u00b7"})
_NAMED = 12  # empty cells at the edge that are named; of more the number is said


def drawn(view: View, drawing: str) -> str:
    """The board as lines, of at most 72 columns where the drawing has no more; else empty."""
    if drawing in ("none", "short"):
        return ""
    if drawing == "words":
        return "\n".join(hang(line, "", "  ") for line in in_words(view))
    return _in_signs(view) if drawing == "unicode" else view.drawing


def _in_signs(view: View) -> str:
    """The drawing with a disc, a ring or a dot for each cell, and the last move in brackets."""
    spots, board = view.match.game.grid.spots, list(view.drawing)
    for spot in spots:
        board[spot] = board[spot].translate(_SIGNS)
    for spot in sorted((spots[stone.cell] for stone in view.stones if stone.last), reverse=True):
        if board[spot + 1 : spot + 2] == [" "]:
            board[spot + 1] = "]"
        elif board[spot + 1 : spot + 2] in ([], ["\n"]):
            board.insert(spot + 1, "]")
        if spot and board[spot - 1] == " ":
            board[spot - 1] = "["
    return "".join(board)


def in_words(view: View) -> list[str]:
    """Every stone by its chain, the empty edge, and what is around the last move."""
    match = view.match
    game, stones = match.game, match.position.stones
    names, grid = game.grid.names, game.grid

    def of(cells: Iterable[int]) -> str:
        return " ".join(names[cell] for cell in sorted(cells))

    lines = []
    for player in match.players:
        chains = sorted(grid.chains(stones, STONE[player]), key=lambda c: (-len(c), min(c)))
        count = sum(map(len, chains))
        parts = [f"{player}: {count} stone{'' if count == 1 else 's'}."]
        for chain in chains:
            title = f"Chain of {len(chain)}" if len(chain) > 1 else "Single"
            edge = " at the edge" if any(game.edges[cell] for cell in chain) else ""
            parts.append(f"{title}{edge}: {of(chain)}.")
        lines.append(" ".join(parts))
    free = [c for c, stone in enumerate(stones) if stone == EMPTY and game.edges[c]]
    if any(game.edges):
        lines.append(f"Empty cells at the edge: {of(free) if len(free) <= _NAMED else len(free)}.")
    for stone in view.stones:
        if stone.last:
            near = [
                f"{chr(stones[cell]).upper()} {names[cell]}"
                for cell in grid.neighbours[stone.cell]
                if stones[cell] != EMPTY
            ]
            beside = f"beside {', '.join(near)}" if near else "beside no stone"
            lines.append(f"Last: {stone.stone.upper()} {names[stone.cell]}, {beside}.")
    return lines
