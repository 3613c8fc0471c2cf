"""Sentences about ratings, ladders, leagues and titles, for letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from ...contest.fairness import REASONS
from ...match import Match
from ...match import happenings as h
from ...match.acts import possible
from .clock_face import moment
from .transcript import spark, thinned

_ORDINALS = {1: "first", 2: "second", 3: "third"}


def of_contest(match: Match, happening: h.OfContests, zone: str) -> tuple[str, ...]:
    """Return the sentences on a happening in a contest; times are given in ``zone``."""
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
    """Return the result that the board proves, with the bounds if the game has points."""
    still = f", with {possible(match)} points still possible" if match.game.has_points else ""
    if winner:
        return f"However it went on, {winner} would win{still}: {winner} gets the point."
    if match.game.has_points and match.bounds.is_certain:
        return f"However it went on, it would be a tie{still}: each gets half a point."
    return f"Both could still win{still}: each gets half a point."


def title_of(game: str, season: int, division: int, divisions: int) -> str:
    """Return the title of the first of a division: ``champion of Star league 3``."""
    league = f"{game} league {season}"
    if division == 1:
        return f"champion of {league}"
    of = _ORDINALS.get(division, f"number {division}")
    return f"winner of the {of} of {divisions} divisions of {league}"


# -- ratings

Facts = Mapping[str, Any]
_COLUMNS = 60


def rating_line(facts: Facts | None) -> str:
    """Return the line of a letter about the ratings of its board's players; empty without facts.

    why      the reason that it is not rated, a key of ``REASONS``
    bot      the bot among the players, or empty
    ratings  by userid, as they are shown: with ``?`` while they are uncertain
    reader   the reader who is a player; then ``win`` and ``loss`` are the changes at stake, or in a
             game that is over ``before`` is the rating before it
    """
    if not facts:
        return ""
    if "why" in facts:
        return f"Not rated: {REASONS[facts['why']]}."
    ratings, reader, bot = facts["ratings"], facts.get("reader", ""), facts["bot"]
    kind = "Practice" if bot else "Rated"
    rival = next((who for who in ratings if who != reader), "")
    if "before" in facts:
        change = f"{facts['before']} -> {ratings[reader]}"
        return (
            f"Practice: {change} ({bot} is {ratings[bot]})." if bot else f"Your rating: {change}."
        )
    if "win" in facts:
        other = f"{bot}, {ratings[bot]}" if bot else ratings[rival]
        stakes = f"win {facts['win']:+}, loss {facts['loss']:+}"
        return f"{kind}: {ratings[reader]} against {other}, {stakes}."
    return f"{kind}: {', '.join(f'{who} {rating}' for who, rating in ratings.items())}."


def rating_header(facts: Facts | None) -> str:
    """Return the ratings for programs, ``alice=1543 bob=1491?``; empty if none are at stake."""
    if not facts or "why" in facts or facts["bot"]:
        return ""
    return " ".join(f"{who}={rating}" for who, rating in facts["ratings"].items())


def next_offer(facts: Facts | None) -> str:
    """Return a sentence that goes with the button for the next game; empty if that is a rematch."""
    after = (facts or {}).get("next") or {}
    if not after.get("bot"):
        return ""
    return f"You have won three games in a row against {after['beaten']}. The next one is {after['bot']}."


def rating_curve(ratings: Sequence[int]) -> str:
    """Return ratings, in their order, as one line of at most 60 marks between the lowest and the highest."""
    low, high = min(ratings), max(ratings)
    return spark((rating - low) / max(1, high - low) for rating in thinned(ratings, _COLUMNS))
