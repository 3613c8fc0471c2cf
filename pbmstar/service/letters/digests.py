"""Digests, one letter a day instead of many: their news, the time when they are due, and replies to them.

The boards that wait are found when a digest is written. Only the news that they would not show is stored
before: an opponent's words, and happenings on boards where the opponent is to move.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ... import games
from ...games.base import Game
from ...match import Change, zones
from ...match import happenings as h
from ...match.stored import pack
from ...store import User
from ..work.work import Work
from .words import comment, muted

# Happenings that the board shows by itself, and those about the reader's plan.
_PLAYED = (
    h.Talked | h.Moved | h.Passed | h.Swapped | h.Answered | h.PlanSilent | h.PlanFailed | h.Lapsed
)
_ENDED = (
    h.Resigned | h.Left | h.Forfeited | h.Agreed | h.Cancelled | h.Abandoned | h.Claimed | h.Judged
)  # fmt: skip


class ShownBoard(NamedTuple):
    """The turn of a board that a digest showed, with the mark of the opponent's request."""

    board: int
    resets: int
    length: int
    mark: str = ""

    def __str__(self) -> str:
        return ".".join(
            map(str, filter(None, (f"{self.board}.{self.resets}.{self.length}", self.mark)))
        )

    @classmethod
    def read(cls, word: str) -> ShownBoard:
        """Read a board from the text that ``str`` makes of it."""
        board, resets, length, *mark = word.split(".")
        return cls(int(board), int(resets), int(length), *mark)


# -- letters that go at once, and news for the next digest


def readers(work: Work, change: Change, author: str, to: Sequence[str]) -> list[str]:
    """Return the players of ``to`` who get a letter now; for the others store the news for their digests."""
    return [each for each in to if _is_told_now(work, change, each, author)]


def _is_told_now(work: Work, change: Change, userid: str, author: str) -> bool:
    user, after = work.tx.accounts.user(userid), change.after
    if user is None or user.letters == "each" or len(after.seats) == 1:
        return True
    seen = h.seen_by(change.happenings, userid)
    own = userid == author
    if own and isinstance(seen[0], h.Talked):  # the author needs no copy of the words
        return work.words.is_cut or len(seen) > 1
    if not all(isinstance(each, _PLAYED | _ENDED) for each in seen) or (own and work.words.is_cut):
        return True
    receipt = own and not after.position.over and after.to_move != userid
    if user.letters == "mine":
        return not receipt
    if not receipt and user.state != "closed":
        is_heard = not (own or muted(work.tx.boards.events(after.number), userid))
        words = comment(work, author) if is_heard else None
        note = {"happened": pack(seen), "comment": vars(words) if words else None}
        work.tx.digests.add_untold(userid, after.number, work.now, json.dumps(note))
    return False


# -- the time of the next digest


def with_due(work: Work, user: User) -> User:
    """Return the account with the time of its next digest; None if it wants none and no news waits."""
    if is_daily(user):
        last = work.tx.digests.last(user.userid)
        return user._replace(digest_due=zones.next_day(user.digest_at, user.zone, work.now, last))
    return user if work.tx.digests.untold(user.userid) else user._replace(digest_due=None)


def with_next(work: Work, user: User) -> User:
    """Return the account with a digest due at its usual time, since news waits for it."""
    return user._replace(digest_due=zones.next_day(user.digest_at, user.zone, work.now, work.now))


def is_daily(user: User) -> bool:
    """Return True if a player wants a letter a day, about all boards or about offers of games."""
    return user.letters == "daily" or bool(user.lobby)


def at(user: User) -> str:
    """Return the time of the day at which a player's digest comes."""
    return f"{user.digest_at // 60:02}:{user.digest_at % 60:02}"


# -- replies to a digest


def listed(work: Work, boards: str) -> dict[int, ShownBoard]:
    """Return the turns in the text of a digest, by board, without the boards that are gone."""
    turns = map(ShownBoard.read, boards.split())
    return {turn.board: turn for turn in turns if work.tx.boards.get(turn.board)}


def kinds(work: Work, boards: Iterable[int]) -> dict[int, type[Game]]:
    """Return the game of each board."""
    rows = [row for board in boards if (row := work.tx.boards.get(board))]
    return {row.board: type(games.load(row.game, row.options)) for row in rows}
