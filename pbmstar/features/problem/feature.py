"""The answers of the problem of the week to the questions of core."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...command import Reply
from ...identity import QuestionAddress
from ...inbound import Inbound
from ...service.contests import posing
from ...service.work.work import Work
from ..feature import Feature


class ProblemFeature(Feature):
    """The problem of the week."""

    name = "problem"
    title = "problems of the week"

    def reader(self, work: Work, address: QuestionAddress) -> Callable[[Inbound], Reply] | None:
        """Return the function that reads the answers to a problem."""
        if address.purpose != "problem":
            return None
        stored = work.tx.problems.get(address.number)
        return partial(posing.read_answer, stored=stored) if stored else None


FEATURE = ProblemFeature()
