"""The facts of a postcard."""

from __future__ import annotations

from dataclasses import dataclass

from ...render.facts import Facts


@dataclass(frozen=True)
class PostcardFacts(Facts):
    """A finished game of ``sender``, who played ``side``, X or O, as it stood before it was decided.

    rival  the program that played the other side; empty for a person, who is not named
    title  the game's
    after  the number of the last move on the board; ``moves``: of the game
    like   a cell to begin a game of one's own on; empty if no program plays it
    """

    template = "postcard"
    sender: str
    side: str
    rival: str
    title: str
    after: int
    moves: int
    like: str = ""
