"""Problems: a problem is a position of a played game in which exactly one move decides the game. Pure.

A game is decided if its exact bounds show that the same player wins, whatever follows. So a problem is
proved when it is found, and nobody has to trust a search.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ...errors import Refusal
from ...games.base import Game, Position
from ...games.grids import EMPTY
from ...machine.times import DAY, Epoch

BACK = 16  # positions of one game that are looked at, back from the point where it was decided
FEWEST = 8  # empty cells of a problem: with fewer, trying soon finds the move
# The most work of one search: the boards that it counts, times their cells; it takes about 3 s of one core.
WORK = 3_000_000
_MONDAY = 3  # the first of January 1970 was a Thursday


class Played(NamedTuple):
    """A game that was played: the number of its board, and its moves, a swap and passes among them.

    missed_by  the stone of a player, X or O: only what this player missed is a problem; empty for any
    """

    board: int
    game: Game
    moves: Sequence[str]
    missed_by: str = ""


class Problem(NamedTuple):
    """A problem that was found; of two problems the larger is the better.

    plain   nobody had a handicap or points in the game
    missed  the game did not go on with the deciding move
    free    the number of empty cells
    board   the number of the game's board
    length  the number of moves before the position
    move    the move that decides
    played  the move of the game, empty if the game ended there
    """

    plain: bool
    missed: bool
    free: int
    board: int
    length: int
    move: str
    played: str


def is_plain(game: Game) -> bool:
    """Return True if a game has neither a handicap nor points that are given."""
    return not (game.values.get("handicap") or game.values.get("points"))


def week_of(at: Epoch) -> int:
    """Return the number of the week that a time is in; weeks begin on Monday, in UTC."""
    return int(at // DAY + _MONDAY) // 7


def monday(week: int) -> Epoch:
    """Return the beginning of a week, in seconds since 1970."""
    return (week * 7 - _MONDAY) * DAY


def deciding(position: Position) -> list[str]:
    """Return the moves after which the player to move wins, whatever follows."""
    game, mover = position.game, position.mover
    return [
        move
        for move in game.turns(position)
        if game.bounds(position.play(move).stones).decided == mover
    ]


def find(played: Iterable[Played], work: int = WORK) -> Problem | None:
    """Return the best problem of these games; None if none is good enough.

    Games are searched in order until ``work`` is used up.
    """
    found: list[Problem] = []
    for each in played:
        try:
            positions = list(_positions(each))
        except (Refusal, LookupError, ValueError):  # its record is corrupt: other code reports that
            continue
        cells = len(each.game.grid)
        work -= cells * len(positions).bit_length()
        # Once a game is decided, it stays decided.
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
            said = each.moves[length] if length < len(each.moves) else ""
            if _is_good(position, moves) and _is_wanted(each, position, moves[0], said):
                free = position.stones.count(EMPTY)
                where = each.board, length, moves[0], said
                found.append(Problem(is_plain(each.game), said != moves[0], free, *where))
            idle = 0 if moves else idle + 1
            # Neither player could decide the game here, so probably not earlier either.
            if idle == 2:
                break
    return max(found, default=None)


def _is_wanted(played: Played, position: Position, move: str, said: str) -> bool:
    """Return True if any problem will do, or if the player in question has ``said`` another move."""
    by = played.missed_by
    return not by or (position.mover == by and said != move and said in position.game.grid.index)


def _positions(played: Played) -> Iterator[Position]:
    """Yield the positions of a game in which a move was due."""
    position = played.game.start()
    for move in played.moves:
        yield position
        position = position.play(move)
    if not position.over:
        yield position


def _is_good(position: Position, moves: Sequence[str]) -> bool:
    """Return True if a position with these deciding moves is a problem.

    It has exactly one, which does not end the game; enough cells are empty, and no swap is possible.
    """
    return (
        len(moves) == 1
        and position.stones.count(EMPTY) >= FEWEST
        and not position.swappable
        and not position.play(moves[0]).over
    )
