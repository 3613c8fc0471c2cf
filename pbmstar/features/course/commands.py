"""The command of the course, and the address that answers to a lesson go to."""

from __future__ import annotations

from ...errors import say
from ...grammar import arguments as a
from ...grammar import literals
from ...grammar.verb import Commands, Verb, Who

LAST = 5  # the last lesson
_LESSON = a.one_word(
    "lesson",
    literals.number_in(
        f"[1-{LAST}]", say("Lessons are numbered from 1 to {last}.", last=LAST), "bad-lesson"
    ),
    optional=True,
)
# fmt: off
COMMANDS = Commands(
    verbs=(
        Verb("course", (a.ACCOUNT, _LESSON),
             "learn Star by email, in five short lessons",
             "feature.course", Who.ADDRESS, "course alice s3cret", reply=True, any_turn=True, common=True),
    ),
    questions={"lesson": "l"},
)
# fmt: on
