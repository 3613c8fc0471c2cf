"""Answers to commands that were refused; strangers never get one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ... import identity
from ...command import Command, answered_board
from ...errors import Refusal, Said, say, together
from ...inbound import Inbound
from ...match.terms import DAY
from ...render.facts import ErrorFacts, RefusedLine
from ...store import Board, User
from ..letters.headers import scope_of
from ..letters.post import BoardLetter, PlainLetter, send
from ..work.work import BoardRefusal, Work
from .authentication import NotYou

# Letters about errors to one proved player. A program that answers every letter, and does not mark its
# messages as automatic, is answered so many times.
ERRORS_A_DAY = 60
_LAST = say("This is the last letter about errors for today. Valid commands still work as usual.")


@dataclass(frozen=True)
class RefusedCommand:
    """One command that was not carried out.

    understood  the command as it was read, its password masked; empty if no command was read
    code        the name of the reason, for the log
    board       the number of the board that it was about; 0 for none
    is_shown    the board is shown in the answer even if its reader does not play on it
    suspect     the userid for which the password was wrong; empty for any other reason
    offer       the mark of the act that a yes to the answer does, see identity.shown_mark; empty for none
    deed        that act in words, ``play F6``, for the Subject; empty for none
    ways        the replies that do what a player may want, with {userid} for the player's
    """

    understood: str
    reason: Said | str
    code: str
    board: int = 0
    is_shown: bool = False
    suspect: str = ""
    offer: str = ""
    deed: Said | str = ""
    ways: Sequence[str] = ()


_HELPS = ("no-help", "wish")  # nothing was wanted that could be refused
_NO_COMMAND = say("I found no command in your message.")
_TO_MOVE = say(
    "To move, reply to the newest letter about your board with a cell, like F6, in the first line. Write any "
    "other command in the Subject, or on a line of the text that is not quoted."
)
_NO_REPLY_ADDRESS = say(
    "Your reply went to our general address, so it does not say who sent it. Please use Reply on the "
    "latest board letter. If your mail program will not, send this as a Subject:"
)


def no_command(work: Work, mail: Inbound, way: RefusedCommand | None) -> RefusedCommand:
    """Return the reason for which a message without a command is refused; the welcome tells a guest more.

    way  its answer if it wishes something in words that we know; otherwise None
    """
    if mail.trouble or work.author.is_guest:
        reason = mail.trouble or _NO_COMMAND
    elif move := answered_board(mail.subject):
        reason = together(_NO_REPLY_ADDRESS, f"  {move}", by="\n")
    elif way:
        return way
    else:
        reason = together(_NO_COMMAND, _TO_MOVE)
    return RefusedCommand("", reason, "no-command", ways=("match", "games", "help"))


def refusal(command: Command, error: Refusal) -> RefusedCommand:
    """Return the refusal of a command that raised ``error``."""
    is_shown = isinstance(error, BoardRefusal)
    board = error.match.number if isinstance(error, BoardRefusal) else command.args.get("board", 0)
    suspect = error.userid if isinstance(error, NotYou) else ""
    return RefusedCommand(command.understood, error.said, error.code, board, is_shown, suspect)


def answer(work: Work, refused: list[RefusedCommand]) -> None:
    """Mail the refusals to the proved player, or to the account at the From address if none is proved.

    If that address has no account, an account for which a password was wrong is told that, once a day.
    A stranger gets no answer.
    """
    for each in refused:
        work.report.refused(each.code, str(each.reason))
    if work.author.quiet or not refused:
        return
    proved = work.author.proved
    user = work.tx.accounts.user(proved) if proved else unproved_reader(work)
    counted = Counter(work.report.done if user else ())
    done = [
        say("{name} ({count} times)", name=name, count=count) if count > 1 else name
        for name, count in counted.items()
    ]
    if user is None:  # another person guesses
        refused = [each for each in refused if each.suspect]
        user = work.tx.accounts.user(refused[0].suspect) if refused else None
        if user and work.exceeds(1, f"guesses {user.address}"):
            return
    if user is None or user.state != "active":
        return
    if proved and work.limited:
        errors = work.tx.ledger.count(f"errors {proved}", work.now, DAY)
        if errors >= ERRORS_A_DAY:
            work.report.reached("letters")
        if errors > ERRORS_A_DAY:
            return
        if errors == ERRORS_A_DAY:
            refused = [*refused, RefusedCommand("", _LAST, "too-many-errors")]
    refusals = [RefusedLine(r.understood, r.reason) for r in refused]
    offer = refused[0].offer
    helps = all(each.code in _HELPS for each in refused)
    facts = ErrorFacts(
        refusals=refusals,
        done=done,
        offers=("yes",) if offer else (),
        deed=refused[0].deed,
        helps=helps,
    )
    row = _board(work, user, refused)
    if row is None and refused[0].ways:
        ways = [way.format(userid=user.userid) for way in refused[0].ways]
        send(work, PlainLetter.with_buttons(work, user, replace(facts, ways=ways)))
    elif row is None:
        send(work, PlainLetter.to(user, facts))
    else:
        now = work.context.matches.match(work.tx, row)
        own = identity.sign(work.keys, "reply", *scope_of(now, user.userid)) + offer
        detail = own if offer else ""
        send(work, BoardLetter.answer(now, user.userid, facts, detail=detail))


def _board(work: Work, user: User, refused: list[RefusedCommand]) -> Board | None:
    """Return the board to show in an answer to ``user``, as it stands after the whole mail, or None."""
    for each in refused:
        row = work.tx.boards.get(each.board) if each.board else None
        if row and (each.is_shown or user.userid in row.seats):
            return row
    return None


def unproved_reader(work: Work) -> User | None:
    """Return the account that the mail claims to come from, or None."""
    return next(iter(work.accounts()), None)
