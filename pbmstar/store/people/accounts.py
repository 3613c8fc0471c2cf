"""Accounts: users, their addresses and wishes, one-time tokens, wrong passwords."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from ...machine.times import DAY, Epoch, Seconds
from .. import schema as t
from ..statements import Repository, columns, keep


class User(NamedTuple):
    """An account; see schema.users. ``others``: the number of its addresses besides the first."""

    userid: str
    address: str
    password: str
    state: str
    made: Epoch
    reminders: int = 1
    most: int | None = None
    refuses: str = ""
    bounces: float = 0.0
    news: int = 1
    html: int = 1
    pictures: int = 1
    listed: int = 1
    letters: str = "each"
    digest_at: int = 420
    zone: str = "UTC"
    language: str = "en"
    drawing: str = "ascii"
    digest_due: float | None = None
    auto_leave: int = 1
    away: float | None = None
    lobby: int = 0
    absent: float | None = None
    public: int = 0
    receipts: int = 0
    correction: str = ""
    others: int = 0

    @property
    def is_program(self) -> bool:
        """Return True if no person plays: a feature makes the moves."""
        return self.state == "bot"


class OtherAddress(NamedTuple):
    """An address of an account besides its first; see schema.addresses."""

    address: str
    userid: str
    kind: str
    made: Epoch
    bounces: float = 0.0


class Token(NamedTuple):
    """A one-time token, by its hash, and the act that it confirms."""

    hash: str
    kind: str
    userid: str
    address: str
    password: str
    made: Epoch
    asker: str = ""
    reader: str = ""


class Place(NamedTuple):
    """A place that messages of an account come from; see schema.places."""

    known: int = 0
    wrong: int = 0
    last: Epoch = 0.0
    until: Epoch = 0.0


_COLUMNS = User._fields[:-1]  # without ``others``
ACCOUNTS = f"""
    SELECT {", ".join(_COLUMNS)},
        (SELECT count(*) FROM addresses WHERE addresses.userid = users.userid) AS others
    FROM users
"""  # as a User
_STAYS = ("bounces", "public", "receipts", "others")
_NO_WISHES = {  # of a new account
    name: value for name, value in User._field_defaults.items() if name not in _STAYS
}
_WISHES = (
    "reminders", "most", "refuses", "html", "pictures", "listed", "letters", "digest_at", "zone",
    "language", "drawing", "digest_due", "news", "auto_leave", "lobby", "public",
)  # fmt: skip


def _columns(user: User) -> dict[str, Any]:
    """Return the columns of an account."""
    return {name: getattr(user, name) for name in _COLUMNS}


class Accounts(Repository):
    """Users (people and programs), and the tokens, places and passwords that prove or lock an account."""

    def user(self, userid: str) -> User | None:
        """Return the account of that userid, even if it is closed; None if there is none."""
        user: User | None = self._db.cached.get(("user", userid))
        if user is None and (
            row := self._db.row(f"{ACCOUNTS} WHERE userid = :userid", userid=userid)
        ):
            user = self._db.cached["user", userid] = User(*row)
        return user

    def _change(self, userid: str, **values: Any) -> None:
        self._db.forget("user")
        self._db.change(t.users, {"userid": userid}, **values)

    def users_at(self, address: str) -> list[User]:
        """Return the accounts of a mail address. Several may have it as their first address."""
        known: tuple[User, ...] | None = self._db.cached.get(("user", "at", address))
        if known is None:
            found = self._db.all(
                User,
                f"""
                {ACCOUNTS}
                WHERE address = :address
                    OR userid = (SELECT userid FROM addresses WHERE address = :address)
                ORDER BY userid
                """,
                address=address,
            )
            known = self._db.cached["user", "at", address] = tuple(found)
        return list(known)

    def users(self) -> list[User]:
        """Return all accounts of people."""
        return self._db.all(User, f"{ACCOUNTS} WHERE state != 'bot' ORDER BY userid")

    def states(self) -> dict[str, int]:
        """Count the accounts of people by state."""
        rows = self._db.rows(
            "SELECT state, count(*) FROM users WHERE state != 'bot' GROUP BY state"
        )
        return dict(rows)

    def add(self, user: User) -> None:
        """Open an account."""
        self._db.forget("user")
        self._db.add(t.users, **_columns(user))

    def reopen(self, user: User) -> None:
        """Open a closed account as it was once."""
        self._change(**_columns(user))

    def set_password(self, userid: str, password: str) -> None:
        """Keep another password hash."""
        self._change(userid, password=password)

    def set_address(self, userid: str, address: str) -> None:
        """Move an account to another, confirmed address; it is active again."""
        self._change(userid, address=address, state="active", bounces=0.0)

    def close(self, userid: str) -> None:
        """Close an account for good: address, password and wishes are forgotten, the userid stays taken."""
        gone = {"state": "closed", "address": "", "password": "", "bounces": 0.0}
        self._change(userid, **gone, **_NO_WISHES)
        self._db.drop(t.addresses, userid=userid)

    # -- addresses besides the first

    def lock_addresses(self, now: Epoch) -> None:
        """Let no other process give an account an address until this transaction ends.

        Otherwise one address might become the first one of one account and a further one of another.
        """
        self._db.keep(t.facts, name="addresses", value=str(now))
        self._db.forget("user")  # read before the lock was ours

    def others(self, user: User) -> list[OtherAddress]:
        """Return the addresses of an account besides its first. Those that get letters come first."""
        if not user.others:
            return []
        key = ("user", "others", user.userid)
        if key not in self._db.cached:
            # The first row is the address that takes the place of an account's first one.
            found = self._db.all(
                OtherAddress,
                f"SELECT {columns(OtherAddress)} FROM addresses WHERE userid = :userid"
                " ORDER BY kind = 'none', made, address",
                userid=user.userid,
            )
            self._db.cached[key] = tuple(found)
        return list(self._db.cached[key])

    def addresses(self, user: User) -> list[str]:
        """Return all addresses of an account, the first one first. A closed account or a program has none."""
        first = [user.address] if user.address else []
        return first + [each.address for each in self.others(user)]

    def add_address(self, other: OtherAddress) -> bool:
        """Give an account one more address, or change the kind of one that it has.

        Return False if another account has it as a further address.
        """
        self._db.forget("user")
        added = self._db.changed(
            """
            INSERT INTO addresses (address, userid, kind, made, bounces)
            VALUES (:address, :userid, :kind, :made, :bounces)
            ON CONFLICT (address) DO UPDATE SET kind = excluded.kind
                WHERE addresses.userid = excluded.userid
            """,
            **other._asdict(),
        )
        return added > 0

    def drop_address(self, userid: str, address: str) -> None:
        """Take a further address from an account."""
        self._db.forget("user")
        self._db.drop(t.addresses, userid=userid, address=address)

    def set_address_bounces(self, address: str, bounces: float) -> None:
        """Keep the bounce score of a further address."""
        self._db.forget("user")
        self._db.change(t.addresses, {"address": address}, bounces=bounces)

    def other_at(self, user: User, address: str) -> OtherAddress | None:
        """Return the further address of an account that is ``address``; None if there is none."""
        return next((each for each in self.others(user) if each.address == address), None)

    def all_others(self) -> list[OtherAddress]:
        """Return the further addresses of all accounts."""
        return self._db.ordered(OtherAddress, t.addresses, "address")

    # -- the wishes of a player

    def set_wishes(self, user: User) -> None:
        """Keep a player's wishes, on reminders, challenges, letters, lists and news."""
        self._change(user.userid, **{name: getattr(user, name) for name in _WISHES})

    def set_absent(self, userid: str, at: Epoch | None) -> None:
        """Keep the time when a program answered that a player is away; None once the player has written."""
        self._change(userid, absent=at)

    def set_receipts(self, userid: str, receipts: int) -> None:
        """Keep the number of receipts of a player's moves that have said how to get none."""
        self._change(userid, receipts=receipts)

    def endings(self, userid: str) -> dict[str, Any]:
        """Return the boards of an account's last words to opponents, and the hashes of their last lines."""
        waits = self._db.waiting(t.endings, userid, keep)
        asked = "SELECT lines FROM endings WHERE userid = :userid"
        found = [(waits["lines"],)] if waits else self._db.stored(t.endings, asked, userid=userid)
        return dict(json.loads(found[0][0])) if found else {}

    def set_endings(self, userid: str, endings: dict[str, Any]) -> None:
        """Keep these boards and hashes."""
        row = {"userid": userid, "lines": json.dumps(endings)}
        self._db.later(t.endings, userid, row, keep)

    def set_correction(self, userid: str, correction: str) -> None:
        """Keep what was corrected for a player until a letter tells it; empty after that."""
        self._change(userid, correction=correction)

    def set_bounces(self, userid: str, bounces: float, state: str) -> None:
        """Keep the bounce score of an account's address, and the account's state."""
        self._change(userid, bounces=bounces, state=state)

    def token(self, hashed: str) -> Token | None:
        """Return the token of that hash; None if there is none."""
        return self._db.find(Token, t.tokens, hash=hashed)

    def add_token(self, token: Token) -> None:
        """Keep a token."""
        self._db.add(t.tokens, **token._asdict())

    def drop_tokens(self, userid: str, kind: str) -> None:
        """Forget the tokens of that kind for a userid."""
        self._db.drop(t.tokens, userid=userid, kind=kind)

    def drop_token(self, hashed: str) -> None:
        """Forget the token of that hash."""
        self._db.drop(t.tokens, hash=hashed)

    def drop_moves(self, user: User) -> None:
        """Forget the tokens that would give an account an address other than its first."""
        self._db.do(
            "DELETE FROM tokens WHERE userid = :userid AND address != :address"
            " AND kind NOT IN ('signup', 'password', 'taken')",
            userid=user.userid,
            address=user.address,
        )

    def count_tokens(self, reader: str, now: Epoch, window: Seconds, asker: str = "") -> int:
        """Count the tokens that were mailed to a reader, by any address, in the last ``window`` seconds.

        Tokens with a time beyond ``now`` + ``window`` do not count: a wrong clock has set it.
        """
        return self._db.number(
            "SELECT count(*) FROM tokens"
            " WHERE reader = :reader AND asker = :asker AND made > :after AND made <= :until",
            reader=reader,
            asker=asker,
            after=now - window,
            until=now + window,
        )

    def place(self, userid: str, place: str) -> Place:
        """Return the facts of a place that messages for that userid come from."""
        known: Place | None = self._db.cached.get(("place", userid, place))
        if known is None:
            known = self._db.find(Place, t.places, userid=userid, place=place) or Place()
            self._db.cached["place", userid, place] = known
        return known

    def origins(self) -> dict[str, frozenset[str]]:
        """Return the places that the messages of each account come from, by userid."""
        places: dict[str, set[str]] = {}
        for userid, place in self._db.rows("SELECT userid, place FROM places"):
            places.setdefault(userid, set()).add(place)
        return {userid: frozenset(each) for userid, each in places.items()}

    def seen(self) -> dict[str, float]:
        """Return by userid the last time at which an account has proved to write, or made a move.

        What proved it otherwise than by a move is known for 180 days, to a day.
        """
        seen: dict[str, float] = {}
        for statement in (
            "SELECT userid, max(at) FROM handled WHERE proved = 1 GROUP BY userid",
            "SELECT userid, max(last) FROM places WHERE known = 1 GROUP BY userid",
            "SELECT userid, max(at) FROM moves WHERE move != 'forfeit' AND by_plan = 0 GROUP BY userid",
        ):
            for userid, at in self._db.rows(statement):
                seen[userid] = max(at, seen.get(userid, 0.0))
        return seen

    def set_place(self, userid: str, place: str, facts: Place) -> None:
        """Keep the facts of a place."""
        self._db.forget("place", userid, place)
        self._db.keep(t.places, userid=userid, place=place, **facts._asdict())

    def locked_until(self, userid: str, now: Epoch) -> Epoch | None:
        """Return the time when the last lock of a place for that account ends; None if no place is locked."""
        (until,) = self._db.row(
            "SELECT max(until) FROM places WHERE userid = :userid", userid=userid
        )
        return until if until is not None and until > now else None

    def unlock(self, userid: str) -> None:
        """Forget the wrong passwords of an account, from all places."""
        self._db.forget("place")
        self._db.change(t.places, {"userid": userid}, wrong=0, until=0.0)

    def block(self, userid: str, other: str) -> None:
        """Let ``other`` challenge ``userid`` no more."""
        self._db.add_once(t.blocks, userid=userid, other=other)

    def unblock(self, userid: str, other: str) -> None:
        """Let ``other`` challenge ``userid`` again."""
        self._db.drop(t.blocks, userid=userid, other=other)

    def is_blocked(self, userid: str, other: str) -> bool:
        """Return True if ``userid`` wants no challenge by ``other``."""
        return self._db.value(t.blocks.c.other, userid=userid, other=other) is not None

    def blocked_by(self, userid: str) -> frozenset[str]:
        """Return the players whose challenges ``userid`` does not want."""
        return frozenset(self._db.values(t.blocks.c.other, userid=userid))

    def programs(self) -> list[User]:
        """Return the accounts of players that are programs."""
        return self._db.all(User, f"{ACCOUNTS} WHERE state = 'bot' ORDER BY userid")

    def add_program(self, userid: str) -> None:
        """Make the account of a player that is a program."""
        program = User(userid, "", "", "bot", 0.0)
        self.add(program._replace(reminders=0, news=0, html=0, pictures=0, listed=0, public=1))

    def listed(self, count: int) -> list[tuple[str, str, int, float]]:
        """Return at most ``count`` players who may be named to others, the one who wrote last first.

        Each is the userid, the refused games, the number of running games, and the time of the last mail,
        to a day; 0 for a player who has not written for 180 days, or never.
        """
        rows = self._db.rows(
            """
            SELECT userid, refuses,
                (
                    SELECT count(*) FROM seats JOIN boards ON boards.board = seats.board
                    WHERE seats.userid = users.userid AND to_move != ''
                ),
                coalesce(
                    (SELECT max(last) FROM places WHERE places.userid = users.userid AND known = 1), 0
                ) AS seen
            FROM users
            WHERE listed = 1 AND state = 'active'
            ORDER BY seen DESC, userid LIMIT :count
            """,
            count=count,
        )
        return [(*row,) for row in rows]

    def prune(self, now: Epoch) -> None:
        """Forget tokens after 30 days, wrong passwords after 7, and an account's own places after 180."""
        self._db.forget("place")
        self._db.do("DELETE FROM tokens WHERE made < :before", before=now - 30 * DAY)
        for known, days in ((0, 7), (1, 180)):
            self._db.do(
                "DELETE FROM places WHERE last < :before AND known = :known",
                before=now - days * DAY,
                known=known,
            )
        self._db.do("DELETE FROM suppressed WHERE until <= :now", now=now)
