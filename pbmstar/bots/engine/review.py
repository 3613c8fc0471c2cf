"""The review of a finished game: its turning point, and better moves.

Each position is searched; the costliest moves are searched again, deeper, before they are named. The
cost of a move is its mover's chance before it less the chance after it.

Raw estimates lie too near to a half: a lost position has 30 %. So chances are fitted to the results of
games: the logarithm of the odds is stretched, and more so on an emptier board. ``FIT`` was found by
``python tests/bench/fit.py``.

A request has ``game``, ``options``, ``moves`` (without an end by word) and ``seed`` as in ``think``, and
``winner``: X, O or null for a tie. X and O are the colors of the stones, also after a swap. The answer:

chances  X's chance before the first move and after each, 0 to 1; a proved one is 0 or 1
proved   the number of the move after which the result was certain; null if it never was, as when a
         player gives up a game that cannot be lost
leads    the number of the move after which the winner had the better chance for good; null for a tie, and
         if the loser had no worse a chance at the end
turn     the mistake by which the loser lost the lead for good, null if no single move did that:
         {number (place in the record, from 1), cost (of the mover's chance, 0 to 1), better (a move),
         line (a likely continuation from that move on, stone by stone)}
dear     further moves that cost much, the costliest first, each like ``turn``; of several that missed
         the same better move only the costliest
margins  X's expected margin after each move; null in games without points
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from ...games.base import Position
from ...games.grids import EMPTY
from ...games.placement import due_of
from .jit import COMPILED
from .search import Estimate
from .think import replayed, search_position

# The stretching of the logarithm of the odds: on an empty board, and the addition on a full one.
FIT = (1.58, -1.40)
WORK = 150_000_000 if COMPILED else 3_000_000  # cells that all playouts together fill
_MOST = 6000  # the most playouts of a position
_AGAIN = 4  # moves that are searched again, with ...
_DEEPER = 8  # ... this many times the playouts
_MUCH = 0.08  # cheaper moves are not named
_CERTAIN = 0.99  # only a proof is more certain
_LINE = 5  # moves of a line that are shown


class Seen(NamedTuple):
    """X's chance in one position, if that is proved, and the result of the search if there was one."""

    chance: float
    is_proved: bool
    found: Estimate | None


def review(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a request. Raises Refusal for an illegal move, or a game that bots do not play."""
    positions, lasts = replayed(request)
    game = positions[0].game
    seed = int(request["seed"])
    searches = len(positions) + 2 * _AGAIN * _DEEPER
    playouts = max(40, min(_MOST, WORK // (searches * len(game.grid))))

    def look(place: int, more: int = 1) -> Seen:
        return seen(positions[place], lasts[place], playouts * more, seed + place)

    known = [look(place) for place in range(len(positions))]

    def cost(place: int) -> float:
        fallen = known[place].chance - known[place + 1].chance
        return fallen if positions[place].mover == "X" else -fallen

    # A swap has no better stone, and a first stone that may be taken over should be fair, not strong.
    choices = [
        place
        for place in range(len(positions) - 1)
        if positions[place].swapped == positions[place + 1].swapped
        and not positions[place + 1].swappable
    ]
    winner = request["winner"]

    def lost_the_lead() -> int | None:
        """Return the place of the move after which the winner led for good, if the loser made it."""
        leads = _leads([each.chance for each in known], winner)
        place = (leads or 0) - 1
        return place if place in choices and positions[place].mover != winner else None

    again = sorted(choices, key=cost, reverse=True)[:_AGAIN]
    lead = lost_the_lead()
    if lead is not None and lead not in again:
        again[-1] = lead
    for place in sorted({each for found in again for each in (found, found + 1)}):
        known[place] = look(place, _DEEPER)
    chances = [each.chance for each in known]
    dear = sorted((p for p in again if cost(p) >= _MUCH), key=cost, reverse=True)
    turned = lost_the_lead()
    if turned not in dear:
        turned = None

    def named(place: int) -> dict[str, Any]:
        found = known[place].found
        names = [game.grid.names[cell] for cell in (found.line if found else ())]
        return {
            "number": place + 1,
            "cost": round(cost(place), 3),
            "better": " ".join(names[: due_of(positions[place])]),
            "line": names[:_LINE],
        }

    turn = None if turned is None else named(turned)
    others: dict[str, dict[str, Any]] = {}
    for place in dear:
        each = named(place)
        if turn is None or each["better"] != turn["better"]:
            others.setdefault(each["better"], each)
    certain = ({"X": 1.0, "O": 0.0, None: 0.5}[winner], True)
    return {
        "chances": [round(chance, 3) for chance in chances],
        "proved": next(
            (p for p in range(len(known)) if all(k[:2] == certain for k in known[p:])), None
        ),
        "leads": _leads(chances, winner),
        "turn": turn,
        "dear": list(others.values()),
        "margins": [
            round(each.found.margin, 1) if each.found and game.has_points else None
            for each in known
        ],
    }


def seen(position: Position, last: int, playouts: int, seed: int) -> Seen:
    """Return the chance in a position: from the bounds if they prove it, otherwise from a search."""
    game = position.game
    bounds = game.bounds(position.stones)
    if position.over or bounds.decided or bounds.settled:
        winner = position.winner if position.over else bounds.decided
        return Seen({"X": 1.0, "O": 0.0, None: 0.5}[winner], True, None)
    estimate = search_position(position, playouts, seed, due=due_of(position), last=last)
    if estimate.proof:
        return Seen(float(estimate.proof == "X"), True, estimate)
    if not position.played and game.has_swap:  # the swapping player takes the better side
        return Seen(0.5, False, estimate)
    share = 1 - position.stones.count(EMPTY) / len(position.stones)
    return Seen(fitted(estimate.x, share), False, estimate)


def fitted(x: float, share: float, fit: tuple[float, float] = FIT) -> float:
    """Return X's chance from a raw estimate and the share of the cells that are filled."""
    odds = math.log(max(x, 1e-3) / max(1 - x, 1e-3)) * (fit[0] + fit[1] * share)
    return min(max(1 / (1 + math.exp(-odds)), 1 - _CERTAIN), _CERTAIN)


def _leads(chances: list[float], winner: str | None) -> int | None:
    """Return the move after which the winner had the better chance for good; 0 is the beginning.

    Return None if there was none: for a tie, and if the loser gave up with no worse a chance.
    """
    sign = {"X": 1, "O": -1, None: 0}[winner]
    behind = [place for place, chance in enumerate(chances) if (chance - 0.5) * sign <= 0]
    leads = behind[-1] + 1 if behind else 0
    return leads if leads < len(chances) else None
