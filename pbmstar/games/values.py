"""Players, options, scores, bounds and endings: the small values that the rules use.

The lines of a board counted in detail, as values: sentences, lists of cells, a table of both players.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from ..errors import BadOption, Sentence, say, together
from .grids import O_STONE, X_STONE
from .spelling import listed, shown

Player = Literal["X", "O"]
PLAYERS: tuple[Player, Player] = ("X", "O")
STONE: dict[Player, int] = {"X": X_STONE, "O": O_STONE}
_NAME = 16  # columns of the names in a table


def other(player: Player) -> Player:
    """Return the opponent's seat."""
    return "O" if player == "X" else "X"


@dataclass(frozen=True)
class Option:
    """One option of a game: a flag if it has no range, otherwise a whole number in its range.

    A default of 0 means that the option does nothing unless it is given. Players may also write it
    under its name in games that are like this one, ``other``.
    """

    name: str
    doc: str
    range: tuple[int, int] | None = None
    default: int = 0
    other: str = ""

    def usage(self) -> str:
        """Return the option as a usage line has it: ``-maxi`` or ``-size=number``."""
        return f"-{self.name}=number" if self.range else f"-{self.name}"

    def limits(self) -> Sentence | None:
        """Return the limits of a number, for a table: ``3 to 14, default 6``; None for a flag."""
        if not self.range:
            return None
        low, high = self.range
        if not self.default:
            return say("{low} to {high}", low=low, high=high)
        return say("{low} to {high}, default {default}", low=low, high=high, default=self.default)

    def read(self, value: object) -> int:
        """Return the option's value from mail text, or from a JSON number or boolean. Raises BadOption."""
        if not self.range:
            if value is True or value is False:
                return int(value)
            if value in (None, ""):
                return 1
            raise BadOption(
                say("The option -{name} doesn't take a value.", name=self.name), "no-value"
            )
        text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
        low, high = self.range
        if not re.fullmatch(r"[+-]?[0-9]{1,6}", text) or not low <= int(text) <= high:
            wrong = text and say(
                "-{name}={value} isn't possible.", name=self.name, value=shown(text)
            )
            takes = (
                say(
                    "-{name} takes a whole number from {low} to {high}, like {example}.",
                    name=self.name,
                    low=low,
                    high=high,
                    example=f"-{self.name}={self.default}",
                )
                if self.default
                else say(
                    "-{name} takes a whole number from {low} to {high}.",
                    name=self.name,
                    low=low,
                    high=high,
                )
            )
            raise BadOption(together(wrong, takes), "bad-value")
        return int(text)


@dataclass(frozen=True)
class Score:
    """The count of a board as it stands; each field except ``detail`` is in the order of ``Game.seats``.

    points  each player's score
    ranks   the values that decide between two players: the larger wins, equal ones are a tie
    detail  more facts for ``analyse``: name -> {"X": ..., "O": ...}
    notes   each player's score explained in a few words, for letters
    """

    points: tuple[int, ...]
    ranks: tuple[Any, ...]
    detail: Mapping[str, Mapping[Player, Any]]
    notes: tuple[Sentence | str, ...]

    @property
    def winner(self) -> Player | None:
        """Return the player who leads; None for a tie, and in a game for one player."""
        best = max(self.ranks)
        return PLAYERS[self.ranks.index(best)] if self.ranks.count(best) < len(self.ranks) else None


@dataclass(frozen=True)
class Bounds:
    """The worst and the best score that a board can still reach; they are exact.

    Only ``points`` and ``ranks`` of the two scores have a meaning.
    """

    worst: Score  # X's worst: every empty cell given to O
    best: Score  # X's best: every empty cell given to X

    def of(self, player: Player) -> tuple[int, int]:
        """Return the lowest and the highest score that ``player`` can still have."""
        if player == "X":
            return self.worst.points[0], self.best.points[0]
        return self.best.points[1], self.worst.points[1]

    def winner(self, points: tuple[int, ...]) -> Player | None:
        """Return the winner by agreed ``points``; if equal, the player who wins on every full board."""
        x, o = points
        return self.decided if x == o else "X" if x > o else "O"

    @property
    def settled(self) -> bool:
        """Tell if no stone can change the score any more."""
        return self.worst.points == self.best.points

    @property
    def is_certain(self) -> bool:
        """Tell if neither the score nor the winner can change any more."""
        return self.settled and self.worst.winner == self.best.winner

    @property
    def decided(self) -> Player | None:
        """Return the player who wins however the board is filled; None while both can, or for a tie."""
        winner = self.worst.winner
        return winner if winner == self.best.winner else None


@dataclass(frozen=True)
class Counting:
    """A way to count a full board, chain by chain, for programs that count very many boards.

    It gives only the margin between the players, not the score of each.

    weights  for each cell its part of the weight of its chain; chains of weight 0 count nothing
    gains    for each player the gain in margin from a chain of each weight
    united   weights are sets (bits) and a chain has their union; otherwise they are numbers and add up
    corners  cells whose majority is worth 1 and decides a tie
    least    the weight below which a chain's corners are the opponent's
    after    in games in which the best chain decides, then the next best: the cells of the edge, each
             with the next one round the board; the last cell of a run of a player's cells adds 1
    given    points taken from X and given to O
    total    the sum of both players' gains on each full board, if it is always the same and X's gains
             follow from X's chains alone; each last cell of a run (``after``) adds 1 to them
    """

    weights: tuple[int, ...]
    gains: tuple[tuple[int, ...], tuple[int, ...]]
    united: bool = False
    corners: tuple[int, ...] = ()
    least: int = 0
    after: Mapping[int, int] = field(default_factory=dict)
    given: int = 0
    total: int | None = None


How = Literal[
    "full", "passes", "agreement",
    "chain", "corners", "row", "pentahexes", "blocked", "repetition", "length", "finished",
    "resignation", "forfeit", "cancelled", "claim", "judged",
]  # fmt: skip


@dataclass(frozen=True)
class Ending:
    """The end of a game, and its winner; None is a tie, or no result if it was cancelled."""

    how: How
    winner: Player | None
    points: tuple[int, ...] | None = None  # those agreed on, or settled when the end was claimed

    @property
    def counted(self) -> bool:
        """Tell if points decided the game, so that there is a margin to tell."""
        return self.how in ("full", "passes", "agreement") or (
            self.how in ("claim", "judged") and self.points is not None
        )


class ReportLine(NamedTuple):
    """A sentence, or a list of cells after the words that say what they are.

    A list goes on in lines that are indented as deep; one without cells has no line.
    """

    said: Sentence | str
    cells: Sequence[str] | None = None
    indent: int = 0


class ReportRow(NamedTuple):
    """A row of a table: its name, and a column for each player."""

    name: Sentence | str
    x: str
    o: str


def told(
    lines: Iterable[ReportLine | ReportRow], tell: Callable[[Sentence | str], str] = str
) -> tuple[str, ...]:
    """Return lines of at most 72 columns, if their sentences are short; ``tell`` turns those into texts."""
    lines = tuple(lines)
    names = [tell(each.name) for each in lines if isinstance(each, ReportRow)]
    width = max(_NAME, *(len(name) + 1 for name in names)) if names else _NAME
    shown: list[str] = []
    for each in lines:
        if isinstance(each, ReportRow):
            shown.append(f"{tell(each.name):{width}}{each.x:>5}{each.o:>5}")
            continue
        head = " " * each.indent + tell(each.said)
        if each.cells is not None:
            shown += listed(f"{head} " if each.said else head, each.cells)
        else:
            # In another language it may be too long for a line.
            shown += listed(" " * each.indent, [tell(each.said)]) if each.said else [""]
    return tuple(shown)
