"""What the store and the quarantine tell of the server's state, as figures for monitoring."""

from __future__ import annotations

from ..store import Tx
from .metrics import Gauges


def gauges(tx: Tx, quarantined: int, now: float) -> Gauges:
    """The state of things at ``now``; ``quarantined``: how many mails are in the quarantine."""
    oldest = tx.oldest_letter()
    return {
        "pbmstar_handled_mails": tx.outcomes(),
        "pbmstar_letters": {"new": 0, "dead": 0, **tx.letter_states()},
        "pbmstar_oldest_letter_seconds": {"": 0.0 if oldest is None else max(now - oldest, 0.0)},
        "pbmstar_boards": {"running": 0, "over": 0, **tx.board_states()},
        "pbmstar_players": {"active": 0, "suspended": 0, "closed": 0, **tx.user_states()},
        "pbmstar_quarantined_mails": {"": quarantined},
    }
