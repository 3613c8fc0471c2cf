"""Contests: ladders, the seasons of leagues and cups, their players and their games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import Double, Index, Integer, Table, Text

from ...machine.times import Epoch
from ...store.columns import nullable, numbered, primary, required, table
from ...store.statements import Repository, columns

# A ladder, a season of a league, or a cup, as kind says. state: open (players join), begun, over,
# closed (by the operator). For a ladder days and season are 0.
contests = numbered(
    "contests",
    "id",
    *required(kind=Text, game=Text, options=Text, terms=Text),
    # stage: the players are told of it now, see contest.league.Stage
    *required(days=Integer, season=Integer, state=Text, stage=Text, made=Double),
    *nullable(begin=Double, until=Double),
    Index("contests_game", "game", "kind"),
)

# The players of contests. state: empty; out (all games are taken out of the table), lost (the games that
# were left are lost), leaving (the player leaves the ladder once the last game there is over).
entries = table(
    "entries",
    *primary(contest=Integer, userid=Text),
    *required(joined=Double),
    # division: 0 before the season begins; seed: in the division, 1 the strongest
    *required("0", division=Integer, seed=Integer),
    *required("", state=Text),
    *nullable(rests=Double),  # the player rests on the ladder since then
    *required("0", place=Integer),  # cached: on the ladder; at the end
    *required("", told=Text),  # the stage of the last letter
    *required("", seen=Text),  # the place and points that a letter has last told the player
    indexed=("userid",),
)

# The games of contests. gone: withdrew while the game ran: first, second, or both with a blank between.
pairings = table(
    "pairings",
    *primary(contest=Integer, n=Integer),
    # first: moves first; on a ladder, the challenged player
    *required(division=Integer, first=Text, second=Text),
    *nullable(board=Integer),  # null until the board is there
    *required("", gone=Text),
    indexed=("board", "first", "second"),
)

TABLES: tuple[Table, ...] = (contests, entries, pairings)

OPEN, BEGUN, OVER, CLOSED = "open", "begun", "over", "closed"


class Contest(NamedTuple):
    """A ladder, a season of a league, or a cup; see schema."""

    id: int
    kind: str
    game: str
    options: str
    terms: str
    days: int
    season: int
    state: str
    stage: str
    made: Epoch
    begin: Epoch | None = None
    until: Epoch | None = None


class Entrant(NamedTuple):
    """A player of a ladder or of a season; see schema."""

    contest: int
    userid: str
    joined: Epoch
    division: int = 0
    seed: int = 0
    state: str = ""
    rests: Epoch | None = None
    place: int = 0
    told: str = ""
    seen: str = ""


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
    since: Epoch | None = None
    late: bool = False

    @property
    def seats(self) -> tuple[str, str]:
        """Return the players, the one who moves first before the other."""
        return self.first, self.second

    @property
    def runs(self) -> bool:
        """Return True while the game on its board runs."""
        return bool(self.to_move)


_CONTESTS = f"SELECT {columns(Contest)} FROM contests"
_PAIRINGS = """
    SELECT contest, n, division, first, second, pairings.board, gone, to_move, result, since,
        CASE WHEN moves.move IS NULL THEN 0 ELSE 1 END
    FROM pairings
        LEFT JOIN boards ON boards.board = pairings.board
        LEFT JOIN moves ON moves.board = pairings.board AND moves.move = 'forfeit'
"""  # as ``_read`` takes it


class Contests(Repository):
    """Ladders, seasons of leagues, and all that belongs to them."""

    def add(self, contest: Contest) -> int:
        """Keep a new ladder or season; return its number."""
        values = contest._asdict()
        del values["id"]
        return self._db.numbered(contests, **values)

    def get(self, contest: int) -> Contest | None:
        """Return a ladder or season by its number, locked until the end of the transaction."""
        return self._db.one(Contest, f"{_CONTESTS} WHERE id = :id FOR UPDATE", id=contest)

    def newest(self, kind: str, game: str, most: int = 1) -> list[Contest]:
        """Return the ladder of a game, or the newest seasons of its league, locked, the newest first."""
        return self._db.all(
            Contest,
            f"{_CONTESTS} WHERE game = :game AND kind = :kind ORDER BY id DESC LIMIT :most FOR UPDATE",
            kind=kind,
            game=game,
            most=most,
        )

    def all(self, alive: bool = False) -> list[Contest]:
        """Return all ladders and seasons, the oldest first; if ``alive``, only those not over or closed."""
        if alive:
            return self._db.all(
                Contest, f"{_CONTESTS} WHERE state IN ('open', 'begun') ORDER BY id"
            )
        return self._db.ordered(Contest, contests, "id")

    def keep(self, contest: Contest) -> None:
        """Keep the state of a ladder or season."""
        names = ("state", "stage", "begin", "until")
        self._db.change(
            contests, {"id": contest.id}, **{name: getattr(contest, name) for name in names}
        )

    # -- players

    def set_entry(self, entry: Entrant) -> None:
        """Keep a player's part in a ladder or season, new or changed."""
        self._db.keep(entries, **entry._asdict())

    def drop_entry(self, contest: int, userid: str) -> None:
        """Take a player out of a ladder or season."""
        self._db.drop(entries, contest=contest, userid=userid)

    def entries(self, contest: int) -> list[Entrant]:
        """Return the players: of a season by division and strength, of a ladder from the top."""
        order = ("division", "seed", "place", "joined", "userid")
        return self._db.ordered(Entrant, entries, *order, contest=contest)

    def entry(self, contest: int, userid: str) -> Entrant | None:
        """Return a player's part; None for a player who is not in it."""
        return self._db.find(Entrant, entries, contest=contest, userid=userid)

    def movers(self, contest: int) -> set[str]:
        """Return the players who have made a move or a swap in one of its games.

        A word that ends a game, such as resign, is not a move.
        """
        return set(
            self._db.column(
                "SELECT DISTINCT userid FROM moves JOIN pairings ON pairings.board = moves.board"
                " WHERE contest = :contest AND (number IS NOT NULL OR move = 'swap')",
                contest=contest,
            )
        )

    def untold(self, contest: int, stage: str, most: int) -> list[Entrant]:
        """Return at most ``most`` players who have not been told of a stage."""
        return self._db.all(
            Entrant,
            f"SELECT {columns(Entrant)} FROM entries WHERE contest = :contest AND told != :stage"
            " ORDER BY userid LIMIT :most",
            contest=contest,
            stage=stage,
            most=most,
        )

    def of_player(self, userid: str) -> list[tuple[Contest, Entrant]]:
        """Return the ladders and seasons of a player, past ones too, each with the player's part."""
        rows = self._db.rows(
            f"""
            SELECT {columns(Contest, "contests")}, {columns(Entrant, "entries")}
            FROM contests JOIN entries ON contest = id
            WHERE userid = :userid ORDER BY id
            """,
            userid=userid,
        )
        wide = len(Contest._fields)
        return [(Contest(*row[:wide]), Entrant(*row[wide:])) for row in rows]

    def entrants(self) -> dict[str, int]:
        """Count the players of ladders and of seasons that are not over, by kind."""
        rows = self._db.rows(
            "SELECT kind, count(*) FROM contests JOIN entries ON contest = id"
            " WHERE contests.state IN ('open', 'begun') GROUP BY kind"
        )
        return dict(rows)

    # -- games

    def pairings(self, contest: int) -> list[Pairing]:
        """Return the games of a ladder or season."""
        return self._db.all(
            _read, f"{_PAIRINGS} WHERE contest = :contest ORDER BY n", contest=contest
        )

    def running(self, contest: int) -> list[Pairing]:
        """Return the running games of a ladder or season."""
        return self._db.all(
            _read,
            f"{_PAIRINGS} WHERE contest = :contest AND to_move != '' ORDER BY n",
            contest=contest,
        )

    def unbegun(self, contest: int, most: int) -> list[Pairing]:
        """Return at most ``most`` games that have no board yet."""
        return self._db.all(
            _read,
            f"{_PAIRINGS} WHERE contest = :contest AND pairings.board IS NULL ORDER BY n LIMIT :most",
            contest=contest,
            most=most,
        )

    def of_board(self, board: int) -> Pairing | None:
        """Return the game of a board; None if it belongs to no ladder or league."""
        return self._db.one(_read, f"{_PAIRINGS} WHERE pairings.board = :board", board=board)

    def add_pairings(self, contest: int, rows: Iterable[Mapping[str, Any]]) -> None:
        """Keep games; each row has division, first, second, and the board or None."""
        begin = self._db.number(
            "SELECT coalesce(max(n) + 1, 0) FROM pairings WHERE contest = :contest", contest=contest
        )
        self._db.add_each(
            pairings,
            [{"contest": contest, "n": n, "gone": "", **row} for n, row in enumerate(rows, begin)],
        )

    def set_pairing(self, pairing: Pairing) -> None:
        """Keep the board of a game, and the players who withdrew while it ran."""
        self._db.change(
            pairings,
            {"contest": pairing.contest, "n": pairing.n},
            board=pairing.board,
            gone=pairing.gone,
        )


def _read(*row: Any) -> Pairing:
    return Pairing._make((*row[:-1], bool(row[-1])))
