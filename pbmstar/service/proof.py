"""Proof of who writes: passwords, one-time tokens by mail, and how often one may try."""

from __future__ import annotations

from .. import identity
from ..command import Secret
from ..errors import Refusal
from ..store import Token, User
from . import alerts
from .post import detailed, post
from .work import Work

DAY = 86400.0
CONFIRMED = ("signup", "address")  # kinds of tokens that a reply confirms
TOKEN_DAYS = 7
TOKEN_MAILS = 3  # to one address in 30 days
COMMANDS_AN_HOUR = 300  # of one account
_FREE_FAILURES = 5  # wrong passwords before the first lock
_FIRST_LOCK = 60.0
_LONGEST_LOCK = DAY
WRONG_AN_HOUR = 20  # passwords from one machine, until none from there is looked at


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

    Wrong ones are counted by the userid that was typed, and lock it for ever longer times: those
    from elsewhere than the account's address lock out mails from elsewhere only, lest any stranger
    who knows a userid keep its owner from playing.
    """
    user = work.tx.user(userid)
    own = user is not None and user.address == work.author.address
    count, last, until = work.tx.failure(userid, own)
    if work.limited and (work.now < until or _is_guesser(work)):
        raise NotYou(userid)
    hashed = user.password if user and user.password else None
    if user is not None and work.context.passwords.check(hashed, password):
        if count:
            work.tx.drop_failure(userid, own)
        admit(work, user)
        return user
    if user is None:
        work.context.passwords.check(None, password)
    count = count + 1 if work.now - max(last, until) < DAY else 1
    locked = 0.0
    if count >= _FREE_FAILURES:
        locked = min(_FIRST_LOCK * 2.0 ** (count - _FREE_FAILURES), _LONGEST_LOCK)

    def keep() -> None:
        work.tx.set_failure(userid, own, count, work.now, work.now + locked)
        if work.author.peer:
            work.tx.count(f"wrong {work.author.peer}", work.now, 3600)
        if work.tx.count("wrong", work.now, 3600) == alerts.WRONG_AN_HOUR + 1:
            alerts.tell(work.tx, work.context.config, work.now, "passwords")

    work.after_refusal.append(keep)
    raise NotYou(userid)


def _is_guesser(work: Work) -> bool:
    """Whether the machine that the mail came from has sent too many wrong passwords."""
    peer = work.author.peer
    return bool(peer) and work.tx.counted(f"wrong {peer}", work.now, 3600) >= WRONG_AN_HOUR


def admit(work: Work, user: User) -> None:
    """Note that an account has written. Raises Refusal beyond the rate that one may write at."""
    seen(work, user)
    if not work.limited:
        return
    if work.tx.count(f"commands {user.userid}", work.now, 3600) > COMMANDS_AN_HOUR:
        raise Refusal(
            "Too many commands came from you within an hour; try again later.", "too-many-commands"
        )


def ask_again(work: Work, user: User) -> None:
    """A suspended player is there after all: mail a token that confirms the address, once a day."""
    if work.tx.count(f"again {user.userid}", work.now, DAY) == 1:
        mail_token(work, "address", user.userid, user.address, "address")


def seen(work: Work, user: User) -> None:
    """The player wrote, so earlier bounces were temporary: clear them, or ask a suspended player to
    confirm the address."""
    if user.state == "suspended":
        ask_again(work, user)
    elif user.bounces:
        work.tx.set_bounces(user.userid, 0.0, user.state)


def too_many_tokens(work: Work, address: str) -> bool:
    """Whether an address has had as many mails of this kind as a month allows."""
    return work.limited and work.tx.count_tokens(address, work.now - 30 * DAY) >= TOKEN_MAILS


def mail_token(
    work: Work, kind: str, userid: str, address: str, template: str, hashed: str = ""
) -> None:
    """Mail a token to an address; replying to it confirms, if its kind is one of CONFIRMED.

    The address need not be the account's, nor anybody's who has asked for a mail. If it wants none
    it gets none, and who asked for it learns nothing of that.
    """
    token = add_token(work, kind, userid, address, hashed)
    user = work.tx.user(userid)
    own = user if user and user.address == address else None
    facts = {"userid": userid, "token": token.value, "days": TOKEN_DAYS, "stranger": own is None}
    headers = {"Reply-To": detailed(work, identity.ONCE + token.value)} if kind in CONFIRMED else {}
    mark = identity.address_mark(address)
    if (own is None or own.state != "active") and work.tx.is_suppressed(mark):
        return
    sender = ""
    if own is None:
        key = work.keys[0][1]
        never = detailed(work, identity.sign_account(key, "n", mark, ""))
        headers["List-Unsubscribe"] = f"<mailto:{never}?subject=never>"
        sender = detailed(work, identity.sign_account(key, "s", mark, ""))
    post(work, template, userid, address, facts, headers, sender=sender)


def add_token(work: Work, kind: str, userid: str, address: str, hashed: str = "") -> Secret:
    """A new token, kept; mailing it is the caller's."""
    token = identity.one_time_token(work.context.random(20))
    work.tx.add_token(Token(identity.token_hash(token), kind, userid, address, hashed, work.now))
    return token
