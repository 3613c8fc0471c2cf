"""Digests, one letter a day instead of many: their news, the time when they are due, and replies to them.

The boards that wait are found when a digest is written. Only the news that they would not show is stored
before: an opponent's words, and happenings on boards where the opponent is to move.

A letter about several boards of one player: a line of the reply names the board that it is about.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from ... import games
from ...errors import MISREAD, NOTHING, Sentence, say, together
from ...games.base import Game
from ...match import Change, Happening, dates
from ...match import happenings as h
from ...match.happenings import has_muted
from ...match.stored import pack
from ...render.board.clock_face import length
from ...render.facts import DigestBoard, DigestFacts, FurtherBoard, Occasion, PlayerComment
from ...render.recipe import packed
from ...render.roundup import WHOLE
from ...store import Board, User
from ..work.apply import load
from ..work.letter import PlainLetter, account_reply_to, asked_mark, signed
from ..work.timekeeping import left_on, urgency
from ..work.work import Work
from . import alerts
from .post import send
from .words import comment

# Happenings that the board shows by itself, and those about the reader's plan.
_PLAYED = (
    h.Talked | h.Moved | h.Passed | h.Swapped | h.Answered | h.PlanSilent | h.PlanFailed | h.Lapsed
)
_ENDED = (
    h.Resigned | h.Left | h.Forfeited | h.Agreed | h.Cancelled | h.Abandoned | h.Claimed | h.Judged
)  # fmt: skip
NAMED = 200  # the most waiting boards in a letter
Notes = Mapping[int, Sequence[Mapping[str, Any]]]  # news of a board, the oldest first
_EMPTY: Mapping[Any, Any] = MappingProxyType({})


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
        is_heard = not (own or has_muted(work.tx.boards.events(after.number), userid))
        words = comment(work, author) if is_heard else None
        note = {"happened": pack(seen), "comment": vars(words) if words else None}
        work.tx.digests.add_untold(userid, after.number, work.now, json.dumps(note))
    return False


# -- the time of the next digest


def with_due(work: Work, user: User) -> User:
    """Return the account with the time of its next digest; None if it wants none and no news waits."""
    if is_daily(user):
        last = work.tx.digests.last(user.userid)
        return user._replace(digest_due=dates.next_day(user.digest_at, user.zone, work.now, last))
    return user if work.tx.digests.untold(user.userid) else user._replace(digest_due=None)


def with_next(work: Work, user: User) -> User:
    """Return the account with a digest due at its usual time, since news waits for it."""
    return user._replace(digest_due=dates.next_day(user.digest_at, user.zone, work.now, work.now))


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


@contextmanager
def leaving_out(work: Work, board: int) -> Iterator[None]:
    """End the block if the board is damaged, and tell the operator: the letter goes without it."""
    try:
        yield
    except MISREAD as error:
        alerts.damaged(work.tx, work.context.config, work.now, f"board {board}", error)


def letter(
    work: Work,
    user: User,
    rows: Sequence[Board],
    news: Notes,
    others: Sequence[int] = (),
    is_news: bool = False,
    **facts: Any,
) -> PlainLetter | None:
    """Return a letter about boards that wait for a player, the most urgent ones first.

    It also tells of ``others``, on which something has happened. Damaged boards are left out. It is None if
    no board is left, unless its other ``facts`` are news (``is_news``). Without an ``occasion`` among these
    it is the daily letter.
    """
    left = dict[int, int | None]()
    for row in rows:
        with leaving_out(work, row.board):
            left[row.board] = left_on(work, row)
    known = [row for row in rows if row.board in left]
    waiting = sorted(known, key=lambda row: urgency(row, left[row.board]))
    told = _shown(work, others)
    if not (waiting or told or is_news):
        return None
    whole = _shown(work, [row.board for row in waiting[:WHOLE]])
    short = waiting[WHOLE:NAMED]
    turns = [
        *(_turn(row, asked_mark(work, load(work, row.board), user.userid)) for row in whole),
        *map(_turn, short),
    ]
    number = work.tx.digests.add(
        user.userid, work.now, f" {' '.join(map(str, turns))} ", daily="occasion" not in facts
    )
    whole_letter = DigestFacts(
        reader=user.userid,
        boards=[
            *(_part(work, user, row, news, left.get(row.board), waits=True) for row in whole),
            *(_part(work, user, row, news, None, waits=False) for row in told),
        ],
        short=[
            FurtherBoard(_name(user, row, left[row.board]), row.game, row.board) for row in short
        ],
        talk=any(each["comment"] for said in news.values() for each in said),
        drawing=user.drawing,
        at=at(user),
        zone=user.zone,
        **facts,
    )
    reply_to = signed(work, "digest", user.userid, number)
    heads = {"Reply-To": reply_to if turns else account_reply_to(work, user)}
    return PlainLetter.to(user, whole_letter, heads)


def send_about(
    work: Work,
    user: User,
    rows: Sequence[Board],
    occasion: Occasion,
    happened: Mapping[int, Sequence[Happening]] = _EMPTY,
    headers: Mapping[str, str] = _EMPTY,
) -> int | None:
    """Send a player a letter that is not the daily one; return its number.

    It is None if there is no board to show, unless the ``occasion`` says something without one.

    happened  what each board says of itself, by its number; one that is not among ``rows`` doesn't wait
    """
    others = happened.keys() - {row.board for row in rows}
    news = {board: [{"happened": pack(each), "comment": None}] for board, each in happened.items()}
    about = letter(
        work, user, rows, news, sorted(others), is_news=bool(occasion.said), occasion=occasion
    )
    if about is None:
        return None
    about = replace(about, headers={**about.headers, **headers}, answers=False)
    return send(work, about)[user.userid]


def _shown(work: Work, numbers: Iterable[int]) -> list[Board]:
    """Return the boards of these numbers that are there and can be shown whole."""
    boards = []
    for number in numbers:
        with leaving_out(work, number):
            if row := work.tx.boards.get(number):
                load(work, number)
                boards.append(row)
    return boards


def _turn(row: Board, mark: str = "") -> ShownBoard:
    return ShownBoard(row.board, row.resets, row.length, mark)


def _part(
    work: Work,
    user: User,
    row: Board,
    untold: Mapping[int, Sequence[Mapping[str, Any]]],
    left: int | None,
    waits: bool,
) -> DigestBoard:
    """Return a board of a digest: its last happenings, and all words to the player since the last one.

    ``left``: the seconds that the player still has, None for no limit.
    """
    notes = untold.get(row.board, ())
    return DigestBoard(
        name=_name(user, row, left),
        time=NOTHING if left is None else length(left),
        waits=waits,
        match=packed(row.match(()), work.tx.boards.record(row.board)),
        happened=notes[-1]["happened"] if notes else (),
        comments=[PlayerComment(**each["comment"]) for each in notes if each["comment"]],
    )


def _name(user: User, row: Board, left: int | None) -> Sentence:
    """Return the heading of a board; ``left``: the seconds that the player still has, None for no limit."""
    others = [each for each in row.seats if each != user.userid]
    time = "" if left is None else say("{time} left", time=length(left))
    return together(say("Board {number}", number=row.board), *others, time, by=", ")
