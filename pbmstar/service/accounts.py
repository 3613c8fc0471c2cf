"""Accounts: signup and confirmation, passwords, addresses, the end of an account."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from email_validator import EmailNotValidError, validate_email

from .. import identity
from ..command import RESERVED, Command, Secret
from ..errors import BadInput
from ..store import Token, User
from . import play, proof
from .desk import Desk

DAY = 86400.0
SIGNUPS_AN_HOUR = 60  # of all
_NEVER = frozenset(("never", "stop", "unsubscribe"))  # a reply that begins so confirms nothing


def signup(desk: Desk, command: Command) -> None:
    """Mail a token to the address; the account is opened when it comes back."""
    userid = command["userid"]
    address = command.args.get("address") or desk.author
    if not address:
        raise BadInput("An address is missing: your mail does not say who it is from.")
    address = usable_address(desk, address)
    if proof.too_many_tokens(desk, address):
        return
    if desk.context.config.limits and desk.tx.count("signups", desk.now, 3600) > SIGNUPS_AN_HOUR:
        return
    if userid in RESERVED or desk.tx.user(userid):
        proof.mail_token(desk, "taken", userid, address, "taken.txt")
        return
    hashed = identity.hash_password(command["password"])
    proof.mail_token(desk, "signup", userid, address, "signup.txt", hashed)


def confirm(desk: Desk, command: Command) -> None:
    """Do what a mailed token stands for. Raises BadInput for one that is not or no longer known."""
    token = desk.tx.token(identity.token_hash(command["token"]))
    if (
        token is None
        or token.kind not in _CONFIRMED
        or desk.now - token.made > proof.TOKEN_DAYS * DAY
    ):
        raise BadInput("That token is not known, or no longer: it serves once, and for a week.")
    desk.tx.drop_tokens(token.userid, token.kind)
    desk.tx.lift(identity.address_mark(token.address))
    _CONFIRMED[token.kind](desk, token)


def meant(lines: Sequence[str]) -> str:
    """The verb that a reply to a mailed token stands for."""
    said = re.findall("[a-z]+", lines[0].lower()) if lines else []
    return "never" if _NEVER.intersection(said[:1]) else "confirm"


def never(desk: Desk, command: Command) -> None:
    """Write to the address that a token was mailed to no more. Raises BadInput for a token not known.

    The token stays: who has thought better of it may confirm after all.
    """
    token = desk.tx.token(identity.token_hash(command["token"]))
    if token is None or token.kind not in (*_CONFIRMED, "taken"):
        raise BadInput("That token is not known, or no longer.")
    desk.tx.suppress(identity.address_mark(token.address), desk.now)


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
        proof.tell(
            desk,
            user,
            "Mails for this account go to another address from now on. If it was not "
            "you who changed it, write to the operator of this server.",
        )
    proof.tell(
        desk,
        user._replace(address=address, state="active"),
        "Mails for this account go to this address from now on.",
    )


_CONFIRMED: dict[str, Callable[[Desk, Token], None]] = {
    "signup": lambda desk, token: open_account(desk, token.userid, token.address, token.password),
    "address": lambda desk, token: move_account(desk, token.userid, token.address),
}


def forgot(desk: Desk, command: Command) -> None:
    """Mail a token for a new password to the account's address; who asks learns nothing."""
    user = desk.tx.user(command["userid"])
    if user and user.state != "closed" and not proof.too_many_tokens(desk, user.address):
        proof.mail_token(desk, "password", user.userid, user.address, "forgot.txt")


def change_password(desk: Desk, command: Command) -> None:
    """Set another password; the old one or a token of ``forgot`` allows it."""
    userid, given = command["userid"], command["password"]
    token = desk.tx.token(identity.token_hash(Secret(given.value.lower())))
    known = desk.tx.user(userid)
    if (
        token
        and (token.kind, token.userid) == ("password", userid)
        and desk.now - token.made <= proof.TOKEN_DAYS * DAY
        and known is not None
        and known.state != "closed"
    ):
        user = known
        for own in (True, False):
            desk.tx.drop_failure(userid, own)
    else:
        user = proof.authenticate(desk, userid, given)
    desk.tx.drop_tokens(userid, "password")
    set_password(desk, user, command["new"])


def set_password(desk: Desk, user: User, password: Secret) -> None:
    """Keep another password and tell the player that it was changed."""
    desk.tx.set_password(user.userid, identity.hash_password(password))
    proof.tell(
        desk,
        user,
        "The password of this account has been changed. If it was not you who changed "
        "it, send: forgot " + user.userid,
    )


def change_address(desk: Desk, command: Command) -> None:
    """Mail a token to the new address; mails go there once it is confirmed."""
    user = proof.authenticate(desk, command["userid"], command["password"])
    address = usable_address(desk, command["address"])
    if not proof.too_many_tokens(desk, address):
        proof.mail_token(desk, "address", user.userid, address, "address.txt")
    proof.tell(
        desk,
        user,
        "A mail has gone to the new address; once it is answered, mails for this account go there.",
    )


def signoff(desk: Desk, command: Command) -> None:
    """Close an account: its running games are resigned, its address is forgotten."""
    close_account(desk, proof.authenticate(desk, command["userid"], command["password"]))


def close_account(desk: Desk, user: User) -> None:
    """Resign all running games of an account, say goodbye, and forget its address and password."""
    for row in desk.tx.boards_of(user.userid, "active"):
        play.resign_for(desk, row.board, user.userid, f"{user.userid} has left the server.")
    proof.tell(
        desk, user, "This account is closed now. Games that were running have been resigned."
    )
    desk.tx.close_user(user.userid)


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
    if local.startswith("-") or "%" in local or "=?" in local or len(local) > 64:
        raise refusal
    if domain in (config.domain, "localhost"):
        raise refusal
    return checked.normalized.lower()
