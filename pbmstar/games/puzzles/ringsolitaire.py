"""Ring Solitaire: leave as few stones of a ring as possible."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import NOTHING, Sentence, say, say_many
from ..base import Option, Position
from .jumps import Jumps

# Nobody can leave fewer than 3 of ring 5 (tests/bench/puzzles.py); of ring 6 fewer than 4 isn't known.
_FEWEST = {5: 3, 6: 4}
_PROVED = 5
_SOLUTIONS = {
    5: (
        "*51-R65 S54-T61 T54-A61 T61-T41 A61-A41 R65-R43-R63-R41 R51-A65-A43 *54-S61-S41 A53-R30 "
        "R41-A32 A52-A30 T41-T63-T43 S41-S63 T43-A31-R30 *52-*54 S53-S73"
    ),
    6: (
        "*61-R76 T61-S76-S54-S74-S52 R76-R54-R74-R52-R72-R50 *65-S71-S51 S52-S50 *63-*65-S51 "
        "R50-A75 A63-A65 R60-A64 A61-T76 T64-A60 T76-A61 S62-S40 T62-T64 A61-A63-A65-A85"
    ),
}


class RingSolitaire(Jumps):
    """Ring 5 or 6 is full. A last stone can't reach the star; as few as possible are to be left."""

    word = "ringsolitaire"
    aliases = ("ring",)
    title = "Ring Solitaire"
    aim = say("leave as few stones as possible")
    brief = say(
        "A stone jumps over a neighboring stone to the empty cell straight behind it, and the "
        "stone it jumped over comes off the board. The same stone can make several jumps in one "
        "turn. At the start, one ring of the board is full of stones. Leave as few stones as you "
        "can. Getting down to a single stone on the star isn't possible."
    )
    hinted = say(
        "Hint: play {move}. You can still get down to {fewest} stones after that.",
    )
    unhinted = say("We don't know how to get down to {fewest} stones from here.")
    options = (Option("ring", "the ring that's full of stones at the start", (5, 6), 5),)

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        ring = self.value("ring")
        self.begin = (ring,)
        self.fewest = _FEWEST[ring]
        self.solutions = (_SOLUTIONS[ring],)
        self.hinted = self.hinted.given(fewest=self.fewest)
        self.unhinted = self.unhinted.given(fewest=self.fewest)
        if ring == _PROVED:
            self.known = say(
                "It isn't possible to leave fewer than {fewest} stones.", fewest=self.fewest
            )
        else:
            self.known = say(
                "So far, nobody has left fewer than {fewest} stones.", fewest=self.fewest
            )

    def rank(self, stones: bytes) -> int | None:
        """Return how many stones there are more than the fewest."""
        return len(self.cells(stones)) - self.fewest

    def where(self, cell: int) -> str:
        """Return ``star``, ``adjacent`` to it, or ``off``."""
        return ("star", "adjacent")[self.ring(cell)] if self.ring(cell) < 2 else "off"

    def _clause(self, position: Position) -> Sentence:
        """Return the result of the player, and the best result."""
        if not position.over:
            return NOTHING
        note = self.note(position.stones)
        if self.value("ring") != _PROVED:
            return say_many(
                "{note} after {count} turn (the fewest known is {fewest})",
                "{note} after {count} turns (the fewest known is {fewest})",
                position.played,
                note=note,
                fewest=self.fewest,
            )
        if self.solved(position.stones):
            return say_many(
                "{note} after {count} turn, the fewest possible",
                "{note} after {count} turns, the fewest possible",
                position.played,
                note=note,
            )
        return say_many(
            "{note} after {count} turn (the fewest possible is {fewest})",
            "{note} after {count} turns (the fewest possible is {fewest})",
            position.played,
            note=note,
            fewest=self.fewest,
        )
