"""Boards: players, record, plans, requests, events, clock, and the time when one is due."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Table

from ... import games
from ...errors import MISREAD, IllegalMove, Refusal
from ...machine.times import Epoch
from ...match import (
    RESULTS,
    Clock,
    Entry,
    Event,
    Happening,
    Match,
    Request,
    Terms,
    begin,
    replay,
    terms,
)
from ...match.plan_grammar import write
from ...match.stored import from_event, to_event
from .. import schema as t
from ..columns import require_form, shapes
from ..statements import Repository, columns, find, renew

LOOKED_AT = 1000  # boards that one transaction makes due at most
Rows = dict[str, list[dict[str, Any]]]


class Board(NamedTuple):
    """A board's row, its players in the order of the seats, and the open request; see schema.boards."""

    board: int
    game: str
    options: str
    made: Epoch
    resets: int
    length: int
    to_move: str
    result: str
    since: Epoch
    due: Epoch | None
    terms: str
    told: int | None
    clock_from: float | None
    proved: int
    seats: tuple[str, ...]
    banks: tuple[int, ...]
    request: Request | None = None
    planned: int = 0  # the number of its players with a plan
    noted: int = 0  # the number of their notes
    happened: int = 0  # the number of events
    counts: tuple[tuple[str, int], ...] = ()  # rows in each table that is ``counted``

    @property
    def agreed(self) -> Terms:
        """Return the terms that its players have agreed on. Raises IllegalMove for damaged ones."""
        try:
            return terms.load(self.terms)
        except MISREAD:
            raise _damaged(self.board) from None

    @property
    def clock(self) -> Clock:
        """Return the time of the players."""
        return Clock(self.banks, self.told, self.clock_from)

    def match(self, record: Iterable[Entry]) -> Match:
        """Return the match of this row with that record. Raises IllegalMove if one of them is damaged."""
        try:
            game = games.load(self.game, self.options)
            start = begin(self.board, game, self.seats, self.made, self.agreed)
            return replace(
                replay(start, record),
                request=self.request,
                resets=self.resets,
                since=self.since,
                clock=self.clock,
            )
        except IllegalMove:
            raise
        except Refusal as error:  # there is no such game, or it has no such options
            raise IllegalMove(str(error), "corrupt") from None
        except MISREAD:
            raise _damaged(self.board) from None


class PlanRow(NamedTuple):
    """A row with a player's plan; see schema.plans."""

    userid: str
    resets: int
    length: int
    plan: str


class EventRow(NamedTuple):
    """A row with a happening beside the moves; see schema.events."""

    n: int
    at: Epoch
    kind: str
    userid: str
    data: str


# SQLite keeps any value in any column. A row with other types than these is damaged.
_NUMBER, _TEXT, _TIME, _NULL = (int,), (str,), (float,), (type(None),)
_ROW = shapes(
    _NUMBER, _TEXT, _TEXT, _TIME, _NUMBER, _NUMBER, _TEXT, _TEXT, _TIME,
    _TIME + _NULL, _TEXT, _NUMBER + _NULL, _TIME + _NULL, _NUMBER,
)  # fmt: skip
_ENTRY = shapes(_NUMBER + _NULL, _TEXT, _TEXT, _TIME, _NUMBER, _TIME + _NULL)
_PLAYER, _NOBODY = (str, int), (type(None), type(None))
_SEATS = {(1, *_PLAYER, *_NOBODY), (2, *_PLAYER, *_PLAYER)}
_EVENT = shapes(_NUMBER, _TIME, _TEXT, _TEXT, _TEXT)

_FIXED = len(t.boards.c) + 8  # columns of a row of ``_boards`` before the features' columns


@cache
def _counted() -> list[Table]:
    """Return the tables of features of which a board comes with the number of its rows there."""
    return t.marked("counted")


@cache
def _boards() -> str:
    """Return the statement that finds boards, as ``_read`` takes them.

    A row is a board, its players, the numbers of seats, plans, notes, events and of the rows that features
    count, and the open request.
    """
    counts = ", ".join(
        f"(SELECT count(*) FROM {table.name} WHERE {table.name}.board = boards.board)"
        for table in (t.seats, t.plans, t.notes, t.events, *_counted())
    )
    return f"""
    SELECT {", ".join(map(str, t.boards.c))}, first.userid, first.bank, second.userid, second.bank,
        {counts}, {columns(Request, "requests")}
    FROM boards
        LEFT JOIN seats AS first ON first.board = boards.board AND first.seat = 0
        LEFT JOIN seats AS second ON second.board = boards.board AND second.seat = 1
        LEFT JOIN requests ON requests.board = boards.board
"""


_STATES = {
    "": "",
    "next": "AND to_move = :userid",
    "active": "AND to_move != ''",
    "finished": "AND to_move = ''",
}
# The tables of a board that is moved or kept as rows. The notes and plans of its players are among them.
_MOVED = (t.boards, t.seats, t.moves, t.events, t.requests, t.comments, t.notes, t.plans)


class Boards(Repository):
    """Boards and all that follows from their records."""

    def get(self, number: int) -> Board | None:
        """Return the board of that number, locked until the end of the transaction.

        Raises IllegalMove if its row is damaged. The methods that return many boards leave it out.
        """
        board: Board | None = self._db.cached.get(("board", number))
        if board is not None:
            return board
        if number in self._db.keys(t.boards, renew):
            self._db.write()
        statement = f"{_boards()} WHERE boards.board = :board FOR UPDATE OF boards"
        for row in self._db.stored(t.boards, statement, board=number):
            board = self._db.cached["board", number] = _read(*row)
            if not board.happened:
                self._db.cached["events", number] = ()
        return board

    def add(self, board: Board) -> int:
        """Keep a new board with its players; return the number that it gets."""
        row = {c.name: getattr(board, c.name) for c in t.boards.c if c.name != "board"}
        number = self._db.numbered(t.boards, **row)
        seats = enumerate(zip(board.seats, board.banks, strict=True))
        rows = [
            {"board": number, "seat": seat, "userid": who, "bank": bank}
            for seat, (who, bank) in seats
        ]
        self._db.add_each(t.seats, rows)
        return number

    def save(self, before: Match, after: Match) -> None:
        """Keep a match after an act: its new entries, the request, and the cached columns."""
        number = after.number
        self._db.forget("board", number)
        if len(after.record) < len(before.record):
            self.cut_record(number, len(after.record))
        for seq in range(len(before.record), len(after.record)):
            entry = {"board": number, "seq": seq, **after.record[seq]._asdict()}
            self._db.later(t.moves, (number, seq), entry)
        if after.request != before.request:
            if after.request is None:
                self._db.drop(t.requests, board=number)
            else:
                self._db.keep(t.requests, board=number, **after.request._asdict())
        self.set_banks(number, before.clock.banks, after.clock.banks)
        if after.plans != before.plans:
            self.set_plans(after)
        if len(after.record) != len(before.record) or after.resets != before.resets:
            row = {
                "board": number,
                "length": len(after.record),
                "to_move": after.to_move,
                "result": after.result,
                "since": after.since,
                "due": None if after.position.over else after.since,
                "resets": after.resets,
                "told": after.clock.announced_by,
                "clock_from": after.clock.began,
            }
            self._db.later(t.boards, number, row, renew)

    def winner(self, row: Board) -> str:
        """Return the userid of the winner of a board; empty if there is none.

        If the userid is also the word for a result without a winner, only the record tells which it was.
        """
        if row.result not in row.seats:
            return ""
        if row.result not in RESULTS:
            return row.result
        return row.match(self.record(row.board)).winner

    def banked_since(self, begin: Epoch) -> list[Board]:
        """Return the running boards whose turn began at ``begin`` or later, and whose clocks bank time."""
        rows = self._db.rows(
            f"{_boards()} WHERE to_move != '' AND since >= :begin AND terms LIKE '%+%'", begin=begin
        )
        return _sound(rows)

    def cut_record(self, board: int, seq: int) -> None:
        """Delete the record from ``seq`` on, reminders and plans; ``save`` then writes the cached columns."""
        self._db.forget("board", board)
        self.drop_plans(board)
        self._db.do("DELETE FROM moves WHERE board = :board AND seq >= :seq", board=board, seq=seq)
        self._db.drop(t.reminders, board=board)

    def drop(self, board: int) -> None:
        """Delete a board with all that belongs to it."""
        self._db.forget("board", board)
        self._db.forget("events", board)
        for table in (*_MOVED, t.reminders, t.drafts, *t.marked("of_board")):
            self._db.drop(table, board=board)

    def page(self, after: int = 0) -> list[Board]:
        """Return the next boards with numbers above ``after``, at most 500; none if there are no more."""
        while rows := self._page(after):
            if boards := _sound(rows):
                return boards
            after = rows[-1][0]
        return []

    def _page(self, after: int) -> list[Any]:
        return self._db.rows(
            f"{_boards()} WHERE boards.board > :after ORDER BY boards.board LIMIT 500", after=after
        )

    def damaged(self) -> list[int]:
        """Return the numbers of the boards whose rows cannot be read."""
        found, after = [], 0
        while rows := self._page(after):
            sound = {board.board for board in _sound(rows)}
            found += [row[0] for row in rows if row[0] not in sound]
            after = rows[-1][0]
        return found

    def of(self, userid: str, state: str = "") -> list[Board]:
        """Return the boards of a player: all, or those in the state ``next``, ``active`` or ``finished``."""
        rows = self._db.rows(
            f"""
            {_boards()}
            WHERE boards.board IN (SELECT board FROM seats WHERE userid = :userid) {_STATES[state]}
            ORDER BY boards.board
            """,
            userid=userid,
        )
        return _sound(rows)

    def running_after(self, userid: str, after: int, most: int) -> list[int]:
        """Return the numbers of a player's next running boards above ``after``, in order, at most so many."""
        return self._db.column(
            """
            SELECT seats.board FROM seats JOIN boards ON boards.board = seats.board
            WHERE userid = :userid AND seats.board > :after AND to_move != ''
            ORDER BY seats.board LIMIT :most
            """,
            userid=userid,
            after=after,
            most=most,
        )

    def states(self) -> dict[str, int]:
        """Count the boards that are running, and those that are over."""
        rows = self._db.rows("SELECT to_move != '', count(*) FROM boards GROUP BY to_move != ''")
        counts = dict(rows)  # True and 1 are one key, as are False and 0
        return {"running": counts.get(True, 0), "over": counts.get(False, 0)}

    def by_game(self) -> dict[tuple[str, str], int]:
        """Count the boards by the game's word, and by running or over."""
        rows = self._db.rows(
            "SELECT game, to_move != '', count(*) FROM boards GROUP BY game, to_move != ''"
        )
        return {(word, "running" if runs else "over"): count for word, runs, count in rows}

    def moves_by_game(self, since: Epoch) -> dict[str, int]:
        """Count the moves from ``since`` on, by the game's word."""
        rows = self._db.rows(
            """
            SELECT game, count(*) FROM boards JOIN moves ON moves.board = boards.board
            WHERE at >= :since GROUP BY game
            """,
            since=since,
        )
        return dict(rows)

    def due(self, now: Epoch, beyond: float, count: int) -> list[int]:
        """Return the numbers of at most ``count`` boards that are due, the longest due first, locked.

        A board with a time after ``beyond`` is due now: a wrong clock has set that time.

        Boards that another transaction works on are left out: one that waited for many boards
        while it held others could wait forever.
        """
        due: list[int] = []
        # Two queries: one with "or" would look through all boards when none is due.
        for is_due, time in (("due <= :time", now), ("due > :time", beyond)):
            if len(due) < count:
                due += self._db.column(
                    f"""
                    SELECT board FROM boards WHERE {is_due} ORDER BY due, board LIMIT :count
                    FOR UPDATE SKIP LOCKED
                    """,
                    time=time,
                    count=count - len(due),
                )
        return due

    def set_due(self, board: int, due: Epoch | None) -> None:
        """Leave that board alone until ``due``; with None, until it changes."""
        self._db.forget("board", board)
        self._db.change(t.boards, {"board": board}, due=due)

    def look_again(self, after: int) -> int:
        """Make some running boards with numbers above ``after`` due, because other rules may apply to them.
        Return the last number looked at, 0 if there is none: not all go in one transaction."""
        last = self._db.number(
            """
            SELECT max(board) FROM
                (SELECT board FROM boards WHERE board > :after ORDER BY board LIMIT :most) AS looked_at
            """,
            after=after,
            most=LOOKED_AT,
        )
        self._db.cached.clear()
        self._db.do(
            "UPDATE boards SET due = since"
            " WHERE to_move != '' AND board > :after AND board <= :last",
            after=after,
            last=last,
        )
        return last

    def record(self, board: int) -> list[Entry]:
        """Return the record of a board, in order. Raises IllegalMove if a row of it is damaged."""
        if any(each == board for each, _ in self._db.keys(t.moves)):
            self._db.write()
        rows = self._db.stored(t.moves, (find, t.moves, Entry, ("seq",), "board"), board=board)
        return _checked(board, [Entry(*row) for row in rows], _ENTRY)

    def last_entries(self, userid: str, count: int) -> list[str]:
        """Return the last entries of a player in the records of all boards, the last one first."""
        return self._db.column(
            """
            SELECT move FROM moves
            WHERE userid = :userid AND board IN (
                SELECT board FROM boards
                WHERE board IN (SELECT board FROM seats WHERE userid = :userid)
                ORDER BY since DESC LIMIT :count
            )
            ORDER BY at DESC, board, seq DESC LIMIT :count
            """,
            userid=userid,
            count=count,
        )

    def last_move(self, board: int) -> int:
        """Return the number of the last move in a board's record; 0 before the first."""
        return self._db.number("SELECT max(number) FROM moves WHERE board = :board", board=board)

    def entries(self, board: int) -> list[int]:
        """Return the places of the entries of a record: 0, 1, 2 ... if no entry is missing."""
        return self._db.values(t.moves.c.seq, board=board)

    def stray_records(self) -> list[int]:
        """Return the numbers of boards that are gone but still have a record."""
        return self._db.column(
            "SELECT DISTINCT board FROM moves WHERE board NOT IN (SELECT board FROM boards)"
            " ORDER BY board"
        )

    def plans(self, board: int) -> list[PlanRow]:
        """Return the plans on a board."""
        return self._db.ordered(PlanRow, t.plans, "userid", board=board)

    def set_plans(self, match: Match) -> None:
        """Keep the plans of a match, and no others, for its present position."""
        self.drop_plans(match.number)
        place = {"board": match.number, "resets": match.resets, "length": len(match.record)}
        for userid, plan in match.plans:
            self._db.add(t.plans, **place, userid=userid, plan=write(plan))

    def drop_plans(self, board: int) -> None:
        """Forget the plans on a board."""
        self._db.drop(t.plans, board=board)

    def set_banks(self, board: int, before: Sequence[int], after: Sequence[int]) -> None:
        """Keep the time that the players have ``after`` an act, where it differs from ``before``."""
        self._db.forget("board", board)
        for place, (old, new) in enumerate(zip(before, after, strict=True)):
            if old != new:
                self._db.change(t.seats, {"board": board, "seat": place}, bank=new)

    def set_clock(self, board: int, told: int | None, began: Epoch | None) -> None:
        """Keep the letter that tells the player to move, and the time when the clock of the turn began."""
        self._db.forget("board", board)
        self._db.change(t.boards, {"board": board}, told=told, clock_from=began)

    def add_event(self, board: int, at: Epoch, happening: Happening) -> None:
        """Keep a happening beside the moves of a board."""
        kind, userid, data = to_event(happening)
        self._db.forget("board", board)
        self._db.forget("events", board)
        self._db.add_next(t.events, board=board, at=at, userid=userid, kind=kind, data=data)

    def events(self, board: int) -> list[Event]:
        """Return the happenings beside the moves of a board, in order; they are read once a transaction.

        Raises IllegalMove if a row of them is damaged.
        """
        known: tuple[Event, ...] | None = self._db.cached.get(("events", board))
        if known is None:
            rows = _checked(board, self._db.ordered(EventRow, t.events, "n", board=board), _EVENT)
            try:
                known = tuple(Event(row.n, row.at, from_event(*row[2:])) for row in rows)
            except ValueError:
                raise _damaged(board) from None
            self._db.cached["events", board] = known
        return list(known)

    # -- a board as rows

    def rows(self, number: int) -> Rows:
        """Return all rows of a board by table; ``boards`` has no row if there is no such board."""
        return {
            table.name: [
                dict(zip(table.c.keys(), row, strict=True))
                for row in self._db.rows(
                    f"SELECT {', '.join(map(str, table.c))} FROM {table.name} WHERE board = :board",
                    board=number,
                )
            ]
            for table in _MOVED
        }

    def put(self, number: int, rows: Mapping[str, list[dict[str, Any]]]) -> None:
        """Put a board under that number, in place of all rows there.

        A column that a row of an older version lacks gets its default. Raises BadInput, and changes
        nothing, if rows have not the form that the tables want.
        """
        for table in _MOVED:
            require_form(table, rows.get(table.name, []), "board")
        self._db.cached.clear()
        for table in _MOVED:
            self._db.drop(table, board=number)
            for row in rows.get(table.name, []):
                values = {name: row[name] for name in table.c.keys() if name in row}  # noqa: SIM118
                self._db.add(table, **values | {"board": number})
        self._db.cached.clear()

    def last(self) -> int:
        """Return the highest number of a board; 0 if there is none."""
        return self._db.number("SELECT max(board) FROM boards")


def _damaged(number: int) -> IllegalMove:
    return IllegalMove(f"What is stored of board {number} is damaged.", "corrupt")


def _checked(board: int, rows: list[Any], shapes: frozenset[tuple[type, ...]]) -> list[Any]:
    """Return the rows of a board. Raises IllegalMove if one has values of other types."""
    if any(tuple(map(type, row)) not in shapes for row in rows):
        raise _damaged(board)
    return rows


def _sound(rows: Iterable[Any]) -> list[Board]:
    """Return the boards of these rows, without the damaged ones: ``admin check`` names them."""
    boards = []
    for row in rows:
        with suppress(IllegalMove):
            boards.append(_read(*row))
    return boards


def _read(*row: Any) -> Board:
    """Return a row of ``_boards`` as a value. Raises IllegalMove for a damaged one."""
    *columns, first, bank, second, other_bank, seats, planned, noted, happened = row[:_FIXED]
    *counted, kind, userid, data, at = row[_FIXED:]
    kinds = (seats, *map(type, (first, bank, second, other_bank)))
    if tuple(map(type, columns)) not in _ROW or kinds not in _SEATS:
        raise _damaged(columns[0])
    userids, banks = (first, second)[:seats], (bank, other_bank)[:seats]
    request = Request(kind, userid, data, at) if kind is not None else None
    counts = tuple(
        (table.name, rows) for table, rows in zip(_counted(), counted, strict=True) if rows
    )
    return Board._make((*columns, userids, banks, request, planned, noted, happened, counts))
