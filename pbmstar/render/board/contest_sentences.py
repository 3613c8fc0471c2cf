"""Sentences about ratings, for letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...contest.fairness import REASONS
from .transcript import spark, thinned

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
