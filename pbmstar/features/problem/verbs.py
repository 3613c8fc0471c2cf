"""The problem of the week: a position of a game that was played here, and one move that decides it.

Everybody may try again, but only a player's first answer counts for the list of solvers: the list is for
players who see it at once. A reader without an account is told if an answer is right, and the answer is
not kept. Until the week ends only those who have found the solution are told it.
"""

from __future__ import annotations

from datetime import UTC, datetime

from ...command import Command
from ...errors import BadInput, Refusal, UsageError, say
from ...service.letters.post import send, tell_account
from ...service.proof import limits
from ...service.work.letter import PlainLetter
from ...service.work.work import Work
from ...store import User
from .facts import SolverLine, SolversFacts, UnposedFacts
from .letters import answered, answered_own, is_open, is_withheld, letter_to, named, why_none
from .rows import Problems

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
    stored = named(work, number)
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
    told = say("We won't send you the weekly problem any more, but you can still ask for it.")
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
