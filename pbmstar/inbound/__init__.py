"""Bytes -> Inbound: the words of a message, never their meaning.

``gate``    refuses messages that are too large or too crooked to read, on bytes alone
``fields``  header fields: author, Message-ID, Subject
``authentic``  the word of our mail server for or against the author
``nature``  the kind of writer: a player, a list, an automaton
``mime``    finds the text; ``transfer`` decodes it, ``html`` extracts it from HTML
``lines``   the writer's own lines, without quotes and signatures; ``phrases`` are its tables

Leaving quotes out is a courtesy, not a safeguard: the command grammar and the move guard keep an old
command from being played again.
"""

from __future__ import annotations

import email
import hashlib
from dataclasses import dataclass
from email.policy import compat32

from . import authentic, fields, lines, mime, nature
from .gate import admit

__all__ = ["Inbound", "admit", "names", "read"]


@dataclass(frozen=True, slots=True)
class Inbound:
    """The words of a message.

    author      the one From address, in lower case; None if there is none, or no single one
    message_id  ``<...@...>`` as received; None if it is not of plain form
    subject     decoded, one line, cleaned, without the [tags] and ***SPAM*** marks that programs
                put before it; "" if there is none
    is_reply    the Subject has a Re:, Fwd:, AW: ... before it (which stays in ``subject``)
    lines       the writer's own lines of the body, cleaned, in order, without quotes
    automatic   the reason that the mail is neither executed nor answered, or None
    quiet       the reason that the mail, executed if it is in order, gets no error letter, or None
    attached    the writer has attached a file, such as a photo
    trouble     sentences for the player if the mail has no readable text, or None
    authentic   our own mail server's result on ``author``: pass, fail or none
    digest      32 bytes, equal for two deliveries of one message
    """

    author: str | None
    message_id: str | None
    subject: str
    is_reply: bool
    lines: tuple[str, ...]
    automatic: str | None
    quiet: str | None
    attached: bool
    trouble: str | None
    authentic: authentic.Result
    digest: bytes


def read(raw: bytes, own_domain: str, authserv_id: str = "") -> Inbound:
    """Read one message, in bounded time and memory. ``own_domain`` is the domain of our own loop marks.

    ``authserv_id`` is the name of our own mail server in Authentication-Results; the results of others do
    not count.

    Raises Unreadable for a message beyond the limits of the gate, and nothing else for any bytes.
    Does not know the envelope: the null sender, our own addresses and rate limits are the caller's.
    Date, Reply-To, Sender and Return-Path are not looked at.
    """
    mail = mime.parse(admit(raw))
    author = fields.author(mail.fields)
    message_id = fields.message_id(mail.fields)
    subject, is_reply = fields.subject(mail.fields)
    automatic = nature.automatic(mail, author, subject, own_domain)
    quiet = None if automatic else nature.quiet(mail.fields, author)
    body, trouble = mime.text(mail)
    return Inbound(
        author,
        message_id,
        subject,
        is_reply,
        lines.own(body),
        automatic,
        quiet,
        mime.has_files(mail),
        trouble,
        authentic.result(mail.fields, author, authserv_id),
        # Without a Message-ID, the Date distinguishes a message from a later one with the same words.
        _digest(author, message_id or fields.first(mail.fields, "date"), subject, body),
    )


def _digest(author: str | None, mark: str, subject: str, body: list[str]) -> bytes:
    """Return the SHA-256 of the words; neither the way of the mail nor its encoding changes it."""
    text = "\n".join(body).strip("\n")
    whole = "\0".join((author or "", mark, subject, text))  # no NUL is in any of the four
    return hashlib.sha256(whole.encode()).digest()


def names(raw: bytes, address: str) -> bool:
    """Return True if an address stands in a message, as it is or in an encoded part of it."""
    sought = address.lower().encode()
    if sought in raw.lower():
        return True
    mail = email.message_from_bytes(raw, policy=compat32)
    texts = (part.get_payload(decode=True) for part in mail.walk())
    return any(isinstance(text, bytes) and sought in text.lower() for text in texts)
