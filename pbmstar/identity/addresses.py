"""The two spellings of a mail address: the one that mail servers take, which is stored, and the one to show.

They differ where a domain has letters beyond ASCII: ``a@xn--mnchen-3ya.example`` is shown as
``a@münchen.example``.
"""

from __future__ import annotations

from email_validator import EmailNotValidError, ValidatedEmail, validate_email

from ..errors import BadInput, say


def no_address() -> BadInput:
    """Return the refusal of an address to which no mail can go."""
    return BadInput(say("That doesn't look like an email address we can write to."), "bad-address")


def checked(address: str) -> str:
    """Return an address as it is stored, in small letters and all in ASCII. Raises BadInput if it is none."""
    try:
        valid = _valid(address)
    except EmailNotValidError:
        raise no_address() from None
    return f"{valid.local_part}@{valid.ascii_domain}".lower()


def stored(address: str) -> str:
    """Return the spelling of an address that is stored; of what cannot be an address, the small letters."""
    try:
        return checked(address)
    except BadInput:
        return address.lower()


def shown(address: str) -> str:
    """Return an address as its owner reads it."""
    try:
        return _valid(address).normalized
    except EmailNotValidError:
        return address


def _valid(address: str) -> ValidatedEmail:
    return validate_email(
        address, check_deliverability=False, allow_smtputf8=False, test_environment=True
    )
