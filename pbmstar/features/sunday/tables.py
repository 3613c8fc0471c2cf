"""The tables of the Sunday game."""

from __future__ import annotations

from sqlalchemy import Integer, Table, Text

from ...store.columns import about, nullable, primary, required, table

# week: see ``rules``; seat: that of the person, 0 moves first; is_over: all its games have been counted.
sundays = Table(
    "sundays",
    *about("number", *required(week=Integer, game=Text, options=Text, bot=Text, seat=Integer)),
    *required(is_over=Integer),
)

# The board of each player; margin: the points by which the player won, below 0 lost; null until the end.
sunday_boards = table(
    "sunday_boards",
    *primary(number=Integer, userid=Text),
    *required(board=Integer),
    *nullable(margin=Integer),
    indexed=("board",),
    own=True,
    of_board=True,
)

# The players who get a board each week, and the number of the last one that they got.
sunday_readers = table("sunday_readers", *primary(userid=Text), *required(told=Integer), own=True)
