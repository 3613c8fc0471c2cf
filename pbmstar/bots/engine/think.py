"""The answer to a position: a move and an estimate.

A request is a mapping of plain values, as in a line of JSON:

game, options   as ``games.load`` takes them; the options are a text of JSON
moves           the moves so far as canonical texts, swaps and passes among them
level           1 to 10; or instead of it ``playouts`` and ``errors``
careless        true if the bot of that level puts its stones anywhere in this game (default false)
playouts        the number of playouts
errors          the share of moves, 0 to 1, that are drawn from those that seem little worse (default 0)
resigns         false if the bot plays a lost game on (default true)
seed            any whole number: the same request has the same answer everywhere

The answer:

move      a canonical text to be played; ``resign`` where every move loses for certain
estimate  X's chance to win before the move, 0 to 1; raw, and so too near to a half
margin    X's expected margin in points; null in games without points
proved    "X" or "O" if that player wins for certain, otherwise null
playouts  the number of playouts that were made
choices   the best moves of one stone: {move, value (the mover's chance), share (of the playouts)}
line      the expected stones, as names of cells

The choice of a move in a position: swap, pass or resign if that is right, otherwise by a search.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ...errors import BadInput, say
from ...games import load
from ...games.base import STONE, Bounds, Position
from ...games.placement import Placement, due_of
from .arrays import tables
from .levels import CARELESS, Level, level
from .search import Choice, Estimate, Root, search

_SHOWN = 5  # choices in an answer
_OPENINGS = 5  # searches for a first stone that leaves both players about the same chance
CODES = bytes.maketrans(b".xo", bytes(range(3)))


def replayed(request: Mapping[str, Any]) -> tuple[list[Position], list[int]]:
    """Return the positions of a request from the start on, each with the cell of its last stone or -1.

    Raises Refusal for an illegal move, or a game that bots do not play.
    """
    game = load(request["game"], request["options"])
    if not isinstance(game, Placement):
        raise BadInput(say("Bots don't play {game}.", game=game.title), "no-bot")
    positions, lasts = [game.start()], [-1]
    for move in request["moves"]:
        after = positions[-1].play(move)
        is_stone = after.stones != positions[-1].stones
        lasts.append(game.grid.index[move.split(" ")[-1]] if is_stone else lasts[-1])
        positions.append(after)
    return positions, lasts


def answer(request: Mapping[str, Any]) -> dict[str, Any]:
    """Answer a request. Raises Refusal for an illegal move, a game that is over or that bots do not play."""
    positions, lasts = replayed(request)
    game = positions[-1].game
    assert isinstance(game, Placement)
    if "level" in request:
        how = CARELESS if request.get("careless") else level(request["level"], game)
    else:
        how = Level(int(request["playouts"]), float(request.get("errors", 0)))
    resigns = bool(request.get("resigns", True))
    move, estimate = decide(positions[-1], lasts[-1], how, int(request["seed"]), resigns)
    names = game.grid.names
    return {
        "move": move,
        "estimate": round(estimate.x, 4),
        "margin": round(estimate.margin, 2) if game.has_points else None,
        "proved": estimate.proof,
        "playouts": estimate.playouts,
        "choices": [
            {
                "move": names[choice.cell],
                "value": round(choice.value, 4),
                "share": round(choice.visits / max(1, estimate.playouts), 4),
            }
            for choice in estimate.choices[:_SHOWN]
        ],
        "line": [names[cell] for cell in estimate.line],
    }


def decide(
    position: Position, last: int, level: Level, seed: int, resigns: bool = True
) -> tuple[str, Estimate]:
    """Return the move as a canonical text, and the estimate of the position.

    last   the cell of the opponent's last stone, -1 if there is none
    level  the level for this board, see ``Level.on``

    A bot passes only if no stone can change the score, and if it ``resigns``, it does so when it has lost
    for certain. Otherwise it plays on for points, as it does when it has won for certain. Raises
    IllegalMove if the game is over.
    """
    position.mover  # noqa: B018 - raises IllegalMove
    game, playouts = position.game, level.playouts
    assert isinstance(game, Placement)
    bounds = game.bounds(position.stones)
    if game.has_points and bounds.settled:
        return "pass", _certain(bounds)
    if bounds.decided:
        if bounds.decided != position.mover and resigns:
            return "resign", _certain(bounds)
        return _for_points(position, bounds, playouts, seed)
    if not position.played and game.has_swap:
        return _opening(position, playouts, seed)
    due = due_of(position)
    estimate = search_position(position, playouts // due, seed, due=due, last=last)
    if level.swaps and position.swappable and estimate.x > 0.5:
        return "swap", estimate
    if estimate.proof not in (None, position.mover) and resigns:
        return "resign", estimate
    chance = random.Random(seed)  # noqa: S311 - for play
    picked = [_drawn(estimate, level, chance)]
    if due == 2:
        after = _with_stone(position, picked[0].cell)
        second = search_position(after, playouts // due, seed + 1)
        picked.append(_drawn(second, level, chance))
    return " ".join(game.grid.names[choice.cell] for choice in picked), estimate


def _with_stone(position: Position, cell: int) -> Position:
    """Return the position with one more stone of the player to move, whose turn goes on."""
    stones = bytearray(position.stones)
    stones[cell] = STONE[position.mover]
    return replace(position, stones=bytes(stones))


def search_position(
    position: Position, playouts: int, seed: int, due: int = 1, last: int = -1, target: int = 0
) -> Estimate:
    """Search a position; see ``search.Root``."""
    assert isinstance(position.game, Placement)
    board = position.stones.translate(CODES)
    root = Root(board, position.mover, due, last, target)
    return search(tables(position.game), root, playouts, seed)


def _drawn(found: Estimate, level: Level, chance: random.Random) -> Choice:
    """Return the best choice, or now and then another one within the level's spread."""
    best, *others = found.choices
    if chance.random() >= level.errors:
        return best
    values = [choice.value for choice in found.choices]
    least = max(values) - level.spread * (max(values) - min(values))
    rest = [c for c in others if c.value >= least and c.proof in (None, best.proof)]
    return chance.choice(rest) if rest else best


def _certain(bounds: Bounds) -> Estimate:
    """Return the estimate of a decided position, without a search."""
    margins = [score.points[0] - score.points[1] for score in (bounds.worst, bounds.best)]
    x = 0.5 if bounds.decided is None else float(bounds.decided == "X")
    return Estimate(x, sum(margins) / 2, bounds.decided, (), (), 0)


def _for_points(
    position: Position, bounds: Bounds, playouts: int, seed: int
) -> tuple[str, Estimate]:
    """Return a move of a decided game: search for more points than are expected."""
    certain = _certain(bounds)
    least, most = (score.points[0] - score.points[1] for score in (bounds.worst, bounds.best))
    first = search_position(position, playouts // 4, seed, target=(least + most) // 2)
    target = min(max(round(first.margin), least), most - 1)
    due = due_of(position)
    estimate = search_position(position, playouts // due, seed + 1, due=due, target=target)
    cells = [estimate.choices[0].cell]
    if due == 2:
        after = _with_stone(position, cells[0])
        cells.append(search_position(after, playouts // 2, seed + 2, target=target).choices[0].cell)
    names = position.game.grid.names
    believed = replace(estimate, x=certain.x, proof=certain.proof)
    return " ".join(names[cell] for cell in cells), believed


def _opening(position: Position, playouts: int, seed: int) -> tuple[str, Estimate]:
    """Return a first stone that leaves about equal chances, since the opponent may take it over.

    One search ranks the cells. Each further search follows a stone in the middle of the ranks that are
    left; the fairest of these stones is chosen.
    """
    estimate = search_position(position, playouts // _OPENINGS, seed)
    ranked = sorted(estimate.choices, key=lambda choice: -choice.value)
    low, high = 0, len(ranked) - 1
    fairest: tuple[float, str] = (1.0, "")
    for i in range(1, _OPENINGS):
        middle = (low + high) // 2
        name = position.game.grid.names[ranked[middle].cell]
        x = search_position(
            position.play(name), playouts // _OPENINGS, seed + i, last=ranked[middle].cell
        ).x
        fairest = min(fairest, (abs(x - 0.5), name))
        if x > 0.5:
            low = min(middle + 1, high)
        else:
            high = max(middle - 1, low)
    return fairest[1], estimate
