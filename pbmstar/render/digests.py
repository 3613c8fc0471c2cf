"""The letter of several boards that a player gets once a day, from the facts of its recipe."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ..match import Happening
from . import hypertext
from .recipe import unpacked
from .view import View, view_of

MOST = 10  # boards that are shown whole
_ROOM = 60_000  # characters of HTML for their drawings: programs clip what is over 100 kB
_BESIDE = 1_500  # of a board besides its drawing


class Part(NamedTuple):
    """A board of a digest.

    name      what its lines begin with: ``Board 17, bob, 4 days left``
    waits     the reader is to move
    comments  what the opponent wrote, as in ``comment`` of a board's letter
    """

    view: View
    name: str
    waits: bool
    comments: list[dict[str, Any]]


def facts(packed: Mapping[str, Any]) -> dict[str, Any]:
    """What the template is filled with.

    waiting  how many boards wait; ``whole`` those of them that are shown, ``short`` the others, a
             line each
    others   boards on which something else has happened
    """
    parts = [_part(each, packed["reader"]) for each in packed["boards"]]
    waiting = [part for part in parts if part.waits]
    whole, room = 0, _ROOM
    for part in waiting[:MOST]:
        room -= len(hypertext.draw(part.view)) + _BESIDE
        if room < 0 and whole:
            break
        whole += 1
    short = [*(_short(part) for part in waiting[whole:]), *packed["short"]]
    return {
        **packed,
        "waiting": len(waiting) + len(packed["short"]),
        "whole": waiting[:whole],
        "short": short,
        "others": [part for part in parts if not part.waits],
    }


def _part(each: Mapping[str, Any], reader: str) -> Part:
    happened = [Happening(*one) for one in each["happenings"]]
    view = view_of(unpacked(each["match"]), reader, happened)
    return Part(view, each["name"], each["waits"], each["comments"])


def _short(part: Part) -> dict[str, Any]:
    match = part.view.match
    return {"name": part.name, "word": match.game.word, "number": match.number}
