"""Offers of games, invitations, and the facts by which the rules decide if a player may take an offer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any

from sqlalchemy import and_, delete, func, literal_column, or_, select, update

from ...store import User
from ...store import schema as s
from ...store.people.accounts import ACCOUNTS
from ...store.statements import Subject, by, drop, p, quoted
from . import tables as t
from .rules import Offer

_offers, _invitations = t.offers.c, t.invitations.c
_seats, _boards, _users = s.seats.c, s.boards.c, s.users.c

_MOST = 500  # offers that are looked at
_is_open = _offers.closed.is_(None)
_open = select(t.offers).where(_is_open).order_by(_offers.number)
_OFFER = select(t.offers).where(by(t.offers, "number"))
_OPEN = _open.limit(_MOST)
_OF = _open.where(by(t.offers, "userid"))
_WITHDRAW = (
    update(t.offers).where(_is_open, by(t.offers, "userid")).values(closed=p("at"), why="withdrawn")
)
_WITHDRAW_ONE = _WITHDRAW.where(by(t.offers, "number"))
_seen = (
    select(func.max(s.places.c.last))
    .where(s.places.c.userid == _offers.userid, s.places.c.known == 1)
    .scalar_subquery()
)
_alone = and_(_offers.is_match == 1, _offers.asked.is_(None), _offers.made <= p("alone"))
_silent = and_(_offers.until.is_(None), func.coalesce(_seen, _offers.made) <= p("silent"))
_DUE = _open.where(or_(_offers.until <= p("now"), _silent, _alone)).limit(p("count"))
_COUNTED = select(_offers.why, func.count()).group_by(_offers.why)
_PRUNE = delete(t.offers).where(_offers.closed < p("before"))
_owners = select(_offers.userid).where(_is_open)
_RUNNING = (
    select(_seats.userid, func.count())
    .join(s.boards, _boards.board == _seats.board)
    .where(_boards.to_move != "", _seats.userid.in_(_owners))
    .group_by(_seats.userid)
)
_OWNERS = ACCOUNTS.where(_users.userid.in_(_owners))
_other = s.seats.alias("other")
_MET = (
    select(_other.c.userid, func.max(_boards.since))
    .select_from(s.seats)
    .join(_other, and_(_other.c.board == _seats.board, _other.c.seat != _seats.seat))
    .join(s.boards, _boards.board == _seats.board)
    .where(by(s.seats, "userid"))
    .group_by(_other.c.userid)
)
_went = and_(by(t.invitations, "mark"), _invitations.mailed == 1)
_INVITED = select(_invitations.userid, _invitations.board).where(_went)
_INVITATIONS = select(func.count()).where(
    by(t.invitations, "userid"), _invitations.at > p("after"), _invitations.at <= p("until")
)
_FORGET = (
    drop(t.invitations, "userid").where(_invitations.mailed == literal_column("0")),
    update(t.invitations).where(by(t.invitations, "userid")).values(userid=quoted("")),
)
_SET_BEGUN = update(t.invitations).where(_went).values(board=p("board"))


class Offers(Subject):
    """Offers of games."""

    def lock(self, now: float) -> None:
        """Let no other process look at offers until this transaction ends.

        Otherwise two players who wait for an opponent might both find nobody, or both take the same offer.
        """
        self._db.keep(s.facts, name="offers", value=str(now))

    def add(self, offer: Offer) -> Offer:
        """Keep a new offer; return it with its number."""
        values = _row(offer)
        del values["number"]
        return replace(offer, number=self._db.numbered(t.offers, **values))

    def get(self, number: int) -> Offer | None:
        """Return the offer of that number, open or not; None if there is none."""
        return self._db.one(_offer, _OFFER, number=number)

    def open(self) -> list[Offer]:
        """Return the offers that are open, the oldest first; some may have ended by now."""
        return self._db.all(_offer, _OPEN)

    def of(self, userid: str) -> list[Offer]:
        """Return the open offers of a player, the oldest first."""
        return self._db.all(_offer, _OF, userid=userid)

    def set(self, offer: Offer) -> None:
        """Keep the new state of an offer."""
        row = _row(offer)
        changes = {name: row[name] for name in ("begun", "asked", "closed", "why")}
        self._db.change(t.offers, {"number": offer.number}, **changes)

    def withdraw(self, userid: str, numbers: Sequence[int], at: float) -> None:
        """Withdraw these offers of a player."""
        rows = [{"userid": userid, "number": number, "at": at} for number in numbers]
        self._db.run_each(_WITHDRAW_ONE, rows)

    def withdraw_all(self, userid: str, at: float) -> None:
        """Withdraw all offers of a player."""
        self._db.do(_WITHDRAW, userid=userid, at=at)

    def due(self, now: float, alone: float, silent: float, count: int) -> list[Offer]:
        """Return at most ``count`` open offers that need an act.

        These are offers that have ended; offers without an end from players who have not written since
        ``silent``; and wishes to be paired from before ``alone``, until a program is offered.
        """
        return self._db.all(_offer, _DUE, now=now, alone=alone, silent=silent, count=count)

    def counted(self) -> dict[str, int]:
        """Count the offers that are ``open``, and the others by their end: taken, withdrawn, ended."""
        return {why or "open": int(count) for why, count in self._db.rows(_COUNTED)}

    def prune(self, before: float) -> None:
        """Forget offers that were closed before a time."""
        self._db.do(_PRUNE, before=before)

    # -- the players who offer games, and those who take them

    def owners(self) -> list[tuple[User, int]]:
        """Return the accounts of the players with open offers, each with the number of running games."""
        running = dict(self._db.rows(_RUNNING))
        return [(User(*row), running.get(row[0], 0)) for row in self._db.rows(_OWNERS)]

    def blocking(self, userid: str) -> frozenset[str]:
        """Return the players who want no challenge by ``userid``."""
        return frozenset(self._db.values(s.blocks.c.userid, other=userid))

    def met(self, userid: str) -> dict[str, float]:
        """Return all opponents of a player, each with the time of their last game."""
        return {other: float(at) for other, at in self._db.rows(_MET, userid=userid)}


_FLAGS = ("is_new", "is_match")


def _row(offer: Offer) -> dict[str, Any]:
    values = asdict(offer)
    return values | {name: int(values[name]) for name in _FLAGS}


def _offer(*row: Any) -> Offer:
    values = dict(zip(t.offers.c.keys(), row, strict=True))
    return Offer(**values | {name: bool(values[name]) for name in _FLAGS})


class Invitations(Subject):
    """The strangers whom players have invited."""

    def is_invited(self, mark: str) -> bool:
        """Return True if that reader has got an invitation."""
        return self._db.row(_INVITED, mark=mark) is not None

    def add(self, mark: str, userid: str, at: float, is_mailed: bool) -> None:
        """Keep the invitation of a reader by a player; ``is_mailed``: by a letter."""
        self._db.add_once(
            t.invitations, mark=mark, userid=userid, at=at, mailed=int(is_mailed), board=None
        )

    def count(self, userid: str, now: float, window: float) -> int:
        """Count the people whom a player has invited in the last ``window`` seconds."""
        return self._db.number(_INVITATIONS, userid=userid, after=now - window, until=now + window)

    def inviter(self, mark: str) -> str:
        """Return the player whose invitation to that reader has begun no game yet; empty if there is none."""
        row = self._db.row(_INVITED, mark=mark)
        return str(row[0]) if row and row[1] is None else ""

    def set_begun(self, mark: str, board: int) -> None:
        """Keep the board of the game that followed an invitation; 0 if none could begin."""
        self._db.do(_SET_BEGUN, mark=mark, board=board)

    def forget(self, userid: str) -> None:
        """Forget whom a player has invited; the hash of a mailed invitation stays: one letter goes there."""
        for statement in _FORGET:
            self._db.do(statement, userid=userid)
