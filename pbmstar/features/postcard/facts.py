"""The facts of a postcard."""

from __future__ import annotations

from dataclasses import dataclass

from ...render.album import in_groups, leads, spans
from ...render.board.view import View
from ...render.letter import Facts, Letters, Pictures, Sheet
from ...render.picture import attached


@dataclass(frozen=True)
class PostcardFacts(Facts):
    """A finished game of ``sender``, who played ``side``, X or O, as it stood before it was decided.

    rival  the program that played the other side; empty for a person, who is not named
    title  the game's
    after  the number of the last move on the board; ``moves``: of the game
    like   a cell to begin a game of one's own on; empty if no program plays it
    """

    template = "postcard"
    sender: str
    side: str
    rival: str
    title: str
    after: int
    moves: int
    like: str = ""

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the board, and by how many points each player could still win after each move."""
        drawn, board = super().pictures(sheet), sheet.board
        if board and board.match.game.has_points:
            drawn["lead"] = attached.of_leads([each[:2] for each in spans(board.match)], ())
        return drawn


def postcard_leads(view: View) -> str:
    """Return who led after each move, as marks; empty for a game without points."""
    return leads(view.match, spans(view.match)) if view.match.game.has_points else ""


LETTERS = Letters(filters=(postcard_leads, in_groups))
