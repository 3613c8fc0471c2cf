"""The tables of what is played for beyond one game; the others are in ``schema``.

What is marked *cached* follows from the rest: ``admin check`` compares.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Double, Index, Integer, Table, Text

from .schema import metadata, where

# The games for two that have ended, as contest.fold knows them; why: see contest.fairness.REASONS, or
# empty if the game is rated. All that follows is cached: the fold gives it again.
rated = Table(
    "rated",
    metadata,
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("practice", Integer, nullable=False),  # 1: one of them is a bot, and stands second
    Column("measure", Double, nullable=False),  # the rating of the bot then; 0 among people
    Column("at", Double, nullable=False),
    Column("first", Text, nullable=False),
    Column("second", Text, nullable=False),
    Column("score", Double, nullable=False),
    Column("how", Text, nullable=False),
    Column("barred", Text, nullable=False),
    Column("why", Text, nullable=False),  # cached
    Index("rated_at", "game", "practice", "at", "board"),
    Index("rated_first", "first", "at"),
    Index("rated_second", "second", "at"),
    sqlite_with_rowid=False,
)


def _tally() -> list[Column[Any]]:
    """Return the columns of what a player has, see contest.fold.Tally."""
    numbers = [
        Column(n, Double, nullable=False) for n in ("rating", "deviation", "volatility", "at")
    ]
    names = ("games", "won", "lost", "tied", "opponents")
    return [*numbers, *(Column(name, Integer, nullable=False) for name in names)]


# The steps of the fold: a row for each player of each rated game. A bot has none.
rating_steps = Table(
    "rating_steps",
    metadata,
    Column("userid", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("practice", Integer, primary_key=True),
    *_tally(),
    Column("board", Integer, primary_key=True),
    Column("opponent", Text, nullable=False),
    Column("score", Double, nullable=False),
    Column("before", Double, nullable=False),  # the rating
    Index("rating_steps_at", "userid", "game", "practice", "at", "board"),
    Index("rating_steps_board", "board"),
    sqlite_with_rowid=False,
)

# What each player has now: the last step.
ratings = Table(
    "ratings",
    metadata,
    Column("game", Text, primary_key=True),
    Column("practice", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    *_tally(),
    Index("ratings_userid", "userid"),
    sqlite_with_rowid=False,
)

# Games that players offer to all whom they fit, see contest.offers.Offer.
offers = Table(
    "offers",
    metadata,
    Column("number", Integer, primary_key=True),
    Column("userid", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("terms", Text, nullable=False),  # JSON, as far as they are chosen
    Column("seat", Text, nullable=False),  # X, O or empty
    Column("low", Integer),
    Column("high", Integer),
    Column("within", Integer),
    Column("wanted", Integer, nullable=False),  # games; 0 for any number
    Column("begun", Integer, nullable=False),  # games that it has begun
    Column("is_new", Integer, nullable=False),
    Column("is_match", Integer, nullable=False),
    Column("made", Double, nullable=False),
    Column("until", Double),
    Column("asked", Double),  # when a bot was offered in its place
    Column("closed", Double),  # null while it is open
    Column("why", Text, nullable=False),  # taken, withdrawn, ended
    Index("offers_open", "userid", **where("closed IS NULL")),
    Index("offers_closed", "closed"),
    sqlite_autoincrement=True,
)

# Strangers whom players have invited, by the mark of the address: one letter goes there, ever. Once an
# account is opened there, board is the number of the game that began, or 0 if none could begin.
invitations = Table(
    "invitations",
    metadata,
    Column("mark", Text, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("mailed", Integer, nullable=False),
    Column("board", Integer),
    Index("invitations_userid", "userid", "at"),
    sqlite_with_rowid=False,
)

# A ladder, or a season of a league. kind: ladder, league. state: open (players join), begun, over,
# closed (by the operator).
contests = Table(
    "contests",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON, as of a board
    Column("terms", Text, nullable=False),  # JSON, see match.terms
    Column("days", Integer, nullable=False),  # of a season; 0 of a ladder
    Column("season", Integer, nullable=False),  # 1, 2 ...; 0 of a ladder
    Column("state", Text, nullable=False),
    Column(
        "stage", Text, nullable=False
    ),  # what its players are told now, see contest.league.Stage
    Column("made", Double, nullable=False),
    Column("begin", Double),
    Column("until", Double),
    Index("contests_game", "game", "kind"),
    sqlite_autoincrement=True,
)

# Who plays. state: empty; out (all games are taken out of the table), lost (those that were left are
# lost), leaving (the ladder, once the last game there is over).
entries = Table(
    "entries",
    metadata,
    Column("contest", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("joined", Double, nullable=False),
    Column("division", Integer, nullable=False, server_default="0"),  # 0 before the season begins
    Column("seed", Integer, nullable=False, server_default="0"),  # in the division, 1 the strongest
    Column("state", Text, nullable=False, server_default=""),
    Column("rests", Double),  # since when, of who has not begun a game of a ladder in time
    Column(
        "place", Integer, nullable=False, server_default="0"
    ),  # cached: on the ladder; at the end
    Column("told", Text, nullable=False, server_default=""),  # the stage of the last letter
    Index("entries_userid", "userid"),
    sqlite_with_rowid=False,
)

# Who plays whom. gone: who withdrew while the game ran: first, second, or both with a blank between.
pairings = Table(
    "pairings",
    metadata,
    Column("contest", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("division", Integer, nullable=False),
    Column("first", Text, nullable=False),  # moves first; of a ladder, who is challenged
    Column("second", Text, nullable=False),
    Column("board", Integer),  # null until the board is there
    Column("gone", Text, nullable=False, server_default=""),
    Index("pairings_board", "board"),
    Index("pairings_first", "first"),
    Index("pairings_second", "second"),
    sqlite_with_rowid=False,
)

# What has happened on a ladder, in order; kind: see contest.ladder.
steps = Table(
    "steps",
    metadata,
    Column("contest", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("kind", Text, nullable=False),
    Column("userid", Text, nullable=False),
    Column("other", Text, nullable=False),  # who has lost; else empty
    Column("board", Integer),  # that was won; else null
    Index("steps_userid", "userid"),
    Index("steps_other", "other"),
    sqlite_with_rowid=False,
)

# The first of each division of a season that is over: cached.
titles = Table(
    "titles",
    metadata,
    Column("contest", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("season", Integer, nullable=False),
    Column("division", Integer, nullable=False),
    Column("divisions", Integer, nullable=False),  # how many there were
    Column("at", Double, nullable=False),
    Index("titles_userid", "userid"),
    sqlite_with_rowid=False,
)

# Who watches a board that runs, and how that is told: each, end, digest.
watches = Table(
    "watches",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("how", Text, nullable=False),
    Index("watches_userid", "userid"),
    sqlite_with_rowid=False,
)

# Who watches each new game of a player, in the same ways.
followers = Table(
    "followers",
    metadata,
    Column("player", Text, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("how", Text, nullable=False),
    Index("followers_userid", "userid"),
    sqlite_with_rowid=False,
)
