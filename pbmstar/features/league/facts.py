"""The facts of the letter about a season of a league."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import Sentence, say
from ...render.letter import Facts, Letters


@dataclass(frozen=True)
class LeagueFacts(Facts):
    """The table of a division, or its crosstable.

    kind       why it is mailed: table, crosstable, ends, or over
    runs       the season runs, ``until`` then
    moves      where the reader goes after it: up, down, or empty
    own        the running games of the reader
    following  the next season; ``goes_on``: it is open, and ``is_in``: the reader is in it
    replies    the commands that the reader can send
    won        the reader finished first
    ladder     the command that joins the ladder of the game; empty if the letter does not name it
    """

    template = "league"
    kind: str
    moves: str
    title: str
    word: str
    season: int
    division: int
    divisions: int
    runs: bool
    until: Sentence
    reader: str
    lines: Sequence[LeagueLine]
    cross: Sequence[CrossLine]
    own: Sequence[LeagueGame]
    following: int
    replies: Sequence[str]
    is_in: bool
    goes_on: bool
    won: bool = False
    ladder: str = ""


@dataclass(frozen=True)
class LeagueLine:
    """A line of a table; ``sb``: Sonneborn-Berger."""

    userid: str
    points: str
    sb: str
    played: int
    won: int
    tied: int
    lost: int


@dataclass(frozen=True)
class CrossLine:
    """A line of a crosstable, in the order of the table.

    Its marks: 1 for a win, 0 for a loss, = for a tie, a dot for a game without result, x for the own column.
    """

    userid: str
    marks: Sequence[str]


@dataclass(frozen=True)
class LeagueGame:
    """A running game of the reader, and its opponent."""

    board: int
    against: str


LETTERS = Letters(
    buttons={
        "league crosstable ": say("The table of all games"),
        "league join ": say("Play in the next season"),
        "league leave ": say("Leave the league"),
        "league table ": say("The table of the league"),
        "league withdraw ": say("Leave the running season"),
    }
)
