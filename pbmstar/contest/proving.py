"""Problems: a position of a game that was played, where exactly one move makes the game decided. Pure.

The exact bounds tell that a game is decided: whatever is played from then on, the same player wins. So a
problem is proved when it is found, and nobody has to trust a search.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ..errors import Refusal
from ..games.base import Game, Position
from ..games.grids import EMPTY
from ..match.terms import DAY

BACK = 16  # positions of one game that are looked at, the last of them where it was decided
FEWEST = 8  # empty cells of a problem: with fewer the move is soon found by trying
WORK = 3_000_000  # the most for one search: boards counted, times their cells; some 3 s of one core
_MONDAY = 3  # the first of January 1970 was a Thursday


class Played(NamedTuple):
    """A game that was played: the number of its board, and its moves, a swap and passes among them."""

    board: int
    game: Game
    moves: Sequence[str]


class Problem(NamedTuple):
    """A problem that was found; the larger one is the better.

    missed  another move was played in the game, or none
    free    its empty cells
    board   of the game; ``length``: so many of its moves come before
    move    the one that decides; ``played``: the one of the game, empty if it ended there
    """

    missed: bool
    free: int
    board: int
    length: int
    move: str
    played: str


def week_of(at: float) -> int:
    """Return the number of the week (UTC, from Monday on) of a time."""
    return int(at // DAY + _MONDAY) // 7


def deciding(position: Position) -> list[str]:
    """Return the moves of the player to move after which that player wins whatever follows."""
    game, mover = position.game, position.mover
    return [
        move
        for move in game.turns(position)
        if game.bounds(position.play(move).stones).decided == mover
    ]


def find(played: Iterable[Played], work: int = WORK) -> Problem | None:
    """Return the best problem of these games; None if none is good enough.

    So many games are looked at, in order, as ``work`` allows.
    """
    found: list[Problem] = []
    for each in played:
        try:
            positions = list(_positions(each))
        except (Refusal, LookupError, ValueError):  # its record is corrupt: others say so
            continue
        cells = len(each.game.grid)
        work -= cells * len(positions).bit_length()
        # Once a game is decided it stays so.
        end = bisect_left(
            positions, True, key=lambda p: each.game.bounds(p.stones).decided is not None
        )
        idle = 0
        for length in range(end - 1, max(end - 1 - BACK, -1), -1):
            position = positions[length]
            work -= cells * position.stones.count(EMPTY)
            if work < 0:
                return max(found, default=None)
            moves = deciding(position)
            if _is_good(position, moves):
                said = each.moves[length] if length < len(each.moves) else ""
                free = position.stones.count(EMPTY)
                found.append(Problem(said != moves[0], free, each.board, length, moves[0], said))
            idle = 0 if moves else idle + 1
            if idle == 2:  # neither player could decide it: no more could they before, mostly
                break
    return max(found, default=None)


def _positions(played: Played) -> Iterator[Position]:
    """Yield the positions of a game in which a move was due."""
    position = played.game.start()
    for move in played.moves:
        yield position
        position = position.play(move)
    if not position.over:
        yield position


def _is_good(position: Position, moves: Sequence[str]) -> bool:
    """Return True if a position with these deciding moves is a problem: one that does not end the game."""
    return (
        len(moves) == 1
        and position.stones.count(EMPTY) >= FEWEST
        and not position.swappable
        and not position.play(moves[0]).over
    )
