"""Addresses that an account may have, and letters to those that none has: one budget for all ways to them.

Somebody else may have named the address: so they are counted by who asks and by where they go, and
a part of a day's letters is kept for those who ask what this is.
"""

from __future__ import annotations

from collections.abc import Iterator

from email_validator import EmailNotValidError, validate_email

from ... import identity
from ...errors import BadInput, Refusal
from ...match.terms import DAY
from ..work.work import Work

A_DAY = 400  # to all addresses; those of writers for whom our mail server vouches are counted apart
# To those whose mail asks for nothing that we know, apart from all others: it may be spam, and a flood
# of that is to keep out nobody who asks.
TALK_A_DAY = 200
FOR_THE_DOOR = 150  # of these
OF_A_PLACE = 60  # that mails of one place, or of one account, bring
TO_A_DOMAIN = 200


def reader(address: str) -> str:
    """Return the mark of all spellings of an address that bring mail to the same reader, as far as known."""
    return identity.address_mark(identity.mailbox(address))


def marks(address: str) -> frozenset[str]:
    """Return the marks under which something may be known of an address: of this spelling, and of all."""
    return frozenset((identity.address_mark(address), reader(address)))


def is_suppressed(work: Work, address: str) -> bool:
    """Return True if no letters go to that address now."""
    return any(work.tx.people.is_suppressed(mark, work.now) for mark in marks(address))


def require_room(work: Work, address: str, kept: int = FOR_THE_DOOR) -> None:
    """Raise Refusal if no letter may go to that address now, with so many of the day's kept for others."""
    if not work.limited or work.author.is_guest:
        return
    for counter, most, what in _limits(work, address):
        most -= kept if what == _IN_ALL else 0
        if work.tx.ledger.counted(counter, work.now, DAY) >= most:
            work.report.reached("strangers")
            raise Refusal(f"{most} letters a day {what}. Try again tomorrow.", "too-many-strangers")


def count(work: Work, address: str) -> None:
    """Count a letter; one that answers who has proved to read there is theirs alone."""
    if not work.author.is_guest:
        for counter, *_ in _limits(work, address):
            work.tx.ledger.count(counter, work.now, DAY)


_IN_ALL = "at most go to people without an account"


def _limits(work: Work, address: str) -> Iterator[tuple[str, int, str]]:
    """Yield each counter, the most of it in a day, and what of."""
    author = work.author
    apart = (" authentic" if author.is_authentic else "") + (" talk" if author.is_talk else "")
    place = f"strangers {source(work)}{' talk' if author.is_talk else ''}"
    yield place, OF_A_PLACE, "at most come of one writer's mails"
    domain = address.rpartition("@")[2].lower()
    yield f"strangers at {domain}{apart}", TO_A_DOMAIN, "at most go to new people of one domain"
    yield f"letters to strangers{apart}", TALK_A_DAY if author.is_talk else A_DAY, _IN_ALL


def source(work: Work) -> str:
    """Return the place by which somebody is counted who asks for such letters: the account that is
    proved, else the domain that our mail server vouches for, else the machine or envelope's domain."""
    author = work.author
    if author.proved:
        return f"account {author.proved}"
    if author.is_authentic:
        return f"vouched {author.address.rpartition('@')[2]}"
    return author.origin


def usable_address(work: Work, address: str) -> str:
    """Return the address in the form in which it is kept. Raises BadInput."""
    refusal = BadInput("That is no mail address that this server can use.", "bad-address")
    local, _, domain = address.lower().rpartition("@")
    config = work.context.config
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
    if work.tx.people.is_banned(identity.address_mark(address), domain):
        raise refusal
    return checked.normalized.lower()


def require_free(work: Work, address: str, userid: str, *, as_first: bool) -> None:
    """Raise BadInput if an address cannot become one of an account, since another one has it.

    ``as_first``: it is to be the first one, which several accounts may have.
    """
    for other in work.tx.accounts.users_at(address):
        if other.userid != userid and not (as_first and other.address == address):
            raise BadInput(
                "That address is one of another account. Only a first address can be that of several "
                "accounts.",
                "address-taken",
            )
