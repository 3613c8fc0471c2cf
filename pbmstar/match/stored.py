"""The stored form of happenings, and the only readers of older forms.

A happening is stored as the word of its kind and its fields in order, as JSON has them. Letters under way and
digests have this as one list. The event of a board has the word and the userid in columns of their own, and
the other fields as a list: so no event names a player where a new name would not reach it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from ..errors import DAMAGE, Said
from ..features import modules
from . import happenings as h
from .happenings import Happening
from .record import CANCEL, DRAW, SCORE, UNDO, points_of

_encode = json.JSONEncoder(separators=(",", ":")).encode
Reader = Callable[..., Happening]


@cache
def kinds() -> dict[str, Any]:
    """Return the kinds of happenings by their words, those of features among them."""
    added = (kind for _, module in modules("happenings") for kind in module.HAPPENINGS)
    return {kind.word: kind for kind in (*get_args(Happening), *added) if kind is not h.OfFeature}


@cache
def _types(kind: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a kind, in order."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind)}


# -- in letters and digests


def pack(happenings: Iterable[Happening]) -> list[list[Any]]:
    """Return happenings in the form of JSON: the word of each kind, then its fields in order."""
    return [
        [each.word, *[_packed(getattr(each, name)) for name in each.__match_args__]]
        for each in happenings
    ]


def _packed(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_packed(each) for each in value]
    return value.stored() if isinstance(value, Said) else value


def unpack(rows: Iterable[list[Any]]) -> tuple[Happening, ...]:
    """Return the happenings that ``pack`` has packed. Raises KeyError for an unknown word."""
    return tuple(_unpacked(word, *map(_frozen, values)) for word, *values in rows)


def _unpacked(word: str, *values: Any) -> Happening:
    happening: Happening = (_older_lists().get(word) or kinds()[word])(*values)
    return happening


def _frozen(value: Any) -> Any:
    """Return a value with tuples in the place of the lists of JSON, and sentences as values."""
    if isinstance(value, dict):
        return Said.of(value)
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


# -- in the events of a board


def to_event(happening: Happening) -> tuple[str, str, str]:
    """Return the word, userid and other fields of a happening, as the row of an event has them.

    The userid is empty if the happening has none.
    """
    names = [name for name in happening.__match_args__ if name != "userid"]
    userid = getattr(happening, "userid", "")
    return happening.word, userid, _encode([getattr(happening, name) for name in names])


def from_event(word: str, userid: str, data: str) -> Happening:
    """Return the happening of the row of an event. Raises ValueError if it is none."""
    try:
        if not data.startswith("["):
            return (_older_events().get(word) or _of_word(word))(userid, data)
        kind, values = kinds()[word], json.loads(data)
        if "userid" in _types(kind):
            values.insert(0, userid)
        values = _frozen(values)
        if not kind.is_event or not all(map(_fits, values, _types(kind).values())):
            raise ValueError(data)
        happening: Happening = kind(*values)
    except DAMAGE as error:
        raise ValueError(f"{word} {data}") from error
    return happening


def _fits(value: Any, of: Any) -> bool:
    """Return True if a value is of a type: a name, a union, or a tuple."""
    each = get_args(of)
    if get_origin(of) is UnionType:
        return any(_fits(value, one) for one in each)
    if get_origin(of) is tuple:
        if not isinstance(value, tuple):
            return False
        each = each[:1] * len(value) if each[1:] == (...,) else each
        return len(each) == len(value) and all(map(_fits, value, each))
    return type(value) is of or (of is float and type(value) is int)


# -- older forms: lists with other fields, of letters and digests that an earlier version has left


@cache
def _older_lists() -> dict[str, Reader]:
    """Return the readers of lists by their words: they also read today's."""
    return {"proposed": _proposed, "refused": _refused, "rematch": _rematch} | _of_features()


def _of_features() -> dict[str, Reader]:
    """Return the readers by which features read their older forms."""
    readers: dict[str, Reader] = {}
    for _, module in modules("happenings"):
        readers |= getattr(module, "OLDER", {})
    return readers


def _proposed(*values: Any) -> Happening:
    """Read also a request that was one value: its kind, userid, data and time."""
    if len(values) == 1:
        kind, userid, data, _ = values[0]
        return h.Proposed(userid, kind, data)
    return h.Proposed(*values)


def _refused(userid: str, reason: str = "", *asked: Any) -> Happening:
    """Read also what was asked as one value, or None."""
    if len(asked) == 1:
        kind, _, data, _ = asked[0] or ("", "", "", 0.0)
        return h.Refused(userid, reason, kind, data)
    return h.Refused(userid, reason, *asked)


def _rematch(userid: str, board: int, games: int, won: tuple[Any, ...]) -> Happening:
    """Read also wins that have the userids of the players, in the order of the game before."""
    if won and isinstance(won[0], tuple):
        won = tuple(count for _, count in reversed(won))
    return h.Rematch(userid, board, games, won)


# -- older forms: a userid and a text, of events and of the letters of version 0.2.0


def of_text(word: str, userid: str, text: str) -> Happening:
    """Return the happening of a word, a userid and a text, as letters of version 0.2.0 have it.

    Raises KeyError for an unknown word.
    """
    return _of_word(word)(userid, text)


def _of_word(word: str) -> Reader:
    return _BY_HAND.get(word) or _by_field(kinds()[word])


@cache
def _older_events() -> dict[str, Reader]:
    """Return the readers of events whose texts are not those of letters."""
    return _EVENTS | _of_features()


def _by_field(kind: Any) -> Reader:
    """Return a reader of texts that have a word for each field; the last field has the rest of the text."""
    types = {field.name: field.type for field in fields(kind) if field.name != "userid"}

    def read(userid: str, text: str) -> Happening:
        parts = text.split(" ", max(0, len(types) - 1))
        pairs = zip(types.items(), parts, strict=False)
        values = {name: _READERS[of](part) for (name, of), part in pairs}
        by = (userid,) if "userid" in kind.__match_args__ else ()
        happening: Happening = kind(*by, **values)
        return happening

    return read


def _asked(userid: str, text: str) -> Happening:
    word, _, rest = text.partition(" ")
    if word == UNDO:
        return h.Proposed(userid, UNDO, rest)
    if word in (DRAW, CANCEL):
        return h.Proposed(userid, word, DRAW if word == DRAW else "")
    points_of(text)  # raises ValueError if they are none
    return h.Proposed(userid, SCORE, text)


def _overdue(userid: str, text: str) -> Happening:
    waited, *rest = text.split()
    left = float(rest[0]) if rest else None
    return h.Overdue(userid, float(waited), left, "first" in rest)


def _warned(userid: str, text: str) -> Happening:
    waited, left, *rest = text.split()
    return h.Warned(userid, float(waited), float(left), "first" in rest, "absent" in rest)


def _series(userid: str, text: str) -> Happening:
    board, count, *won = text.split(" ")
    return h.Rematch(userid, int(board), int(count), tuple(map(int, won[-1::-2])))


def _countered(userid: str, text: str) -> Happening:
    board, _, options = text.partition(" ")
    return h.Countered(userid, int(board), options)


def _banks(_userid: str, text: str) -> Happening:
    length, *banks = map(int, text.split(" "))
    return h.BanksSet(length, tuple(banks))


_READERS: dict[Any, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": ("lost", "settled", "leave").__contains__,
    "int | None": lambda text: None if text in ("", "off") else int(text),
    "float | None": lambda text: float(text) if text else None,
    "tuple[int, int] | None": points_of,
}
_BY_HAND: dict[str, Reader] = {
    "proposed": _asked,
    "undone": lambda userid, text: h.TakenBack(userid, tuple(text.split("; "))),
    "rematch": _series,
    "countered": _countered,
    "overdue": _overdue,
    "warning": _warned,
    "on-leave": lambda userid, text: of_text("leave-used", userid, text),
    "planned": lambda userid, text: h.PlanKept(userid, tuple(text.split("\n")) if text else ()),
    "unplayable": lambda userid, text: h.PlanFailed(userid, *text.partition(": ")[::2]),
}
_EVENTS: dict[str, Reader] = {
    "rematch": lambda userid, text: h.Rematched(userid, int(text)),
    "follows": lambda userid, text: h.Rematch(userid, int(text)),
    "countered": lambda userid, text: h.Countered(userid, 0, "", int(text)),
    "mute": lambda userid, text: h.Muted(userid, text == "on"),
    "banks": _banks,
}
