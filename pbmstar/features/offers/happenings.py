"""The happenings of offers and invitations, for the letters of the games that they begin."""

from __future__ import annotations

from ...match import Match
from ...match.happenings import OfFeature


class OfferTaken(OfFeature, word="offer-taken"):
    """``userid`` has taken offer ``number`` of ``owner``, or was paired with it: so this game began."""

    is_met = True
    userid: str
    owner: str
    number: int

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return whose offer was taken."""
        return (f"{self.userid} has taken {self.owner}'s offer {self.number}.",)


class Invited(OfFeature, word="invited"):
    """``userid`` had invited ``guest``, who has opened an account since: so this game began."""

    is_met = True
    userid: str
    guest: str

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return who was invited."""
        return (f"{self.userid} has invited {self.guest}, who has an account now.",)


HAPPENINGS = (OfferTaken, Invited)
