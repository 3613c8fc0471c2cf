"""Star and Maxi-Star: join edge cells with as few chains as possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from string import ascii_uppercase

from ...errors import Sentence, say, say_many, together
from ..base import PLAYERS, STONE, Bounds, Option, Score
from ..grids import Grid, around, column_feet, lattice, once
from ..placement import Placement
from ..values import Counting, ReportLine, ReportRow


class Star(Placement):
    """A chain scores the external cells that it touches, less two; off the edge it scores 0."""

    word = "star"
    title = "Star"
    brief = say(
        "Players take turns putting a stone on an empty cell. Stones never move. Imagine one "
        "more ring of cells around the board. Each chain at the edge scores a point for "
        "every cell of that ring it touches, minus 2. The higher score wins, so hold as much "
        "edge as you can with few chains."
    )
    _brief_of_maxi = say(
        "Players take turns putting a stone on an empty cell. Stones never move. Imagine one "
        "more ring of cells around the board. Each chain at the edge scores a point for "
        "every cell of that ring it touches, minus 2. Only each player's best chain counts "
        "(if those tie, the next best), so hold as much of the edge as you can with one "
        "chain."
    )
    options = (
        Option("size", "cells along each of the three long sides", (3, 14), 6),
        Option("maxi", "only each player's best chain counts (if those tie, the next best)"),
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

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield every chain with its cells and its points."""
        names = self.grid.names
        score = self.score(stones)
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
            yield ReportLine(
                say(
                    "{player} has {points}, with {chains} at the edge and {inland} elsewhere.",
                    player=player,
                    points=say_many("{count} point", "{count} points", points),
                    chains=say_many("{count} chain", "{count} chains", len(edge)),
                    inland=len(inland),
                )
            )
            for touched, named in edge:
                worth = touched - 2
                yield ReportLine(
                    say(
                        "touches {touched} outside cells: {touched} - 2 = {worth}",
                        touched=touched,
                        worth=worth,
                    ),
                    indent=2,
                )
                yield ReportLine("", named, 4)
            for named in inland:
                yield ReportLine(say("away from the edge:"), named, 2)
        yield ReportLine("")
        yield ReportLine(self._margin(score))

    def _margin(self, score: Score) -> Sentence:
        """Return who is ahead."""
        x, o = score.points
        if not score.winner:
            ahead = say("Nobody is ahead.")
        elif x != o:
            ahead = say("{player} is ahead by {points}.", player=score.winner, points=abs(x - o))
        else:
            ahead = say("{player} is ahead.", player=score.winner)
        if not self.maxi:
            return ahead
        return together(say("The best chains are compared first, then the next best."), ahead)

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


def _note(points: list[int]) -> Sentence:
    if not points:
        return say("no chain at the edge")
    return say("chains {points}", points=" + ".join(map(str, points)))


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
