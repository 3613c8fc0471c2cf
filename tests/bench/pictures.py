"""How long pictures take: ``python tests/bench/pictures.py [POSITIONS]``, milliseconds and bytes.

For each board the pictures of one game, move by move, each drawn by pasting what changed and drawn
anew; and as SVG by resvg, where that is installed.
"""

from __future__ import annotations

import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator

from pbmstar.games import make
from pbmstar.render.picture import Picture, picture, png, svg
from pbmstar.render.picture.png import png_anew

BOARDS = (
    ("star", {"size": 6}),
    ("*star", {"rings": 6}),
    ("*star", {"rings": 10}),
    ("star", {"size": 14}),
)


def pictures(word: str, options: dict[str, int], most: int) -> Iterator[Callable[[], Picture]]:
    """Makers of the pictures of a game, move by move."""
    game = make(word, options)
    position, chosen = game.start(), random.Random(1)
    for _ in range(most):
        if position.over:
            return
        move = chosen.choice([move for move in position.moves() if move not in ("pass", "swap")])
        position = position.play(move)
        last = frozenset([game.grid.index[move]])
        yield lambda shown=(game, position.stones, last, position.over): picture(*shown)


def measure(makers: list[Callable[[], Picture]], write: Callable[[Picture], bytes]) -> str:
    """Median and ninth decile in milliseconds, and the largest picture's bytes."""
    times, size = [], 0
    for maker in makers:
        begin = time.perf_counter()
        content = write(maker())
        times.append((time.perf_counter() - begin) * 1000)
        size = max(size, len(content))
    return f"{statistics.median(times):7.1f} {sorted(times)[len(times) * 9 // 10]:7.1f} {size:7d}"


def main() -> None:
    most = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    ways: dict[str, Callable[[Picture], bytes]] = {"pasted": png, "anew": png_anew}
    try:
        import resvg_py
    except ImportError:
        pass
    else:
        ways["resvg"] = lambda shown: bytes(resvg_py.svg_to_bytes(svg(shown), width=720))
    print("board          way      median  decile   bytes")
    for word, options in BOARDS:
        makers = list(pictures(word, options, most))
        png(makers[0]())
        for way, write in ways.items():
            name = f"{word} {next(iter(options.values()))}"
            print(f"{name:14} {way:7} {measure(makers, write)}", flush=True)


if __name__ == "__main__":
    main()
