"""The clocks of boards: since when one runs, and what the players have."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import update

from . import tables as t
from .plans import Plans
from .statements import p

_boards, _seats = t.boards.c, t.seats.c
_SET_CLOCK = (
    update(t.boards)
    .where(_boards.board == p("number"))
    .values(told=p("told"), clock_from=p("clock_from"))
)
_SET_BANK = (
    update(t.seats)
    .where(_seats.board == p("number"), _seats.seat == p("place"))
    .values(bank=p("seconds"))
)


class Clocks(Plans):
    """The part of a transaction that knows clocks."""

    def set_banks(self, board: int, before: Sequence[int], after: Sequence[int]) -> None:
        """Keep what the players have now."""
        self._forget("board", board)
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                self._do(_SET_BANK, number=board, place=place, seconds=new)

    def set_clock(self, board: int, told: int | None, began: float | None) -> None:
        """Keep which letter tells who is to move, and since when the clock of the turn runs."""
        self._forget("board", board)
        self._do(_SET_CLOCK, number=board, told=told, clock_from=began)
