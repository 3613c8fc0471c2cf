"""Sentences and pictures about ratings, for letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import NOTHING, Sentence, say
from ..ratings.fairness import REASONS
from .board.transcript import spark, thinned
from .picture import attached

Facts = Mapping[str, Any]
_COLUMNS = 60
_LINES = 6  # across the curve, at most, and one more


def rating_line(facts: Facts) -> Sentence:
    """Return the line of a letter about the ratings of its board's players.

    why      the reason that it is not rated, a key of ``REASONS``
    program  the one among the players, or empty
    ratings  by userid, as they are shown: with ``?`` while they are uncertain
    reader   the reader who is a player; then ``win`` and ``loss`` are the changes at stake, or in a
             game that is over ``before`` is the rating before it
    """
    if "why" in facts:
        return say("This game isn't rated: {why}.", why=REASONS[facts["why"]])
    ratings, reader, program = facts["ratings"], facts.get("reader", ""), _program(facts)
    form = say("Practice ratings: {ratings}.") if program else say("Ratings: {ratings}.")
    if "before" in facts:
        before, after = facts["before"], ratings[reader]
        if not program:
            return say("Your rating: {before} -> {after}.", before=before, after=after)
        return say(
            "Your practice rating: {before} -> {after} ({program}'s is {rating}).",
            before=before,
            after=after,
            program=program,
            rating=ratings[program],
        )
    if "win" in facts:
        stakes = {"own": ratings[reader], "win": f"{facts['win']:+}", "loss": f"{facts['loss']:+}"}
        if program:
            return say(
                "This is a practice game. Your practice rating is {own}, and {program}'s is "
                "{rating}. A win changes yours by {win}, a loss by {loss}.",
                program=program,
                rating=ratings[program],
                **stakes,
            )
        rival = next((who for who in ratings if who != reader), "")
        return say(
            "This game is rated. Your rating is {own}, and {rival}'s is {rating}. A "
            "win changes yours by {win}, a loss by {loss}.",
            rival=rival,
            rating=ratings[rival],
            **stakes,
        )
    return form.given(ratings=", ".join(f"{who} {rating}" for who, rating in ratings.items()))


def moved_far(facts: Facts) -> Sentence:
    """Return why a finished game has moved its reader's rating by much; empty if it has not."""
    after = facts.get("ratings", {}).get(facts.get("reader", ""), "")
    if not str(after).endswith("?") or facts.get("before", after) == after:
        return NOTHING
    return say("Your rating is still uncertain (?), so a single game changes it a lot.")


def _program(facts: Facts) -> str:
    """Return the program among the players, or an empty text."""
    return str(facts.get("program", ""))


def rating_header(facts: Facts | None) -> str:
    """Return the ratings for programs, ``alice=1543 bob=1491?``; empty if none are at stake."""
    if not facts or "why" in facts or _program(facts):
        return ""
    return " ".join(f"{who}={rating}" for who, rating in facts["ratings"].items())


def won_in_a_row(beaten: str, better: str) -> Sentence:
    """Return the sentence that goes with the proposal of the next program."""
    return say(
        "You've won three games in a row against {beaten}. The next stronger bot is {better}.",
        beaten=beaten,
        better=better,
    )


def rating_curve(ratings: Sequence[int]) -> str:
    """Return ratings, in their order, as one line of at most 60 marks between the lowest and the highest."""
    low, high = min(ratings), max(ratings)
    return spark((rating - low) / max(1, high - low) for rating in thinned(ratings, _COLUMNS))


def curve(facts: Facts) -> dict[str, attached.Drawn | None]:
    """Draw the curve of a player's history."""
    points: Sequence[int] = facts["points"]
    if len(points) < 2:
        return {}
    low, high = min(points) // 50 * 50, -(-(max(points) + 1) // 50) * 50
    step = next(each for each in (50, 100, 200, 500, 5000) if (high - low) / each <= _LINES)
    lines = [
        ((at - low) / (high - low), str(at)) for at in range(-(-low // step) * step, high + 1, step)
    ]
    heights = [(each - low) / (high - low) for each in points]
    return {"curve": attached.of_curve(heights, (), lines)}
