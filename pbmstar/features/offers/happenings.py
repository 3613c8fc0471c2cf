"""The happenings of offers and invitations, for the letters of the games that they begin."""

from __future__ import annotations

from ...match import Match
from ...match.happenings import OfFeature


class OfferTaken(OfFeature, word="offer-taken", is_event=True):
    """``userid`` has taken offer ``number`` of the opponent, or was paired with it: so this game began."""

    is_met = True
    userid: str
    number: int

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return whose offer was taken."""
        owner = match.opponent(self.userid)
        return (f"{self.userid} has taken {owner}'s offer {self.number}.",)

    @property
    def line(self) -> str:
        """The line of a record about it."""
        return f"{self.userid} took offer {self.number}"


class Invited(OfFeature, word="invited"):
    """``userid`` had invited ``guest``, who has opened an account since: so this game began."""

    is_met = True
    userid: str
    guest: str

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return who has accepted whose invitation."""
        return (f"{self.guest} has accepted {self.userid}'s invitation.",)


HAPPENINGS = (OfferTaken, Invited)


def _taken(userid: str, *values: str | int) -> OfferTaken:
    """Read the text of an older event, the number; or a letter, which may name the owner before it."""
    return OfferTaken(userid, int(values[-1]))


OLDER = {"offer": _taken, "offer-taken": _taken}
