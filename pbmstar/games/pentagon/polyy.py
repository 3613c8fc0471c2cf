"""Poly-Y: own three of the five corners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import ClassVar

from ...errors import Sentence, say, say_many
from ..base import PLAYERS, STONE, Ending, How, Option, Player, Position, Score
from ..placement import Placement
from ..values import Counting, ReportLine, ReportRow
from .board import ARMS, SIDES, PentagonGame

_NEEDED = 3
_OWNED = tuple(  # for each set of sides (bits) that a chain touches, the corners that it owns
    sum(
        1 << corner
        for corner in range(5)
        if sides >> corner & 1 and sides >> (corner - 1) % 5 & 1 and sides.bit_count() > 2
    )
    for sides in range(32)
)


class PolyY(Placement, PentagonGame):
    """A chain that touches both sides of a corner and another owns the corner; three corners win."""

    word = "polyy"
    aliases = ("poly-y",)
    title = "Poly-Y"
    aim = say("owns three of the five corners")
    brief = say(
        "Players take turns putting a stone on an empty cell. Stones never move. You own a "
        "corner when one chain of your stones touches both sides that meet there and at "
        "least one of the other three sides. The first player to own three of the five "
        "corners wins."
    )
    options = (Option("rings", "number of rings on the board", (3, 10), 6, other="size"),)
    total = 5
    verdicts: ClassVar[Mapping[How, Sentence]] = {"corners": say("{winner} owns three corners")}
    own_verdicts: ClassVar[Mapping[How, Sentence]] = {"corners": say("you own three corners")}

    def judge(self, position: Position, cells: Iterable[int]) -> Position:
        """Return the position, ended if a chain through one of ``cells`` brings a player the third corner."""
        stones = position.stones
        for cell in cells:
            for player in PLAYERS:
                gains = stones[cell] == STONE[player] and self._gains(stones, cell)
                if gains and self._corners(stones, player).bit_count() >= _NEEDED:
                    return position.end(Ending("corners", player))
        return position

    def score(self, stones: bytes) -> Score:
        corners = {player: self._corners(stones, player) for player in PLAYERS}
        owned = {
            player: [ARMS[i] for i in range(5) if bits >> i & 1] for player, bits in corners.items()
        }
        points = tuple(len(arms) for arms in owned.values())
        return Score(points, points, {"corners": owned}, tuple(map(_note, owned.values())))

    def counting(self) -> Counting:
        """Return a count in which a chain is worth its corners: on a full board no two own the same."""
        gains = tuple(owned.bit_count() for owned in _OWNED)
        return Counting(self.edges, (gains, gains), united=True, total=self.total)

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield every chain that touches a side, with the sides, and the corners that it owns."""
        for player, note in zip(PLAYERS, self.score(stones).notes, strict=True):
            yield ReportLine(say("{player} owns {corners}.", player=player, corners=note))
            inland = 0
            for chain in self.grid.chains(stones, STONE[player]):
                sides = self._sides(chain)
                if not sides:
                    inland += 1
                    continue
                named = " ".join(SIDES[i] for i in range(5) if sides >> i & 1)
                owned = " ".join(ARMS[i] for i in range(5) if _OWNED[sides] >> i & 1)
                form = _OWNS if owned else _TOUCHES
                yield ReportLine(form.given(sides=named, count=len(chain), corners=owned), indent=2)
                yield ReportLine("", tuple(self.grid.names[cell] for cell in sorted(chain)), 4)
            if inland:
                chains = say_many(
                    "away from the sides: {count} chain",
                    "away from the sides: {count} chains",
                    inland,
                )
                yield ReportLine(chains, indent=2)

    def _corners(self, stones: bytes, player: Player) -> int:
        """Return the corners that a player owns, as bits."""
        rim = range(self.perimeter, len(stones))
        owned = 0
        for chain in self.grid.chains(stones, STONE[player], rim):
            owned |= _OWNED[self._sides(chain)]
        return owned

    def _gains(self, stones: bytes, cell: int) -> bool:
        """Tell if the chain through ``cell`` owns a corner."""
        (chain,) = self.grid.chains(stones, stones[cell], (cell,))
        return _OWNED[self._sides(chain)] > 0

    def _sides(self, chain: Iterable[int]) -> int:
        sides = 0
        for cell in chain:
            sides |= self.edges[cell]
        return sides


_TOUCHES = say_many("{sides}: {count} stone", "{sides}: {count} stones", 0)
_OWNS = say_many(
    "{sides}: {count} stone (owns {corners})", "{sides}: {count} stones (owns {corners})", 0
)


def _note(arms: list[str]) -> Sentence:
    if not arms:
        return say_many("{count} corner", "{count} corners", 0)
    return say_many(
        "{count} corner ({arms})", "{count} corners ({arms})", len(arms), arms=", ".join(arms)
    )
