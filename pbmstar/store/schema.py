"""The tables. Times are seconds since 1970 UTC; userids and game words are lower case.

A record is its rows in ``moves``. Columns marked *cached* follow from the rest: ``admin check`` compares.
``options``, ``terms``, and the ``data`` of a review or a digest are JSON.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from sqlalchemy import (  # isort: skip
    Column, Double, Index, Integer, LargeBinary, Table, Text, UniqueConstraint,
)  # fmt: skip

from ..match import BOTS
from ..parts import modules
from .columns import about, metadata, nullable, numbered, partial, primary, required, table

# The keys of the server, for tokens: the newest one signs, and each of them can check.
keys = Table("keys", metadata, *primary(id=Integer), *required(key=LargeBinary, made=Double))

# How often something has happened since a time: rates that a restart does not forget.
counts = table("counts", *primary(what=Text), *required(since=Double, count=Integer))

# Facts about the store itself that no other table has, by name.
facts = table("facts", *primary(name=Text), *required(value=Text))

# The acts that somebody did by hand.
audit = numbered("audit", "id", *required(at=Double, actor=Text, act=Text))

# state: active, suspended (its address bounces), closed, bot (a program; it has no address and no
# password). A person's account exists once its address is confirmed.
users = table(
    "users",
    *primary(userid=Text),
    *required(address=Text, password=Text, state=Text, made=Double),  # password: argon2id
    # 0: none but the last warning, which comes anyway; 1: at a third and two thirds; 2: daily
    *required(reminders=Integer),
    *nullable(most=Integer),  # running games that challenges may bring up to; null: any
    # refuses: game words, between blanks; bounces: score of the letters that came back
    *required(refuses=Text, bounces=Double),
    # 1 if wanted: announcements; HTML in letters; boards in it as pictures; to be named to others.
    *required("1", news=Integer, html=Integer, pictures=Integer, listed=Integer),
    *required("each", letters=Text),  # or mine, daily
    *required("420", digest_at=Integer),  # minute of the zone's day
    *required("UTC", zone=Text),
    *required("en", language=Text),  # of letters, see grammar.words
    *required("ascii", drawing=Text),  # see command.values
    *nullable(digest_due=Double),  # null: no digests
    *required("1", auto_leave=Integer),  # before a game is forfeited
    *nullable(away=Double),  # the latest end of an absence; null: there was none
    *required("0", lobby=Integer),  # offers in the daily letter
    *nullable(absent=Double),  # when an automatic answer said so; only a hint
    *required("0", public=Integer),  # 1: everybody may see the player's games
    *required("0", receipts=Integer),  # how many of them have said how to get none
    *required("", correction=Text),  # by the operator, not told yet: Star 1534 -> 1520
    indexed=("address", "digest_due"),
)

# The addresses of an account besides ``users.address``, each confirmed; no two accounts share one.
# kind: copies, short, none, see service.letters.post.
addresses = table(
    "addresses",
    *primary(address=Text),
    *required(userid=Text, kind=Text, made=Double, bounces=Double),
    indexed=("userid",),
)

# How the last mails of an account with words to opponents ended, newest first: hashes of the last lines, as
# JSON, with the boards. Lines that end a further mail too are a signature, and are not passed on.
endings = table("endings", *primary(userid=Text), *required(lines=Text))

# The players (other) whose challenges a player does not want.
blocks = table("blocks", *primary(userid=Text, other=Text))

# Acts that a message may still confirm; only a hash of the token is kept. kind: signup, address, password,
# resign, wish, or the kind for another address.
tokens = table(
    "tokens",
    *primary(hash=Text),
    *required(kind=Text, userid=Text, address=Text),
    # password: argon2id of a signup; as JSON the change that a wish asks for, or the boards to resign, unless
    # these are all; otherwise empty
    *required(password=Text, made=Double),
    # asker: of a forgotten password owner, vouched, claimed or stranger; otherwise empty.
    *required("", asker=Text, reader=Text),  # reader: see service.strangers
    Index("tokens_reader", "reader", "made"),
)

# The places that an account's messages come from, as hashes; known: 1 if one from there proved its author.
places = table(
    "places",
    *primary(userid=Text, place=Text),
    *required(known=Integer, wrong=Integer, last=Double, until=Double),  # until: locked till then
)

# Addresses that get no letter unless an account has them; of a stranger's address only a hash is kept.
# until: null if the reader wants no letters; otherwise letters came back, and may go there after it.
suppressed = table("suppressed", *primary(mark=Text), *required(at=Double), *nullable(until=Double))

# Addresses (by their mark) and domains (as @domain) whose mail is ignored.
bans = table("bans", *primary(mark=Text), *required(at=Double))

# Only a hash of the address is kept. Rows stay: nobody is told more than a few times, ever.
guests = table("guests", *primary(mark=Text), *required(letters=Integer, at=Double))

boards = numbered(
    "boards",
    "board",
    *required(game=Text, options=Text, made=Double),
    *required(resets=Integer),  # reply tokens from before a reset are void
    *required(length=Integer),  # cached: entries of the record
    *required(to_move=Text),  # cached: userid, empty when over
    *required(result=Text),  # cached: see Match.result
    *required(since=Double),  # cached: when the turn began, or the game ended
    # No reminder or forfeit comes before then. At first it is the beginning of the turn: the next run of
    # the reminders then sets the first stage. Null when the game is over, or when no stage follows.
    *nullable(due=Double),
    *required("{}", terms=Text),
    *nullable(told=Integer),  # the letter that tells who is to move, if one does
    *nullable(clock_from=Double),  # when the clock began to run; null until that letter is taken
    # 1: the one who began it had proved to be that player; 0: that is not known
    *required("0", proved=Integer),
    Index("boards_to_move", "to_move", "since", "board", **partial("to_move != ''")),
    indexed=("due",),
)

# The players, in the order of the game's seats. A swap is in the record, and changes nothing here.
seats = table(
    "seats",
    *primary(board=Integer, seat=Integer),  # seat 0 begins
    *required(userid=Text),
    *required("0", bank=Integer),  # cached: seconds the player has
    indexed=("userid",),
)

# The request of one player to the other, one at most; its kinds are in ``match.Request``.
requests = Table(
    "requests", *about("board", *required(kind=Text, userid=Text, data=Text, at=Double))
)

# The happenings beside the moves of a board: requests and their answers, resets by the operator, and links
# with other boards. data: the fields of the happening, without the userid; see ``match.stored``.
events = table(
    "events",
    *primary(board=Integer, n=Integer),
    *required(at=Double, userid=Text, kind=Text, data=Text),  # userid: empty for operator, server
)

# The record. number is the move number; a swap and the end by resignation take none.
moves = table(
    "moves",
    *primary(board=Integer, seq=Integer),
    *nullable(number=Integer),
    *required(userid=Text, move=Text, at=Double),
    *nullable(began=Double),  # when the player's clock began to run, if the time used counts
    *required("0", by_plan=Integer),  # 1: planned, it took no time
    UniqueConstraint("board", "number", name="moves_number"),
)

# A player's planned answers on a board: nobody else is told of them. They are for the position after
# ``resets`` resets and ``length`` entries, and void on any other.
plans = table(
    "plans",
    *primary(board=Integer, userid=Text),
    *required(resets=Integer, length=Integer, plan=Text),  # plan: as match.plans writes it
)

# The newest preview of each player on a board; resets, length: as in plans.
drafts = table(
    "drafts",
    *primary(board=Integer, userid=Text),
    *required(resets=Integer, length=Integer, moves=Text),  # moves: between them ", "
)

# A player's notes about a board: nobody else is told of them.
notes = table(
    "notes",
    *primary(board=Integer, userid=Text, n=Integer),
    *required(at=Double, move=Integer, text=Text),  # move: the number of moves by then
)

# The comments of the players of a board to each other.
comments = table(
    "comments",
    *primary(board=Integer, n=Integer),
    # length: the number of entries of the record then
    *required(length=Integer, userid=Text, at=Double, text=Text),
)

# The best result of each player in each puzzle. It stays when the board is put back or removed.
bests = table(
    "bests",
    *primary(game=Text, options=Text, userid=Text),  # options: as of the board
    *required(rank=Integer),  # 0 is as good as can be
    *required(turns=Integer, at=Double, board=Integer),  # turns: 0 where they do not matter
    *required(note=Text),  # in words: 17 queens, every cell is guarded
    Index("bests_first", "game", "options", "rank", "turns", "at"),
)

# The reminders that were sent, each for a turn: one row, one letter.
reminders = table(
    "reminders",
    # seq: the record's length in that turn; stage: nag 0, nag 1, ..., unreached, ask, or a warning
    # with the end of the turn that it names
    *primary(board=Integer, resets=Integer, seq=Integer, stage=Text),
    *required(letter=Integer, at=Double),
)

# Times when the server stood still and no clock ran; until is null while it does.
outages = numbered(
    "outages", "id", *required(begin=Double), *nullable(until=Double), *required(why=Text)
)

# Times when a player's clocks are stopped. kind: leave (booked), auto (taken by the server), bounce (letters
# come back; until is null while they do), grant (no stop, but that many more days of leave in the year).
absences = numbered(
    "absences",
    "id",
    *required(userid=Text, begin=Double),
    *nullable(until=Double),
    *required(kind=Text, made=Double),
    # zone: its days are counted by the clocks of that zone, the player's when it was booked.
    *required("UTC", zone=Text),
    indexed=("userid",),
)

# The daemons on this database, each with the id of its spool: letters are claimed in this name. A
# daemon whose beats do not go up is dead, whatever its clock says.
nodes = table(
    "nodes",
    *primary(id=Text),
    *required(name=Text, version=Text, beats=Integer, at=Double, began=Double),
)

# The starts of daemons, for ``admin explain``. messages: the ids of all messages of a run begin with it.
runs = table("runs", *primary(mails=Text), *required(name=Text, version=Text, began=Double))

# Messages that have had their effect: these rows make a second delivery harmless.
handled = table(
    "handled",
    *primary(digest=LargeBinary),
    *required(at=Double, outcome=Text),
    # For ``admin explain``: id in the log, hash of the Message-ID, the account (proved: 1 if it was), and
    # as one text each the commands, the codes of the refusals, the numbers of the mail's letters.
    # After a command come a blank and a ;, codes stand between blanks, a letter has one at each end.
    *required("", mail=Text, message=Text, userid=Text, commands=Text, codes=Text, letters=Text),
    *required("0", proved=Integer),
    # The word of our mail server on the sender: pass, fail or none; empty if we have no mail server.
    *required("", authentic=Text),
    # A sentence for each code, a line each; none in rows of earlier versions.
    *required("", said=Text),
    indexed=("at",),
)

# The messages of the mailbox that have had their fate: marks of their places in it and of their bytes. One
# that was not moved away, or was copied back, is known by them.
fetched = table("fetched", *primary(mark=LargeBinary), *required(at=Double), indexed=("at",))

# Letters. state: new, sent (its content is dropped), dead (refused for good; kept to look at).
# Their contents (a recipe, or a whole mail) stand apart: marking a letter does not write them again.
_waiting = partial("state = 'new'")
outbox = numbered(
    "outbox",
    "id",
    # sender: of the envelope; due: it is not sent before, and a claim moves it on; owner: the claimer
    *required(message_id=Text, userid=Text, address=Text, sender=Text, state=Text),
    *required(due=Double, owner=Text),
    *required(tries=Integer),  # how often it was claimed, to be sent to the relay
    *required(made=Double),
    *nullable(sent=Double),
    *required(trouble=Text),  # the relay's last words
    *required("0", lane=Integer),  # see outbox.STRANGERS
    *required(
        "0", waits=Integer
    ),  # 1: the others of its lane go first while the relay takes only some
    Index("outbox_new", "lane", "id", "due", **_waiting),  # to claim in the order of writing
    Index("outbox_due", "due", **_waiting),
    indexed=("made",),
)

contents = Table("contents", *about("letter", *required(content=LargeBinary)))  # letter: outbox.id

# Letters with several boards. An answer to one has lines of a board's number and a move. boards: the
# turns, with blanks between them, see service.digests.Turn.
digests = numbered(
    "digests",
    "id",
    *required(userid=Text, at=Double, boards=Text),
    *required("1", daily=Integer),  # 0: a letter about several boards that came for another reason
    Index("digests_userid", "userid", "at"),
    indexed=("at",),
)

# News of a board that a player gets by the next digest, instead of by a letter of its own.
untold = numbered(
    "untold", "id", *required(userid=Text, board=Integer, at=Double, data=Text), indexed=("userid",)
)

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

# The tally of each player after the last step.
ratings = table(
    "ratings",
    *primary(game=Text, practice=Integer, userid=Text),
    *_tally(),
    Index("ratings_best", "game", "practice", "rating", "userid"),
    indexed=("userid",),
)


# Games that players offer to all players whom they fit, see matchmaking.offers.Offer.
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

# The players whom the operator lets write to no strangers: neither invitations nor postcards.
stopped_invitations = table("stopped_invitations", *primary(userid=Text), own=True)

# -- bots: the boards that wait for one, and their work

Index(
    "boards_bots",
    boards.c.since,
    **partial(f"to_move IN ({','.join(map(repr, BOTS))})"),
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
# position: its mark, see ``bots.rules``.
answers = table("answers", *primary(series=Text, position=Text), *required(reply=Text))

# The boards that a process thinks about now, for a bot's turn or a review; no other process may do so.
# owner: the node, and the place in it.
thoughts = Table("thoughts", *about("board", *required(owner=Text, at=Double)))


_OF_CORE = tuple(metadata.tables.values())


@cache
def tables() -> tuple[Table, ...]:
    """Return all tables, features' tables too."""
    return (*_OF_CORE, *(table for _, module in modules("rows") for table in module.TABLES))


def marked(mark: str) -> list[Table]:
    """Return the tables with a mark, see ``columns.table``."""
    return [each for each in tables() if each.info.get(mark)]


__all__ = ["metadata"]
