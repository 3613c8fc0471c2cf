"""The words of players to each other: the comment of a mail, the muting of words, and the album."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import Any

from ...command import is_courtesy
from ...match import Event, Match
from ..work.bot_budget import bot_of
from ..work.work import Work

MUTE = "mute"  # an event: a player mutes the opponent's words on a board, or wants them again
ROOM = 20_000  # characters of HTML for the words of an album
_ENDINGS = 4  # so many mails of a player are remembered by how they ended
_ENDING = 6  # lines at most
_LINE = 80  # characters of each
_LEAST = 4  # a game with fewer moves has no album


def comment(work: Work, userid: str) -> dict[str, Any] | None:
    """Return the comment of a player to the opponent in the mail at hand; None if there is none."""
    author = work.author
    if not userid or not author.comment:
        return None
    words = {"userid": userid, "text": author.comment, "cut": author.cut}
    return words if work.may_be(userid) else {**words, "unproved": True}


def leave_out_signature(work: Work, userid: str, must_stay: bool) -> None:
    """Leave the lines out of a player's comment that ended an earlier mail of the player too.

    ``must_stay``: the words are all that the mail is about, so they stay if nothing else would.
    """
    author = work.author
    if not userid or not author.comment:
        return
    known = work.tx.accounts.endings(userid)
    lines = author.comment.split("\n")
    ending = [line.strip()[:_LINE] for line in lines if line.strip()][-_ENDING:]
    newest = [ending, *(each for each in known if each != ending)][:_ENDINGS]
    if newest != known:
        work.tx.accounts.set_endings(userid, newest)
    count = _signature(ending, known)
    if not count or (must_stay and count == len(ending) == sum(map(bool, map(str.strip, lines)))):
        return
    while count:
        count -= bool(lines.pop().strip())
    signature = [line for line in author.comment.split("\n")[len(lines) :] if line.strip()]
    author.comment = "\n".join(lines).strip()
    author.unsigned = " / ".join(line.strip()[:_LINE] for line in signature)


def _signature(ending: Sequence[str], known: Sequence[Sequence[str]]) -> int:
    """Return how many of the last lines are a signature, by the endings of earlier mails.

    One line alone is one if it is like a name, and ended two of them. Courtesy may be said twice.
    """
    for count in range(len(ending), 0, -1):
        last = ending[-count:]
        times = sum(list(each[-count:]) == last for each in known)
        is_name = count > 1 or (times > 1 and all(word[0].isupper() for word in last[0].split()))
        if times and is_name and not all(map(is_courtesy, last)) and not is_courtesy(last[-1]):
            while count > 1 and is_courtesy(ending[-count]) and not ending[-count].endswith(","):
                count -= 1
            return count
    return 0


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
