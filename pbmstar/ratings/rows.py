"""Ratings: the games that have ended, and their fold, with a step for each player of each game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf, nextafter
from typing import Any, NamedTuple

from ..machine.times import Epoch
from ..store import schema as t
from ..store.statements import Repository, columns
from .fold import Ended, Fold, Folded, Step, Tally, new
from .rating import PERIOD, SCALE, Rating

_LOCK = "ratings"  # the fact that a change of the fold writes first
_PAGE = 2000  # games that are read and folded together
_AT_ONCE = 20  # players of one statement


class Listed(NamedTuple):
    """A player of a list."""

    userid: str
    tally: Tally


class Established(NamedTuple):
    """The players of a game with ratings that are certain enough for a list.

    opponents  the least number of their opponents
    since      the earliest time when their last rated game ended
    sure       their deviation is below this at the time ``now``
    """

    game: str
    practice: bool
    opponents: int
    since: Epoch
    sure: float
    now: Epoch


class Past(NamedTuple):
    """A rated game in the history of a player: the rating at its end without it, and the tally with it."""

    board: int
    opponent: str
    score: float
    before: Rating
    tally: Tally


class Known(NamedTuple):
    """A player's tally in a game; ``peak``: the highest rating of the last time, None if there is none."""

    userid: str
    game: str
    tally: Tally
    peak: float | None


class Kept(NamedTuple):
    """A game in the fold, as its row keeps it."""

    ended: Ended
    why: str


_SOME = ", ".join(f":userid{n}" for n in range(_AT_ONCE))
_TALLY = columns(Tally)
_STEP = f"userid, opponent, score, before, {_TALLY}"  # as ``_as_step`` takes it
_GAMES = f"SELECT {columns(Ended)}, why FROM rated"  # as ``_kept`` takes it
_OF_KIND = "game = :game AND practice = :practice"
_OF_PEOPLE = "practice = 0 AND barred != 'void'"
_BEATEN = f"""
    SELECT DISTINCT opponent FROM rating_steps
    WHERE userid = :userid AND {_OF_KIND} AND score = 1 AND (at, board) < (:at, :board)
"""
_LISTED = f"""
    FROM ratings JOIN users ON users.userid = ratings.userid
    WHERE {_OF_KIND} AND state IN ('active', 'suspended')
"""
# A deviation grows as ``Rating.after`` says.
_ESTABLISHED = f"""
    {_LISTED} AND opponents >= :opponents AND at >= :since AND deviation < :sure
    AND deviation * deviation + (:now - at) * (volatility * volatility * {SCALE**2 / PERIOD})
        < :sure * :sure
"""
_FIRST = float("-inf")


class Ratings(Repository):
    """The ratings of players, one for each game word, among people and in practice."""

    def keep(self, ended: Ended) -> None:
        """Keep a game that has ended, and fold it in; if it was kept before, replace it.

        Games that two processes keep at the same time are folded in the order of their ends.
        """
        self._lock()
        known = self.game(ended.board)
        if known is not None:
            self.drop(ended.board)
        self._db.add(t.rated, **ended._asdict(), why="")
        self._refold(ended.game, ended.practice, ended.at, ended.board)

    def append(self, ended: Ended) -> None:
        """Keep a game that ends now, as the last one of its kind.

        If others have ended at the same time, or at a later one by another clock, this one ends just after
        them. So the order of the fold is that in which games are kept, and the rating that a letter tells
        at the end of a game stays.
        """
        self._lock()
        (last,) = self._db.row(
            f"SELECT max(at) FROM rated WHERE {_OF_KIND}",
            game=ended.game,
            practice=ended.practice,
        )
        if last is not None and last >= ended.at:
            ended = ended._replace(at=nextafter(last, inf))
        self.keep(ended)

    def foreseen(self, ended: Ended) -> dict[str, Tally]:
        """Return the tallies of the players, by userid, if a game that is rated ended so; keep nothing."""
        place = {
            "game": ended.game,
            "practice": ended.practice,
            "at": ended.at,
            "board": ended.board,
        }

        def tally(userid: str) -> Tally | None:
            return self.of(userid, ended.game, bool(ended.practice))

        fold = Fold(tally, beaten=lambda userid: self._db.column(_BEATEN, userid=userid, **place))
        return {each.userid: each.tally for each in fold.add(ended).steps}

    def drop(self, board: int) -> bool:
        """Forget a game that goes on after all, or is gone; return False if it was not kept."""
        known = self.game(board)
        if known is None:
            return False
        self._lock()
        self._db.drop(t.rated, board=board)
        self._refold(known.ended.game, known.ended.practice, known.ended.at, board)
        return True

    def rebuild(self, since: Epoch = _FIRST) -> None:
        """Fold again all games that have ended since the time ``since``."""
        self._lock()
        for game, practice in self.kinds():
            self._refold(game, int(practice), since, 0)

    def differences(self) -> Iterator[str]:
        """Fold all games in memory, and yield each difference from the rows."""
        for game, practice in self.kinds():
            kind = f"{game}{' in practice' if practice else ''}"
            fold, last = Fold(), dict[str, Tally]()
            steps: dict[tuple[int, str], Step] = {}
            for page in self._pages(game, int(practice), _FIRST, 0):
                for kept in page:
                    folded = fold.add(kept.ended)
                    if folded.why != kept.why:
                        yield f"board {kept.ended.board}: rated {kept.why!r}, the fold says {folded.why!r}"
                    steps |= {(kept.ended.board, each.userid): each for each in folded.steps}
                    last |= {each.userid: each.tally for each in folded.steps}
            place = {"game": game, "practice": int(practice)}
            for *row, board in self._db.rows(
                f"SELECT {_STEP}, board FROM rating_steps WHERE {_OF_KIND} ORDER BY at, board, userid",
                **place,
            ):
                if _as_step(*row) != steps.pop((board, row[0]), None):
                    yield f"board {board}: the step of {row[0]} in {kind} is not that of the fold"
            yield from (f"board {board}: {userid} has no step in {kind}" for board, userid in steps)
            for userid, *row in self._db.rows(
                f"SELECT userid, {_TALLY} FROM ratings WHERE {_OF_KIND}", **place
            ):
                if Tally(*row) != last.pop(userid, None):
                    yield f"the rating of {userid} in {kind} is not that of the fold"
            yield from (f"{userid} has no rating in {kind}" for userid in last)

    # -- looking

    def game(self, board: int) -> Kept | None:
        """Return a game that has ended; None if it is not for two players, or runs."""
        return self._db.one(_kept, f"{_GAMES} WHERE board = :board", board=board)

    def of(self, userid: str, game: str, practice: bool = False) -> Tally | None:
        """Return the tally of a player in a game; None before the first rated game."""
        return self._db.find(Tally, t.ratings, userid=userid, game=game, practice=int(practice))

    def all_of(self, userid: str) -> list[tuple[str, bool, Tally]]:
        """Return all tallies of a player, each as the game's word, True if it is practice, and the tally."""
        rows = self._db.rows(
            f"SELECT game, practice, {_TALLY} FROM ratings WHERE userid = :userid"
            " ORDER BY practice, game",
            userid=userid,
        )
        return [(game, bool(practice), Tally(*rest)) for game, practice, *rest in rows]

    def listed(self, game: str, practice: bool = False) -> list[Listed]:
        """Return all players of a game who have an account, the best first."""
        rows = self._db.rows(
            f"SELECT ratings.userid, {_TALLY} {_LISTED} ORDER BY rating DESC, ratings.userid",
            game=game,
            practice=int(practice),
        )
        return [Listed(row[0], Tally._make(row[1:])) for row in rows]

    def best(self, of: Established, first: int, most: int) -> list[Listed]:
        """Return at most ``most`` of these players, the best first, without the ``first`` best ones."""
        rows = self._db.rows(
            f"SELECT ratings.userid, {_TALLY} {_ESTABLISHED}"
            " ORDER BY rating DESC, ratings.userid LIMIT :most OFFSET :first",
            **_values(of),
            first=first,
            most=most,
        )
        return [Listed(row[0], Tally._make(row[1:])) for row in rows]

    def above(self, of: Established, listed: Listed) -> int:
        """Count the players of the list who stand above the player ``listed``."""
        return self._db.number(
            f"SELECT count(*) {_ESTABLISHED}"
            " AND (rating > :rating OR rating = :rating AND ratings.userid < :userid)",
            **_values(of),
            rating=listed.tally.rating,
            userid=listed.userid,
        )

    def many(self, userids: Sequence[str], since: Epoch) -> Iterator[Known]:
        """Yield all tallies of players among people, each with the highest rating since then."""
        for at in range(0, len(userids), _AT_ONCE):
            some = [*userids[at : at + _AT_ONCE]]
            some += some[:1] * (_AT_ONCE - len(some))
            rows = self._db.rows(
                f"""
                SELECT userid, game, {_TALLY}, (
                    SELECT max(rating) FROM rating_steps AS steps
                    WHERE steps.userid = ratings.userid AND steps.game = ratings.game
                        AND steps.practice = 0 AND steps.at >= :since
                )
                FROM ratings
                WHERE practice = 0 AND userid IN ({_SOME})
                """,
                since=since,
                **{f"userid{n}": userid for n, userid in enumerate(some)},
            )
            for userid, game, *tally, peak in rows:
                yield Known(userid, game, Tally(*tally), peak)

    def history(
        self, userid: str, game: str, practice: bool = False, count: int = 1000
    ) -> list[Past]:
        """Return the last rated games of a player, the last one first."""
        rows = self._db.rows(
            f"SELECT board, opponent, score, {_TALLY} FROM rating_steps"
            f" WHERE userid = :userid AND {_OF_KIND} ORDER BY at DESC, board DESC LIMIT :count",
            userid=userid,
            game=game,
            practice=int(practice),
            count=count + 1,
        )
        tallies = [*(Tally(*rest) for _, _, _, *rest in rows), new(practice)]
        return [
            Past(board, opponent, score, before.as_of(tally.at), tally)
            for (board, opponent, score, *_), tally, before in zip(
                rows[:count], tallies, tallies[1:], strict=False
            )
        ]

    def before(self, userid: str, ended: Ended) -> Rating:
        """Return the rating that a player had at the end of a game, without that game."""
        before = self._before(userid, ended.game, ended.practice, ended.at, ended.board)
        return (before or new(ended.practice)).as_of(ended.at)

    def _before(self, userid: str, game: str, practice: int, at: Epoch, board: int) -> Tally | None:
        """Return the tally of a player before a place in the order of games; None if it has none."""
        return self._db.one(
            Tally,
            f"""
            SELECT {_TALLY} FROM rating_steps
            WHERE userid = :userid AND {_OF_KIND} AND (at, board) < (:at, :board)
            ORDER BY at DESC, board DESC LIMIT 1
            """,
            userid=userid,
            game=game,
            practice=practice,
            at=at,
            board=board,
        )

    def steps(self, board: int) -> dict[str, Step]:
        """Return the steps of a game, by userid; none if it is not rated."""
        steps = self._db.all(
            _as_step,
            f"SELECT {_STEP} FROM rating_steps WHERE board = :board ORDER BY userid",
            board=board,
        )
        return {each.userid: each for each in steps}

    def lost(self, userid: str, how: str, since: Epoch, until: Epoch, but: int) -> int:
        """Count the rated games among people that a player has lost by ``how``, except board ``but``."""
        return self._db.number(
            """
            SELECT count(*) FROM rated
            WHERE (first = :userid AND score = 0 OR second = :userid AND score = 1)
                AND practice = 0 AND why = '' AND how = :how AND board != :but
                AND at BETWEEN :since AND :until
            """,
            userid=userid,
            how=how,
            since=since,
            until=until,
            but=but,
        )

    def record(self, userid: str) -> Counter[float]:
        """Count a player's games against people by their scores: 1, 0.5, 0."""
        rows = self._db.rows(
            f"SELECT first, score FROM rated WHERE {_OF_PEOPLE}"
            " AND (first = :userid OR second = :userid)",
            userid=userid,
        )
        return Counter(score if first == userid else 1 - score for first, score in rows)

    def against_programs(self, userid: str) -> list[tuple[str, str, float, int]]:
        """Return results against each program: game, program, the sum of scores, the number of games."""
        rows = self._db.rows(
            """
            SELECT game, opponent, sum(score), count(*) FROM rating_steps
            WHERE userid = :userid AND practice = 1
            GROUP BY game, opponent ORDER BY game, opponent
            """,
            userid=userid,
        )
        return [(game, program, float(score), int(count)) for game, program, score, count in rows]

    def kinds(self) -> list[tuple[str, bool]]:
        """Return the game words with ended games, each with True for practice and False for people."""
        rows = self._db.rows("SELECT DISTINCT game, practice FROM rated ORDER BY game, practice")
        return [(game, bool(practice)) for game, practice in rows]

    def pairs(self) -> list[tuple[str, str, int, float]]:
        """Return the pairs of people with games, by name: the number of games, the first's sum of scores."""
        pairs: dict[tuple[str, str], list[float]] = {}
        for first, second, count, score in self._db.rows(
            f"""
            SELECT first, second, count(*), sum(score) FROM rated
            WHERE {_OF_PEOPLE}
            GROUP BY first, second ORDER BY first, second
            """
        ):
            one, other = sorted((first, second))
            sums = pairs.setdefault((one, other), [0, 0.0])
            sums[0] += count
            sums[1] += score if one == first else count - score
        return [(one, other, int(games), won) for (one, other), (games, won) in pairs.items()]

    def wins(self) -> dict[tuple[str, str], dict[str, int]]:
        """Return the rated wins among people by game and winner: the losers, each with their number."""
        wins: dict[tuple[str, str], dict[str, int]] = {}
        for game, winner, loser, count in self._db.rows(
            """
            SELECT game, userid, opponent, count(*) FROM rating_steps
            WHERE practice = 0 AND score = 1
            GROUP BY game, userid, opponent ORDER BY game, userid, opponent
            """
        ):
            wins.setdefault((game, winner), {})[loser] = int(count)
        return wins

    def counts(self) -> dict[str, int]:
        """Count the rated games among people, and those in practice."""
        rows = self._db.rows(
            "SELECT practice, count(*) FROM rated WHERE why = '' GROUP BY practice"
        )
        counts = {practice: int(count) for practice, count in rows}
        return {"people": counts.get(0, 0), "practice": counts.get(1, 0)}

    # -- folding

    def _lock(self) -> None:
        """Let no other transaction fold until the end of this one."""
        if (_LOCK,) not in self._db.cached:  # a savepoint that is undone gives the lock back
            self._db.keep(t.facts, name=_LOCK, value="")
            self._db.cached[_LOCK,] = True

    def _refold(self, game: str, practice: int, at: Epoch, board: int) -> None:
        """Fold again the games of a kind, from the place (``at``, ``board``) in their order on."""
        place = {"game": game, "practice": practice, "at": at, "board": board}

        def tally(userid: str) -> Tally | None:
            return self._before(userid, game, practice, at, board)

        def met(one: str, other: str) -> list[float]:
            return self._db.column(
                f"""
                SELECT at FROM rated
                WHERE {_OF_KIND} AND why = '' AND (at, board) < (:at, :board)
                    AND ((first, second) = (:one, :other) OR (first, second) = (:other, :one))
                ORDER BY at, board
                """,
                one=one,
                other=other,
                **place,
            )

        def beaten(userid: str) -> list[str]:
            return self._db.column(_BEATEN, userid=userid, **place)

        later = f"FROM rating_steps WHERE {_OF_KIND} AND (at, board) >= (:at, :board)"
        moved = set(self._db.column(f"SELECT DISTINCT userid {later}", **place))
        self._db.do(f"DELETE {later}", **place)
        fold, last = Fold(tally, met, beaten), dict[str, Tally | None]()
        for page in self._pages(game, practice, at, board):
            folded = [(kept, fold.add(kept.ended)) for kept in page]
            reasons = [
                {"board": kept.ended.board, "why": each.why}
                for kept, each in folded
                if each.why != kept.why
            ]
            self._db.run_each("UPDATE rated SET why = :why WHERE board = :board", reasons)
            self._db.add_each(t.rating_steps, [row for _, each in folded for row in _rows(each)])
            last |= {each.userid: each.tally for _, done in folded for each in done.steps}
        last |= {userid: tally(userid) for userid in moved - set(last)}
        key = {"game": game, "practice": practice}
        new = [{**key, "userid": who, **has._asdict()} for who, has in last.items() if has]
        self._db.keep_each(t.ratings, new)
        gone = [{**key, "userid": who} for who, has in last.items() if has is None]
        self._db.run_each(f"DELETE FROM ratings WHERE {_OF_KIND} AND userid = :userid", gone)

    def _pages(self, game: str, practice: int, at: Epoch, board: int) -> Iterator[list[Kept]]:
        """Yield the games of a kind, from the place (``at``, ``board``) in their order on."""
        place = {"game": game, "practice": practice}
        while page := self._db.all(
            _kept,
            f"{_GAMES} WHERE {_OF_KIND} AND (at, board) >= (:at, :board)"
            f" ORDER BY at, board LIMIT {_PAGE}",
            **place,
            at=at,
            board=board,
        ):
            yield page
            at, board = page[-1].ended.at, page[-1].ended.board + 1


def _values(of: Established) -> dict[str, Any]:
    return {**of._asdict(), "practice": int(of.practice)}


def _kept(*row: Any) -> Kept:
    *ended, why = row
    return Kept(Ended(*ended), why)


def _as_step(*row: Any) -> Step:
    userid, opponent, score, before, *tally = row
    return Step(userid, opponent, score, before, Tally(*tally))


def _rows(folded: Folded) -> Iterable[dict[str, Any]]:
    """Yield the rows of the steps of a game."""
    ended = folded.ended
    for each in folded.steps:
        yield {
            "userid": each.userid,
            "game": ended.game,
            "practice": ended.practice,
            "board": ended.board,
            "opponent": each.opponent,
            "score": each.score,
            "before": each.before,
            **each.tally._asdict(),
        }
