"""The answers of the course to the questions of core, and what its commands do."""

from __future__ import annotations

from functools import partial
from types import MappingProxyType

from ... import identity
from ...command import PLAIN_MOVES, Command, Reply, named, read_reply
from ...errors import NOTHING, UsageError
from ...games.hexagon.star import Star
from ...inbound import Inbound
from ...match import CLAIM, RESIGN, Act
from ...service.letters.post import BoardLetter, send
from ...service.proof import limits
from ...service.work.bots import opponents
from ...service.work.feature import Answers, Feature, Reader
from ...service.work.letter import PlainLetter
from ...service.work.work import Work
from ...store import User
from .facts import LessonFacts, TaughtFacts
from .lessons import LESSONS, OPPONENT, Assessment

_ROW = named(None)["course"]


def read_answer(mail: Inbound, lesson: int) -> Reply:
    """Read a reply to a lesson: an answer, a word for help or another lesson, or commands."""
    reply = read_reply(mail.subject, mail.is_reply, mail.lines, Star)
    first = reply.commands[0]
    word = first.verb.name if isinstance(first, Command) else first.understood.split(" ")[0].lower()
    if not reply.bare or word in ("course", "help"):
        return reply
    answer = Command(_ROW, None, {"lesson": lesson, "answer": first}, _ROW.name)
    return Reply((answer,), is_talk=reply.is_talk)


def course(work: Work, command: Command, reader: User) -> None:
    """Mail a lesson; or mail the verdict on an answer, and the next lesson or the same one again."""
    number = command.args.get("lesson", 1)
    if "answer" not in command.args:
        limits.ask(work, reader, ("course", number), _lesson(work, reader, number))
        return
    verdict = LESSONS[number - 1].judge(_act(reader.userid, command["answer"]))
    if verdict.right and number == len(LESSONS):
        plays = OPPONENT in opponents(work, Star({"size": "4"}))
        end = TaughtFacts(reader.userid, verdict.why, OPPONENT, plays)
        send(work, PlainLetter.to(reader, end))
    else:
        send(work, _lesson(work, reader, number + verdict.right, verdict))


def _act(userid: str, answer: Command | UsageError) -> Act | None:
    """Return the act of an answer on the board of a lesson; None if it does nothing there."""
    if isinstance(answer, UsageError):
        return None
    name = answer.verb.name
    if name == "move":
        return Act(userid, name, " ".join(answer["move"]), answer["guard"])
    if name in PLAIN_MOVES:
        return Act(userid, "move", name)
    return Act(userid, name) if name in (CLAIM, RESIGN) else None


def _lesson(
    work: Work, reader: User, number: int, verdict: Assessment | None = None
) -> BoardLetter:
    match, userid = LESSONS[number - 1].match(reader.userid), reader.userid
    detail = identity.sign(work.keys, "lesson", userid, number)
    return BoardLetter.answer(match, userid, facts_of(number, verdict), detail=detail)


def facts_of(number: int, verdict: Assessment | None = None) -> LessonFacts:
    """Return the facts of a lesson's letter. ``verdict``: on the last answer, which was to this lesson if
    wrong, and to the one before if right."""
    lesson = LESSONS[number - 1]
    return LessonFacts(
        number=number,
        last=len(LESSONS),
        title=lesson.title,
        idea=lesson.idea,
        task=lesson.filled(lesson.task),
        hint=lesson.hint if verdict and not verdict.right else NOTHING,
        why=verdict.why if verdict else NOTHING,
        words=lesson.words,
    )


def _reader(_work: Work, number: int) -> Reader:
    """Return the function that reads the answers to a lesson."""
    return partial(read_answer, lesson=number)


class CourseFeature(Feature):
    """The answers of the course to what core asks: see ``Feature``."""

    title = "lessons"
    answers = MappingProxyType({"lesson": Answers(read=_reader)})


FEATURE = CourseFeature()
