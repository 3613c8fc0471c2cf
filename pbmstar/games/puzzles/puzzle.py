"""The base of the puzzles for one player: no opponent, taking back, a rank, hints."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ...errors import BadInput, IllegalMove, Sentence, say
from ..base import Ending, Player, Position, Score, game_over
from ..grids import X_STONE
from ..pentagon.board import PentagonGame
from ..spelling import plain

RINGS = 10


class Puzzle(PentagonGame):
    """A game for one player, X. A puzzle defines its turns, and in ``rank`` the worth of a board.

    ``undo`` is a move that takes back the last one, and its number. It is possible after the end too,
    unless the player has given up.

    known  a sentence about the best end that is known, for those who ask; a board doesn't tell it
    """

    seats = ("X",)
    has_swap = False
    known: Sentence

    def setup(self, x: Iterable[str], o: Iterable[str], to_move: Player = "X") -> Position:
        """Return the position with these stones. Raises BadInput for stones or a turn of O."""
        if to_move != "X" or list(o):
            raise BadInput(
                say("{title} is a one-player game, so there's no player O.", title=self.title),
                "one-player",
            )
        return super().setup(x, (), to_move)

    # -- moves

    def read(self, words: Sequence[str]) -> str:
        """Return the canonical text of a move, as in other games, or ``undo``. Raises InvalidMove."""
        if [plain(word).strip("*_").lower() for word in words] == ["undo"]:
            return "undo"
        return super().read(words)

    def play(self, position: Position, move: str) -> Position:
        """Return the position after a canonical move or ``undo``. Raises IllegalMove."""
        if move != "undo":
            return super().play(position, move)
        if position.ending and position.ending.how != "finished":
            raise game_over()
        if not position.history:
            raise IllegalMove(say("There's no move to take back."), "nothing-to-undo")
        return Position(
            self,
            position.history[-1],
            played=position.played - 1,
            history=position.history[:-1],
        )

    def after(self, position: Position, stones: bytes) -> Position:
        """Return the position after a move that leaves these stones."""
        after = Position(
            self,
            stones,
            played=position.played + 1,
            history=(*position.history, position.stones),
        )
        return self.judge(after, ())

    def swapped(self, position: Position) -> Position:
        """Raise IllegalMove: a puzzle has no swap."""
        raise IllegalMove(
            say("{title} is a one-player game, so you can't swap.", title=self.title), "no-swap"
        )

    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """Return the position, ended if nothing more can be played."""
        if next(self.turns(position), None):
            return position
        return replace(position, to_move=None, ending=Ending("finished", None))

    @abstractmethod
    def legal(self, position: Position) -> int:
        """Return how many single steps can be made now: queens, or jumps; 0 when over."""

    # -- counting

    @abstractmethod
    def rank(self, stones: bytes) -> int | None:
        """See ``Game.rank``."""

    def solved(self, stones: bytes) -> bool:
        """Tell if nothing better is known."""
        rank = self.rank(stones)
        return rank is not None and rank <= 0

    def score(self, stones: bytes) -> Score:
        rank = self.rank(stones)
        count = stones.count(X_STONE)
        return Score((count,), (0 if rank is None else -rank,), {}, (self.note(stones),))

    @abstractmethod
    def note(self, stones: bytes) -> Sentence:
        """Return the board in a few words, which begin with the number of its stones."""

    @abstractmethod
    def noted(self, count: int) -> Sentence:
        """Return the note of a board that is over, with so many stones."""

    def facts(self, position: Position) -> dict[str, Any]:
        """Return the number of stones, single steps and turns, and the rank of the board."""
        return {
            "players": len(self.seats),
            "scores": {"X": position.stones.count(X_STONE)},
            "legal": self.legal(position),
            "turns": position.played,
            "solved": self.solved(position.stones),
            "rank": self.rank(position.stones),
        }

    def cells(self, stones: bytes) -> list[int]:
        """Return the cells with stones."""
        return [cell for cell, stone in enumerate(stones) if stone == X_STONE]


def symmetries(playable: bool) -> tuple[tuple[int, ...], ...]:
    """Return the ten ways to turn and mirror the board, each as the new cell of every cell."""
    images = []
    for mirror in (1, -1):
        for arms in range(5):
            image = [0] if playable else []
            for n in range(1, RINGS + 1):
                start = len(image)
                image += [start + (mirror * k + arms * n) % (5 * n) for k in range(5 * n)]
            images.append(tuple(image))
    return tuple(images)
