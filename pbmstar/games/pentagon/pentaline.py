"""Penta-Line: move ten stones along the rows until five of them stand in a row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from ...errors import say
from ..base import PLAYERS, STONE, Ending, Player, Position, Score
from ..values import ReportLine, ReportRow
from .board import ARMS
from .movement import Movement

_ROW = 5


class PentaLine(Movement):
    """A player who has five or more stones of their own next to each other on a row wins."""

    word = "pentaline"
    aliases = ("penta-line",)
    title = "Penta-Line"
    aim = say("gets five stones in a row")
    brief = say(
        "Players take turns moving one of their own stones along a row of empty cells, as far as "
        "they like. A row that reaches the star in the middle continues along either of the two "
        "arms on the far side. You win as soon as five of your ten stones are next to each other "
        "in a row. If you can't move, you lose. If the same position comes up for the third time,"
        " the game is a draw."
    )
    begin: ClassVar = {
        "X": tuple(f"{arm}0{offset}" for arm in ARMS for offset in (3, 6)),
        "O": tuple(f"{arm}0{offset}" for arm in ARMS for offset in (4, 7)),
    }
    verdicts: ClassVar = {"row": say("{winner} has five in a row"), **Movement.verdicts}
    own_verdicts: ClassVar = {"row": say("you have five in a row"), **Movement.own_verdicts}

    def example(self) -> str:
        """Return a first movement of X."""
        return "*03-*53"

    def won(
        self, stones: bytes, players: tuple[Player, Player], cells: Iterable[int]
    ) -> Ending | None:
        """Return the end by a row through one of ``cells``; None if there is none."""
        for player in players:
            for cell in cells:
                for line in self.lines.through[cell] if stones[cell] == STONE[player] else ():
                    if _has_row(stones, line, player):
                        return Ending("row", player)
        return None

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """Return the longest row of five or more; X's, if both have one."""
        return next(filter(None, (self._row(stones, player) for player in PLAYERS)), ())

    def score(self, stones: bytes) -> Score:
        """Return a score of 1 for each player who has five in a row, otherwise 0."""
        points = tuple(int(bool(self._row(stones, player))) for player in PLAYERS)
        return Score(points, points, {}, ("", ""))

    def facts(self, position: Position) -> dict[str, Any]:
        """Return the number of movements, and the row that won."""
        facts: dict[str, Any] = {"legal": self.legal(position)}
        if position.winner and (row := self._row(position.stones, position.winner)):
            facts["row"] = list(row)
        return facts

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield the longest rows of both, from two stones on."""
        names = self.grid.names
        for player in PLAYERS:
            runs = {run for line in self.lines.lines for run in _runs(stones, line, player)}
            longest = max(map(len, runs), default=0)
            if longest < 2:
                yield ReportLine(
                    say("None of {player}'s stones are next to each other.", player=player)
                )
                continue
            yield ReportLine(
                say(
                    "{player}'s longest row has {longest} stones:",
                    player=player,
                    longest=longest,
                )
            )
            rows = (" ".join(names[cell] for cell in run) for run in runs if len(run) == longest)
            yield from (ReportLine(row, indent=2) for row in sorted(rows))

    def _row(self, stones: bytes, player: Player) -> tuple[str, ...]:
        """Return a player's longest row of five or more, the first of equally long ones; otherwise empty."""
        runs = [run for line in self.lines.lines for run in _runs(stones, line, player)]
        rows = [run for run in runs if len(run) >= _ROW]
        best = min(rows, key=lambda row: (-len(row), row), default=())
        return tuple(self.grid.names[cell] for cell in best)


def _has_row(stones: bytes, line: tuple[int, ...], player: Player) -> bool:
    return bytes([STONE[player]]) * _ROW in bytes([stones[cell] for cell in line])


def _runs(stones: bytes, line: tuple[int, ...], player: Player) -> Iterator[tuple[int, ...]]:
    """Return the parts of a line that are full of a player's stones, from the cell first on the board."""
    run: list[int] = []
    for cell in (*line, None):
        if cell is not None and stones[cell] == STONE[player]:
            run.append(cell)
        elif run:
            yield tuple(run if run[0] <= run[-1] else run[::-1])
            run = []
