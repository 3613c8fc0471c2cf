"""Answers to commands that were refused, and who gets them: never a stranger."""

from __future__ import annotations

from dataclasses import dataclass

from ..command import Command
from ..errors import Refusal
from ..match import Match
from ..store import User
from .post import post, post_board
from .proof import NotYou
from .work import BoardRefusal, Work

DAY = 86400.0


@dataclass(frozen=True)
class Refused:
    """One command that was not carried out.

    understood  the command as it was read, its password masked; empty if nothing was
    code        names the reason, for the log
    match       the board that it was about
    suspect     the userid whose password it was not
    """

    understood: str
    reason: str
    code: str
    match: Match | None = None
    suspect: str = ""


def refusal(command: Command | None, error: Refusal) -> Refused:
    """What is told of a command that raised ``error``."""
    match = error.match if isinstance(error, BoardRefusal) else None
    suspect = error.userid if isinstance(error, NotYou) else ""
    return Refused(command.understood if command else "", str(error), error.code, match, suspect)


def answer(work: Work, refused: list[Refused]) -> None:
    """Mail what was refused: to the player who has proved to be it, else to an account's address.

    The address that a mail says it is from is answered only if it is an account's; a wrong
    password for an account is told to that account otherwise, once a day, and a stranger nothing.
    """
    work.codes += [each.code for each in refused]
    if work.author.quiet or not refused:
        return
    proved = work.author.proved
    user = work.tx.user(proved) if proved else unproved_reader(work)
    if user is None:  # somebody else guesses
        refused = [each for each in refused if each.suspect]
        user = work.tx.user(refused[0].suspect) if refused else None
        if user and work.limited and work.tx.count(f"guesses {user.address}", work.now, DAY) > 1:
            return
    if user is None or user.state != "active":
        return
    facts = {"refusals": [{"understood": r.understood, "reason": r.reason} for r in refused]}
    match = next((each.match for each in refused if each.match), None)
    # A later command of the mail may have changed the board, or removed it.
    row = work.tx.board(match.number) if match else None
    if row is None:
        post(work, "error", user.userid, user.address, facts)
    else:
        now = work.context.matches.match(work.tx, row)
        post_board(work, now, to=(user.userid,), template="error", facts=facts, answers=user.userid)


def unproved_reader(work: Work) -> User | None:
    """The account that the mail says it is from, if there is one."""
    return next(iter(work.accounts()), None)
