"""The facts of the letters about problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import NOTHING, Sentence, say
from ...render.letter import Facts, Letters


@dataclass(frozen=True)
class ProblemFacts(Facts):
    """A problem, or the judgement of an answer to it.

    kind      the game and its options
    mover     the player to move, ``ends``: the results that are still possible
    by        the players of the game and its board; empty while the problem is open
    judged    sentences about the answer, ``right``: it solves the problem
    counts    a sentence that says if the answer counts for the list of solvers
    solution  empty while the problem is open
    last      the solution of the problem before this one
    weekly    the letter comes unasked
    stranger  the reader has no account
    own       it is from a game of the reader's own: what was played there, and the question
    of_board  the number of that game's board
    """

    template = "problem"
    number: int
    kind: str
    mover: str
    ends: Sentence
    by: Sentence
    judged: Sentence
    right: bool
    solution: Sentence
    counts: Sentence = NOTHING
    last: Sentence = NOTHING
    weekly: bool = False
    stranger: bool = False
    own: Sentence = NOTHING
    of_board: int = 0


@dataclass(frozen=True)
class UnposedFacts(Facts):
    """There is no problem, for this reason."""

    template = "unposed"
    why: Sentence


@dataclass(frozen=True)
class SolversFacts(Facts):
    """The best solvers of a year."""

    template = "solvers"
    year: int
    solvers: Sequence[SolverLine]


@dataclass(frozen=True)
class SolverLine:
    """A solver: the answers, and how many of the first ones were right."""

    place: int
    userid: str
    right: int
    answers: int


LETTERS = Letters(
    buttons={
        "problem": say("This week's problem"),
        "problem best": say("The best solvers"),
        "problem off": say("No more problems"),
        "problem on": say("Send me every problem"),
    }
)
