"""The facts of the letters of bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...render.facts import AddedFacts, BoardFacts

AWAITS = "review awaited"  # the fact of a waiting letter: the number of the board
Findings = Mapping[str, Any]  # what the process that thinks has found in a game, see ``engine``


@dataclass(frozen=True)
class ReviewsPart(AddedFacts):
    """For the letter about a finished game: this server ``reviews`` games, or not."""

    reviews: bool


@dataclass(frozen=True, kw_only=True)
class ReviewFacts(BoardFacts):
    """A review of a finished game.

    players  by their sides
    moves    the moves of the game, a swap among them
    found    None while the findings are awaited
    awaited  the number of the board while they are awaited
    """

    template = "review"
    players: Mapping[str, str]
    moves: Sequence[str]
    found: Findings | None
    awaited: int = 0

    def stored(self) -> dict[str, Any]:
        """Return the facts as JSON has them; the name of the one that a waiting letter is found by is old."""
        facts = super().stored()
        return {AWAITS: facts.pop("awaited"), **facts} if self.awaited else facts
