"""The tables of watchers."""

from __future__ import annotations

from sqlalchemy import Integer, Text

from ...store.columns import primary, required, table

# The players who watch a board that runs; how: they are told by each, end or digest.
watches = table(
    "watches",
    *primary(board=Integer, userid=Text),
    *required(how=Text),
    indexed=("userid",),
    own=True,
    of_board=True,
    counted=True,
)

# The players who watch each new game of a player, in the same ways.
followers = table(
    "followers",
    *primary(player=Text, userid=Text),
    *required(how=Text),
    indexed=("userid",),
    own=True,
)
