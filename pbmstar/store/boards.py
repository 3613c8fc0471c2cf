"""Boards: who plays, the record, requests, events, and when something is due."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Text, case, cast, delete, func, insert, literal_column, select, update

from ..match import Entry, Match, Request
from . import tables as t
from .clocks import Clocks
from .drafts import drafts
from .events import Events
from .notes import comments, notes
from .plans import plans
from .reminders import reminders
from .reviews import reviewed, reviews
from .rows import Board
from .statements import every, joined, p, upsert

LOOKED_AT = 1000  # boards that one transaction makes due at most
_boards, _seats, _requests, _moves = t.boards.c, t.seats.c, t.requests.c, t.moves.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_in_play = _boards.to_move != literal_column("''")
# One reading of a board brings along its players, the open request, and how many plans and notes
# there are.
_blank: Any = literal_column("' '")
_seat = cast(_seats.seat, Text) + _blank + _seats.userid + _blank + cast(_seats.bank, Text)
_players = select(joined(_seat)).where(_seats.board == _boards.board).scalar_subquery()
_planned = select(func.count()).where(plans.c.board == _boards.board).scalar_subquery()
_noted = select(func.count()).where(notes.c.board == _boards.board).scalar_subquery()
_board = select(
    t.boards,
    _players,
    _planned,
    _noted,
    _requests.kind,
    _requests.userid,
    _requests.data,
    _requests.at,
).outerjoin(t.requests, _requests.board == _boards.board)
_playing = _boards.board.in_(select(_seats.board).where(_seats.userid == p("userid")))

_BOARD = _board.where(_boards.board == p("board")).with_for_update(of=t.boards)
_ADD_BOARD = insert(t.boards).values(**every(t.boards, "board")).returning(_boards.board)
_ADD_SEAT = insert(t.seats).values(**every(t.seats))
_SET_TURN = (
    update(t.boards)
    .where(_boards.board == p("number"))
    .values(
        length=p("length"),
        to_move=p("to_move"),
        result=p("result"),
        since=p("since"),
        due=p("due"),
        resets=p("resets"),
        told=p("told"),
        clock_from=p("clock_from"),
    )
)
_COUNTED = _board.where(
    _in_play, _boards.since >= p("begin"), _boards.terms.like(literal_column("'%+%'"))
)
_SET_DUE = update(t.boards).where(_boards.board == p("number")).values(due=p("due"))
_NEXT_BOARDS = select(_boards.board).where(_boards.board > p("after")).order_by(_boards.board)
_LAST_OF_SOME = select(func.max(_NEXT_BOARDS.limit(p("most")).subquery().c.board))
_LOOK_AGAIN = (
    update(t.boards)
    .where(_in_play, _boards.board > p("after"), _boards.board <= p("last"))
    .values(due=_boards.since)
)
_new_request = upsert(t.requests).values(**every(t.requests))
_SET_REQUEST = _new_request.on_conflict_do_update(
    index_elements=["board"],
    set_={name: _new_request.excluded[name] for name in ("kind", "userid", "data", "at")},
)
_DROP_REQUEST = delete(t.requests).where(_requests.board == p("board"))
_DROP = [
    delete(table).where(table.c.board == p("board"))
    for table in (
        t.moves,
        reminders,
        t.requests,
        t.events,
        plans,
        drafts,
        notes,
        comments,
        reviews,
        reviewed,
        t.seats,
        t.boards,
    )
]
_CUT_MOVES = delete(t.moves).where(_moves.board == p("board"), _moves.seq >= p("seq"))
_DROP_REMINDERS = delete(reminders).where(reminders.c.board == p("board"))
_BOARDS = _board.where(_boards.board > p("after")).order_by(_boards.board).limit(500)
_of_player = _board.where(_playing).order_by(_boards.board)
_BOARDS_OF = {
    "": _of_player,
    "next": _of_player.where(_boards.to_move == p("userid")),
    "active": _of_player.where(_in_play),
    "finished": _of_player.where(~_in_play),
}
_moved = case((_boards.to_move != _seats.userid, _boards.since))
_seen = func.coalesce(func.max(_moved), t.users.c.made)
_LISTED = (
    select(t.users.c.userid, t.users.c.refuses, func.count(case((_in_play, 1))), _seen)
    .outerjoin(t.seats, _seats.userid == t.users.c.userid)
    .outerjoin(t.boards, _boards.board == _seats.board)
    .where(t.users.c.listed == 1, t.users.c.state == "active")
    .group_by(t.users.c.userid, t.users.c.refuses, t.users.c.made)
    .order_by(_seen.desc(), t.users.c.userid)
    .limit(p("count"))
)
_by_due = (
    select(_boards.board)
    .order_by(_boards.due, _boards.board)
    .limit(p("count"))
    .with_for_update(skip_locked=True)
)
# With "or" for both all boards are looked through when none is due.
_DUE, _BEYOND = _by_due.where(_boards.due <= p("now")), _by_due.where(_boards.due > p("now"))
_RUNNING = select(_in_play, func.count()).group_by(_in_play)
_MOVES = (
    select(_moves.number, _moves.userid, _moves.move, _moves.at, _moves.by_plan, _moves.began)
    .where(_moves.board == p("board"))
    .order_by(_moves.seq)
)
_PLAYED = select(func.max(_moves.number)).where(_moves.board == p("board"))
_PLACES = select(_moves.seq).where(_moves.board == p("board")).order_by(_moves.seq)
_ADD_MOVE = insert(t.moves).values(**every(t.moves))
_STRAY = (
    select(_moves.board)
    .where(_moves.board.not_in(select(_boards.board)))
    .group_by(_moves.board)
    .order_by(_moves.board)
)


class Boards(Clocks, Events):
    """The part of a transaction that knows boards and all that belongs to one."""

    def board(self, number: int) -> Board | None:
        """The board of that number, locked till the end of the transaction."""
        board: Board | None = self._cached.get(("board", number))
        if board is None and (row := self._row(_BOARD, board=number)):
            board = self._cached["board", number] = _read(row)
        return board

    def add_board(self, board: Board) -> int:
        """Keep a new board with its players; returns the number that it gets."""
        values = board._asdict()
        for name in ("board", "seats", "banks", "request", "planned", "noted"):
            del values[name]
        number = int(self._row(_ADD_BOARD, **values)[0])
        self._run_each(
            _ADD_SEAT,
            [
                {"board": number, "seat": seat, "userid": userid, "bank": bank}
                for seat, (userid, bank) in enumerate(zip(board.seats, board.banks, strict=True))
            ],
        )
        return number

    def save(self, before: Match, after: Match) -> None:
        """Keep what an act has made of a match: its entries, the request, and what is cached of them."""
        number = after.number
        self._forget("board", number)
        if len(after.record) < len(before.record):
            self.cut_record(number, len(after.record))
        for seq in range(len(before.record), len(after.record)):
            self._do(_ADD_MOVE, board=number, seq=seq, **after.record[seq]._asdict())
        if after.request != before.request:
            self._set_request(number, after.request)
        self.set_banks(number, before.clock.banks, after.clock.banks)
        if after.plans != before.plans:
            self.set_plans(after)
        if len(after.record) != len(before.record) or after.resets != before.resets:
            self._do(
                _SET_TURN,
                number=number,
                length=len(after.record),
                to_move=after.to_move,
                result=after.result,
                since=after.since,
                due=None if after.position.over else after.since,
                resets=after.resets,
                told=after.clock.told,
                clock_from=after.clock.began,
            )

    def counted_since(self, begin: float) -> list[Board]:
        """The running boards where time is kept from turn to turn, with a move after ``begin``."""
        return [_read(row) for row in self._run(_COUNTED, begin=begin).fetchall()]

    def _set_request(self, board: int, request: Request | None) -> None:
        if request is None:
            self._do(_DROP_REQUEST, board=board)
        else:
            self._do(_SET_REQUEST, board=board, **request._asdict())

    def cut_record(self, board: int, seq: int) -> None:
        """Delete the record from ``seq`` on, reminders and plans; ``save`` keeps what follows from it."""
        self._forget("board", board)
        self.drop_plans(board)
        self._do(_CUT_MOVES, board=board, seq=seq)
        self._do(_DROP_REMINDERS, board=board)

    def drop_board(self, board: int) -> None:
        """Delete a board with all that belongs to it."""
        self._forget("board", board)
        for statement in _DROP:
            self._do(statement, board=board)

    def boards(self, after: int = 0) -> list[Board]:
        """All boards with a number above ``after``, in order, at most 500."""
        return [_read(row) for row in self._run(_BOARDS, after=after).fetchall()]

    def boards_of(self, userid: str, state: str = "") -> list[Board]:
        """The boards of a player: all, or those where they are ``next``, ``active``, ``finished``."""
        return [_read(row) for row in self._run(_BOARDS_OF[state], userid=userid).fetchall()]

    def listed(self, count: int) -> list[tuple[str, str, int, float]]:
        """At most so many players who may be named to others, those seen last first.

        Of each the userid, the games refused, how many games run, and about when they last played.
        """
        return [(*row,) for row in self._run(_LISTED, count=count).fetchall()]

    def board_states(self) -> dict[str, int]:
        """How many boards are running, and how many over."""
        counts = {bool(running): int(count) for running, count in self._run(_RUNNING)}
        return {"running": counts.get(True, 0), "over": counts.get(False, 0)}

    def boards_due(self, now: float, beyond: float, count: int) -> list[int]:
        """The numbers of at most ``count`` boards that are due, the longest due first, locked.

        One that is due only after ``beyond`` is due now: the clock was wrong when that was set.

        Those that somebody else works on are left out: who waits for many boards while holding
        others could wait for ever.
        """
        due = [number for (number,) in self._run(_DUE, now=now, count=count).fetchall()]
        if len(due) < count:
            due += [n for (n,) in self._run(_BEYOND, now=beyond, count=count - len(due)).fetchall()]
        return due

    def set_due(self, board: int, due: float | None) -> None:
        """Nothing is to be done for that board before ``due``, or at all until it changes."""
        self._forget("board", board)
        self._do(_SET_DUE, number=board, due=due)

    def look_again(self, after: int) -> int:
        """Make running boards with numbers above ``after`` due: by other rules something may be to be
        done for them. Returns the last number looked at, 0 if there is none: not all go together."""
        last = self._row(_LAST_OF_SOME, after=after, most=LOOKED_AT)[0] or 0
        self._cached.clear()
        self._do(_LOOK_AGAIN, after=after, last=last)
        return int(last)

    def record(self, board: int) -> list[Entry]:
        """The record of a board, in order."""
        return [Entry(*row) for row in self._run(_MOVES, board=board).fetchall()]

    def played(self, board: int) -> int:
        """The number of a board's last move; 0 before the first."""
        return int(self._row(_PLAYED, board=board)[0] or 0)

    def places(self, board: int) -> list[int]:
        """Where the entries of a record stand: 0, 1, 2 ... if nothing is missing."""
        return [seq for (seq,) in self._run(_PLACES, board=board).fetchall()]

    def stray_records(self) -> list[int]:
        """The numbers of boards that are gone, but have a record."""
        return [number for (number,) in self._run(_STRAY).fetchall()]


def _read(row: Any) -> Board:
    """A row of ``_board`` as a value."""
    *columns, players, planned, noted, kind, userid, data, at = row
    seats = [each.split(" ") for each in sorted(players.split(","))]
    userids, banks = tuple(each[1] for each in seats), tuple(int(each[2]) for each in seats)
    request = Request(kind, userid, data, at) if kind is not None else None
    return Board._make((*columns, userids, banks, request, planned, noted))
