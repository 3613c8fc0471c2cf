"""What the games share: options, positions, turns, pass, swap, resignation, agreement, endings.

A ``Game`` is rules with the options filled in; a ``Position`` is one immutable state of play. Moves
are canonical texts (``F6``, ``pass``, ``swap``): ``Game.read`` makes them out of what a player
wrote, ``Position.play`` carries them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ..errors import BadOption, IllegalMove, InvalidMove
from .boards import EMPTY, O_STONE, X_STONE, Grid
from .text import plain
from .values import PLAYERS, STONE, Bounds, Ending, How, Option, Player, Score, other

__all__ = [
    "PASS_WORDS",
    "PLAYERS",
    "STONE",
    "Bounds",
    "Ending",
    "Game",
    "How",
    "Option",
    "Player",
    "Position",
    "Score",
    "other",
]
PASS_WORDS = ("pass", "--", "-")


@dataclass(frozen=True)
class Position:
    """One state of play. ``played`` counts the moves that took a number; a swap takes none."""

    game: Game
    stones: bytes
    to_move: Player | None = "X"
    played: int = 0
    passes: int = 0
    swapped: bool = False
    swappable: bool = False
    ending: Ending | None = None

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.ending is not None

    @property
    def winner(self) -> Player | None:
        """The winner; None for a tie and while the game runs."""
        return self.ending.winner if self.ending else None

    @property
    def mover(self) -> Player:
        """The player to move. Raises IllegalMove if the game is over."""
        if self.to_move is None:
            raise IllegalMove("The game is over.", "game-over")
        return self.to_move

    def moves(self) -> Iterator[str]:
        """All legal moves as canonical texts: stones in board order, then pass and swap if allowed.

        Resigning is not one of them. There are none when the game is over.
        """
        if self.to_move is None:
            return
        yield from self.game.turns(self)
        yield "pass"
        if self.swappable:
            yield "swap"

    def play(self, move: str) -> Position:
        """The position after ``move``, a canonical text of ``Game.read``. Raises IllegalMove."""
        player = self.mover
        if move == "pass":
            return self.game.passed(self)
        if move == "swap":
            return self._swap()
        if move == "resign":
            return self.resign(player)
        return self.game.placed(self, move)

    def _swap(self) -> Position:
        if not self.game.has_swap:
            raise IllegalMove(
                "There is no swap in this game: its options already even it out.", "no-swap"
            )
        if not self.swappable:
            raise IllegalMove(
                "Only the second move can be a swap, and only after a stone was placed.",
                "late-swap",
            )
        return replace(self, swapped=True, swappable=False)

    def resign(self, player: Player, how: How = "resignation") -> Position:
        """The position after ``player``, in turn or not, gave up. Raises IllegalMove."""
        rivals = (rival for rival in self.game.seats if rival != player)
        return self.end(Ending(how, next(rivals, None)))

    def end(self, ending: Ending) -> Position:
        """The position ended in that way. Raises IllegalMove if it is over."""
        if self.ending:
            raise IllegalMove("The game is over.", "game-over")
        return replace(self, to_move=None, swappable=False, ending=ending)


class Game:
    """The rules of one game with its options filled in; immutable, and shared by all its boards.

    A new game says its words and options, builds a grid, and counts a board in ``score``; what it
    does differently (two stones a turn, an early end) it overrides.

    seats       the players, the one who begins first
    brief       the rules in three sentences, for somebody who is new to the game
    grid        the surface
    edges       for each cell a set (bits) of the edges of the board that it lies on
    has_swap    whether the second move may be a swap
    total       what X's and O's points add up to on a full board, where that is always the same
    has_points  whether the score is more than who has won
    one_stone   whether every turn places one stone, so that a pair of cells can be shared out
    """

    word: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    seats: ClassVar[tuple[Player, ...]] = PLAYERS
    brief: ClassVar[str]
    grid: Grid
    edges: tuple[int, ...]
    has_swap: bool = True
    total: int | None = None
    has_points: ClassVar[bool] = True
    one_stone: bool = True

    def __init__(self, values: Mapping[str, object]) -> None:
        """Fill in the options. Raises BadOption."""
        known = {option.name: option for option in self.options}
        for name in values:
            if name not in known:
                raise BadOption(
                    f"{self.title} has no option -{name[:20]}; its options are "
                    f"{', '.join(option.usage() for option in self.options)}.",
                    "no-option",
                )
        self.values = {o.name: o.read(values[o.name]) for o in self.options if o.name in values}

    def value(self, name: str) -> int:
        """The value of an option, given or default."""
        found = self.values.get(name)
        return next(o.default for o in self.options if o.name == name) if found is None else found

    def described(self) -> str:
        """The options that are not default, as a challenge spells them: ``-size=8 -maxi``."""
        said = []
        for option in self.options:
            value = self.value(option.name)
            if value != option.default:
                said.append(f"-{option.name}={value}" if option.range else f"-{option.name}")
        return " ".join(said)

    def goal(self, player: Player) -> str:
        """What a player wants, as one short phrase that follows a name; empty where points decide."""
        return ""

    # -- positions

    def start(self) -> Position:
        """The position before the first move."""
        return Position(self, self.grid.empty)

    def setup(self, x: Iterable[str], o: Iterable[str], to_move: Player = "X") -> Position:
        """A position with stones placed at once. Raises InvalidMove, IllegalMove."""
        start = self.start()
        stones = bytearray(start.stones)
        for stone, names in ((X_STONE, x), (O_STONE, o)):
            for name in names:
                cell = self.cell(name)
                if stones[cell] != EMPTY:
                    raise IllegalMove(
                        f"The cell {self.grid.names[cell]} is set twice.", "set-twice"
                    )
                stones[cell] = stone
        position = replace(start, stones=bytes(stones), to_move=to_move)
        return self.judge(position, range(len(self.grid)))

    # -- moves

    def cell(self, text: str) -> int:
        """The cell that a player's word names, with or without bold marks. Raises InvalidMove."""
        word = plain(text)
        return self.grid.cell(word.strip("*_") or word)

    def read(self, words: Sequence[str]) -> str:
        """The canonical text of a move from a player's words. Raises InvalidMove."""
        lower = [plain(word).strip("*_").lower() for word in words]
        if len(lower) == 1:
            if lower[0] in PASS_WORDS:
                return "pass"
            if lower[0] in ("swap", "resign"):
                return lower[0]
        return self.read_stones(words)

    def read_stones(self, words: Sequence[str]) -> str:
        """The canonical text of a placement. Raises InvalidMove."""
        if len(words) != 1:
            raise InvalidMove(f"A move is one cell, like {self.grid.example}.", "not-a-cell")
        return self.grid.names[self.cell(words[0])]

    def turns(self, position: Position) -> Iterator[str]:
        """The placements that are allowed, as canonical texts in board order."""
        stones = position.stones
        return (name for name, stone in zip(self.grid.names, stones, strict=True) if stone == EMPTY)

    def placed(self, position: Position, move: str) -> Position:
        """The position after the stones of ``move`` were placed. Raises IllegalMove."""
        player = position.mover
        stones = bytearray(position.stones)
        cells = []
        for name in move.split(" "):
            cell = self.grid.index[name]
            if stones[cell] != EMPTY:
                raise IllegalMove(f"The cell {name} is taken.", "taken")
            stones[cell] = STONE[player]
            cells.append(cell)
        after = Position(
            self,
            bytes(stones),
            other(player),
            position.played + 1,
            swapped=position.swapped,
            swappable=position.played == 0 and self.has_swap,
        )
        return self.judge(after, cells)

    def passed(self, position: Position) -> Position:
        """The position after a pass; the second in succession ends the game."""
        after = replace(
            position,
            to_move=other(position.mover),
            played=position.played + 1,
            passes=position.passes + 1,
            swappable=False,
        )
        if after.passes == 2:
            return after.end(Ending("passes", self.score(after.stones).winner))
        return after

    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """The position, ended if its board ends the game: a full board does.

        ``cells`` are those that were filled last; before them the board did not end the game.
        """
        if EMPTY in position.stones:
            return position
        return position.end(Ending("full", self.score(position.stones).winner))

    # -- counting

    def score(self, stones: bytes) -> Score:
        """How the board counts as it stands."""
        raise NotImplementedError

    def bounds(self, stones: bytes) -> Bounds:
        """What can still become of the board.

        Exact in these games: on a full board a stone of one's own in the place of another's never
        does harm. It can on a board with empty cells, so the board as it stands may lie outside.
        """
        if EMPTY not in stones:
            score = self.score(stones)
            return Bounds(score, score)
        return Bounds(
            self.score(stones.replace(b".", b"o")), self.score(stones.replace(b".", b"x"))
        )

    def can_end(self, bounds: Bounds, points: tuple[int, int]) -> bool:
        """Whether a board with these bounds can still come to ``points``, as far as they tell."""
        ranges = (bounds.of(player) for player in PLAYERS)
        fits = all(low <= p <= high for p, (low, high) in zip(points, ranges, strict=True))
        return fits and self.total in (None, sum(points))

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """The cells that won the game, in a game that one chain wins; else empty."""
        return ()

    def report(self, stones: bytes) -> tuple[str, ...]:
        """The board counted in detail, as lines of at most 72 columns; the players are X and O."""
        raise NotImplementedError

    def draw(self, stones: bytes) -> str:
        """The board as text; ends with a newline."""
        return self.grid.draw(stones)
