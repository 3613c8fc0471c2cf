"""The base of all games: options, positions, moves, swap, resignation, endings.

A ``Game`` is a set of rules with the options filled in; a ``Position`` is one immutable state of play.
Moves are canonical texts (``F6``, ``*03-*53``, ``pass``): ``Game.read`` makes them from a player's
words, ``Position.play`` carries them out.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ..errors import NOTHING, BadOption, IllegalMove, Sentence, say
from .grids import EMPTY, O_STONE, X_STONE, Grid
from .spelling import plain
from .values import (
    PLAYERS,
    STONE,
    Bounds,
    Ending,
    How,
    Option,
    Player,
    ReportLine,
    ReportRow,
    Score,
    other,
    told,
)

__all__ = [
    "PASS_WORDS", "PLAYERS", "STONE", "Bounds", "Ending", "Game", "How", "Option", "Player", "Position",
    "Score", "game_over", "other", "taken",
]  # fmt: skip
PASS_WORDS = ("pass", "--", "-")
_SIGNS: Mapping[Player, str] = {player: player for player in PLAYERS}


def taken(name: str) -> IllegalMove:
    """Return the refusal of a move to a cell with a stone on it."""
    return IllegalMove(say("The cell {name} is taken.", name=name), "taken")


def game_over() -> IllegalMove:
    """Return the refusal of an act on a game that is over."""
    return IllegalMove(say("The game is over."), "game-over")


@dataclass(frozen=True)
class Position:
    """One state of play; immutable.

    game       the rules
    stones     the board: for each cell ``.`` (empty), ``x`` or ``o``, in the order of ``Game.grid.names``
    to_move    ``X`` or ``O``; None when the game is over
    played     how many moves were made; a swap doesn't count
    passes     how many of the last moves were passes
    swapped    the players have switched sides, so the player who was first now has O
    swappable  the next move can be a swap
    ending     how the game ended; None while it runs
    history    earlier boards, in games whose rules look back at them
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
            raise game_over()
        return self.to_move

    def moves(self) -> Iterator[str]:
        """Return all legal moves as canonical texts: stones in board order, then pass and swap if allowed.

        Resigning and, in a puzzle, taking back are not among them. There are none when the game is
        over. They are made one by one, because some games have very many.
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
        """Return the position after ``player``, in turn or not, has resigned. Raises IllegalMove."""
        rivals = (rival for rival in self.game.seats if rival != player)
        return self.end(Ending(how, next(rivals, None)))

    def end(self, ending: Ending) -> Position:
        """Return the position ended in that way. Raises IllegalMove if it is over."""
        if self.ending:
            raise game_over()
        return replace(self, to_move=None, swappable=False, ending=ending)

    def hint(self) -> str | None:
        """Return a move after which a puzzle can still be solved; None if none is known."""
        return self.game.hint(self)


class Game(ABC):
    """The rules of one game with its options filled in; immutable, and shared by all its boards.

    See ``Placement``, ``Movement`` and ``Puzzle`` for the common parts of games of one kind.

    seats       the players; the first of them begins
    aim         a player's aim, a phrase that follows a name: ``owns three corners``; empty if points
                decide
    brief       the rules in three sentences, for somebody who is new to the game with these options
    verdicts    a clause for each way in which the board can end the game: ``{winner} owns three corners``
    own_verdicts  the same for the player whom such a clause names: ``you own three corners``
    hinted      a hint for a puzzle, ``move``, and what can still be reached after it
    unhinted    the sentence that no hint is known
    written     the form of a turn, for usage lines
    scale       the option that says how large the board is; empty if there is only one board
    late_swap   the refusal of a swap that is not the second move
    grid        the surface
    edges       for each cell a set (bits) of the edges of the board that it lies on
    has_swap    the second move may be a swap
    has_pass    a player may pass
    has_points  the score says more than who has won
    has_bounds  ``bounds`` says what a board can still come to; False: nobody can tell, so a game is decided
                only at its end, no pairs are read (see ``adjudicate``) and no bot plays it
    to_score    how many cells at the edge a chain needs to count, 0 if no chain counts; if more than 1,
                chains own the cells that they enclose
    one_stone   every turn places one stone, so the players can share a pair of cells
    total       the sum of X's and O's points on a full board, if it is always the same
    few_turns   of two equally good ends of a puzzle, the one in fewer turns is better
    """

    word: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    title: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    seats: ClassVar[tuple[Player, ...]] = PLAYERS
    aim: Sentence = NOTHING
    brief: Sentence
    hinted: Sentence = say("Hint: play {move}. You can still solve it after that.")
    unhinted: Sentence = say("We don't know how to solve it from here.")
    written: ClassVar[str] = "coord"
    late_swap: ClassVar[Sentence] = say(
        "You can only swap right after the first move, and only if it put a stone on the board."
    )
    verdicts: ClassVar[Mapping[How, Sentence]] = {}
    own_verdicts: ClassVar[Mapping[How, Sentence]] = {}
    grid: Grid
    edges: tuple[int, ...]
    has_swap: bool = True
    has_pass: ClassVar[bool] = False
    has_points: ClassVar[bool] = False
    has_bounds: ClassVar[bool] = False
    one_stone: bool = False
    to_score: ClassVar[int] = 0
    total: int | None = None
    few_turns: ClassVar[bool] = False

    def relocated(self, position: Position, number: int, move: str) -> tuple[tuple[str, str], ...]:
        """Return the old and the new cell of each enemy stone that a move has put elsewhere.

        ``number`` is the number of the move in the record of the position.
        """
        return ()

    def __init__(self, values: Mapping[str, object]) -> None:
        """Fill in the options. Raises BadOption."""
        known = {option.name: option for option in self.options}
        for name in values:
            if name not in known:
                usages = ", ".join(option.usage() for option in self.options)
                text = (
                    say(
                        "{game} doesn't have an option -{name}. Its options are {options}.",
                        game=self.title,
                        name=name[:20],
                        options=usages,
                    )
                    if usages
                    else say(
                        "{game} doesn't have any options, so leave out -{name}.",
                        game=self.title,
                        name=name[:20],
                    )
                )
                raise BadOption(text, "no-option")
        self.values = {o.name: o.read(values[o.name]) for o in self.options if o.name in values}
        self.scale = next((o.name for o in self.options if o.name in ("size", "rings")), "")
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

    def goal(self, player: Player) -> Sentence:
        """Return the aim of a player, in the form of ``aim``."""
        return self.aim

    def start(self) -> Position:
        """Return the position before the first move."""
        return Position(self, self.grid.empty)

    def setup(self, x: Iterable[str], o: Iterable[str], to_move: Player = "X") -> Position:
        """Return the position with these stones only. Raises InvalidMove, IllegalMove, BadInput."""
        stones = bytearray(self.bare())
        for stone, names in ((X_STONE, x), (O_STONE, o)):
            for name in names:
                cell = self.cell(name)
                if stones[cell] != EMPTY:
                    named = self.grid.names[cell]
                    raise IllegalMove(say("You put two stones on {name}.", name=named), "set-twice")
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
        raise IllegalMove(say("You can't pass in this game."), "no-pass")

    def swapped(self, position: Position) -> Position:
        """Return the position after a swap: the players exchange seats. Raises IllegalMove."""
        if not self.has_swap:
            raise IllegalMove(
                say(
                    "You can't swap in this game, because its options already make up for "
                    "the advantage of going first."
                ),
                "no-swap",
            )
        if not position.swappable:
            raise IllegalMove(
                self.late_swap,
                "late-swap",
            )
        return replace(position, swapped=True, swappable=False)

    @abstractmethod
    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """Return the position, ended if its board ends the game.

        ``cells`` are the cells filled last; before that the board did not end the game.
        """

    def hint(self, position: Position) -> str | None:
        return None

    @abstractmethod
    def score(self, stones: bytes) -> Score:
        """Return the count of the board as it stands."""

    def bounds(self, stones: bytes) -> Bounds:
        """Return the bounds of the scores that the board can still reach: open, if a game sets none."""
        return _OPEN[len(self.seats)]

    def rank(self, stones: bytes) -> int | None:
        """Return the rank of a puzzle's end, 0 the best; None if it is not an end, or in a game for two."""
        return None

    def wanted(self, player: Player) -> int:
        """Return the edges, as bits, that a player wants to reach: all, if a game does not choose."""
        return -1

    def can_end(self, bounds: Bounds, points: tuple[int, ...]) -> bool:
        """Tell if these bounds allow that a board still ends with ``points``."""
        return False

    def closed(self, stones: bytes) -> Iterable[int]:
        """Return the empty cells of a puzzle that cannot take a stone any more."""
        return ()

    def window(self, stones: bytes) -> Sequence[int]:
        """Return the cells that a picture of the board shows: all, if a game does not choose a part."""
        return range(len(self.grid))

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """Return the cells of the chain or row that won the game; empty if there is none."""
        return ()

    @abstractmethod
    def facts(self, position: Position) -> dict[str, Any]:
        """Return the facts that ``analyse`` adds to the state of the game."""

    def verdict(
        self,
        position: Position,
        names: Mapping[Player, str] = _SIGNS,
        reader: Player | None = None,
    ) -> Sentence:
        """Return a clause about the end of the game, with the players' names: ``X connected top and bottom``.

        It is empty while the game runs, and if points or an agreement between the players ended it.
        A ``reader`` whom it names is called "you".
        """
        clause = self._clause(position)
        if not clause or not position.winner:
            return clause
        winner, loser = position.winner, other(position.winner)
        if reader == (loser if "{loser}" in clause.text else winner):
            return self._own_clause(position)
        return clause.given(**clause.values, winner=names[winner], loser=names.get(loser, ""))

    def _clause(self, position: Position) -> Sentence:
        """Return the clause without the names of ``{winner}`` and ``{loser}``."""
        return self.verdicts.get(position.ending.how, NOTHING) if position.ending else NOTHING

    def _own_clause(self, position: Position) -> Sentence:
        """Return the clause for the player whom ``_clause`` names."""
        return self.own_verdicts.get(position.ending.how, NOTHING) if position.ending else NOTHING

    @abstractmethod
    def counted(self, stones: bytes) -> Iterable[ReportLine | ReportRow]:
        """Return the lines of ``report`` as values."""

    def report(self, stones: bytes, tell: Callable[[Sentence | str], str] = str) -> tuple[str, ...]:
        """Return the board counted in detail, as lines of at most 72 columns; the players are X and O.

        ``tell`` turns its sentences into texts, in English if none is given.
        """
        return told(self.counted(stones), tell)

    def draw(self, stones: bytes) -> str:
        """Return the board as text; ends with a newline."""
        return self.grid.draw(stones)


_NOTHING, _ALL = (0, 1), (1, 0)
_OPEN = {
    seats: Bounds(*(Score(p[:seats], p[:seats], {}, ("", "")[:seats]) for p in (_NOTHING, _ALL)))
    for seats in (1, 2)
}
