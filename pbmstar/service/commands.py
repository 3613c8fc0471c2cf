"""From a mail's text to what it does: by token or by command lines, one savepoint for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .. import identity
from ..command import (
    COMMANDS_A_MAIL,
    MASK,
    SERVER_VERBS,
    Command,
    Split,
    read_reply,
    split,
)
from ..errors import Refusal, UsageError
from ..inbound import Inbound
from . import accounts, answers, asks, play, proof, wishes
from .context import Outcome
from .desk import Desk

DAY = 86400.0
_COMMENT_CHARACTERS = 2000
_COMMENT_LINES = 100
_UNREADABLE_COMMANDS = 5  # after so many that do not parse the rest of a mail is not looked at

_HANDLERS: dict[tuple[bool, str], Callable[[Desk, Command], None]] = {
    (True, "challenge"): play.challenge,
    (True, "move"): play.move,
    (True, "pass"): play.as_move("pass"),
    (True, "swap"): play.as_move("swap"),
    (True, "resign"): play.as_move("resign"),
    (True, "propose"): play.propose,
    (True, "accept"): play.accept,
    (True, "decline"): play.decline,
    (True, "show"): asks.show,
    (True, "score"): asks.score,
    (True, "games"): asks.list_games,
    (True, "help"): asks.help_page,
    (False, "signup"): accounts.signup,
    (False, "confirm"): accounts.confirm,
    (False, "never"): accounts.never,
    (False, "forgot"): accounts.forgot,
    (False, "change password"): accounts.change_password,
    (False, "change address"): accounts.change_address,
    (False, "signoff"): accounts.signoff,
    (False, "limit"): wishes.limit,
    (False, "reject"): wishes.reject,
    (False, "accept"): wishes.welcome,
    (False, "block"): wishes.block,
    (False, "unblock"): wishes.unblock,
    (False, "reminders"): wishes.reminders,
    (False, "help"): asks.help_page,
}


def carry_out(desk: Desk, mail: Inbound, detail: str) -> Outcome:
    """Do what a mail to that detail of our address asks, and answer what was refused."""
    token = identity.read_token(detail)
    if token:
        return _reply(desk, mail, token)
    if once := identity.read_once(detail):
        name = accounts.meant(mail.lines)
        verb = next(verb for verb in SERVER_VERBS if verb.name == name)
        command = Command(verb, None, {"token": once}, name)
        return _all(desk, [lambda: command])
    said = split(mail.subject, mail.is_reply, mail.lines)
    if not said.commands:
        reason = mail.trouble or (
            "No command was found in your mail. A command is the Subject of a mail, or a line "
            "of its text that is not quoted."
        )
        answers.answer(desk, [answers.Refused("", reason)])
        return Outcome("refused", "no command")
    return _said(desk, said)


def _reply(desk: Desk, mail: Inbound, token: identity.ReplyToken) -> Outcome:
    """A mail to the Reply-To of a board mail: its first line is a bare move of that player."""
    desk.keys = desk.context.keyring.keys(desk.tx, desk.now, token.key_id)
    row = desk.tx.board(token.board)
    userid = None
    if row is not None:
        for who in (row.first, row.second):
            seat = identity.Seat(who, row.board, row.resets, token.turn)
            if identity.is_signed(desk.keys, token, seat):
                userid = who
    if row is None or userid is None:
        return Outcome("ignored", "unknown token")
    user = desk.tx.user(userid)
    if user is None or not user.address:
        return Outcome("ignored", "unknown token")
    if user.address != desk.author:
        if desk.tx.count(f"foreign {userid}", desk.now, DAY) == 1:
            proof.tell(
                desk,
                user,
                f"A reply to a mail to you about board {row.board} came from an address that "
                "is not yours. Nothing was done. If it was you, write from your own address.",
            )
        return Outcome("refused", "token from another address")
    proof.admit(desk, user)
    desk.seat = userid
    desk.answer_to(userid)
    match = play.load(desk, row.board)
    said = read_reply(mail.subject, mail.is_reply, mail.lines, type(match.game))
    if not said.bare:  # written anew, in the old syntax
        desk.seat = None
        return _said(desk, said)
    (meant,) = said.commands
    if isinstance(meant, UsageError):
        reason = (mail.trouble if meant.code == "empty-reply" else None) or str(meant)
        answers.answer(desk, [answers.Refused(meant.understood, reason, match)])
        return Outcome("refused", meant.code)
    desk.comment = _clean(said.comment)

    def read() -> Command:
        meant.args.update(board=token.board, boards=[(token.board, None)])
        if not meant.verb.any_turn and token.turn != row.length:
            raise play.BoardRefusal(
                "Your reply answers a mail about an earlier turn; the board has changed since.",
                match,
            )
        return meant

    return _all(desk, [read])


def _said(desk: Desk, said: Split) -> Outcome:
    """Carry out what a mail says in the old syntax."""

    def reader(item: Command | UsageError) -> Callable[[], Command]:
        def read() -> Command:
            if isinstance(item, UsageError):
                raise item
            return item

        return read

    desk.comment = _clean(said.comment)
    return _all(desk, [reader(item) for item in said.commands], said.too_many)


def _all(desk: Desk, readers: Sequence[Callable[[], Command]], too_many: int = 0) -> Outcome:
    """Carry out commands in order, each whole or not at all; one letter tells what was refused."""
    refused: list[answers.Refused] = []
    applied = unreadable = 0
    for place, read in enumerate(readers, 1):
        command: Command | None = None
        written = len(desk.letters)
        try:
            command = read()
            desk.commands.append(_named(command))
            with desk.tx.savepoint():
                _one(desk, command)
            applied += 1
        except UsageError as error:
            refused.append(answers.refusal(error.understood, error))
            unreadable += 1
            if unreadable == _UNREADABLE_COMMANDS and place < len(readers):
                refused.append(
                    answers.Refused(
                        "",
                        f"{unreadable} lines could not be read: the {len(readers) - place} "
                        "after them were not looked at.",
                    )
                )
                break
        except Refusal as error:
            refused.append(answers.refusal(command.understood if command else "", error))
            del desk.letters[written:]
            for keep in desk.after_refusal:
                keep()
            desk.after_refusal.clear()
    if too_many > 0:
        refused.append(
            answers.Refused(
                "",
                f"One mail may hold {COMMANDS_A_MAIL} commands; {too_many} more were not looked at.",
            )
        )
    if refused:
        answers.answer(desk, refused)
    return Outcome("applied" if applied else "refused", f"{applied} of {len(readers)}")


def _one(desk: Desk, command: Command) -> None:
    password = command.args.get("password")
    if password and password.value in desk.comment:
        desk.comment = desk.comment.replace(password.value, MASK)
    _HANDLERS[command.game is not None, command.verb.name](desk, command)


def _named(command: Command) -> str:
    """Game, verb and board of a command."""
    words = [command.game.word] if command.game else []
    words.append(command.verb.name)
    if "board" in command.args:
        words.append(str(command["board"]))
    return " ".join(words)


def _clean(comment: str) -> str:
    lines = comment[:_COMMENT_CHARACTERS].split("\n")[:_COMMENT_LINES]
    return "\n".join(lines).strip()
