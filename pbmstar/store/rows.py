"""What the store gives back: rows as named tuples."""

from __future__ import annotations

from typing import NamedTuple


class User(NamedTuple):
    """An account; see tables.users."""

    userid: str
    address: str
    password: str
    state: str
    made: float
    reminders: int = 1
    most: int | None = None
    refuses: str = ""
    bounces: float = 0.0


class Token(NamedTuple):
    """What a token confirms."""

    hash: str
    kind: str
    userid: str
    address: str
    password: str
    made: float


class Board(NamedTuple):
    """A board's row; see tables.boards."""

    board: int
    game: str
    options: str
    first: str
    second: str
    made: float
    nag_days: float | None
    forfeit_days: float | None
    resets: int
    offer: str
    length: int
    to_move: str
    result: str
    since: float


class Move(NamedTuple):
    """One row of a board's record."""

    board: int
    seq: int
    number: int | None
    userid: str
    move: str
    at: float


class Letter(NamedTuple):
    """A claimed letter, ready to be sent. ``tries`` counts the one that comes."""

    id: int
    message_id: str
    address: str
    sender: str
    content: bytes
    tries: int


class Waiting(NamedTuple):
    """A letter of the outbox, as the operator sees it."""

    id: int
    message_id: str
    userid: str
    state: str
    due: float
    tries: int
    made: float
    sent: float | None
    trouble: str
