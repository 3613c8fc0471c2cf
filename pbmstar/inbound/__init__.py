"""Bytes -> Inbound: what a mail says, never what it means.

``gate``    refuses what is too large or too crooked to read, on bytes alone
``fields``  header fields: author, Message-ID, Subject
``authentic``  whether our mail server vouches for the author
``nature``  who wrote it: a player, a list, an automaton
``mime``    which part is the text; ``transfer`` decodes it, ``html`` extracts it from HTML
``lines``   the writer's own lines, without quotes and signatures; ``phrases`` are its tables

Leaving quotes out is a courtesy, not a safeguard: it is the command grammar and the move guard that
keep an old command from being played again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from . import authentic, fields, lines, mime, nature
from .gate import admit

__all__ = ["Inbound", "admit", "read"]


@dataclass(frozen=True, slots=True)
class Inbound:
    """What a mail says.

    author      the one From address, in lower case; None if there is none, or no single one
    message_id  ``<...@...>`` as received; None if it is not of plain form
    subject     decoded, one line, cleaned, without the [tags] and ***SPAM*** marks that programs
                put before it; "" if there is none
    is_reply    the Subject has a Re:, Fwd:, AW: ... before it (which stays in ``subject``)
    lines       the writer's own lines of the body, cleaned, in order; nothing that is quoted
    automatic   why the mail is neither executed nor answered, or None
    quiet       why the mail, executed if it is in order, is never answered with an error, or None
    trouble     sentences for the player if the mail has no text that can be read, or None
    authentic   what our own mail server found out about ``author``: pass, fail or none
    digest      32 bytes, equal for two deliveries of one mail
    """

    author: str | None
    message_id: str | None
    subject: str
    is_reply: bool
    lines: tuple[str, ...]
    automatic: str | None
    quiet: str | None
    trouble: str | None
    authentic: str
    digest: bytes


def read(raw: bytes, own_domain: str, authserv_id: str = "") -> Inbound:
    """Reads one mail, in bounded time and memory. ``own_domain`` is that of our own loop marks.

    ``authserv_id`` is the name under which our own mail server says what it has found out; what
    others say in Authentication-Results is not looked at.

    Raises Unreadable for a mail beyond the limits of the gate, and nothing else for any bytes.
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
        trouble,
        authentic.result(mail.fields, author, authserv_id),
        # Without a Message-ID it is the Date that tells a mail from one that says the same later.
        _digest(author, message_id or fields.first(mail.fields, "date"), subject, body),
    )


def _digest(author: str | None, mark: str, subject: str, body: list[str]) -> bytes:
    """SHA-256 of what was read: no trace of the way the mail took, nor of how it was encoded."""
    text = "\n".join(body).strip("\n")
    whole = "\0".join((author or "", mark, subject, text))  # no NUL is in any of the four
    return hashlib.sha256(whole.encode()).digest()
