"""The facts of the letter about a ladder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import NOTHING, Sentence, say
from ...render.letter import Facts, Letters


@dataclass(frozen=True)
class LadderFacts(Facts):
    """A ladder: its first places, and those around the reader.

    said    what the reader has just done, in words
    count   players on it
    place   of the reader; 0 for a reader who is not on it. ``leaves``: once the running games are over
    above   those whom the reader may challenge
    """

    template = "ladder"
    title: str
    word: str
    said: Sentence
    count: int
    place: int
    reader: str
    rungs: Sequence[RungLine]
    leaves: bool
    above: Sequence[str]


@dataclass(frozen=True)
class RungLine:
    """A player on a ladder, with the games won and lost there. ``note``: resting, leaving, or empty."""

    place: int
    userid: str
    won: int
    lost: int
    note: Sentence = NOTHING
    away: Sentence = NOTHING


LETTERS = Letters(
    buttons={
        "ladder challenge ": say("Challenge {name}"),
        "ladder join ": say("Join the ladder"),
        "ladder leave ": say("Leave the ladder"),
    }
)
