"""The facts of the letter about a cup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import NOTHING, Sentence, say
from ...render.letter import Facts, Letters
from ..league.facts import LeagueGame


@dataclass(frozen=True)
class CupFacts(Facts):
    """The table of a cup.

    kind     why it is mailed: table, half (of its time is over), or over
    runs     the cup runs, until ``until`` at the latest; ``begin``: the day of its start
    own      the running games of the reader; once it is over, all games of the reader
    slow     those boards of the reader that will be judged, if they go on at this pace
    winner   the userid of the winner; empty if nobody has moved, and while it runs
    absent   the userids of those who are out, since they have not moved
    replies  the commands that the reader can send
    """

    template = "cup"
    kind: str
    title: str
    season: int
    runs: bool
    until: Sentence
    reader: str
    lines: Sequence[CupLine]
    own: Sequence[LeagueGame]
    winner: str
    points: str
    absent: Sequence[str]
    replies: Sequence[str]
    begin: Sentence = NOTHING
    slow: Sequence[Sentence] = ()


@dataclass(frozen=True)
class CupLine:
    """A line of the table: the player's results against the others, in their order, and the points.

    ``sb``: Sonneborn-Berger.
    """

    userid: str
    marks: Sequence[str]
    points: str
    sb: str


LETTERS = Letters(
    buttons={
        "cup table ": say("Table of the cup"),
        "cup leave ": say("Leave the cup"),
        "cup ": say("Enter the next cup"),
    }
)
