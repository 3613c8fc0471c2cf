"""A search for a way to leave one stone, bounded by the boards that it looks at."""

from __future__ import annotations

from .jumps import jumps_from

BUDGET = 10_000


def way(
    stones: frozenset[int], ends: frozenset[int], budget: int = BUDGET
) -> list[tuple[int, int]] | None:
    """Jumps, as from and to, that leave one stone on a cell of ``ends``.

    None where there are none, and where none was found on so many boards.
    """
    dead: set[frozenset[int]] = set()

    def search(board: frozenset[int], last: int) -> list[tuple[int, int]] | None:
        if len(board) == 1:
            return [] if board <= ends else None
        if board in dead or len(dead) >= budget:
            return None
        # the stone that has jumped goes on first: so a way has few turns
        for here in sorted(board, key=lambda cell: (cell != last, -cell)):
            for over, there in jumps_from(here):
                if over in board and there not in board:
                    rest = search(board - {here, over} | {there}, there)
                    if rest is not None:
                        return [(here, there), *rest]
        dead.add(board)
        return None

    return search(stones, -1)
