"""Accounts: keys, users, one-time tokens, wrong passwords."""

from __future__ import annotations

from sqlalchemy import delete, func, insert, select, update

from . import tables as t
from .rows import Token, User
from .statements import Connection, every, p, upsert

_users, _tokens, _failures = t.users.c, t.tokens.c, t.failures.c

_KEYS = select(t.keys.c.id, t.keys.c.key).order_by(t.keys.c.id.desc())
_ADD_KEY = insert(t.keys).values(key=p("key"), made=p("made"))
_DROP_KEYS = delete(t.keys).where(t.keys.c.id < p("newest"))
_USER = select(t.users).where(_users.userid == p("userid"))
_USER_AT = select(t.users).where(_users.address == p("address")).order_by(_users.userid)
_USERS = select(t.users).order_by(_users.userid)
_USER_STATES = select(_users.state, func.count()).group_by(_users.state)
_ADD_USER = insert(t.users).values(**every(t.users))
_SET_PASSWORD = update(t.users).where(_users.userid == p("who")).values(password=p("password"))
_SET_ADDRESS = (
    update(t.users)
    .where(_users.userid == p("who"))
    .values(address=p("address"), state="active", bounces=0.0)
)
_SET_STATE = update(t.users).where(_users.userid == p("who")).values(state=p("state"))
_CLOSE = (
    update(t.users).where(_users.userid == p("who")).values(state="closed", address="", password="")
)
_TOKEN = select(t.tokens).where(_tokens.hash == p("hash"))
_ADD_TOKEN = insert(t.tokens).values(**every(t.tokens))
_DROP_TOKENS = delete(t.tokens).where(_tokens.userid == p("userid"), _tokens.kind == p("kind"))
_COUNT_TOKENS = select(func.count()).where(
    _tokens.address == p("address"), _tokens.made > p("after")
)
_PRUNE_TOKENS = delete(t.tokens).where(_tokens.made < p("before"))
_FAILURE = select(_failures.count, _failures.last, _failures.until).where(
    _failures.userid == p("userid"), _failures.own == p("own")
)
_new_failure = upsert(t.failures).values(**every(t.failures))
_SET_FAILURE = _new_failure.on_conflict_do_update(
    index_elements=["userid", "own"],
    set_={name: _new_failure.excluded[name] for name in ("count", "last", "until")},
)
_DROP_FAILURE = delete(t.failures).where(_failures.userid == p("userid"), _failures.own == p("own"))
_PRUNE_FAILURES = delete(t.failures).where(
    _failures.last < p("before"), _failures.until < p("before")
)

_SET_WISHES = (
    update(t.users)
    .where(_users.userid == p("who"))
    .values(reminders=p("reminders"), most=p("most"), refuses=p("refuses"))
)
_BLOCK = (
    upsert(t.blocks)
    .values(**every(t.blocks))
    .on_conflict_do_nothing(index_elements=["userid", "other"])
)
_both = (t.blocks.c.userid == p("userid"), t.blocks.c.other == p("other"))
_UNBLOCK = delete(t.blocks).where(*_both)
_BLOCKED = select(t.blocks.c.other).where(*_both)
_SET_BOUNCES = (
    update(t.users).where(_users.userid == p("who")).values(bounces=p("bounces"), state=p("state"))
)

_SUPPRESS = (
    upsert(t.suppressed)
    .values(**every(t.suppressed))
    .on_conflict_do_nothing(index_elements=["mark"])
)
_SUPPRESSED = select(t.suppressed.c.at).where(t.suppressed.c.mark == p("mark"))
_LIFT = delete(t.suppressed).where(t.suppressed.c.mark == p("mark"))


class Accounts(Connection):
    """The part of a transaction that knows accounts: keys, users, one-time tokens, wrong passwords."""

    def keys(self) -> list[tuple[int, bytes]]:
        """The server's keys, newest first."""
        return [(number, bytes(key)) for number, key in self._run(_KEYS)]

    def add_key(self, key: bytes, at: float) -> None:
        """Keep a new key; it signs from now on."""
        self._run(_ADD_KEY, key=key, made=at)

    def drop_keys(self, newest: int) -> None:
        """Forget all keys older than that one: what they signed is void."""
        self._run(_DROP_KEYS, newest=newest)

    def user(self, userid: str) -> User | None:
        """The account called ``userid``, closed ones too."""
        row = self._row(_USER, userid=userid)
        return User(*row) if row else None

    def users_at(self, address: str) -> list[User]:
        """The accounts of a mail address."""
        return [User(*row) for row in self._run(_USER_AT, address=address)]

    def users(self) -> list[User]:
        """All accounts."""
        return [User(*row) for row in self._run(_USERS)]

    def user_states(self) -> dict[str, int]:
        """How many accounts there are in each state."""
        return {str(state): int(count) for state, count in self._run(_USER_STATES)}

    def add_user(self, user: User) -> None:
        """Open an account."""
        self._run(_ADD_USER, **user._asdict())

    def set_password(self, userid: str, password: str) -> None:
        """Keep another password hash."""
        self._run(_SET_PASSWORD, who=userid, password=password)

    def set_address(self, userid: str, address: str) -> None:
        """Move an account to another, confirmed address; it is active again."""
        self._run(_SET_ADDRESS, who=userid, address=address)

    def close_user(self, userid: str) -> None:
        """Close an account for good: address and password are forgotten, the userid stays taken."""
        self._run(_CLOSE, who=userid)

    def token(self, hashed: str) -> Token | None:
        """What the token of that hash confirms."""
        row = self._row(_TOKEN, hash=hashed)
        return Token(*row) if row else None

    def add_token(self, token: Token) -> None:
        """Keep a token."""
        self._run(_ADD_TOKEN, **token._asdict())

    def drop_tokens(self, userid: str, kind: str) -> None:
        """Forget the tokens of that kind."""
        self._run(_DROP_TOKENS, userid=userid, kind=kind)

    def count_tokens(self, address: str, after: float) -> int:
        """How many tokens were mailed to ``address`` since then."""
        return int(self._row(_COUNT_TOKENS, address=address, after=after)[0])

    def failure(self, userid: str, own: bool) -> tuple[int, float, float]:
        """How often, when last, and until when locked: wrong passwords for ``userid``.

        ``own``: in mails that say they come from the account's address, else in all others.
        """
        return self._row(_FAILURE, userid=userid, own=int(own)) or (0, 0.0, 0.0)

    def locked_until(self, userid: str, now: float) -> float | None:
        """Until when wrong passwords lock some mails of that account out; None if none are."""
        until = max(self.failure(userid, own)[2] for own in (True, False))
        return until if until > now else None

    def set_failure(self, userid: str, own: bool, count: int, last: float, until: float) -> None:
        """Keep that."""
        self._run(_SET_FAILURE, userid=userid, own=int(own), count=count, last=last, until=until)

    def drop_failure(self, userid: str, own: bool) -> None:
        """The right password came."""
        self._run(_DROP_FAILURE, userid=userid, own=int(own))

    # -- what a player wishes

    def set_wishes(self, userid: str, reminders: bool, most: int | None, refuses: str) -> None:
        """Keep whether reminders are wanted, the most running games, and the games refused."""
        self._run(_SET_WISHES, who=userid, reminders=int(reminders), most=most, refuses=refuses)

    def block(self, userid: str, other: str) -> None:
        """No more challenges to ``userid`` by ``other``."""
        self._run(_BLOCK, userid=userid, other=other)

    def unblock(self, userid: str, other: str) -> None:
        """Challenges by ``other`` are welcome again."""
        self._run(_UNBLOCK, userid=userid, other=other)

    def is_blocked(self, userid: str, other: str) -> bool:
        """Whether ``userid`` wants no challenge by ``other``."""
        return self._row(_BLOCKED, userid=userid, other=other) is not None

    def set_bounces(self, userid: str, bounces: float, state: str) -> None:
        """Keep the bounce score of an account's address, and whether letters still go there."""
        self._run(_SET_BOUNCES, who=userid, bounces=bounces, state=state)

    # -- addresses that are no account's

    def suppress(self, mark: str, at: float) -> None:
        """No letters any more to the address of that mark, see identity.address_mark."""
        self._run(_SUPPRESS, mark=mark, at=at)

    def is_suppressed(self, mark: str) -> bool:
        """Whether that address wants no letters."""
        return self._row(_SUPPRESSED, mark=mark) is not None

    def lift(self, mark: str) -> bool:
        """Letters may go there again. False if they might all the time."""
        return bool(self._run(_LIFT, mark=mark).rowcount)

    def prune_accounts(self, now: float) -> None:
        """Forget tokens after 30 days, wrong passwords after 7."""
        self._run(_PRUNE_TOKENS, before=now - 30 * 86400)
        self._run(_PRUNE_FAILURES, before=now - 7 * 86400)
