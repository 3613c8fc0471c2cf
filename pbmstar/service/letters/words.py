"""The words of players to each other: the comment of a mail, the muting of words, and the album."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

from ...match import Event, Match
from ..work.bot_budget import bot_of
from ..work.work import Work

MUTE = "mute"  # an event: a player mutes the opponent's words on a board, or wants them again
ROOM = 20_000  # characters of HTML for the words of an album
_LEAST = 4  # a game with fewer moves has no album


def comment(work: Work, userid: str) -> dict[str, Any] | None:
    """Return the comment of a player to the opponent in the mail at hand; None if there is none."""
    author = work.author
    if not userid or not author.comment:
        return None
    words = {"userid": userid, "text": author.comment, "cut": author.cut}
    return words if work.may_be(userid) else {**words, "unproved": True}


def muted(events: Sequence[Event], userid: str) -> bool:
    """Return True if a player has muted the opponent's words on a board; ``events``: those of the board."""
    switches = [event.data for event in events if (event.kind, event.userid) == (MUTE, userid)]
    return switches[-1:] == ["on"]


def album(work: Work, match: Match, reader: str, hears: bool) -> dict[str, Any]:
    """Return the fact of a letter that shows the album of a game to ``reader``.

    ``reader`` is a player of the game, or empty. A puzzle and a game of a few moves have no album: the fact
    is empty. Only players get the words, and those of the opponent only if the reader ``hears`` them. The
    words of the mail at hand are left out: they stand in the letter anyway.
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
    """Return the seconds that each player, except a bot, has taken after the opponent's moves, in all."""
    taken = Counter[str]()
    moves = [entry for entry in match.record if entry.number or entry.move == "swap"]
    for before, entry in pairwise(moves):
        taken[entry.userid] += int(entry.at - before.at)
    return {userid: taken[userid] for userid in match.seats if userid != bot}
