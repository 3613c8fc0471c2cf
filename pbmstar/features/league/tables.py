"""The table of the winners of leagues."""

from __future__ import annotations

from sqlalchemy import Double, Integer, Text

from ...store.columns import primary, required, table

# The winner of each division of a season that is over: cached.
titles = table(
    "titles",
    *primary(contest=Integer, userid=Text),
    *required(game=Text, season=Integer, division=Integer, divisions=Integer, at=Double),
    indexed=("userid",),
)
