"""Ratings: the games that have ended, and their fold, with a step for each player of each game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf, nextafter
from typing import Any, NamedTuple

from sqlalchemy import delete, func, or_, select, tuple_

from ...store import schema
from ...store.statements import Subject, by, change, drop, fields, keep, p, quoted
from . import tables as t
from .fold import Ended, Fold, Folded, Step, Tally
from .rating import PERIOD, SCALE

_LOCK = "ratings"  # the fact that a change of the fold writes first
_PAGE = 2000  # games that are read and folded together
_AT_ONCE = 20  # players of one statement

_rated, _steps, _ratings, _users = t.rated.c, t.rating_steps.c, t.ratings.c, schema.users.c


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
    since: float
    sure: float
    now: float


class Past(NamedTuple):
    """A rated game in the history of a player."""

    board: int
    opponent: str
    score: float
    before: float
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


_GAME = select(*fields(t.rated, Ended), _rated.why)  # as a Kept
_tally, _rating = fields(t.rating_steps, Tally), fields(t.ratings, Tally)
_step = (_steps.userid, _steps.opponent, _steps.score, _steps.before, *_tally)  # as a Step
_TAKE_LOCK = keep(schema.facts)
_GAME_OF = _GAME.where(by(t.rated, "board"))
_place = tuple_(p("at"), p("board"))
_rated_place, _step_place = tuple_(_rated.at, _rated.board), tuple_(_steps.at, _steps.board)
_of_game, _step_of = by(t.rated, "game", "practice"), by(t.rating_steps, "game", "practice")
_FROM = _GAME.where(_of_game, _rated_place >= _place).order_by(_rated.at, _rated.board).limit(_PAGE)
_MOVED = select(_steps.userid).where(_step_of, _step_place >= _place).distinct()
_DROP_STEPS = delete(t.rating_steps).where(_step_of, _step_place >= _place)
_newest = select(*_tally).order_by(_steps.at.desc(), _steps.board.desc()).limit(1)
_BEFORE = _newest.where(by(t.rating_steps, "userid"), _step_of, _step_place < _place)
_pair, _one, _other = tuple_(_rated.first, _rated.second), p("one"), p("other")
_is_pair = or_(_pair == tuple_(_one, _other), _pair == tuple_(_other, _one))
_MET = (
    select(_rated.at)
    .where(
        _of_game,
        _is_pair,
        _rated.why == "",
        _rated_place < _place,
    )
    .order_by(_rated.at, _rated.board)
)
_BEATEN = (
    select(_steps.opponent)
    .where(by(t.rating_steps, "userid"), _step_of, _steps.score == 1.0, _step_place < _place)
    .distinct()
)
_LAST = select(func.max(_rated.at)).where(_of_game)
_SET_WHY, _DROP_RATING = (
    change(t.rated, ("board",), "why"),
    drop(t.ratings, "game", "practice", "userid"),
)
_ALL_OF = (
    select(_ratings.game, _ratings.practice, *_rating)
    .where(by(t.ratings, "userid"))
    .order_by(_ratings.practice, _ratings.game)
)
_LISTED = (
    select(_ratings.userid, *_rating)
    .join(schema.users, _users.userid == _ratings.userid)
    .where(
        by(t.ratings, "game", "practice"),
        _users.state.in_([quoted("active"), quoted("suspended")]),
    )
    .order_by(_ratings.rating.desc(), _ratings.userid)
)
# A deviation grows as ``Rating.after`` says.
_grown = _ratings.deviation * _ratings.deviation + (p("now") - _ratings.at) * (
    _ratings.volatility * _ratings.volatility * (SCALE**2 / PERIOD)
)
_ESTABLISHED = _LISTED.where(
    _ratings.opponents >= p("opponents"),
    _ratings.at >= p("since"),
    _ratings.deviation < p("sure"),
    _grown < p("sure") * p("sure"),
)
_BEST = _ESTABLISHED.limit(p("most")).offset(p("first"))
_better = or_(
    _ratings.rating > p("rating"), by(t.ratings, "rating") & (_ratings.userid < p("userid"))
)
_ABOVE = _ESTABLISHED.where(_better).order_by(None).with_only_columns(func.count())
_HISTORY = (
    select(_steps.board, *_step[1:])
    .where(by(t.rating_steps, "userid"), _step_of)
    .order_by(_steps.at.desc(), _steps.board.desc())
    .limit(p("count"))
)
_peak = (
    select(func.max(_steps.rating))
    .where(
        _steps.userid == _ratings.userid,
        _steps.game == _ratings.game,
        _steps.practice == 0,
        _steps.at >= p("since"),
    )
    .scalar_subquery()
)
_MANY = select(_ratings.userid, _ratings.game, *_rating, _peak).where(
    _ratings.practice == 0, _ratings.userid.in_([p(f"userid{n}") for n in range(_AT_ONCE)])
)
_STEPS_OF_BOARD = select(*_step).where(by(t.rating_steps, "board")).order_by(_steps.userid)
_lost = or_(
    (_rated.first == p("userid")) & (_rated.score == 0.0),
    (_rated.second == p("userid")) & (_rated.score == 1.0),
)
_LOST = select(func.count()).where(
    _lost,
    _rated.practice == 0,
    _rated.why == "",
    _rated.how == p("how"),
    _rated.board != p("board"),
    _rated.at.between(p("since"), p("until")),
)
_counts = (_rated.practice == 0) & (_rated.barred != quoted("void"))
_RECORD = select(_rated.first, _rated.score).where(
    _counts, or_(_rated.first == p("userid"), _rated.second == p("userid"))
)
_PROGRAMS_MET = (
    select(_steps.game, _steps.opponent, func.sum(_steps.score), func.count())
    .where(by(t.rating_steps, "userid"), _steps.practice == 1)
    .group_by(_steps.game, _steps.opponent)
    .order_by(_steps.game, _steps.opponent)
)
_PAIRS = (
    select(_rated.first, _rated.second, func.count(), func.sum(_rated.score))
    .where(_counts)
    .group_by(_rated.first, _rated.second)
    .order_by(_rated.first, _rated.second)
)
_WINS = (
    select(_steps.game, _steps.userid, _steps.opponent, func.count())
    .where(_steps.practice == 0, _steps.score == 1.0)
    .group_by(_steps.game, _steps.userid, _steps.opponent)
    .order_by(_steps.game, _steps.userid, _steps.opponent)
)
_KINDS = select(_rated.game, _rated.practice).distinct().order_by(_rated.game, _rated.practice)
_ALL_STEPS = (
    select(*_step, _steps.board).where(_step_of).order_by(_steps.at, _steps.board, _steps.userid)
)
_ALL_RATINGS = select(_ratings.userid, *_rating).where(by(t.ratings, "game", "practice"))
_COUNTS = select(_rated.practice, func.count()).where(_rated.why == "").group_by(_rated.practice)
_FIRST = float("-inf")


class Ratings(Subject):
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
        last = self._db.row(_LAST, game=ended.game, practice=ended.practice)[0]
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

    def rebuild(self, since: float = _FIRST) -> None:
        """Fold again all games that have ended since the time ``since``."""
        self._lock()
        for game, practice in self._db.rows(_KINDS):
            self._refold(game, practice, since, 0)

    def differences(self) -> Iterator[str]:
        """Fold all games in memory, and yield each difference from the rows."""
        for game, practice in self._db.rows(_KINDS):
            kind = f"{game}{' in practice' if practice else ''}"
            fold, last = Fold(), dict[str, Tally]()
            steps: dict[tuple[int, str], Step] = {}
            for page in self._pages(game, practice, _FIRST, 0):
                for kept in page:
                    folded = fold.add(kept.ended)
                    if folded.why != kept.why:
                        yield f"board {kept.ended.board}: rated {kept.why!r}, the fold says {folded.why!r}"
                    steps |= {(kept.ended.board, each.userid): each for each in folded.steps}
                    last |= {each.userid: each.tally for each in folded.steps}
            for *row, board in self._db.rows(_ALL_STEPS, game=game, practice=practice):
                if _as_step(*row) != steps.pop((board, row[0]), None):
                    yield f"board {board}: the step of {row[0]} in {kind} is not that of the fold"
            yield from (f"board {board}: {userid} has no step in {kind}" for board, userid in steps)
            for userid, *row in self._db.rows(_ALL_RATINGS, game=game, practice=practice):
                if Tally(*row) != last.pop(userid, None):
                    yield f"the rating of {userid} in {kind} is not that of the fold"
            yield from (f"{userid} has no rating in {kind}" for userid in last)

    # -- looking

    def game(self, board: int) -> Kept | None:
        """Return a game that has ended; None if it is not for two players, or runs."""
        return self._db.one(_kept, _GAME_OF, board=board)

    def of(self, userid: str, game: str, practice: bool = False) -> Tally | None:
        """Return the tally of a player in a game; None before the first rated game."""
        return self._db.find(Tally, t.ratings, userid=userid, game=game, practice=int(practice))

    def all_of(self, userid: str) -> list[tuple[str, bool, Tally]]:
        """Return all tallies of a player, each as the game's word, True if it is practice, and the tally."""
        rows = self._db.rows(_ALL_OF, userid=userid)
        return [(game, bool(practice), Tally(*rest)) for game, practice, *rest in rows]

    def listed(self, game: str, practice: bool = False) -> list[Listed]:
        """Return all players of a game who have an account, the best first."""
        rows = self._db.rows(_LISTED, game=game, practice=int(practice))
        return [Listed(row[0], Tally._make(row[1:])) for row in rows]

    def best(self, of: Established, first: int, most: int) -> list[Listed]:
        """Return at most ``most`` of these players, the best first, without the ``first`` best ones."""
        rows = self._db.run(_BEST, **of._asdict(), first=first, most=most).fetchall()
        return [Listed(row[0], Tally._make(row[1:])) for row in rows]

    def above(self, of: Established, listed: Listed) -> int:
        """Count the players of the list who stand above the player ``listed``."""
        own = {"userid": listed.userid, "rating": listed.tally.rating}
        return int(self._db.row(_ABOVE, **of._asdict(), **own)[0])

    def many(self, userids: Sequence[str], since: float) -> Iterator[Known]:
        """Yield all tallies of players among people, each with the highest rating since then."""
        for at in range(0, len(userids), _AT_ONCE):
            some = [*userids[at : at + _AT_ONCE]]
            some += some[:1] * (_AT_ONCE - len(some))
            names = {f"userid{n}": userid for n, userid in enumerate(some)}
            for userid, game, *tally, peak in self._db.rows(_MANY, since=since, **names):
                yield Known(userid, game, Tally(*tally), peak)

    def history(
        self, userid: str, game: str, practice: bool = False, count: int = 1000
    ) -> list[Past]:
        """Return the last rated games of a player, the last one first."""
        rows = self._db.rows(
            _HISTORY, userid=userid, game=game, practice=int(practice), count=count
        )
        return [
            Past(board, opponent, score, before, Tally(*rest))
            for board, opponent, score, before, *rest in rows
        ]

    def steps(self, board: int) -> dict[str, Step]:
        """Return the steps of a game, by userid; none if it is not rated."""
        return {each.userid: each for each in self._db.all(_as_step, _STEPS_OF_BOARD, board=board)}

    def lost(self, userid: str, how: str, since: float, until: float, but: int) -> int:
        """Count the rated games among people that a player has lost by ``how``, except board ``but``."""
        return self._db.number(_LOST, userid=userid, how=how, since=since, until=until, board=but)

    def record(self, userid: str) -> Counter[float]:
        """Count a player's games against people by their scores: 1, 0.5, 0."""
        rows = self._db.rows(_RECORD, userid=userid)
        return Counter(score if first == userid else 1 - score for first, score in rows)

    def against_programs(self, userid: str) -> list[tuple[str, str, float, int]]:
        """Return results against each program: game, program, the sum of scores, the number of games."""
        rows = self._db.rows(_PROGRAMS_MET, userid=userid)
        return [(game, program, float(score), int(count)) for game, program, score, count in rows]

    def kinds(self) -> list[tuple[str, bool]]:
        """Return the game words with ended games, each with True for practice and False for people."""
        return [(game, bool(practice)) for game, practice in self._db.rows(_KINDS)]

    def pairs(self) -> list[tuple[str, str, int, float]]:
        """Return the pairs of people with games, by name: the number of games, the first's sum of scores."""
        pairs: dict[tuple[str, str], list[float]] = {}
        for first, second, count, score in self._db.rows(_PAIRS):
            one, other = sorted((first, second))
            sums = pairs.setdefault((one, other), [0, 0.0])
            sums[0] += count
            sums[1] += score if one == first else count - score
        return [(one, other, int(games), won) for (one, other), (games, won) in pairs.items()]

    def wins(self) -> dict[tuple[str, str], dict[str, int]]:
        """Return the rated wins among people by game and winner: the losers, each with their number."""
        wins: dict[tuple[str, str], dict[str, int]] = {}
        for game, winner, loser, count in self._db.rows(_WINS):
            wins.setdefault((game, winner), {})[loser] = int(count)
        return wins

    def counts(self) -> dict[str, int]:
        """Count the rated games among people, and those in practice."""
        counts = {practice: int(count) for practice, count in self._db.rows(_COUNTS)}
        return {"people": counts.get(0, 0), "practice": counts.get(1, 0)}

    # -- folding

    def _lock(self) -> None:
        """Let no other transaction fold until the end of this one."""
        if (_LOCK,) not in self._db.cached:  # a savepoint that is undone gives the lock back
            self._db.changed(_TAKE_LOCK, name=_LOCK, value="")
            self._db.cached[_LOCK,] = True

    def _refold(self, game: str, practice: int, at: float, board: int) -> None:
        """Fold again the games of a kind, from the place (``at``, ``board``) in their order on."""
        place = {"game": game, "practice": practice, "at": at, "board": board}

        def tally(userid: str) -> Tally | None:
            return self._db.one(Tally, _BEFORE, userid=userid, **place)

        def met(one: str, other: str) -> list[float]:
            return self._db.column(_MET, one=one, other=other, **place)

        def beaten(userid: str) -> list[str]:
            return self._db.column(_BEATEN, userid=userid, **place)

        moved = set(self._db.column(_MOVED, **place))
        self._db.do(_DROP_STEPS, **place)
        fold, last = Fold(tally, met, beaten), dict[str, Tally | None]()
        for page in self._pages(game, practice, at, board):
            folded = [(kept, fold.add(kept.ended)) for kept in page]
            reasons = [
                {"board": kept.ended.board, "why": each.why}
                for kept, each in folded
                if each.why != kept.why
            ]
            self._db.run_each(_SET_WHY, reasons)
            self._db.add_each(t.rating_steps, [row for _, each in folded for row in _rows(each)])
            last |= {each.userid: each.tally for _, done in folded for each in done.steps}
        last |= {userid: tally(userid) for userid in moved - set(last)}
        key = {"game": game, "practice": practice}
        new = [{**key, "userid": who, **has._asdict()} for who, has in last.items() if has]
        self._db.keep_each(t.ratings, new)
        gone = [{**key, "userid": who} for who, has in last.items() if has is None]
        self._db.run_each(_DROP_RATING, gone)

    def _pages(self, game: str, practice: int, at: float, board: int) -> Iterator[list[Kept]]:
        """Yield the games of a kind, from the place (``at``, ``board``) in their order on."""
        place = {"game": game, "practice": practice}
        while page := self._db.all(_kept, _FROM, **place, at=at, board=board):
            yield page
            at, board = page[-1].ended.at, page[-1].ended.board + 1


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
