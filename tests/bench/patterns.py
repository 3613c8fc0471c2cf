"""What the engine knows of moves, learned from games against itself: see ``arrays.Tables.learned``.

    python tests/bench/patterns.py --games 150 --write
    python tests/bench/patterns.py --lessons lessons.jsonl --write
    python tests/bench/patterns.py --games 100 --only joins --write

The first plays and learns, the second learns from what has been played (``--games 0``) or adds to it. The third
does so for one kind of games alone.

A move is a team of features (the cells round it, how far the edges are, the last stone near it). Each
feature has a strength, and a move is chosen in proportion to the product of those of its team: the
generalized Bradley-Terry model of Coulom's *Computing Elo Ratings of Move Patterns in the Game of Go*
(2007). Strengths are found by minorization-maximization. Features that are alike but for a turn or a
reflection have the same strength, and each begins with one won and one lost game against an average one.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from bots import game_of

from pbmstar.bots.engine.arrays import (
    ANSWERS,
    AROUND,
    FOLDER,
    LESSONS,
    PLACES,
    RELATED,
    SAVES,
    SECTORS,
    WIDTH,
    Tables,
    tables,
)  # fmt: skip
from pbmstar.bots.engine.search import Root, search
from pbmstar.games.base import PLAYERS
from pbmstar.games.placement import Placement

KINDS = {
    "joins": ("hex -size=11", "y", "polyy -rings=6"),
    "edges": ("star -size=6",),
    "corners": ("*star -rings=6",),
}
_SURE = 0.9  # of a winner: what follows teaches little
_SWAP = np.array((0, 2, 1, 3))


def alike() -> tuple[np.ndarray, int]:
    """Return for each feature the number of its class, and how many classes there are."""

    def cells(key: int, places: int) -> tuple[int, ...]:
        return tuple(key >> 2 * i & 3 for i in range(places))

    names: list[object] = []
    for key in range(SECTORS):
        ring = cells(key, 6)
        turns = [ring[i:] + ring[:i] for i in range(6)]
        names.append(("ring", min(turns + [turn[::-1] for turn in turns])))
    mirror = (1, 0, 2, 4, 3)
    for key in range(1024):
        sixth = cells(key, 5)
        names.append(("sixth", min(sixth, tuple(sixth[i] for i in mirror))))
    for where in range(5):
        for key in range(1024):
            sixth = cells(key, 5)
            names.append(
                ("answer", min((where, sixth), (mirror[where], tuple(sixth[i] for i in mirror))))
            )
    names += range(len(names), LESSONS)
    numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([numbers[name] for name in names]), len(numbers)


class Choices(NamedTuple):
    """Moves to choose from: each has a row of features (its own number of them, then -1).

    position  the number of the position of each row
    share     how much of the choice fell on it
    """

    features: np.ndarray
    position: np.ndarray
    share: np.ndarray


def choices(text: str, lessons: list[Any]) -> Choices:
    """Return the moves of all positions of a game."""
    t = tables(game_of(text))
    size = t.size
    boards = np.array([list(map(int, lesson[0])) for lesson in lessons], "int64")
    movers = np.array([lesson[1] for lesson in lessons])
    edges = np.tile(np.array((1, 2, 3)), (len(lessons), 1))
    seen = np.concatenate((boards, edges), axis=1)
    seen[movers == 2] = _SWAP[seen[movers == 2]]
    around = np.asarray(t.around).reshape(size, AROUND).astype("int64")
    near = seen[:, around]  # position, cell, place
    ring = sum(near[:, :, i] << 2 * i for i in range(6))
    columns = [ring]
    sixths = []
    for i in range(6):
        j = (i + 1) % 6
        parts = (i, j, 6 + i, 12 + i, 12 + j)
        key = sum(near[:, :, part] << 2 * k for k, part in enumerate(parts))
        sixths.append((parts, key))
        columns.append(SECTORS + key)
    place = np.asarray(t.place).reshape(2, size)[movers - 1]
    phase = np.minimum(3, 4 * (boards == 0).sum(1) // size)
    columns.append(PLACES + 64 * phase[:, None] + place)
    last = np.array([lesson[2] for lesson in lessons])
    at_last = around[None] == np.where(last < 0, -9, last)[:, None, None]
    # The last stone is in at most two sixths of a cell.
    answers = np.full((len(lessons), size, 6), -1)
    for i, (parts, key) in enumerate(sixths):
        for where, part in enumerate(parts):
            hit = at_last[:, :, part]
            answers[:, :, i][hit] = (ANSWERS + 1024 * where + key)[hit]
    columns += [answers[:, :, i] for i in range(6)]
    related = np.full((len(lessons), size), -1)
    for number, (_, _, at, _) in enumerate(lessons):
        if at >= 0:
            for k, cell in enumerate(around[at]):
                if cell < size:
                    related[number, cell] = RELATED + k // 6
    columns.append(related)
    saves = np.full((len(lessons), size), -1)
    for number, (_, mover, at, _) in enumerate(lessons):
        for cell in saving(t, boards[number], mover, at):
            saves[number, cell] = SAVES
    columns.append(saves)
    share = np.zeros((len(lessons), size))
    for number, (*_, shares) in enumerate(lessons):
        for cell, part in shares.items():
            share[number, int(cell)] = part
    share /= share.sum(1, keepdims=True)
    empty = boards == 0
    position = np.broadcast_to(np.arange(len(lessons))[:, None], empty.shape)
    features = np.stack(columns, axis=2)[empty]
    return Choices(features.astype("int32"), position[empty], share[empty])


def saving(t: Tables, board: Sequence[int], mover: int, last: int) -> Iterator[int]:
    """Yield the cells that save a link which the last stone attacks."""
    if last < 0:
        return
    around = [int(t.near[WIDTH * last + i]) for i in range(int(t.degree[last]))]
    key = sum(int(board[cell]) << 2 * i for i, cell in enumerate(around))
    places = int(t.reply[int(t.start[2 * last + mover - 1]) + key])
    yield from (cell for i, cell in enumerate(around) if places >> i & 1)


def joined(parts: list[Choices]) -> Choices:
    """Return the moves of several games as one."""
    first = 0
    moved = []
    for part in parts:
        moved.append(part._replace(position=part.position + first))
        first += int(part.position[-1]) + 1
    return Choices(*(np.concatenate(columns) for columns in zip(*moved, strict=True)))


def chances(rows: np.ndarray, position: np.ndarray, strength: np.ndarray) -> np.ndarray:
    """Return the chance of each row."""
    logs = strength[rows].sum(1)
    top = np.full(position[-1] + 1, -1e9)
    np.maximum.at(top, position, logs)
    each = np.exp(logs - top[position])
    return each / np.bincount(position, each)[position]


def learned(moves: Choices, rounds: int) -> np.ndarray:
    """Return the logarithm of the strength of each feature."""
    classes, number = alike()
    classes = np.append(classes, number)  # -1: no feature, of strength 1
    rows = classes[moves.features]
    most = int((rows < number).sum(1).max())
    strength = np.zeros(number + 1)
    places = rows.shape[1]

    def counted(weights: np.ndarray) -> np.ndarray:
        return np.bincount(rows.ravel(), np.repeat(weights, places), number + 1)

    won = counted(moves.share)
    for _ in range(rounds):
        expected = counted(chances(rows, moves.position, strength))
        odds = np.exp(strength)
        strength += 2 * np.log((won + 1) / (expected + 2 * odds / (1 + odds))) / most
        strength[number] = 0
    return strength[classes[:LESSONS]]


def foretold(moves: Choices, strength: np.ndarray) -> str:
    """Return how well strengths foretell: the mean logarithm, and how often the first of them is right."""
    chance = chances(moves.features, moves.position, np.append(strength, 0.0))
    loss = -np.sum(moves.share * np.log(chance)) / (moves.position[-1] + 1)
    order = np.lexsort((-chance, moves.position))
    starts = np.flatnonzero(np.diff(moves.position[order], prepend=-1))
    best = np.lexsort((-moves.share, moves.position))
    right = np.mean(order[starts] == best[starts])
    in_five = np.mean([np.isin(best[s], order[s : s + 5]) for s in starts])
    return f"loss {loss:.3f}, first {right:.0%}, in five {in_five:.0%}"


class Lesson(NamedTuple):
    """A position, and the shares of the playouts of the moves that got most, by cell.

    board  a digit for each cell: 0, 1 (X) or 2 (O)
    """

    board: str
    mover: int
    last: int
    shares: dict[str, float]


def played(game: Placement, playouts: int, seed: int) -> Iterator[Lesson]:
    """Yield the lessons of a game, which begins with up to six random stones."""
    rng = random.Random(seed)
    t = tables(game)
    board = bytearray(t.size)
    last, mover = -1, 1
    for turn in range(t.size):
        if turn < seed % 7:
            cell = rng.choice([c for c, stone in enumerate(board) if not stone])
        else:
            root = Root(bytes(board), PLAYERS[mover - 1], 1, last)
            found = search(t, root, playouts, rng.getrandbits(30))
            if found.proof or not 1 - _SURE < found.x < _SURE:
                return
            best = found.choices[:8]
            total = sum(choice.visits for choice in best)
            shares = {
                str(c.cell): round(c.visits / total, 3) for c in best if 20 * c.visits > total
            }
            yield Lesson("".join(map(str, board)), mover, last, shares)
            cell = best[0].cell
        board[cell] = mover
        last, mover = cell, 3 - mover


def play(file: Path, games: int, playouts: int, kinds: list[str]) -> None:
    """Add the lessons of that many games of each board of these kinds to a file."""
    for seed in range(games):
        for text in itertools.chain(*(KINDS[kind] for kind in kinds)):
            with file.open("a", encoding="ascii") as lines:
                for lesson in played(game_of(text), playouts, seed):
                    lines.write(json.dumps([text, *lesson]) + "\n")


def main() -> None:
    """Play, learn, print how well the strengths foretell positions that were held back, and write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--lessons", type=Path, default=Path("lessons.jsonl"))
    parser.add_argument("--games", type=int, default=0, help="of each board, to be played before")
    parser.add_argument("--playouts", type=int, default=2500, help="for a move of these games")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--only", nargs="+", default=list(KINDS), choices=list(KINDS))
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    play(asked.lessons, asked.games, asked.playouts, asked.only)
    found: dict[str, list[Any]] = defaultdict(list)
    for line in asked.lessons.read_text(encoding="ascii").splitlines():
        text, *lesson = json.loads(line)
        found[text].append(lesson)
    for kind in asked.only:
        texts = KINDS[kind]
        cuts = {text: len(found[text]) * 9 // 10 for text in texts}
        train = [choices(text, found[text][:cut]) for text, cut in cuts.items()]
        strength = learned(joined(train), asked.rounds)
        for text, cut in cuts.items():
            test = choices(text, found[text][cut:])
            print(f"{kind}, {text}, {cut} positions: {foretold(test, strength)}", flush=True)
        if asked.write:
            hundredths = [round(100 * each) for each in strength.tolist()]
            (FOLDER / f"{kind}.json").write_text(f"{json.dumps(hundredths)}\n", encoding="ascii")


if __name__ == "__main__":
    main()
