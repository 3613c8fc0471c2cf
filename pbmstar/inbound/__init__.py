"""Bytes -> Inbound: the words of a message, never their meaning.

``gate``    refuses messages that are too large or too crooked to read, on bytes alone
``fields``  header fields: author, Message-ID, Subject
``authentic``  the word of our mail server for or against the author
``nature``  the kind of writer: a player, a list, an automaton
``mime``    finds the text; ``decoding`` reads its bytes, ``html`` extracts it from HTML
``quotes``  where the text quotes a letter of ours, or another mail
``lines``   the writer's own lines, without quotes and signatures; ``phrases`` are its tables

Leaving quotes out is a courtesy, not a safeguard: the command grammar and the move guard keep an old
command from being played again.
"""

from __future__ import annotations

import email
import hashlib
from dataclasses import dataclass
from email.policy import compat32

from ..errors import Sentence
from . import authentic, fields, lines, mime, nature
from .gate import admit
from .mime import TROUBLE_CUT

__all__ = ["TROUBLE_CUT", "Inbound", "admit", "names", "read"]


@dataclass(frozen=True, slots=True)
class Inbound:
    """The words of a message.

    author      the one From address, in lower case; None if there is none, or no single one
    message_id  ``<...@...>`` as received; None if it is not of plain form
    subject     decoded, one line, cleaned, without the [tags] and ***SPAM*** marks that programs
                put before it, and without ``proof``; "" if there is none
    proof       the detail in the Subject's end, in brackets, as links to tap write it; "" for none
    answers     the Message-IDs of the letters that it answers, the likeliest first
    is_reply    the Subject has a Re:, Fwd:, AW: ... before it (which stays in ``subject``)
    lines       the writer's own lines of the body, cleaned, in order, without quotes
    left_out    how many lines that may be the writer's too were taken for a quotation or a signature; they
                stand below the line ``below``, which is shortened
    automatic   the reason that the mail is neither executed nor answered, or None
    quiet       the reason that the mail gets no error letter if nothing proves its writer, or None
    looks       the reason that it looks automatic by its Subject alone: only its commands count; or None
    attached    the writer has attached a file, such as a photo, or a text that is not among the lines
    cut_short   the mail was cut on its way; the line in which it ends is not among the lines
    trouble     sentences for the player if the mail has no readable text, or None
    authentic   our own mail server's result on ``author``: pass, fail or none
    digest      32 bytes, equal for two deliveries of one message
    """

    author: str | None
    message_id: str | None
    subject: str
    proof: str
    answers: tuple[str, ...]
    is_reply: bool
    lines: tuple[str, ...]
    automatic: str | None
    quiet: str | None
    looks: str | None
    attached: bool
    cut_short: bool
    trouble: Sentence | None
    authentic: authentic.Result
    digest: bytes
    left_out: int = 0
    below: str = ""


def read(raw: bytes, own_domain: str, authserv_id: str = "", topmost: bool = False) -> Inbound:
    """Read one message, in bounded time and memory. ``own_domain`` is the domain of our own loop marks.

    ``authserv_id`` is the name of our own mail server in Authentication-Results; the results of others do
    not count. ``topmost``: only the first of its fields does.

    Raises Unreadable for a message beyond the limits of the gate, and nothing else for any bytes.
    Does not know the envelope: the null sender, our own addresses and rate limits are the caller's.
    Date, Reply-To, Sender and Return-Path are not looked at.
    """
    mail = mime.parse(admit(raw))
    author = fields.author(mail.fields)
    message_id = fields.message_id(mail.fields)
    subject, proof, is_reply = fields.subject(mail.fields)
    automatic = nature.automatic(mail, author, own_domain)
    quiet = None if automatic else nature.quiet(mail.fields, author)
    text = mime.text(mail)
    own = lines.own(text.lines, own_domain, author or "", subject if is_reply else "")
    whole = _without_cut(own.lines)
    cut_short = len(whole) < len(own.lines)
    return Inbound(
        author,
        message_id,
        subject,
        proof,
        fields.answers(mail.fields),
        is_reply,
        whole,
        automatic,
        quiet,
        None if automatic else nature.looks(subject),
        text.has_more,
        cut_short or text.trouble is TROUBLE_CUT,
        TROUBLE_CUT if cut_short and not whole else text.trouble,
        authentic.result(mail.fields, author, authserv_id, topmost),
        # Without a Message-ID, the Date distinguishes a message from a later one with the same words.
        _digest(author, message_id or fields.first(mail.fields, "date"), subject, text.lines),
        own.left_out,
        lines.shortened(own.below.removesuffix(mime.CUT)),
    )


def _without_cut(own: tuple[str, ...]) -> tuple[str, ...]:
    """Return own lines without those that were cut, and without blank ones at either end."""
    if mime.CUT not in "\n".join(own):
        return own
    kept = [line for line in own if not line.endswith(mime.CUT)]
    first = next((at for at, line in enumerate(kept) if line), len(kept))
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept[first:])


def _digest(author: str | None, mark: str, subject: str, body: list[str]) -> bytes:
    """Return the SHA-256 of the words; neither the way of the mail nor its encoding changes it."""
    text = "\n".join(body).replace(mime.CUT, "").strip("\n")
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
