"""The steps of a preview: what each move makes of the scores."""

from __future__ import annotations

from ..match import Match
from ..match.preview import steps
from .headings import stands


def lines(match: Match, first: int) -> list[str]:
    """For each entry of a record from ``first`` on the move, the scores, and what is still possible."""
    return [_line(each) for each in steps(match, first)]


def _line(match: Match) -> str:
    entry = match.record[-1]
    move = entry.move if entry.number is None else f"{entry.number} {entry.move}"
    return f"{move} by {entry.userid}: {', '.join(_standing(match))}"


def _standing(match: Match) -> list[str]:
    if len(match.seats) == 1:
        return [*match.score.notes, *(["over"] if match.position.over else [])]
    parts, bounds = [], match.bounds
    if match.game.has_points:
        for place, (player, who) in enumerate(match.players.items()):
            low, high = bounds.of(player)
            points, ends = match.points[place], f"{low} to {high}"
            if match.position.over:
                parts.append(f"{who} {points}")
            else:  # a board that cannot come to what it counts now is not counted
                parts.append(f"{who} {f'{points} ({ends})' if stands(match) else ends}")
    if match.position.over:
        result = "a tie" if match.result == "tie" else f"{match.result} wins"
        parts.append(f"over, {result}")
    elif match.game.has_points and bounds.settled:
        parts.append("settled")
    elif bounds.decided:
        parts.append(f"decided for {match.players[bounds.decided]}")
    return parts or ["undecided"]
