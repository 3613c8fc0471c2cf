"""The addresses of an account: letters go to the first one, and commands may come from the others too."""

from __future__ import annotations

from ... import identity
from ...command import Command
from ...errors import BadInput, Refusal, say, together
from ...identity.addresses import shown, stored
from ...render.facts import AddressFacts, FurtherFacts
from ...store import OtherAddress, Token, User
from ..letters.post import NO_LETTERS, readdress, tell_account
from ..proof import authentication, strangers
from ..proof.strangers import require_free, usable_address
from ..reminders import leave
from ..work.work import Work

MOST = 3  # addresses of an account
CHANGES_A_DAY = 3  # of the addresses of an account
_GETS = {
    "copies": say("It gets copies of your board letters."),
    "short": say("It gets short copies of your board letters."),
    NO_LETTERS: say("It doesn't get any letters, except answers to messages you send from there."),
}


def change_address(work: Work, command: Command, user: User) -> None:
    """Mail a token to the new address; letters go there once it is confirmed."""
    _ask_at(work, user, "address", command["address"])
    tell_account(
        work,
        user,
        say("address to confirm"),
        say(
            "We've written to the new address. Once you answer that letter, we'll send your "
            "letters there."
        ),
    )


def add_address(work: Work, command: Command, user: User) -> None:
    """Mail a token to a further address; once it is confirmed, commands may come from there.

    If the address is confirmed already, set which letters go there. Raises Refusal.
    """
    address, kind = stored(command["address"]), command.args.get("kind", "copies")
    others = {each.address: each for each in work.tx.accounts.others(user)}
    if address == user.address:
        raise Refusal(say("That's your first address: it gets all your letters."), "own-address")
    kept = [user.address, *(each for each in others if each != address)]
    if kind != NO_LETTERS and identity.mailbox(address) in map(identity.mailbox, kept):
        raise Refusal(
            say(
                "That's the same mailbox as one of your other addresses, so you'd get everything "
                "twice. To add it without getting copies there, put {word} at the end.",
                word=NO_LETTERS,
            ),
            "same-mailbox",
        )
    if address in others:
        work.tx.accounts.add_address(others[address]._replace(kind=kind))
        tell_account(
            work,
            user,
            say("address kept"),
            together(
                say("{address} already belongs to this account.", address=shown(address)),
                _GETS[kind],
            ),
        )
        return
    _require_room(user)
    _ask_at(work, user, kind, address)
    tell_account(
        work,
        user,
        say("address to confirm"),
        say(
            "We've written to {address}. Once you answer that letter, you can play from there, "
            "too. Nothing changes until then.",
            address=shown(address),
        ),
    )


def _require_room(user: User) -> None:
    if user.others >= MOST - 1:
        raise Refusal(
            say(
                'An account can have at most {most} addresses. To remove one, reply "remove '
                'address" followed by that address.',
                most=MOST,
            ),
            "too-many-addresses",
        )


def _ask_at(work: Work, user: User, kind: str, address: str) -> None:
    """Mail a token to a new address of an account. Raises BadInput, Refusal.

    The asker is not told if another account has the address; the reader there learns it by using the token.
    """
    if work.exceeds(CHANGES_A_DAY, f"change address {user.userid}"):
        raise Refusal(
            say(
                "You can change your addresses at most {most} times a day.",
                most=CHANGES_A_DAY,
            ),
            "too-many-changes",
        )
    address = usable_address(work, address)
    if authentication.too_many_tokens(work, address):
        raise Refusal(
            say(
                "In the past 30 days, we've already sent {most} letters like that to the new "
                "address, so we didn't send another. Answer one of those, or try again later.",
                most=authentication.TOKEN_MAILS,
            ),
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
        say("address added"),
        together(
            say(
                "You can now send commands for this account from {address}.", address=shown(address)
            ),
            _GETS[token.kind],
            say(
                "If you didn't add it, reply:\\n  {command}",
                command=f"remove address {shown(address)}",
            ),
        ),
    )
    other = OtherAddress(address, user.userid, token.kind, work.now)
    if not work.tx.accounts.add_address(other):
        raise BadInput(say("That address now belongs to another account."), "address-taken")
    tell_account(
        work,
        user._replace(address=address),
        say("address added"),
        together(
            say(
                "You can now send commands for the account {userid} from this address.",
                userid=user.userid,
            ),
            _GETS[token.kind],
        ),
    )


def remove_address(work: Work, command: Command, user: User) -> None:
    """Take an address away; letters that were mailed there prove nothing any more. Raises Refusal."""
    address = stored(command["address"])
    if address == user.address:
        raise Refusal(
            say(
                'That\'s your first address. To change it, reply "change address" followed by '
                "the new address."
            ),
            "own-address",
        )
    if address not in work.tx.accounts.addresses(user):
        raise Refusal(say("This account doesn't have that address."), "no-such-address")
    take_away(work, user, address)
    tell_account(
        work,
        user,
        say("address removed"),
        say("{address} no longer belongs to this account.", address=shown(address)),
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
            say("address changed"),
            say(
                "Letters for this account now go to another address. If you didn't change that, "
                "write to the operator of this server at {address}.",
                address=f"postmaster@{work.context.config.domain}",
            ),
        )
    tell_account(
        work,
        moved,
        say("address changed"),
        together(
            say("Letters for this account now go to this address."),
            *((leave.waiting(work, userid),) if user.state == "suspended" else ()),
        ),
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
        say("address changed"),
        say(
            "Our letters to {address} came back, so all letters for this account now go to "
            "this address. For the boards waiting for you, send: {command}",
            address=shown(user.address),
            command=f"games {user.userid} next",
        ),
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
        raise BadInput(say("That account is closed."), "closed")
    return user
