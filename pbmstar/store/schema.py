"""The tables. Times are seconds since 1970 UTC; userids and game words are lower case.

A record is its rows in ``moves``; what is marked *cached* follows from the rest: ``admin check`` compares.
``options``, ``terms``, and what a review or a digest keeps as ``data``, are JSON.
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


def _table(name: str, *parts: Any) -> Table:
    """Return a table that SQLite keeps in one tree, with its key: half the pages to write."""
    return Table(name, metadata, *parts, sqlite_with_rowid=False)


def _numbered(name: str, number: str, *parts: Any) -> Table:
    """Return a table whose rows get a number each, which is never given again."""
    key = Column(number, Integer, primary_key=True)
    return Table(name, metadata, key, *parts, sqlite_autoincrement=True)


def _about(key: str, *parts: Any) -> tuple[Any, ...]:
    """Return the parts of a table with a row for some of the boards or letters."""
    return metadata, Column(key, Integer, primary_key=True, autoincrement=False), *parts


def _keys(**kinds: Any) -> list[Column[Any]]:
    """Return columns of the primary key."""
    return [Column(name, kind, primary_key=True) for name, kind in kinds.items()]


def _columns(default: str | None = None, /, **kinds: Any) -> list[Column[Any]]:
    """Return columns that are never null."""
    return [Column(n, kind, nullable=False, server_default=default) for n, kind in kinds.items()]


def _nullable(**kinds: Any) -> list[Column[Any]]:
    """Return columns that may be null."""
    return [Column(name, kind) for name, kind in kinds.items()]


def _where(condition: str) -> dict[str, Any]:
    """Return the condition of a partial index."""
    return dict.fromkeys(("sqlite_where", "postgresql_where"), text(condition))


# A key of the server, for tokens; the newest signs, all check.
keys = Table("keys", metadata, *_keys(id=Integer), *_columns(key=LargeBinary, made=Double))

# How often something happened since then: rates that a restart does not forget.
counts = _table("counts", *_keys(what=Text), *_columns(since=Double, count=Integer))

# Facts about the store itself that no other table has, by name.
facts = _table("facts", *_keys(name=Text), *_columns(value=Text))

# Who did what by hand.
audit = _numbered("audit", "id", *_columns(at=Double, actor=Text, act=Text))

# state: active, suspended (its address bounces), closed, bot (of BOTS; it has no address and no
# password). A person's account exists once its address is confirmed.
users = _table(
    "users",
    *_keys(userid=Text),
    *_columns(address=Text, password=Text, state=Text, made=Double),  # password: argon2id
    # 0: none but the last warning, which comes anyway; 1: at a third and two thirds; 2: daily
    *_columns(reminders=Integer),
    *_nullable(most=Integer),  # running games that challenges may bring up to; null: any
    *_columns(refuses=Text),  # game words, between blanks: no challenges to them
    *_columns(bounces=Double),  # score of what came back from the address
    # 1 if wanted: announcements; HTML in letters, and boards in it as pictures; to be told of to others.
    *_columns("1", news=Integer, html=Integer, pictures=Integer, listed=Integer),
    *_columns("each", letters=Text),  # or mine, daily
    *_columns("420", digest_at=Integer),  # minute of the zone's day
    *_columns("UTC", zone=Text),
    *_columns("ascii", drawing=Text),  # see command.values
    *_nullable(digest_due=Double),  # null: no digests
    *_columns("1", auto_leave=Integer),  # before a game is forfeited
    *_nullable(away=Double),  # no absence ends later; null: there never was one
    *_columns("0", lobby=Integer),  # offers in the daily letter
    *_nullable(absent=Double),  # when an automatic answer came that said so; a hint, no more
    *_columns("0", public=Integer),  # 1: may be seen on the site
    *_columns("0", receipts=Integer),  # how many of own moves have said how to get none
    Index("users_address", "address"),
    Index("users_digest_due", "digest_due"),
)

# The addresses of an account besides ``users.address``, each confirmed; no account has another's.
# kind: copies, short, none, see service.letters.outgoing.
addresses = _table(
    "addresses",
    *_keys(address=Text),
    *_columns(userid=Text, kind=Text, made=Double, bounces=Double),
    Index("addresses_userid", "userid"),
)

# Whose challenges a player does not want.
blocks = _table("blocks", *_keys(userid=Text, other=Text))

# What a mail may still confirm; only a hash of the token is kept. kind: signup, address, password, resign,
# or that of a further address.
tokens = _table(
    "tokens",
    *_keys(hash=Text),
    *_columns(kind=Text, userid=Text, address=Text),
    *_columns(password=Text, made=Double),  # password: argon2id of a signup, else empty
    # Of a forgotten password, who asked: owner, vouched, claimed or stranger; else empty.
    *_columns("", asker=Text, reader=Text),  # reader: see service.strangers
    Index("tokens_reader", "reader", "made"),
)

# Where an account's mails come from, as a hash; whether one from there has ever proved anything.
places = _table(
    "places",
    *_keys(userid=Text, place=Text),
    *_columns(known=Integer, wrong=Integer, last=Double, until=Double),  # until: locked till then
)

# Addresses that get no letter unless an account has them; of a stranger's only a hash is kept.
# until: null for one that wants none; else what was sent there came back, and may not next time.
suppressed = _table("suppressed", *_keys(mark=Text), *_columns(at=Double), *_nullable(until=Double))

# Addresses (by their mark) and domains (as @domain) whose mail is ignored.
bans = _table("bans", *_keys(mark=Text), *_columns(at=Double))

# Of an address only a hash is kept. Rows stay: nobody is told more than a few times, ever.
guests = _table("guests", *_keys(mark=Text), *_columns(letters=Integer, at=Double))

boards = _numbered(
    "boards",
    "board",
    *_columns(game=Text, options=Text, made=Double),
    *_columns(resets=Integer),  # reply tokens of before a reset are void
    *_columns(length=Integer),  # cached: entries of the record
    *_columns(to_move=Text),  # cached: userid, empty when over
    *_columns(result=Text),  # cached: see Match.result
    *_columns(since=Double),  # cached: when the turn began, or the game ended
    # No reminder or forfeit before then; at first the turn's beginning, so that the next run of the
    # reminders looks at it and sets its first stage. Null when over, or when no stage follows.
    *_nullable(due=Double),
    *_columns("{}", terms=Text),
    *_nullable(told=Integer),  # the letter that tells who is to move, if one does
    *_nullable(clock_from=Double),  # since when the clock runs; null until that letter is taken
    # 1: begun by who had proved to be that player; 0: by who said so, as far as is known
    *_columns("0", proved=Integer),
    Index("boards_due", "due"),
    Index("boards_bots", "since", **_where(f"to_move IN ({','.join(map(repr, BOTS))})")),
)

# Who plays, in the order of the game's seats. A swap is in the record, and changes nothing here.
seats = _table(
    "seats",
    *_keys(board=Integer, seat=Integer),  # seat 0 begins
    *_columns(userid=Text),
    *_columns("0", bank=Integer),  # cached: seconds the player has
    Index("seats_userid", "userid"),
)

# What one player asks of the other, one at most; its kinds are those of ``match.Request``.
requests = Table(
    "requests", *_about("board", *_columns(kind=Text, userid=Text, data=Text, at=Double))
)

# What happened to a board beside its moves: requests and their answers, resets by the operator.
events = _table(
    "events",
    *_keys(board=Integer, n=Integer),
    *_columns(at=Double, userid=Text, kind=Text, data=Text),  # no userid: the operator, the server
)

# The record. number is the move number; a swap and the end by resignation take none.
moves = _table(
    "moves",
    *_keys(board=Integer, seq=Integer),
    *_nullable(number=Integer),
    *_columns(userid=Text, move=Text, at=Double),
    *_nullable(began=Double),  # when the player's clock began to run, if what it used is counted
    *_columns("0", by_plan=Integer),  # 1: planned, it took no time
    UniqueConstraint("board", "number", name="moves_number"),
)

# What a player will answer on a board: nobody else is told of it. It is for the position after so
# many resets and entries, and void on any other.
plans = _table(
    "plans",
    *_keys(board=Integer, userid=Text),
    *_columns(resets=Integer, length=Integer, plan=Text),  # plan: as match.plans writes it
)

# The newest preview of each player on a board, of a position after so many resets and entries.
drafts = _table(
    "drafts",
    *_keys(board=Integer, userid=Text),
    *_columns(resets=Integer, length=Integer, moves=Text),  # moves: between them ", "
)

# What a player has noted about a board: nobody else is told of it.
notes = _table(
    "notes",
    *_keys(board=Integer, userid=Text, n=Integer),
    *_columns(at=Double, move=Integer, text=Text),  # move: moves made until then
)

# What the players of a board have written to each other.
comments = _table(
    "comments",
    *_keys(board=Integer, n=Integer),
    # length: entries of the record then
    *_columns(length=Integer, userid=Text, at=Double, text=Text),
)

# The best that each player has reached in each puzzle. It stays when the board is put back or removed.
bests = _table(
    "bests",
    *_keys(game=Text, options=Text, userid=Text),  # options: as of the board
    *_columns(rank=Integer),  # 0 is as good as can be
    *_columns(turns=Integer, at=Double, board=Integer),  # turns: 0 where they do not matter
    *_columns(note=Text),  # in words: 17 queens, every cell is guarded
    Index("bests_first", "game", "options", "rank", "turns", "at"),
)

# Which reminder has been sent for which turn: one row, one letter.
reminders = _table(
    "reminders",
    # seq of the turn: the record's length; stage: nag 0, nag 1, ..., unreached, ask; a warning with the
    # end of the turn that it names
    *_keys(board=Integer, resets=Integer, seq=Integer, stage=Text),
    *_columns(letter=Integer, at=Double),
)

# When the server stood still and no time ran; until is null while it does.
outages = _numbered(
    "outages",
    "id",
    *_columns(begin=Double),
    *_nullable(until=Double),
    *_columns(why=Text),
)

# When a player's clocks stand. kind: leave (booked), auto (taken by the server), bounce (letters come
# back; until is null while they do), grant (no stop: so many days more of leave in that year).
absences = _numbered(
    "absences",
    "id",
    *_columns(userid=Text, begin=Double),
    *_nullable(until=Double),
    *_columns(kind=Text, made=Double),
    # By the clocks of which zone its days are counted: the player's when it was booked.
    *_columns("UTC", zone=Text),
    Index("absences_userid", "userid"),
)

# Who waits for the review of which board, since when.
reviews = _table(
    "reviews",
    *_keys(board=Integer, userid=Text),
    *_columns(at=Double),
    Index("reviews_at", "at"),
)

# What a review has found; of a board that was put back since it is not looked at.
reviewed = Table("reviewed", *_about("board", *_columns(resets=Integer, length=Integer, data=Text)))

# On which boards a process thinks just now, about the turn of a bot or a review: nobody else does then.
# owner: the node, and the place in it.
thoughts = Table("thoughts", *_about("board", *_columns(owner=Text, at=Double)))

# The daemons on this database, each with the id of its spool: letters are claimed in this name. One
# whose beats do not go up is dead, whatever its clock says.
nodes = _table(
    "nodes",
    *_keys(id=Text),
    *_columns(name=Text, version=Text, beats=Integer, at=Double, began=Double),
)

# Each start of a daemon, for ``admin explain``, by the beginning of the ids of its mails.
runs = _table("runs", *_keys(mails=Text), *_columns(name=Text, version=Text, began=Double))

# Mails that have had their effect: what makes a second delivery harmless.
handled = _table(
    "handled",
    *_keys(digest=LargeBinary),
    *_columns(at=Double, outcome=Text),
    # For ``admin explain``: id in the log, hash of the Message-ID, account and whether it was proved,
    # and in one text each the commands, the codes of what was refused, the numbers of its letters.
    # A command has a blank and a ; after it, codes stand between blanks, a letter has one at each end.
    *_columns("", mail=Text, message=Text, userid=Text, commands=Text, codes=Text, letters=Text),
    *_columns("0", proved=Integer),
    # What our mail server said of the sender: pass, fail or none; empty if we have none.
    *_columns("", authentic=Text),
    Index("handled_at", "at"),
)

# Letters. state: new, sent (its content is dropped), dead (refused for good; kept to look at).
# What they say (a recipe, or a whole mail) stands apart: marking a letter does not write it again.
_waiting = _where("state = 'new'")
outbox = _numbered(
    "outbox",
    "id",
    # sender: of the envelope; due: not to be sent before, a claim moves it on; owner: who claimed it
    *_columns(message_id=Text, userid=Text, address=Text, sender=Text, state=Text),
    *_columns(due=Double, owner=Text),
    *_columns(tries=Integer),  # how often it was claimed, to be said to the relay
    *_columns(made=Double),
    *_nullable(sent=Double),
    *_columns(trouble=Text),  # what the relay last said
    *_columns("0", lane=Integer),  # see outbox.STRANGERS
    Index("outbox_new", "lane", "id", "due", **_waiting),  # to claim in the order of writing
    Index("outbox_due", "due", **_waiting),
    Index("outbox_made", "made"),
)

contents = Table("contents", *_about("letter", *_columns(content=LargeBinary)))  # letter: outbox.id

# A letter with several boards, which can be answered by lines of a board's number and a move. boards:
# between blanks, the turn of each, see service.digests.Turn.
digests = _numbered(
    "digests",
    "id",
    *_columns(userid=Text, at=Double, boards=Text),
    Index("digests_at", "at"),
    Index("digests_userid", "userid", "at"),
)

# What a player is to be told of a board by the next digest, instead of by a letter of its own.
untold = _numbered(
    "untold",
    "id",
    *_columns(userid=Text, board=Integer, at=Double, data=Text),
    Index("untold_userid", "userid"),
)

# The games for two that have ended, as contest.fold knows them; why: see contest.fairness.REASONS, or
# empty if the game is rated. All that follows is cached: the fold gives it again.
rated = _table(
    "rated",
    Column("board", Integer, primary_key=True, autoincrement=False),
    *_columns(game=Text),
    *_columns(practice=Integer),  # 1: one of them is a bot, and stands second
    *_columns(measure=Double),  # the rating of the bot then; 0 among people
    *_columns(at=Double, first=Text, second=Text, score=Double, how=Text, barred=Text),
    *_columns(why=Text),  # cached
    Index("rated_at", "game", "practice", "at", "board"),
    Index("rated_first", "first", "at"),
    Index("rated_second", "second", "at"),
)


def _tally() -> list[Column[Any]]:
    """Return the columns of what a player has, see contest.fold.Tally."""
    return [
        *_columns(rating=Double, deviation=Double, volatility=Double, at=Double),
        *_columns(games=Integer, won=Integer, lost=Integer, tied=Integer, opponents=Integer),
    ]


# The steps of the fold: a row for each player of each rated game. A bot has none.
rating_steps = _table(
    "rating_steps",
    *_keys(userid=Text, game=Text, practice=Integer),
    *_tally(),
    *_keys(board=Integer),
    *_columns(opponent=Text, score=Double, before=Double),  # before: the rating
    Index("rating_steps_at", "userid", "game", "practice", "at", "board"),
    Index("rating_steps_board", "board"),
)

# What each player has now: the last step.
ratings = _table(
    "ratings",
    *_keys(game=Text, practice=Integer, userid=Text),
    *_tally(),
    Index("ratings_userid", "userid"),
)

# Games that players offer to all whom they fit, see contest.offers.Offer.
offers = _numbered(
    "offers",
    "number",
    # terms: as far as they are chosen; seat: X, O or empty
    *_columns(userid=Text, game=Text, options=Text, terms=Text, seat=Text),
    *_nullable(low=Integer, high=Integer, within=Integer),
    *_columns(wanted=Integer),  # games; 0 for any number
    *_columns(begun=Integer, is_new=Integer, is_match=Integer),  # begun: games that it has begun
    *_columns(made=Double),
    *_nullable(until=Double, asked=Double),  # asked: when a bot was offered in its place
    *_nullable(closed=Double),  # null while it is open
    *_columns(why=Text),  # taken, withdrawn, ended
    Index("offers_open", "userid", **_where("closed IS NULL")),
    Index("offers_closed", "closed"),
)

# Strangers whom players have invited, by the mark of the address: one letter goes there, ever. Once an
# account is opened there, board is the number of the game that began, or 0 if none could begin.
invitations = _table(
    "invitations",
    *_keys(mark=Text, userid=Text),
    *_columns(at=Double, mailed=Integer),
    *_nullable(board=Integer),
    Index("invitations_userid", "userid", "at"),
)

# A ladder, or a season of a league. kind: ladder, league. state: open (players join), begun, over,
# closed (by the operator).
contests = _numbered(
    "contests",
    "id",
    *_columns(kind=Text, game=Text, options=Text, terms=Text),
    # days and season are 0 of a ladder; stage: what the players are told now, see contest.league.Stage
    *_columns(days=Integer, season=Integer, state=Text, stage=Text, made=Double),
    *_nullable(begin=Double, until=Double),
    Index("contests_game", "game", "kind"),
)

# Who plays. state: empty; out (all games are taken out of the table), lost (those that were left are
# lost), leaving (the ladder, once the last game there is over).
entries = _table(
    "entries",
    *_keys(contest=Integer, userid=Text),
    *_columns(joined=Double),
    # division: 0 before the season begins; seed: in the division, 1 the strongest
    *_columns("0", division=Integer, seed=Integer),
    *_columns("", state=Text),
    *_nullable(rests=Double),  # since when, of who has not begun a game of a ladder in time
    *_columns("0", place=Integer),  # cached: on the ladder; at the end
    *_columns("", told=Text),  # the stage of the last letter
    Index("entries_userid", "userid"),
)

# Who plays whom. gone: who withdrew while the game ran: first, second, or both with a blank between.
pairings = _table(
    "pairings",
    *_keys(contest=Integer, n=Integer),
    # first: moves first; of a ladder, who is challenged
    *_columns(division=Integer, first=Text, second=Text),
    *_nullable(board=Integer),  # null until the board is there
    *_columns("", gone=Text),
    Index("pairings_board", "board"),
    Index("pairings_first", "first"),
    Index("pairings_second", "second"),
)

# What has happened on a ladder, in order; kind: see contest.ladder.
steps = _table(
    "steps",
    *_keys(contest=Integer, n=Integer),
    *_columns(at=Double, kind=Text, userid=Text, other=Text),  # other: who has lost; else empty
    *_nullable(board=Integer),  # that was won; else null
    Index("steps_userid", "userid"),
    Index("steps_other", "other"),
)

# The first of each division of a season that is over: cached.
titles = _table(
    "titles",
    *_keys(contest=Integer, userid=Text),
    *_columns(game=Text, season=Integer, division=Integer, divisions=Integer, at=Double),
    Index("titles_userid", "userid"),
)

# Who watches a board that runs, and how that is told: each, end, digest.
watches = _table(
    "watches",
    *_keys(board=Integer, userid=Text),
    *_columns(how=Text),
    Index("watches_userid", "userid"),
)

# Who watches each new game of a player, in the same ways.
followers = _table(
    "followers",
    *_keys(player=Text, userid=Text),
    *_columns(how=Text),
    Index("followers_userid", "userid"),
)
