"""The base of all games: options, positions, moves, swap, resignation, endings.

A ``Game`` is rules with the options filled in; a ``Position`` is one immutable state of play. Moves
are canonical texts (``F6``, ``*03-*53``, ``pass``): ``Game.read`` makes them out of what a player
wrote, ``Position.play`` carries them out.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..errors import BadOption, IllegalMove
from .grids import EMPTY, O_STONE, X_STONE, Grid
from .spelling import plain
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
        """Tell if the game has ended."""
        return self.ending is not None

    @property
    def winner(self) -> Player | None:
        """Return the winner; None for a tie, in a game for one, and while the game runs."""
        return self.ending.winner if self.ending else None

    @property
    def mover(self) -> Player:
        """Return the player to move. Raises IllegalMove if the game is over."""
        if self.to_move is None:
            raise IllegalMove("The game is over.", "game-over")
        return self.to_move

    def moves(self) -> Iterator[str]:
        """Return all legal moves as canonical texts: stones in board order, then pass and swap if allowed.

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
        """Return the position after ``move``, a canonical text of ``Game.read``. Raises IllegalMove."""
        return self.game.play(self, move)

    def resign(self, player: Player, how: How = "resignation") -> Position:
        """Return the position after ``player``, in turn or not, gave up. Raises IllegalMove."""
        rivals = (rival for rival in self.game.seats if rival != player)
        return self.end(Ending(how, next(rivals, None)))

    def end(self, ending: Ending) -> Position:
        """Return the position ended in that way. Raises IllegalMove if it is over."""
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
    aim         what a player wants, a phrase that follows a name: ``owns three corners``; empty where
                points decide
    brief       the rules in three sentences, for somebody who is new to the game
    verdicts    for each way in which the board can end the game a clause: ``{winner} owns three corners``
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
    few_turns   in a puzzle, whether of two equally good ends the one in fewer turns is the better
    """

    word: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    seats: ClassVar[tuple[Player, ...]] = PLAYERS
    aim: str = ""
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
    few_turns: ClassVar[bool] = False

    def relocated(self, position: Position, number: int, move: str) -> tuple[tuple[str, str], ...]:
        """Return where each enemy stone stood that a move took, and where the move has put it.

        ``number`` is that of the move in the record of the position.
        """
        return ()

    def best_known(self, position: Position) -> str:
        """Return what is known of the best that a puzzle can still come to, a sentence or empty."""
        return ""

    def __init__(self, values: Mapping[str, object]) -> None:
        """Fill in the options. Raises BadOption."""
        known = {option.name: option for option in self.options}
        for name in values:
            if name not in known:
                usages = ", ".join(option.usage() for option in self.options)
                rest = f"its options are {usages}." if usages else "it has none at all."
                raise BadOption(f"{self.title} has no option -{name[:20]}; {rest}", "no-option")
        self.values = {o.name: o.read(values[o.name]) for o in self.options if o.name in values}
        changed = [o for o in self.options if self.value(o.name) != o.default]
        self.dumped = json.dumps({o.name: self.value(o.name) if o.range else True for o in changed})

    def value(self, name: str) -> int:
        """Return the value of an option, given or default."""
        filled = self.values.get(name)
        return next(o.default for o in self.options if o.name == name) if filled is None else filled

    def described(self) -> str:
        """Return the options that are not default, as a challenge spells them: ``-size=8 -maxi``."""
        words = []
        for option in self.options:
            value = self.value(option.name)
            if value != option.default:
                words.append(f"-{option.name}={value}" if option.range else f"-{option.name}")
        return " ".join(words)

    def goal(self, player: Player) -> str:
        """Return what a player wants, as ``aim`` says it."""
        return self.aim

    def start(self) -> Position:
        """Return the position before the first move."""
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
        """Return the board that a set-up begins with."""
        return self.grid.empty

    def cell(self, text: str) -> int:
        """Return the cell that a player's word names, with or without bold marks. Raises InvalidMove."""
        word = plain(text)
        return self.grid.cell(word.strip("*_") or word)

    def read(self, words: Sequence[str]) -> str:
        """Return the canonical text of a move from a player's words. Raises InvalidMove."""
        lower = [plain(word).strip("*_").lower() for word in words]
        if len(lower) == 1:
            if lower[0] in PASS_WORDS:
                return "pass"
            if lower[0] in ("swap", "resign"):
                return lower[0]
        return self.read_turn(words)

    @abstractmethod
    def read_turn(self, words: Sequence[str]) -> str:
        """Return the canonical text of a move of stones. Raises InvalidMove."""

    def play(self, position: Position, move: str) -> Position:
        """Return the position after a canonical move. Raises IllegalMove."""
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
        """Return the moves of stones that are allowed, as canonical texts in board order."""

    @abstractmethod
    def turn(self, position: Position, move: str) -> Position:
        """Return the position after a move of stones. Raises IllegalMove."""

    def passed(self, position: Position) -> Position:
        """Return the position after a pass. Raises IllegalMove."""
        raise IllegalMove(f"There is no passing in {self.title}.", "no-pass")

    def swapped(self, position: Position) -> Position:
        """Return the position after a swap: the players exchange seats. Raises IllegalMove."""
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
        """Return the position, ended if its board ends the game.

        ``cells`` are those that were filled last; before them the board did not end the game.
        """

    def hint(self, position: Position) -> str | None:
        return None

    @abstractmethod
    def score(self, stones: bytes) -> Score:
        """Return the count of the board as it stands."""

    def bounds(self, stones: bytes) -> Bounds:
        """Return what can still become of the board: anything, where the game does not know better."""
        return _OPEN[len(self.seats)]

    def rank(self, stones: bytes) -> int | None:
        """Return the rank of a puzzle's end, 0 the best; None if it is no end, or in a game for two."""
        return None

    def wanted(self, player: Player) -> int:
        """Return the edges, as bits, that are worth reaching for a player: all of them, if not said."""
        return -1

    def can_end(self, bounds: Bounds, points: tuple[int, ...]) -> bool:
        """Tell if a board with these bounds can still come to ``points``, as far as they tell."""
        return False

    def closed(self, stones: bytes) -> Iterable[int]:
        """Return the empty cells that no stone can be put on any more, in a puzzle that has such."""
        return ()

    def window(self, stones: bytes) -> Sequence[int]:
        """Return the cells that a picture of the board shows: all, if a game does not use a part alone."""
        return range(len(self.grid))

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """Return the cells that won the game, in a game that one chain or row wins; else empty."""
        return ()

    @abstractmethod
    def facts(self, position: Position) -> dict[str, Any]:
        """Return what ``analyse`` answers besides how the game stands."""

    def verdict(self, position: Position) -> str:
        """Return what ended the game, as a clause for letters: ``{winner} joined top and bottom``.

        Empty while the game runs, and where points or the players' word ended it.
        """
        return self.verdicts.get(position.ending.how, "") if position.ending else ""

    @abstractmethod
    def report(self, stones: bytes) -> tuple[str, ...]:
        """Return the board counted in detail, as lines of at most 72 columns; the players are X and O."""

    def draw(self, stones: bytes) -> str:
        """Return the board as text; ends with a newline."""
        return self.grid.draw(stones)


_NOTHING, _ALL = (0, 1), (1, 0)
_OPEN = {
    seats: Bounds(*(Score(p[:seats], p[:seats], {}, ("", "")[:seats]) for p in (_NOTHING, _ALL)))
    for seats in (1, 2)
}
