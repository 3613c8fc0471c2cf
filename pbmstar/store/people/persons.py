"""People, with or without an account: bans, refused letters, guests, and their data."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import (
    Table,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    literal_column,
    or_,
    select,
    update,
)

from .. import schema as t
from ..statements import Subject, add_once, every, p, upsert

_suppressed, _bans = t.suppressed.c, t.bans.c

_BAN = add_once(t.bans)
_UNBAN = delete(t.bans).where(_bans.mark == p("mark"))
_ANY_BAN = select(_bans.mark).limit(1)
_AT_ONCE = 8  # marks in one query
_BANNED = (
    select(_bans.mark).where(or_(*(_bans.mark == p(f"mark{n}") for n in range(_AT_ONCE)))).limit(1)
)
_new_mark = upsert(t.suppressed).values(**every(t.suppressed))
_SUPPRESS = _new_mark.on_conflict_do_update(
    index_elements=["mark"],
    set_={
        "at": _new_mark.excluded.at,
        # The wish to get no letters outlives a letter that comes back.
        "until": case((_suppressed.until.is_not(None), _new_mark.excluded.until)),
    },
)
_lasts = or_(_suppressed.until.is_(None), _suppressed.until > p("now"))
_SUPPRESSED = select(_suppressed.at).where(_suppressed.mark == p("mark"), _lasts)
_UNSUPPRESS = delete(t.suppressed).where(t.suppressed.c.mark == p("mark"))
_GUEST = select(t.guests.c.letters, t.guests.c.at).where(t.guests.c.mark == p("mark"))
_new_guest = upsert(t.guests).values(mark=p("mark"), letters=1, at=p("at"))
_COUNT_GUEST = _new_guest.on_conflict_do_update(
    index_elements=["mark"], set_={"letters": t.guests.c.letters + 1, "at": _new_guest.excluded.at}
)


def _about(table: Table, *columns: str) -> Any:
    """Return a query for the rows of a table that name a person, by userid or address."""
    conditions = [
        table.c[name] == p("address" if name == "address" else "userid") for name in columns
    ]
    order = (table.c.at, table.c.mail) if table is t.handled else table.primary_key
    return select(table).where(or_(*conditions)).order_by(*order)


# The tables that name a person, and the columns. Boards, too, name the player to move, or the winner.
NAMED: dict[Table, tuple[str, ...]] = {
    t.users: ("userid",),
    t.addresses: ("userid", "address"),
    t.blocks: ("userid", "other"),
    t.tokens: ("userid", "address"),
    t.places: ("userid",),
    t.seats: ("userid",),
    t.requests: ("userid",),
    t.events: ("userid",),
    t.moves: ("userid",),
    t.plans: ("userid",),
    t.drafts: ("userid",),
    t.reviews: ("userid",),
    t.notes: ("userid",),
    t.comments: ("userid",),
    t.bests: ("userid",),
    t.handled: ("userid",),
    t.outbox: ("userid", "address"),
    t.digests: ("userid",),
    t.untold: ("userid",),
    t.absences: ("userid",),
    t.rated: ("first", "second"),
    t.rating_steps: ("userid",),
    t.ratings: ("userid",),
    t.offers: ("userid",),
    t.watches: ("userid",),
    t.followers: ("player", "userid"),
    t.invitations: ("userid",),
    t.entries: ("userid",),
    t.pairings: ("first", "second"),
    t.steps: ("userid", "other"),
    t.titles: ("userid",),
    t.solutions: ("userid",),
    t.problem_readers: ("userid",),
}
_ABOUT = {table: _about(table, *columns) for table, columns in NAMED.items()}
# The columns that mean nothing to a person, or would let a reader of them in.
_SECRET = frozenset(("password", "hash", "digest", "owner", "sender"))
_COUNTED = select(t.counts.c.what, t.counts.c.count)
_EMPTY: Any = literal_column("''")
_OWN = (
    t.notes, t.drafts, t.reviews, t.blocks, t.places, t.digests, t.untold, t.absences, t.watches,
    t.followers, t.offers, t.solutions, t.problem_readers,
)  # fmt: skip
_FORGET = [
    *(delete(table).where(table.c.userid == p("userid")) for table in _OWN),
    delete(t.followers).where(t.followers.c.player == p("userid")),
    # The hash of a mailed invitation stays: nobody is invited twice.
    delete(t.invitations).where(
        t.invitations.c.userid == p("userid"), t.invitations.c.mailed == literal_column("0")
    ),
    update(t.invitations).where(t.invitations.c.userid == p("userid")).values(userid=_EMPTY),
    delete(t.tokens).where(
        or_(t.tokens.c.userid == p("userid"), t.tokens.c.address == p("address"))
    ),
    delete(t.contents).where(
        t.contents.c.letter.in_(
            select(t.outbox.c.id).where(
                or_(t.outbox.c.userid == p("userid"), t.outbox.c.address == p("address"))
            )
        )
    ),
    delete(t.outbox).where(
        or_(t.outbox.c.userid == p("userid"), t.outbox.c.address == p("address"))
    ),
    update(t.handled)
    .where(t.handled.c.userid == p("userid"))
    .values({"message": _EMPTY, "userid": _EMPTY}),
]
_FORGET_COUNT = delete(t.counts).where(t.counts.c.what == p("what"))
_RENAMED = [
    *((table, name) for table, names in NAMED.items() for name in names if name != "address"),
    (t.boards, "to_move"),
    (t.boards, "result"),
    (t.rating_steps, "opponent"),
]
_RENAME = [
    update(table).where(table.c[name] == bindparam("old")).values({name: bindparam("new")})
    for table, name in _RENAMED
]


def _doubled(table: Table, name: str) -> Any:
    """Return a statement that deletes the rows of one person that would get the key of another's row."""
    other = table.alias()
    same = [other.c[key.name] == key for key in table.primary_key if key.name != name]
    whose = [table.c[name] == bindparam("old"), other.c[name] == bindparam("new")]
    return delete(table).where(whose[0], exists().where(whose[1], *same))


_better = t.bests.alias()
_MERGE = [
    delete(t.addresses).where(t.addresses.c.userid == bindparam("old")),
    # Of two results in one puzzle the better one stays.
    delete(t.bests).where(
        t.bests.c.userid == bindparam("new"),
        exists().where(
            _better.c.userid == bindparam("old"),
            _better.c.game == t.bests.c.game,
            _better.c.options == t.bests.c.options,
            or_(
                _better.c.rank < t.bests.c.rank,
                and_(_better.c.rank == t.bests.c.rank, _better.c.turns < t.bests.c.turns),
            ),
        ),
    ),
    *(_doubled(table, name) for table, name in _RENAMED if table.c[name].primary_key),
]
_DROP_SELF_BLOCK = delete(t.blocks).where(t.blocks.c.userid == t.blocks.c.other)
_SET_ACT = update(t.audit).where(t.audit.c.id == p("number")).values(act=p("act"))
_ACTS = select(t.audit.c.id, t.audit.c.act).where(t.audit.c.act.like("%" + p("userid") + "%"))
_DEAD_OF = select(t.outbox.c.id).where(t.outbox.c.userid == p("userid"), t.outbox.c.state != "new")
_DROP_TEXT_OF = delete(t.contents).where(t.contents.c.letter.in_(_DEAD_OF))
_BLANK_DEAD_OF = update(t.outbox).where(t.outbox.c.id.in_(_DEAD_OF)).values(address="", trouble="")
_DROP_TOKENS_AT = delete(t.tokens).where(
    t.tokens.c.userid == p("userid"), t.tokens.c.address == p("address")
)
_DROP_TOKENS_OF = delete(t.tokens).where(t.tokens.c.userid == p("userid"))


def _masking(table: Table, name: str, *where: Any) -> tuple[Any, Any]:
    """Return a query for the texts of a column with a pattern in them, and a statement to change one."""
    keys, column = list(table.primary_key), table.c[name]
    query = select(column, *keys).where(func.lower(column).like(p("like"), escape="\\"), *where)
    one = [key == bindparam(f"key{at}") for at, key in enumerate(keys)]
    return query, update(table).where(*one).values({name: bindparam("text")})


_own_boards = select(t.seats.c.board).where(t.seats.c.userid == p("userid"))
_MASKED_OF = _masking(t.comments, "text", t.comments.c.board.in_(_own_boards))
# The columns with words of players, relays and the operator, in which a person's address may stand.
_SPOKEN: tuple[tuple[Table, str], ...] = (
    (t.comments, "text"),
    (t.notes, "text"),
    (t.untold, "data"),
    (t.outbox, "trouble"),
    (t.audit, "act"),
    (t.outages, "why"),
)
_MASKED = [_masking(table, name) for table, name in _SPOKEN]
_TEXTS = select(t.contents.c.letter, t.contents.c.content).order_by(t.contents.c.letter)
_SET_TEXT = update(t.contents).where(t.contents.c.letter == p("which")).values(content=p("content"))
_MASK = "******"


class People(Subject):
    """Addresses that are treated apart, and all data of one person."""

    def ban(self, mark: str, at: float) -> None:
        """Take no more mail from an address (by its mark) or a domain (as @domain)."""
        self._db.forget("bans")
        self._db.do(_BAN, mark=mark, at=at)

    def unban(self, mark: str) -> bool:
        """Lift a ban; return False if there is none."""
        self._db.forget("bans")
        return bool(self._db.changed(_UNBAN, mark=mark))

    def has_bans(self) -> bool:
        """Return True if there is any ban."""
        if ("bans",) not in self._db.cached:
            self._db.cached["bans",] = self._db.row(_ANY_BAN) is not None
        return bool(self._db.cached["bans",])

    def is_banned(self, address_mark: str, domain: str) -> bool:
        """Return True if mail from an address, or from its domain or a domain above that, is ignored."""
        if not self.has_bans():
            return False
        labels = domain.split(".")
        marks = [address_mark, *(f"@{'.'.join(labels[at:])}" for at in range(len(labels)))]
        marks += [address_mark] * (-len(marks) % _AT_ONCE)
        return any(
            self._db.row(_BANNED, **{f"mark{n}": marks[at + n] for n in range(_AT_ONCE)})
            for at in range(0, len(marks), _AT_ONCE)
        )

    # -- addresses without an account

    def suppress(self, mark: str, at: float, until: float | None = None) -> None:
        """Write no letters to an address, until ``until`` if given; for marks see identity.address_mark."""
        self._db.do(_SUPPRESS, mark=mark, at=at, until=until)

    def is_suppressed(self, mark: str, now: float) -> bool:
        """Return True if no letters may go to that address now."""
        return self._db.row(_SUPPRESSED, mark=mark, now=now) is not None

    def unsuppress(self, mark: str) -> bool:
        """Allow letters to this address again. Return False if it was not suppressed."""
        return bool(self._db.changed(_UNSUPPRESS, mark=mark))

    def guest(self, mark: str) -> tuple[int, float]:
        """Return the number of letters to the guest of that mark, and the time of the last one."""
        letters, at = self._db.row(_GUEST, mark=mark) or (0, 0.0)
        return int(letters), float(at)

    def count_guest(self, mark: str, at: float) -> None:
        """Count one more letter to a guest."""
        self._db.do(_COUNT_GUEST, mark=mark, at=at)

    def about(self, userid: str, *addresses: str) -> dict[str, list[dict[str, Any]]]:
        """Return all rows about a person, by table, without the columns that would let a reader in."""
        tables: dict[str, list[dict[str, Any]]] = {}
        for table, statement in _ABOUT.items():
            named = "address" in NAMED[table]
            found: dict[tuple[Any, ...], None] = {}
            for each in (addresses or ("",)) if named else ("",):
                where = {"address": each} if named else {}
                rows = self._db.rows(statement, userid=userid, **where)
                found |= dict.fromkeys(map(tuple, rows))
            names = [column.name for column in table.columns]
            tables[table.name] = [
                {name: value for name, value in zip(names, row, strict=True) if name not in _SECRET}
                for row in found
            ]
        tables["counts"] = [
            {"what": what, "count": count} for what, count in self._counted(userid, *addresses)
        ]
        return tables

    def _counted(self, *names: str) -> list[tuple[str, int]]:
        """Return the counters that have a person's userid or address as a word of their name."""
        rows = self._db.rows(_COUNTED)
        known = {*names} - {""}
        return sorted((what, count) for what, count in rows if known & set(what.split(" ")))

    def forget(self, userid: str, *addresses: str) -> None:
        """Keep nothing about a person except the account, the games and the acts done by hand."""
        self._db.write()
        self._db.cached.clear()
        for statement in _FORGET:
            needs = statement.compile().params
            for address in addresses or (userid,):
                values = {"userid": userid, "address": address}
                self._db.do(statement, **{name: values[name] for name in values if name in needs})
        for what, _ in self._counted(userid, *addresses):
            self._db.do(_FORGET_COUNT, what=what)

    def rename(self, userid: str, new: str) -> None:
        """Give an account another userid in every place; no account may have that userid yet."""
        self._db.write()
        self._db.cached.clear()
        for what, _ in self._counted(userid):
            self._db.do(_FORGET_COUNT, what=what)
        for statement in _RENAME:
            self._db.do(statement, old=userid, new=new)
        for number, act in self._db.rows(_ACTS, userid=userid):
            words: Sequence[str] = [new if word == userid else word for word in act.split(" ")]
            self._db.do(_SET_ACT, number=number, act=" ".join(words))

    def merge(self, userid: str, into: str) -> None:
        """Give the rows of one account to the account ``into``; where both have one, that account's stays."""
        self._db.write()
        for statement in _MERGE:
            self._db.do(statement, old=userid, new=into)
        self.rename(userid, into)
        self._db.do(_DROP_SELF_BLOCK)

    def forget_address(self, userid: str, address: str) -> None:
        """Forget the address of a closed account, except in waiting letters to it.

        The players' words on the boards of the account get a mask in its place.
        """
        self._db.do(_DROP_TEXT_OF, userid=userid)
        self._db.do(_BLANK_DEAD_OF, userid=userid)
        self._db.do(_DROP_TOKENS_OF, userid=userid)
        for what, _ in self._counted(address):
            self._db.do(_FORGET_COUNT, what=what)
        self._mask(_MASKED_OF, address, userid=userid)

    def leave_address(self, userid: str, address: str) -> None:
        """Forget the tokens and the counters of an address that an account has no more."""
        self._db.do(_DROP_TOKENS_AT, userid=userid, address=address)
        for what, _ in self._counted(address):
            self._db.do(_FORGET_COUNT, what=what)

    def mask_address(self, address: str, is_named: Callable[[bytes], bool]) -> list[int]:
        """Mask an address in all kept words, and in waiting letters to others.

        Letters that are mails to be passed on are not changed: return the numbers of those for which
        ``is_named`` is true.
        """
        for masked in _MASKED:
            self._mask(masked, address)
        mails = []
        sought = re.compile(re.escape(address.encode()), re.IGNORECASE)
        for letter, content in self._db.rows(_TEXTS):
            content = bytes(content)
            if not content.startswith(b"{"):
                mails += [letter] if is_named(content) else []
            elif sought.search(content):
                self._db.do(_SET_TEXT, which=letter, content=sought.sub(_MASK.encode(), content))
        return mails

    def _mask(self, masked: tuple[Any, Any], address: str, **values: str) -> None:
        find, change = masked
        like = re.sub(r"([%_\\])", r"\\\1", address.lower())
        sought = re.compile(re.escape(address), re.IGNORECASE)
        for text, *keys in self._db.rows(find, like=f"%{like}%", **values):
            place = {f"key{at}": key for at, key in enumerate(keys)}
            self._db.do(change, text=sought.sub(_MASK, text), **place)
