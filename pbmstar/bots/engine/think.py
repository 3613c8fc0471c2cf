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
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...errors import BadInput, say
from ...games import load
from ...games.base import Position
from ...games.placement import Placement
from .decide import decide
from .levels import CARELESS, Level, level

_SHOWN = 5  # choices in an answer


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
