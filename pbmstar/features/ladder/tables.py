"""The table of the steps of ladders."""

from __future__ import annotations

from sqlalchemy import Double, Integer, Text

from ...store.columns import nullable, primary, required, table

# The history of each ladder, in order; kind: see rules.
steps = table(
    "steps",
    *primary(contest=Integer, n=Integer),
    *required(at=Double, kind=Text, userid=Text, other=Text),  # other: the loser; otherwise empty
    *nullable(board=Integer),  # the board that was won; otherwise null
    indexed=("userid", "other"),
)
