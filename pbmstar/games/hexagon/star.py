"""Star and Maxi-Star: join edge cells with as few chains as possible."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from string import ascii_uppercase

from ..base import PLAYERS, STONE, Bounds, Option, Score
from ..grids import Grid, once
from ..placement import Placement
from ..spelling import listed, plural
from ..values import Counting
from .lattice import around, column_feet, lattice


class Star(Placement):
    """A chain scores the external cells that it touches, less two; off the edge it scores 0."""

    word = "star"
    title = "Star"
    brief = (
        "Players take turns to put a stone on an empty cell; stones never move. A chain of your "
        "stones that reaches the edge scores the places just outside the board that it touches, "
        "less 2. The higher score wins: hold much of the edge with few chains."
    )
    _brief_of_maxi = brief.replace(
        "The higher score wins: hold much of the edge with few chains.",
        "Only the best chain counts, on a tie the next best: hold much of the edge with one chain.",
    )
    options = (
        Option("size", "cells along each of the three long sides", (3, 14), 6),
        Option("maxi", "only the best chain counts; ties go to the next best"),
    )

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.grid, self.outside = once(_grid, self.value("size"))
        self.rim = [cell for cell, bits in enumerate(self.outside) if bits]
        self.edges = tuple(int(bits > 0) for bits in self.outside)
        self.maxi = bool(self.value("maxi"))
        if self.maxi:
            self.brief = self._brief_of_maxi
        self.total = None if self.maxi else 6 * self.value("size") - 5

    @lru_cache(1000)  # noqa: B019 - games are few and live as long as the process
    def score(self, stones: bytes) -> Score:
        """Return both scores, and the points of each chain at the edge."""
        x, o = (self._chain_points(stones, STONE[player]) for player in PLAYERS)
        points = (x[0] if x else 0, o[0] if o else 0) if self.maxi else (sum(x), sum(o))
        longest = max(len(x), len(o))
        ranks = (
            (x + [0] * (longest - len(x)), o + [0] * (longest - len(o))) if self.maxi else points
        )
        return Score(points, ranks, {"chains": {"X": x, "O": o}}, (_note(x), _note(o)))

    def bounds(self, stones: bytes) -> Bounds:
        """Return the bounds of the scores that the board can still reach.

        Cells given to the opponent leave a player's own chains as they are, and on a full board the
        points of both add up to ``total``. So the board as it stands gives both bounds.
        """
        if self.total is None:
            return super().bounds(stones)
        x, o = self.score(stones).points
        return Bounds(_end(x, self.total - x), _end(self.total - o, o))

    def counting(self) -> Counting:
        """Return a count of each chain's external cells, except one for each of its runs of edge cells.

        ``after`` adds these again where they do not cancel out.
        """
        weights = tuple(max(0, bits.bit_count() - 1) for bits in self.outside)
        gains = tuple(w - 2 if w else 0 for w in range(sum(weights) + len(self.rim) + 1))
        return Counting(weights, (gains, gains), after=self._after(), total=self.total)

    def _after(self) -> dict[int, int]:
        """Return the edge cells, each with the next one round the board: the two share an external cell."""
        after: dict[int, int] = {}
        cell = self.rim[0]
        while cell not in after:
            before = next((c for c, d in after.items() if d == cell), None)
            after[cell] = next(
                c
                for c in self.grid.neighbours[cell]
                if self.outside[c] & self.outside[cell] and c != before
            )
            cell = after[cell]
        return after

    def report(self, stones: bytes) -> tuple[str, ...]:
        """Return every chain with its cells and its points."""
        names = self.grid.names
        score = self.score(stones)
        lines = []
        for player, points in zip(PLAYERS, score.points, strict=True):
            edge, inland = [], []
            for chain in self.grid.chains(stones, STONE[player]):
                touched = 0
                for cell in chain:
                    touched |= self.outside[cell]
                named = [names[cell] for cell in chain]
                if touched:
                    edge.append((touched.bit_count(), named))
                else:
                    inland.append(named)
            edge.sort(key=lambda row: -row[0])
            lines.append(
                f"{player} has {plural(points, 'point')}: "
                f"{plural(len(edge), 'chain')} at the edge, {len(inland)} off it."
            )
            for touched, named in edge:
                lines.append(f"  {touched} external cells - 2 = {touched - 2}")
                lines += listed("    ", named)
            for named in inland:
                lines += listed("  off the edge: ", named)
        x, o = score.points
        margin = f"{score.winner} is ahead" + (f" by {abs(x - o)}." if x != o else ".")
        rule = "The best chain counts, then the next best. " if self.maxi else ""
        return (*lines, "", rule + (margin if score.winner else "Nobody is ahead."))

    def _chain_points(self, stones: bytes, stone: int) -> list[int]:
        points, outside = [], self.outside
        for chain in self.grid.chains(stones, stone, self.rim):
            touched = 0
            for cell in chain:
                touched |= outside[cell]
            points.append(touched.bit_count() - 2)
        points.sort(reverse=True)
        return points


def _end(x: int, o: int) -> Score:
    return Score((x, o), (x, o), {}, ("", ""))


def _note(points: list[int]) -> str:
    return "chains " + " + ".join(map(str, points)) if points else "no chain at the edge"


def _grid(size: int) -> tuple[Grid, tuple[int, ...]]:
    """Return the hexagonal grid, and for each cell a set (bits) of the external cells that it touches."""
    cells = [
        (c, r)
        for r in range(1, 2 * size - 1)
        for c in range(2 * size - 2)
        if size <= c + r <= 3 * size - 3
    ]
    on_board = set(cells)
    external: dict[tuple[int, int], int] = {}
    outside = []
    for cell in cells:
        bits = 0
        for near in around(cell):
            if near not in on_board:
                bits |= 1 << external.setdefault(near, len(external))
        outside.append(bits)

    def spot(c: int, r: int) -> tuple[int, int]:
        return r - 1, 5 + 2 * c + r

    labels = list(column_feet(cells, spot, 2))
    for r in range(1, 2 * size - 1):
        dash = size + 1 + abs(r - size)
        labels.append((r - 1, dash - len(str(r)), f"{r}-"))
    c, r = cells[-1]
    return lattice(cells, spot, labels, f"{ascii_uppercase[c]}{r}"), tuple(outside)
