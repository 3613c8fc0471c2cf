"""The words of an offer, and the beginning of the game when a player takes it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ... import games
from ...contest.offers import Lobby, Objection, Offer
from ...errors import Refusal
from ...match.happenings import OfferTaken
from ...match.terms import spelled
from ...match.zones import date_of
from ...store import User
from ..letters.post import PlainLetter, account_reply_to, send
from ..work.work import Work
from . import welcome
from .beginning import agreed_on, start

TAKEN = "offer"  # the event of a board that began with an offer: the number of the offer


def accept(work: Work, offer: Offer, taker: User, seat: str = "") -> int:
    """Begin the game of an offer that fits its taker; return its board number.

    seat  the seat that the taker wants; empty for either
    Raises Refusal. The caller has locked the offers.
    """
    owner = work.tx.accounts.user(offer.userid)
    assert owner is not None
    if seat and seat == offer.seat:
        raise Refusal(f"Offer {offer.number} {Objection.SEAT.value}.", "offer-seat")
    game = games.load(offer.game, offer.options)
    welcome.require(work, taker, [owner, taker], game, is_proved=True)
    first = seat or {"X": "O", "O": "X"}.get(offer.seat) or "XO"[work.random(1)[0] & 1]
    seats = (taker.userid, owner.userid) if first == "X" else (owner.userid, taker.userid)
    agreed = agreed_on(work, seats, json.loads(offer.terms))
    begun = replace(offer, begun=offer.begun + 1)
    if begun.left == 0:
        begun = replace(begun, closed=work.now, why="taken")
    work.tx.offers.set(begun)
    because = OfferTaken(taker.userid, owner.userid, offer.number)
    number = start(work, game, seats, taker.userid, because, agreed=agreed, is_proved=True)
    work.tx.boards.add_event(number, work.now, taker.userid, TAKEN, str(offer.number))
    return number


def require_active(user: User) -> None:
    """Raise Refusal if letters do not reach a player: nobody should wait for such a player."""
    if user.state != "active":
        raise Refusal("The address is to be confirmed first.", "suspended")


# -- in letters


def described(offer: Offer) -> str:
    """Return an offer as one line: the game, its options and terms as a challenge spells them."""
    game = games.load(offer.game, offer.options)
    terms = (spelled(*each) for each in json.loads(offer.terms).items())
    return " ".join(filter(None, (offer.game, game.described(), *terms)))


def lines(offers: Iterable[Offer], lobby: Lobby) -> list[dict[str, Any]]:
    """Return the facts of other players' offers for a letter."""
    return [
        {
            "number": offer.number,
            "what": described(offer),
            "by": offer.userid,
            "rating": str(lobby.owners[offer.userid].rating(offer.game)),
            "seat": {"X": "O", "O": "X"}.get(offer.seat, ""),
            "wanted": offer.left or 0,
            "until": date_of(offer.until) if offer.until is not None else "",
        }
        for offer in offers
    ]


def own_line(offer: Offer) -> dict[str, Any]:
    """Return the facts of an offer for a letter to its owner."""
    to = [
        f"with ratings from {offer.low} to {offer.high}" if offer.low is not None else "",
        f"with a rating at most {offer.within} from yours" if offer.within is not None else "",
        "whom you have not played yet" if offer.is_new else "",
    ]
    return {
        "number": offer.number,
        "what": described(offer),
        "seat": offer.seat,
        "to": " and ".join(filter(None, to)),
        "wanted": offer.left or 0,
        "until": date_of(offer.until) if offer.until is not None else "",
    }


def mail(
    work: Work, user: User, template: str, words: Iterable[str], facts: dict[str, Any]
) -> None:
    """Mail a letter about offers that the player can reply to. ``words``: the replies for its buttons."""
    if user.state != "active":
        return
    reply_to = account_reply_to(work, user)
    facts = {"userid": user.userid, "reply_to": reply_to, "buttons": list(words), **facts}
    send(work, PlainLetter.to(user, template, facts, {"Reply-To": reply_to}))
