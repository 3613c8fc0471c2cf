"""Proof of who writes: passwords, one-time tokens by mail, and how often one may try."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from .. import identity
from ..command import Secret
from ..errors import Refusal
from ..match.terms import DAY, HOUR
from ..store import Board, Place, Token, User
from . import alerts
from .context import Outcome
from .post import detailed, post, tell_account
from .results import WRONG_A_MAIL, Task
from .work import Work

CUTS = 50  # so many times the record may be cut back, and a reply to a letter of before is known
CONFIRMED = ("signup", "address", "resign")  # kinds of tokens that a reply confirms
TOKEN_DAYS = 7
TOKEN_MAILS = 3  # to one address in 30 days
COMMANDS_AN_HOUR = 300  # of one account
_TOO_MANY = "Too many commands came from you within an hour; try again later."
_FREE_FAILURES = 5  # wrong passwords before the first lock
_FIRST_LOCK = 60.0
_LONGEST_LOCK = DAY
WRONG_AN_HOUR = 20  # passwords from one machine, until none from there is looked at
WRONG_A_DAY = 100  # passwords of one account, until none from places new to it is looked at
# Who writes from a place of the account's own has so many wrong ones before a remembered password is
# refused too: somebody else may forge all that is known of a place.
_WRONG_AT_HOME = 100


class NotYou(Refusal):
    """Wrong userid or password; the text is the same whichever it is."""

    def __init__(self, userid: str) -> None:
        super().__init__(
            "The userid or the password is not right, or too many wrong ones came just before and "
            "the account is locked for a while. Passwords are case-sensitive: some phones change "
            "the first letter.",
            "not-you",
        )
        self.userid = userid


def authenticate(work: Work, userid: str, password: Secret) -> User:
    """The open account that userid and password name. Raises NotYou, whatever is wrong.

    Wrong ones lock the place that they come from for ever longer times. The owner, who writes from
    elsewhere, is not locked out. Raises Missing if the password has to be hashed first.
    """
    user = work.tx.user(userid)
    hashed = user.password if user and user.password else None
    place = work.tx.place(userid, work.author.place)
    is_remembered = work.context.passwords.knows(hashed, password)
    if work.limited and _is_locked(work, userid, place, is_remembered):
        work.reached("wrong")
        work.after_refusal.append(partial(_watch, work))
        if place.known:  # where a remembered password is still looked at, each guess counts
            work.after_refusal.append(lambda: count_wrong(work, userid))
        raise NotYou(userid)
    if is_remembered or _is_right(work, userid, hashed, password):
        assert user is not None
        came_from(work, userid, place)
        admit(work, user)
        return user
    work.after_refusal.append(partial(_watch, work))
    if user is not None:
        work.after_refusal.append(lambda: count_wrong(work, userid))
    raise NotYou(userid)


def _is_right(work: Work, userid: str, hashed: str | None, password: Secret) -> bool:
    check = partial(work.context.passwords.check, hashed, password)
    key = ("right", userid, hashed, password.value)
    task = Task(key, check, "password", userid if hashed else "", idle=hashed is None)
    if work.limited and work.results.is_guessing(task):
        raise Refusal(
            f"{WRONG_A_MAIL} passwords of this mail were wrong, so this one was not looked at.",
            "too-many-wrong",
        )
    return bool(work.results.of(task))


def hashed(work: Work, userid: str, password: Secret) -> str:
    """The hash to keep of a new password. Raises Missing if it is not computed yet."""
    compute = partial(work.context.passwords.hash, password)
    return str(work.results.of(Task(("hash", userid, password.value), compute, "password")))


def _is_locked(work: Work, userid: str, place: Place, is_remembered: bool) -> bool:
    """Whether no password from this place is looked at."""
    if place.known and is_remembered and place.wrong < _WRONG_AT_HOME:
        return False
    # A lock that is longer than any can be is of a clock that was wrong.
    if work.now < place.until <= work.now + _LONGEST_LOCK:
        return True
    if work.author.is_one and _counted(work, f"wrong {work.author.place}", HOUR) >= WRONG_AN_HOUR:
        return True
    return not place.known and _counted(work, f"wrong for {userid}", DAY) >= WRONG_A_DAY


def _counted(work: Work, what: str, window: float) -> int:
    return work.tx.counted(what, work.now, window)


def _watch(work: Work) -> None:
    """Count a password that did not prove anything, whoever's it should be."""
    if work.tx.count("wrong", work.now, HOUR) == alerts.WRONG_AN_HOUR + 1:
        alerts.tell(work.tx, work.context.config, work.now, "passwords")


def count_wrong(work: Work, userid: str) -> None:
    """Count a wrong password for an account, by the place that it came from."""
    place = work.tx.place(userid, work.author.place)
    count = place.wrong + 1 if work.now - max(place.last, place.until) < DAY else 1
    lock = 0.0
    if count >= _FREE_FAILURES:
        lock = min(_FIRST_LOCK * 2.0 ** min(count - _FREE_FAILURES, 20), _LONGEST_LOCK)
    is_locked = work.now < place.until <= work.now + _LONGEST_LOCK
    until = place.until if is_locked else work.now + lock
    facts = Place(place.known, count, work.now, until)
    work.tx.set_place(userid, work.author.place, facts)
    if work.author.is_one:
        work.tx.count(f"wrong {work.author.place}", work.now, HOUR)
    if not place.known:
        work.tx.count(f"wrong for {userid}", work.now, DAY)


def admit_reply(work: Work, user: User, about: str = "") -> Outcome | None:
    """Let the owner of a reply address in; what becomes of the mail if somebody else wrote it."""
    if user.address != work.author.address:
        if work.tx.count(f"foreign {user.userid}", work.now, DAY) == 1:
            tell_account(
                work,
                user,
                f"A reply to a mail to you {about}came from an address that is not yours. Nothing "
                "was done. If it was you, write from your own address.",
            )
        work.codes.append("foreign-token")
        return Outcome("refused", "token from another address")
    seen(work, user)
    if (commands := _commands(work, user)) > COMMANDS_AN_HOUR:
        if commands == COMMANDS_AN_HOUR + 1:
            tell_account(work, user, _TOO_MANY)
        work.reached("commands")
        work.codes.append("too-many-commands")
        return Outcome("refused", "too many commands")
    came_from(work, user.userid)
    work.author.proved = user.userid
    return None


def came_from(work: Work, userid: str, place: Place | None = None) -> None:
    """Note that an account has proved to write from this place; what was wrong from there is forgiven."""
    place = place or work.tx.place(userid, work.author.place)
    if not place.known or place.wrong or work.now - place.last > DAY:
        work.tx.set_place(userid, work.author.place, Place(1, 0, work.now, 0.0))


def admit(work: Work, user: User) -> None:
    """Note that an account has written. Raises Refusal beyond the rate that one may write at."""
    seen(work, user)
    if _commands(work, user) > COMMANDS_AN_HOUR:
        work.reached("commands")
        raise Refusal(_TOO_MANY, "too-many-commands")


def _commands(work: Work, user: User) -> int:
    """How many commands the account has sent within an hour, this one too; 0 where nothing is limited."""
    return work.tx.count(f"commands {user.userid}", work.now, HOUR) if work.limited else 0


def ask_again(work: Work, user: User) -> None:
    """A suspended player is there after all: mail a token that confirms the address, once a day."""
    if work.tx.count(f"again {user.userid}", work.now, DAY) == 1:
        mail_token(work, "address", user.userid, user.address, "address")


def seen(work: Work, user: User) -> None:
    """The player wrote, so earlier bounces were temporary: clear them, or ask a suspended player to
    confirm the address. Whatever a program has answered before, the player is there."""
    if user.absent is not None:
        work.tx.set_absent(user.userid, None)
    if user.state == "suspended":
        ask_again(work, user)
    elif user.bounces:
        work.tx.set_bounces(user.userid, 0.0, user.state)


def too_many_tokens(work: Work, address: str, asker: str = "") -> bool:
    """Whether an address has had as many mails of this kind as a month allows; see tables.tokens."""
    return work.limited and (
        work.tx.count_tokens(address, work.now, 30 * DAY, asker) >= TOKEN_MAILS
    )


def asker(work: Work, user: User) -> str:
    """Who asks for a new password, so that strangers do not use up what the owner may ask for."""
    if user.address != work.author.address:
        return "stranger"
    return "owner" if work.may_be(user.userid) else "claimed"


def mail_token(
    work: Work,
    kind: str,
    userid: str,
    address: str,
    template: str,
    hashed: str = "",
    asker: str = "",
    more: Mapping[str, object] | None = None,
) -> None:
    """Mail a token to an address; replying to it confirms, if its kind is one of CONFIRMED.

    The address need not be the account's, nor anybody's who has asked for a mail. If it wants none
    it gets none, and who asked for it learns nothing of that.
    """
    token = identity.one_time_token(work.random(20))
    work.tx.add_token(
        Token(identity.token_hash(token), kind, userid, address, hashed, work.now, asker)
    )
    user = work.tx.user(userid)
    own = user if user and user.address == address else None
    facts = {
        "userid": userid,
        "token": token.value,
        "days": TOKEN_DAYS,
        "stranger": own is None,
        **(more or {}),
    }
    headers = {"Reply-To": detailed(work, identity.ONCE + token.value)} if kind in CONFIRMED else {}
    if (own is None or own.state != "active") and work.tx.is_suppressed(
        identity.address_mark(address)
    ):
        return
    if own is None:
        post_stranger(work, template, address, facts, headers, userid)
    else:
        post(work, template, userid, address, facts, headers)


def post_stranger(
    work: Work,
    template: str,
    address: str,
    facts: Mapping[str, Any],
    headers: Mapping[str, str],
    userid: str = "",
) -> None:
    """Mail an address that is no account's, with a way to get no more. Whether it may be is asked before.

    ``userid``: the account that somebody wants to open there.
    """
    mark, key = identity.address_mark(address), work.keys[0][1]
    never = detailed(work, identity.sign_account(key, "n", mark, ""))
    heads = {**headers, "List-Unsubscribe": f"<mailto:{never}?subject=never>"}
    sender = detailed(work, identity.sign_account(key, "s", mark, ""))
    work.tx.count(_strangers(work), work.now, DAY)
    post(work, template, userid, address, facts, heads, envelope=sender)


def strangers_mailed(work: Work) -> int:
    """How many letters went to addresses without an account today."""
    return work.tx.counted(_strangers(work), work.now, DAY)


def _strangers(work: Work) -> str:
    """The name of a counter. A flood of forged mails takes no room from those who are vouched for."""
    return "letters to strangers" + (" authentic" if work.author.is_authentic else "")


def speaker(work: Work, token: identity.ReplyToken) -> tuple[Board | None, str, bool]:
    """The board of a reply address, whom it speaks for if anybody, whether its record was cut since."""
    work.keys = work.context.keyring.keys(work.tx, work.now, token.key_id)
    row = work.tx.board(token.board)
    for player, resets in _signers(row) if row else ():
        turn = identity.Turn(player, token.board, resets, token.turn)
        if identity.is_signed(work.keys, token, turn):
            return row, player, row is not None and resets != row.resets
    return row, "", False


def _signers(row: Board) -> Iterator[tuple[str, int]]:
    """Whom a reply address of a board can speak for, and how often its record had been cut back."""
    for resets in range(row.resets, max(-1, row.resets - CUTS), -1):
        for player in row.seats:
            yield player, resets
