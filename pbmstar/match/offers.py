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

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return whose offer was taken."""
        userid, number, owner = self.userid, self.number, match.opponent(self.userid)
        if reader == userid:
            return (say("You've taken {owner}'s offer {number}.", owner=owner, number=number),)
        if reader == owner:
            return (say("{userid} has taken your offer {number}.", userid=userid, number=number),)
        return (
            say(
                "{userid} has taken {owner}'s offer {number}.",
                userid=userid,
                owner=owner,
                number=number,
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

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return who has accepted whose invitation."""
        userid, guest = self.userid, self.guest
        if reader == guest:
            return (say("You've accepted {userid}'s invitation.", userid=userid),)
        if reader == userid:
            return (say("{guest} has accepted your invitation.", guest=guest),)
        return (say("{guest} has accepted {userid}'s invitation.", guest=guest, userid=userid),)
