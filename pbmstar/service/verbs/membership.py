"""Accounts: signup and confirmation, passwords, the end of an account."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from ... import games, identity
from ...command import COPYING, RESERVED, SENTENCE_WORDS, Command, Secret
from ...errors import BadInput, Refusal
from ...games.hexagon.star import Star
from ...match.terms import DAY, HOUR
from ...store import Token, User
from ..letters import alerts
from ..letters.post import PlainLetter, send, tell_account
from ..meeting import beginning
from ..proof import authentication, rations, strangers
from ..proof.strangers import require_free, usable_address
from ..reminders import leave
from ..work.work import Work
from . import addressing, challenges, play

_SHOWN = "site"  # the fact with the time since when new players are told that their games are shown
SIGNUPS_AN_HOUR = 60  # of all people who prove nothing
SIGNUPS_OF_A_PLACE = 10  # an hour; a place is a domain that is vouched for, a machine, or a guest
_NAMED = 5  # players that the welcome names to a new player
# The game of a new player whose welcome shows a board.
FIRST_GAME, FIRST_BOT = Star({"size": "4"}), "bot1"
RESIGN_ALL = "resign"  # a kind of token
_NEVER = frozenset(("never", "stop", "unsubscribe"))  # a reply that begins so confirms nothing
# A reply that begins with a no confirms nothing either.
_NO = frozenset(("no", "nope", "nein", "non", "nej", "nei", "nee", "nie", "não", "ei", "нет"))


def signup(work: Work, command: Command) -> None:
    """Mail a token to the address; the account is opened when it comes back.

    A guest has replied to our letter to that address, so the account is opened at once. If the guest has
    chosen a move on the letter's board, the game begins with it.
    """
    userid = command["userid"]
    if userid in SENTENCE_WORDS:
        raise BadInput(f"The userid {userid} is not free.", "taken")
    address = command.args.get("address") or work.author.address
    if not address:
        raise BadInput(
            "An address is missing: your mail does not say who it is from.", "no-address"
        )
    address = usable_address(work, address)
    if work.author.is_guest and address == work.author.address:
        _require_room(work)
        open_account(
            work, userid, address, _hashed(work, userid, command), {"site": place_of(work)}
        )
        work.author.is_guest = False
        if work.author.first:
            beginning.start_with(work, FIRST_GAME, (userid, FIRST_BOT), work.author.first)
        return
    rations.require_leave(work)
    own = work.tx.accounts.user(userid)
    addresses = work.tx.accounts.addresses(own) if own and own.state == "active" else ()
    if {work.author.address, address}.issubset(addresses):
        raise BadInput(
            f"You have the account {userid} already. If you have forgotten its password, "
            f"send: forgot {userid}",
            "own-account",
        )
    if authentication.too_many_tokens(work, address):
        return
    _require_room(work)
    strangers.require_room(work, address)
    if userid in RESERVED or work.tx.accounts.user(userid):
        authentication.mail_token(work, "taken", userid, address)
        return
    is_shown(work, work.now)  # the games of new players are shown from now on: the letter says so
    facts = {"site": place_of(work)} if place_of(work) else {}
    authentication.mail_token(
        work, "signup", userid, address, _hashed(work, userid, command), **facts
    )


def place_of(work: Work) -> str:
    """Return the place where the games of public players are shown; empty if they are shown nowhere."""
    context = work.context
    places = (feature.shows(context.config) for feature in context.features)
    return next(filter(None, places), "")


def is_shown(work: Work, asked: float) -> int:
    """Return 1 if the games of a player who asked for an account then are shown, else 0.

    They are shown if letters said so by that time.
    """
    if not place_of(work):
        return 0
    since = float(work.tx.ledger.fact(_SHOWN) or 0.0)
    if not since:
        work.tx.ledger.set_fact(_SHOWN, str(work.now))
        since = work.now
    return int(since <= asked)


def _hashed(work: Work, userid: str, command: Command) -> str:
    """Return the hash to keep of the password that a command sets; empty if it sets none.

    An account may have no password. Its owner replies to letters until ``forgot`` sets a password.
    """
    password = command.args.get("password")
    return authentication.hashed(work, userid, password) if password else ""


def _require_room(work: Work) -> None:
    """Raise Refusal if too many people sign up just now.

    Guests are counted by their own address. People whose address our mail server vouches for are counted
    by their domain. All others are counted by their machine, and also together. So a flood keeps nobody
    out who is not part of it.
    """
    author = work.author
    place = (
        f"signups {strangers.reader(author.address) if author.is_guest else strangers.source(work)}"
    )
    if work.exceeds(SIGNUPS_OF_A_PLACE, place, HOUR):
        work.report.reached("signups")
        raise Refusal(
            f"{SIGNUPS_OF_A_PLACE} people an hour may sign up from one place. Try again in an hour.",
            "signups-of-a-place",
        )
    if author.is_guest or author.is_authentic:
        return
    if work.limited and work.tx.ledger.counted("signups", work.now, HOUR) >= SIGNUPS_AN_HOUR:
        work.report.reached("signups")
        work.queue.kept.append(
            partial(alerts.tell, work.tx, work.context.config, work.now, "signups")
        )
        raise Refusal("Too many people sign up just now. Try again in an hour.", "signups-full")
    work.tx.ledger.count("signups", work.now, HOUR)


def confirm(work: Work, command: Command) -> None:
    """Do what a mailed token stands for. Raises BadInput if the token is unknown or has expired."""
    token = work.tx.accounts.token(identity.token_hash(command["token"]))
    if (
        token is None
        or token.kind not in _CONFIRMED
        or abs(work.now - token.made) > authentication.TOKEN_DAYS * DAY
    ):
        raise BadInput(
            "That token is unknown or has expired: it works once, within a week.", "no-token"
        )
    if token.kind == RESIGN_ALL and command.args.get("first", "yes") not in ("yes", "confirm"):
        raise Refusal("Nothing was done: to give all games up, reply with the word yes.", "no-yes")
    if token.kind != RESIGN_ALL and command.args.get("first") in _NO:
        return  # the token stays: they may change their mind
    if token.kind in COPYING:  # other addresses may be waiting for their tokens at the same time
        work.tx.accounts.drop_token(token.hash)
    else:
        work.tx.accounts.drop_tokens(token.userid, token.kind)
    for mark in strangers.marks(token.address):
        work.tx.people.unsuppress(mark)
    _CONFIRMED[token.kind](work, token)


def meant(lines: Sequence[str]) -> str:
    """Return the name of the verb that a reply to a mailed token stands for."""
    words = re.findall("[a-z]+", lines[0].lower()) if lines else []
    return "never" if _NEVER.intersection(words[:1]) else "confirm"


def never(work: Work, command: Command) -> None:
    """Stop all mail to the address that a token was sent to. Raises BadInput for an unknown token.

    The token stays valid, so the owner may still confirm.
    """
    token = work.tx.accounts.token(identity.token_hash(command["token"]))
    if token is None or token.kind not in ("signup", "address", "taken", *COPYING):
        raise BadInput("That token is unknown or has expired.", "no-token")
    work.tx.people.suppress(strangers.reader(token.address), work.now)


def open_account(
    work: Work, userid: str, address: str, hashed: str, told: Mapping[str, Any], asked: float = 0.0
) -> None:
    """Open an account with a confirmed address and welcome it. Raises BadInput if the userid is taken.

    told   facts for the letter that no other letter has told
    asked  the time when the account was asked for; the present time if it is 0
    """
    require_free_userid(work, userid)
    require_free(work, address, userid, as_first=True)
    public = is_shown(work, asked or work.now)
    newcomer = User(userid, address, hashed, "active", work.now, public=public)
    work.tx.accounts.add(newcomer)
    authentication.came_from(work, userid)
    others = [
        player
        for player, refuses, *_ in work.tx.accounts.listed(_NAMED + 1)
        if player != userid and len(refuses.split()) < len(games.GAMES)
    ][:_NAMED]
    facts = {"userid": userid, "others": others, "bots": bool(work.context.config.bots)}
    facts["has_password"] = bool(hashed)
    facts |= {name: fact for name, fact in told.items() if fact}
    send(work, PlainLetter("welcome", userid, address, facts))
    challenges.follow(work, newcomer)


def require_free_userid(work: Work, userid: str) -> None:
    """Raise BadInput if an account has that userid, or nobody can have it."""
    if userid in RESERVED or work.tx.accounts.user(userid):
        raise BadInput(f"The userid {userid} is not free.", "taken")


def resign_all(work: Work, _command: Command, user: User) -> None:
    """Mail a token that must be confirmed to give up all running games: that cannot be undone."""
    count = len(work.tx.boards.of(user.userid, "active"))
    if not count:
        raise Refusal("You have no running game.", "no-games")
    authentication.mail_token(
        work, RESIGN_ALL, user.userid, user.address, asker="resign", count=count
    )


def _resign_all(work: Work, token: Token) -> None:
    """Give up the games that were running when the token was mailed; one letter lists them."""
    user = addressing.require_open(work, token.userid)
    work.author.proved = user.userid
    ended = [
        play.give_up(work, row.board, user.userid, "resign")
        for row in work.tx.boards.of(user.userid, "active")
        if row.made <= token.made
    ]
    games = [
        f"{match.game.title} board {match.number}"
        + (f" against {rival}" if (rival := match.opponent(user.userid)) else "")
        for match in ended
    ]
    tell_account(work, user, f"Given up: {', '.join(games) or 'none was left'}.")


_CONFIRMED: dict[str, Callable[[Work, Token], None]] = {
    "signup": lambda work, token: open_account(
        work, token.userid, token.address, token.password, {}, token.made
    ),
    "address": lambda work, token: addressing.move_account(work, token.userid, token.address),
    **dict.fromkeys(COPYING, addressing.added),
    RESIGN_ALL: _resign_all,
}


def forgot(work: Work, command: Command) -> None:
    """Mail a token for a new password to the account's address; the writer learns nothing.

    A member who names no account is told the names of the member's own accounts.
    """
    rations.require_leave(work)
    user = work.tx.accounts.user(command.args.get("userid", ""))
    if user is None or not user.address:
        own = [account.userid for account in work.accounts()]
        if own:
            raise BadInput(
                f"Your address has the account{'s' if own[1:] else ''} {', '.join(own)}. For a "
                f"new password send: forgot {own[0]}",
                "which-account",
            )
        return
    asker = authentication.asker(work, user)
    if not authentication.too_many_tokens(work, user.address, asker):
        authentication.mail_token(work, "password", user.userid, user.address, asker=asker)


def change_password(work: Work, command: Command) -> None:
    """Set another password, if the command has the old one or a token of ``forgot``."""
    userid, credential = command["userid"], command["password"]
    token = work.tx.accounts.token(identity.token_hash(Secret(credential.value.lower())))
    known = work.tx.accounts.user(userid)
    if (
        token
        and (token.kind, token.userid) == ("password", userid)
        and abs(work.now - token.made) <= authentication.TOKEN_DAYS * DAY
        and known is not None
        and known.state != "closed"
    ):
        user = known
        work.tx.accounts.unlock(userid)
    else:
        user = authentication.authenticate(work, userid, credential)
    work.author.proved = user.userid
    hashed = authentication.hashed(work, userid, command["new"])
    work.tx.accounts.drop_tokens(userid, "password")
    set_password(work, user, hashed)


def set_password(work: Work, user: User, hashed: str) -> None:
    """Keep another password and tell the player that it was changed.

    Somebody who knew the old password may have asked for another address: that request is void.
    """
    work.tx.accounts.set_password(user.userid, hashed)
    work.tx.accounts.drop_moves(user)
    tell_account(
        work,
        user,
        "The password of this account has been changed. If it was not you who changed "
        "it, send: forgot " + user.userid,
    )


def signoff(work: Work, _command: Command, user: User) -> None:
    """Close an account: resign its running games, and forget its address."""
    close_account(work, user)


def close_account(work: Work, user: User) -> None:
    """Resign all running games of an account, say goodbye, and forget its address, password and wishes."""
    for feature in work.context.features:
        feature.leaves(work, user.userid)
    for row in work.tx.boards.of(user.userid, "active"):
        play.give_up(work, row.board, user.userid, "leave")
    for feature in work.context.features:
        feature.left(work, user.userid)
    tell_account(
        work,
        user,
        "This account is closed now. Games that were running have been resigned; those without a "
        "move of yours are removed.",
    )
    leave.end_all(work, user.userid)
    work.tx.digests.drop_untold(user.userid)
    work.tx.offers.withdraw_all(user.userid, work.now)
    work.tx.problems.unsubscribe(user.userid)
    for address in work.tx.accounts.addresses(user):
        work.tx.people.forget_address(user.userid, address)
    work.tx.accounts.close(user.userid)
