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
TOO_MANY = "too-many-letters"  # what says that no further letter comes is mailed in any case
_ANSWERS_A_DAY = 10  # to one address, about mails that prove nothing: two machines stop there


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
    password for an account is told to that account otherwise, and a stranger nothing.
    """
    work.codes += [each.code for each in refused]
    if work.author.quiet or not refused:
        return
    user, kind, most = _addressee(work, refused)
    if user is None or user.state != "active":
        return
    if kind == "guesses":
        refused = [each for each in refused if each.suspect]
    last = False
    if kind and work.limited:
        counter = f"{kind} {user.address} {work.author.place if kind == 'answers' else ''}"
        count = work.tx.count(counter, work.now, DAY)
        if count > most and refused[-1].code != TOO_MANY:
            return
        last = count == most and most > 1
    facts = {
        "refusals": [{"understood": r.understood, "reason": r.reason} for r in refused],
        "last": last,
    }
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


def _addressee(work: Work, refused: list[Refused]) -> tuple[User | None, str, int]:
    """Who is answered; what such answers are counted as, empty for not at all; and their most a day."""
    if work.author.proved:
        return work.tx.user(work.author.proved), "", 0
    if reader := unproved_reader(work):
        return reader, "answers", _ANSWERS_A_DAY
    suspect = next((each.suspect for each in refused if each.suspect), "")
    return (work.tx.user(suspect) if suspect else None), "guesses", 1  # somebody else guesses
