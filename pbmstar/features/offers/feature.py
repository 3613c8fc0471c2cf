"""The answers of offers to the questions of core."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import MappingProxyType

from ...identity import GuestAddress
from ...inbound import Inbound
from ...machine.times import Epoch
from ...match import Match
from ...match.terms import DAY
from ...render.facts import RefusedLine
from ...service.letters.post import PlainLetter
from ...service.proof import strangers
from ...service.work.context import Context, in_steps
from ...service.work.work import Work
from ...store import Store, Tx, User
from ..feature import Feature
from ..values import Gauge, Gauges, Writer
from . import invitations, pairs, verbs
from .facts import OffersPart, WaitsFacts
from .rows import Invitations, Offers

_IN_A_LETTER = 10  # the most offers of games in a daily letter
_NONE = {"open": 0, "taken": 0, "withdrawn": 0, "ended": 0}


class OffersFeature(Feature):
    """Offers of games, and invitations."""

    name = "offers"
    title = "offers of games"
    figures = MappingProxyType(
        {
            "pbmstar_offers": Gauge(
                "Offers of games, by state; those that are closed for as long as letters are kept.",
                labels=("state",),
            ),
        }
    )

    def joined(self, work: Work, user: User) -> None:
        """Begin the game of a newcomer with the player who sent the invitation."""
        invitations.follow(work, user)

    def greeting(
        self, work: Work, address: str, name: str, refusals: Sequence[RefusedLine]
    ) -> PlainLetter | None:
        """Return the letter to a friend who has replied to an invitation, and has no name yet."""
        inviter = work.tx.of(Invitations).inviter(strangers.reader(address))
        if not inviter:
            return None
        return invitations.waiting(work, address, WaitsFacts(inviter, name, refusals=refusals))

    def guess(self, work: Work, address: GuestAddress, mail: Inbound) -> Writer | None:
        """Answer a friend who declines an invitation, or chooses a first move without a name."""
        if address.question != invitations.INVITATION:
            return None
        return invitations.answered(work, address, mail)

    def daily(self, work: Work, user: User, last: Epoch) -> tuple[OffersPart | None, bool]:
        """Return the offers that a player can take, if the player wants to know."""
        if not user.lobby:
            return None, False
        lobby = verbs.enter(work, user)
        fitting = lobby.fitting(work.now)
        is_news = any(offer.made > last for offer in fitting)
        return OffersPart(verbs.lines(fitting[:_IN_A_LETTER], lobby)), is_news

    def stop(self, work: Work, user: User) -> str:
        """Return the command that lists offers no longer."""
        return f"letters lobby {user.userid} password off" if user.lobby else ""

    def leaves(self, work: Work, userid: str) -> None:
        """Withdraw the offers of a player who closes the account."""
        work.tx.of(Offers).withdraw_all(userid, work.now)

    def forget(self, tx: Tx, userid: str) -> None:
        """Forget whom a person has invited."""
        tx.of(Invitations).forget(userid)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """End offers whose time is over, tell those who wait alone, and delete old rows."""
        now = context.clock()
        in_steps(store, lambda tx: pairs.tidy(Work(context, tx, now)))
        with store.transaction() as tx:
            tx.of(Offers).prune(now - context.config.keep_rows * DAY)

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Yield each open offer whose player has no open account, or that has begun too many games."""
        if match:
            return
        for offer in tx.of(Offers).open():
            owner = tx.accounts.user(offer.userid)
            if owner is None or owner.state == "closed":
                yield f"offer {offer.number}: it is open, but {offer.userid} has no account"
            if offer.left is not None and offer.left < 1:
                begun = f"has begun {offer.begun} of {offer.wanted} games"
                yield f"offer {offer.number}: it is open, but {begun}"

    def census(self, tx: Tx) -> Gauges:
        """Count the offers by state."""
        counted = {**_NONE, **tx.of(Offers).counted()}
        return {"pbmstar_offers": {(state,): count for state, count in counted.items()}}


FEATURE = OffersFeature()
