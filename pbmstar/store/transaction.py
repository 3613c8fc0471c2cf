"""The questions and changes that the service asks of the store, inside one transaction."""

from __future__ import annotations

from .audit import Audit
from .bests import Bests
from .boards import Boards
from .bots import Bots
from .counters import Counters
from .digests import Digests
from .drafts import Drafts
from .guests import Guests
from .outbox import Outbox
from .reviews import Reviews
from .upkeep import Upkeep


class Tx(Bots, Boards, Bests, Digests, Drafts, Guests, Outbox, Reviews, Counters, Audit, Upkeep):
    """One open transaction. Nothing here commits; no rule of a game or of mail is known here.

    Every method raises Passing for a trouble of the database.
    """

    def prune(self, now: float, texts: float, rows: float) -> bool:
        """Forget what has served its time; True if there may be more, for another transaction.

        Of letters given up the text is kept for ``texts`` seconds, the row for ``rows``.
        """
        self.prune_accounts(now)
        return any(
            [
                self.prune_letters(now, texts, rows),
                self.prune_counters(now),
                self.prune_digests(now - rows),
            ]
        )
