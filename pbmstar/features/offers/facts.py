"""The facts of letters about offers of games, and of invitations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import Said
from ...render.facts import AddedFacts, Facts, RefusedLine


@dataclass(frozen=True)
class OwnOffer:
    """An offer of the reader.

    what    the game, its options and terms as a challenge spells them
    seat    the side that the reader wants; empty for either
    to      whom it is for, in words
    wanted  games that are left of it; 0 for any number
    until   a date; empty for an offer without end
    """

    number: int
    what: str
    seat: str
    to: Said | str
    wanted: int
    until: str


@dataclass(frozen=True)
class OfferLine:
    """An offer of another player, who has a ``rating`` in the game; ``seat``: the one left to the reader."""

    number: int
    what: str
    by: str
    rating: str
    seat: str
    wanted: int
    until: str


@dataclass(frozen=True)
class OfferFacts(Facts):
    """A letter about offers; ``buttons``: the lines that the reader can send."""

    buttons: Sequence[str]


@dataclass(frozen=True)
class OfferedFacts(OfferFacts):
    """A new offer of the reader; ``ignored``: a distance from a rating that is not known yet.

    others  offers that the reader can take
    """

    template = "offered"
    offer: OwnOffer
    ignored: bool
    others: Sequence[OfferLine]


@dataclass(frozen=True)
class SeeksFacts(OfferFacts):
    """The offers that the reader can take, of one game with a ``title`` or of all; ``more`` are left out."""

    template = "seeks"
    title: str
    offers: Sequence[OfferLine]
    more: int
    own: Sequence[OwnOffer]


@dataclass(frozen=True)
class WithdrawnFacts(OfferFacts):
    """So many offers are withdrawn."""

    template = "withdrawn"
    numbers: str
    count: int


@dataclass(frozen=True)
class WaitingFacts(OfferFacts):
    """The reader waits for an opponent, anew or already. ``bot``: one that answers at once, or empty.

    others  offers that the reader can take
    """

    template = "waiting"
    offer: OwnOffer
    bot: str
    is_new: bool
    others: Sequence[OfferLine]


@dataclass(frozen=True)
class AloneFacts(OfferFacts):
    """Nobody has taken an offer; it is ``over``, or ``bot`` may play that game.

    bot     empty if no program plays it, or if it is over
    others  offers that the reader can take
    """

    template = "alone"
    offer: OwnOffer
    bot: str
    over: bool
    others: Sequence[OfferLine] = ()


@dataclass(frozen=True)
class InvitationFacts(Facts):
    """A player invites a reader without an account, who is to move first on the board of the letter.

    name       a free userid for the reader; empty if none is known
    said       a sentence of the player; empty if there is none
    sent_with  the text of the mail that a tap on a cell opens
    """

    template = "invitation"
    inviter: str
    name: str = ""
    said: str = ""
    sent_with: str = ""


@dataclass(frozen=True)
class WaitsFacts(Facts):
    """The answer to a reader who has replied to an invitation, and has no name yet.

    name      a free userid for the reader; empty if none is known
    first     the reader's first move, which the board of the letter shows; empty if there is none
    refusals  the lines of the reply that were refused
    is_more   the reply has other commands, which were not carried out
    """

    template = "waits"
    inviter: str
    name: str = ""
    first: str = ""
    refusals: Sequence[RefusedLine] = ()
    is_more: bool = False


@dataclass(frozen=True)
class DeclinedFacts(Facts):
    """The reader has declined an invitation, and the inviter is told."""

    template = "declined"
    inviter: str


@dataclass(frozen=True)
class OffersPart(AddedFacts):
    """The offers that the reader of a daily letter can take."""

    offers: Sequence[OfferLine]
