"""The facts that the site adds to letters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...render.board.view import View
from ...render.letter import AddedFacts, Letters
from .pages.fragment import big_board


@dataclass(frozen=True)
class NextBoard:
    """Another board that waits for the player to move: its number, the word of its game, the opponent."""

    number: int
    word: str
    userid: str


@dataclass(frozen=True)
class NextBoardPart(AddedFacts):
    """For a letter about a board: the board that waits for the player to move after this one."""

    next_board: NextBoard


def of_board(board: View, url: str, facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the address of the big board; empty if the letter needs none.

    ``url``: the site's; ``facts``: the letter's, with the words of a player in ``comment``,
    and perhaps ``next_board``.
    """
    comment = facts.get("comment")
    words = comment["text"] if comment and comment["userid"] != board.reader else ""
    return {"big": big_board(board, url, words, facts.get("next_board"))}


LETTERS = Letters(of_board=of_board)
