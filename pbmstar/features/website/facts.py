"""The facts that the site adds to letters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...render.board.view import View
from .fragment import big_board


def of_board(board: View, url: str, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the address of the big board; empty if the letter needs none.

    ``url``: that of the site; ``facts``: those of the letter, with the words of a player in ``comment``.
    """
    comment = facts.get("comment")
    words = comment["text"] if comment and comment["userid"] != board.reader else ""
    return {"big": big_board(board, url, words)}
