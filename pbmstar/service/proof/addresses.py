"""Addresses that an account may have."""

from __future__ import annotations

from email_validator import EmailNotValidError, validate_email

from ... import identity
from ...errors import BadInput
from ..work.work import Work


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
