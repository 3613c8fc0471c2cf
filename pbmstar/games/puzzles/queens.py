"""The puzzle How Many Queens?: guard every cell with queens that do not see each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...errors import NOTHING, IllegalMove, InvalidMove, Sentence, say, say_many, together
from ..base import Option, Player, Position, taken
from ..grids import EMPTY, X_STONE
from ..pentagon.straights import STAR, lines
from ..spelling import steps
from ..values import ReportLine, ReportRow
from .puzzle import RINGS, Puzzle, symmetries

# Nobody can place more (tests/games/test_puzzles.py), nor guard all with fewer (tests/bench/puzzles.py).
_MOST, _FEWEST = 17, 9
KNOWN = {  # arrangements that reach them
    _MOST: "S40 *51 R52 R61 T70 *86 A87 T86 S85 R97 A93 T94 *09 R09 A08 T07 S04",
    _FEWEST: "T20 R31 S31 A40 *51 R54 A52 R63 A61",
}


class Queens(Puzzle):
    """No two queens stand in one row; the game is over when every cell holds a queen or is seen by one."""

    word = "queens"
    title = "How Many Queens?"
    brief = say(
        "A queen sees any distance along a row. A row that reaches the star in the middle splits "
        "in two and continues along both arms on the far side. Keep adding queens, one or several"
        " at a time, on empty cells that no other queen sees, until there are none left. Place as"
        " many queens as you can."
    )
    _brief_of_fewest = say(
        "A queen sees any distance along a row. A row that reaches the star in the middle splits "
        "in two and continues along both arms on the far side. Keep adding queens, one or several"
        " at a time, on empty cells that no other queen sees, until there are none left. Place as"
        " few queens as you can."
    )
    written = "coord..."
    options = (Option("fewest", "place as few queens as you can (fewer is better here)"),)
    bridge = say(
        "You can't play on the star in the middle of this board: it stays empty, and queens see "
        "through it."
    )

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.fewest = bool(self.value("fewest"))
        self.best = _FEWEST if self.fewest else _MOST
        if self.fewest:
            self.known = say("The fewest possible is {fewest}.", fewest=_FEWEST)
            self.aim = say("guard every cell with as few queens as possible")
            self.brief = self._brief_of_fewest
        else:
            self.known = say("The most possible is {most}.", most=_MOST)
            self.aim = say("guard every cell with as many queens as possible")

    def has_playable_star(self) -> bool:
        """Return False: no queen stands on the star."""
        return False

    def setup(self, x: Iterable[str], o: Iterable[str], to_move: Player = "X") -> Position:
        """Return the position with these queens. Raises IllegalMove, also if two see each other."""
        position = super().setup(x, o, to_move)
        self._place(bytearray(self.grid.empty), self.cells(position.stones))
        return position

    # -- moves

    def read_turn(self, words: Sequence[str]) -> str:
        """Read one cell or several: ``S42 T60``. Raises InvalidMove."""
        cells = [self.cell(word) for part in steps(words) for word in part]
        if not cells:
            raise InvalidMove(say("A move is one cell or several, like S42 T60."), "not-a-cell")
        return " ".join(self.grid.names[cell] for cell in sorted(cells))

    def free(self, stones: bytes) -> list[int]:
        """Return the cells without a queen that no queen sees."""
        guarded = {cell for queen in self.cells(stones) for cell in (queen, *self._seen(queen))}
        return [cell for cell in range(len(stones)) if cell not in guarded]

    def closed(self, stones: bytes) -> Iterable[int]:
        """Return the empty cells that a queen guards."""
        free = set(self.free(stones))
        return (c for c, stone in enumerate(stones) if stone == EMPTY and c not in free)

    def _seen(self, cell: int) -> list[int]:
        """Return the cells that a queen sees; the rows count the star as the first cell."""
        return [there - 1 for there in lines(RINGS).sees[cell + 1] if there != STAR]

    def turns(self, position: Position) -> Iterator[str]:
        """Return the moves of one queen each; several at once have the effect of one after the other."""
        return (self.grid.names[cell] for cell in self.free(position.stones))

    def turn(self, position: Position, move: str) -> Position:
        """Return the position after queens were placed: all of them or none. Raises IllegalMove."""
        position.mover  # noqa: B018 - raises if the game is over
        stones = bytearray(position.stones)
        self._place(stones, [self.grid.index[name] for name in move.split(" ")])
        return self.after(position, bytes(stones))

    def _place(self, stones: bytearray, cells: Iterable[int]) -> None:
        """Put queens on ``stones``. Raises IllegalMove."""
        names = self.grid.names
        for cell in cells:
            if stones[cell] != EMPTY:
                raise taken(names[cell])
            for seen in self._seen(cell):
                if stones[seen] == X_STONE:
                    raise IllegalMove(
                        say(
                            "The queen on {queen} already sees {cell}.",
                            queen=names[seen],
                            cell=names[cell],
                        ),
                        "guarded",
                    )
            stones[cell] = X_STONE

    def legal(self, position: Position) -> int:
        """Return the number of free cells; 0 when over."""
        return 0 if position.to_move is None else len(self.free(position.stones))

    def hint(self, position: Position) -> str | None:
        """Return the next queen of a known best arrangement that has the queens of the board."""
        queens = set(self.cells(position.stones))
        known = [self.grid.index[name] for name in KNOWN[self.best].split()]
        for image in symmetries(False) if position.to_move else ():
            wanted = {image[cell] for cell in known}
            if queens < wanted:
                return self.grid.names[min(wanted - queens)]
        return None

    # -- counting

    def rank(self, stones: bytes) -> int | None:
        """Return how many queens the board is from the best; None while cells are unguarded."""
        if self.free(stones):
            return None
        return abs(self.best - stones.count(X_STONE))

    def note(self, stones: bytes) -> Sentence:
        """Return the queens, and the cells that none of them sees."""
        count, free = stones.count(X_STONE), len(self.free(stones))
        if not free:
            return self.noted(count)
        return together(
            say_many("{count} queen", "{count} queens", count),
            say_many("{count} cell free", "{count} cells free", free),
            by=", ",
        )

    def noted(self, count: int) -> Sentence:
        return say_many(
            "{count} queen, and every cell is guarded",
            "{count} queens, and every cell is guarded",
            count,
        )

    def _clause(self, position: Position) -> Sentence:
        """Return the result of the player, and the best results."""
        if not position.over:
            return NOTHING
        return say(
            "{note} (the most possible is {most}, and the fewest is {fewest})",
            note=self.note(position.stones),
            most=_MOST,
            fewest=_FEWEST,
        )

    def facts(self, position: Position) -> dict[str, Any]:
        """Return also the number of cells without a queen or a guard."""
        return {**super().facts(position), "unguarded": len(self.free(position.stones))}

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield the queens and the free cells."""
        names = self.grid.names
        yield ReportLine(say("{sentence}.", sentence=self.note(stones)))
        yield ReportLine(say("queens:"), tuple(names[cell] for cell in self.cells(stones)), 2)
        yield ReportLine(say("free:"), tuple(names[cell] for cell in self.free(stones)), 2)
