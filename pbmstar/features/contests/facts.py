"""The facts of the list of leagues, cups and ladders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import Sentence
from ...render.letter import Facts, Letters


@dataclass(frozen=True)
class LeaguesFacts(Facts):
    """All leagues, all ladders, and all cups that are not over."""

    template = "leagues"
    leagues: Sequence[ContestLine]
    ladders: Sequence[ContestLine]
    cups: Sequence[ContestLine] = ()


@dataclass(frozen=True)
class ContestLine:
    """A season of a league or a cup that is open or has begun, or a ladder; ``is_in``: the reader."""

    word: str
    title: str
    season: int
    begun: bool
    until: Sentence
    players: int
    is_in: bool


LETTERS = Letters()
