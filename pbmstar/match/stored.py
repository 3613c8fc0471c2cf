"""Stored happenings: field by field in letters under way and digests, as texts in the events of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from typing import Any, get_args

from ..features import modules
from . import happenings as h
from .happenings import Happening
from .record import CANCEL, DRAW, SCORE, UNDO, Event, Request, points_of


@cache
def kinds() -> dict[str, Any]:
    """Return the kinds of happenings by their words, those of features among them."""
    added = (kind for _, module in modules("happenings") for kind in module.HAPPENINGS)
    return {kind.word: kind for kind in (*get_args(Happening), *added) if kind is not h.OfFeature}


def pack(happenings: Iterable[Happening]) -> list[list[Any]]:
    """Return happenings in the form of JSON: the word of each kind, then its fields in order."""
    return [
        [each.word, *(getattr(each, name) for name in each.__match_args__)] for each in happenings
    ]


def unpack(rows: Iterable[list[Any]]) -> tuple[Happening, ...]:
    """Return the happenings that ``pack`` has packed. Raises KeyError for an unknown word."""
    return tuple(_unpacked(*row) for row in rows)


def _unpacked(word: str, *values: Any) -> Happening:
    if word == "proposed":
        return h.Proposed(Request(*values[0]))
    if word == "refused" and len(values) > 2 and values[2]:
        userid, reason, request = values
        return h.Refused(userid, reason, Request(*request))
    happening: Happening = kinds()[word](*map(_frozen, values))
    return happening


def _frozen(value: Any) -> Any:
    """Return a value with tuples in the place of the lists of JSON."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


# -- events: the happenings beside the moves, each a word and a text


def event_of(happening: Happening) -> tuple[str, str, str] | None:
    """Return word, userid and text of a happening that is kept beside the moves; None for any other.

    The record has the moves and the ends of a game, and the board has its open request.
    """
    match happening:
        case h.Proposed(request):
            return "proposed", request.userid, named(request)
        case h.Refused(userid, reason, _):
            return "refused", userid, reason
        case h.TakenBack(userid, moves):
            return "undone", userid, "; ".join(moves)
        case h.Retracted(userid, move):
            return "retracted", userid, move
        case h.Unreached(userid, days):
            return "unreached", userid, f"{days:g}"
        case h.Reset(due):
            return "reset", "", str(due)
        case h.Extended(userid, seconds, gained, length):
            return "extended", userid, f"{seconds} {gained} {length}"
    return None


def named(request: Request) -> str:
    """Return a request as one text: ``11 10``, ``draw``, ``cancel``, ``undo F6; G7``."""
    return f"{UNDO} {request.data}" if request.kind == UNDO else request.data or request.kind


def happening_of(event: Event) -> Happening:
    """Return the happening of an event. Raises KeyError for a kind that only ``recorded`` knows."""
    return of_text(event.kind, event.userid, event.data)


def of_text(word: str, userid: str, text: str) -> Happening:
    """Return the happening of a word, a userid and a text, as events and letters of version 0.2.0 have it.

    Raises KeyError for an unknown word.
    """
    if word in _BY_HAND:
        return _BY_HAND[word](userid, text)
    kind = kinds()[word]
    types = {field.name: field.type for field in fields(kind) if field.name != "userid"}
    parts = text.split(" ", max(0, len(types) - 1))
    values = {
        name: _READERS[of](part) for (name, of), part in zip(types.items(), parts, strict=False)
    }
    happening: Happening = (
        kind(userid, **values) if "userid" in kind.__match_args__ else kind(**values)
    )
    return happening


def _request(userid: str, text: str) -> Request:
    word, _, rest = text.partition(" ")
    if word == UNDO:
        return Request(UNDO, userid, rest, 0.0)
    if word in (DRAW, CANCEL):
        return Request(word, userid, DRAW if word == DRAW else "", 0.0)
    return Request(SCORE, userid, text, 0.0)


def _overdue(userid: str, text: str) -> Happening:
    waited, *rest = text.split()
    left = float(rest[0]) if rest else None
    return h.Overdue(userid, float(waited), left, "first" in rest)


def _warned(userid: str, text: str) -> Happening:
    waited, left, *rest = text.split()
    return h.Warned(userid, float(waited), float(left), "first" in rest, "absent" in rest)


def _rematch(userid: str, text: str) -> Happening:
    board, count, *won = text.split(" ")
    each = zip(won[::2], map(int, won[1::2]), strict=True)
    return h.Rematch(userid, int(board), int(count), tuple(each))


# A text has a word for each field after the userid; the last field has the rest of the text.
_READERS: dict[Any, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": ("lost", "settled", "leave").__contains__,
    "int | None": lambda text: None if text in ("", "off") else int(text),
    "float | None": lambda text: float(text) if text else None,
    "tuple[int, int] | None": points_of,
}
_BY_HAND: dict[str, Callable[[str, str], Happening]] = {
    "proposed": lambda userid, text: h.Proposed(_request(userid, text)),
    "undone": lambda userid, text: h.TakenBack(userid, tuple(text.split("; "))),
    "rematch": _rematch,
    "overdue": _overdue,
    "warning": _warned,
    "on-leave": lambda userid, text: of_text("leave-used", userid, text),
    "planned": lambda userid, text: h.PlanKept(userid, tuple(text.split("\n")) if text else ()),
    "unplayable": lambda userid, text: h.PlanFailed(userid, *text.partition(": ")[::2]),
}
