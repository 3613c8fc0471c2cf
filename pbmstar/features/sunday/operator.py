"""The Sunday game for the operator."""

from __future__ import annotations

from typing import Any

from ...service.work.work import Work
from .rows import Sundays


def listed(work: Work) -> list[dict[str, Any]]:
    """Return the boards of the newest Sunday game; ``margin`` is None until the week is over."""
    rows = work.tx.of(Sundays)
    newest = rows.newest()
    if newest is None:
        return []
    return [
        {
            "sunday": newest.number,
            "game": newest.game,
            "userid": userid,
            "board": board,
            "moves": moves,
            "margin": margin,
        }
        for userid, board, moves, margin in rows.listed(newest.number)
    ]
