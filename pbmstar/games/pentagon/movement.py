"""Games in which stones move along rows: reading, ways, repetition, blocked players."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import ClassVar

from ...errors import IllegalMove, InvalidMove, Sentence, say, together
from ..base import STONE, Ending, How, Player, Position, other, taken
from ..grids import EMPTY
from ..spelling import steps
from .board import PentagonGame
from .straights import lines

RINGS = 10
LONGEST = 500  # moves of a game; then it is a draw
_REPEATED = 3  # the times that a position must arise for a draw
_NAMED = 12  # cells that a refusal lists at most


class Movement(PentagonGame):
    """A turn moves one stone along a row over empty cells, through the star to either fork.

    A game of this kind defines the first places of the stones (``begin``), the winner (``won``), and
    the further effects and limits of a move (``complete``).
    """

    written = "from-to"
    late_swap = say("You can only swap right after the first move, and only if it moved a stone.")
    begin: ClassVar[Mapping[Player, tuple[str, ...]]]
    verdicts: ClassVar[Mapping[How, Sentence]] = {
        "blocked": say("{loser} can't move"),
        "repetition": say("the same position came up for the third time, so it's a draw"),
        "length": say("{moves} moves without a winner, so it's a draw", moves=LONGEST),
    }
    own_verdicts: ClassVar[Mapping[How, Sentence]] = {"blocked": say("you can't move")}

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.lines = lines(RINGS)

    def start(self) -> Position:
        """Return the position with the stones on their first places."""
        stones = bytearray(self.grid.empty)
        for player, names in self.begin.items():
            for name in names:
                stones[self.grid.index[name]] = STONE[player]
        return Position(self, bytes(stones))

    # -- moves

    def read_turn(self, words: Sequence[str]) -> str:
        """Read a movement: ``*03-*53``, or with a blank, ``>``, ``->`` or ``to`` between.

        One cell alone is not a move, but is read: the refusal by ``turn`` says where its stone can go.
        """
        parts = steps(words)
        names = [self.grid.names[self.cell(word)] for part in parts for word in part]
        if len(names) == 1:
            return names[0]
        if not names or len(parts) > 2 or (len(parts) == 2 and len(parts[0]) != 1):
            raise InvalidMove(
                say(
                    "Write the cell your stone is on and the cell it goes to, like {example}.",
                    example=self.example(),
                ),
                "not-a-movement",
            )
        return " ".join([f"{names[0]}-{names[1]}", *self.read_rest(names[2:])])

    def read_rest(self, names: list[str]) -> list[str]:
        """Return the words of a move after the two cells of a movement. Raises InvalidMove."""
        if names:
            raise InvalidMove(
                say(
                    "Write the cell your stone is on and the cell it goes to, like {example}.",
                    example=self.example(),
                ),
                "not-a-movement",
            )
        return names

    @abstractmethod
    def example(self) -> str:
        """Return a movement, as an example of the spelling."""

    def reach(self, stones: bytes, cell: int) -> list[int]:
        """Return the cells to which the rows alone let the stone on ``cell`` move, in board order."""
        cells = []
        for row, forks in self.lines.rays[cell]:
            for to in row:
                if stones[to] != EMPTY:
                    break
                cells.append(to)
            else:
                for fork in forks:
                    for to in fork:
                        if stones[to] != EMPTY:
                            break
                        cells.append(to)
        return sorted(cells)

    def movements(self, stones: bytes, player: Player) -> Iterator[tuple[int, int]]:
        """Return the movements that the rows alone allow ``player``, as cells from and to, in board order."""
        for cell, stone in enumerate(stones):
            if stone == STONE[player]:
                for to in self.reach(stones, cell):
                    yield cell, to

    def moved(self, position: Position, move: str) -> tuple[int, int]:
        """Return the cells from and to of a movement. Raises IllegalMove."""
        stones, player = position.stones, position.mover
        origin, _, goal = move.partition("-")
        here = self.grid.index[origin]
        if stones[here] != STONE[player]:
            text = (
                say("There's no stone on {cell}.", cell=origin)
                if stones[here] == EMPTY
                else say("The stone on {cell} is your opponent's.", cell=origin)
            )
            raise IllegalMove(text, "not-your-stone")
        if not goal:
            text = say(
                "Write the cell your stone is on and the cell it goes to, like {example}.",
                example=self.example(),
            )
            raise InvalidMove(together(text, self._ways(stones, here)), "not-a-movement")
        there = self.grid.index[goal]
        between = self.lines.between.get((here, there))
        if between is None:
            trouble = say("{cell} and {goal} aren't in the same row.", goal=goal, cell=origin)
            code = "not-in-row"
        elif stones[there] != EMPTY:
            trouble, code = taken(goal).told, "taken"
        elif any(stones[cell] != EMPTY for cell in between):
            stone = next(cell for cell in between if stones[cell] != EMPTY)
            trouble = say("{cell} is in the way.", cell=self.grid.names[stone])
            code = "in-the-way"
        else:
            return here, there
        raise IllegalMove(together(trouble, self._ways(stones, here)), code)

    def _ways(self, stones: bytes, cell: int) -> Sentence:
        """Return a sentence that names the cells to which a stone can move by the rows alone."""
        name = self.grid.names[cell]
        names = [self.grid.names[to] for to in self.reach(stones, cell)]
        if not names:
            return say("The stone on {cell} can't move.", cell=name)
        cells, more = " ".join(names[:_NAMED]), len(names) - _NAMED
        if more > 0:
            return say(
                "The stone on {cell} can move to {cells} (and {more} more).",
                cell=name,
                cells=cells,
                more=more,
            )
        return say("The stone on {cell} can move to {cells}.", cell=name, cells=cells)

    def turns(self, position: Position) -> Iterator[str]:
        """Return the moves that are allowed: each movement with all its completions."""
        player = position.mover
        for here, there in self.movements(position.stones, player):
            yield from self.completions(position.stones, player, here, there)

    def legal(self, position: Position) -> int:
        """Return how many movements, as pairs of cells, the player to move can make; 0 when over."""
        if position.to_move is None:
            return 0
        return sum(self._allowed(position.stones, position.to_move))

    def _allowed(self, stones: bytes, player: Player) -> Iterator[bool]:
        """Return for each movement by the rows if it is allowed."""
        for here, there in self.movements(stones, player):
            yield any(True for _ in self.completions(stones, player, here, there))

    def completions(self, stones: bytes, player: Player, here: int, there: int) -> Iterator[str]:
        """Return the canonical texts of the moves that begin with this movement."""
        yield f"{self.grid.names[here]}-{self.grid.names[there]}"

    def complete(self, stones: bytes, player: Player, move: str, here: int, there: int) -> bytes:
        """Return the board after a movement that the rows allow, and its effects. Raises IllegalMove."""
        return shifted(stones, here, there)

    def turn(self, position: Position, move: str) -> Position:
        """Return the position after a move. Raises IllegalMove."""
        player = position.mover
        here, there = self.moved(position, move.split(" ", maxsplit=1)[0])
        after = Position(
            self,
            self.complete(position.stones, player, move, here, there),
            other(player),
            position.played + 1,
            swapped=position.swapped,
            swappable=position.played == 0,
            history=(*position.history, _memory(position)),
        )
        return self.judge(after, (there,))

    # -- endings

    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """Return the position, ended by a win, a blocked player, a repetition or the number of moves."""
        to_move = position.mover
        if won := self.won(position.stones, (other(to_move), to_move), cells):
            return position.end(won)
        if not any(self._allowed(position.stones, to_move)):
            return position.end(Ending("blocked", other(to_move)))
        if position.history.count(_memory(position)) >= _REPEATED - 1:
            return position.end(Ending("repetition", None))
        return position.end(Ending("length", None)) if position.played >= LONGEST else position

    @abstractmethod
    def won(
        self, stones: bytes, players: tuple[Player, Player], cells: Iterable[int]
    ) -> Ending | None:
        """Return the end of a board that is won; None if it is not won.

        If both have reached the aim, the first of ``players`` wins. Only stones on ``cells`` have moved
        since a board on which nobody had won.
        """


def shifted(stones: bytes, here: int, there: int) -> bytes:
    """Return the board with the stone of ``here`` moved to ``there``, an empty cell."""
    board = bytearray(stones)
    board[there] = board[here]
    board[here] = EMPTY
    return bytes(board)


def _memory(position: Position) -> bytes:
    """Return a position as a history keeps it: the stones, and the player to move."""
    return position.stones + position.mover.encode()


def remembered(memory: bytes) -> tuple[bytes, Player]:
    """Return the stones of an earlier position, and the player who was to move."""
    return memory[:-1], "X" if memory.endswith(b"X") else "O"
