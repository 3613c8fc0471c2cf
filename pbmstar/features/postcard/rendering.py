"""The curve of a postcard, for its letter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...render.added import Letters
from ...render.album import in_groups, leads, spans
from ...render.board.view import View
from ...render.picture import attached


def postcard_leads(view: View) -> str:
    """Return who led after each move, as marks; empty for a game without points."""
    return leads(view.match, spans(view.match)) if view.match.game.has_points else ""


def _curve(facts: Mapping[str, Any]) -> dict[str, attached.Drawn | None]:
    """Draw by how many points each player could still win after each move."""
    view: View | None = facts["board"]
    if view is None or not view.match.game.has_points:
        return {}
    return {"lead": attached.of_leads([each[:2] for each in spans(view.match)], ())}


LETTERS = Letters(filters=(postcard_leads, in_groups), pictures={"postcard": _curve})
