"""The tables of the problems of the week."""

from __future__ import annotations

from sqlalchemy import Double, Integer, Table, Text

from ...store.columns import about, primary, required, table

# moves: those to the position, with ", " between them; move: it decides; played: in the game, empty if it
# ended there.
problems = Table(
    "problems",
    *about("number", *required(week=Integer, board=Integer, game=Text, options=Text)),
    *required(moves=Text, move=Text, played=Text),
)

# The first answer of each player to one of them; right: cached.
solutions = table(
    "solutions",
    *primary(problem=Integer, userid=Text),
    *required(move=Text, right=Integer, at=Double),
    own=True,
)

# The players who get each problem by a letter, and the number of the last one that they got.
problem_readers = table("problem_readers", *primary(userid=Text), *required(told=Integer), own=True)
