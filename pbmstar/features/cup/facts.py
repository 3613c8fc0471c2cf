"""The facts of the letter about a cup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import Said
from ...render.facts import Facts
from ..league.facts import LeagueGame, LeagueLine


@dataclass(frozen=True)
class CupFacts(Facts):
    """The table of a cup.

    kind     why it is mailed: table, begins, or over
    runs     the cup runs, until ``until`` at the latest
    own      the running games of the reader
    winner   the userid of the winner; empty if nobody has moved, and while it runs
    absent   the userids of those who are out, since they have not moved
    replies  the commands that the reader can send
    """

    template = "cup"
    kind: str
    title: str
    season: int
    runs: bool
    until: Said | str
    reader: str
    lines: Sequence[LeagueLine]
    own: Sequence[LeagueGame]
    winner: str
    points: str
    absent: Sequence[str]
    replies: Sequence[str]
