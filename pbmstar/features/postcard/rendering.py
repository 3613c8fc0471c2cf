"""The line of a postcard that says who led."""

from __future__ import annotations

from ...render.added import Letters
from ...render.album import in_groups, leads, spans
from ...render.board.view import View


def postcard_leads(view: View) -> str:
    """Return who led after each move, as marks; empty for a game without points."""
    return leads(view.match, spans(view.match)) if view.match.game.has_points else ""


LETTERS = Letters(filters=(postcard_leads, in_groups))
