"""The tables of contests, of their players and of their games."""

from __future__ import annotations

from sqlalchemy import Double, Index, Integer, Text

from ...store.columns import nullable, numbered, primary, required, table

# A ladder, a season of a league, or a cup, as kind says. state: open (players join), begun, over,
# closed (by the operator). For a ladder days and season are 0.
contests = numbered(
    "contests",
    "id",
    *required(kind=Text, game=Text, options=Text, terms=Text),
    # stage: the players are told of it now, see contest.league.Stage
    *required(days=Integer, season=Integer, state=Text, stage=Text, made=Double),
    *nullable(begin=Double, until=Double),
    Index("contests_game", "game", "kind"),
)

# The players of contests. state: empty; out (all games are taken out of the table), lost (the games that
# were left are lost), leaving (the player leaves the ladder once the last game there is over).
entries = table(
    "entries",
    *primary(contest=Integer, userid=Text),
    *required(joined=Double),
    # division: 0 before the season begins; seed: in the division, 1 the strongest
    *required("0", division=Integer, seed=Integer),
    *required("", state=Text),
    *nullable(rests=Double),  # the player rests on the ladder since then
    *required("0", place=Integer),  # cached: on the ladder; at the end
    *required("", told=Text),  # the stage of the last letter
    indexed=("userid",),
)

# The games of contests. gone: withdrew while the game ran: first, second, or both with a blank between.
pairings = table(
    "pairings",
    *primary(contest=Integer, n=Integer),
    # first: moves first; on a ladder, the challenged player
    *required(division=Integer, first=Text, second=Text),
    *nullable(board=Integer),  # null until the board is there
    *required("", gone=Text),
    indexed=("board", "first", "second"),
)
