"""The facts of the letters of the course."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...errors import Sentence, say
from ...render.facts import OfBoardFacts
from ...render.letter import Facts, Letters


@dataclass(frozen=True)
class LessonFacts(OfBoardFacts):
    """A lesson, after the judgement of the last answer.

    last  the number of the last lesson
    hint  after a wrong answer
    why   the last answer was right, or wrong; empty without an answer
    words the words that may be an answer
    """

    template = "lesson"
    number: int
    last: int
    title: Sentence
    idea: Sequence[Sentence]
    task: Sentence
    hint: Sentence
    why: Sentence
    words: Sequence[str]


@dataclass(frozen=True)
class TaughtFacts(Facts):
    """The end of the course, and the offer of a game with ``opponent``, if it ``plays`` here."""

    template = "taught"
    userid: str
    why: Sentence
    opponent: str = ""
    plays: bool = False


LETTERS = Letters(
    buttons={"course": say("Five short lessons"), "course ": say("Lesson {name}")},
)
