"""People, with or without an account: bans, refused letters, guests, and their data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Table, delete, exists, func, or_, select, update

from ...machine.times import Epoch
from .. import schema as t
from ..statements import Repository, by, p

_AT_ONCE = 8  # marks in one query
_MARKS = ", ".join(f":mark{n}" for n in range(_AT_ONCE))


def _about(table: Table, *columns: str) -> Any:
    """Return a query for the rows of a table that name a person, by userid or address."""
    conditions = [
        table.c[name] == p("address" if name == "address" else "userid") for name in columns
    ]
    order = (table.c.at, table.c.mail) if table is t.handled else table.primary_key
    return select(table).where(or_(*conditions)).order_by(*order)


# The columns that name a person, by table. Boards, too, name the player to move, or the winner.
_PERSON = ("userid", "other", "first", "second", "player", "address")
_SHARED = t.users.c.address  # several accounts may have it


@cache
def named() -> Mapping[Table, tuple[str, ...]]:
    """Return the tables that name a person, with those columns."""
    return {
        table: names
        for table in t.tables()
        if (names := tuple(c.name for c in table.c if c.name in _PERSON and c is not _SHARED))
    }


@cache
def renamed() -> Sequence[tuple[Table, str]]:
    """Return the columns with userids: they follow a person's new name."""
    return [
        *((table, name) for table, names in named().items() for name in names if name != "address"),
        (t.boards, "to_move"),
        (t.boards, "result"),
        *((table, name) for table in t.marked("renamed") for name in table.info["renamed"]),
    ]


# The columns that mean nothing to a person, or would let a reader of them in.
_SECRET = frozenset(("password", "hash", "digest", "owner", "sender"))
_OWN = (
    t.notes, t.drafts, t.blocks, t.places, t.digests, t.untold, t.absences, t.endings,
)  # fmt: skip


def _doubled(table: Table, name: str) -> Any:
    """Return a statement that deletes the rows of one person that would get the key of another's row."""
    other = table.alias()
    same = [other.c[key.name] == key for key in table.primary_key if key.name != name]
    whose = [table.c[name] == p("old"), other.c[name] == p("new")]
    return delete(table).where(whose[0], exists().where(whose[1], *same))


def _masking(table: Table, name: str, *where: Any) -> tuple[Any, Any]:
    """Return a query for the texts of a column with a pattern in them, and a statement to change one."""
    keys, column = list(table.primary_key), table.c[name]
    query = select(column, *keys).where(func.lower(column).like(p("like"), escape="\\"), *where)
    one = [key == p(f"key{at}") for at, key in enumerate(keys)]
    return query, update(table).where(*one).values({name: p("text")})


_own_boards = select(t.seats.c.board).where(by(t.seats, "userid"))
_MASKED_OF = _masking(t.comments, "text", t.comments.c.board.in_(_own_boards))
# The columns with words of players, relays and the operator, in which a person's address may stand.
_SPOKEN: tuple[tuple[Table, str], ...] = (
    (t.comments, "text"),
    (t.notes, "text"),
    (t.untold, "data"),
    (t.outbox, "trouble"),
    (t.audit, "act"),
    (t.outages, "why"),
    (t.handled, "said"),
)
_MASKED = [_masking(table, name) for table, name in _SPOKEN]
_MASK = "******"


class People(Repository):
    """Addresses that are treated apart, and all data of one person."""

    def ban(self, mark: str, at: Epoch) -> None:
        """Take no more mail from an address (by its mark) or a domain (as @domain)."""
        self._db.forget("bans")
        self._db.add_once(t.bans, mark=mark, at=at)

    def unban(self, mark: str) -> bool:
        """Lift a ban; return False if there is none."""
        self._db.forget("bans")
        return self._db.dropped(t.bans, mark=mark)

    def has_bans(self) -> bool:
        """Return True if there is any ban."""
        if ("bans",) not in self._db.cached:
            self._db.cached["bans",] = self._db.row("SELECT mark FROM bans LIMIT 1") is not None
        return bool(self._db.cached["bans",])

    def is_banned(self, address_mark: str, domain: str) -> bool:
        """Return True if mail from an address, or from its domain or a domain above that, is ignored."""
        if not self.has_bans():
            return False
        labels = domain.split(".")
        marks = [address_mark, *(f"@{'.'.join(labels[at:])}" for at in range(len(labels)))]
        marks += [address_mark] * (-len(marks) % _AT_ONCE)
        return any(
            self._db.row(
                f"SELECT mark FROM bans WHERE mark IN ({_MARKS}) LIMIT 1",
                **{f"mark{n}": marks[at + n] for n in range(_AT_ONCE)},
            )
            for at in range(0, len(marks), _AT_ONCE)
        )

    def bans(self) -> list[tuple[str, float]]:
        """Return the marks and domains (as @domain) that are banned, with the time, the oldest first."""
        return self._db.rows("SELECT mark, at FROM bans ORDER BY at, mark")

    # -- addresses without an account

    def suppress(self, mark: str, at: Epoch, until: Epoch | None = None) -> None:
        """Write no letters to an address, until ``until`` if given; for marks see identity.address_mark.

        The wish to get no letters outlives a letter that comes back.
        """
        self._db.do(
            """
            INSERT INTO suppressed (mark, at, until) VALUES (:mark, :at, :until)
            ON CONFLICT (mark) DO UPDATE SET at = excluded.at,
                until = CASE WHEN suppressed.until IS NOT NULL THEN excluded.until END
            """,
            mark=mark,
            at=at,
            until=until,
        )

    def is_suppressed(self, mark: str, now: Epoch) -> bool:
        """Return True if no letters may go to that address now."""
        row = self._db.row(
            "SELECT at FROM suppressed WHERE mark = :mark AND (until IS NULL OR until > :now)",
            mark=mark,
            now=now,
        )
        return row is not None

    def suppressed(self, now: Epoch) -> list[tuple[str, float, float | None]]:
        """Return the marks that get no letters now: since when, and until when if that is known."""
        return self._db.rows(
            "SELECT mark, at, until FROM suppressed WHERE until IS NULL OR until > :now ORDER BY at, mark",
            now=now,
        )

    def unsuppress(self, mark: str) -> bool:
        """Allow letters to this address again. Return False if it was not suppressed."""
        return self._db.dropped(t.suppressed, mark=mark)

    def guest(self, mark: str) -> tuple[int, float]:
        """Return the number of letters to the guest of that mark, and the time of the last one."""
        row = self._db.row("SELECT letters, at FROM guests WHERE mark = :mark", mark=mark)
        letters, at = row or (0, 0.0)
        return int(letters), float(at)

    def count_guest(self, mark: str, at: Epoch) -> None:
        """Count one more letter to a guest."""
        self._db.do(
            """
            INSERT INTO guests (mark, letters, at) VALUES (:mark, 1, :at)
            ON CONFLICT (mark) DO UPDATE SET letters = guests.letters + 1, at = excluded.at
            """,
            mark=mark,
            at=at,
        )

    def about(self, userid: str, *addresses: str) -> dict[str, list[dict[str, Any]]]:
        """Return all rows about a person, by table, without the columns that would let a reader in."""
        tables: dict[str, list[dict[str, Any]]] = {}
        for table, columns in named().items():
            statement, has_address = _about(table, *columns), "address" in columns
            found: dict[tuple[Any, ...], None] = {}
            for each in (addresses or ("",)) if has_address else ("",):
                where = {"address": each} if has_address else {}
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
        rows = self._db.rows("SELECT what, count FROM counts")
        known = {*names} - {""}
        return sorted((what, count) for what, count in rows if known & set(what.split(" ")))

    def _forget_counts(self, *names: str) -> None:
        for what, _ in self._counted(*names):
            self._db.drop(t.counts, what=what)

    def forget(self, userid: str, *addresses: str) -> None:
        """Keep nothing about a person except the account, the games and the acts done by hand."""
        self._db.cached.clear()
        for table in (*_OWN, *t.marked("own")):
            self._db.drop(table, userid=userid)
        theirs = "userid = :userid OR address = :address"
        for address in addresses or (userid,):
            for statement in (
                f"DELETE FROM tokens WHERE {theirs}",
                f"DELETE FROM contents WHERE letter IN (SELECT id FROM outbox WHERE {theirs})",
                f"DELETE FROM outbox WHERE {theirs}",
            ):
                self._db.do(statement, userid=userid, address=address)
        self._unname(userid)
        self._db.do(
            "UPDATE handled SET message = '', userid = '', said = '' WHERE userid = :userid",
            userid=userid,
        )
        self._forget_counts(userid, *addresses)

    def rename(self, userid: str, new: str) -> None:
        """Give an account another userid in every place; no account may have that userid yet."""
        self._db.cached.clear()
        self._forget_counts(userid)
        for table, name in renamed():
            self._db.do(
                f"UPDATE {table.name} SET {name} = :new WHERE {name} = :old", old=userid, new=new
            )
        self._unname(userid)
        for number, act in self._db.rows(
            "SELECT id, act FROM audit WHERE act LIKE :pattern", pattern=f"%{userid}%"
        ):
            words: Sequence[str] = [new if word == userid else word for word in act.split(" ")]
            self._db.change(t.audit, {"id": number}, act=" ".join(words))

    def _unname(self, userid: str) -> None:
        """Forget the reasons of refusals in which a person is named."""
        self._db.do("UPDATE handled SET said = '' WHERE said LIKE :pattern", pattern=f"%{userid}%")

    def merge(self, userid: str, into: str) -> None:
        """Give the rows of one account to the account ``into``; where both have one, that account's stays.

        Of two results in one puzzle the better one stays.
        """
        self._db.drop(t.addresses, userid=userid)
        self._db.do(
            """
            DELETE FROM bests WHERE userid = :new AND EXISTS (
                SELECT 1 FROM bests AS better
                WHERE better.userid = :old
                    AND better.game = bests.game AND better.options = bests.options
                    AND (better.rank, better.turns) < (bests.rank, bests.turns)
            )
            """,
            old=userid,
            new=into,
        )
        for table, name in renamed():
            if table.c[name].primary_key:
                self._db.do(_doubled(table, name), old=userid, new=into)
        self.rename(userid, into)
        self._db.do("DELETE FROM blocks WHERE userid = other")

    def forget_address(self, userid: str, address: str) -> None:
        """Forget the address of a closed account, except in waiting letters to it.

        The players' words on the boards of the account get a mask in its place.
        """
        self._db.do(
            "DELETE FROM contents WHERE letter IN"
            " (SELECT id FROM outbox WHERE userid = :userid AND state != 'new')",
            userid=userid,
        )
        self._db.do(
            "UPDATE outbox SET address = '', trouble = '' WHERE userid = :userid AND state != 'new'",
            userid=userid,
        )
        self._db.drop(t.tokens, userid=userid)
        self._forget_counts(address)
        self._mask(_MASKED_OF, address, userid=userid)

    def leave_address(self, userid: str, address: str) -> None:
        """Forget the tokens and the counters of an address that an account has no more."""
        self._db.drop(t.tokens, userid=userid, address=address)
        self._forget_counts(address)

    def mask_address(self, address: str, is_named: Callable[[bytes], bool]) -> list[int]:
        """Mask an address in all kept words, and in waiting letters to others.

        Letters that are messages to be passed on are not changed: return the numbers of those for which
        ``is_named`` is true.
        """
        for masked in _MASKED:
            self._mask(masked, address)
        mails = []
        sought = re.compile(re.escape(address.encode()), re.IGNORECASE)
        for letter, content in self._db.rows(
            "SELECT letter, content FROM contents ORDER BY letter"
        ):
            content = bytes(content)
            if not content.startswith(b"{"):
                mails += [letter] if is_named(content) else []
            elif sought.search(content):
                self._db.change(
                    t.contents, {"letter": letter}, content=sought.sub(_MASK.encode(), content)
                )
        return mails

    def _mask(self, masked: tuple[Any, Any], address: str, **values: str) -> None:
        find, change = masked
        like = re.sub(r"([%_\\])", r"\\\1", address.lower())
        sought = re.compile(re.escape(address), re.IGNORECASE)
        for text, *keys in self._db.rows(find, like=f"%{like}%", **values):
            place = {f"key{at}": key for at, key in enumerate(keys)}
            self._db.do(change, text=sought.sub(_MASK, text), **place)
