"""What a mail gets that proves nothing: a From line is no proof, and the letters go to whom it names."""

from __future__ import annotations

from collections.abc import Callable

from .. import identity
from ..errors import Refusal
from ..match.terms import DAY, HOUR
from ..store import User
from . import alerts, answers
from .answers import Refused
from .context import Outcome
from .work import Work

MAILS_AN_HOUR = 300  # from one address, by one way
LETTERS_A_MAIL, LETTERS_AN_HOUR, LETTERS_A_DAY = 3, 20, 60


def ask(work: Work, reader: User, key: object, letter: Callable[[], object]) -> None:
    """Mail what was asked for; once, however often ``key`` is asked for in a mail.

    A reader who is proved gets it at once. Else it waits until the whole mail has been read.
    """
    if key in work.asked:
        return
    work.asked[key] = (reader, letter)
    if reader.userid == work.author.proved:
        work.asked[key] = None
        letter()


def require_leave(work: Work) -> None:
    """Raises Refusal if a mail that proves nothing is not to be carried out at all."""
    if work.author.is_failed:
        raise Refusal("Who the mail says it is from is not who sent it.", "not-authentic")
    if _is_flood(work):
        work.reached("mails")
        raise Refusal("Too many mails came from this address within an hour.", "too-many-mails")


def _is_flood(work: Work) -> bool:
    return work.limited and work.tx.counted(_mails(work), work.now, HOUR) >= MAILS_AN_HOUR


def _mails(work: Work) -> str:
    return f"mails {work.author.address} {work.author.place}"


def count_mail(work: Work) -> None:
    """Count a mail that has proved nothing."""
    if not work.limited or not work.author.address or work.author.proved:
        return
    if work.tx.count(_mails(work), work.now, HOUR) == MAILS_AN_HOUR + 1:
        alerts.tell(work.tx, work.context.config, work.now, "spam")


def finish(work: Work, refused: list[Refused]) -> None:
    """Mail what was asked for and what was refused, so many letters as one account gets unproved.

    The last one says what is left out. What was refused counts for the day only: a player who makes
    many mistakes in an hour is told of each.
    """
    asked = [each for each in work.asked.values() if each is not None]
    if not (asked or refused):
        return
    reader = asked[0][0] if asked else answers.unproved_reader(work)
    if reader is None or not work.limited or _is_proved(work, reader):
        for _, letter in asked:
            letter()
        answers.answer(work, refused)
        return
    if _is_flood(work):
        return
    asks, wanted = bool(asked), len(asked) + bool(refused)
    day = LETTERS_A_DAY - work.tx.counted(_letters(work, reader, "day"), work.now, DAY)
    hour = LETTERS_AN_HOUR - work.tx.counted(_letters(work, reader, "hour"), work.now, HOUR)
    left = min(hour, day) if asks else day
    if wanted > LETTERS_A_MAIL or wanted >= left:
        work.reached("letters")
        room = min(LETTERS_A_MAIL, day, max(left, bool(refused)))
        if room <= 0:
            return
        refused = [*refused, _notice(len(asked) - max(room - 1, 0))]
        asked = asked[: room - 1]
    windows = {"day": DAY, "hour": HOUR} if asks else {"day": DAY}
    before = len(work.letters)
    for _, letter in asked:
        letter()
    answers.answer(work, refused)
    for _ in work.letters[before:]:
        for name, window in windows.items():
            work.tx.count(_letters(work, reader, name), work.now, window)


def board_gone(work: Work, token: identity.ReplyToken, cuts: int) -> Outcome:
    """What becomes of a reply whose address speaks for nobody: who had it from us is told why.

    The board may have been declined or removed; then nothing is known of it but what the token says.
    ``cuts``: so many times its record may have been cut back.
    """
    turns = (
        identity.Turn(user.userid, token.board, resets, token.turn)
        for user in work.accounts()
        for resets in range(cuts)
    )
    if work.tx.board(token.board) or not any(
        identity.is_signed(work.keys, token, turn) for turn in turns
    ):
        work.codes.append("unknown-token")
        return Outcome("ignored", "unknown token")
    reason = f"Board {token.board} is no more: it was declined, or the operator removed it."
    finish(work, [Refused("", reason, "board-gone")])
    return Outcome("refused", "board gone")


def _is_proved(work: Work, reader: User) -> bool:
    """Whether the mail has proved to come from the owner of the reader's address."""
    proved = work.tx.user(work.author.proved) if work.author.proved else None
    return proved is not None and proved.address == reader.address


def _letters(work: Work, reader: User, window: str) -> str:
    """The name of a counter. Forged mails use up nothing of what comes from the owner's own places."""
    return f"letters {window} {'own ' if work.may_be(reader.userid) else ''}{reader.userid}"


def _notice(rest: int) -> Refused:
    rest_of = {0: "This is the last such letter for now.", 1: "1 letter more was asked for."}
    reason = rest_of.get(rest, f"{rest} letters more were asked for.") + " "
    reason += (
        f"Without a password, an account gets at most {LETTERS_A_MAIL} letters for one mail, "
        f"{LETTERS_AN_HOUR} an hour and, errors included, {LETTERS_A_DAY} a day. Commands with a "
        "password, and replies to board mails, are carried out and answered as ever."
    )
    return Refused("", reason, "too-many-letters")
