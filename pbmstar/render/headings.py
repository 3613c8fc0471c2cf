"""What a reader wants to know first: whose move it is or how it ended, what was played, the score."""

from __future__ import annotations

from typing import NamedTuple

from ..games.base import PLAYERS, STONE
from ..match import AGREE, Entry, Match
from .asking import offer


class Side(NamedTuple):
    """One player's part of the score.

    stone     ``x`` or ``o``
    points    as the board stands, or as it ended; None where the game has none, or where the board
              as it stands cannot be what it comes to
    low, high  what the player can still have; both None once that is known or where it means nothing
    """

    userid: str
    stone: str
    points: int | None
    low: int | None
    high: int | None


def heading(match: Match, reader: str, past: bool) -> str:
    """The reader's one line: ``Your move, alice``, ``bob to move``, ``You won by 3``."""
    if past:
        return f"Board {match.number} as it was"
    if not match.position.over:
        return f"Your move, {reader}" if match.to_move == reader else f"{match.to_move} to move"
    ending = match.position.ending
    if len(match.seats) == 1:
        return "Solved" if match.result == match.seats[0] else "The end"
    if ending is None or ending.how == "cancelled":
        return "No result"
    if ending.winner is None:
        return "A tie"
    winner = match.players[ending.winner]
    who = "You" if winner == reader else winner
    return f"{who} won by {points}" if (points := margin(match)) else f"{who} won"


def margin(match: Match) -> int:
    """The points between the players of a game that is over; 0 if it was not won by points."""
    ending = match.position.ending
    if ending is None or not ending.counted:
        return 0
    x, o = match.points
    return abs(x - o)


def played(match: Match) -> str:
    """What was played last, as a sentence; empty before the first move."""
    if not match.record:
        return ""
    return played_by(match.record[-1])


def played_by(entry: Entry) -> str:
    """What somebody played, as a sentence."""
    if entry.move.startswith(AGREE):
        return f"{entry.userid} accepted {offer(entry.move.partition(' ')[2])}."
    words = {
        "pass": "passed", "swap": "swapped", "resign": "resigned", "forfeit": "forfeited",
        "cancel": "ended the game", "claim": "claimed the end",
    }  # fmt: skip
    return f"{entry.userid} {words.get(entry.move, f'played {entry.move}')}."


def sides(match: Match) -> tuple[Side, ...]:
    """The score of each player, in the order of the seats."""
    open_ends = match.game.has_points and not match.position.over and not match.bounds.settled
    counted = match.game.has_points and stands(match)
    every = []
    for place, (player, userid) in enumerate(match.players.items()):
        ends = match.bounds.of(player) if open_ends else (None, None)
        points = match.points[place] if counted else None
        every.append(Side(userid, chr(STONE[player]), points, *ends))
    return tuple(every)


def stands(match: Match) -> bool:
    """Whether the board as it stands can be what the game comes to: an empty one seldom is."""
    if match.position.over or len(match.seats) == 1:
        return True
    ends = (match.bounds.of(player) for player in PLAYERS)
    pairs = zip(match.points, ends, strict=True)
    return all(low <= points <= high for points, (low, high) in pairs)
