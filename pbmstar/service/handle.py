"""From a mail to what it does: who may be answered, which commands it holds, one savepoint each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256

from .. import identity
from .. import inbound as reader
from ..command import (
    COMMANDS_A_MAIL,
    MASK,
    REPLY_VERBS,
    Command,
    is_command,
    is_secretive,
    parse,
    parse_reply,
    split,
)
from ..errors import Refusal, UsageError
from ..inbound import Inbound
from ..store import Tx
from . import accounts, answers, asks, play, proof, returned, wishes
from .desk import Context, Desk, Envelope, Outcome

DAY = 86400.0
_COMMENT_CHARACTERS = 2000
_COMMENT_LINES = 100
_MAILS_AN_HOUR = 300  # from one address
_UNREADABLE_COMMANDS = 5  # after so many that do not parse the rest of a mail is not looked at

_OPERATOR = "\0operator"  # in place of a detail

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


class Service:
    """All that can be done by mail. Pure but for what ``Context`` and the transaction bring."""

    def __init__(self, context: Context) -> None:
        self.context = context
        config = context.config
        self._local, self._domain = config.local, config.domain

    def knows(self, address: str) -> bool:
        """Whether mail to this address is ours; the detail after a + is not looked at."""
        local, _, domain = address.lower().rpartition("@")
        return domain == self._domain and (
            local.partition("+")[0] == self._local or local in ("postmaster", "abuse")
        )

    def read(self, raw: bytes) -> Inbound:
        """What a mail says. Raises Unreadable."""
        return reader.read(raw, self._domain)

    def execute(self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes) -> Outcome:
        """Do what a mail asks, once, and put the answers into the outbox; all in ``tx``."""
        details = [self._detail(recipient) for recipient in envelope.recipients]
        ours = [detail for detail in details if detail is not None]
        kept = self._for_operator(tx, mail, raw) if None in details else None
        if kept and not ours:
            return kept
        done = self._execute(tx, envelope, mail, raw, ours)
        return done._replace(keep=kept.keep) if kept else done

    def _for_operator(self, tx: Tx, mail: Inbound, raw: bytes) -> Outcome:
        """What becomes of a mail to postmaster or abuse, whatever it does at another address of ours."""
        if not self.context.config.operator:
            return Outcome("kept", "mail to the operator", keep=True)
        now = self.context.clock()
        if not tx.handle(_digest(mail, _OPERATOR), now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        return returned.for_operator(Desk(self.context, tx, now), raw)

    def _execute(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, details: list[str]
    ) -> Outcome:
        now = self.context.clock()
        # A detail that means nothing is none: the same mail without it is the same mail.
        detail = next((told for told in details if told and identity.is_detail(told)), "")
        spoken = identity.read_account(detail) is not None
        if not spoken and (not envelope.sender or mail.automatic):
            return Outcome("ignored", mail.automatic or "null sender")
        digest = _digest(mail, detail)
        if not tx.handle(digest, now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        desk = Desk(
            self.context,
            tx,
            now,
            mail.author,
            mail.message_id,
            quiet=mail.quiet is not None,
            peer=envelope.peer,
        )
        if spoken:
            outcome = returned.take(desk, detail, raw)
        elif self._is_flood(desk):
            outcome = Outcome("ignored", "too many mails")
        else:
            outcome = self._carry_out(desk, mail, detail)
        if outcome.name != "applied":
            tx.set_outcome(digest, f"{outcome.name} {outcome.why}".strip())
        return outcome._replace(commands=tuple(desk.commands), letters=tuple(desk.letters))

    def _is_flood(self, desk: Desk) -> bool:
        """Whether more mails come from one address than anybody writes."""
        if not self.context.config.limits or not desk.author:
            return False
        return desk.tx.count(f"mails {desk.author}", desk.now, 3600) > _MAILS_AN_HOUR

    def _detail(self, recipient: str) -> str | None:
        """What stands after the + of a recipient, empty if nothing; None for another address of ours."""
        local = recipient.lower().rpartition("@")[0]
        name, _, detail = local.partition("+")
        return detail if name == self._local else None

    def _carry_out(self, desk: Desk, mail: Inbound, detail: str) -> Outcome:
        token = identity.read_token(detail)
        if token:
            return self._reply(desk, mail, token)
        if once := identity.read_once(detail):
            verb = accounts.meant(mail.lines)
            command = Command(verb, None, {"token": once}, verb)
            return self._all(desk, [lambda: command])
        lines, comment = split(mail.subject, mail.is_reply, mail.lines)
        if not lines:
            reason = mail.trouble or (
                "No command was found in your mail. A command is the Subject of a mail, or a line "
                "of its text that is not quoted."
            )
            answers.answer(desk, [answers.Refused("", reason)])
            return Outcome("refused", "no command")
        desk.comment = _clean(comment)
        return self._lines(desk, lines)

    def _reply(self, desk: Desk, mail: Inbound, token: identity.ReplyToken) -> Outcome:
        """A mail to the Reply-To of a board mail: its first line is a bare move of that player."""
        desk.keys = self.context.keyring.keys(desk.tx, desk.now, token.key_id)
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
        lines = list(mail.lines)
        found, comment = split(mail.subject, mail.is_reply, lines)
        if found == [mail.subject] and _is_whole(mail.subject):  # written anew, in the old syntax
            desk.seat = None
            desk.comment = _clean(comment)
            return self._lines(desk, found)
        bare = lines[0].strip(" *_.,!").lower() if lines else ""
        if lines and bare not in REPLY_VERBS and is_command(lines[0]):
            desk.seat = None
            found, comment = split("", False, lines)
            desk.comment = _clean(comment)
            return self._lines(desk, found)
        match = play.load(desk, row.board)
        if not lines:
            reason = mail.trouble or "Your reply has no line of its own above what it quotes."
            answers.answer(desk, [answers.Refused("", reason, match)])
            return Outcome("refused", "empty reply")
        desk.comment = _clean("\n".join(line for line in lines[1:] if not is_secretive(line)))

        def read() -> Command:
            try:
                command = parse_reply(lines[0], type(match.game))
            except Refusal as error:
                raise play.BoardRefusal(
                    f"{error} The first line of a reply is a move, or one of: "
                    f"{', '.join(REPLY_VERBS)}.",
                    match,
                ) from None
            command.args["board#"] = token.board
            command.args["boards"] = [(token.board, None)]
            if command.verb not in ("show", "score", "help") and token.turn != row.length:
                raise play.BoardRefusal(
                    "Your reply answers a mail about an earlier turn; the board has changed since.",
                    match,
                )
            return command

        return self._all(desk, [read])

    def _lines(self, desk: Desk, lines: list[str]) -> Outcome:
        readers = [partial(parse, line) for line in lines[:COMMANDS_A_MAIL]]
        return self._all(desk, readers, len(lines) - COMMANDS_A_MAIL)

    def _all(
        self, desk: Desk, readers: Sequence[Callable[[], Command]], too_many: int = 0
    ) -> Outcome:
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
                    self._one(desk, command)
                applied += 1
            except UsageError as error:
                refused.append(answers.refusal(error.command, error))
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
                refused.append(answers.refusal(command, error))
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

    def _one(self, desk: Desk, command: Command) -> None:
        password = command.args.get("password")
        if password and password.value in desk.comment:
            desk.comment = desk.comment.replace(password.value, MASK)
        _HANDLERS[command.game is not None, command.verb](desk, command)


def _named(command: Command) -> str:
    """Game, verb and board of a command."""
    words = [command.game.word] if command.game else []
    words.append(command.verb)
    if "board#" in command.args:
        words.append(str(command["board#"]))
    return " ".join(words)


def _is_whole(line: str) -> bool:
    try:
        parse(line)
    except UsageError:
        return False
    return True


def _digest(mail: Inbound, detail: str) -> bytes:
    """What tells a mail with its effect at that detail from all others."""
    return sha256(mail.digest + detail.encode("utf-8", "replace")).digest()


def _clean(comment: str) -> str:
    lines = comment[:_COMMENT_CHARACTERS].split("\n")[:_COMMENT_LINES]
    return "\n".join(lines).strip()
