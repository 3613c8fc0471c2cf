"""Proof of who writes: passwords, one-time tokens by mail, and how often one may try."""

from __future__ import annotations

from .. import identity
from ..command import Secret
from ..errors import Refusal
from ..store import Token, User
from .desk import Desk

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
            "the first letter."
        )
        self.userid = userid


def authenticate(desk: Desk, userid: str, password: Secret) -> User:
    """The open account that userid and password name. Raises NotYou, whatever is wrong.

    Wrong ones are counted by the userid that was typed, and lock it for ever longer times: those
    from elsewhere than the account's address lock out mails from elsewhere only, lest any stranger
    who knows a userid keep its owner from playing.
    """
    user = desk.tx.user(userid)
    own = user is not None and user.address == desk.author
    count, last, until = desk.tx.failure(userid, own)
    if desk.context.config.limits and (desk.now < until or _is_guesser(desk)):
        raise NotYou(userid)
    hashed = user.password if user and user.password else None
    if user is not None and desk.context.passwords.check(hashed, password):
        if count:
            desk.tx.drop_failure(userid, own)
        admit(desk, user)
        return user
    if user is None:
        desk.context.passwords.check(None, password)
    count = count + 1 if desk.now - max(last, until) < DAY else 1
    locked = 0.0
    if count >= _FREE_FAILURES:
        locked = min(_FIRST_LOCK * 2.0 ** (count - _FREE_FAILURES), _LONGEST_LOCK)

    def keep() -> None:
        desk.tx.set_failure(userid, own, count, desk.now, desk.now + locked)
        if desk.peer:
            desk.tx.count(f"wrong {desk.peer}", desk.now, 3600)

    desk.after_refusal.append(keep)
    raise NotYou(userid)


def _is_guesser(desk: Desk) -> bool:
    """Whether the machine that the mail came from has sent too many wrong passwords."""
    peer = desk.peer
    return bool(peer) and desk.tx.counted(f"wrong {peer}", desk.now, 3600) >= WRONG_AN_HOUR


def admit(desk: Desk, user: User) -> None:
    """Note that an account has written. Raises Refusal beyond the rate that one may write at."""
    seen(desk, user)
    if not desk.context.config.limits:
        return
    if desk.tx.count(f"commands {user.userid}", desk.now, 3600) > COMMANDS_AN_HOUR:
        raise Refusal("Too many commands came from you within an hour; try again later.")


def ask_again(desk: Desk, user: User) -> None:
    """A suspended player is there after all: mail a token that confirms the address, once a day."""
    if desk.tx.count(f"again {user.userid}", desk.now, DAY) == 1:
        mail_token(desk, "address", user.userid, user.address, "address.txt")


def seen(desk: Desk, user: User) -> None:
    """The player has written: what came back before was passing, or the address is to be confirmed."""
    if user.state == "suspended":
        ask_again(desk, user)
    elif user.bounces:
        desk.tx.set_bounces(user.userid, 0.0, user.state)


def too_many_tokens(desk: Desk, address: str) -> bool:
    """Whether an address has had as many mails of this kind as a month allows."""
    return (
        desk.context.config.limits
        and desk.tx.count_tokens(address, desk.now - 30 * DAY) >= TOKEN_MAILS
    )


def mail_token(
    desk: Desk, kind: str, userid: str, address: str, template: str, hashed: str = ""
) -> None:
    """Mail a token to an address; replying to it confirms, if its kind is one of CONFIRMED.

    The address need not be the account's, nor anybody's who has asked for a mail. If it wants none
    it gets none, and who asked for it learns nothing of that.
    """
    token = add_token(desk, kind, userid, address, hashed)
    user = desk.tx.user(userid)
    own = user if user and user.address == address else None
    facts = {"userid": userid, "token": token.value, "days": TOKEN_DAYS, "stranger": own is None}
    headers = {"Reply-To": desk.detailed(identity.ONCE + token.value)} if kind in CONFIRMED else {}
    mark = identity.address_mark(address)
    if (own is None or own.state != "active") and desk.tx.is_suppressed(mark):
        return
    if own is None:
        key = desk.keys[0][1]
        never = desk.detailed(identity.sign_account(key, "n", mark, ""))
        headers["List-Unsubscribe"] = f"<mailto:{never}?subject=never>"
        headers["Envelope"] = desk.detailed(identity.sign_account(key, "s", mark, ""))
    desk.post(template, userid, address, facts, headers)


def add_token(desk: Desk, kind: str, userid: str, address: str, hashed: str = "") -> Secret:
    """A new token, kept; mailing it is the caller's."""
    token = identity.one_time_token(desk.context.random(20))
    desk.tx.add_token(Token(identity.token_hash(token), kind, userid, address, hashed, desk.now))
    return token


def tell(desk: Desk, user: User, notice: str) -> None:
    """Mail a player something about the account."""
    if user.state == "active" and user.address:
        desk.post(
            "account.txt", user.userid, user.address, {"userid": user.userid, "notice": notice}
        )
