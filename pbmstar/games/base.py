"""What all games share: options, positions, moves, swap, resignation, endings.

A ``Game`` is rules with the options filled in; a ``Position`` is one immutable state of play. Moves
are canonical texts (``F6``, ``*03-*53``, ``pass``): ``Game.read`` makes them out of what a player
wrote, ``Position.play`` carries them out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..errors import BadOption, IllegalMove
from .boards import EMPTY, O_STONE, X_STONE, Grid
from .text import plain
from .values import PLAYERS, STONE, Bounds, Ending, How, Option, Player, Score, other

__all__ = [
    "PASS_WORDS", "PLAYERS", "STONE", "Bounds", "Ending", "Game", "How", "Option", "Player", "Position",
    "Score", "other",
]  # fmt: skip
PASS_WORDS = ("pass", "--", "-")


@dataclass(frozen=True)
class Position:
    """One state of play. ``played`` counts the moves that took a number; a swap takes none.

    history  earlier boards, in games whose rules look back at them
    """

    game: Game
    stones: bytes
    to_move: Player | None = "X"
    played: int = 0
    passes: int = 0
    swapped: bool = False
    swappable: bool = False
    ending: Ending | None = None
    history: tuple[bytes, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.ending is not None

    @property
    def winner(self) -> Player | None:
        """The winner; None for a tie, in a game for one, and while the game runs."""
        return self.ending.winner if self.ending else None

    @property
    def mover(self) -> Player:
        """The player to move. Raises IllegalMove if the game is over."""
        if self.to_move is None:
            raise IllegalMove("The game is over.", "game-over")
        return self.to_move

    def moves(self) -> Iterator[str]:
        """All legal moves as canonical texts: stones in board order, then pass and swap if allowed.

        Resigning is not one of them, nor is taking back in a puzzle. There are none when the game
        is over. They are made one by one: in some games there are very many.
        """
        if self.to_move is None:
            return
        yield from self.game.turns(self)
        if self.game.has_pass:
            yield "pass"
        if self.swappable:
            yield "swap"

    def play(self, move: str) -> Position:
        """The position after ``move``, a canonical text of ``Game.read``. Raises IllegalMove."""
        return self.game.play(self, move)

    def resign(self, player: Player, how: How = "resignation") -> Position:
        """The position after ``player``, in turn or not, gave up. Raises IllegalMove."""
        rivals = (rival for rival in self.game.seats if rival != player)
        return self.end(Ending(how, next(rivals, None)))

    def end(self, ending: Ending) -> Position:
        """The position ended in that way. Raises IllegalMove if it is over."""
        if self.ending:
            raise IllegalMove("The game is over.", "game-over")
        return replace(self, to_move=None, swappable=False, ending=ending)

    def hint(self) -> str | None:
        """In a puzzle, a move after which it can still be solved; None where none is known."""
        return self.game.hint(self)


class Game(ABC):
    """The rules of one game with its options filled in; immutable, and shared by all its boards.

    See ``Placement``, ``Movement`` and ``Puzzle`` for what games of a kind share.

    seats       the players, the one who begins first
    brief       the rules in three sentences, for somebody who is new to the game
    verdicts    for each way in which the board can end the game a clause: ``owns three corners``
    written     how a turn is written, for usage lines
    deed        what a turn does to a stone
    grid        the surface
    edges       for each cell a set (bits) of the edges of the board that it lies on
    has_swap    whether the second move may be a swap
    has_pass    whether a player may pass
    has_points  whether the score is more than who has won
    to_score    cells at the edge that make a chain count, 0: none does; above 1 chains own what they enclose
    one_stone   whether every turn places one stone, so that a pair of cells can be shared out
    total       what X's and O's points add up to on a full board, where that is always the same
    known       in a puzzle, what is known of the best that can be reached, as a sentence
    few_turns   in a puzzle, whether of two equally good ends the one in fewer turns is the better
    """

    word: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    seats: ClassVar[tuple[Player, ...]] = PLAYERS
    brief: ClassVar[str]
    written: ClassVar[str] = "coord"
    deed: ClassVar[str] = "placed"
    verdicts: ClassVar[Mapping[How, str]] = {}
    grid: Grid
    edges: tuple[int, ...]
    has_swap: bool = True
    has_pass: ClassVar[bool] = False
    has_points: ClassVar[bool] = False
    one_stone: bool = False
    to_score: ClassVar[int] = 0
    total: int | None = None
    known: str = ""
    few_turns: ClassVar[bool] = False

    def __init__(self, values: Mapping[str, object]) -> None:
        """Fill in the options. Raises BadOption."""
        known = {option.name: option for option in self.options}
        for name in values:
            if name not in known:
                usages = ", ".join(option.usage() for option in self.options)
                rest = f"its options are {usages}." if usages else "it has none at all."
                raise BadOption(f"{self.title} has no option -{name[:20]}; {rest}", "no-option")
        self.values = {o.name: o.read(values[o.name]) for o in self.options if o.name in values}

    def value(self, name: str) -> int:
        """The value of an option, given or default."""
        filled = self.values.get(name)
        return next(o.default for o in self.options if o.name == name) if filled is None else filled

    def described(self) -> str:
        """The options that are not default, as a challenge spells them: ``-size=8 -maxi``."""
        words = []
        for option in self.options:
            value = self.value(option.name)
            if value != option.default:
                words.append(f"-{option.name}={value}" if option.range else f"-{option.name}")
        return " ".join(words)

    def goal(self, player: Player) -> str:
        """What a player wants, as one short phrase that follows a name; empty where points decide."""
        return ""

    def start(self) -> Position:
        """The position before the first move."""
        return Position(self, self.grid.empty)

    def setup(self, x: Iterable[str], o: Iterable[str], to_move: Player = "X") -> Position:
        """A position with these stones and no others. Raises InvalidMove, IllegalMove, BadInput."""
        stones = bytearray(self.bare())
        for stone, names in ((X_STONE, x), (O_STONE, o)):
            for name in names:
                cell = self.cell(name)
                if stones[cell] != EMPTY:
                    named = self.grid.names[cell]
                    raise IllegalMove(f"The cell {named} is set twice.", "set-twice")
                stones[cell] = stone
        position = replace(self.start(), stones=bytes(stones), to_move=to_move)
        return self.judge(position, range(len(self.grid)))

    def bare(self) -> bytes:
        """The board that a set-up begins with."""
        return self.grid.empty

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
        return self.read_turn(words)

    @abstractmethod
    def read_turn(self, words: Sequence[str]) -> str:
        """The canonical text of a move of stones. Raises InvalidMove."""

    def play(self, position: Position, move: str) -> Position:
        """The position after a canonical move. Raises IllegalMove."""
        player = position.mover
        if move == "pass":
            return self.passed(position)
        if move == "swap":
            return self.swapped(position)
        if move == "resign":
            return position.resign(player)
        return self.turn(position, move)

    @abstractmethod
    def turns(self, position: Position) -> Iterator[str]:
        """The moves of stones that are allowed, as canonical texts in board order."""

    @abstractmethod
    def turn(self, position: Position, move: str) -> Position:
        """The position after a move of stones. Raises IllegalMove."""

    def passed(self, position: Position) -> Position:
        """The position after a pass. Raises IllegalMove."""
        raise IllegalMove(f"There is no passing in {self.title}.", "no-pass")

    def swapped(self, position: Position) -> Position:
        """The position after a swap: the players exchange seats. Raises IllegalMove."""
        if not self.has_swap:
            raise IllegalMove(
                "There is no swap in this game: its options already even it out.", "no-swap"
            )
        if not position.swappable:
            raise IllegalMove(
                f"Only the second move can be a swap, and only after a stone was {self.deed}.",
                "late-swap",
            )
        return replace(position, swapped=True, swappable=False)

    @abstractmethod
    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """The position, ended if its board ends the game.

        ``cells`` are those that were filled last; before them the board did not end the game.
        """

    def hint(self, position: Position) -> str | None:
        """See ``Position.hint``."""
        return None

    @abstractmethod
    def score(self, stones: bytes) -> Score:
        """How the board counts as it stands."""

    def bounds(self, stones: bytes) -> Bounds:
        """What can still become of the board: anything, where the game does not know better."""
        return _OPEN[len(self.seats)]

    def rank(self, stones: bytes) -> int | None:
        """How good an end the board of a puzzle is, 0 best; None if it is none, or in a game for two."""
        return None

    def wanted(self, player: Player) -> int:
        """The edges, as bits, that are worth reaching for a player: all of them, if not said."""
        return -1

    def can_end(self, bounds: Bounds, points: tuple[int, ...]) -> bool:
        """Whether a board with these bounds can still come to ``points``, as far as they tell."""
        return False

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """The cells that won the game, in a game that one chain or row wins; else empty."""
        return ()

    @abstractmethod
    def facts(self, position: Position) -> dict[str, Any]:
        """What ``analyse`` answers besides how the game stands."""

    def verdict(self, position: Position) -> str:
        """What the board ended the game with, as a clause for letters: ``joined top and bottom``.

        Empty while the game runs, and where points or the players' word ended it.
        """
        return self.verdicts.get(position.ending.how, "") if position.ending else ""

    @abstractmethod
    def report(self, stones: bytes) -> tuple[str, ...]:
        """The board counted in detail, as lines of at most 72 columns; the players are X and O."""

    def draw(self, stones: bytes) -> str:
        """The board as text; ends with a newline."""
        return self.grid.draw(stones)


_NOTHING, _ALL = (0, 1), (1, 0)
_OPEN = {
    seats: Bounds(*(Score(p[:seats], p[:seats], {}, ("", "")[:seats]) for p in (_NOTHING, _ALL)))
    for seats in (1, 2)
}
