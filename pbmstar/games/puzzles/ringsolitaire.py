"""Ring Solitaire: leave as few stones of a ring as possible."""

from __future__ import annotations

from typing import Literal

from ...errors import Said, say, say_many
from ..base import Position
from ..pentagon.straights import STAR
from .jumps import Jumps

_FEWEST = 3  # found by complete search


class RingSolitaire(Jumps):
    """Ring 5 is full. A last stone cannot reach the star; three stones can be left."""

    word = "ringsolitaire"
    aliases = ("ring",)
    title = "Ring Solitaire"
    aim = say("leave as few stones as possible")
    brief = say(
        "A stone jumps over a neighbour to the empty cell straight behind it, and the one that was "
        "jumped over is taken away; several jumps of one stone are one turn. Stones fill the fifth "
        "ring. The old goal, one stone on the star, is impossible: leave as few as you can, and "
        "nobody can leave fewer than three."
    )
    known = say("Nobody can leave fewer than {fewest}.", fewest=_FEWEST)
    begin = (5,)
    solutions = (
        "*51-R65 S54-T61 T54-A61 T61-T41 A61-A41 R65-R43-R63-R41 R51-A65-A43 *54-S61-S41 A53-R30 "
        "R41-A32 A52-A30 T41-T63-T43 S41-S63 T43-A31-R30 *52-*54 S53-S73",
    )

    def best_known(self, position: Position) -> Said:
        """Return the same sentence for every position."""
        return self.known

    def is_goal(self, cell: int) -> bool:
        """Tell if the cell is the star, the goal of the rulebook."""
        return cell == STAR

    def rank(self, stones: bytes) -> int | None:
        """Return how many stones there are more than the fewest."""
        return len(self.cells(stones)) - _FEWEST

    def where(self, cell: int) -> str:
        """Return ``star``, ``adjacent`` to it, or ``off``."""
        return ("star", "adjacent")[self.ring(cell)] if self.ring(cell) < 2 else "off"

    def _clause(self, position: Position) -> Said | Literal[""]:
        """Return the result of the player, and the best result."""
        if not position.over:
            return ""
        note = self.note(position.stones)
        if self.solved(position.stones):
            return say_many(
                "{note} after 1 turn: nobody can leave fewer",
                "{note} after {count} turns: nobody can leave fewer",
                position.played,
                note=note,
            )
        return say_many(
            "{note} after 1 turn; the fewest that can be left is {fewest}",
            "{note} after {count} turns; the fewest that can be left is {fewest}",
            position.played,
            note=note,
            fewest=_FEWEST,
        )
