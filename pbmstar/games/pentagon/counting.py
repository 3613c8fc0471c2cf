"""The count of *Star in detail: star by star, and in the four ways in which the game has been counted.

It is slower than the score that goes into every letter, and is found in another way.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ...errors import say, say_many, together
from ..base import PLAYERS, STONE, Player, other
from ..spelling import signed
from ..values import ReportLine, ReportRow
from .board import PentagonGame


@dataclass
class CountedStar:
    """A star: the pericells in it, those that it alone encloses, and the number of their runs.

    ``bridge``: without the bridge its pericells would not be joined.
    """

    player: Player
    held: list[int]
    bridge: bool
    enclosed: list[int] = field(default_factory=list)
    arms: int = 0

    @property
    def peries(self) -> int:
        return len(self.held) + len(self.enclosed)


@dataclass(frozen=True)
class Count:
    """A board of *Star taken apart; cells are pericells.

    stars    of both players, in the order of their first pericells
    sparks   for each player the cells of the chains that have a single cell
    shared   for each player the cells that several of their stars enclose
    unowned  cells that no player owns
    """

    stars: tuple[CountedStar, ...]
    sparks: dict[Player, list[int]]
    shared: dict[Player, list[int]]
    unowned: list[int]

    def of(self, player: Player) -> list[CountedStar]:
        return [star for star in self.stars if star.player == player]

    def cells(self, player: Player) -> list[int]:
        """Return the pericells that a player owns."""
        own = [cell for star in self.of(player) for cell in (*star.held, *star.enclosed)]
        return own + self.shared[player]


def count(game: PentagonGame, stones: bytes) -> Count:
    """Return the stars, sparks and pericells of a board."""
    stars: list[CountedStar] = []
    sparks: dict[Player, list[int]] = {"X": [], "O": []}
    star_at: dict[int, int] = {}  # cell -> place of its star in ``stars``
    for player in PLAYERS:
        for chain in game.grid.chains(stones, STONE[player]):
            held = sorted(cell for cell in chain if cell >= game.perimeter)
            if len(held) > 1:
                star_at |= dict.fromkeys(chain, len(stars))
                stars.append(CountedStar(player, held, _needs_bridge(game, chain)))
            else:
                sparks[player] += held

    shared: dict[Player, list[int]] = {"X": [], "O": []}
    unowned: list[int] = []
    alone = dict(star_at)  # for each pericell that one star owns alone, that star
    for region in _regions(game, star_at):
        near = {star_at[b] for a in region for b in game.grid.neighbours[a] if b in star_at}
        cells = sorted(cell for cell in region if cell >= game.perimeter)
        owners = {stars[i].player for i in near}
        if len(near) == 1:
            star = near.pop()
            stars[star].enclosed += cells
            alone |= dict.fromkeys(cells, star)
        elif len(owners) == 1:
            shared[owners.pop()] += cells
        else:
            unowned += cells

    perimeter = range(game.perimeter, len(stones))
    for cell in perimeter:  # an arm ends where its owner changes, so a ring of one owner has none
        last = cell - 1 if cell > game.perimeter else perimeter[-1]
        if cell in alone and alone[cell] != alone.get(last):
            stars[alone[cell]].arms += 1
    order = sorted(stars, key=lambda star: star.held)
    return Count(tuple(order), sparks, shared, sorted(unowned))


def _regions(game: PentagonGame, star_at: dict[int, int]) -> Iterable[list[int]]:
    """Return the connected sets of cells that are in no star."""
    free = bytes(cell not in star_at for cell in range(len(game.grid)))
    return game.grid.chains(free, True)


def _needs_bridge(game: PentagonGame, chain: list[int]) -> bool:
    """Tell if the pericells of a chain are joined only over the bridge."""
    if game.playable:
        return False
    left = set(chain)
    parts = 0
    while left:
        part = [left.pop()]
        for a in part:
            for b in game.grid.neighbours[a]:
                over = a < 5 and b < 5 and (a - b) % 5 in (2, 3)  # the first ring is cells 0 to 4
                if b in left and not over:
                    left.remove(b)
                    part.append(b)
        parts += any(cell >= game.perimeter for cell in part)
    return parts > 1


# -- ways of counting


def ways(game: PentagonGame, counted: Count, given: int) -> dict[str, tuple[int, int]]:
    """Return X's and O's score by each way of counting; ``given`` points go from X to O.

    The margin is the same in all: the difference of the two scores, or, in the alternative way, either
    score itself. Arms and bridge are counted only if each pericell belongs to one star.
    """
    terms = {player: _terms(game, counted, player, given) for player in PLAYERS}
    by_way: dict[str, tuple[int, int]] = {}
    for name in ("standard", "alternative", "simplified", "arms and bridge"):
        values = []
        for player in PLAYERS:
            own, others = terms[player], terms[other(player)]
            base = own["peries"] + own["quark peri"] + own["points given"]
            ahead = others["stars"] - own["stars"]
            if name == "standard":
                values.append(base + 2 * ahead)
            elif name == "alternative":
                theirs = others["peries"] + others["quark peri"] + others["points given"]
                values.append(base - theirs + 4 * ahead)
            else:
                values.append(base - 4 * own["stars"])
                if name == "arms and bridge":
                    both = own["bridge"] and others["bridge"]
                    values[-1] += 2 * own["arms"] - (2 if both else 0)
        by_way[name] = (values[0], values[1])
    if counted.unowned or counted.shared["X"] or counted.shared["O"]:
        del by_way["arms and bridge"]
    return by_way


def _terms(game: PentagonGame, counted: Count, player: Player, given: int) -> dict[str, int]:
    cells = counted.cells(player)
    stars = counted.of(player)
    return {
        "peries": len(cells),
        "quark peri": int(_quarks(game, cells) > 2),
        "stars": len(stars),
        "arms": sum(star.arms for star in stars),
        "bridge": int(any(star.bridge for star in stars)),
        "points given": given if player == "O" else -given,
    }


def _quarks(game: PentagonGame, cells: Iterable[int]) -> int:
    """Return how many of these pericells are corners."""
    return sum((cell - game.perimeter) % game.rings == 0 for cell in cells)


# -- the report


def report(game: PentagonGame, stones: bytes, given: int) -> Iterator[ReportLine | ReportRow]:
    """Yield the lines of the count."""
    counted = count(game, stones)
    names = game.grid.names
    for player in PLAYERS:
        stars = counted.of(player)
        if stars:
            form = say_many("{player} has {count} star.", "{player} has {count} stars.", len(stars))
            yield ReportLine(form.given(count=len(stars), player=player))
        else:
            yield ReportLine(say("{player} doesn't have a star.", player=player))
        for number, star in enumerate(stars, 1):
            yield from _star_lines(game, number, star)
        if shared := counted.shared[player]:
            cells = tuple(names[cell] for cell in shared)
            yield ReportLine(say("enclosed by several stars:"), cells, 2)
        if sparks := counted.sparks[player]:
            yield ReportLine(say("sparks:"), tuple(names[cell] for cell in sparks), 2)
    if counted.unowned:
        yield ReportLine(say("Owned by nobody:"), tuple(names[cell] for cell in counted.unowned))
    yield ReportLine("")
    yield from _table(game, counted, given)


def _star_lines(game: PentagonGame, number: int, star: CountedStar) -> Iterator[ReportLine]:
    names = game.grid.names
    facts = together(
        say_many("{count} peri", "{count} peries", star.peries),
        say_many("{count} quark", "{count} quarks", _quarks(game, [*star.held, *star.enclosed])),
        say_many("{count} arm", "{count} arms", star.arms),
        say("uses the bridge") if star.bridge else None,
        by=", ",
    )
    yield ReportLine(together(f"{number}.", facts), indent=2)
    yield ReportLine(say("holds"), tuple(names[cell] for cell in star.held), 5)
    if star.enclosed:
        yield ReportLine(say("encloses"), tuple(names[cell] for cell in star.enclosed), 5)


_WAYS = {
    "standard": say("standard"),
    "alternative": say("alternative"),
    "simplified": say("simplified"),
    "arms and bridge": say("arms and bridge"),
}


def _table(game: PentagonGame, counted: Count, given: int) -> Iterator[ReportLine | ReportRow]:
    x, o = (_terms(game, counted, player, given) for player in PLAYERS)
    award = 2 * (o["stars"] - x["stars"])
    yield ReportRow("", "X", "O")
    yield ReportRow(say("peries"), str(x["peries"]), str(o["peries"]))
    yield ReportRow(say("quark peri"), signed(x["quark peri"]), signed(o["quark peri"]))
    yield ReportRow(say("award"), signed(award), signed(-award))
    if given:
        yield ReportRow(say("points given"), signed(-given), signed(given))
    by_way = ways(game, counted, given)
    for name, points in by_way.items():
        show = signed if name == "alternative" else str
        yield ReportRow(_WAYS[name], show(points[0]), show(points[1]))
    margin = by_way["alternative"][0]
    if not margin:
        yield ReportLine(say("The points are equal, so the player with more quarks is ahead."))
        return
    leader = "X" if margin > 0 else "O"
    yield ReportLine(
        say(
            "{player} is ahead by {points}, whichever way you count.",
            player=leader,
            points=abs(margin),
        )
    )
