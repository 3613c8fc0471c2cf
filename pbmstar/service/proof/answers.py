"""Answers to commands that were refused; strangers never get one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from ... import identity
from ...command import Command, answered_board, behind_prefix
from ...errors import NOTHING, Refusal, Sentence, literal, say, together
from ...inbound import Inbound
from ...machine.times import DAY
from ...render.facts import ErrorFacts, RefusedLine
from ...store import Board, User
from ..letters.post import BoardLetter, send
from ..work.letter import PlainLetter, scope_of
from ..work.work import BoardRefusal, Work
from .authentication import NotYou

# Letters about errors to one proved player. A program that answers every letter, and does not mark its
# messages as automatic, is answered so many times.
ERRORS_A_DAY = 60
_SAME_A_DAY = 5  # of these letters about the same words, each at another turn
_LAST = say(
    "That's the last error we'll write to you about today. Your moves and commands still work."
)


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
    question    what the player may have wanted instead; empty if the reason says enough
    ways        the replies that answer it, at most three, or that the reason names
    """

    understood: str
    reason: Sentence
    code: str
    board: int = 0
    is_shown: bool = False
    suspect: str = ""
    offer: str = ""
    deed: Sentence = NOTHING
    question: Sentence = NOTHING
    ways: Sequence[str] = ()


_HELPS = ("no-help", "wish")  # nothing was wanted that could be refused
_NO_COMMAND = say("We read your message, but couldn't find a move or a command in it.")
_WHAT_NOW = say("What would you like to do?")
_BEHIND_PREFIX = say(
    "We ignored your Subject, because it starts with Re: or Fwd: and may come from an older "
    "message. If you meant it as a command, send it again with nothing in front of it."
)
_NO_REPLY_ADDRESS = say(
    "Your reply went to our general address, so we can't tell which board it's about. Please "
    "reply to the newest letter about that board, or send this as the Subject of a new message:"
)


def no_command(work: Work, mail: Inbound, way: RefusedCommand | None) -> RefusedCommand:
    """Return the reason for which a message without a command is refused; the welcome tells a guest more.

    way  its answer if it wishes something in words that we know; otherwise None
    """
    if mail.trouble or work.guest.is_known:
        reason = mail.trouble or _NO_COMMAND
    elif command := behind_prefix(mail.subject) if mail.is_reply else None:
        return RefusedCommand(command.understood, _BEHIND_PREFIX, "no-command")
    elif move := answered_board(mail.subject):
        reason = together(_NO_REPLY_ADDRESS, f"  {move}", by="\n")
    elif way:
        return way
    else:
        reason = _NO_COMMAND
    return RefusedCommand("", reason, "no-command", question=_WHAT_NOW, ways=_usual(work))


def _usual(work: Work) -> tuple[str, ...]:
    """Return what a player may want whose message says nothing that we know: the next board, a game, help."""
    user = reader(work)
    rows = work.tx.boards.of(user.userid, "active") if user else []
    waiting = [row for row in rows if user and row.to_move == user.userid]
    return (*(f"show {row.board}" for row in waiting[:1]), "match", "help")


def refusal(command: Command, error: Refusal) -> RefusedCommand:
    """Return the refusal of a command that raised ``error``."""
    is_shown = isinstance(error, BoardRefusal)
    board = error.match.number if isinstance(error, BoardRefusal) else command.args.get("board", 0)
    suspect = error.userid if isinstance(error, NotYou) else ""
    return RefusedCommand(command.understood, error.told, error.code, board, is_shown, suspect)


def answer(work: Work, refused: list[RefusedCommand]) -> None:
    """Mail the refusals to the proved player, or to the account at the From address if none is proved.

    If that address has no account, an account for which a password was wrong is told that, once a day.
    A stranger gets no answer.
    """
    for each in refused:
        work.report.refused(each.code, str(each.reason))
    proved = work.proved
    if (
        not refused
        or (work.sender.quiet and not proved)
        or (proved and work.words.mark and _is_told(work, refused))
    ):
        return
    user = reader(work)
    counted = Counter(work.report.done if user else ())
    done = [
        say("{name} ({count} times)", name=name, count=count) if count > 1 else literal(name)
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
        question=refused[0].question,
        ways=refused[0].ways,
    )
    row = _board(work, user, refused)
    if row is None and refused[0].ways:
        send(work, PlainLetter.with_buttons(work, user, facts))
    elif row is None:
        send(work, PlainLetter.to(user, facts))
    else:
        now = work.context.matches.match(work.tx, row)
        own = identity.sign(work.keys, "reply", *scope_of(now, user.userid)) + offer
        detail = own if offer else ""
        send(work, BoardLetter.answer(now, user.userid, facts, detail=detail))


def _is_told(work: Work, refused: Sequence[RefusedCommand]) -> bool:
    """Return True if the same words had the same answer today, at this turn, or at enough others.

    A program that answers each letter, and does not mark its messages, writes the same words every time.
    """
    said = f"{work.words.mark} {' '.join(each.code for each in refused)}"
    row = next(filter(None, (work.tx.boards.get(each.board) for each in refused)), None)
    turn = f"{row.board} {row.length}" if row else ""
    is_old = work.tx.ledger.count(_told(work.proved, f"{said} {turn}"), work.now, DAY) > 1
    return is_old or work.tx.ledger.count(_told(work.proved, said), work.now, DAY) > _SAME_A_DAY


def _told(userid: str, said: str) -> str:
    return f"told {userid} {identity.text_mark(said)}"


def _board(work: Work, user: User, refused: list[RefusedCommand]) -> Board | None:
    """Return the board to show in an answer to ``user``, as it stands after the whole mail, or None."""
    for each in refused:
        row = work.tx.boards.get(each.board) if each.board else None
        if row and (each.is_shown or user.userid in row.seats):
            return row
    return None


def reader(work: Work) -> User | None:
    """Return the account that the mail speaks for, or, if it proves none, claims to come from; or None."""
    return work.tx.accounts.user(work.proved) if work.proved else unproved_reader(work)


def unproved_reader(work: Work) -> User | None:
    """Return the account that the mail claims to come from, or None."""
    return next(iter(work.accounts()), None)
