"""The tables of offers and invitations."""

from __future__ import annotations

from sqlalchemy import Double, Index, Integer, Text

from ...store.columns import nullable, numbered, partial, primary, required, table

# Games that players offer to all players whom they fit, see rules.Offer.
offers = numbered(
    "offers",
    "number",
    # terms: those that were chosen; seat: X, O or empty
    *required(userid=Text, game=Text, options=Text, terms=Text, seat=Text),
    *nullable(low=Integer, high=Integer, within=Integer),
    *required(wanted=Integer),  # games, 0 for any number; begun: the games that began by it
    *required(begun=Integer, is_new=Integer, is_match=Integer, made=Double),
    *nullable(until=Double, asked=Double),  # asked: when a program was offered in its place
    *nullable(closed=Double),  # null while it is open
    *required(why=Text),  # taken, withdrawn, ended
    Index("offers_open", "userid", **partial("closed IS NULL")),
    indexed=("closed",),
    own=True,
)

# Strangers to whom players have sent a letter, by the mark of the address: one letter goes there, ever. Once
# an account is opened there, board is the number of the game that began. It is 0 if none can begin.
invitations = table(
    "invitations",
    *primary(mark=Text, userid=Text),
    *required(at=Double, mailed=Integer),
    *nullable(board=Integer),
    Index("invitations_userid", "userid", "at"),
)
