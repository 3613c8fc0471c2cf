"""Addresses that an account may have, and the budget for all letters to addresses without an account.

Another person may have named such an address. So the letters are counted by the place that asks and by
the domain that they go to, and a part of a day's letters is kept for the welcome. What costs something is a
letter that nobody wanted: one whose reader opens an account does not count any more. So no limit asks how
many people come from one provider. The operator can raise them all with the key ``newcomers``.
"""

from __future__ import annotations

from collections.abc import Iterator

from ... import identity
from ...config import NEWCOMERS
from ...errors import BadInput, Refusal, Sentence, say, together
from ...identity import addresses
from ...machine.times import DAY
from ...matchmaking.rows import Invitations
from ...store import Tx, User
from ..work.work import Work

A_DAY = NEWCOMERS  # letters to all addresses; if our mail server vouches for the writer, they count apart
# Letters to writers whose mail asks for nothing that we know, which count apart from all others: such
# mail may be spam, and a flood of it must not keep out people who ask.
TALK_A_DAY = 200
FOR_THE_DOOR = 150  # the part of a day's letters that is kept for the welcome
OF_A_PLACE = 60  # letters for the messages of one place, or of one account
TO_A_DOMAIN = (
    200  # and for the messages of all authors at one domain that our mail server vouches for
)


def mailboxes(tx: Tx, user: User) -> frozenset[str]:
    """Return the mailboxes of an account: one for all spellings of each of its addresses."""
    return frozenset(map(identity.mailbox, tx.accounts.addresses(user)))


def is_suppressed(work: Work, address: str) -> bool:
    """Return True if no letters go to that address now."""
    return any(work.tx.people.is_suppressed(mark, work.now) for mark in identity.marks(address))


def is_invited(work: Work, address: str) -> bool:
    """Return True if someone without an account may come in: all may, or has had a letter of ours.

    Where only invited people may, a reply to such a letter shows it, or the address that a player has
    invited.
    """
    is_open = work.context.config.strangers == "yes"
    return (
        is_open
        or work.guest.is_known
        or bool(work.tx.of(Invitations).get(identity.reader_mark(address)))
    )


def require_invited(work: Work, address: str) -> None:
    """Raise Refusal if no account may be opened at an address, because nobody has invited its owner."""
    if not is_invited(work, address):
        raise Refusal(
            say(
                "Only people who have been invited can have an account on this server. To invite "
                "someone, send: {command}",
                command="invite friend@example.org",
            ),
            "invited-only",
        )


def require_room(work: Work, address: str, kept: int = FOR_THE_DOOR) -> None:
    """Raise Refusal if no letter may go to that address now; ``kept`` letters of a day are for others."""
    if not work.limited or work.guest.is_known:
        return
    for counter, most, why in _limits(work, address):
        room = most - (kept if counter.startswith(_IN_ALL) else 0)
        if work.tx.ledger.counted(counter, work.now, DAY) >= raised(work, room):
            work.report.reached("strangers")
            raise Refusal(together(why, say("Please try again tomorrow.")), "too-many-strangers")


def count(work: Work, address: str) -> None:
    """Count a letter to a stranger's address, except the answer to a guest, who has proved to read there."""
    if not work.guest.is_known:
        for counter, *_ in _limits(work, address):
            work.tx.ledger.count(counter, work.now, DAY)


def confirmed(work: Work, address: str) -> None:
    """Take back the count of a letter to an address: its reader has opened an account."""
    for counter, *_ in _limits(work, address):
        work.tx.ledger.uncount(counter, work.now, DAY)


def raised(work: Work, most: int) -> int:
    """Return a limit of letters to strangers as the operator has raised it."""
    return most * work.context.config.newcomers // NEWCOMERS


_IN_ALL = "letters to strangers"


def _limits(work: Work, address: str) -> Iterator[tuple[str, int, Sentence]]:
    """Yield each counter, its limit in a day, and a sentence on that limit for a refusal."""
    apart = (" authentic" if work.sender.is_authentic else "") + (
        " talk" if work.guest.is_talk else ""
    )
    place = f"strangers {source(work)}{' talk' if work.guest.is_talk else ''}"
    yield (
        place,
        OF_A_PLACE,
        say("You can only have us write to so many newcomers a day, and you've reached the limit."),
    )
    if work.sender.is_authentic and not work.proved:
        yield (
            f"strangers from {_domain(work.sender.address)}{apart}",
            TO_A_DOMAIN,
            say(
                "We limit how many newcomers at one email provider can write to us each day, and "
                "yours has reached the limit."
            ),
        )
    yield (
        f"strangers at {_domain(address)}{apart}",
        TO_A_DOMAIN,
        say(
            "We only write to so many newcomers at each email provider a day, and we've reached "
            "the limit for that one."
        ),
    )
    most = TALK_A_DAY if work.guest.is_talk else A_DAY
    yield (
        f"{_IN_ALL}{apart}",
        most,
        say(
            "We limit how many letters we send to newcomers each day, and we've reached the limit."
        ),
    )


def source(work: Work) -> str:
    """Return the place by which requests for such letters are counted.

    It is the account that is proved, otherwise the mailbox that our mail server vouches for, otherwise the
    machine or the envelope's domain.
    """
    if work.proved:
        return f"account {work.proved}"
    if work.sender.is_authentic:
        return f"vouched {identity.reader_mark(work.sender.address)}"
    return work.sender.source.origin


def _domain(address: str) -> str:
    """Return the mark of an address's domain: a counter names nobody."""
    return identity.address_mark(address.rpartition("@")[2])


def usable_address(work: Work, address: str) -> str:
    """Return the address in the form in which it is stored. Raises BadInput."""
    local, _, domain = address.lower().rpartition("@")
    config = work.context.config
    if domain == config.domain == "localhost" and local != config.local and local.isalnum():
        return address.lower()  # for a trial of the server on one machine
    stored = addresses.checked(address)
    domain = stored.rpartition("@")[2]
    is_odd = local.startswith("-") or "%" in local or "=?" in local or len(local) > 64
    is_own = domain in (config.domain, "localhost")
    if is_odd or is_own or work.tx.people.is_banned(identity.address_mark(stored), domain):
        raise addresses.no_address()
    return stored


def require_free(work: Work, address: str, userid: str, *, as_first: bool) -> None:
    """Raise BadInput if another account has an address, so this account cannot have it.

    Until the transaction ends, no other process gives it to one. ``as_first``: it would be the first
    address, which several accounts may share.
    """
    work.tx.accounts.lock_addresses(work.now)
    for other in work.tx.accounts.users_at(address):
        if other.userid != userid and not (as_first and other.address == address):
            raise BadInput(
                say(
                    "Another account already has that address. Two accounts can only share an "
                    "address if it's the first address of both."
                ),
                "address-taken",
            )
