"""The facts of the letter about a Sunday game that is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import Said
from ...render.facts import Facts


@dataclass(frozen=True)
class SundayFacts(Facts):
    """The end of a Sunday game, for one reader.

    number   of the Sunday game
    played   how many played
    what     the game and its options
    bot      the opponent of all
    own      a sentence on the reader's result
    other    a sentence on the best of the others; empty if there is none
    parted   a sentence on where the reader and that player parted; the letter shows the board there
    lines    the best players, and the reader
    """

    template = "sunday"
    number: int
    played: int
    what: str
    bot: str
    reader: str
    own: Said
    other: Said | str
    parted: Said | str
    lines: Sequence[SundayLine]


@dataclass(frozen=True)
class SundayLine:
    """A player's place and result."""

    place: int
    userid: str
    result: Said
