"""Accounts: signup and confirmation, passwords, addresses, the end of an account."""

from __future__ import annotations

from collections.abc import Callable

from email_validator import EmailNotValidError, validate_email

from .. import identity
from ..command import RESERVED, Command, Secret
from ..errors import BadInput, Refusal
from ..store import Token, User
from . import play
from .desk import ONCE, Desk

DAY = 86400.0
TOKEN_DAYS = 7
TOKEN_MAILS = 3  # to one address in 30 days
COMMANDS_AN_HOUR = 300  # of one account
SIGNUPS_AN_HOUR = 60  # of all
_FREE_FAILURES = 5  # wrong passwords before the first lock
_FIRST_LOCK = 60.0
_LONGEST_LOCK = DAY


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

    Wrong ones are counted by the userid that was typed, and lock it for ever longer times.
    """
    count, last, until = desk.tx.failure(userid)
    if desk.context.config.limits and desk.now < until:
        raise NotYou(userid)
    user = desk.tx.user(userid)
    hashed = user.password if user and user.password else None
    if user is not None and desk.context.passwords.check(hashed, password):
        if count:
            desk.tx.drop_failure(userid)
        admit(desk, user)
        return user
    if user is None:
        desk.context.passwords.check(None, password)
    count = count + 1 if desk.now - last < DAY else 1
    locked = 0.0
    if count >= _FREE_FAILURES:
        locked = min(_FIRST_LOCK * 2.0 ** (count - _FREE_FAILURES), _LONGEST_LOCK)
    error = NotYou(userid)
    desk.after_refusal.append(
        lambda: desk.tx.set_failure(userid, count, desk.now, desk.now + locked)
    )
    raise error


def admit(desk: Desk, user: User) -> None:
    """Note that an account has written. Raises Refusal beyond the rate that one may write at."""
    seen(desk, user)
    if not desk.context.config.limits:
        return
    if desk.tx.count(f"commands {user.userid}", desk.now, 3600) > COMMANDS_AN_HOUR:
        raise Refusal("Too many commands came from you within an hour; try again later.")


def signup(desk: Desk, command: Command) -> None:
    """Mail a token to the address; the account is opened when it comes back."""
    userid = command["userid"]
    address = command.args.get("address") or desk.author
    if not address:
        raise BadInput("An address is missing: your mail does not say who it is from.")
    address = usable_address(desk, address)
    if too_many_tokens(desk, address):
        return
    if desk.context.config.limits and desk.tx.count("signups", desk.now, 3600) > SIGNUPS_AN_HOUR:
        return
    if userid in RESERVED or desk.tx.user(userid):
        desk.post("taken.txt", userid, address, {"userid": userid})
        _add_token(desk, "taken", userid, address)
        return
    hashed = identity.hash_password(command["password"])
    _mail_token(desk, "signup", userid, address, "signup.txt", hashed)


def confirm(desk: Desk, command: Command) -> None:
    """Do what a mailed token stands for. Raises BadInput for one that is not or no longer known."""
    token = desk.tx.token(identity.token_hash(command["token"]))
    if token is None or token.kind not in _CONFIRMED or desk.now - token.made > TOKEN_DAYS * DAY:
        raise BadInput("That token is not known, or no longer: it serves once, and for a week.")
    desk.tx.drop_tokens(token.userid, token.kind)
    _CONFIRMED[token.kind](desk, token)


def open_account(desk: Desk, userid: str, address: str, hashed: str) -> None:
    """Open an account with a confirmed address and welcome it. Raises BadInput if the userid is taken."""
    if desk.tx.user(userid) or userid in RESERVED:
        raise BadInput(f"The userid {userid} is not free.")
    desk.tx.add_user(User(userid, address, hashed, "active", desk.now))
    desk.post("welcome.txt", userid, address, {"userid": userid})


def move_account(desk: Desk, userid: str, address: str) -> None:
    """Send an account's mails to another, confirmed address; the old one is told."""
    user = desk.tx.user(userid)
    if user is None or user.state == "closed":
        raise BadInput("That account is closed.")
    desk.tx.set_address(userid, address)
    if user.address != address:
        tell(
            desk,
            user,
            "Mails for this account go to another address from now on. If it was not "
            "you who changed it, write to the operator of this server.",
        )
    tell(
        desk,
        user._replace(address=address),
        "Mails for this account go to this address from now on.",
    )


_CONFIRMED: dict[str, Callable[[Desk, Token], None]] = {
    "signup": lambda desk, token: open_account(desk, token.userid, token.address, token.password),
    "address": lambda desk, token: move_account(desk, token.userid, token.address),
}


def forgot(desk: Desk, command: Command) -> None:
    """Mail a token for a new password to the account's address; who asks learns nothing."""
    user = desk.tx.user(command["userid"])
    if user and user.state != "closed" and not too_many_tokens(desk, user.address):
        _mail_token(desk, "password", user.userid, user.address, "forgot.txt")


def change_password(desk: Desk, command: Command) -> None:
    """Set another password; the old one or a token of ``forgot`` allows it."""
    userid, given = command["userid"], command["password"]
    token = desk.tx.token(identity.token_hash(Secret(given.value.lower())))
    if (
        token
        and (token.kind, token.userid) == ("password", userid)
        and desk.now - token.made <= TOKEN_DAYS * DAY
    ):
        user = desk.tx.user(userid)
        assert user is not None
        desk.tx.drop_failure(userid)
    else:
        user = authenticate(desk, userid, given)
    desk.tx.drop_tokens(userid, "password")
    set_password(desk, user, command["new"])


def set_password(desk: Desk, user: User, password: Secret) -> None:
    """Keep another password and tell the player that it was changed."""
    desk.tx.set_password(user.userid, identity.hash_password(password))
    tell(
        desk,
        user,
        "The password of this account has been changed. If it was not you who changed "
        "it, send: forgot " + user.userid,
    )


def change_address(desk: Desk, command: Command) -> None:
    """Mail a token to the new address; mails go there once it is confirmed."""
    user = authenticate(desk, command["userid"], command["password"])
    address = usable_address(desk, command["address"])
    if not too_many_tokens(desk, address):
        _mail_token(desk, "address", user.userid, address, "address.txt")
    tell(
        desk,
        user,
        "A mail has gone to the new address; once it is answered, mails for this account go there.",
    )


def signoff(desk: Desk, command: Command) -> None:
    """Close an account: its running games are resigned, its address is forgotten."""
    close_account(desk, authenticate(desk, command["userid"], command["password"]))


def close_account(desk: Desk, user: User) -> None:
    """Resign all running games of an account, say goodbye, and forget its address and password."""
    for row in desk.tx.boards_of(user.userid, "active"):
        play.resign_for(desk, row.board, user.userid, f"{user.userid} has left the server.")
    tell(desk, user, "This account is closed now. Games that were running have been resigned.")
    desk.tx.close_user(user.userid)


# -- addresses that mails do not reach


def tell_opponents(desk: Desk, user: User) -> None:
    """Tell the opponents in running games that mails to a player come back."""
    for row in desk.tx.boards_of(user.userid, "active"):
        match = play.load(desk.tx, row.board)
        desk.post_board(
            match,
            to=(match.opponent(user.userid),),
            notices=(
                f"Mails to {user.userid} come back, so none are sent for now. {user.userid} will "
                "be asked to confirm the address at the next mail that comes from there.",
            ),
        )


def ask_again(desk: Desk, user: User) -> None:
    """A suspended player is there after all: mail a token that confirms the address, once a day."""
    if desk.tx.count(f"again {user.userid}", desk.now, DAY) == 1:
        _mail_token(desk, "address", user.userid, user.address, "address.txt")


def seen(desk: Desk, user: User) -> None:
    """The player has written: what came back before was passing, or the address is to be confirmed."""
    if user.state == "suspended":
        ask_again(desk, user)
    elif user.bounces:
        desk.tx.set_bounces(user.userid, 0.0, user.state)


def usable_address(desk: Desk, address: str) -> str:
    """The address in the form in which it is kept. Raises BadInput."""
    refusal = BadInput("That is no mail address that this server can use.")
    local, _, domain = address.lower().rpartition("@")
    config = desk.context.config
    if domain == config.domain == "localhost" and local != config.local and local.isalnum():
        return address.lower()  # a server that is tried out on one machine
    try:
        checked = validate_email(
            address, check_deliverability=False, allow_smtputf8=False, test_environment=True
        )
    except EmailNotValidError:
        raise refusal from None
    if local.startswith("-") or "%" in local or domain in (config.domain, "localhost"):
        raise refusal
    return checked.normalized.lower()


def too_many_tokens(desk: Desk, address: str) -> bool:
    """Whether an address has had as many mails of this kind as a month allows."""
    return (
        desk.context.config.limits
        and desk.tx.count_tokens(address, desk.now - 30 * DAY) >= TOKEN_MAILS
    )


def _mail_token(
    desk: Desk, kind: str, userid: str, address: str, template: str, hashed: str = ""
) -> None:
    token = _add_token(desk, kind, userid, address, hashed)
    desk.post(
        template,
        userid,
        address,
        {"userid": userid, "token": token.value, "days": TOKEN_DAYS},
        {"Reply-To": desk.detailed(ONCE + token.value)} if kind in _CONFIRMED else {},
    )


def _add_token(desk: Desk, kind: str, userid: str, address: str, hashed: str = "") -> Secret:
    token = identity.one_time_token(desk.context.random(20))
    desk.tx.add_token(Token(identity.token_hash(token), kind, userid, address, hashed, desk.now))
    return token


def tell(desk: Desk, user: User, notice: str) -> None:
    """Mail a player something about the account."""
    if user.state == "active" and user.address:
        desk.post(
            "account.txt", user.userid, user.address, {"userid": user.userid, "notice": notice}
        )
