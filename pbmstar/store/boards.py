"""Boards, their records, the reminders sent for their turns."""

from __future__ import annotations

from sqlalchemy import and_, delete, insert, literal_column, or_, select, update

from . import tables as t
from .rows import Board, Move
from .statements import Connection, every, p

_boards, _moves, _reminders = t.boards.c, t.moves.c, t.reminders.c
# Written out, not bound: a partial index serves only a condition that the planner can read.
_in_play = _boards.to_move != literal_column("''")
_playing = or_(_boards.first == p("userid"), _boards.second == p("userid"))

_BOARD = select(t.boards).where(_boards.board == p("board")).with_for_update()
_ADD_BOARD = insert(t.boards).values(**every(t.boards, "board")).returning(_boards.board)
_SET_TURN = (
    update(t.boards)
    .where(_boards.board == p("number"))
    .values(
        length=p("length"), to_move=p("to_move"), result=p("result"), since=p("since"), offer=""
    )
)
_SET_OFFER = update(t.boards).where(_boards.board == p("number")).values(offer=p("offer"))
_SET_RESETS = update(t.boards).where(_boards.board == p("number")).values(resets=_boards.resets + 1)
_DROP_BOARD = delete(t.boards).where(_boards.board == p("board"))
_DROP_MOVES = delete(t.moves).where(_moves.board == p("board"), _moves.seq >= p("seq"))
_DROP_REMINDERS = delete(t.reminders).where(_reminders.board == p("board"))
_BOARDS = select(t.boards).where(_boards.board > p("after")).order_by(_boards.board).limit(500)
_BOARDS_OF = select(t.boards).where(_playing).order_by(_boards.board)
_BOARDS_NEXT = (
    select(t.boards).where(_boards.to_move == p("userid"), _playing).order_by(_boards.board)
)
_BOARDS_ACTIVE = select(t.boards).where(_playing, _in_play).order_by(_boards.board)
_BOARDS_FINISHED = select(t.boards).where(_playing, ~_in_play).order_by(_boards.board)
_DUE = (
    select(t.boards)
    .where(
        _in_play,
        _boards.since <= p("before"),
        or_(
            _boards.since > p("since"),
            and_(_boards.since == p("since"), _boards.board > p("board")),
        ),
    )
    .order_by(_boards.since, _boards.board)
    .limit(500)
)
_MOVES = select(t.moves).where(_moves.board == p("board")).order_by(_moves.seq)
_ADD_MOVE = insert(t.moves).values(**every(t.moves))
_STRAY = (
    select(_moves.board)
    .where(_moves.board.not_in(select(_boards.board)))
    .group_by(_moves.board)
    .order_by(_moves.board)
)
_REMINDED = select(_reminders.stage, _reminders.letter, _reminders.at).where(
    _reminders.board == p("board"),
    _reminders.resets == p("resets"),
    _reminders.seq == p("seq"),
)
_ADD_REMINDER = insert(t.reminders).values(**every(t.reminders))


class Boards(Connection):
    """The part of a transaction that knows boards, their records, the reminders sent for their turns."""

    def board(self, number: int) -> Board | None:
        """The board of that number, locked till the end of the transaction."""
        row = self._row(_BOARD, board=number)
        return Board(*row) if row else None

    def add_board(self, board: Board) -> int:
        """Keep a new board; returns the number that it gets."""
        values = board._asdict()
        del values["board"]
        return int(self._row(_ADD_BOARD, **values)[0])

    def set_turn(self, board: int, length: int, to_move: str, result: str, since: float) -> None:
        """Keep what follows from a changed record; an open offer is void."""
        self._run(
            _SET_TURN, number=board, length=length, to_move=to_move, result=result, since=since
        )

    def set_offer(self, board: int, offer: str) -> None:
        """Keep a proposed score."""
        self._run(_SET_OFFER, number=board, offer=offer)

    def drop_board(self, board: int) -> None:
        """Delete a board with all that belongs to it."""
        self.cut_record(board, 0)
        self._run(_DROP_BOARD, board=board)

    def cut_record(self, board: int, seq: int) -> None:
        """Delete the record from ``seq`` on, and the reminders; earlier reply tokens are void."""
        self._run(_DROP_MOVES, board=board, seq=seq)
        self._run(_DROP_REMINDERS, board=board)
        self._run(_SET_RESETS, number=board)

    def boards(self, after: int = 0) -> list[Board]:
        """All boards with a number above ``after``, in order, at most 500."""
        return [Board(*row) for row in self._run(_BOARDS, after=after)]

    def boards_of(self, userid: str, state: str | None) -> list[Board]:
        """The boards of a player: all, or those that are next (his turn), active or finished."""
        statement = {
            "next": _BOARDS_NEXT,
            "active": _BOARDS_ACTIVE,
            "finished": _BOARDS_FINISHED,
        }.get(state or "", _BOARDS_OF)
        return [Board(*row) for row in self._run(statement, userid=userid)]

    def boards_due(self, before: float, after: tuple[float, int]) -> list[Board]:
        """Running boards whose turn began before then; pages of 500 after (since, board)."""
        rows = self._run(_DUE, before=before, since=after[0], board=after[1])
        return [Board(*row) for row in rows]

    def record(self, board: int) -> list[Move]:
        """The record of a board, in order."""
        return [Move(*row) for row in self._run(_MOVES, board=board)]

    def stray_records(self) -> list[int]:
        """The numbers of boards that are gone, but have a record."""
        return [number for (number,) in self._run(_STRAY)]

    def add_move(self, move: Move) -> None:
        """Add a row to a record."""
        self._run(_ADD_MOVE, **move._asdict())

    def reminded(self, board: int, resets: int, seq: int) -> list[tuple[str, int, float]]:
        """(stage, letter, at) of the reminders sent for that turn."""
        return list(self._run(_REMINDED, board=board, resets=resets, seq=seq))

    def add_reminder(
        self, board: int, resets: int, seq: int, stage: str, letter: int, at: float
    ) -> None:
        """Note a reminder. The primary key refuses a second of the same stage."""
        self._run(
            _ADD_REMINDER, board=board, resets=resets, seq=seq, stage=stage, letter=letter, at=at
        )
