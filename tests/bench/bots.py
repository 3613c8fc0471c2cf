"""How strong and how fast the bots are. It asserts nothing.

    python tests/bench/bots.py speed
    python tests/bench/bots.py match star 5 4 --games 400
    python tests/bench/bots.py beginners
    python tests/bench/bots.py levels --games 400 --write
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
from pathlib import Path
from typing import NamedTuple

from pbmstar import games
from pbmstar.features.bots.engine.arrays import tables
from pbmstar.features.bots.engine.decide import decide
from pbmstar.features.bots.engine.levels import LEVELS
from pbmstar.features.bots.engine.search import Root, search
from pbmstar.games.base import STONE, Game, Position
from pbmstar.games.grids import EMPTY
from pbmstar.games.placement import Placement, due_of

TABLE = Path(__file__).parent.parent.parent / "help" / "levels.txt"
_HEAD = "      playouts weaker"
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
    level = LEVELS[number]

    def at_level(position: Position, last: int, seed: int) -> str:
        return decide(position, last, level.on(len(position.stones)), seed)[0]

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
    edge = {cell for cell in free if game.edges[cell]}
    joined = {
        cell
        for cell in edge
        if any(
            position.stones[near] == mine and game.edges[near]
            for near in game.grid.neighbours[cell]
        )
    }
    return game.grid.names[random.Random(seed).choice(sorted(joined or edge or free))]


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
        at = 1000 * (seed * 1000 + pair)
        wins = won_by_first(game, a, b, opening, at) + (
            not won_by_first(game, b, a, opening, at + 500)
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


def beginners(text: str, number: int) -> None:
    """How often people who have just begun win against the weakest bots."""
    for who in (along_the_edge, at_random):
        for level in (1, 2, 3):
            print(
                f"{who.__name__} v bot{level}, {text}: {match(game_of(text), who, contender(level), number)}"
            )


def calibrate(boards: list[str], levels: list[int], number: int, write: bool) -> None:
    """Each of these levels against the one below it on each board.

    With ``write`` the table is written after every match. It keeps what was measured before, unless one
    of the two levels has changed since.
    """
    steps = measured(TABLE.read_text(encoding="ascii").splitlines())
    for level in levels:
        for board in boards:
            a, b = (contender(n) for n in (level, level - 1))
            step = match(game_of(board), a, b, number)
            print(f"{level} v {level - 1}, {board}: {step}", flush=True)
            steps[board, level] = (
                f"{step.elo:+.0f} [{step.low:+.0f}..{step.high:+.0f}] {step.games}"
            )
            if write:
                TABLE.write_text("\n".join(table(steps)) + "\n", encoding="ascii")


def table(steps: Mapping[tuple[str, int], str]) -> Iterator[str]:
    """The lines of the table, 72 columns at most: by how much each level beats the one below it."""
    yield from textwrap.wrap(
        "The table says by how many Elo points each bot is better than the one above it, with the "
        "95 % interval and the number of games. 200 points mean three games won of four. It also says "
        "how many playouts a bot makes for a move, and how many of a hundred moves are weaker on "
        "purpose. Both are for a board of 75 cells: with more cells a bot makes more playouts, and "
        "fewer weaker moves.",
        72,
    )
    boards = list(dict.fromkeys(board for board, _ in steps))
    for pair in (boards[i : i + 2] for i in range(0, len(boards), 2)):
        yield ""
        yield _HEAD + "".join(f"{board:>25}" for board in pair)
        for number in LEVELS:
            cells = (f"{steps.get((board, number), ''):>25}" for board in pair)
            yield f"{_row(number)}{''.join(cells)}".rstrip()


def _row(number: int) -> str:
    return f"bot{number}{LEVELS[number].playouts:10,}{LEVELS[number].errors:7.0%}"


def measured(lines: list[str]) -> dict[tuple[str, int], str]:
    """The steps of a table, by board and level, that are of today's levels."""
    steps, boards, below = {}, [], ""
    for line in lines:
        head, rest = line[: len(_HEAD)], line[len(_HEAD) :]
        if head == _HEAD:
            boards = re.split(r" {2,}", rest.strip())
        elif head.startswith("bot"):
            number = int(head[3])
            if number > 1 and (below, head) == (_row(number - 1), _row(number)):
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
    new.add_argument("game", nargs="?", default="star -size=6")
    new.add_argument("--games", type=int, default=100)
    one = commands.add_parser("match")
    one.add_argument("game")
    one.add_argument("a", type=int)
    one.add_argument("b", type=int)
    one.add_argument("--games", type=int, default=200)
    one.add_argument("--seed", type=int, default=1)
    ladder = commands.add_parser("levels")
    ladder.add_argument("boards", nargs="*", default=["star -size=6", "*star -rings=6"])
    ladder.add_argument("--games", type=int, default=400)
    ladder.add_argument("--only", type=int, nargs="+", default=list(LEVELS)[1:], metavar="LEVEL")
    ladder.add_argument("--write", action="store_true", help=f"write {TABLE.name}")
    asked = parser.parse_args()
    if asked.command == "speed":
        speed()
    elif asked.command == "beginners":
        beginners(asked.game, asked.games)
    elif asked.command == "levels":
        calibrate(asked.boards, asked.only, asked.games, asked.write)
    else:
        a, b = contender(asked.a), contender(asked.b)
        print(match(game_of(asked.game), a, b, asked.games, asked.seed), flush=True)


if __name__ == "__main__":
    main()
