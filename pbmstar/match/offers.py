"""The happenings of offers and invitations, for the letters of the games that they begin."""

from __future__ import annotations

from ..errors import Sentence, say
from .happenings import Itself
from .match import Match


class OfferTaken(Itself, word="offer-taken", is_event=True):
    """``userid`` has taken offer ``number`` of the opponent, or was paired with it: so this game began."""

    is_met = True
    userid: str
    number: int

    def sentences(self, match: Match, zone: str) -> tuple[Sentence, ...]:
        """Return whose offer was taken."""
        owner = match.opponent(self.userid)
        return (
            say(
                "{userid} has taken {owner}'s offer {number}.",
                userid=self.userid,
                owner=owner,
                number=self.number,
            ),
        )

    @property
    def line(self) -> Sentence:
        """The line of a record about it."""
        return say("{userid} took offer {number}", userid=self.userid, number=self.number)


class Invited(Itself, word="invited"):
    """``userid`` had invited ``guest``, who has opened an account since: so this game began."""

    is_met = True
    userid: str
    guest: str

    def sentences(self, match: Match, zone: str) -> tuple[Sentence, ...]:
        """Return who has accepted whose invitation."""
        return (
            say(
                "{guest} has accepted {userid}'s invitation.", guest=self.guest, userid=self.userid
            ),
        )
