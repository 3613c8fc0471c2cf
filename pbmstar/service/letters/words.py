"""The words of players to each other: those of a mail, who hears them, and the album that keeps them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

from ...match import Event, Match
from ..work.bot_budget import bot_of
from ..work.work import Work

MUTE = "mute"  # the event: a player wants the opponent's words on a board no more, or again
ROOM = 20_000  # characters of HTML for the words of an album
_LEAST = 4  # moves of a game that there is something to say about


def comment(work: Work, userid: str) -> dict[str, Any] | None:
    """Return what a player writes to the opponent in the mail at hand; None if that is nothing."""
    author = work.author
    if not userid or not author.comment:
        return None
    words = {"userid": userid, "text": author.comment, "cut": author.cut}
    return words if work.may_be(userid) else {**words, "unproved": True}


def muted(events: Sequence[Event], userid: str) -> bool:
    """Return True if a player wants no words of the opponent on a board, by its events."""
    switches = [event.data for event in events if (event.kind, event.userid) == (MUTE, userid)]
    return switches[-1:] == ["on"]


def album(work: Work, match: Match, reader: str, hears: bool) -> dict[str, Any]:
    """Return the fact of a letter that shows the album of a game to ``reader``, a player of it or empty.

    Nothing for a puzzle, and for a game of a few moves. Only players are told what was written, by the
    opponent only one who ``hears`` that; what is written now stands in the letter anyway.
    """
    if len(match.seats) == 1 or match.position.played < _LEAST:
        return {}
    said = [
        [each.length, each.userid, each.text]
        for each in (work.tx.notebook.comments(match.number) if reader else ())
        if (hears or each.userid == reader) and each.at < work.now
    ]
    words, room = list[list[object]](), ROOM
    for place, userid, text in said:
        room -= len(escape(str(text)).encode("ascii", "xmlcharrefreplace"))
        if room < 0:
            break
        words.append([place, userid, text])
    return {
        "album": {
            "words": words,
            "more": len(said) - len(words),
            "time": _taken(match, bot_of(work.tx, match.seats)),
        }
    }


def _taken(match: Match, bot: str) -> dict[str, int]:
    """Return the seconds from the opponent's moves to each player's own, all together; none of a bot."""
    taken = Counter[str]()
    moves = [entry for entry in match.record if entry.number or entry.move == "swap"]
    for before, entry in pairwise(moves):
        taken[entry.userid] += int(entry.at - before.at)
    return {userid: taken[userid] for userid in match.seats if userid != bot}
