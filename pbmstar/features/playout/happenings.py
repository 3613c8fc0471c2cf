"""The happening that begins a game from a position, for its first letter and its record."""

from __future__ import annotations

from ...errors import Said, say
from ...match import Match
from ...match.happenings import OfFeature


class PlayedOn(OfFeature, word="played-on", is_event=True):
    """``userid`` plays board ``board`` on from its move ``number``: so this game began."""

    userid: str
    board: int
    number: int

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return where the game begins."""
        return (
            say(
                "This game begins with the board after move {number} of board {board}.",
                number=self.number,
                board=self.board,
            ),
        )

    @property
    def line(self) -> Said:
        """The line of a record about it."""
        return say(
            "begins after move {number} of board {board}", number=self.number, board=self.board
        )


HAPPENINGS = (PlayedOn,)
