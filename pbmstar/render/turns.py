"""What a pass and a swap mean, in sentences."""

from __future__ import annotations

from ..games.base import PLAYERS
from ..games.placement import Placement
from ..match import Match


def second_pass(match: Match) -> str:
    """What a second pass would mean."""
    if not match.game.has_points:
        return "A second pass in succession ends the game as a tie."
    x, o = match.score.points
    meaning = (
        f"A second pass in succession ends the game with the score as the board stands, {x}-{o}."
    )
    if match.bounds.settled:
        return meaning
    ends = [
        f"{match.players[player]} could still have {low} to {high}"
        for player in PLAYERS
        for low, high in [match.bounds.of(player)]
    ]
    return f"{meaning} The board is not settled: {', '.join(ends)}."


def exchanged(match: Match) -> str:
    """Who plays what after a swap: of one stone where stones are placed, whatever was planned to follow."""
    x, o = (match.players[player] for player in PLAYERS)
    stones = "stone" if isinstance(match.game, Placement) else "stones"
    return f"{x} plays X now and owns the {stones}, {o} plays O."
