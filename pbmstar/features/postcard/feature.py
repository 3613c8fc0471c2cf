"""The answer of postcards to a question of core."""

from __future__ import annotations

from ...identity import GuestAddress
from ...inbound import Inbound
from ...service.incoming.questions import Asking
from ...service.work.work import Work
from ..feature import Feature
from . import verbs


class PostcardFeature(Feature):
    """The answers of postcards to what core asks: see ``Feature``."""

    name = "postcard"
    title = "postcards"
    needs = ("offers",)

    def guess(self, work: Work, address: GuestAddress, mail: Inbound) -> Asking | None:
        """Let the welcome tell a reader who has bet on a player who won."""
        return verbs.answered(work, address, mail) if address.question == verbs.BET else None


FEATURE = PostcardFeature()
