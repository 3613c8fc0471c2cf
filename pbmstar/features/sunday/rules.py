"""The rules of the Sunday game: its weeks, its boards, its places, and where two games part. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import NamedTuple

from ...machine.times import Epoch
from ...match import Match, Terms, begin, is_move
from ...match.terms import DAY, NONE

SUNDAY = "sunday"
BOT = "bot3"
# The boards in turn: the game, its options, and the seat of the person. A game takes about a week of taps.
BOARDS: tuple[tuple[str, Mapping[str, str], int], ...] = (
    ("star", {"size": "5"}, 0),
    ("*star", {"rings": "4"}, 1),
    ("star", {"size": "6"}, 0),
    ("star", {"size": "5"}, 1),
    ("*star", {"rings": "4"}, 0),
    ("star", {"size": "6"}, 1),
)
# No clock, and no move taken back: all have the same game. It is played to its end, since the margin counts.
TERMS = Terms(NONE, undo="no", claim=False, private=True, rated=False, contest=SUNDAY)
_TO_SUNDAY = 4  # days: the first of January 1970 was a Thursday


def week_of(at: Epoch) -> int:
    """Return the number of the week that a time is in; weeks begin on Sunday, in UTC."""
    return int(at // DAY + _TO_SUNDAY) // 7


def end_of(week: int) -> Epoch:
    """Return the time at which a week ends, in seconds since 1970."""
    return float(((week + 1) * 7 - _TO_SUNDAY) * DAY)


def series(number: int) -> str:
    """Return the name of the games of a Sunday, in which the bot answers alike."""
    return f"{SUNDAY} {number}"


def margin(match: Match, userid: str) -> int:
    """Return by how many points a player has won, below 0 if lost.

    A game that no points have ended counts as the worst that could still have come.
    """
    ending = match.position.ending
    if ending and ending.counted:
        x, o = match.points
    else:
        bounds = match.bounds
        x, o = (bounds.worst if match.player(userid) == "X" else bounds.best).points
    return x - o if match.player(userid) == "X" else o - x


class Finisher(NamedTuple):
    """A player's place; those with equal margins share it."""

    place: int
    userid: str
    board: int
    margin: int


def places(results: Iterable[tuple[str, int, int]]) -> list[Finisher]:
    """Return the places of players, the best first, from the userid, the board and the margin of each."""
    ordered = sorted(results, key=lambda each: (-each[2], each[0]))
    margins = [margin for _, _, margin in ordered]
    return [
        Finisher(margins.index(margin) + 1, userid, board, margin)
        for userid, board, margin in ordered
    ]


class Parting(NamedTuple):
    """The place where two games part: the board, and the move that each made there, empty for none."""

    board: Match
    own: str
    other: str


def parting(mine: Match, other: Match) -> Parting | None:
    """Return where two games of a Sunday part; None if they are the same.

    The board has the seats of ``mine``, and no number.
    """
    board = begin(0, mine.game, mine.seats, 0.0, mine.terms)
    for one, two in zip_longest(_moves(mine), _moves(other), fillvalue=""):
        if one != two:
            return Parting(board, one, two)
        board = board.after(board.to_move, one, 0.0)
    return None


def _moves(match: Match) -> list[str]:
    return [each.move for each in match.record if is_move(each.number, each.move)]
