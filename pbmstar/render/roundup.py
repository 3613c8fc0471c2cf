"""The letter of several boards, which a player gets once a day: its parts, each with picture and taps.

One reply address stands for all boards, so a tap writes the number of its board before the cell. A letter
has limited room for characters and pictures; the most urgent boards get it first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup

from ..games.base import STONE
from ..match.stored import unpack
from . import drawings
from .board.choices import Choices
from .board.view import Telling, View, view_of
from .picture import attached
from .recipe import Replays
from .translator import Translator

WHOLE = 10  # boards that are shown whole at most
_PICTURES = 265_000  # bytes of their pictures, as a message has them
# The pixels of a picture in a row, by the boards that are shown: few boards are shown sharply.
_SHARP = ((2, 680), (5, 440), (WHOLE, 340))
_ROOM = 84_000  # characters of HTML for boards: programs clip a message at 100 kB
_BESIDE = 2_500  # of a board besides its cells and drawing
_NAMED = ("accept", "decline", "swap", "pass", "claim")  # words that a board is listed with


class BoardPart(NamedTuple):
    """A board of the letter.

    name      the beginning of its lines: ``Board 17, bob, 4 days left``
    time      the reader's time left, ``4 days``; empty if there is no limit
    waits     the reader is to move
    comments  the opponent's words, as in ``comment`` of a board's letter
    stone     the reader's stone: ``x`` or ``o``; ``rival`` the opponent
    words     the reader's replies besides a move, with the number of the board before each
    """

    view: View
    name: str
    time: str
    waits: bool
    comments: list[dict[str, Any]]
    stone: str
    rival: str
    words: tuple[str, ...]

    @property
    def short(self) -> dict[str, Any]:
        match = self.view.match
        return {"name": self.name, "word": match.game.word, "number": match.number}


def filled(
    packed: Mapping[str, Any], replays: Replays, has_pictures: bool, translator: Translator
) -> dict[str, Any]:
    """Return the values that fill the letter.

    waiting  the number of waiting boards; ``whole`` the ones that are shown, ``short`` the others, one
             line each
    others   boards on which something else has happened
    """
    parts = [_part(each, packed, replays, translator) for each in packed["boards"]]
    waiting = [part for part in parts if part.waits]
    whole, room = 0, _ROOM
    for part in waiting[:WHOLE]:
        room -= _BESIDE + (0 if has_pictures else len(drawings.draw(part.view)))
        if room < 0 and whole:
            break
        whole += 1
    short = [*(part.short for part in waiting[whole:]), *packed["short"]]
    return {
        "waiting": len(waiting) + len(packed["short"]),
        "whole": waiting[:whole],
        "short": short,
        "others": [part for part in parts if not part.waits],
        "images": (),
    }


def _part(
    each: Mapping[str, Any], packed: Mapping[str, Any], replays: Replays, translator: Translator
) -> BoardPart:
    # The reader watches a board of other players.
    reader = packed["reader"] if packed["reader"] in each["match"]["seats"] else ""
    telling = Telling(reader, unpack(each["happened"]), translator=translator)
    view = view_of(replays.match(each["match"]), telling)
    match = view.match
    player = match.player(reader) if reader else None
    could: tuple[str, ...] = ()
    if each["waits"]:
        could = Choices.of(match, reader, view.example).reply_words()
    view = view._replace(tried=str(match.number), reply_to=packed.get("reply_to", ""))
    return BoardPart(
        view,
        each["name"],
        each.get("time", ""),
        each["waits"],
        each["comments"],
        chr(STONE[player]) if player else "",
        match.opponent(reader) if player and len(match.seats) > 1 else "",
        tuple(f"{match.number} {word}" for word in could if word in _NAMED),
    )


def pixels(boards: int) -> int:
    """Return the width in pixels of each picture in a letter of that number of boards."""
    return next(most for count, most in _SHARP if boards <= count)


def pictures(whole: Sequence[BoardPart]) -> dict[str, attached.Drawn | None]:
    """Draw boards as long as there is room for their pictures."""
    drawn: dict[str, attached.Drawn | None] = {}
    room = _PICTURES
    for number, part in enumerate(whole):
        each = attached.of_board(part.view, pixels(len(whole)))
        room -= len(each.base64) if each else 0
        if room < 0:
            break
        drawn[f"picture{number}"] = each
    return drawn


def images(
    whole: Sequence[BoardPart], shown: Iterable[drawings.TapPicture | None]
) -> list[Markup | None]:
    """Return the pictures of boards, with cells to tap as long as there is room; None if one is missing."""
    made: list[Markup | None] = []
    room = _ROOM - _BESIDE * len(whole)
    for part, picture in zip(whole, shown, strict=False):
        if picture is None:
            made.append(None)
            room -= len(drawings.draw(part.view))
            continue
        image = drawings.listed_image(part.view, picture, room)
        room -= len(image)
        made.append(image)
    return made
