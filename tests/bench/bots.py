"""How strong and how fast the bots are. It asserts nothing.

    python tests/bench/bots.py speed
    python tests/bench/bots.py match star 5 4 --games 400
    python tests/bench/bots.py beginners --games 50
    python tests/bench/bots.py levels --games 400 --write
    python tests/bench/bots.py rival /tmp/before "hex -size=11" --ms 20 --games 400
    python tests/bench/bots.py levels "*star -rings=10" --only 8 9 --games 60 --write

Every game begins with two stones at random, and each such opening is played twice, with sides changed.
The interval is 95 %, from the spread of the pairs.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import statistics
import textwrap
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from heapq import heapify, heappop, heappush
from pathlib import Path
from typing import NamedTuple

from rival import rival

from pbmstar import games
from pbmstar.bots.engine.arrays import tables
from pbmstar.bots.engine.levels import CARELESS, LEVELS, NUMBERS, is_careless, kind, level
from pbmstar.bots.engine.search import Root, search
from pbmstar.bots.engine.think import decide
from pbmstar.games.base import STONE, Game, Player, Position, other
from pbmstar.games.chains import ChainGame
from pbmstar.games.grids import EMPTY
from pbmstar.games.placement import Placement, due_of

TABLE = Path(__file__).parent.parent.parent / "docs" / "levels.txt"
_SEEDS = 500  # of each game
_NO_WAY = 10**6  # the cost of a cell of the opponent
_HEAD = "      playouts weaker"
# Those of a line are of one kind, so they have the same levels.
BOARDS = (
    "star -size=6", "star -size=10", "*star -rings=6", "*star -rings=10",
    "hex -size=11", "y", "polyy -rings=6", "stary",
)  # fmt: skip
Contender = Callable[[Position, int, int], str]  # of a position, the last stone and a seed: a move


def game_of(text: str) -> Placement:
    """A game as a challenge spells it."""
    word, *options = text.split()
    pairs = (option.lstrip("-").partition("=") for option in options)
    game = games.make(word, {name: value for name, _, value in pairs})
    assert isinstance(game, Placement)
    return game


def contender(number: int) -> Contender:
    """A player of that level."""

    def at_level(position: Position, last: int, seed: int) -> str:
        assert isinstance(position.game, Placement)
        careless = is_careless(number, seed // _SEEDS)
        return decide(position, last, CARELESS if careless else level(number, position.game), seed)[
            0
        ]

    return at_level


def won_by_first(
    game: Game, first: Contender, second: Contender, opening: list[str], seed: int
) -> bool:
    """Whether the one who plays X wins from the opening; a game ends when it is decided."""
    position = game.start()
    last = -1
    for move in opening:
        position = position.play(move)
        last = game.grid.index[move]
    while not position.over and not (winner := game.bounds(position.stones).decided):
        player = first if position.to_move == "X" else second
        move = player(position, last, seed + position.played)
        position = position.play(move)
        if move != "resign":
            last = game.grid.index[move.split(" ")[-1]]
    return (position.winner if position.over else winner) == "X"


def at_random(position: Position, _last: int, seed: int) -> str:
    """A player who puts a stone anywhere."""
    names = position.game.grid.names
    free = [name for name, stone in zip(names, position.stones, strict=True) if stone == EMPTY]
    return " ".join(random.Random(seed).sample(free, due_of(position)))


def along_the_edge(position: Position, _last: int, seed: int) -> str:
    """A beginner, who takes a cell of the edge beside their own there, or else any of the edge, or any."""
    game, mine = position.game, STONE[position.mover]
    assert isinstance(game, Placement)
    free = [cell for cell, stone in enumerate(position.stones) if stone == EMPTY]
    edge = {cell for cell in free if game.edges[cell] & game.wanted(position.mover)}
    joined = {
        cell
        for cell in edge
        if any(
            position.stones[near] == mine and game.edges[near]
            for near in game.grid.neighbours[cell]
        )
    }
    return game.grid.names[random.Random(seed).choice(sorted(joined or edge or free))]


def with_links(position: Position, last: int, seed: int) -> str:
    """A beginner, who answers an attack on a link, else joins two chains, else plays beside their own."""
    game, mine = position.game, STONE[position.mover]
    assert isinstance(game, Placement)
    stones, near = position.stones, game.grid.neighbours
    free = [cell for cell, stone in enumerate(stones) if stone == EMPTY]
    chain = {
        cell: number
        for number, cells in enumerate(game.grid.chains(stones, mine))
        for cell in cells
    }
    touched = {cell: {chain[c] for c in near[cell] if c in chain} for cell in free}
    joining = [cell for cell in free if len(touched[cell]) > 1]
    attacked = [cell for cell in joining if last >= 0 and cell in near[last]]
    beside = [cell for cell in free if touched[cell]]
    return game.grid.names[random.Random(seed).choice(attacked or joining or beside or free)]


def by_the_shortest_way(position: Position, _last: int, seed: int) -> str:
    """A beginner, who takes a cell of a way to their aim that needs fewest stones.

    If they can they take one that is on such a way of the opponent too. The aim is to join a set of sides;
    in games that count the edge, to join two parts of it that face each other.
    """
    game, chance = position.game, random.Random(seed)
    assert isinstance(game, Placement)
    free = [cell for cell, stone in enumerate(position.stones) if stone == EMPTY]
    mine, theirs = (
        _on_shortest(game, position.stones, who, chance)
        for who in (position.mover, other(position.mover))
    )
    both = [cell for cell in free if cell in mine and cell in theirs]
    own = [cell for cell in free if cell in mine]
    return game.grid.names[chance.choice(both or own or free)]


def _on_shortest(game: Placement, stones: bytes, player: Player, chance: random.Random) -> set[int]:
    """Return the cells of one of the ways with fewest stones to set for a player."""
    own = STONE[player]
    cost = [1 if stone == own else 1000 if stone == EMPTY else _NO_WAY for stone in stones]
    ways = []
    for aim in _aims(game, player):
        away = [_away(game, cost, side) for side in aim]
        totals = [sum(each[c] for each in away) - (len(aim) - 1) * at for c, at in enumerate(cost)]
        ways.append((min(totals), chance.random(), away, totals))
    least, _, away, totals = min(ways)
    middle = chance.choice([c for c, total in enumerate(totals) if total == least])
    found = {middle}
    for each in away:
        cell = middle
        while each[cell] > cost[cell]:
            steps = each[cell] - cost[cell]
            cell = chance.choice([c for c in game.grid.neighbours[cell] if each[c] == steps])
            found.add(cell)
    return found


@cache
def _aims(game: Placement, player: Player) -> tuple[tuple[frozenset[int], ...], ...]:
    """Return sets of sides, each a set of cells, one of which a player wants to join."""
    count = range(len(game.grid))
    if isinstance(game, ChainGame):
        sides = [
            frozenset(c for c in count if game.edges[c] >> k & 1) for k in range(len(game.sides))
        ]
        return tuple(tuple(sides[side] for side in aim) for aim in game.aims[player])
    counting = game.counting()
    if counting.united:
        sides = [frozenset(c for c in count if game.edges[c] >> k & 1) for k in range(5)]
        return tuple((sides[k], sides[(k + 1) % 5], sides[(k + 3) % 5]) for k in range(5))
    edge = [c for c in count if game.edges[c]]
    places = game.grid.places
    middle = [statistics.fmean(place[i] for place in places) for i in (0, 1)]
    edge.sort(key=lambda c: math.atan2(places[c][1] - middle[1], places[c][0] - middle[0]))
    half, part = len(edge) // 2, max(1, len(edge) // 6)
    return tuple(
        (frozenset(edge[k : k + part]), frozenset((edge + edge)[k + half : k + half + part]))
        for k in range(0, half, part)
    )


def _away(game: Placement, cost: list[int], side: frozenset[int]) -> list[int]:
    """Return for each cell the cost of a cheapest way from a side to it, the cell included."""
    away = [9 * _NO_WAY] * len(cost)
    heap = [(cost[c], c) for c in side]
    for steps, c in heap:
        away[c] = steps
    heapify(heap)
    while heap:
        steps, c = heappop(heap)
        if steps > away[c]:
            continue
        for near in game.grid.neighbours[c]:
            if steps + cost[near] < away[near]:
                away[near] = steps + cost[near]
                heappush(heap, (away[near], near))
    return away


BEGINNERS = (along_the_edge, with_links, by_the_shortest_way)


class Result(NamedTuple):
    """A match: games, how many the first won, Elo with its interval."""

    games: int
    won: int
    elo: float
    low: float
    high: float

    def __str__(self) -> str:
        return (
            f"{self.won} of {self.games}, Elo {self.elo:+.0f} [{self.low:+.0f}..{self.high:+.0f}]"
        )


def elo(share: float, games_: int) -> float:
    """The difference in Elo that a share of wins stands for."""
    share = min(max(share, 0.5 / games_), 1 - 0.5 / games_)
    return -400 * math.log10(1 / share - 1)


def match(game: Game, a: Contender, b: Contender, number: int, seed: int = 1) -> Result:
    """``number`` games, two from each opening."""
    rng = random.Random(seed)
    pairs = []
    for pair in range(number // 2):
        opening = rng.sample(game.grid.names, 2)
        at = 2 * _SEEDS * (seed * 1000 + pair)
        wins = won_by_first(game, a, b, opening, at) + (
            not won_by_first(game, b, a, opening, at + _SEEDS)
        )
        pairs.append(wins / 2)
    share = statistics.fmean(pairs)
    spread = 1.96 * statistics.stdev(pairs) / math.sqrt(len(pairs)) if len(pairs) > 1 else 0.5
    return Result(
        2 * len(pairs), round(2 * sum(pairs)),
        *(elo(share + by, number) for by in (0.0, -spread, spread)),
    )  # fmt: skip


def speed() -> None:
    """Playouts a second of processor time in a search from the empty board."""
    for text, playouts in (("star -size=6", 300_000), ("*star -rings=10", 100_000)):
        t = tables(game_of(text))
        root = Root(bytes(t.size), "X")
        search(t, root, 400, 1)
        rates = []
        for seed in range(5):
            begun = time.process_time()
            found = search(t, root, playouts, seed)
            rates.append(found.playouts / (time.process_time() - begun))
        print(f"{text}, {t.size} cells: {statistics.median(rates):,.0f} playouts/s")


def beginners(boards: list[str], levels: list[int], number: int) -> None:
    """How often people who have just begun win against the weakest bots."""
    for board in boards:
        for who in BEGINNERS:
            for at in levels:
                won = match(game_of(board), who, contender(at), number)
                print(f"{who.__name__} v bot{at}, {board}: {won}", flush=True)


def calibrate(boards: list[str], levels: list[int], number: int, write: bool) -> None:
    """Each of these levels against the one below it on each board.

    With ``write`` the table is written after every match. It keeps what was measured before, unless one
    of the two levels has changed since.
    """
    steps = measured(TABLE.read_text(encoding="ascii").splitlines())
    for at in levels:
        for board in boards:
            a, b = (contender(n) for n in (at, at - 1))
            step = match(game_of(board), a, b, number)
            print(f"{at} v {at - 1}, {board}: {step}", flush=True)
            steps[board, at] = f"{step.elo:+.0f} [{step.low:+.0f}..{step.high:+.0f}] {step.games}"
            if write:
                TABLE.write_text("\n".join(table(steps)) + "\n", encoding="ascii")


def table(steps: Mapping[tuple[str, int], str]) -> Iterator[str]:
    """The lines of the table, 72 columns at most: by how much each level beats the one below it."""
    yield from textwrap.wrap(
        "The table says by how many Elo points each bot is better than the one above it, with the "
        "95 % interval and the number of games. 200 points mean three games won of four. It also says "
        "how many playouts a bot makes for a move on a board of 75 cells, with more cells as many more, "
        "and how many of a hundred moves are weaker on purpose, on a small board and on a large one.",
        72,
    )
    for pair in (BOARDS[i : i + 2] for i in range(0, len(BOARDS), 2)):
        yield ""
        yield _HEAD + "".join(f"{board:>25}" for board in pair)
        for number in NUMBERS:
            cells = (f"{steps.get((board, number), ''):>25}" for board in pair)
            yield f"{_row(pair[0], number)}{''.join(cells)}".rstrip()


def _row(board: str, number: int) -> str:
    at = LEVELS[kind(game_of(board))][number]
    shares = dict.fromkeys(f"{100 * share:.0f}" for share in at.errors)
    return f"{f'bot{number}':5}{at.playouts:9,}{'-'.join(shares) + '%':>7}"


def measured(lines: list[str]) -> dict[tuple[str, int], str]:
    """The steps of a table, by board and level, that are of today's levels."""
    steps, boards, below = {}, [], ""
    for line in lines:
        head, rest = line[: len(_HEAD)], line[len(_HEAD) :]
        if head == _HEAD:
            boards = re.split(r" {2,}", rest.strip())
        elif head.startswith("bot") and set(boards) <= set(BOARDS):
            number = int(head[3:5])
            if number > 1 and (below, head) == tuple(
                _row(boards[0], n) for n in (number - 1, number)
            ):
                columns = (rest[25 * i :][:25].strip() for i in range(len(boards)))
                steps |= {
                    (b, number): step for b, step in zip(boards, columns, strict=True) if step
                }
            below = head
    return steps


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("speed")
    new = commands.add_parser("beginners")
    new.add_argument("boards", nargs="*", default=list(BOARDS))
    new.add_argument("--games", type=int, default=100)
    new.add_argument("--only", type=int, nargs="+", default=[1, 4], metavar="LEVEL")
    one = commands.add_parser("match")
    one.add_argument("game")
    one.add_argument("a", type=int)
    one.add_argument("b", type=int)
    one.add_argument("--games", type=int, default=200)
    one.add_argument("--seed", type=int, default=1)
    ladder = commands.add_parser("levels")
    ladder.add_argument("boards", nargs="*", default=list(BOARDS))
    ladder.add_argument("--games", type=int, default=400)
    ladder.add_argument("--only", type=int, nargs="+", default=list(NUMBERS)[1:-1], metavar="LEVEL")
    ladder.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    other_ = commands.add_parser("rival")
    other_.add_argument("tree", type=Path, help="a checkout of another commit")
    other_.add_argument("game")
    other_.add_argument("--ms", type=float, default=20.0, help="of processor time for a move")
    other_.add_argument("--games", type=int, default=400)
    other_.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if asked.command == "speed":
        speed()
    elif asked.command == "beginners":
        beginners(asked.boards, asked.only, asked.games)
    elif asked.command == "rival":
        ours = Path(__file__).resolve().parents[2]
        trees = ours, asked.tree.resolve()
        rival(game_of(asked.game), trees, asked.ms, asked.games, seed=asked.seed)
    elif asked.command == "levels":
        calibrate(asked.boards, asked.only, asked.games, asked.write)
    else:
        a, b = contender(asked.a), contender(asked.b)
        print(match(game_of(asked.game), a, b, asked.games, asked.seed), flush=True)


if __name__ == "__main__":
    main()
