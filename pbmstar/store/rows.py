"""What the store gives back: rows as named tuples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from .. import games
from ..match import Clock, Entry, Match, Request, Terms, begin, replay, terms


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
    news: int = 1
    html: int = 1
    pictures: int = 1
    listed: int = 1
    letters: str = "each"
    digest_at: int = 420
    zone: str = "UTC"
    drawing: str = "ascii"
    digest_due: float | None = None
    auto_leave: int = 1
    away: float | None = None
    absent: float | None = None


class Token(NamedTuple):
    """What a token confirms."""

    hash: str
    kind: str
    userid: str
    address: str
    password: str
    made: float
    asker: str = ""


class Place(NamedTuple):
    """Where mails of an account come from; see tables.places."""

    known: int = 0
    wrong: int = 0
    last: float = 0.0
    until: float = 0.0


class Board(NamedTuple):
    """A board's row, its players in the order of the seats, and what is asked; see tables.boards."""

    board: int
    game: str
    options: str
    made: float
    resets: int
    length: int
    to_move: str
    result: str
    since: float
    due: float | None
    terms: str
    told: int | None
    clock_from: float | None
    seats: tuple[str, ...]
    banks: tuple[int, ...]
    request: Request | None = None
    planned: int = 0  # how many of its players have a plan
    noted: int = 0  # how many notes they have made

    @property
    def agreed(self) -> Terms:
        """What its players have agreed on."""
        return terms.load(self.terms)

    @property
    def clock(self) -> Clock:
        """The players' time."""
        return Clock(self.banks, self.told, self.clock_from)

    def match(self, record: Iterable[Entry]) -> Match:
        """The match of this row with that record. Raises IllegalMove for a corrupt one."""
        game = games.load(self.game, self.options)
        start = begin(self.board, game, self.seats, self.made, self.agreed)
        return replace(
            replay(start, record),
            request=self.request,
            resets=self.resets,
            since=self.since,
            clock=self.clock,
        )


class PlanRow(NamedTuple):
    """A player's plan as it is kept; see tables.plans."""

    userid: str
    resets: int
    length: int
    plan: str


class Best(NamedTuple):
    """What a player has reached in a puzzle; see tables.bests."""

    game: str
    options: str
    userid: str
    rank: int
    turns: int
    at: float
    board: int
    note: str


class Letter(NamedTuple):
    """A claimed letter. ``content`` is a recipe or a whole mail; ``tries`` counts the one that comes."""

    id: int
    message_id: str
    address: str
    sender: str
    content: bytes
    tries: int
    made: float
    userid: str = ""


class Handled(NamedTuple):
    """A mail that has had its effect; see tables.handled."""

    at: float
    outcome: str
    mail: str
    message: str
    userid: str
    proved: int
    commands: tuple[str, ...]
    codes: tuple[str, ...]
    letters: tuple[int, ...]
    authentic: str


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
