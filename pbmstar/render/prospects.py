"""What the players want, and what can still become of a board: the sentences below the score."""

from __future__ import annotations

from ..games.adjudicate import Reading
from ..games.base import PLAYERS
from ..match import Match
from . import headings


def wants(match: Match) -> tuple[str, ...]:
    """What the players want, and what is known of the best that can be reached."""
    game = match.game
    goals = {who: game.goal(player) for player, who in match.players.items()}
    if not all(goals.values()):
        return ()
    if len(goals) > 1 and len(set(goals.values())) == 1:
        return (f"The winner is whoever {game.goal('X')}.",)
    return tuple(filter(None, (*(f"{who} {goal}." for who, goal in goals.items()), game.known)))


def prospect(match: Match) -> tuple[str, ...]:
    bounds, players, lines = match.bounds, match.players, []
    if match.game.has_points:
        ends = [f"{players[p]} {low} to {high}" for p in PLAYERS for low, high in [bounds.of(p)]]
        stand = "" if bounds.settled or not headings.stands(match) else "As the board stands now. "
        lines.append(f"{stand}Still possible: {', '.join(ends)}.")
    if match.game.has_points and bounds.settled:
        lines.append("The game is settled: no stone can change the score any more.")
    elif bounds.decided:
        lines.append(f"The game is decided: {players[bounds.decided]} wins however it goes on.")
    return tuple(lines)


def reading(match: Match, read: Reading) -> str:
    """The likely result; advice, not a fact."""
    players = match.players
    if match.game.has_points:
        result = f"{players['X']} {read.points[0]}, {players['O']} {read.points[1]}"
    else:
        assert read.winner is not None  # without points every full board has a winner
        result = f"{players[read.winner]} wins"
    return f"Likely: {result}, if whoever loses one cell of a pair takes the other:"


def pairs(match: Match, read: Reading) -> tuple[str, ...]:
    return tuple(
        f"{match.players[player]}: {', '.join(f'{a}-{b}' for a, b in read.pairs[player])}"
        for player in PLAYERS
        if read.pairs[player]
    )
