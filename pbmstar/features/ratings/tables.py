"""The tables of the games that have ended, and of what they follow to: steps and ratings."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Double, Index, Integer, Text

from ...store.columns import primary, required, table

# The games for two that have ended, as fold knows them; why: see fairness.REASONS, or
# empty if the game is rated. The next two tables are cached: the fold gives them again.
rated = table(
    "rated",
    Column("board", Integer, primary_key=True, autoincrement=False),
    *required(game=Text),
    *required(practice=Integer),  # 1: one player is a program, and stands second
    *required(measure=Double),  # the rating of the program then; 0 among people
    *required(at=Double, first=Text, second=Text, score=Double, how=Text, barred=Text),
    *required(why=Text),  # cached
    Index("rated_at", "game", "practice", "at", "board"),
    Index("rated_first", "first", "at"),
    Index("rated_second", "second", "at"),
)


def _tally() -> list[Column[Any]]:
    """Return the columns of a player's tally, see fold.Tally."""
    return [
        *required(rating=Double, deviation=Double, volatility=Double, at=Double),
        *required(games=Integer, won=Integer, lost=Integer, tied=Integer, opponents=Integer),
    ]


# The steps of the fold: a row for each player of each rated game. A program has none.
rating_steps = table(
    "rating_steps",
    *primary(userid=Text, game=Text, practice=Integer),
    *_tally(),
    *primary(board=Integer),
    *required(opponent=Text, score=Double, before=Double),  # before: the rating
    Index("rating_steps_at", "userid", "game", "practice", "at", "board"),
    indexed=("board",),
    renamed=("opponent",),
    shown="before",
)

# The tally of each player now: that of the last step.
ratings = table(
    "ratings",
    *primary(game=Text, practice=Integer, userid=Text),
    *_tally(),
    Index("ratings_best", "game", "practice", "rating", "userid"),
    indexed=("userid",),
)
