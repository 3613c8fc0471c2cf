"""The tables of the work of bots, and the index of the boards that wait for one."""

from __future__ import annotations

from sqlalchemy import Double, Index, Integer, Table, Text

from ...store.columns import about, metadata, partial, primary, required, table
from .players import PLAYERS

Index(
    "boards_bots",
    metadata.tables["boards"].c.since,
    **partial(f"to_move IN ({','.join(map(repr, PLAYERS))})"),
)

# The players who wait for the review of a board, and when each of them asked.
reviews = table(
    "reviews",
    *primary(board=Integer, userid=Text),
    *required(at=Double),
    indexed=("at",),
    own=True,
    of_board=True,
)

# The results of reviews. The result for a board that was put back since then is not used.
reviewed = Table(
    "reviewed",
    *about("board", *required(resets=Integer, length=Integer, data=Text)),
    info={"of_board": True},
)

# The answers to positions in games of a series, as JSON: in all of them a bot answers a position alike.
# position: its mark, see ``rules``.
answers = table("answers", *primary(series=Text, position=Text), *required(reply=Text))

# The boards that a process thinks about now, for a bot's turn or a review; no other process may do so.
# owner: the node, and the place in it.
thoughts = Table("thoughts", *about("board", *required(owner=Text, at=Double)))
