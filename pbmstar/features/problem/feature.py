"""The answers of the problem of the week to the questions of core."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import MappingProxyType

from ...command import Command
from ...config import Config
from ...errors import BadInput, Refusal, say
from ...identity import GuestAddress, Purpose
from ...inbound import Inbound
from ...match import Match
from ...service.work.context import Context
from ...service.work.feature import AboutBoard, Below, Feature, Gauge, Gauges, Reader, Tip, Writer
from ...service.work.work import Work
from ...store import Store, Tx, User
from . import letters, verbs, weekly
from .judgement import board_of, judge, read_answer
from .rows import Problems
from .rules import deciding


def _reader(work: Work, number: int) -> Reader | None:
    """Return the function that reads the answers to a problem."""
    stored = work.tx.of(Problems).get(number)
    return partial(read_answer, stored=stored) if stored else None


def _reader_of_own(work: Work, number: int) -> Reader | None:
    """Return the function that reads the answers to a problem of a player's own."""
    own = work.tx.of(Problems).own(number)
    return partial(read_answer, stored=own.stored, own=number) if own else None


def _guess(work: Work, address: GuestAddress, mail: Inbound) -> Writer | None:
    """Judge an answer to a problem."""
    stored = work.tx.of(Problems).get(address.number)
    command = read_answer(mail, stored).commands[0] if stored else None
    if stored is None or not isinstance(command, Command) or "answer" not in command.args:
        return None
    letters.named(work, stored.number)
    judged = judge(stored, command["answer"]) if letters.is_open(work, stored) else None
    return partial(letters.guest_letter, work, stored, judged)


def _asked(work: Work, command: Command) -> Writer | None:
    """Return a problem that can be shown."""
    try:
        return partial(
            letters.guest_letter, work, letters.named(work, command.args.get("problem")), None
        )
    except BadInput:
        return None


class ProblemFeature(Feature):
    """The problem of the week."""

    name = "problem"
    title = "problems of the week"
    unsubscribes = MappingProxyType({Purpose.STOP_PROBLEM: verbs.leave})
    answer_readers = MappingProxyType({"problem": _reader, "own": _reader_of_own})
    guest_answers = MappingProxyType({"guess": _guess})
    guest_commands = MappingProxyType({"problem": _asked})
    figures = MappingProxyType(
        {
            "pbmstar_problem_answers": Gauge(
                "Players who answered the newest problem of the week, by their first answer.",
                labels=("answer",),
            ),
            "pbmstar_problem_readers": Gauge(
                "Players who get each problem of the week by a letter."
            ),
        }
    )

    def tip(self, work: Work, letter: AboutBoard, user: User) -> Tip | None:
        """Tell of the problem of the week, unless there is none or it comes by mail."""
        problems = work.tx.of(Problems)
        if problems.newest() is None or problems.is_reader(user.userid):
            return None
        said = say(
            "There's a new problem each week: a position in which exactly one move is sure "
            "to win. To see this week's problem, or to get it every week, reply:"
        )
        return Tip("problem", Below(said, ("problem", "problem on")))

    def on_account_close(self, work: Work, userid: str) -> None:
        """Mail a player who closes the account no more problems."""
        work.tx.of(Problems).unsubscribe(userid)

    def due(self, context: Context, store: Store, is_up: bool) -> None:
        """Seek the problem of the week, and mail it to its readers."""
        if is_up:
            weekly.carry_on(context, store)

    def check(self, tx: Tx, match: Match | None) -> Iterator[str]:
        """Yield each problem without one right answer, and each answer that is marked wrongly."""
        if match:
            return
        for stored in tx.of(Problems).all():
            try:
                right = deciding(board_of(stored).position)
            except (Refusal, ValueError, TypeError, KeyError) as error:
                yield f"problem {stored.number}: it does not replay: {error}"
                continue
            if right != [stored.move]:
                found = " ".join(right) or "no move"
                yield f"problem {stored.number}: it is to be solved by {stored.move}, the board says {found}"
            for each in tx.of(Problems).answers(stored.number):
                if each.right != (each.move == stored.move):
                    yield f"problem {stored.number}: right of {each.userid} is {each.right}"

    def gauges(self, config: Config, tx: Tx | None) -> Gauges:
        """Count the answers to the newest problem, and its readers."""
        if tx is None:
            return {}
        counts = tx.of(Problems).newest_counts()
        return {
            "pbmstar_problem_answers": {(what,): count for what, count in counts.items()},
            "pbmstar_problem_readers": {(): tx.of(Problems).count_readers()},
        }


FEATURE = ProblemFeature()
