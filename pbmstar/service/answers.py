"""Answers to commands that were refused, and who gets them: never a stranger."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..command import Command, answered_board
from ..errors import Refusal
from ..inbound import Inbound
from ..match.terms import DAY
from ..store import Board, User
from .post import post, post_board
from .proof import NotYou
from .work import BoardRefusal, Work

# To one player who is proved. A program that answers every letter, and does not say that it is one,
# is answered for so long.
ERRORS_A_DAY = 60
_LAST = "This is the last letter about errors for today. What is right is carried out as ever."


@dataclass(frozen=True)
class Refused:
    """One command that was not carried out.

    understood  the command as it was read, its password masked; empty if nothing was
    code        names the reason, for the log
    board       the number of the board that it was about; 0 for none
    is_shown    the board is shown to whoever gets the answer, not to its players only
    suspect     the userid whose password it was not
    """

    understood: str
    reason: str
    code: str
    board: int = 0
    is_shown: bool = False
    suspect: str = ""


_NO_COMMAND = "I found no command in your mail."
_TO_MOVE = (
    "To move, reply to the newest mail about your board with a cell, like F6, in the first line. Any "
    "other command is the Subject of a mail, or a line of its text that is not quoted."
)
# What people write who do not know the word for it, and what they are told.
_WISHES = (
    (
        re.compile(
            r"(?:please )?"
            r"(?:unsubscribe|stop|quit|(?:delete|close|remove|cancel) (?:me|(?:my |the )?account))\b.*",
            re.I,
        ),
        "To close your account, send: signoff userid password. To get fewer letters, see: help letters",
    ),
    (re.compile(r".*\bpassw(?:or)?d\b.*", re.I), "For a new password send: forgot userid"),
)
_NO_REPLY_ADDRESS = (
    "You answer a letter about a board, but not at its reply address, which alone says who you are. "
    "Some mail programs do not take it; then send your move as a Subject, with your password:"
)


def no_command(work: Work, mail: Inbound) -> Refused:
    """Why a mail without a command is refused; who has no account is told the rest by that letter."""
    if mail.trouble or work.author.is_guest:
        reason = mail.trouble or _NO_COMMAND
    elif move := answered_board(mail.subject):
        reason = f"{_NO_REPLY_ADDRESS}\n  {move}"
    else:
        said = (mail.subject, *mail.lines[:1])
        fitting = (way for wish, way in _WISHES if any(map(wish.fullmatch, said)))
        reason = f"{_NO_COMMAND} {next(fitting, _TO_MOVE)}"
    return Refused("", reason, "no-command")


def refusal(command: Command, error: Refusal) -> Refused:
    """What is told of a command that raised ``error``."""
    is_shown = isinstance(error, BoardRefusal)
    board = error.match.number if isinstance(error, BoardRefusal) else command.args.get("board", 0)
    suspect = error.userid if isinstance(error, NotYou) else ""
    return Refused(command.understood, str(error), error.code, board, is_shown, suspect)


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
    if proved and work.limited:
        errors = work.tx.count(f"errors {proved}", work.now, DAY)
        if errors >= ERRORS_A_DAY:
            work.reached("letters")
        if errors > ERRORS_A_DAY:
            return
        if errors == ERRORS_A_DAY:
            refused = [*refused, Refused("", _LAST, "too-many-errors")]
    facts = {"refusals": [{"understood": r.understood, "reason": r.reason} for r in refused]}
    row = _board(work, user, refused)
    if row is None:
        post(work, "error", user.userid, user.address, facts)
    else:
        now = work.context.matches.match(work.tx, row)
        post_board(work, now, to=(user.userid,), template="error", facts=facts, answers=user.userid)


def _board(work: Work, user: User, refused: list[Refused]) -> Board | None:
    """The board that is shown in an answer to ``user``, as it stands after the whole mail."""
    for each in refused:
        row = work.tx.board(each.board) if each.board else None
        if row and (each.is_shown or user.userid in row.seats):
            return row
    return None


def unproved_reader(work: Work) -> User | None:
    """The account that the mail says it is from, if there is one."""
    return next(iter(work.accounts()), None)
