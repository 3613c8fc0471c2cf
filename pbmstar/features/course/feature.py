"""The answers of the course to the questions of core."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...command import Reply
from ...identity import QuestionAddress
from ...inbound import Inbound
from ...service.work.work import Work
from ..feature import Feature
from . import verbs


class CourseFeature(Feature):
    """The answers of the course to what core asks: see ``Feature``."""

    name = "course"
    title = "lessons"

    def reader(self, work: Work, address: QuestionAddress) -> Callable[[Inbound], Reply] | None:
        """Return the function that reads the answers to a lesson."""
        if address.purpose != "lesson":
            return None
        return partial(verbs.read_answer, lesson=address.number)


FEATURE = CourseFeature()
