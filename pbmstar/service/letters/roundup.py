"""A letter about several boards of one player: a line of the reply names the board that it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from ...errors import MISREAD, NOTHING, Sentence, say, together
from ...match import Happening
from ...match.stored import pack
from ...render.board.clock_face import length
from ...render.facts import DigestBoard, DigestFacts, FurtherBoard, Occasion, PlayerComment
from ...render.recipe import packed
from ...render.roundup import WHOLE
from ...store import Board, User
from ..work.apply import load
from ..work.headers import account_reply_to, asked_mark, signed
from ..work.letter import PlainLetter
from ..work.timekeeping import left_on, urgency
from ..work.work import Work
from . import alerts, digests
from .digests import ShownBoard
from .post import send

NAMED = 200  # the most waiting boards in a letter
Notes = Mapping[int, Sequence[Mapping[str, Any]]]  # news of a board, the oldest first
_EMPTY: Mapping[Any, Any] = MappingProxyType({})


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
        at=digests.at(user),
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
