"""Misere Hex: a player who joins their own two sides has lost."""

from __future__ import annotations

from ...errors import NOTHING, Sentence, say
from ..base import Player, Position, other
from .hex import Hex

_GOALS = {
    "X": say("loses by connecting top and bottom"),
    "O": say("loses by connecting left and right"),
}
_JOINED = {
    "X": say("{loser} connected top and bottom"),
    "O": say("{loser} connected left and right"),
}


class MisereHex(Hex):
    """Hex whose chain loses. A stone may hurt its owner, so there are no exact bounds, and no passes."""

    word = "miserehex"
    aliases = ("misere",)
    title = "Misere Hex"
    brief = say(
        "Players take turns putting a stone on an empty cell. Stones never move, and nobody can "
        "pass. X loses by connecting the top row to the bottom row with a chain of stones, and O "
        "loses by connecting the left column to the right column. A cell that isn't on the edge "
        "touches six others, two of them in its own row. There are no ties: in the end, one "
        "player always has a chain like that."
    )
    has_pass = False
    has_bounds = False

    def winner_by(self, joiner: Player) -> Player:
        """Return the opponent of the player who has the chain."""
        return other(joiner)

    def goal(self, player: Player) -> Sentence:
        """Return the two sides that the player must not join."""
        return _GOALS[player]

    def winning_chain(self, stones: bytes) -> tuple[str, ...]:
        """Return nothing: the chain has lost."""
        return ()

    def _clause(self, position: Position) -> Sentence:
        """Return the two sides that were joined."""
        ending = position.ending
        if ending and ending.how == "chain" and ending.winner:
            return _JOINED[other(ending.winner)]
        return NOTHING
