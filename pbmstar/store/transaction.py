"""The questions and changes that the service asks of the store, inside one transaction."""

from __future__ import annotations

from .accounts import Accounts
from .audit import Audit
from .boards import Boards
from .counters import Counters
from .outbox import Outbox


class Tx(Accounts, Boards, Outbox, Counters, Audit):
    """One open transaction. Nothing here commits; no rule of a game or of mail is known here.

    Every method raises Passing for a trouble of the database.
    """

    def prune(self, now: float, texts: float, rows: float) -> None:
        """Forget what has served its time. Of letters refused for good the text is kept for
        ``texts`` seconds, the row for ``rows``."""
        self.prune_accounts(now)
        self.prune_letters(now, texts, rows)
        self.prune_counters(now)
