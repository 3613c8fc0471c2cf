"""The time that is left on a board that waits for a player, from the board's row alone."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ...match import Clock, Terms
from ...store import Board
from . import timekeeping
from .work import Work


class WaitingBoard(NamedTuple):
    """A board as clocks know it, see ``timekeeping.Timed``."""

    seats: tuple[str, ...]
    to_move: str
    since: float
    has_begun: bool
    terms: Terms
    clock: Clock


def urgency(row: Board, left: int | None) -> tuple[float, float]:
    """Return the key that sorts lists of boards: the least time left first, no limit last; then the
    longest turn first."""
    return (inf if left is None else left, row.since)


def left_on(work: Work, row: Board) -> int | None:
    """Return the seconds that the player to move still has on a board; None if there is no limit.

    The record is not needed: players take turns, so both have moved once it has two entries.
    """
    has_begun = row.length >= len(row.seats)
    board = WaitingBoard(row.seats, row.to_move, row.since, has_begun, row.agreed, row.clock)
    seconds = timekeeping.limit_of(board, work.context.config).seconds
    if seconds is None or not timekeeping.has_clock(work.tx, row.to_move):
        return None
    since = timekeeping.began(work, board)
    begin = work.now if since is None else min(since, work.now)
    stops = timekeeping.stops_of(work.tx, board, row.to_move, begin)
    return max(0, seconds - stops.elapsed(begin, work.now))
