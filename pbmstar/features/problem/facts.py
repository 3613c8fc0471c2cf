"""The facts of the letters about problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...render.facts import Facts


@dataclass(frozen=True)
class UnposedFacts(Facts):
    """There is no problem, for this reason."""

    template = "unposed"
    why: str


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
