"""Mails for the tests, and what is read out of them.

A text of a table, see ``harness.tables``, stands for a mail by its first word: ``head`` has fields of a plain
mail whose text is MOVE, ``body`` the text, ``mail`` fields, a blank line and the text, ``raw`` the whole, and
``bytes`` the whole with its own line ends. A reading has the own lines, and each field of the reading that a
plain mail has not.
"""

from __future__ import annotations

import base64
import quopri
import re
from pathlib import Path

from harness.tables import escape, unescape

from pbmstar.errors import Unreadable
from pbmstar.inbound import Inbound, read

TABLES = Path(__file__).parent / "readings"
FRAMES = "head |body |mail |raw |bytes "
DOMAIN, AUTHSERV = "star.example", "mx.pbm.example"
MOVE = "star move 17 alice sesame F6"
OLD = "star move 17 alice sesame A1"  # a command in quoted text: it must never be among the lines
STAR = "Star server <star@star.example>"

# A letter of ours as clients quote it, an old command inside.
LETTER = f"""Summary of Star Board 17
It is alice's turn.
   A B C
 1 . x .
You can:
  {OLD}
{OLD}
""".splitlines()


def mail(
    body: str | bytes = "",
    *,
    subject: str | None = None,
    author: str | None = "Alice Example <alice@example.net>",
    kind: str | None = "text/plain; charset=utf-8",
    cte: str = "",
    more: str = "",
    message_id: str | None = "<m1@mail.example.net>",
    line_end: bytes = b"\r\n",
) -> bytes:
    """A mail with these header fields and this body, which is encoded as ``cte`` says."""
    head = ["Received: from mail.example.net by mx.star.example; Tue, 3 Nov 2026 10:00:00 +0000"]
    if author is not None:
        head.append(f"From: {author}")
    head.append("To: star@star.example")
    if subject is not None:
        head.append(f"Subject: {subject}")
    if message_id is not None:
        head.append(f"Message-ID: {message_id}")
    head.append("Date: Tue, 3 Nov 2026 11:00:00 +0100")
    if kind is not None:
        head += ["MIME-Version: 1.0", f"Content-Type: {kind}"]
    if cte:
        head.append(f"Content-Transfer-Encoding: {cte}")
    head += more.splitlines()
    raw = body if isinstance(body, bytes) else body.encode()
    if cte == "base64":
        raw = base64.encodebytes(raw)
    elif cte == "quoted-printable":
        raw = quopri.encodestring(raw)
    text = "\n".join(head).encode() + b"\n\n" + raw
    return text.replace(b"\r\n", b"\n").replace(b"\n", line_end)


def part(kind: str, body: str | bytes, more: str = "") -> str | bytes:
    """One part of a multipart; of bytes if the body is."""
    head = f"Content-Type: {kind}\n{more}\n"
    return head + body if isinstance(body, str) else head.encode() + body


def parts(boundary: str, *told: str | bytes) -> bytes:
    """The body of a multipart."""
    mark = b"--" + boundary.encode()
    pieces = [mark + b"\n" + (t.encode() if isinstance(t, str) else t) + b"\n" for t in told]
    return b"".join(pieces) + mark + b"--\n"


def got(body: str | bytes = "", **how: str | None) -> Inbound:
    """What is read from such a mail."""
    return read(mail(body, **how), DOMAIN)  # type: ignore[arg-type]


def lines(body: str | bytes = "", **how: str | None) -> tuple[str, ...]:
    """The own lines of such a mail."""
    return got(body, **how).lines


def quoted(prefix: str = "> ") -> str:
    """Our letter with a prefix before each line."""
    return "\n".join(prefix + line for line in LETTER)


def html(body: str) -> tuple[str, ...]:
    """Return the own lines of a mail of HTML."""
    return lines(
        f"<html><head><title>{OLD}</title></head><body>{body}</body></html>", kind="text/html"
    )


# -- parts

MIXED = "multipart/mixed; boundary=x"
ALTERNATIVE = "multipart/alternative; boundary=x"
TEXT = part("text/plain; charset=utf-8", MOVE)
FILE = "Content-Disposition: attachment; filename=move.txt\n"


# -- texts of tables

NAMES = {"QUOTED": quoted(), "LETTER": "\n".join(LETTER), "MOVE": MOVE, "OLD": OLD, "STAR": STAR}


def written(text: str) -> bytes:
    """Return the mail that a text of a table stands for."""
    kind, _, text = text.partition(" ")
    text = unescape(text, NAMES)
    if kind in ("raw", "bytes"):
        text = text.replace("\n", "\r\n") if kind == "raw" else text
        return text.encode("utf-8", "surrogateescape")
    head, _, body = text.partition("\n\n") if kind == "mail" else (text, "", MOVE)
    if kind == "body":
        head, body = "", text
    plain, _, _ = mail().decode().replace("\r\n", "\n").partition("\n\n")
    fields = [f for f in re.split(r"\n(?![ \t])", head) if f]
    names = {f.partition(":")[0].lower() for f in fields}
    kept = [f for f in plain.split("\n") if f.partition(":")[0].lower() not in names]
    whole = "\n".join([*kept, *fields]) + "\n\n" + body
    return whole.replace("\n", "\r\n").encode("utf-8", "surrogateescape")


PLAIN = read(mail(MOVE), DOMAIN, AUTHSERV)


def reading(raw: bytes) -> str:
    """Return what is read from a mail as one line of text."""
    try:
        inbound = read(raw, DOMAIN, AUTHSERV)
    except Unreadable as refused:
        return f"[refused: {refused}]"
    told = [escape("\n".join(inbound.lines), NAMES) or "nothing"]
    for name in ("author", "message_id", "subject", "is_reply", "automatic", "quiet", "looks", "attached",
                 "cut_short", "trouble", "authentic"):  # fmt: skip
        value = getattr(inbound, name)
        if name == "trouble" and value:
            value = str(value).partition(".")[0]
        if value != getattr(PLAIN, name):
            told.append(f"[{name}]" if value is True else f"[{name}: {escape(str(value), NAMES)}]")
    return " ".join(told)
