"""The facts of the letter of a Sunday: the new board, and how the last game ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from ... import games
from ...errors import NOTHING, Sentence, say
from ...render.facts import BoardFacts
from ...render.letter import Letters, Pictures, Sheet
from ...render.picture import attached


@dataclass(frozen=True, kw_only=True)
class SundayFacts(BoardFacts):
    """A new Sunday game, below the results of the last one.

    following  its number; 0 in a letter of an earlier version, which has no new board
    number     of the game that is over; 0 if nobody has played it
    played     how many played
    what       the game and its options
    bot        the opponent of all
    own        a sentence on the reader's result
    other      a sentence on the best of the others; empty if there is none
    lines      the best players, and the reader
    season     a sentence on the reader's place over the season; empty if there is none yet
    finals     the last boards of the reader and of the best other
    """

    template = "sunday"
    following: int = 0
    number: int = 0
    played: int = 0
    what: str = ""
    bot: str = ""
    reader: str = ""
    own: Sentence = NOTHING
    other: Sentence = NOTHING
    lines: Sequence[SundayLine] = ()
    season: Sentence = NOTHING
    finals: Sequence[FinalBoard] = ()

    @classmethod
    def pictures(cls, sheet: Sheet) -> Pictures:
        """Draw the new board, and the last boards of the game that is over."""
        lasts = {
            f"final{at}": attached.of_position(
                games.load(each["game"], each["options"]), bytes.fromhex(each["stones"])
            )
            for at, each in enumerate(sheet.facts["finals"])
        }
        return super().pictures(sheet) | lasts


@dataclass(frozen=True)
class SundayLine:
    """A player's place and result."""

    place: int
    userid: str
    result: Sentence


@dataclass(frozen=True)
class FinalBoard:
    """The last board of a player: its number, the game with its options, and the stones in hexadecimal.

    ``title`` says whose it is, and its number.
    """

    title: Sentence
    userid: str
    board: int
    game: str
    options: str
    stones: str


_WIDE = 72  # characters of a line
_GAP = 3


def final_drawn(final: Mapping[str, str]) -> str:
    """Return the last board of a player, drawn with letters."""
    game = games.load(final["game"], final["options"])
    return game.draw(bytes.fromhex(final["stones"])).rstrip("\n")


def side_by_side(finals: Sequence[Mapping[str, str]]) -> str:
    """Return last boards drawn with letters, each below its player: beside each other if there is room."""
    drawn = [[each["title"], *final_drawn(each).split("\n")] for each in finals]
    wide = [max(map(len, lines)) + _GAP for lines in drawn]
    if sum(wide) - _GAP > _WIDE:
        return "\n\n".join("\n".join(lines) for lines in drawn)
    rows = zip_longest(*drawn, fillvalue="")
    return "\n".join(
        "".join(cell.ljust(width) for cell, width in zip(row, wide, strict=True)).rstrip()
        for row in rows
    )


LETTERS = Letters(
    filters=(final_drawn, side_by_side),
    buttons={
        "sunday off": say("No more Sunday games"),
        "sunday on": say("Send me the Sunday game"),
    },
)
