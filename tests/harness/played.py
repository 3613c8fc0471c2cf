"""Games that bots have played well, to look at: positions by chance say nothing about a page or a letter.

``played.jsonl`` has them: a challenge without players, the bots in the order of the seats, the moves.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pbmstar.match import Match, begin

from .positions import game_of


class Played(NamedTuple):
    """A game: ``*star -rings=6``, the players in the order of the seats, the moves."""

    game: str
    players: tuple[str, str]
    moves: tuple[str, ...]

    @property
    def challenge(self) -> str:
        """Return the beginning of the command that challenges to this game."""
        word, _, options = self.game.partition(" ")
        return f"{word} challenge {options}"

    def match(self, number: int, seats: tuple[str, str], moves: int | None = None) -> Match:
        """Return a match after so many of the moves, or after all of them."""
        match = begin(number, game_of(self.game), seats, 0.0)
        for move in self.moves[:moves]:
            match = match.after(match.to_move, move, 0.0)
        return match


@cache
def played() -> tuple[Played, ...]:
    """Return all of them."""
    lines = Path(__file__).with_suffix(".jsonl").read_text("utf-8").splitlines()
    games = (json.loads(line) for line in lines)
    return tuple(
        Played(each["game"], tuple(each["players"]), tuple(each["moves"].split())) for each in games
    )
