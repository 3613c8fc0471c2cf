"""The stored form of happenings.

A happening is stored as the word of its kind and its fields in order, as JSON has them. Letters under way and
digests have this as one list. The event of a board has the word and the userid in columns of their own, and
the other fields as a list: so no event names a player where a new name would not reach it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from ..errors import MISREAD, Sentence
from ..parts import modules
from . import bots
from . import happenings as h
from .happenings import Happening

_encode = json.JSONEncoder(separators=(",", ":")).encode


_ITSELF = (
    bots.BotPlayed, bots.BotWaits, bots.BotRests, bots.BotThinks, h.OfferTaken, h.Invited,
)  # fmt: skip


@cache
def kinds() -> dict[str, Any]:
    """Return the kinds of happenings by their words, features' kinds too."""
    added = (kind for _, module in modules("commands") for kind in module.COMMANDS.happenings)
    own = (kind for kind in get_args(Happening) if kind is not h.Itself)
    return {kind.word: kind for kind in (*own, *_ITSELF, *added)}


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
    return value.stored() if isinstance(value, Sentence) else value


def unpack(rows: Iterable[list[Any]]) -> tuple[Happening, ...]:
    """Return the happenings that ``pack`` has packed. Raises KeyError for an unknown word."""
    return tuple(_unpacked(word, *map(_frozen, values)) for word, *values in rows)


def _unpacked(word: str, *values: Any) -> Happening:
    happening: Happening = kinds()[word](*values)
    return happening


def _frozen(value: Any) -> Any:
    """Return a value with tuples in the place of the lists of JSON, and sentences as values."""
    if isinstance(value, dict):
        return Sentence.of(value)
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
        kind, values = kinds()[word], json.loads(data)
        if "userid" in _types(kind):
            values.insert(0, userid)
        values = _frozen(values)
        if not kind.is_event or not all(map(_fits, values, _types(kind).values())):
            raise ValueError(data)
        happening: Happening = kind(*values)
    except MISREAD as error:
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
