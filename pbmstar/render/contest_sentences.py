"""Sentences about ladders and leagues: of a game there in its letters, and of what a player has won."""

from __future__ import annotations

from typing import assert_never

from ..games.base import PLAYERS
from ..match import Match
from ..match import happenings as h
from .clock_face import moment

_ORDINALS = {1: "first", 2: "second", 3: "third"}


def of_contest(match: Match, happening: h.OfContests, zone: str) -> tuple[str, ...]:
    """Return the sentences on what has happened in a contest; times are named by ``zone``."""
    match happening:
        case h.Challenged(userid, (own, place)):
            other = match.opponent(userid)
            title = match.game.title
            return (
                f"{userid}, at place {own} of the {title} ladder, challenges {other} at place {place}. "
                f"If {userid} wins, {userid} takes place {place}; else nothing changes.",
            )
        case h.InSeason(season, ends):
            return (
                f"This is a game of {season}. It cannot be declined, and no move is taken back. If it "
                f"still runs when the season ends, on {moment(ends, zone)}, it is judged: who can no "
                "longer be beaten wins, else each of you gets half a point.",
            )
        case h.Placed(players):
            where = " and ".join(
                f"{userid} is {'at place ' + str(place) if place else 'not on it any more'}"
                for userid, place in players
            )
            return (f"On the {match.game.title} ladder {where} now.",)
        case h.Judged(winner, season):
            return (f"{season} is over, so this game is judged. {_proof(match, winner)}",)
        case _:
            assert_never(happening)


def _proof(match: Match, winner: str) -> str:
    """Return what the board proves, with the bounds if the game has points."""
    still = ""
    if match.game.has_points:
        ends = [
            f"{match.players[player]} {low} to {high}"
            for player in PLAYERS
            for low, high in [match.bounds.of(player)]
        ]
        still = f", with {' and '.join(ends)} points still possible"
    if winner:
        return f"However it went on, {winner} would win{still}: {winner} gets the point."
    if match.game.has_points and match.bounds.is_certain:
        return f"However it went on, it would be a tie{still}: each gets half a point."
    return f"Both could still win{still}: each gets half a point."


def title_of(game: str, season: int, division: int, divisions: int) -> str:
    """Return what the first of a division is called: ``champion of Star league 3``."""
    league = f"{game} league {season}"
    if division == 1:
        return f"champion of {league}"
    of = _ORDINALS.get(division, f"number {division}")
    return f"winner of the {of} of {divisions} divisions of {league}"
