"""The wishes of players, which decide if two may play, and the offers of games that they make to all others.

Every way to a game asks here: a challenge, a rematch, an offer that is taken, two players who are paired.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from ..match.terms import DAY
from .rating import Rating

AT_ONCE = 4  # open offers of one player
MOST_WANTED = 5  # games that one offer begins
LONGEST = 30  # days that an offer stands
STANDING = 60 * DAY  # an offer until it is withdrawn ends so long after the last mail of its player
MATCH_DAYS = 14  # that a wish to be paired stands as an offer
INVITATIONS = 3  # that a player may have mailed in a week
ALONE = DAY  # after that a player who waits to be paired is offered a bot
PEAK, BELOW_PEAK = 365 * DAY, 150  # how long a highest rating counts, and by how many points less
RECENT = 30 * DAY  # who has just played each other is paired again only if nobody else is there


class Objection(Enum):
    """A reason why a player does not get a game, as the one who asked is told."""

    OWN = "is your own, or that of somebody at your address"
    GONE = "is no longer open"
    RATING = "is for players of other ratings"
    MET = "is for players whom its owner has not met yet"
    SEAT = "leaves you the other seat"


def strength(points: int, peak: float | None) -> int:
    """Return the points that a player counts as: not far below the ``peak`` of the last year."""
    return points if peak is None else max(points, round(peak) - BELOW_PEAK)


@dataclass(frozen=True)
class Party:
    """A player as far as others may depend on it.

    state    of the account, ``active`` if letters reach it
    mailboxes  of each address what all its spellings have in common
    refuses  the words of the games that challenges are refused to
    blocks   the players whose challenges are refused
    most     running games that others may bring the player to; None for any number
    running  games that run
    ratings  by the word of a game; ``peaks``: the highest ones of the last year
    """

    userid: str
    state: str = "active"
    mailboxes: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    most: int | None = None
    running: int = 0
    away: bool = False
    ratings: Mapping[str, Rating] = field(default_factory=dict)
    peaks: Mapping[str, float] = field(default_factory=dict)

    def rating(self, word: str) -> Rating:
        """Return the player's rating in a game; that of a beginner if there is none yet."""
        return self.ratings.get(word, Rating())

    def strength(self, word: str) -> int:
        """Return the points that the player counts as: a rating that was lost on purpose helps little."""
        return strength(self.rating(word).points, self.peaks.get(word))

    def takes(self, other: Party, word: str) -> bool:
        """Return True if a game may be begun with this player because ``other`` asks for it."""
        return (
            self.state == "active"
            and word not in self.refuses
            and other.userid not in self.blocks
            and (self.most is None or self.running < self.most)
        )


@dataclass(frozen=True)
class Offer:
    """A game that a player offers to everybody whom it fits.

    options  of the game, and ``terms`` as far as they are chosen, as JSON
    seat     that the player wants, X or O; empty for either
    low, high  the ratings of those who may take it
    within   so far from the player's own rating, if both are established
    wanted   games that it begins; 0: any number, until it is withdrawn
    begun    games that it has begun
    is_new   only for those whom the player has not met yet
    is_match the player waits to be paired, and is offered a bot after a day
    asked    when that was done
    closed   when it ended, None while it is open; ``why``: taken, withdrawn, ended
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
    made: float = 0.0
    until: float | None = None
    asked: float | None = None
    closed: float | None = None
    why: str = ""

    @property
    def left(self) -> int | None:
        """Return how many games it can still begin; None for any number."""
        return self.wanted - self.begun if self.wanted else None

    def is_open(self, now: float) -> bool:
        """Return True if it can still be taken."""
        return self.closed is None and self.left != 0 and (self.until is None or now < self.until)


class Lobby(NamedTuple):
    """The offers of games as one player sees them.

    open    all that are open, the player's own among them
    owners  those who made them, by userid
    met     the player's opponents, each with the time when they last played
    """

    reader: Party
    open: Sequence[Offer]
    owners: Mapping[str, Party]
    met: Mapping[str, float]

    def objection(self, offer: Offer, now: float) -> Objection | None:
        """Return why the player may not take an offer; None if nothing known beforehand forbids it."""
        owner, taker = self.owners.get(offer.userid), self.reader
        if owner is None:
            return Objection.GONE
        if owner.userid == taker.userid or not owner.mailboxes.isdisjoint(taker.mailboxes):
            return Objection.OWN
        if not offer.is_open(now) or owner.away:
            return Objection.GONE
        if not owner.takes(taker, offer.game) or owner.userid in taker.blocks:
            return Objection.GONE  # nobody is told whom another one blocks
        if not _fits_rating(offer, owner, taker):
            return Objection.RATING
        if offer.is_new and owner.userid in self.met:
            return Objection.MET
        return None

    def fitting(self, now: float, word: str = "") -> list[Offer]:
        """Return the offers that the player may take, of one game or of all, the oldest first."""
        wanted = (offer for offer in self.open if word in ("", offer.game))
        return [offer for offer in wanted if self.objection(offer, now) is None]

    def by_nearness(self, fitting: Iterable[Offer], now: float) -> list[Offer]:
        """Return offers that the player may take in the order in which they are paired.

        Who has not just been the opponent comes first, then who has a rating, then the nearest one.
        """

        def place(offer: Offer) -> tuple[bool, bool, int, int]:
            own = self.reader.rating(offer.game)
            other = self.owners[offer.userid].rating(offer.game)
            recently = now - self.met.get(offer.userid, -RECENT) < RECENT
            return recently, other.is_provisional, abs(own.points - other.points), offer.number

        return sorted(fitting, key=place)


def _fits_rating(offer: Offer, owner: Party, taker: Party) -> bool:
    word = offer.game
    own, other = owner.rating(word), taker.rating(word)
    if offer.low is not None and offer.high is not None:
        return offer.low <= other.points <= offer.high
    if offer.within is None or own.is_provisional or other.is_provisional:
        return True
    return abs(owner.strength(word) - taker.strength(word)) <= offer.within
