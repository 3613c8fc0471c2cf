"""Offers of games, invitations, and the facts by which the rules decide if a player may take an offer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from typing import Any, NamedTuple

from ..machine.times import Epoch, Seconds
from ..store import User
from ..store import schema as s
from ..store.people.accounts import ACCOUNTS
from ..store.statements import Repository
from .offers import Offer

_MOST = 500  # offers that are looked at
_NAMES = tuple(field.name for field in fields(Offer))
_OFFERS = f"SELECT {', '.join(_NAMES)} FROM offers"  # as ``_offer`` takes it


class Offers(Repository):
    """Offers of games."""

    def lock(self, now: Epoch) -> None:
        """Let no other process look at offers until this transaction ends.

        Otherwise two players who wait for an opponent might both find nobody, or both take the same offer.
        """
        self._db.keep(s.facts, name="offers", value=str(now))

    def add(self, offer: Offer) -> Offer:
        """Keep a new offer; return it with its number."""
        values = _row(offer)
        del values["number"]
        return replace(offer, number=self._db.numbered(s.offers, **values))

    def get(self, number: int) -> Offer | None:
        """Return the offer of that number, open or not; None if there is none."""
        return self._db.one(_offer, f"{_OFFERS} WHERE number = :number", number=number)

    def newest(self) -> int:
        """Return the number of the newest offer that is kept; 0 if none is."""
        return self._db.number("SELECT max(number) FROM offers")

    def open(self) -> list[Offer]:
        """Return the offers that are open, the oldest first; some may have ended by now."""
        return self._db.all(_offer, f"{_OFFERS} WHERE closed IS NULL ORDER BY number LIMIT {_MOST}")

    def of(self, userid: str) -> list[Offer]:
        """Return the open offers of a player, the oldest first."""
        return self._db.all(
            _offer,
            f"{_OFFERS} WHERE closed IS NULL AND userid = :userid ORDER BY number",
            userid=userid,
        )

    def set(self, offer: Offer) -> None:
        """Keep the new state of an offer."""
        row = _row(offer)
        changes = {name: row[name] for name in ("begun", "asked", "closed", "why")}
        self._db.change(s.offers, {"number": offer.number}, **changes)

    def withdraw(self, userid: str, numbers: Sequence[int], at: Epoch) -> None:
        """Withdraw these offers of a player."""
        self._db.run_each(
            "UPDATE offers SET closed = :at, why = 'withdrawn'"
            " WHERE closed IS NULL AND userid = :userid AND number = :number",
            [{"userid": userid, "number": number, "at": at} for number in numbers],
        )

    def withdraw_all(self, userid: str, at: Epoch) -> None:
        """Withdraw all offers of a player."""
        self._db.do(
            "UPDATE offers SET closed = :at, why = 'withdrawn'"
            " WHERE closed IS NULL AND userid = :userid",
            userid=userid,
            at=at,
        )

    def due(self, now: Epoch, alone: float, silent: float, count: int) -> list[Offer]:
        """Return at most ``count`` open offers that need an act.

        These are offers that have ended; offers without an end from players who have not written since
        ``silent``; and wishes to be paired from before ``alone``, until a program is offered.
        """
        return self._db.all(
            _offer,
            f"""
            {_OFFERS}
            WHERE closed IS NULL AND (
                until <= :now
                OR is_match = 1 AND asked IS NULL AND made <= :alone
                OR until IS NULL AND coalesce(
                    (SELECT max(last) FROM places WHERE places.userid = offers.userid AND known = 1),
                    made
                ) <= :silent
            )
            ORDER BY number LIMIT :count
            """,
            now=now,
            alone=alone,
            silent=silent,
            count=count,
        )

    def counted(self) -> dict[str, int]:
        """Count the offers that are ``open``, and the others by their end: taken, withdrawn, ended."""
        rows = self._db.rows("SELECT why, count(*) FROM offers GROUP BY why")
        return {why or "open": int(count) for why, count in rows}

    def prune(self, before: float) -> None:
        """Forget offers that were closed before a time."""
        self._db.do("DELETE FROM offers WHERE closed < :before", before=before)

    # -- the players who offer games, and those who take them

    def owners(self) -> list[tuple[User, int]]:
        """Return the accounts of the players with open offers, each with the number of running games."""
        owners = "(SELECT userid FROM offers WHERE closed IS NULL)"
        running = dict(
            self._db.rows(
                f"""
                SELECT userid, count(*) FROM seats JOIN boards ON boards.board = seats.board
                WHERE to_move != '' AND userid IN {owners}
                GROUP BY userid
                """
            )
        )
        users = self._db.all(User, f"{ACCOUNTS} WHERE userid IN {owners} ORDER BY userid")
        return [(user, running.get(user.userid, 0)) for user in users]

    def blocking(self, userid: str) -> frozenset[str]:
        """Return the players who want no challenge by ``userid``."""
        return frozenset(self._db.values(s.blocks.c.userid, other=userid))

    def met(self, userid: str) -> dict[str, float]:
        """Return all opponents of a player, each with the time of their last game."""
        rows = self._db.rows(
            """
            SELECT other.userid, max(since)
            FROM seats
                JOIN seats AS other ON other.board = seats.board AND other.seat != seats.seat
                JOIN boards ON boards.board = seats.board
            WHERE seats.userid = :userid
            GROUP BY other.userid
            """,
            userid=userid,
        )
        return {other: float(at) for other, at in rows}


_FLAGS = ("is_new", "is_match")


def _row(offer: Offer) -> dict[str, Any]:
    values = asdict(offer)
    return values | {name: int(values[name]) for name in _FLAGS}


def _offer(*row: Any) -> Offer:
    values = dict(zip(_NAMES, row, strict=True))
    return Offer(**values | {name: bool(values[name]) for name in _FLAGS})


class Invitation(NamedTuple):
    """A letter that a player has sent to a reader without an account.

    userid  empty if the player was erased
    board   the board of the game that followed; 0 if none can follow, None if one may
    """

    userid: str
    at: Epoch
    board: int | None


class Invitations(Repository):
    """The strangers whom players have invited."""

    def get(self, mark: str) -> Invitation | None:
        """Return the letter that a reader has got; None if none went there."""
        return self._db.one(
            Invitation,
            "SELECT userid, at, board FROM invitations WHERE mark = :mark AND mailed = 1",
            mark=mark,
        )

    def add(self, mark: str, userid: str, at: Epoch, is_mailed: bool) -> None:
        """Keep the invitation of a reader by a player; ``is_mailed``: by a letter."""
        self._db.add_once(
            s.invitations, mark=mark, userid=userid, at=at, mailed=int(is_mailed), board=None
        )

    def count(self, userid: str, now: Epoch, window: Seconds) -> int:
        """Count the people whom a player has invited in the last ``window`` seconds."""
        return self._db.number(
            "SELECT count(*) FROM invitations WHERE userid = :userid AND at > :after AND at <= :until",
            userid=userid,
            after=now - window,
            until=now + window,
        )

    def counted(self, now: Epoch, window: Seconds) -> dict[str, int]:
        """Return how many people each player has invited in the last ``window`` seconds, and who is stopped.

        Of a player who is stopped and has invited nobody since, it is 0.
        """
        counted = self._db.rows(
            "SELECT userid, count(*) FROM invitations"
            " WHERE userid != '' AND at > :after AND at <= :until GROUP BY userid",
            after=now - window,
            until=now + window,
        )
        stopped = self._db.column("SELECT userid FROM stopped_invitations")
        return dict.fromkeys(stopped, 0) | dict(map(tuple, counted))

    def stop(self, userid: str) -> None:
        """Let a player invite nobody."""
        self._db.add_once(s.stopped_invitations, userid=userid)

    def allow(self, userid: str) -> bool:
        """Let a player invite people again; return False if the player was not stopped."""
        stopped = "DELETE FROM stopped_invitations WHERE userid = :userid"
        return self._db.changed(stopped, userid=userid) > 0

    def is_stopped(self, userid: str) -> bool:
        """Return True if a player may invite nobody."""
        return bool(self._db.count(s.stopped_invitations, userid=userid))

    def inviter(self, mark: str) -> str:
        """Return the player whose invitation to that reader has begun no game yet; empty if there is none."""
        found = self.get(mark)
        return found.userid if found and found.board is None else ""

    def set_begun(self, mark: str, board: int) -> None:
        """Keep the board of the game that followed an invitation; 0 if none can follow."""
        self._db.do(
            "UPDATE invitations SET board = :board WHERE mark = :mark AND mailed = 1",
            mark=mark,
            board=board,
        )

    def forget(self, userid: str) -> None:
        """Forget whom a player has invited; the hash of a mailed invitation stays: one letter goes there."""
        self._db.drop(s.invitations, userid=userid, mailed=0)
        self._db.do("UPDATE invitations SET userid = '' WHERE userid = :userid", userid=userid)
