"""Supply Line: bring one stone from the middle to the edge."""

from __future__ import annotations

from ...errors import NOTHING, Sentence, say, say_many
from ..base import Position
from ..pentagon.straights import STAR
from .jumps import Jumps
from .puzzle import RINGS

_FEWEST = 65  # turns of the known solutions


class SupplyLine(Jumps):
    """The five inner rings and the star are full; one stone on the outermost ring solves it."""

    word = "supplyline"
    aliases = ("supply",)
    title = "Supply Line"
    aim = say("leave just one stone, on the outermost ring")
    brief = say(
        "A stone jumps over a neighboring stone to the empty cell straight behind it, and the "
        "stone it jumped over comes off the board. The same stone can make several jumps in one "
        "turn. At the start, the star and the five rings around it are full of stones. Leave just"
        " one stone, on the outermost ring."
    )
    known = say(
        "This puzzle can be solved, and the shortest known solution takes {fewest} turns.",
        fewest=_FEWEST,
    )
    begin = (0, 1, 2, 3, 4, 5)
    solutions = (
        "T51-S65 T53-T51 A30-T53 T54-T52 A42-A64 A50-A30 A51-A53 R40-R62 A30-A52 A64-R40 A52-A54 "
        "T52-T50 T40-S64 T42-T40 A43-R51 A20-A42 T21-T41-S54 A21-A43 A42-R40 A54-R61 R10-T21 "
        "T10-R10 T32-T10 S42-S62 T20-S42 S65-S63 R61-R63 R20-@-T20-T40 T50-T30 S54-S52 T30-S53 "
        "R40-R62-R64 R43-R65 R21-R43 R30-R32-R54 R41-R43 *42-*62 S20-*42 *10-*32 *30-*52 "
        "S21-*10-*30 S51-*65 S63-S61 S53-S51 S40-*64 S42-S40 *32-*54 S31-*43 R54-*61 R52-R54 "
        "*43-*63 *31-*53 *30-*50 R64-*60 R43-R65-*71 S40-S62-S60 *51-*73 *54-*74 *63-*83 *50-*72 "
        "S60-*64-*42-*62 *71-*73 *62-*84 *74-*94 *83-*05",
        "R40-R62 A42-R40 T54-A61 A40-A42 A61-A41-A43 T43-T63 T51-T53 T63-T43 A20-A42 T43-A31 "
        "S43-S63 T50-S53 A54-R61 A52-A54 A31-A53-R50 S42-S62 S63-S61 T41-S54 T42-A20 S54-S52 "
        "R41-R63 A32-R41 T21-A31 A43-R51 A10-A32 A31-R30 S32-T41-T21 R42-R64 T21-S32 R30-R52 "
        "R50-R72 @-T20 R20-R42 T20-S42 S40-*64 S42-S40 S61-*54 S52-S50 R43-R65 R21-R43 S10-R21 "
        "R51-R53 R10-R32 *42-*62 S40-*42 S31-*43 *32-*52 S21-*32 *43-*63 S50-*53 *20-*42 "
        "R72-R52-R74 R42-*20 *21-R32-R54 R53-R75 *52-*72 *32-*52 R74-R76 R54-*61 *30-*50 *51-*71 "
        "*53-*51 *41-*61 *50-R75 *61-*81 *64-*62-*82 R75-*70-*92 *82-*02",
    )

    def is_goal(self, cell: int) -> bool:
        """Tell if the cell is at the edge."""
        return self.ring(cell) == RINGS

    def where(self, cell: int) -> str:
        """Return ``edge``, ``star`` or else ``inland``."""
        return "edge" if self.is_goal(cell) else "star" if cell == STAR else "inland"

    def _clause(self, position: Position) -> Sentence:
        """Return the result of the player, and the best result."""
        if not position.over:
            return NOTHING
        turns = position.played
        rank = self.rank(position.stones)
        if rank == 0:
            return say_many(
                "solved in {count} turn, with one stone left on the outermost ring (the "
                "fewest known is {fewest})",
                "solved in {count} turns, with one stone left on the outermost ring (the "
                "fewest known is {fewest})",
                turns,
                fewest=_FEWEST,
            )
        if rank == 1:
            return say_many(
                "one stone left after {count} turn, but not on the outermost ring",
                "one stone left after {count} turns, but not on the outermost ring",
                turns,
            )
        return say_many(
            "{note} after {count} turn, but you can get down to just one, on the outermost ring",
            "{note} after {count} turns, but you can get down to just one, on the outermost ring",
            turns,
            note=self.note(position.stones),
        )
