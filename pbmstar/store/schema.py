"""The tables. Times are seconds since 1970 UTC; userids and game words are lower case.

A record is its rows in ``moves``; what is marked *cached* follows from it: ``admin check`` compares.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    Column,
    Double,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData()

BOTS = tuple(f"bot{level}" for level in range(1, 10))

# 1 if wanted: announcements; HTML in letters, and boards in it as pictures; to be told of to others.
_SWITCHES = ("news", "html", "pictures", "listed")


def where(condition: str) -> dict[str, Any]:
    """Return the condition of a partial index."""
    return dict.fromkeys(("sqlite_where", "postgresql_where"), text(condition))


# SQLite keeps a table without a rowid in one tree, with its key: half the pages to write.

# A key of the server, for tokens; the newest signs, all check.
keys = Table(
    "keys",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", LargeBinary, nullable=False),
    Column("made", Double, nullable=False),
)

# How often something happened since then: rates that a restart does not forget.
counts = Table(
    "counts",
    metadata,
    Column("what", Text, primary_key=True),
    Column("since", Double, nullable=False),
    Column("count", Integer, nullable=False),
    sqlite_with_rowid=False,
)

# Facts about the store itself that no other table has, by name.
facts = Table(
    "facts",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_with_rowid=False,
)

# Who did what by hand.
audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("actor", Text, nullable=False),
    Column("act", Text, nullable=False),
    sqlite_autoincrement=True,
)

# state: active, suspended (its address bounces), closed, bot (of BOTS; it has no address and no
# password). A person's account exists once its address is confirmed.
users = Table(
    "users",
    metadata,
    Column("userid", Text, primary_key=True),
    Column("address", Text, nullable=False),
    Column("password", Text, nullable=False),  # argon2id
    Column("state", Text, nullable=False),
    Column("made", Double, nullable=False),
    # 0: none but the last warning, which comes anyway; 1: at a third and two thirds; 2: daily
    Column("reminders", Integer, nullable=False),
    Column("most", Integer),  # running games that challenges may bring up to; null: any
    Column("refuses", Text, nullable=False),  # game words, between blanks: no challenges to them
    Column("bounces", Double, nullable=False),  # score of what came back from the address
    *(Column(n, Integer, nullable=False, server_default="1") for n in _SWITCHES),
    Column("letters", Text, nullable=False, server_default="each"),  # or mine, daily
    Column("digest_at", Integer, nullable=False, server_default="420"),  # minute of the zone's day
    Column("zone", Text, nullable=False, server_default="UTC"),
    Column("drawing", Text, nullable=False, server_default="ascii"),  # see command.values
    Column("digest_due", Double),  # null: no digests
    Column("auto_leave", Integer, nullable=False, server_default="1"),  # before a game is forfeited
    Column("away", Double),  # no absence ends later; null: there never was one
    Column("lobby", Integer, nullable=False, server_default="0"),  # offers in the daily letter
    Column("absent", Double),  # when an automatic answer came that said so; a hint, no more
    Column("public", Integer, nullable=False, server_default="0"),  # 1: may be seen on the site
    # How many receipts of own moves have said how to get none.
    Column("receipts", Integer, nullable=False, server_default="0"),
    Index("users_address", "address"),
    Index("users_digest_due", "digest_due"),
    sqlite_with_rowid=False,
)

# Whose challenges a player does not want.
blocks = Table(
    "blocks",
    metadata,
    Column("userid", Text, primary_key=True),
    Column("other", Text, primary_key=True),
    sqlite_with_rowid=False,
)

# What a mail may still confirm; only a hash of the token is kept. kind: signup, address, password.
tokens = Table(
    "tokens",
    metadata,
    Column("hash", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("userid", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("password", Text, nullable=False),  # argon2id of a signup, else empty
    Column("made", Double, nullable=False),
    # Of a forgotten password, who asked: owner, vouched, claimed or stranger; else empty.
    Column("asker", Text, nullable=False, server_default=""),
    Column("reader", Text, nullable=False, server_default=""),  # see service.strangers
    Index("tokens_reader", "reader", "made"),
    sqlite_with_rowid=False,
)

# Where an account's mails come from, as a hash; whether one from there has ever proved anything.
places = Table(
    "places",
    metadata,
    Column("userid", Text, primary_key=True),
    Column("place", Text, primary_key=True),
    Column("known", Integer, nullable=False),
    Column("wrong", Integer, nullable=False),
    Column("last", Double, nullable=False),
    Column("until", Double, nullable=False),  # locked till then
    sqlite_with_rowid=False,
)

# Addresses that get no letter unless an account has them; of a stranger's only a hash is kept.
# until: null for one that wants none; else what was sent there came back, and may not next time.
suppressed = Table(
    "suppressed",
    metadata,
    Column("mark", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Column("until", Double),
    sqlite_with_rowid=False,
)

# Addresses (by their mark) and domains (as @domain) whose mail is ignored.
bans = Table(
    "bans",
    metadata,
    Column("mark", Text, primary_key=True),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

# Of an address only a hash is kept. Rows stay: nobody is told more than a few times, ever.
guests = Table(
    "guests",
    metadata,
    Column("mark", Text, primary_key=True),
    Column("letters", Integer, nullable=False),
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

boards = Table(
    "boards",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("made", Double, nullable=False),
    Column("resets", Integer, nullable=False),  # reply tokens of before a reset are void
    Column("length", Integer, nullable=False),  # cached: entries of the record
    Column("to_move", Text, nullable=False),  # cached: userid, empty when over
    Column("result", Text, nullable=False),  # cached: see Match.result
    Column("since", Double, nullable=False),  # cached: when the turn began, or the game ended
    # No reminder or forfeit before then; at first the turn's beginning, so that the next run of the
    # reminders looks at it and sets its first stage. Null when over, or when no stage follows.
    Column("due", Double),
    Column("terms", Text, nullable=False, server_default="{}"),  # JSON, see match.terms
    Column("told", Integer),  # outbox.id of the letter that tells who is to move; null if none does
    Column("clock_from", Double),  # since when the clock runs; null until that letter is taken
    # 1: begun by who had proved to be that player; 0: by who said so, as far as is known
    Column("proved", Integer, nullable=False, server_default="0"),
    Index("boards_due", "due"),
    Index("boards_bots", "since", **where(f"to_move IN ({','.join(map(repr, BOTS))})")),
    sqlite_autoincrement=True,
)

# Who plays, in the order of the game's seats. A swap is in the record, and changes nothing here.
seats = Table(
    "seats",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),  # 0: begins
    Column("userid", Text, nullable=False),
    Column("bank", Integer, nullable=False, server_default="0"),  # cached: seconds the player has
    Index("seats_userid", "userid"),
    sqlite_with_rowid=False,
)

# What one player asks of the other, one at most; its kinds are those of ``match.Request``.
requests = Table(
    "requests",
    metadata,
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("kind", Text, nullable=False),
    Column("userid", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("at", Double, nullable=False),
)

# What happened to a board beside its moves: requests and their answers, resets by the operator.
events = Table(
    "events",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("userid", Text, nullable=False),  # empty: the operator, or the server
    Column("kind", Text, nullable=False),
    Column("data", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The record. number is the move number; a swap and the end by resignation take none.
moves = Table(
    "moves",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("number", Integer),
    Column("userid", Text, nullable=False),
    Column("move", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("began", Double),  # when the player's clock began to run, if what it used is counted
    Column("by_plan", Integer, nullable=False, server_default="0"),  # 1: planned, it took no time
    UniqueConstraint("board", "number", name="moves_number"),
    sqlite_with_rowid=False,
)

# What a player will answer on a board: nobody else is told of it. It is for the position after so
# many resets and entries, and void on any other.
plans = Table(
    "plans",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("resets", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("plan", Text, nullable=False),  # as match.plans writes it
    sqlite_with_rowid=False,
)

# The newest preview of each player on a board, of a position after so many resets and entries.
drafts = Table(
    "drafts",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("resets", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("moves", Text, nullable=False),  # between them ", "
    sqlite_with_rowid=False,
)

# What a player has noted about a board: nobody else is told of it.
notes = Table(
    "notes",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("at", Double, nullable=False),
    Column("move", Integer, nullable=False),  # moves made until then
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

# What the players of a board have written to each other.
comments = Table(
    "comments",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("length", Integer, nullable=False),  # entries of the record then
    Column("userid", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column("text", Text, nullable=False),
    sqlite_with_rowid=False,
)

# The best that each player has reached in each puzzle. It stays when the board is put back or removed.
bests = Table(
    "bests",
    metadata,
    Column("game", Text, primary_key=True),
    Column("options", Text, primary_key=True),  # as of the board
    Column("userid", Text, primary_key=True),
    Column("rank", Integer, nullable=False),  # 0 is as good as can be
    Column("turns", Integer, nullable=False),  # 0 where they do not matter
    Column("at", Double, nullable=False),
    Column("board", Integer, nullable=False),
    Column("note", Text, nullable=False),  # in words: 17 queens, every cell is guarded
    Index("bests_first", "game", "options", "rank", "turns", "at"),
    sqlite_with_rowid=False,
)

# Which reminder has been sent for which turn: one row, one letter.
reminders = Table(
    "reminders",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("resets", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True),  # of the turn: the record's length
    # nag 0, nag 1, ..., unreached, ask; a warning with the end of the turn that it names
    Column("stage", Text, primary_key=True),
    Column("letter", Integer, nullable=False),  # outbox.id
    Column("at", Double, nullable=False),
    sqlite_with_rowid=False,
)

# When the server stood still and no time ran; until is null while it does.
outages = Table(
    "outages",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("begin", Double, nullable=False),
    Column("until", Double),
    Column("why", Text, nullable=False),
    sqlite_autoincrement=True,
)

# When a player's clocks stand. kind: leave (booked), auto (taken by the server), bounce (letters come
# back; until is null while they do), grant (no stop: so many days more of leave in that year).
absences = Table(
    "absences",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("userid", Text, nullable=False),
    Column("begin", Double, nullable=False),
    Column("until", Double),
    Column("kind", Text, nullable=False),
    Column("made", Double, nullable=False),
    # By the clocks of which zone its days are counted: the player's when it was booked.
    Column("zone", Text, nullable=False, server_default="UTC"),
    Index("absences_userid", "userid"),
    sqlite_autoincrement=True,
)

# Who waits for the review of which board, since when.
reviews = Table(
    "reviews",
    metadata,
    Column("board", Integer, primary_key=True),
    Column("userid", Text, primary_key=True),
    Column("at", Double, nullable=False),
    Index("reviews_at", "at"),
    sqlite_with_rowid=False,
)

# What a review has found; of a board that was put back since it is not looked at.
reviewed = Table(
    "reviewed",
    metadata,
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("resets", Integer, nullable=False),
    Column("length", Integer, nullable=False),
    Column("data", Text, nullable=False),  # JSON
)

# On which boards a process thinks just now, about the turn of a bot or a review: nobody else does then.
thoughts = Table(
    "thoughts",
    metadata,
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("owner", Text, nullable=False),  # the node, and the place in it
    Column("at", Double, nullable=False),
)

# The daemons on this database. One whose beats do not go up is dead, whatever its clock says.
nodes = Table(
    "nodes",
    metadata,
    Column("id", Text, primary_key=True),  # of its spool: letters are claimed in this name
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("beats", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("began", Double, nullable=False),
    sqlite_with_rowid=False,
)

# Each start of a daemon, for ``admin explain``.
runs = Table(
    "runs",
    metadata,
    Column("mails", Text, primary_key=True),  # the beginning of the ids of its mails
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("began", Double, nullable=False),
    sqlite_with_rowid=False,
)

# Mails that have had their effect: what makes a second delivery harmless.
handled = Table(
    "handled",
    metadata,
    Column("digest", LargeBinary, primary_key=True),
    Column("at", Double, nullable=False),
    Column("outcome", Text, nullable=False),
    # For ``admin explain``: id in the log, hash of the Message-ID, account and whether it was proved,
    # and in one text each the commands, the codes of what was refused, the numbers of its letters.
    Column("mail", Text, nullable=False, server_default=""),
    Column("message", Text, nullable=False, server_default=""),
    Column("userid", Text, nullable=False, server_default=""),
    Column("commands", Text, nullable=False, server_default=""),  # a blank and a ; after each
    Column("codes", Text, nullable=False, server_default=""),  # between blanks
    Column("letters", Text, nullable=False, server_default=""),  # a blank before and after each
    Column("proved", Integer, nullable=False, server_default="0"),
    # What our mail server said of the sender: pass, fail or none; empty if we have none.
    Column("authentic", Text, nullable=False, server_default=""),
    Index("handled_at", "at"),
    sqlite_with_rowid=False,
)

# Letters. state: new, sent (its content is dropped), dead (refused for good; kept to look at).
# What they say (a recipe, or a whole mail) stands apart: marking a letter does not write it again.
_waiting = where("state = 'new'")
outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("message_id", Text, nullable=False),
    Column("userid", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("sender", Text, nullable=False),  # envelope sender
    Column("state", Text, nullable=False),
    Column("due", Double, nullable=False),  # not to be sent before; a claim moves it on
    Column("owner", Text, nullable=False),  # who claimed it
    Column("tries", Integer, nullable=False),  # how often it was claimed, to be said to the relay
    Column("made", Double, nullable=False),
    Column("sent", Double),
    Column("trouble", Text, nullable=False),  # what the relay last said
    Column("lane", Integer, nullable=False, server_default="0"),  # see outbox.STRANGERS
    Index("outbox_new", "lane", "id", "due", **_waiting),  # to claim in the order of writing
    Index("outbox_due", "due", **_waiting),
    Index("outbox_made", "made"),
    sqlite_autoincrement=True,
)

contents = Table(
    "contents",
    metadata,
    Column("letter", Integer, primary_key=True, autoincrement=False),  # outbox.id
    Column("content", LargeBinary, nullable=False),
)

# A letter with several boards, which can be answered by lines of a board's number and a move.
digests = Table(
    "digests",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("userid", Text, nullable=False),
    Column("at", Double, nullable=False),
    Column(
        "boards", Text, nullable=False
    ),  # between blanks, the turn of each, see service.digests.Turn
    Index("digests_at", "at"),
    Index("digests_userid", "userid", "at"),
    sqlite_autoincrement=True,
)

# What a player is to be told of a board by the next digest, instead of by a letter of its own.
untold = Table(
    "untold",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("userid", Text, nullable=False),
    Column("board", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("data", Text, nullable=False),  # JSON
    Index("untold_userid", "userid"),
    sqlite_autoincrement=True,
)
