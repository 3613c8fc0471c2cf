"""From a mail's text to what it does: by reply token or by command lines, a savepoint for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, TypeVar

from .. import identity
from ..command import (
    COMMANDS_A_MAIL,
    GAME_VERBS,
    MASK,
    SERVER_VERBS,
    Command,
    Verb,
    Who,
    read_digest_reply,
    read_reply,
    split,
)
from ..errors import BadInput, Refusal, UsageError
from ..inbound import Inbound
from ..match import Match
from ..store import User
from . import answers, digests, door, proof, rations
from .answers import Refused
from .apply import load
from .context import Outcome
from .results import Task
from .verbs import accounts, course
from .work import BoardRefusal, Seat, Work

_UNREADABLE_COMMANDS = 5  # after so many that do not parse the rest of a mail is not looked at

_FEW_LINES = 40  # are read at once

_Read = Command | UsageError
T = TypeVar("T")


def carry_out(work: Work, mail: Inbound, detail: str) -> Outcome:
    """Do what a mail to that detail of our address asks, and answer what was refused."""
    token = identity.read_token(detail)
    if token:
        return _reply(work, mail, token)
    if digest := identity.read_digest(detail):
        return _digest_reply(work, mail, *digest)
    if lesson := identity.read_lesson(detail):
        if refused := course.enter(work, lesson):
            return refused
        answer = _read(work, mail, lambda: course.read_answer(mail, lesson.lesson))
        work.author.say(answer.comment, answer.withheld)
        return _all(work, mail, answer.commands, too_many=answer.too_many)
    if (guest := identity.read_guest(detail)) and (left := door.enter(work, *guest, mail)):
        return left
    if once := identity.read_once(detail):
        said = mail.lines or (() if mail.is_reply else (mail.subject,))
        name = accounts.meant(said)
        verb = next(verb for verb in SERVER_VERBS if verb.name == name)
        first = next(iter(" ".join(said[:1]).lower().split()), "").strip(".,!")
        return _all(work, mail, [Command(verb, None, {"token": once, "first": first}, name)])
    content = _read(work, mail, lambda: split(mail.subject, mail.is_reply, mail.lines))
    if not content.commands:
        _finish(work, mail, (), [answers.no_command(work, mail)])
        return Outcome("refused", "no command")
    work.author.say(content.comment, content.withheld)
    return _all(work, mail, content.commands, too_many=content.too_many)


def _reply(work: Work, mail: Inbound, token: identity.ReplyToken) -> Outcome:
    """A mail to the Reply-To of a board letter: what it says, that player says."""
    row, userid, is_cut = proof.speaker(work, token)
    user = work.tx.user(userid) if userid else None
    if row is None or user is None or not user.address:
        return rations.board_gone(work, token, proof.CUTS)
    if refused := proof.admit_reply(work, user, f"about board {row.board} "):
        return refused
    match = load(work, row.board)
    game, over = type(match.game), match.position.over
    content = _read(
        work, mail, lambda: read_reply(mail.subject, mail.is_reply, mail.lines, game, over=over)
    )
    work.author.say(content.comment, content.withheld)
    if not content.bare:
        return _all(work, mail, content.commands, too_many=content.too_many)
    if mail.trouble and not mail.lines:
        answers.answer(work, [Refused("", mail.trouble, "unreadable", match.number)])
        return Outcome("refused", "empty reply")
    seat = Seat(match, userid, -1 if is_cut else token.turn, token.draft)
    return _all(work, mail, content.commands, seat)


def _digest_reply(work: Work, mail: Inbound, number: int, key_id: int, mac: str) -> Outcome:
    """A mail to the Reply-To of a digest: what its lines say, its player says on those boards."""
    work.keys = work.context.keyring.keys(work.tx, work.now, key_id)
    userid, turns = work.tx.digest(number) or ("", "")
    user = work.tx.user(userid) if userid else None
    if (
        not user
        or not user.address
        or not identity.is_digest(work.keys, userid, number, key_id, mac)
    ):
        work.codes.append("unknown-token")
        return Outcome("ignored", "unknown token")
    if refused := proof.admit_reply(work, user):
        return refused
    boards = digests.listed(work, turns)
    kinds = digests.kinds(work, boards)
    lines = _read(
        work, mail, lambda: read_digest_reply(mail.subject, mail.is_reply, mail.lines, kinds)
    )
    first = lines[:COMMANDS_A_MAIL]

    def place(at: int) -> Seat | None:
        """The player, on the board as it is now, at the turn that the digest showed."""
        line = first[at]
        work.author.say(line.comment, line.withheld)
        if not line.board:
            return None
        match, shown = load(work, line.board), boards[line.board]
        return Seat(match, userid, shown.length if shown.resets == match.resets else -1)

    commands = [line.command for line in first]
    return _all(work, mail, commands, place=place, too_many=len(lines) - len(first))


def _read(work: Work, mail: Inbound, read: Callable[[], T]) -> T:
    """What a mail says. Raises Missing for a long one, of which reading may take 0.15 seconds."""
    if len(mail.lines) <= _FEW_LINES:
        return read()
    result: T = work.results.of(Task("reading", read, "reading"))
    return result


def _finish(work: Work, mail: Inbound, commands: Sequence[_Read], refused: list[Refused]) -> None:
    """Mail what the whole mail has come to, beside what its commands have mailed."""
    rations.finish(work, refused)
    door.answer(work, mail, commands, refused)


def _all(
    work: Work,
    mail: Inbound,
    commands: Sequence[_Read],
    seat: Seat | None = None,
    *,
    place: Callable[[int], Seat | None] | None = None,
    too_many: int = 0,
) -> Outcome:
    """Carry out commands in order, each whole or not at all; one letter tells what was refused.

    seat   the player and board that a reply token speaks for
    place  finds that out for the command at that place, and takes its comment
    """
    refused: list[Refused] = []
    applied = unreadable = 0
    for number, command in enumerate(commands, 1):
        if place is not None:
            seat = place(number - 1)
        if isinstance(command, UsageError):
            board = seat.match.number if seat else command.board
            refused.append(Refused(command.understood, str(command), command.code, board))
            unreadable += 1
            if unreadable == _UNREADABLE_COMMANDS and number < len(commands):
                reason = (
                    f"{unreadable} lines could not be read: the {len(commands) - number} after them "
                    "were not looked at."
                )
                refused.append(Refused("", reason, "unreadable"))
                break
            continue
        letters, asked = len(work.letters), len(work.asked)
        work.commands.append(_named(command, seat))
        try:
            with work.tx.savepoint():
                _one(work, command, seat)
            applied += 1
        except Refusal as error:
            refused.append(answers.refusal(command, error))
            del work.letters[letters:]
            for key in list(work.asked)[asked:]:
                del work.asked[key]
            for keep in work.after_refusal:
                keep()
        work.after_refusal.clear()
    if too_many > 0:
        reason = (
            f"One mail may hold {COMMANDS_A_MAIL} commands; {too_many} more were not looked at."
        )
        refused.append(Refused("", reason, "too-many-commands"))
    _finish(work, mail, commands, refused)
    if not applied and work.limits == ["mails"]:
        return Outcome("ignored", "too many mails")
    return Outcome("applied" if applied else "refused", f"{applied} of {len(commands)}")


def _one(work: Work, command: Command, seat: Seat | None) -> None:
    """Carry out one command, its writer proved as its verb asks. Raises Refusal."""
    verb, handler = command.verb, _handlers()[command.verb]
    password = command.args.get("password")
    if password and password.value in work.author.comment:
        work.author.comment = work.author.comment.replace(password.value, MASK)
    if seat is not None:
        if seat.seen != len(seat.match.record) and not verb.any_turn:
            raise BoardRefusal(
                "Your reply answers a mail about an earlier turn; the board has changed since.",
                "late",
                seat.match,
            )
        command.args.setdefault("board", seat.match.number)
        command.args.setdefault("boards", [(seat.match.number, None)])
    if verb.who is Who.PLAYER:
        handler(work, command, seat or _seat(work, command))
    elif verb.who is Who.ACCOUNT:
        handler(work, command, _own(work, seat) if seat else _account(work, command))
    elif verb.who is Who.ADDRESS:
        handler(work, command, _account(work, command) if password else _reader(work))
    else:
        handler(work, command)


@cache
def _handlers() -> dict[Verb, Callable[..., None]]:
    """The function of each verb. Raises AttributeError if one is missing, when the service starts."""
    return {verb: _function(verb.handler) for verb in (*GAME_VERBS, *SERVER_VERBS)}


def _function(name: str) -> Any:
    module, _, function = name.partition(".")
    return getattr(import_module(f"{__package__}.verbs.{module}"), function)


def _own(work: Work, seat: Seat) -> User:
    """The account that a reply address speaks for."""
    user = work.tx.user(seat.userid)
    assert user is not None
    return user


def _account(work: Work, command: Command) -> User:
    """The account that userid and password of a command name. Raises NotYou."""
    user = proof.authenticate(work, command["userid"], command["password"])
    work.author.proved = user.userid
    return user


def _seat(work: Work, command: Command) -> Seat:
    """The player that a command with a password speaks for. Raises NotYou, BadInput."""
    userid = _account(work, command).userid
    match: Match = load(work, command["board"], command.game)
    kind = command.game
    # A mail program may have eaten or added an asterisk, nothing else.
    if kind is not None and kind.word.strip("*") != match.game.word.strip("*"):
        raise BadInput(f"Board {match.number} is a board of {match.game.title}.", "other-game")
    if match.player(userid) is None:
        raise BadInput(f"You do not play on board {match.number}.", "not-a-player")
    return Seat(match, userid)


def _reader(work: Work) -> User:
    """The account that gets the answer to a query; no password is needed. Raises Refusal."""
    if work.author.quiet:
        raise Refusal("Mail of this kind is not answered.", "quiet")
    proved = work.author.proved
    if not proved:
        rations.require_leave(work)
    user = work.tx.user(proved) if proved else next(iter(work.accounts()), None)
    if user is None or user.state == "closed":
        raise Refusal("For that you need an account.", "no-account")
    if user.state == "suspended":
        work.after_refusal.append(lambda: proof.ask_again(work, user))
        raise Refusal("The address is to be confirmed first.", "suspended")
    return user


def _named(command: Command, seat: Seat | None) -> str:
    """Game, verb and board of a command, for the log."""
    words = [command.game.word] if command.game else []
    words.append(command.verb.name)
    if number := command.args.get("board", seat.match.number if seat else None):
        words.append(str(number))
    words += [str(number) for number, _ in command.args.get("boards", ()) if seat is None]
    return " ".join(words)
