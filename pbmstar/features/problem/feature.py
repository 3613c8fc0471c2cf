"""The verbs of the problem of the week, and its answers to the questions of core.

The problem of the week: a position of a game that was played here, and one move that decides it.

Everybody may try again, but only a player's first answer counts for the list of solvers: the list is for
players who see it at once. A reader without an account is told if an answer is right, and the answer is
not kept. Until the week ends only those who have found the solution are told it.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType

from ...command import Command
from ...errors import BadInput, Refusal, UsageError, say
from ...identity import GuestAddress, Purpose
from ...inbound import Inbound
from ...match import Match
from ...service.letters.post import send, tell_account
from ...service.proof import limits
from ...service.work.context import Context
from ...service.work.feature import (
    AboutBoard,
    Answers,
    Below,
    Feature,
    Gauge,
    Reader,
    Series,
    Tip,
    Writer,
)
from ...service.work.letter import PlainLetter
from ...service.work.work import Work
from ...store import Store, Tx, User
from . import letters, weekly
from .facts import SolverLine, SolversFacts, UnposedFacts
from .letters import (
    answered,
    answered_own,
    board_of,
    is_open,
    is_withheld,
    judge,
    letter_to,
    problem_named,
    read_answer,
    why_none,
)
from .rows import Problems
from .rules import deciding

_LISTED = 20  # solvers of a list
_REPLIES = {True: ("problem", "problem off"), False: ("problem", "problem on")}


def problem(work: Work, command: Command, reader: User) -> None:
    """Mail a problem, or the judgement of an answer; or switch the weekly letter on or off.

    Raises Refusal, BadInput.
    """
    on = command.args.get("on")
    if on is not None:
        _switch(work, reader, on)
        return
    if own := command.args.get("own"):
        _judge_own(work, own, reader, command["answer"])
        return
    number = command.args.get("problem")
    if number is None and (why := why_none(work)):
        letter = PlainLetter.to(reader, UnposedFacts(why))
        limits.ask(work, reader, ("problem", 0), letter)
        return
    stored = problem_named(work, number)
    if "answer" in command.args and is_open(work, stored):
        send(work, answered(work, stored, reader, command["answer"]))
        return
    letter = letter_to(work, stored, reader)
    limits.ask(work, reader, ("problem", stored.number), letter)


def _judge_own(work: Work, number: int, reader: User, answer: Command | UsageError) -> None:
    """Mail the judgement of an answer to a problem of the reader's own. Raises BadInput."""
    own = work.tx.of(Problems).own(number)
    if own is None or own.userid != reader.userid or is_withheld(work, own.stored):
        raise BadInput(say("There's no problem {number}.", number=number), "no-problem")
    send(work, answered_own(work, own, reader, answer))


def _switch(work: Work, user: User, on: bool) -> None:
    """Mail each week's problem to a player, or stop that. Raises Refusal if nothing proves the player."""
    if work.proved != user.userid:
        raise Refusal(
            say(
                "You need your password for that: {command}",
                command=f"problem {user.userid} password {'on' if on else 'off'}",
            ),
            "missing-password",
        )
    if not on:
        leave(work, user)
        return
    work.tx.of(Problems).subscribe(user.userid)
    tell_account(
        work,
        user,
        say("problem"),
        say("You'll get the new problem each week from now on."),
        _REPLIES[True],
    )


def leave(work: Work, user: User) -> None:
    """Stop the weekly letter to a player: problems are mailed only if the player asks."""
    work.tx.of(Problems).unsubscribe(user.userid)
    told = say("We won't send you the weekly problem anymore, but you can still ask for it.")
    tell_account(work, user, say("problem"), told, _REPLIES[False])


def best(work: Work, command: Command, reader: User) -> None:
    """Mail the list of the best solvers in a year; it is the running year if the command names none."""
    year = command.args.get("year") or datetime.fromtimestamp(work.now, UTC).year
    begin, end = (datetime(each, 1, 1, tzinfo=UTC).timestamp() for each in (year, year + 1))
    places = list(enumerate(work.tx.of(Problems).solvers(begin, end), 1))
    shown = [
        SolverLine(place, userid, right, answers)
        for place, (userid, right, answers) in places
        if place <= _LISTED or userid == reader.userid
    ]
    letter = PlainLetter.to(reader, SolversFacts(year, shown))
    limits.ask(work, reader, ("problem best", year), letter)


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
    letters.problem_named(work, stored.number)
    judged = judge(stored, command["answer"]) if letters.is_open(work, stored) else None
    return partial(letters.guest_letter, work, stored, judged)


def _asked(work: Work, command: Command) -> Writer | None:
    """Return a problem that can be shown."""
    try:
        return partial(
            letters.guest_letter,
            work,
            letters.problem_named(work, command.args.get("problem")),
            None,
        )
    except BadInput:
        return None


def _first_answers(tx: Tx) -> Series:
    """Return the numbers of first answers to the newest problem, by what they are."""
    return {(what,): count for what, count in tx.of(Problems).newest_counts().items()}


class ProblemFeature(Feature):
    """The problem of the week."""

    title = "problems of the week"
    answers = MappingProxyType(
        {
            "problem": Answers(read=_reader),
            "own": Answers(read=_reader_of_own),
            "guess": Answers(guess=_guess),
            Purpose.STOP_PROBLEM: Answers(stop=leave),
        }
    )
    guest_commands = MappingProxyType({"problem": _asked})
    figures = MappingProxyType(
        {
            "pbmstar_problem_answers": Gauge(
                "Players who answered the newest problem of the week, by their first answer.",
                labels=("answer",),
                of_store=_first_answers,
            ),
            "pbmstar_problem_readers": Gauge(
                "Players who get each problem of the week by a letter.",
                of_store=lambda tx: {(): tx.of(Problems).count_readers()},
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


FEATURE = ProblemFeature()
