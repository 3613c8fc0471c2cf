"""Contests: ladders and the seasons of leagues, their players and their games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import and_, case, func, literal_column, null, select

from ...store import schema
from ...store.statements import Subject, by, p, quoted
from . import tables as t

OPEN, BEGUN, OVER, CLOSED = "open", "begun", "over", "closed"


class Contest(NamedTuple):
    """A ladder, or a season of a league; see schema."""

    id: int
    kind: str
    game: str
    options: str
    terms: str
    days: int
    season: int
    state: str
    stage: str
    made: float
    begin: float | None = None
    until: float | None = None


class Entrant(NamedTuple):
    """A player of a ladder or of a season; see schema."""

    contest: int
    userid: str
    joined: float
    division: int = 0
    seed: int = 0
    state: str = ""
    rests: float | None = None
    place: int = 0
    told: str = ""


class Pairing(NamedTuple):
    """A game of a ladder or of a season, with the facts of its board.

    to_move  None if there is no board, or no board any more
    late     True if the game was lost on time
    """

    contest: int
    n: int
    division: int
    first: str
    second: str
    board: int | None
    gone: str
    to_move: str | None = None
    result: str | None = None
    since: float | None = None
    late: bool = False

    @property
    def seats(self) -> tuple[str, str]:
        """Return the players, the one who moves first before the other."""
        return self.first, self.second

    @property
    def runs(self) -> bool:
        """Return True while the game on its board runs."""
        return bool(self.to_move)


_contests, _entries, _pairings = t.contests.c, t.entries.c, t.pairings.c
_boards, _moves = schema.boards.c, schema.moves.c

_GET = select(t.contests).where(by(t.contests, "id")).with_for_update()
_NEWEST = (
    select(t.contests)
    .where(by(t.contests, "game", "kind"))
    .order_by(_contests.id.desc())
    .limit(p("most"))
    .with_for_update()
)
_is_alive = _contests.state.in_([quoted("open"), quoted("begun")])
_ALIVE = select(t.contests).where(_is_alive).order_by(_contests.id)
_UNTOLD = (
    select(t.entries)
    .where(by(t.entries, "contest"), _entries.told != p("stage"))
    .order_by(_entries.userid)
    .limit(p("most"))
)
_OF_PLAYER = (
    select(t.contests, t.entries)
    .join(t.entries, _entries.contest == _contests.id)
    .where(by(t.entries, "userid"))
    .order_by(_contests.id)
)
_late = and_(_moves.board == _pairings.board, _moves.move == quoted("forfeit"))
_pairing = (
    select(
        t.pairings,
        _boards.to_move,
        _boards.result,
        _boards.since,
        case((_moves.move.is_(null()), literal_column("0")), else_=literal_column("1")),
    )
    .outerjoin(schema.boards, _boards.board == _pairings.board)
    .outerjoin(schema.moves, _late)
)
_PAIRINGS = _pairing.where(by(t.pairings, "contest")).order_by(_pairings.n)
_OF_BOARD = _pairing.where(by(t.pairings, "board"))
_UNBEGUN = _PAIRINGS.where(_pairings.board.is_(null())).limit(p("most"))
_RUNNING = _PAIRINGS.where(_boards.to_move != quoted(""))
_NEXT_PAIRING = select(func.coalesce(func.max(_pairings.n) + 1, 0)).where(by(t.pairings, "contest"))
_ENTRANTS = (
    select(_contests.kind, func.count())
    .join(t.entries, _entries.contest == _contests.id)
    .where(_is_alive)
    .group_by(_contests.kind)
)


class Contests(Subject):
    """Ladders, seasons of leagues, and all that belongs to them."""

    def add(self, contest: Contest) -> int:
        """Keep a new ladder or season; return its number."""
        values = contest._asdict()
        del values["id"]
        return self._db.numbered(t.contests, **values)

    def get(self, contest: int) -> Contest | None:
        """Return a ladder or season by its number, locked until the end of the transaction."""
        return self._db.one(Contest, _GET, id=contest)

    def newest(self, kind: str, game: str, most: int = 1) -> list[Contest]:
        """Return the ladder of a game, or the newest seasons of its league, locked, the newest first."""
        return self._db.all(Contest, _NEWEST, kind=kind, game=game, most=most)

    def all(self, alive: bool = False) -> list[Contest]:
        """Return all ladders and seasons, the oldest first; if ``alive``, only those not over or closed."""
        if alive:
            return self._db.all(Contest, _ALIVE)
        return self._db.ordered(Contest, t.contests, "id")

    def keep(self, contest: Contest) -> None:
        """Keep the state of a ladder or season."""
        names = ("state", "stage", "begin", "until")
        self._db.change(
            t.contests, {"id": contest.id}, **{name: getattr(contest, name) for name in names}
        )

    # -- players

    def set_entry(self, entry: Entrant) -> None:
        """Keep a player's part in a ladder or season, new or changed."""
        self._db.keep(t.entries, **entry._asdict())

    def drop_entry(self, contest: int, userid: str) -> None:
        """Take a player out of a ladder or season."""
        self._db.drop(t.entries, contest=contest, userid=userid)

    def entries(self, contest: int) -> list[Entrant]:
        """Return the players, in the order of divisions and strength, or in that of the ladder."""
        order = ("division", "seed", "place", "joined", "userid")
        return self._db.ordered(Entrant, t.entries, *order, contest=contest)

    def entry(self, contest: int, userid: str) -> Entrant | None:
        """Return a player's part; None for a player who is not in it."""
        return self._db.find(Entrant, t.entries, contest=contest, userid=userid)

    def untold(self, contest: int, stage: str, most: int) -> list[Entrant]:
        """Return at most ``most`` players who have not been told of a stage."""
        return self._db.all(Entrant, _UNTOLD, contest=contest, stage=stage, most=most)

    def of_player(self, userid: str) -> list[tuple[Contest, Entrant]]:
        """Return the ladders and seasons of a player, past ones too, each with the player's part."""
        rows = self._db.rows(_OF_PLAYER, userid=userid)
        wide = len(Contest._fields)
        return [(Contest(*row[:wide]), Entrant(*row[wide:])) for row in rows]

    def entrants(self) -> dict[str, int]:
        """Count the players of ladders and of seasons that are not over, by kind."""
        return dict(self._db.rows(_ENTRANTS))

    # -- games

    def pairings(self, contest: int) -> list[Pairing]:
        """Return the games of a ladder or season."""
        return self._db.all(_read, _PAIRINGS, contest=contest)

    def running(self, contest: int) -> list[Pairing]:
        """Return the running games of a ladder or season."""
        return self._db.all(_read, _RUNNING, contest=contest)

    def unbegun(self, contest: int, most: int) -> list[Pairing]:
        """Return at most ``most`` games that have no board yet."""
        return self._db.all(_read, _UNBEGUN, contest=contest, most=most)

    def of_board(self, board: int) -> Pairing | None:
        """Return the game of a board; None if it belongs to no ladder or league."""
        return self._db.one(_read, _OF_BOARD, board=board)

    def add_pairings(self, contest: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep games; each row has division, first, second, and the board or None."""
        begin = self._db.number(_NEXT_PAIRING, contest=contest)
        self._db.add_each(
            t.pairings,
            [{"contest": contest, "n": n, "gone": "", **row} for n, row in enumerate(rows, begin)],
        )

    def set_pairing(self, pairing: Pairing) -> None:
        """Keep the board of a game, and the players who withdrew while it ran."""
        self._db.change(
            t.pairings,
            {"contest": pairing.contest, "n": pairing.n},
            board=pairing.board,
            gone=pairing.gone,
        )


def _read(*row: Any) -> Pairing:
    return Pairing._make((*row[:-1], bool(row[-1])))
