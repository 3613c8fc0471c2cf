"""Previews: moves tried out on a board. Pure; nothing is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..errors import InvalidMove, Refusal
from .match import Match
from .plans import Branch, Plan
from .requests import over

MOST = 40  # moves of one preview
_MOST_WORDS = 4  # of one move


def try_out(match: Match, words: Sequence[str]) -> tuple[Match, str]:
    """The match after the moves that the words are, and why not all of them; empty if all.

    The first move that is not allowed ends it. Moves alternate, a turn of two cells is two words.
    """
    at, count = 0, 0
    while at < len(words):
        if count == MOST:
            return match, f"A preview has at most {MOST} moves; those after them are left out."
        try:
            match, length = _next(match, words[at:])
        except Refusal as error:
            return match, f"The preview ends there. {error}"
        at, count = at + length, count + 1
    return match, ""


def _next(match: Match, words: Sequence[str]) -> tuple[Match, int]:
    """The match after the first move of the words, and how many words that takes. Raises Refusal."""
    if match.position.over:
        raise over()
    usual = len(next(match.position.moves(), "").split()) or 1
    lengths = [usual, *(n for n in range(1, _MOST_WORDS + 1) if n != usual)]
    trouble: Refusal | None = None
    for length in lengths:
        if length > len(words):
            continue
        try:
            move = match.game.read(words[:length])
            if move in ("resign", "undo"):
                raise InvalidMove(f"{move} is nothing to try out.", "no-move")
            return match.after(match.to_move, move, match.since), length
        except Refusal as error:
            trouble = trouble or error
    raise trouble or InvalidMove(f"{' '.join(words)} is no whole move.", "no-move")


def steps(match: Match, first: int) -> Iterator[Match]:
    """The match after each entry of its record from ``first`` on."""
    for length in range(first + 1, len(match.record) + 1):
        yield match.before_last(len(match.record) - length)


def plan_in(moves: Sequence[str]) -> Plan:
    """The plan that answers the first of some moves with the second, and so on; it may be empty."""
    plan: Plan = ()
    for place in range(len(moves) // 2 * 2 - 2, -1, -2):
        plan = (Branch((moves[place],), moves[place + 1], plan),)
    return plan
