"""The words of players to each other: the comment of a message, and the album."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from itertools import pairwise

from ...command import is_courtesy
from ...grammar.literals import MASK
from ...identity import addresses
from ...inbound.lines import shortened
from ...match import Match
from ...render.facts import AlbumFacts, PlayerComment
from ...store.play.notebook import Comment
from ..work.work import Work

ROOM = 20_000  # characters of HTML for the words of an album
_ENDINGS = 4  # so many messages of a player are remembered by how they ended
_ENDING = 10  # lines at most; so many of them are a text and no signature
_MARK = 12  # characters of a line's hash
_BOARDS = 50  # on which the player has written, at most
_LEAST = 4  # a game with fewer moves has no album


def comment(work: Work, userid: str) -> PlayerComment | None:
    """Return the comment of a player to the opponent in the mail at hand; None if there is none."""
    if userid and work.words.text:
        text, is_masked = for_others(work, work.words.text, userid)
        if is_masked:
            work.words = work.words._replace(text=text, masked=True)
    words = work.words
    if not userid or not words.text:
        return None
    return PlayerComment(userid, words.text, words.is_shortened, not work.may_be(userid))


def for_others(work: Work, text: str, userid: str) -> tuple[str, bool]:
    """Return a player's words as others may read them, and True if something was left out.

    All words that go to other people pass here. They tell no address of their writer, and no address of ours
    that a reply goes to. A line that says nothing else is left out.
    """
    if not _MAY_TELL.search(text):
        return text, False
    config, user = work.context.config, work.tx.accounts.user(userid)
    stored = {work.sender.address, *(work.tx.accounts.addresses(user) if user else ())} - {""}
    own = stored.union(map(addresses.shown, stored))
    told = [re.escape(each).replace("@", _AT) for each in sorted(own)]
    ours = rf"{re.escape(config.local)}{_PLUS}[a-z0-9_-]{{12,}}(?:{_AT}{re.escape(config.domain)})?"
    address = re.compile("|".join([*told, ours]), re.I)
    lines = [(line, address.sub(MASK, line)) for line in text.split("\n")]
    kept = [
        masked for line, masked in lines if line == masked or not _NOTHING_ELSE.fullmatch(masked)
    ]
    return "\n".join(kept).strip("\n"), any(line != masked for line, masked in lines)


def comments(work: Work, board: int) -> list[Comment]:
    """Return the comments of the players of a board, in order, as others may read them.

    Those that an earlier version has stored may still tell an address.
    """
    return [
        each._replace(text=for_others(work, each.text, each.userid)[0])
        for each in work.tx.notebook.comments(board)
    ]


_AT, _PLUS = "(?:[@\uff20\ufe6b]|%40)", r"(?:\+|%2b)"  # as they are, and as links have them
# Each branch begins with a character: a search then skips most of a text at once.
_MAY_TELL = re.compile(r"@|\uff20|\ufe6b|\+|%40|%2[bB]")
_NOTHING_ELSE = re.compile(r"(?:[^\W\d_][^:\uff1a]{0,29}[:\uff1a])?\W*", re.I)


def leave_out_signature(work: Work, userid: str, board: int, must_stay: bool) -> bool:
    """Leave the lines out of a player's comment that ended an earlier mail of the player too.

    Only a message that is proved to be the player's counts. ``must_stay``: the words are all that the mail is
    about, so they stay if nothing else would. Return True if no words of the player on that board are
    remembered.
    """
    if not userid or work.proved != userid or not work.words.text:
        return False
    kept = work.tx.accounts.endings(userid)
    boards, known = kept.get("boards", []), kept.get("ends", [])
    lines = work.words.text.split("\n")
    spoken = [line for line in map(str.strip, lines) if line]
    ending = [sha256(line.encode()).hexdigest()[:_MARK] for line in spoken[-_ENDING:]]
    newest = [ending, *[each for each in known if each != ending]][:_ENDINGS]
    written = [board, *[each for each in boards if each != board]][:_BOARDS]
    if (written, newest) != (boards, known):
        work.tx.accounts.set_endings(userid, {"boards": written, "ends": newest})
    count = _signature(spoken[-_ENDING:], ending, known)
    if count and not (must_stay and count == len(spoken)):
        left = count
        while left:
            left -= bool(lines.pop().strip())
        signature = " / ".join(map(shortened, spoken[-count:]))
        work.words = work.words._replace(text="\n".join(lines).strip(), signature=signature)
    return board not in boards


def _signature(spoken: Sequence[str], ending: Sequence[str], known: Sequence[Sequence[str]]) -> int:
    """Return how many of the last lines are a signature, by the marks of earlier ones.

    One line alone is one if it is like a name, and ended two messages. Courtesy may be said twice, and so may
    a text of many lines.
    """
    known = [each for each in known if each[-1:] == ending[-1:]]
    if not known or (len(ending) == _ENDING and list(ending) in map(list, known)):
        return 0
    for count in range(len(ending), 0, -1):
        times = sum(list(each[-count:]) == list(ending[-count:]) for each in known)
        last = spoken[-count:]
        is_name = count > 1 or (times > 1 and all(word[0].isupper() for word in last[0].split()))
        if times and is_name and not is_courtesy(last[-1]):
            is_begun = is_courtesy(last[0]) and not last[0].endswith(",")
            return count - (is_begun and count > 1)
    return 0


def album(work: Work, match: Match, reader: str, hears: bool, is_asked: bool) -> AlbumFacts | None:
    """Return what the album of a game tells ``reader``; None for a puzzle, and for a game of a few moves.

    ``reader`` is a player of the game, or empty. Only players get the words, and the opponent's words only
    if the reader ``hears`` them. The words of the mail at hand are left out: they stand in the letter anyway.
    A reader who has asked for the album (``is_asked``) is told what else there is about the game.
    """
    if len(match.seats) == 1 or match.position.played - match.offset < _LEAST:
        return None
    said = [
        (each.length, each.userid, each.text)
        for each in (comments(work, match.number) if reader else ())
        if (hears or each.userid == reader) and each.at < work.now
    ]
    words, room = list[tuple[int, str, str]](), ROOM
    for place, userid, text in said:
        room -= len(escape(text).encode("ascii", "xmlcharrefreplace"))
        if room < 0:
            break
        words.append((place, userid, text))
    return AlbumFacts(words, len(said) - len(words), _taken(match), is_asked)


def _taken(match: Match) -> dict[str, int]:
    """Return the seconds that each player, except a program, has taken after the opponent's moves, in all."""
    taken = Counter[str]()
    moves = [entry for entry in match.record if entry.number or entry.move == "swap"]
    for before, entry in pairwise(moves):
        taken[entry.userid] += int(entry.at - before.at)
    return {userid: taken[userid] for userid in match.seats if userid != match.program}
