"""Offers of games to all players, and which of them a player may take.

The wishes of a player, which decide if others may begin a game with that player.

Every way to a game is checked here: a challenge, a rematch, a taken offer, two players who are paired.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any, NamedTuple

from .. import games
from ..errors import Refusal, Sentence, say
from ..machine.times import DAY, Epoch
from ..match.terms import NORMAL, TERMS, Terms
from ..ratings.rating import Strength

AT_ONCE = 4  # open offers of one player
STANDING = 60 * DAY  # an offer without an end is closed so long after the last mail of its player
MATCH_DAYS = 14  # days that a wish to be paired stands as an offer
INVITATIONS = 3  # the most that are mailed for a player in a week
ALONE = DAY  # after that a player who waits to be paired is offered a program
RECENT = 30 * DAY  # two who played within this time are paired again only if nobody else is there


class Objection(Enum):
    """A reason why a player may not take an offer."""

    OWN, GONE, RATING, MET, SEAT, UNKNOWN = range(6)

    def said(self, number: int) -> Sentence:
        """Return the sentence of the refusal, with the number of the offer."""
        return _OBJECTIONS[self].given(number=number)


_OBJECTIONS = {
    Objection.OWN: say(
        "Offer {number} is yours, or it comes from someone who shares your email address."
    ),
    Objection.GONE: say("Offer {number} is no longer open."),
    Objection.RATING: say("Your rating is outside the range of offer {number}."),
    Objection.MET: say("Offer {number} is only for players its owner hasn't met yet."),
    Objection.SEAT: say("That side is taken in offer {number}. You can only play the other one."),
    Objection.UNKNOWN: say("There's no offer {number}."),
}


@dataclass(frozen=True)
class Offer:
    """A game that a player offers to everybody whom it fits.

    options    the options of the game
    terms      the terms that the player has chosen, as JSON
    seat       the seat that the player wants, X or O; empty for either
    low, high  the least and the greatest rating of a taker
    within     the most points between the ratings of both, if both are established
    wanted     the number of games that it begins; 0 for any number, until it is withdrawn
    begun      the number of games that it has begun
    is_new     it is only for players whom the player has not met yet
    is_match   the player waits to be paired, and is offered a program after a day
    made       the time when it was made; ``until``: the time when it ends, None if it has no end
    asked      the time when a program was offered
    closed     the time when it ended, None while it is open; ``why``: taken, withdrawn, ended
    """

    number: int
    userid: str
    game: str
    options: str
    terms: str = "{}"
    seat: str = ""
    low: int | None = None
    high: int | None = None
    within: int | None = None
    wanted: int = 1
    begun: int = 0
    is_new: bool = False
    is_match: bool = False
    made: Epoch = 0.0
    until: Epoch | None = None
    asked: Epoch | None = None
    closed: float | None = None
    why: str = ""

    @property
    def left(self) -> int | None:
        """Return the number of games that the offer can still begin; None for any number."""
        return self.wanted - self.begun if self.wanted else None

    def is_open(self, now: Epoch) -> bool:
        """Return True if the offer can still be taken."""
        return self.closed is None and self.left != 0 and (self.until is None or now < self.until)


class Lobby(NamedTuple):
    """The offers of games as one player sees them.

    reader  the player
    open    all open offers, the player's own among them
    owners  the players who made them, by userid
    met     the player's opponents, each with the time when the two last played
    """

    reader: Party
    open: Sequence[Offer]
    owners: Mapping[str, Party]
    met: Mapping[str, float]

    def objection(self, offer: Offer, now: Epoch) -> Objection | None:
        """Return the reason why the player may not take an offer; None if there is none known beforehand."""
        owner, taker = self.owners.get(offer.userid), self.reader
        if owner is None:
            return Objection.GONE
        if owner.userid == taker.userid or not owner.mailboxes.isdisjoint(taker.mailboxes):
            return Objection.OWN
        if not offer.is_open(now) or owner.away:
            return Objection.GONE
        if not owner.takes(taker, offer.game) or owner.userid in taker.blocks:
            return Objection.GONE  # no player is told whom another player blocks
        if not _fits_rating(offer, owner, taker):
            return Objection.RATING
        if offer.is_new and owner.userid in self.met:
            return Objection.MET
        return None

    def fitting(self, now: Epoch, word: str = "") -> list[Offer]:
        """Return the offers that the player may take, of one game or of all games, the oldest first."""
        wanted = (offer for offer in self.open if word in ("", offer.game))
        return [offer for offer in wanted if self.objection(offer, now) is None]

    def by_nearness(self, fitting: Iterable[Offer], now: Epoch) -> list[Offer]:
        """Return offers that the player may take in the order in which they are paired.

        Offers of owners who have not played the player lately come first; among equals the offers of
        owners whose rating is not provisional; then the nearest rating.
        """

        def place(offer: Offer) -> tuple[bool, bool, int, int]:
            own = self.reader.strength(offer.game)
            other = self.owners[offer.userid].strength(offer.game)
            recently = now - self.met.get(offer.userid, -RECENT) < RECENT
            return recently, other.is_provisional, abs(own.points - other.points), offer.number

        return sorted(fitting, key=place)

    def waiting(self, offer: Offer, now: Epoch, usual: Terms) -> list[Offer]:
        """Return the wishes of others that an offer of the player fits, in the order of ``by_nearness``.

        Each has the options and terms that both allow, and the seat that the player leaves.
        """
        found = []
        for wish in self.fitting(now, offer.game):
            owner = self.owners[wish.userid]
            is_met = offer.is_new and owner.userid in self.met
            if wish.is_match and not is_met and _fits_rating(offer, self.reader, owner):
                found.append(agreed(offer, wish, usual))
        return self.by_nearness(filter(None, found), now)


def _fits_rating(offer: Offer, owner: Party, taker: Party) -> bool:
    word = offer.game
    own, other = owner.strength(word), taker.strength(word)
    if offer.low is not None and offer.high is not None:
        return offer.low <= other.points <= offer.high
    if offer.within is None or own.is_provisional or other.is_provisional:
        return True
    return abs(own.counted - other.counted) <= offer.within


def agreed(one: Offer, other: Offer, usual: Terms) -> Offer | None:
    """Return ``other`` with what both allow, one of them a wish to be paired; None if they do not agree.

    A wish leaves open what its player has not named. Any other offer names all: what its player has left
    out is as usual.

    usual  the terms of a game if nobody chooses any
    """
    both = (one, other)
    if not _go_together(*map(_options, both)):
        return None
    if not _go_together(*(_terms(each, usual) for each in both)):
        return None
    terms = json.dumps({**json.loads(one.terms), **json.loads(other.terms)})
    seat = {"X": "O", "O": "X"}.get(one.seat, other.seat)
    whole = next((each for each in both if not each.is_match), None)
    if whole:
        return replace(other, options=whole.options, terms=terms, seat=seat)
    with suppress(Refusal):
        game = games.make(other.game, {**_options(one), **_options(other)})
        return replace(other, options=games.dump(game), terms=terms)
    return None


def _go_together(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    return all(one[name] == other[name] for name in one.keys() & other.keys())


def _options(offer: Offer) -> dict[str, Any]:
    """Return the options of a game that an offer names, by name."""
    if offer.is_match:
        return dict(json.loads(offer.options))
    game = games.load(offer.game, offer.options)
    return {each.name: game.value(each.name) for each in game.options}


def _terms(offer: Offer, usual: Terms) -> dict[str, Any]:
    """Return the terms that an offer names, by name."""
    named = dict(json.loads(offer.terms))
    if named.get("time") == NORMAL:
        named["time"] = usual.time
    if offer.is_match:
        return named
    filled = usual._asdict() | {"weekends": bool(usual.weekends)}
    return {name: filled[name] for name in TERMS} | named


@dataclass(frozen=True)
class Party:
    """The facts about a player that decide if others may play with the player.

    state      the state of the account, ``active`` if letters reach it
    mailboxes  a mark for each address, the same for all spellings of it
    refuses    the words of the games to which the player takes no challenges
    blocks     the players whose challenges are refused
    most       others may bring the player to so many running games; None for any number
    running    the number of running games
    away       the player is on leave
    strengths  by the word of a game
    """

    userid: str
    state: str = "active"
    mailboxes: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    most: int | None = None
    running: int = 0
    away: bool = False
    strengths: Mapping[str, Strength] = field(default_factory=dict)

    def strength(self, word: str) -> Strength:
        """Return the player's strength in a game; if it is not known, a beginner's."""
        return self.strengths.get(word, Strength())

    def takes(self, other: Party, word: str) -> bool:
        """Return True if a game may be begun with this player because ``other`` asks for it."""
        return (
            self.state == "active"
            and word not in self.refuses
            and other.userid not in self.blocks
            and (self.most is None or self.running < self.most)
        )
