"""Limits for messages that prove nothing: a From line proves nothing, but answers go to the address in it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ... import identity
from ...errors import Refusal, say, say_many, together
from ...machine.times import DAY, HOUR
from ...store import User
from ..letters import alerts
from ..letters.post import send
from ..work.context import Outcome
from ..work.letter import Sendable
from ..work.work import Work
from . import answers, authentication
from .answers import RefusedCommand

MAILS_AN_HOUR = 300  # from one address and one origin
ASKED_A_MAIL = 20  # letters that a proved mail may ask for
LETTERS_A_MAIL, LETTERS_AN_HOUR, LETTERS_A_DAY = 3, 20, 60


def ask(work: Work, reader: User, key: object, letter: Sendable) -> None:
    """Mail a letter that was asked for, see ``ask_for``."""
    ask_for(work, reader, key, partial(send, work, letter))


def ask_for(work: Work, reader: User, key: object, mail: Callable[[], object]) -> None:
    """Let ``mail`` mail a letter that was asked for, once for each ``key`` of a message.

    A proved reader gets it at once, at most ASKED_A_MAIL letters for one message. Otherwise the letter waits
    until the whole mail has been read. Raises Refusal.
    """
    if key in work.queue.asked:
        return
    proved = reader.userid == work.proved
    if proved and work.limited and len(work.queue.asked) >= ASKED_A_MAIL:
        raise Refusal(
            say(
                "You can ask for at most {most} letters in one message. Send another message for "
                "the rest.",
                most=ASKED_A_MAIL,
            ),
            "too-many-letters",
        )
    work.queue.asked[key] = None if proved else (reader, mail)
    if proved:
        mail()


def require_leave(work: Work) -> None:
    """Raise Refusal if a message that proves nothing must not be carried out at all."""
    if work.sender.is_failed:
        raise Refusal(
            say(
                "The From address of your message doesn't match the server that sent it, so we "
                "can't trust it."
            ),
            "not-authentic",
        )
    if _is_flood(work):
        work.report.reached("mails")
        raise Refusal(
            say("Too many messages came from this address in the past hour."), "too-many-mails"
        )


def _is_flood(work: Work) -> bool:
    return work.limited and work.tx.ledger.counted(_mails(work), work.now, HOUR) >= MAILS_AN_HOUR


def _mails(work: Work) -> str:
    """Return the name of the counter of a message; all addresses of an account share one for each origin."""
    own = next(iter(work.accounts()), None)
    return f"mails {own.address if own else work.sender.address} {work.sender.source.origin}"


def count_mail(work: Work) -> None:
    """Count a message that has proved nothing."""
    if not work.limited or not work.sender.address or work.proved:
        return
    if work.tx.ledger.count(_mails(work), work.now, HOUR) == MAILS_AN_HOUR + 1:
        alerts.tell(work.tx, work.context.config, work.now, "spam")


def finish(work: Work, refused: list[RefusedCommand]) -> None:
    """Mail the letters that were asked for and the refusals, within the limits of unproved messages.

    The last letter tells how many are left out. Refusals count for the day only: a player who makes many
    mistakes within an hour is told about each.
    """
    asked = [each for each in work.queue.asked.values() if each is not None]
    if not (asked or refused):
        return
    reader = asked[0][0] if asked else answers.unproved_reader(work)
    if reader is None or not work.limited or _is_proved(work, reader):
        for _, mail in asked:
            mail()
        answers.answer(work, refused)
        return
    if _is_flood(work):
        return
    asks, wanted = bool(asked), len(asked) + bool(refused)
    day = LETTERS_A_DAY - work.tx.ledger.counted(_letters(work, reader, "day"), work.now, DAY)
    hour = LETTERS_AN_HOUR - work.tx.ledger.counted(_letters(work, reader, "hour"), work.now, HOUR)
    left = min(hour, day) if asks else day
    if wanted > LETTERS_A_MAIL or wanted >= left:
        work.report.reached("letters")
        room = min(LETTERS_A_MAIL, day, max(left, bool(refused)))
        if room <= 0:
            return
        refused = [*refused, _notice(len(asked) - max(room - 1, 0))]
        asked = asked[: room - 1]
    windows = {"day": DAY, "hour": HOUR} if asks else {"day": DAY}
    before = len(work.report.letters)
    for _, mail in asked:
        mail()
    answers.answer(work, refused)
    for _ in work.report.letters[before:]:
        for name, window in windows.items():
            work.tx.ledger.count(_letters(work, reader, name), work.now, window)


def board_gone(work: Work, token: identity.ReplyAddress, cuts: int) -> Outcome:
    """Refuse a reply whose board is gone; explain that to a sender who got its address from us.

    The board was declined or removed; then only the token still tells anything about it.
    ``cuts``: the record may have been cut back fewer times than this.
    """
    turns = (
        identity.ReplyScope(user.userid, token.board, resets, token.turn)
        for user in work.accounts()
        for resets in range(cuts)
    )
    if work.tx.boards.get(token.board) or not any(
        identity.is_signed(work.keys, token, "reply", *turn) for turn in turns
    ):
        return authentication.unknown(work)
    reason = say(
        "Board {number} no longer exists: the game was declined, or the operator removed it.",
        number=token.board,
    )
    finish(work, [RefusedCommand("", reason, "board-gone")])
    return Outcome("refused", "board gone")


def former_name(work: Work, userid: str) -> Outcome:
    """Refuse a reply to a letter that went to a former name of the sender's account, and say so.

    Ignore it if no account at the sender's address had that name.
    """
    if not any(userid in authentication.former(work, user.userid) for user in work.accounts()):
        return authentication.unknown(work)
    then = say(
        "Your account was called {userid} when we sent that letter. Please reply to a newer one.",
        userid=userid,
    )
    finish(work, [RefusedCommand("", then, "former-name")])
    return Outcome("refused", "former name")


def _is_proved(work: Work, reader: User) -> bool:
    """Return True if the mail is proved to come from the owner of the reader's address."""
    proved = work.tx.accounts.user(work.proved) if work.proved else None
    return proved is not None and proved.address == reader.address


def _letters(work: Work, reader: User, window: str) -> str:
    """Return the name of the counter of letters to a reader.

    Messages from the owner's own places have a counter of their own, which forged ones do not use up.
    """
    return f"letters {window} {f'{work.standing(reader.userid)} '.lstrip()}{reader.userid}"


def _notice(rest: int) -> RefusedCommand:
    asked = say_many(
        "We left out {count} letter you asked for.",
        "We left out {count} of the letters you asked for.",
        rest,
    )
    limits = say(
        "Without a password, you can get at most {mail} letters per message, {hour} an hour and "
        "{day} a day, including letters about errors. Commands with a password and replies to "
        "board letters still work as usual.",
        mail=LETTERS_A_MAIL,
        hour=LETTERS_AN_HOUR,
        day=LETTERS_A_DAY,
    )
    last = say("We won't send you another letter like this for now.")
    return RefusedCommand("", together(asked if rest else last, limits), "too-many-letters")
