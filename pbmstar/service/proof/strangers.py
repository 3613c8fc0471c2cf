"""Addresses that an account may have, and the budget for all letters to addresses without an account.

Another person may have named such an address. So the letters are counted by the place that asks and by
the domain that they go to, and a part of a day's letters is kept for the welcome.
"""

from __future__ import annotations

from collections.abc import Iterator

from email_validator import EmailNotValidError, validate_email

from ... import identity
from ...errors import BadInput, Refusal, Said, say, together
from ...match.terms import DAY
from ...store import Tx, User
from ..work.work import Work

A_DAY = 400  # letters to all addresses; if our mail server vouches for the writer, they count apart
# Letters to writers whose mail asks for nothing that we know, which count apart from all others: such
# mail may be spam, and a flood of it must not keep out people who ask.
TALK_A_DAY = 200
FOR_THE_DOOR = 150  # the part of a day's letters that is kept for the welcome
OF_A_PLACE = 60  # letters for the messages of one place, or of one account
TO_A_DOMAIN = 200


def reader(address: str) -> str:
    """Return the mark that all known spellings of an address for the same mailbox share."""
    return identity.address_mark(identity.mailbox(address))


def mailboxes(tx: Tx, user: User) -> frozenset[str]:
    """Return the mailboxes of an account: one for all spellings of each of its addresses."""
    return frozenset(map(identity.mailbox, tx.accounts.addresses(user)))


def marks(address: str) -> frozenset[str]:
    """Return the marks under which an address may be stored: that of this spelling, and that of all."""
    return frozenset((identity.address_mark(address), reader(address)))


def is_suppressed(work: Work, address: str) -> bool:
    """Return True if no letters go to that address now."""
    return any(work.tx.people.is_suppressed(mark, work.now) for mark in marks(address))


def require_room(work: Work, address: str, kept: int = FOR_THE_DOOR) -> None:
    """Raise Refusal if no letter may go to that address now; ``kept`` letters of a day are for others."""
    if not work.limited or work.author.is_guest:
        return
    for counter, most, why in _limits(work, address):
        room = most - (kept if counter.startswith(_IN_ALL) else 0)
        if work.tx.ledger.counted(counter, work.now, DAY) >= room:
            work.report.reached("strangers")
            raise Refusal(together(why, say("Try again tomorrow.")), "too-many-strangers")


def count(work: Work, address: str) -> None:
    """Count a letter to a stranger's address, except the answer to a guest, who has proved to read there."""
    if not work.author.is_guest:
        for counter, *_ in _limits(work, address):
            work.tx.ledger.count(counter, work.now, DAY)


_IN_ALL = "letters to strangers"


def _limits(work: Work, address: str) -> Iterator[tuple[str, int, Said]]:
    """Yield each counter, its limit in a day, and a sentence on that limit for a refusal."""
    author = work.author
    apart = (" authentic" if author.is_authentic else "") + (" talk" if author.is_talk else "")
    place = f"strangers {source(work)}{' talk' if author.is_talk else ''}"
    yield place, OF_A_PLACE, say("One writer has caused too many letters today.")
    domain = address.rpartition("@")[2].lower()
    yield (
        f"strangers at {domain}{apart}",
        TO_A_DOMAIN,
        say("Too many letters go to new people of one domain today."),
    )
    most = TALK_A_DAY if author.is_talk else A_DAY
    yield f"{_IN_ALL}{apart}", most, say("Too many letters go to people without an account today.")


def source(work: Work) -> str:
    """Return the place by which requests for such letters are counted.

    It is the account that is proved, otherwise the domain that our mail server vouches for, otherwise the
    machine or the envelope's domain.
    """
    author = work.author
    if author.proved:
        return f"account {author.proved}"
    if author.is_authentic:
        return f"vouched {author.address.rpartition('@')[2]}"
    return author.origin


def usable_address(work: Work, address: str) -> str:
    """Return the address in the form in which it is stored. Raises BadInput."""
    refusal = BadInput(say("This server cannot use that mail address."), "bad-address")
    local, _, domain = address.lower().rpartition("@")
    config = work.context.config
    if domain == config.domain == "localhost" and local != config.local and local.isalnum():
        return address.lower()  # for a trial of the server on one machine
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
    if work.tx.people.is_banned(identity.address_mark(address), domain):
        raise refusal
    return checked.normalized.lower()


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
                    "That address belongs to another account. Several accounts can share only a "
                    "first address."
                ),
                "address-taken",
            )
