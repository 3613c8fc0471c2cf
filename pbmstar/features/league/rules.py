"""A league: the pairs and tables of a season, and the divisions of the next one.

Points are 1 for a win and a half for a tie. A table is a fold over the games of a division.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ...errors import Sentence, say
from ...machine.times import DAY, Epoch

LEAGUE = "league"  # the kind of its contests, and of the games of these
OUT, LOST = "out", "lost"  # states of a player: all games are out of the table; those left are lost
LEAST = 4  # players of a season
_ALONE = 13  # the most players of a season with one division
_DIVISION = 7  # the most players of a division, if there are several
_MONTHS = (1, 5, 9)  # the months in which seasons begin
_TABLES = (1, 15)  # days of a month on which the tables go out
_REST = 7 * DAY  # the pause between two seasons
_NOTICES = (14, 3)  # days before the end on which the end is announced
_LATE = 2  # a player who has lost so many games on time is not in the next season
IDLE = 30 * DAY  # neither is a player who has not moved for so long before the end
SHORT = 14 * DAY  # after a season shorter than this IDLE does not apply


class Pair(NamedTuple):
    """Two players of a division, who play one game.

    first   the player who moves first
    winner  empty for a tie; None while the game runs, or if it ended without result
    late    the game was lost on time
    gone    the players who withdrew while it ran
    """

    first: str
    second: str
    winner: str | None = None
    late: bool = False
    gone: frozenset[str] = frozenset()

    def other(self, userid: str) -> str:
        """Return the opponent of a player."""
        return self.second if userid == self.first else self.first

    def outcome(self, out: Collection[str] = ()) -> str | None:
        """Return the winner for the table, empty for a tie; None if the game does not count.

        ``out``: the players whose games are all taken out of the table. A game between two players who
        withdrew is a tie: it does not matter which of them withdrew first.
        """
        if self.first in out or self.second in out:
            return None
        if len(self.gone) == 1:
            return self.other(*self.gone)
        return "" if self.gone else self.winner


class TableLine(NamedTuple):
    """A line of a table.

    sb    Sonneborn-Berger: the points of all beaten opponents, and half of the points of tied ones
    late  games lost on time
    """

    userid: str
    played: int
    won: int
    tied: int
    lost: int
    points: float
    sb: float
    late: int


def rounds(players: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return the pairs of a division by the circle method; the player who moves first comes first.

    Each pair meets once. Nobody moves first more often than second by more than one game.
    """
    # An odd number; the last of an even number of players stands apart.
    circle = len(players) - 1 + len(players) % 2
    paired = []
    for number in range(circle):
        pairs = []
        if circle < len(players):
            apart = players[number], players[-1]
            pairs.append(apart[::-1] if number % 2 else apart)
        for step in range(1, circle // 2 + 1):
            one, two = (number + step) % circle, (number - step) % circle
            is_first = (two - one) % circle % 2 == 1
            pair = players[one], players[two]
            pairs.append(pair if is_first else pair[::-1])
        paired.append(pairs)
    return paired


def table(
    players: Sequence[str], pairs: Iterable[Pair], out: Collection[str] = ()
) -> list[TableLine]:
    """Return the table of a division, the best player first.

    The order is by points; Sonneborn-Berger; points in the games between players who are equal in both;
    fewer games lost on time; and the order of ``players``, the best at the start first.

    out  the players who are no longer in the table
    """
    stay = [userid for userid in players if userid not in out]
    counted = [(pair, won) for pair in pairs if (won := pair.outcome(out)) is not None]
    points = _points(stay, counted)
    lines = [_table_line(userid, counted, points) for userid in stay]
    alike: dict[tuple[float, float], list[str]] = {}
    for line in lines:
        alike.setdefault((line.points, line.sb), []).append(line.userid)
    direct: dict[str, float] = {}
    for group in alike.values():
        inner = [each for each in counted if each[0].first in group and each[0].second in group]
        direct |= _points(group, inner)
    return sorted(lines, key=lambda line: (-line.points, -line.sb, -direct[line.userid], line.late))


def _points(players: Sequence[str], counted: Sequence[tuple[Pair, str]]) -> dict[str, float]:
    """Return the points of each player in some games; each game has its winner, empty for a tie."""
    points = dict.fromkeys(players, 0.0)
    for pair, winner in counted:
        for userid in (pair.first, pair.second):
            points[userid] += 1.0 if winner == userid else 0.0 if winner else 0.5
    return points


def _table_line(
    userid: str, counted: Sequence[tuple[Pair, str]], points: Mapping[str, float]
) -> TableLine:
    own = [(pair, winner) for pair, winner in counted if userid in (pair.first, pair.second)]
    won = [pair for pair, winner in own if winner == userid]
    tied = [pair for pair, winner in own if not winner]
    sb = sum(points[pair.other(userid)] for pair in won)
    sb += sum(points[pair.other(userid)] for pair in tied) / 2
    lost = [pair for pair, winner in own if winner == pair.other(userid)]
    late = sum(pair.late and not pair.gone for pair in lost)
    return TableLine(userid, len(own), len(won), len(tied), len(lost), points[userid], sb, late)


def is_lost(userid: str, pairs: Iterable[Pair]) -> bool:
    """Return True if a player who withdraws loses the running games, since half of the games have ended.

    Otherwise all games of that player are taken out of the table. A game that ended because a player
    withdrew does not count as ended: it does not matter which player withdraws first.
    """
    own = [pair for pair in pairs if userid in (pair.first, pair.second)]
    ended = sum(pair.winner is not None and not pair.gone for pair in own)
    return 2 * ended >= len(own)


# -- from one season to the next


def sizes(count: int) -> list[int]:
    """Return the sizes of the divisions: up to 13 players are in one; otherwise 5 to 7 are in each."""
    number = 1 if count <= _ALONE else -(-count // _DIVISION)
    return [count // number + (place < count % number) for place in range(number)]


class Entering(NamedTuple):
    """A player who was not in the last season.

    strength  in points; None while too little is known
    division  the player's division in the season before the last, 0 if there was none
    """

    userid: str
    strength: float | None = None
    division: int = 0


def divisions(
    last: Sequence[Sequence[str]], stay: Collection[str], newcomers: Iterable[Entering] = ()
) -> list[list[str]]:
    """Return the players of each division of a season, the strongest first.

    The first players of a division go up and its last go down: two if it has six players or more, otherwise
    one. Newcomers begin at the bottom, by strength. A player who comes back after one season of absence
    begins in the former division.

    last  the tables of the last season, by division; players who do not ``stay`` are left out
    """
    groups: list[list[str]] = [[] for _ in last] or [[]]
    # A division gets the players from above, then its own, then the players from below.
    for step in (1, 0, -1):
        for number, players in enumerate(last, 1):
            for place, userid in enumerate(players, 1):
                if movement(place, len(players), number, len(last)) == step:
                    groups[number - 1 + step].append(userid)
    groups = [[userid for userid in group if userid in stay] for group in groups]
    fresh = sorted(newcomers, key=lambda new: (new.strength is None, -(new.strength or 0.0)))
    for new in fresh:
        groups[min(new.division or len(groups), len(groups)) - 1].append(new.userid)
    flat = list(dict.fromkeys(userid for group in groups for userid in group))
    cut = []
    for size in sizes(len(flat)):
        cut.append(flat[:size])
        flat = flat[size:]
    return cut


def movement(place: int, size: int, division: int, divisions: int) -> int:
    """Return -1 if the player at a place goes up a division, 1 if the player goes down, otherwise 0.

    The first division is the highest.
    """
    end = 2 if size > 5 else 1
    if place <= end and division > 1:
        return -1
    return int(place > size - end and division < divisions)


def is_dropped(line: TableLine, idle: bool) -> bool:
    """Return True if a player must join again to be in the next season: the player was ``idle`` at the end,
    or has lost too many games on time."""
    return idle or line.late >= _LATE


# -- the calendar, in UTC


def next_begin(after: Epoch, last: Epoch | None) -> Epoch:
    """Return the time when a season begins: the first of January, May or September, or a week after the end
    of the last season, if that is earlier."""
    day = datetime.fromtimestamp(after, UTC).date()
    ahead = [(day.year + more, month) for more in (0, 1) for month in _MONTHS]
    first = next(each for each in ahead if each > (day.year, day.month))
    regular = datetime(*first, 1, tzinfo=UTC).timestamp()
    return regular if last is None else min(regular, last + _REST)


class Stage(NamedTuple):
    """The newest message to the players of a season: ``begun``, ``table`` or ``ends``; and its time."""

    word: str
    at: Epoch

    def __str__(self) -> str:
        return f"{self.word} {self.at:.0f}"


def stage(begin: Epoch, until: Epoch, now: Epoch) -> Stage:
    """Return the stage of a running season at the time ``now``."""
    stages = [Stage("begun", begin)]
    day = datetime.fromtimestamp(begin, UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    while (at := day.timestamp()) <= min(now, until):
        if day.day in _TABLES and at > begin + 3 * DAY:
            stages.append(Stage("table", at))
        day += timedelta(days=1)
    stages += [Stage("ends", max(begin, until - days * DAY)) for days in _NOTICES]
    return max((each for each in stages if each.at <= now), key=lambda each: each.at)


def title_of(game: str, season: int, division: int, divisions: int) -> Sentence:
    """Return the title of the first of a division: ``champion of Star league 3``."""
    league = say("{game} league {season}", game=game, season=season)
    if division == 1:
        return say("champion of {league}", league=league)
    return say(
        "winner of division {number} of {divisions} in {league}",
        number=division,
        divisions=divisions,
        league=league,
    )
