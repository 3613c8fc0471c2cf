"""Accounts: keys, users, one-time tokens, wrong passwords."""

from __future__ import annotations

from typing import Any

from sqlalchemy import delete, func, insert, null, select, update

from . import tables as t
from .rows import Place, Token, User
from .statements import Connection, every, p, upsert

DAY = 86400.0
_users, _tokens, _places = t.users.c, t.tokens.c, t.places.c

_KEYS = select(t.keys.c.id, t.keys.c.key).order_by(t.keys.c.id.desc())
_ADD_KEY = insert(t.keys).values(key=p("key"), made=p("made"))
_DROP_KEYS = delete(t.keys).where(t.keys.c.id < p("newest"))
_USER = select(t.users).where(_users.userid == p("userid"))
_USER_AT = select(t.users).where(_users.address == p("address")).order_by(_users.userid)
_person = _users.state != "bot"
_USERS = select(t.users).where(_person).order_by(_users.userid)
_USER_STATES = select(_users.state, func.count()).where(_person).group_by(_users.state)
_ADD_USER = insert(t.users).values(**every(t.users))
_SET_PASSWORD = update(t.users).where(_users.userid == p("who")).values(password=p("password"))
_SET_ADDRESS = (
    update(t.users)
    .where(_users.userid == p("who"))
    .values(address=p("address"), state="active", bounces=0.0)
)
_CLOSE = (
    update(t.users)
    .where(_users.userid == p("who"))
    .values(state="closed", address="", password="", digest_due=null())
)
_TOKEN = select(t.tokens).where(_tokens.hash == p("hash"))
_ADD_TOKEN = insert(t.tokens).values(**every(t.tokens))
_DROP_TOKENS = delete(t.tokens).where(_tokens.userid == p("userid"), _tokens.kind == p("kind"))
_COUNT_TOKENS = select(func.count()).where(
    _tokens.address == p("address"),
    _tokens.asker == p("asker"),
    _tokens.made > p("after"),
    _tokens.made <= p("until"),
)
_PRUNE_TOKENS = delete(t.tokens).where(_tokens.made < p("before"))
_PLACE = select(*(_places[name] for name in Place._fields)).where(
    _places.userid == p("userid"), _places.place == p("place")
)
_new_place = upsert(t.places).values(**every(t.places))
_SET_PLACE = _new_place.on_conflict_do_update(
    index_elements=["userid", "place"],
    set_={name: _new_place.excluded[name] for name in Place._fields},
)
_LOCKED = select(func.max(_places.until)).where(_places.userid == p("userid"))
_UNLOCK = update(t.places).where(_places.userid == p("who")).values(wrong=0, until=0.0)
_PRUNE_PLACES = delete(t.places).where(_places.last < p("before"), _places.known == p("known"))

_WISHES = (
    "reminders", "most", "refuses", "html", "pictures", "listed", "letters", "digest_at", "zone",
    "drawing", "digest_due", "news", "auto_leave",
)  # fmt: skip
_SET_WISHES = (
    update(t.users).where(_users.userid == p("who")).values(**{name: p(name) for name in _WISHES})
)
_BLOCK = (
    upsert(t.blocks)
    .values(**every(t.blocks))
    .on_conflict_do_nothing(index_elements=["userid", "other"])
)
_both = (t.blocks.c.userid == p("userid"), t.blocks.c.other == p("other"))
_UNBLOCK = delete(t.blocks).where(*_both)
_BLOCKED = select(t.blocks.c.other).where(*_both)
_SET_ABSENT = update(t.users).where(_users.userid == p("who")).values(absent=p("at"))
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
        self._do(_ADD_KEY, key=key, made=at)

    def drop_keys(self, newest: int) -> None:
        """Forget all keys older than that one: what they signed is void."""
        self._do(_DROP_KEYS, newest=newest)

    def user(self, userid: str) -> User | None:
        """The account called ``userid``, closed ones too."""
        user: User | None = self._cached.get(("user", userid))
        if user is None and (row := self._row(_USER, userid=userid)):
            user = self._cached["user", userid] = User(*row)
        return user

    def _change_user(self, statement: Any, userid: str, **values: Any) -> None:
        self._forget("user", userid)
        self._do(statement, who=userid, **values)

    def users_at(self, address: str) -> list[User]:
        """The accounts of a mail address."""
        return [User(*row) for row in self._run(_USER_AT, address=address)]

    def users(self) -> list[User]:
        """All accounts of people."""
        return [User(*row) for row in self._run(_USERS)]

    def user_states(self) -> dict[str, int]:
        """How many accounts of people there are in each state."""
        return {str(state): int(count) for state, count in self._run(_USER_STATES)}

    def add_user(self, user: User) -> None:
        """Open an account."""
        self._do(_ADD_USER, **user._asdict())

    def set_password(self, userid: str, password: str) -> None:
        """Keep another password hash."""
        self._change_user(_SET_PASSWORD, userid, password=password)

    def set_address(self, userid: str, address: str) -> None:
        """Move an account to another, confirmed address; it is active again."""
        self._change_user(_SET_ADDRESS, userid, address=address)

    def close_user(self, userid: str) -> None:
        """Close an account for good: address and password are forgotten, the userid stays taken."""
        self._change_user(_CLOSE, userid)

    def token(self, hashed: str) -> Token | None:
        """What the token of that hash confirms."""
        row = self._row(_TOKEN, hash=hashed)
        return Token(*row) if row else None

    def add_token(self, token: Token) -> None:
        """Keep a token."""
        self._do(_ADD_TOKEN, **token._asdict())

    def drop_tokens(self, userid: str, kind: str) -> None:
        """Forget the tokens of that kind."""
        self._do(_DROP_TOKENS, userid=userid, kind=kind)

    def count_tokens(self, address: str, now: float, window: float, asker: str = "") -> int:
        """How many tokens were mailed to ``address`` in the last ``window`` seconds.

        Those with a time beyond ``now`` + ``window``, of a clock that was wrong, do not count.
        """
        after, until = now - window, now + window
        row = self._row(_COUNT_TOKENS, address=address, asker=asker, after=after, until=until)
        return int(row[0])

    def place(self, userid: str, place: str) -> Place:
        """What is known of a place that mails for that userid come from."""
        row = self._row(_PLACE, userid=userid, place=place)
        return Place(*row) if row else Place()

    def set_place(self, userid: str, place: str, facts: Place) -> None:
        """Keep that."""
        self._do(_SET_PLACE, userid=userid, place=place, **facts._asdict())

    def locked_until(self, userid: str, now: float) -> float | None:
        """Until when wrong passwords lock a place out from that account; None if none is locked out."""
        until = self._row(_LOCKED, userid=userid)[0]
        return until if until is not None and until > now else None

    def unlock(self, userid: str) -> None:
        """Forget the wrong passwords of an account, wherever they came from."""
        self._do(_UNLOCK, who=userid)

    # -- what a player wishes

    def set_wishes(self, user: User) -> None:
        """Keep what a player wishes: reminders, challenges, the parts of letters, to be listed, news."""
        self._change_user(
            _SET_WISHES, user.userid, **{name: getattr(user, name) for name in _WISHES}
        )

    def block(self, userid: str, other: str) -> None:
        """No more challenges to ``userid`` by ``other``."""
        self._do(_BLOCK, userid=userid, other=other)

    def unblock(self, userid: str, other: str) -> None:
        """Challenges by ``other`` are welcome again."""
        self._do(_UNBLOCK, userid=userid, other=other)

    def is_blocked(self, userid: str, other: str) -> bool:
        """Whether ``userid`` wants no challenge by ``other``."""
        return self._row(_BLOCKED, userid=userid, other=other) is not None

    def set_absent(self, userid: str, at: float | None) -> None:
        """Keep when a program answered that a player is away; None once the player has written."""
        self._change_user(_SET_ABSENT, userid, at=at)

    def set_bounces(self, userid: str, bounces: float, state: str) -> None:
        """Keep the bounce score of an account's address, and whether letters still go there."""
        self._change_user(_SET_BOUNCES, userid, bounces=bounces, state=state)

    # -- addresses that are no account's

    def suppress(self, mark: str, at: float) -> None:
        """No letters any more to the address of that mark, see identity.address_mark."""
        self._do(_SUPPRESS, mark=mark, at=at)

    def is_suppressed(self, mark: str) -> bool:
        """Whether that address wants no letters."""
        return self._row(_SUPPRESSED, mark=mark) is not None

    def lift(self, mark: str) -> bool:
        """Letters may go there again. False if they might all the time."""
        return bool(self._changed(_LIFT, mark=mark))

    def prune_accounts(self, now: float) -> None:
        """Forget tokens after 30 days, wrong passwords after 7, an account's own places after 180."""
        self._do(_PRUNE_TOKENS, before=now - 30 * DAY)
        self._do(_PRUNE_PLACES, before=now - 7 * DAY, known=0)
        self._do(_PRUNE_PLACES, before=now - 180 * DAY, known=1)
