"""The addresses of an account: letters go to the first one, and commands may come from the others too."""

from __future__ import annotations

from ... import identity
from ...command import Command
from ...errors import BadInput, Refusal
from ...render.facts import AddressFacts, FurtherFacts
from ...store import OtherAddress, Token, User
from ..letters.outgoing import NO_LETTERS
from ..letters.post import readdress, tell_account
from ..proof import authentication, strangers
from ..proof.strangers import require_free, usable_address
from ..reminders import leave
from ..work.work import Work

MOST = 3  # addresses of an account
CHANGES_A_DAY = 3  # of the addresses of an account
_GETS = {
    "copies": "Copies of the letters about your boards go there.",
    "short": "Short copies of the letters about your boards go there.",
    NO_LETTERS: "No letters go there, except answers to mails that come from there.",
}


def change_address(work: Work, command: Command, user: User) -> None:
    """Mail a token to the new address; letters go there once it is confirmed."""
    _ask_at(work, user, "address", command["address"])
    tell_account(
        work,
        user,
        "address to confirm",
        "A mail has gone to the new address; once it is answered, mails for this account go there.",
    )


def add_address(work: Work, command: Command, user: User) -> None:
    """Mail a token to a further address; once it is confirmed, commands may come from there.

    If the address is confirmed already, set which letters go there. Raises Refusal.
    """
    address, kind = command["address"].lower(), command.args.get("kind", "copies")
    others = {each.address: each for each in work.tx.accounts.others(user)}
    if address == user.address:
        raise Refusal("That is your first address: all letters go there.", "own-address")
    kept = [user.address, *(each for each in others if each != address)]
    if kind != NO_LETTERS and identity.mailbox(address) in map(identity.mailbox, kept):
        raise Refusal(
            "Mails to that address and to another one of yours reach the same reader, who would get "
            f"everything twice. Add it with the word {NO_LETTERS}.",
            "same-mailbox",
        )
    if address in others:
        work.tx.accounts.add_address(others[address]._replace(kind=kind))
        tell_account(
            work, user, "address kept", f"{address} stays an address of this account. {_GETS[kind]}"
        )
        return
    _require_room(user)
    _ask_at(work, user, kind, address)
    tell_account(
        work,
        user,
        "address to confirm",
        f"A mail has gone to {address}; once it is answered, commands may come from there too. Until "
        "then nothing changes.",
    )


def _require_room(user: User) -> None:
    if user.others >= MOST - 1:
        raise Refusal(
            f"An account has at most {MOST} addresses. First take one away: reply "
            "remove address, and the address.",
            "too-many-addresses",
        )


def _ask_at(work: Work, user: User, kind: str, address: str) -> None:
    """Mail a token to a new address of an account. Raises BadInput, Refusal.

    The asker is not told if another account has the address; the reader there learns it by using the token.
    """
    if work.exceeds(CHANGES_A_DAY, f"change address {user.userid}"):
        raise Refusal(
            f"An account's addresses may be changed {CHANGES_A_DAY} times a day.",
            "too-many-changes",
        )
    address = usable_address(work, address)
    if authentication.too_many_tokens(work, address):
        raise Refusal(
            f"The new address has had {authentication.TOKEN_MAILS} mails of this kind in 30 days, so no "
            "further one went there. Answer one of those, or try again later.",
            "too-many-tokens",
        )
    strangers.require_room(work, address)
    is_moving = kind == "address"
    facts = AddressFacts(user.userid) if is_moving else FurtherFacts(user.userid, kind=kind)
    authentication.mail_token(work, kind, facts, address)


def added(work: Work, token: Token) -> None:
    """Give an account the further address that a token has confirmed. Raises BadInput, Refusal."""
    user, address = require_open(work, token.userid), token.address
    if user.state == "suspended":  # no letter reaches its first address
        move_account(work, user.userid, address)
        return
    if address not in work.tx.accounts.addresses(user):
        _require_room(user)
    require_free(work, address, user.userid, as_first=False)
    tell_account(
        work,
        user,
        "address added",
        f"Commands for this account may come from {address} now. {_GETS[token.kind]} If it was not you "
        f"who added it, reply:\n  remove address {address}",
    )
    other = OtherAddress(address, user.userid, token.kind, work.now)
    if not work.tx.accounts.add_address(other):
        raise BadInput("That address has just become another account's.", "address-taken")
    tell_account(
        work,
        user._replace(address=address),
        "address added",
        f"Commands for the account {user.userid} may come from this address now. {_GETS[token.kind]}",
    )


def remove_address(work: Work, command: Command, user: User) -> None:
    """Take an address away; letters that were mailed there prove nothing any more. Raises Refusal."""
    address = command["address"].lower()
    if address == user.address:
        raise Refusal(
            "That is your first address. For another one reply change address, and the new address.",
            "own-address",
        )
    if address not in work.tx.accounts.addresses(user):
        raise Refusal("This account has no such address.", "no-such-address")
    take_away(work, user, address)
    tell_account(
        work, user, "address removed", f"{address} is no address of this account any more."
    )


def take_away(work: Work, user: User, address: str) -> None:
    """Take an address that is not the first one from an account, with all that is known of it."""
    work.tx.accounts.drop_address(user.userid, address)
    work.tx.outbox.drop_for(user.userid, address)
    work.tx.people.leave_address(user.userid, address)


def move_account(work: Work, userid: str, address: str) -> None:
    """Send an account's letters to another, confirmed address, and tell the old one. Raises BadInput."""
    user = require_open(work, userid)
    require_free(work, address, userid, as_first=True)
    moved = _go_to(work, user, address)
    if user.address != address:
        tell_account(
            work,
            user,
            "address changed",
            "Mails for this account go to another address from now on. If it was not "
            f"you who changed it, write to postmaster@{work.context.config.domain}, who runs this server.",
        )
    tell_account(
        work, moved, "address changed", "Mails for this account go to this address from now on."
    )


def succeed(work: Work, user: User) -> bool:
    """Make the next address of an account its first one, since letters to the first one come back.

    Return False if there is no other address.
    """
    work.tx.accounts.lock_addresses(work.now)
    others = work.tx.accounts.others(user)
    if not others:
        return False
    moved = _go_to(work, user, others[0].address)
    work.tx.people.leave_address(user.userid, user.address)
    tell_account(
        work,
        moved,
        "address changed",
        f"Letters to {user.address} came back, so all letters for this account go to this address from now "
        f"on. For the boards that wait for you, send: games {user.userid} next",
        answers=False,
    )
    return True


def _go_to(work: Work, user: User, address: str) -> User:
    """Make an address the first one of an account; waiting letters go there. Return the account."""
    work.tx.accounts.drop_address(user.userid, address)
    work.tx.accounts.set_address(user.userid, address)
    if user.state == "suspended":
        leave.reached(work, user.userid)
    for letter in work.tx.outbox.waiting_for(user.userid):
        readdress(work, letter)
    return require_open(work, user.userid)


def require_open(work: Work, userid: str) -> User:
    """Return an account. Raises BadInput if it is closed."""
    user = work.tx.accounts.user(userid)
    if user is None or user.state == "closed":
        raise BadInput("That account is closed.", "closed")
    return user
