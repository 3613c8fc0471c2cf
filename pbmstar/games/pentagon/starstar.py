"""*Star: take peries and quarks with as few stars as possible."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from ...errors import IllegalMove, InvalidMove, Sentence, say, say_many, together
from ..base import Option, Position, Score
from ..grids import EMPTY, O_STONE, X_STONE
from ..placement import Placement
from ..spelling import plain, signed
from ..values import Counting, ReportLine, ReportRow
from . import counting
from .board import RINGS, PentagonGame

_X_STAR, _O_STAR = 1, 2  # marks of cells in stars; both together: a region between the two
_SEEN = 0
_STAR_OF = {X_STONE: _X_STAR, O_STONE: _O_STAR}


class StarStar(Placement, PentagonGame):
    """A score is the peries owned, 1 for three quarks, twice the difference in stars; quarks break ties."""

    word = "*star"
    aliases = ("starstar",)
    title = "*Star"
    to_score = 2
    brief = say(
        "Players take turns putting a stone on an empty cell. Stones never move. A star is a "
        "chain with two or more stones on the outermost ring. You score a point for each cell of "
        "that ring that your stars hold or enclose, and one extra point if you have three or more"
        " of the five corners. If your opponent has more stars than you, you get 2 points for "
        "each extra star, and your opponent loses 2."
    )
    _brief_of_double = say(
        "Players take turns putting two stones on empty cells (only one on the first turn). "
        "Stones never move. A star is a chain with two or more stones on the outermost ring. You "
        "score a point for each cell of that ring that your stars hold or enclose, and one extra "
        "point if you have three or more of the five corners. If your opponent has more stars "
        "than you, you get 2 points for each extra star, and your opponent loses 2."
    )
    options = (
        RINGS,
        Option("double", "two stones per turn, but only one on the first turn"),
        Option("nobridge", "the star in the middle is a cell like any other"),
        Option("handicap", "stones O starts with on the board", (1, 10)),
        Option("points", "points added to O's score and taken off X's", (-99, 99)),
    )

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.given = self.value("points")
        self.double = bool(self.value("double"))
        if self.double:
            self.brief = self._brief_of_double
        self.one_stone = not self.double
        self.edges = tuple(int(sides > 0) for sides in self.edges)  # one peri is like another
        self.total = 5 * self.rings + 1
        self.has_swap = not (self.given or self.value("handicap"))

    def has_playable_star(self) -> bool:
        """Tell if the game is played without the bridge."""
        return bool(self.value("nobridge"))

    # -- turns

    def start(self) -> Position:
        """Return the empty board, or O's handicap stones on it."""
        stones = bytearray(self.grid.empty)
        for name in handicap_cells(self.rings)[: self.value("handicap")]:
            stones[self.grid.index[name]] = O_STONE
        return Position(self, bytes(stones))

    def read_turn(self, words: Sequence[str]) -> str:
        """Read one cell, or in Double *Star one or two, apart or joined by ``,`` or ``+``."""
        if not self.double:
            return super().read_turn(words)
        text = " ".join(plain(word) for word in words).replace(",", " ").replace("+", " ").split()
        names = [self.grid.names[self.cell(word)] for word in text]
        if not 1 <= len(names) <= 2:
            raise InvalidMove(
                say(
                    "You place two stones each turn, like {example}, but you wrote {number}.",
                    example=self._example(),
                    number=len(names),
                ),
                "stones",
            )
        if len(set(names)) < len(names):
            raise InvalidMove(
                say("A turn takes two different cells, but you wrote {name} twice.", name=names[0]),
                "twice",
            )
        return " ".join(names)

    def turn(self, position: Position, move: str) -> Position:
        """Return the position after a turn; in Double *Star it must have its number of stones."""
        if self.double:
            stones, first = move.count(" ") + 1, position.played == 0
            due = self._due(position)
            if stones != due and first:
                raise IllegalMove(
                    say("On the first turn of the game, you place only one stone."), "stones"
                )
            if stones != due and due == 2:
                raise IllegalMove(
                    say(
                        "Place two stones in one move, like {example}.",
                        example=self._example(),
                    ),
                    "stones",
                )
            if stones != due:
                raise IllegalMove(
                    say("There's only one cell left, so place just one stone."), "stones"
                )
        return super().turn(position, move)

    def turns(self, position: Position) -> Iterator[str]:
        """Return each empty cell, or in Double *Star each choice of as many as are due."""
        return map(" ".join, combinations(super().turns(position), self._due(position)))

    def _due(self, position: Position) -> int:
        """Return how many stones the turn has."""
        return min(2, position.stones.count(EMPTY)) if self.double and position.played else 1

    def _example(self) -> str:
        return f"{self.grid.example} T{self.grid.example[1]}0"

    # -- counting

    def score(self, stones: bytes) -> Score:
        """Return both scores, with the peries, quarks, stars and award of each player."""
        owners, stars = self._owners(stones)
        peries = owners.count(_X_STAR), owners.count(_O_STAR)
        corners = owners[:: self.rings]
        quarks = corners.count(_X_STAR), corners.count(_O_STAR)
        award = 2 * (stars[1] - stars[0])
        x = peries[0] + (quarks[0] > 2) + award - self.given
        o = peries[1] + (quarks[1] > 2) - award + self.given
        return Score(
            (x, o),
            ((x, quarks[0]), (o, quarks[1])),
            {
                "detail": {
                    "X": _counts(peries[0], quarks[0], stars[0], award),
                    "O": _counts(peries[1], quarks[1], stars[1], -award),
                }
            },
            (
                _note(peries[0], quarks[0], stars[0], award, -self.given),
                _note(peries[1], quarks[1], stars[1], -award, self.given),
            ),
        )

    def counting(self) -> Counting:
        """Return the gains of chains: a star gains its peries less 4, and a spark loses its peri."""
        gains = (0, -1, *(peries - 4 for peries in range(2, 5 * self.rings + 1)))
        corners = range(self.perimeter, len(self.grid), self.rings)
        return Counting(
            self.edges,
            (gains, gains),
            corners=tuple(corners),
            least=self.to_score,
            given=self.given,
        )

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield every star, the sparks, and the score in four ways of counting."""
        return counting.report(self, stones, self.given)

    def _owners(self, stones: bytes) -> tuple[bytearray, tuple[int, int]]:
        """Return each pericell's mark of its owner's stars, if it has an owner, and the numbers of stars.

        Only cells that are connected to the perimeter are visited: no others bear on the score.
        """
        marks = bytearray(stones)
        neighbours = self.grid.neighbours
        perimeter = range(self.perimeter, len(stones))
        stars = [0, 0, 0]
        for start in perimeter:
            stone = marks[start]
            if stone not in _STAR_OF:
                continue
            mark = _STAR_OF[stone]
            before = marks.count(mark, self.perimeter)
            marks[start] = mark
            chain = [start]
            for cell in chain:
                for near in neighbours[cell]:
                    if marks[near] == stone:
                        marks[near] = mark
                        chain.append(near)
            if marks.count(mark, self.perimeter) - before >= 2:
                stars[mark] += 1
            else:
                for cell in chain:  # a spark: it is only a part of its region
                    marks[cell] = EMPTY
        for start in perimeter:
            if marks[start] <= _O_STAR:
                continue
            marks[start] = _SEEN
            region = [start]
            touched = 0
            for cell in region:
                for near in neighbours[cell]:
                    mark = marks[near]
                    if mark > _O_STAR:
                        marks[near] = _SEEN
                        region.append(near)
                    else:
                        touched |= mark
            if touched in (_X_STAR, _O_STAR):
                for cell in region:
                    if cell >= self.perimeter:
                        marks[cell] = touched
        return marks[self.perimeter :], (stars[_X_STAR], stars[_O_STAR])


def _counts(peries: int, quarks: int, stars: int, award: int) -> dict[str, int]:
    return {"peries": peries, "quarks": quarks, "stars": stars, "award": award}


def _note(peries: int, quarks: int, stars: int, award: int, given: int) -> Sentence:
    """Return the terms of a score, such as ``13 peries, 3 quarks (+1), 3 stars, award -4``."""
    own = say_many("{count} quark", "{count} quarks", quarks)
    return together(
        say_many("{count} peri", "{count} peries", peries),
        together(own, "(+1)") if quarks > 2 else own,
        say_many("{count} star", "{count} stars", stars),
        say("award {points}", points=signed(award)),
        say("points {points}", points=signed(given)) if given else None,
        by=", ",
    )


def handicap_cells(rings: int) -> tuple[str, ...]:
    """Return the cells of the handicap stones in order: on the arms, at 6 and at 3 tenths of each."""
    outer, inner = (6 * rings + 5) // 10, (3 * rings + 5) // 10
    return tuple(f"{arm}{ring}0" for ring in (outer, inner) for arm in "SA*TR")
