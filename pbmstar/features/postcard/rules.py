"""The board of a postcard: a finished game as it stood when both players could still win. Pure."""

from __future__ import annotations

from ...match import Match, Terms, begin, is_move
from ...match.terms import NONE

LEAST = 4  # moves of a game that can be shown
_TERMS = Terms(time=NONE)


def moment(match: Match) -> int:
    """Return the number of the last move before the end after which both players could still win.

    No stone hurts its owner, so a game that is decided stays so.
    """
    open_, decided = 1, match.position.played
    while decided - open_ > 1:
        middle = (open_ + decided) // 2
        if match.at_move(middle).bounds.decided is None:
            open_ = middle
        else:
            decided = middle
    return open_


def scene(match: Match, number: int, sender: str, other: str) -> Match:
    """Return a game as it stood after move ``number``, with ``other`` as the name of the sender's opponent.

    Nothing in it tells more of them.
    """
    first, second = (sender if each == sender else other for each in match.seats)
    shown = begin(0, match.game, (first, second), 0.0, _TERMS)
    for entry in match.at_move(number).whole:
        if is_move(entry.number, entry.move):
            shown = shown.after(shown.to_move, entry.move, 0.0)
    return shown
