"""Accounts: signup and confirmation, passwords, addresses, the end of an account."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

from ... import games, identity
from ...command import RESERVED, Command, Secret
from ...errors import BadInput, Refusal
from ...match.terms import DAY, HOUR
from ...store import Token, User
from .. import alerts, leave, proof, rations
from ..addresses import usable_address
from ..post import post, readdress, tell_account
from ..work import Work
from . import play

SIGNUPS_AN_HOUR = 60  # of all
_NAMED = 5  # players whom a new one is told of
RESIGN_ALL = "resign"  # a kind of token
_NEVER = frozenset(("never", "stop", "unsubscribe"))  # a reply that begins so confirms nothing
# Nor does one that begins with a no.
_NO = frozenset(("no", "nope", "nein", "non", "nej", "nei", "nee", "nie", "não", "ei", "нет"))


def signup(work: Work, command: Command) -> None:
    """Mail a token to the address; the account is opened when it comes back.

    Who has replied to our letter to that address need not confirm it again.
    """
    userid = command["userid"]
    address = command.args.get("address") or work.author.address
    if not address:
        raise BadInput(
            "An address is missing: your mail does not say who it is from.", "no-address"
        )
    address = usable_address(work, address)
    if work.author.is_guest and address == work.author.address:
        _require_room(work)
        open_account(work, userid, address, proof.hashed(work, userid, command["password"]))
        work.author.is_guest = False
        return
    rations.require_leave(work)
    own = work.tx.user(userid)
    if own and (own.address, own.state) == (work.author.address, "active") == (address, "active"):
        raise BadInput(
            f"You have the account {userid} already. If you have forgotten its password, "
            f"send: forgot {userid}",
            "own-account",
        )
    if proof.too_many_tokens(work, address):
        return
    _require_room(work)
    if userid in RESERVED or work.tx.user(userid):
        proof.mail_token(work, "taken", userid, address, "taken")
        return
    hashed = proof.hashed(work, userid, command["password"])
    proof.mail_token(work, "signup", userid, address, "signup", hashed)


def _require_room(work: Work) -> None:
    """Raises Refusal if too many people sign up just now.

    Those whose address our mail server vouches for are counted apart: no flood keeps them out.
    """
    counter = "signups authentic" if work.author.is_authentic else "signups"
    if work.limited and work.tx.counted(counter, work.now, HOUR) >= SIGNUPS_AN_HOUR:
        work.reached("signups")
        work.after_refusal.append(
            partial(alerts.tell, work.tx, work.context.config, work.now, "signups")
        )
        raise Refusal("Too many people sign up just now. Try again in an hour.", "signups-full")
    work.tx.count(counter, work.now, HOUR)


def confirm(work: Work, command: Command) -> None:
    """Do what a mailed token stands for. Raises BadInput for one that is not or no longer known."""
    token = work.tx.token(identity.token_hash(command["token"]))
    if (
        token is None
        or token.kind not in _CONFIRMED
        or abs(work.now - token.made) > proof.TOKEN_DAYS * DAY
    ):
        raise BadInput(
            "That token is unknown or has expired: it works once, within a week.", "no-token"
        )
    if token.kind == RESIGN_ALL and command.args.get("first", "yes") not in ("yes", "confirm"):
        raise Refusal("Nothing was done: to give all games up, reply with the word yes.", "no-yes")
    if token.kind != RESIGN_ALL and command.args.get("first") in _NO:
        return  # the token stays: they may think better of it
    work.tx.drop_tokens(token.userid, token.kind)
    work.tx.lift(identity.address_mark(token.address))
    _CONFIRMED[token.kind](work, token)


def meant(lines: Sequence[str]) -> str:
    """The name of the verb that a reply to a mailed token stands for."""
    words = re.findall("[a-z]+", lines[0].lower()) if lines else []
    return "never" if _NEVER.intersection(words[:1]) else "confirm"


def never(work: Work, command: Command) -> None:
    """Write to the address that a token was mailed to no more. Raises BadInput for a token not known.

    The token stays: who has thought better of it may confirm after all.
    """
    token = work.tx.token(identity.token_hash(command["token"]))
    if token is None or token.kind not in ("signup", "address", "taken"):
        raise BadInput("That token is unknown or has expired.", "no-token")
    work.tx.suppress(identity.address_mark(token.address), work.now)


def open_account(work: Work, userid: str, address: str, hashed: str) -> None:
    """Open an account with a confirmed address and welcome it. Raises BadInput if the userid is taken."""
    if work.tx.user(userid) or userid in RESERVED:
        raise BadInput(f"The userid {userid} is not free.", "taken")
    work.tx.add_user(User(userid, address, hashed, "active", work.now))
    proof.came_from(work, userid)
    others = [
        player
        for player, refuses, *_ in work.tx.listed(_NAMED + 1)
        if player != userid and len(refuses.split()) < len(games.GAMES)
    ][:_NAMED]
    facts = {"userid": userid, "others": others, "bots": bool(work.context.config.bots)}
    post(work, "welcome", userid, address, facts)


def move_account(work: Work, userid: str, address: str) -> None:
    """Send an account's mails to another, confirmed address; the old one is told."""
    user = work.tx.user(userid)
    if user is None or user.state == "closed":
        raise BadInput("That account is closed.", "closed")
    work.tx.set_address(userid, address)
    if user.state == "suspended":
        leave.reached(work, userid)
    for letter in work.tx.unsent(userid):
        readdress(work, letter)
    if user.address != address:
        tell_account(
            work,
            user,
            "Mails for this account go to another address from now on. If it was not "
            f"you who changed it, write to postmaster@{work.context.config.domain}, who runs this server.",
        )
    tell_account(
        work,
        user._replace(address=address, state="active"),
        "Mails for this account go to this address from now on.",
    )


def resign_all(work: Work, _command: Command, user: User) -> None:
    """Mail a token whose confirmation gives up all running games, since that cannot be undone."""
    count = len(work.tx.boards_of(user.userid, "active"))
    if not count:
        raise Refusal("You have no running game.", "no-games")
    proof.mail_token(
        work,
        RESIGN_ALL,
        user.userid,
        user.address,
        "resign_all",
        asker="resign",
        more={"count": count},
    )


def _resign_all(work: Work, token: Token) -> None:
    """Give up the games that ran when that was asked for; one letter lists them."""
    user = work.tx.user(token.userid)
    if user is None or user.state == "closed":
        raise BadInput("That account is closed.", "closed")
    work.author.proved = user.userid
    ended = [
        play.give_up(work, row.board, user.userid, "resign")
        for row in work.tx.boards_of(user.userid, "active")
        if row.made <= token.made
    ]
    games = [
        f"{match.game.title} board {match.number}"
        + (f" against {rival}" if (rival := match.opponent(user.userid)) else "")
        for match in ended
    ]
    tell_account(work, user, f"Given up: {', '.join(games) or 'none was left'}.")


_CONFIRMED: dict[str, Callable[[Work, Token], None]] = {
    "signup": lambda work, token: open_account(work, token.userid, token.address, token.password),
    "address": lambda work, token: move_account(work, token.userid, token.address),
    RESIGN_ALL: _resign_all,
}


def forgot(work: Work, command: Command) -> None:
    """Mail a token for a new password to the account's address; who asks learns nothing.

    A member who names no account gets the names of those that the member has.
    """
    rations.require_leave(work)
    user = work.tx.user(command.args.get("userid", ""))
    if user is None or not user.address:
        own = [account.userid for account in work.accounts()]
        if own:
            raise BadInput(
                f"Your address has the account{'s' if own[1:] else ''} {', '.join(own)}. For a "
                f"new password send: forgot {own[0]}",
                "which-account",
            )
        return
    asker = proof.asker(work, user)
    if not proof.too_many_tokens(work, user.address, asker):
        proof.mail_token(work, "password", user.userid, user.address, "forgot", asker=asker)


def change_password(work: Work, command: Command) -> None:
    """Set another password; the old one or a token of ``forgot`` allows it."""
    userid, credential = command["userid"], command["password"]
    token = work.tx.token(identity.token_hash(Secret(credential.value.lower())))
    known = work.tx.user(userid)
    if (
        token
        and (token.kind, token.userid) == ("password", userid)
        and abs(work.now - token.made) <= proof.TOKEN_DAYS * DAY
        and known is not None
        and known.state != "closed"
    ):
        user = known
        work.tx.unlock(userid)
    else:
        user = proof.authenticate(work, userid, credential)
    work.author.proved = user.userid
    hashed = proof.hashed(work, userid, command["new"])
    work.tx.drop_tokens(userid, "password")
    set_password(work, user, hashed)


def set_password(work: Work, user: User, hashed: str) -> None:
    """Keep another password and tell the player that it was changed."""
    work.tx.set_password(user.userid, hashed)
    tell_account(
        work,
        user,
        "The password of this account has been changed. If it was not you who changed "
        "it, send: forgot " + user.userid,
    )


def change_address(work: Work, command: Command, user: User) -> None:
    """Mail a token to the new address; mails go there once it is confirmed."""
    address = usable_address(work, command["address"])
    if proof.too_many_tokens(work, address):
        raise Refusal(
            f"The new address has had {proof.TOKEN_MAILS} mails of this kind in 30 days, so no "
            "further one went there. Answer one of those, or try again later.",
            "too-many-tokens",
        )
    proof.mail_token(work, "address", user.userid, address, "address")
    tell_account(
        work,
        user,
        "A mail has gone to the new address; once it is answered, mails for this account go there.",
    )


def signoff(work: Work, _command: Command, user: User) -> None:
    """Close an account: its running games are resigned, its address is forgotten."""
    close_account(work, user)


def close_account(work: Work, user: User) -> None:
    """Resign all running games of an account, say goodbye, and forget its address and password."""
    for row in work.tx.boards_of(user.userid, "active"):
        play.give_up(work, row.board, user.userid, "leave")
    tell_account(
        work,
        user,
        "This account is closed now. Games that were running have been resigned; those without a "
        "move of yours are removed.",
    )
    leave.end_all(work, user.userid)
    work.tx.drop_untold(user.userid)
    work.tx.close_user(user.userid)
