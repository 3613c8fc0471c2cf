"""What the naive counts say of a board, game by game, under the keys of ``analyse``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from games import naive, naive_rows

Facts = dict[str, Any]
Options = Mapping[str, Any]
Cells = set[str]  # the names of the cells that a player holds


def _star(options: Options, x: Cells, o: Cells) -> Facts:
    size = options.get("size", 6)
    return {"chains": {"X": naive.star(size, x), "O": naive.star(size, o)}}


def _starstar(options: Options, x: Cells, o: Cells) -> Facts:
    points, detail = naive.starstar(options.get("rings", 6), options.get("nobridge", False), x, o)
    return {"scores": dict(zip("XO", points, strict=True)), "detail": detail}


def _polyy(options: Options, x: Cells, o: Cells) -> Facts:
    corners = {p: naive.polyy(options.get("rings", 6), s) for p, s in (("X", x), ("O", o))}
    return {
        "corners": {p: sorted(arms, key=naive.ARMS.index) for p, arms in corners.items()},
        "scores": {p: len(arms) for p, arms in corners.items()},
    }


def _queens(_options: Options, x: Cells, _o: Cells) -> Facts:
    free = 275 - len(naive_rows.guarded(x) - {"@"})
    return {"unguarded": free, "scores": {"X": len(x)}}


def _jumps(_options: Options, x: Cells, _o: Cells) -> Facts:
    return {"legal": len(naive_rows.jumps(x)), "scores": {"X": len(x)}}


def _pentahex(_options: Options, x: Cells, o: Cells) -> Facts:
    return {"scores": {p: len(naive_rows.hexes(s)) for p, s in (("X", x), ("O", o))}}


def _pentaline(_options: Options, x: Cells, o: Cells) -> Facts:
    return {"five": max(naive_rows.longest_row(x), naive_rows.longest_row(o)) >= 5}


def winner(has_x: bool, has_o: bool) -> Facts:
    """Who has won, if each has the chain that wins, or not."""
    return {"winner": "X" if has_x else "O" if has_o else None}


def _stary(options: Options, x: Cells, o: Cells) -> Facts:
    rings = options.get("rings", 6)
    return winner(naive.stary(rings, x), naive.stary(rings, o))


def _hex(options: Options, x: Cells, o: Cells) -> Facts:
    size = options.get("size", 11)
    return winner(naive.hex_ends(size, x)[0], naive.hex_ends(size, o)[1])


def _miserehex(options: Options, x: Cells, o: Cells) -> Facts:
    joined = _hex(options, x, o)["winner"]
    return winner(joined == "O", joined == "X")


def _y(options: Options, x: Cells, o: Cells) -> Facts:
    if options.get("bent"):
        return winner(naive.bent_y(x), naive.bent_y(o))
    size = options.get("size", 17)
    return winner(naive.y(size, x), naive.y(size, o))


COUNTS: Mapping[str, Callable[[Options, Cells, Cells], Facts]] = {
    "star": _star,
    "starstar": _starstar,
    "stary": _stary,
    "hex": _hex,
    "miserehex": _miserehex,
    "y": _y,
    "polyy": _polyy,
    "pentaline": _pentaline,
    "pentahex": _pentahex,
    "queens": _queens,
    "supplyline": _jumps,
    "ringsolitaire": _jumps,
    "minisolitaire": _jumps,
}
