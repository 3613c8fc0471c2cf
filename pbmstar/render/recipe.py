"""A recipe: all that a letter is made from, and that has to be kept until it is sent.

Letters are not written where a mail is worked on, but where they are sent. A recipe is whole in
itself: what becomes of the board or the account later changes nothing in the letter. The same recipe
gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from .. import games
from ..match import Entry, Happening, Match, Request, Terms, begin, terms
from ..match.zones import HERE
from ..store import Board
from .clocks import Shown

_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(frozen=True)
class Recipe:
    """What one letter to one reader is made from.

    template    name of the template, without its ending
    headers     the header fields that the service decides, in order; those that follow from the
                board (``X-Pbmstar-...``), Date, Subject and MIME are added when it is written
    at          when it was decided, seconds since 1970 UTC
    serial      unique; the boundary between the parts comes from it
    facts       what the template says besides the board: texts, numbers, lists of them
    match       the board that it shows, None if it shows none
    reader      the player whose choices it lists; empty for somebody who only looks
    happenings  what has happened to the board, told above it
    clock       the players' time, None if nothing is told of it; named by the time of ``zone``
    plan        the reader's own plan, as it is written; empty if there is none
    html        whether it has an HTML part; with ``pictures`` a board in it is a picture
    drawing     how the text shows a board; see ``drawings``
    """

    template: str
    headers: dict[str, str]
    at: float
    serial: str
    facts: dict[str, Any] = field(default_factory=dict)
    match: Match | None = None
    reader: str = ""
    happenings: tuple[Happening, ...] = ()
    plan: str = ""
    html: bool = True
    pictures: bool = False
    clock: Shown | None = None
    zone: str = HERE
    drawing: str = "ascii"

    def to_bytes(self, board: str = "") -> bytes:
        """The recipe as JSON: it begins with a brace, as no mail does.

        ``board``: what ``board_text`` says of its match, if another letter of it needed that too.
        """
        rest = _encode(
            {
                "template": self.template,
                "headers": self.headers,
                "at": self.at,
                "serial": self.serial,
                "facts": self.facts,
                "reader": self.reader,
                "happenings": self.happenings,
                "plan": self.plan,
                "html": self.html,
                "pictures": self.pictures,
                "clock": self.clock,
                "zone": self.zone,
                "drawing": self.drawing,
            }
        )
        return f'{{"match":{board or board_text(self.match)},{rest[1:]}'.encode("ascii")

    @classmethod
    def from_bytes(cls, content: bytes) -> Recipe:
        """The recipe that ``to_bytes`` has written. Raises ValueError, KeyError for anything else."""
        values = json.loads(content)
        values.pop("replies", None)  # of a letter that an earlier version has left
        match = values.pop("match")
        happenings = tuple(Happening(*each) for each in values.pop("happenings"))
        if values.get("clock"):
            values["clock"] = Shown.of(values["clock"])
        return cls(match=unpacked(match) if match else None, happenings=happenings, **values)


def board_text(match: Match | None) -> str:
    """A match as the JSON of a recipe has it; the same for both players."""
    if match is None:
        return "null"
    options = games.dump(match.game)
    return _encode(_pack(match, match.number, match.game.word, options, match.record))


def packed_board(row: Board, record: Iterable[Entry]) -> dict[str, Any]:
    """A board of the store in the same form: nothing need be replayed where mails are worked on."""
    return _pack(row, row.board, row.game, row.options, record)


def _pack(
    board: Match | Board, number: int, word: str, options: str, record: Iterable[Entry]
) -> dict[str, Any]:
    """A match in few bytes: of each entry who made it, by seat, and the move.

    Two are added to the seat for a move by plan.
    """
    seats = board.seats
    return {
        "number": number,
        "game": word,
        "options": options,
        "terms": board.terms if isinstance(board.terms, str) else terms.dump(board.terms),
        "seats": seats,
        "record": [
            f"{seats.index(entry.userid) + 2 * entry.by_plan}{entry.move}" for entry in record
        ],
        "request": board.request,
        "made": board.made,
        "since": board.since,
    }


def unpacked(packed: Mapping[str, Any]) -> Match:
    """The match again; the times of its entries are not kept.

    The letters of both players are made from equal matches, and the next letters of a board from
    its record with one entry more: what has been replayed for the last ones is taken from there.
    """
    seats, record = tuple(packed["seats"]), packed["record"]
    game = games.load(packed["game"], packed["options"])
    agreed = terms.load(packed["terms"]) if "terms" in packed else Terms()  # none: of version 0.1
    board = (packed["number"], game, seats, packed["made"], agreed)
    known, match = _replayed.pop(board, ([], None))
    if match is None or record[: len(known)] != known:
        known, match = [], begin(*board)
    for entry in record[len(known) :]:
        by_plan, seat = divmod(int(entry[0]), 2)
        match = match.after(seats[seat], entry[1:], packed["made"], by_plan)
    request = Request(*packed["request"]) if packed["request"] else None
    if (match.request, match.since) != (request, packed["since"]):
        match = replace(match, request=request, since=packed["since"])
    if len(_replayed) >= _BOARDS:
        del _replayed[next(iter(_replayed))]
    _replayed[board] = record, match
    return match


_BOARDS = 300  # whose last match is remembered
_replayed: dict[tuple[Any, ...], tuple[list[str], Match]] = {}
