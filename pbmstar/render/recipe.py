"""A recipe: all that a letter is made from, kept in the outbox until it is sent.

Letters are written where they are sent, not where a message is worked on. A recipe is whole in itself:
later changes of the board or the account change nothing in the letter. The same recipe gives the same
bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import games
from ..errors import SAID
from ..grammar.words import ENGLISH
from ..machine.times import Epoch
from ..match import Entry, Happening, Match, Request, Terms, begin, terms
from ..match.dates import HERE
from ..match.stored import pack, unpack
from .board.clock_face import ClockFace

Packed = Mapping[str, Any]  # a board as JSON has it, see ``packed``
_encode = json.JSONEncoder(separators=(",", ":")).encode
_SAID = _encode(SAID).encode("ascii")  # how JSON has the key


@dataclass(frozen=True)
class Recipe:
    """The values from which one letter to one reader is made.

    template    the name of the template, without its ending
    headers     the header fields that the service decides, in order; those that follow from the
                board (``X-Pbmstar-...``), Date, Subject and MIME are added when it is written
    at          the time when it was decided, seconds since 1970 UTC
    serial      unique; the boundary between the parts comes from it
    facts       the facts in the template besides the board: texts, numbers, lists of them
    board       the board that it shows, packed; None if it shows none
    reader      the player whose choices it lists; empty for a reader who only looks on
    happenings  the happenings on the board, told above it
    plan        the reader's own plan, as it is written; empty if there is none
    html        it has an HTML part; with ``pictures`` a board in it is a picture
    clock       the players' time, None if nothing is told of it; times are given in ``zone``
    drawing     the way in which the text shows a board; see ``drawings``
    language    the reader's language
    is_plain    facts have no sentences as values, as far as is known; it is not kept
    """

    template: str
    headers: dict[str, str]
    at: Epoch
    serial: str
    facts: dict[str, Any] = field(default_factory=dict)
    board: Packed | None = None
    reader: str = ""
    happenings: tuple[Happening, ...] = ()
    plan: str = ""
    html: bool = True
    pictures: bool = False
    clock: ClockFace | None = None
    zone: str = HERE
    drawing: str = "ascii"
    language: str = ENGLISH
    is_plain: bool = field(default=False, compare=False)

    def to_bytes(self) -> bytes:
        """Return the recipe as JSON: it begins with a brace, as no mail does."""
        values = {
            "match": self.board,
            "template": self.template,
            "headers": self.headers,
            "at": self.at,
            "serial": self.serial,
            "facts": self.facts,
            "reader": self.reader,
            "happened": pack(self.happenings),
            "plan": self.plan,
            "html": self.html,
            "pictures": self.pictures,
            "clock": self.clock,
            "zone": self.zone,
            "drawing": self.drawing,
            "language": self.language,
        }
        return _encode(values).encode("ascii")

    @classmethod
    def from_bytes(cls, content: bytes) -> Recipe:
        """Return the recipe that ``to_bytes`` has written. Raises ValueError, KeyError for other bytes."""
        values = json.loads(content.decode())  # of bytes it guesses the encoding first
        happenings = unpack(values.pop("happened"))
        if values.get("clock"):
            values["clock"] = ClockFace.of(values["clock"])
        is_plain = _SAID not in content
        board = values.pop("match")
        return cls(board=board, happenings=happenings, is_plain=is_plain, **values)


def packed(match: Match, record: Iterable[Entry] | None = None) -> Packed:
    """Return a match in few bytes; the same for the letters of both players.

    ``record`` stands for the match's record, so that the match need not be replayed. Of each entry the number
    of the player's seat is kept, and the move. For a move by plan 2 is added to the seat.
    """
    seats, entries = match.seats, match.record if record is None else record
    return {
        "number": match.number,
        "game": match.game.word,
        "options": games.dump(match.game),
        "terms": terms.dump(match.terms),
        "seats": seats,
        "record": [
            f"{seats.index(entry.userid) + 2 * entry.by_plan}{entry.move}" for entry in entries
        ],
        "request": match.request,
        "made": match.made,
        "since": match.since,
    }


class Replays:
    """A maker of matches from packed boards; it remembers the last match of each of the last boards.

    The letters of both players are made from equal matches, and the next letters of a board from its
    record with one entry more: only new entries are replayed.
    """

    def __init__(self, most: int = 300) -> None:
        """Remember at most ``most`` boards."""
        self._most = most
        self._known: dict[tuple[Any, ...], tuple[list[str], Match]] = {}

    def match(self, packed: Packed) -> Match:
        """Return the match of a packed board; the times of its entries were not kept."""
        seats, record = tuple(packed["seats"]), packed["record"]
        number, made = packed["number"], packed["made"]
        board = (number, packed["game"], packed["options"], seats, made, packed.get("terms"))
        known, match = self._known.pop(board, ([], None))
        if match is None or record[: len(known)] != known:
            game = games.load(packed["game"], packed["options"])
            agreed = terms.load(packed["terms"]) if "terms" in packed else Terms()  # 0.1 had none
            known, match = [], begin(number, game, seats, made, agreed)
        for entry in record[len(known) :]:
            by_plan, seat = divmod(int(entry[0]), 2)
            match = match.after(seats[seat], entry[1:], made, by_plan)
        request = Request(*packed["request"]) if packed["request"] else None
        if (match.request, match.since) != (request, packed["since"]):
            match = replace(match, request=request, since=packed["since"])
        if len(self._known) >= self._most:
            del self._known[next(iter(self._known))]
        self._known[board] = record, match
        return match
