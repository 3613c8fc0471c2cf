"""The bytes of a message: headers, a text part, its HTML twin, and the picture that this shows.

The mark of a letter that a reply brings back: the detail of Reply-To stands in the Message-ID too.

So a reply whose address has lost its detail names it in In-Reply-To or References. At a provider without such
addresses, ``plain``, Reply-To is the plain address, and links to tap carry the detail at the end of the
Subject: ``F6 [r17t3k1z...]``.
"""

from __future__ import annotations

import binascii
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from email.header import Header
from email.utils import format_datetime
from functools import lru_cache
from urllib.parse import quote

from ..machine.times import Epoch

_LONGEST = 998  # bytes of a line, see RFC 5322
_TEXT = b"Content-Type: text/%s; charset=%s\nContent-Transfer-Encoding: %s\n\n"
RETURNED = (
    "X-Pbmstar-Bounce"  # a field of a letter: the detail for which the message that returns it is
)
ROOT = "<pbmstar.board"  # the beginning of the Message-ID of a thread


def mail(
    headers: Mapping[str, str],
    subject: str,
    parts: Sequence[bytes],
    at: Epoch,
    serial: str,
    files: Sequence[bytes] = (),
) -> bytes:
    """Return the bytes of a letter of one part or of alternatives, and ``files`` after it; lines ended by LF.

    Raises ValueError for a header with control characters.
    """
    head = [
        _date(int(at)),
        *[f"{name}: {value}" for name, value in headers.items() if value],
        f"Subject: {subject}",
        "MIME-Version: 1.0",
    ]
    if not "".join(head).isprintable():  # nothing can start a header of its own
        raise ValueError("a header with control characters")
    if not subject.isascii():
        head[-2] = f"Subject: {_encoded(subject)}"
    content = parts[0] if len(parts) == 1 else _multipart("alternative", parts, f"=_{serial}")
    if files:
        content = _multipart("mixed", (content, *files), f"=_{serial}.files")
    return "\n".join(head).encode("ascii", "replace") + b"\n" + content


def _encoded(subject: str) -> str:
    """Return a Subject with its words from the first beyond ASCII on in encoded words (RFC 2047), folded.

    What programs sort by stands before them as it is.
    """
    words = subject.split(" ")
    at = next(at for at, word in enumerate(words) if not word.isascii())
    before = "".join(f"{word} " for word in words[:at])
    tail = Header(" ".join(words[at:]), "utf-8", 74, f"Subject: {before}")
    return before + tail.encode(linesep="\n")


def plain(text: str) -> bytes:
    """Return a text part; ASCII text stays as it is."""
    if text.isascii():
        return _TEXT % (b"plain", b"us-ascii", b"7bit") + text.encode("ascii")
    encoded = binascii.b2a_qp(text.encode("utf-8", "replace"), istext=True)
    return _TEXT % (b"plain", b"utf-8", b"quoted-printable") + encoded


def html(text: str) -> bytes:
    """Return an HTML part, which can always be ASCII, in lines that mail may have."""
    content = text.encode("ascii", "xmlcharrefreplace")
    if not text.isascii():
        lines = content.split(b"\n")
        if max(map(len, lines)) > _LONGEST:
            content = b"\n".join(map(_broken, lines))
    return _TEXT % (b"html", b"us-ascii", b"7bit") + content


def _broken(line: bytes) -> bytes:
    """Return a line of HTML broken at blanks, where that means nothing, if it is too long."""
    if len(line) <= _LONGEST:
        return line
    at = line.rfind(b" ", 0, _LONGEST)
    return line if at < 0 else line[:at] + b"\n" + _broken(line[at + 1 :])


def file(kind: str, name: str, text: str) -> bytes:
    """Return a file of ASCII text, attached for the reader to keep."""
    disposition = f'Content-Disposition: attachment; filename="{name}"\n'
    head = f"Content-Type: {kind}\n{disposition}Content-Transfer-Encoding: 7bit\n\n"
    return f"{head}{text}".encode("ascii")


def related(html: bytes, pngs: Iterable[tuple[str, bytes]], serial: str) -> bytes:
    """Return an HTML part with the pictures that it names ``cid:``, each in base64, in lines."""
    pictures = [
        b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n"
        b'Content-ID: <%s>\nContent-Disposition: inline; filename="board.png"\n\n%s'
        % (cid.encode("ascii"), png)
        for cid, png in pngs
    ]
    return _multipart("related", (html, *pictures), f"=_{serial}.picture", '; type="text/html"')


def _multipart(kind: str, parts: Sequence[bytes], boundary: str, more: str = "") -> bytes:
    line = f'Content-Type: multipart/{kind}; boundary="{boundary}"{more}\n'.encode("ascii")
    begin = f"\n--{boundary}\n".encode("ascii")
    return b"".join(
        [line, *[begin + part for part in parts], f"\n--{boundary}--\n".encode("ascii")]
    )


@lru_cache(16)  # the letters of one message have the same second
def _date(at: int) -> str:
    return f"Date: {format_datetime(datetime.fromtimestamp(at, UTC))}"


def carried(headers: Mapping[str, str], plain: bool) -> dict[str, str]:
    """Return the header fields of a letter as they go out.

    The first letter about a board belongs to the thread of that name, as all later ones do.
    """
    address, detail = _parts(headers.get("Reply-To", ""))
    told = dict(headers)
    if detail and "Message-ID" in told:
        first, domain = told["Message-ID"].rstrip(">").rsplit("@", 1)
        if first.startswith(ROOT):
            root = told["Message-ID"]
            others = {name: told.pop(name, "") for name in ("In-Reply-To", "References")}
            told["In-Reply-To"] = others["In-Reply-To"] or root
            told["References"] = f"{root} {others['References']}".strip()
        told["Message-ID"] = f"{first}.{detail}@{domain}>"
    if plain and detail:
        told["Reply-To"] = address
    if plain and "List-Unsubscribe" in told:
        told["List-Unsubscribe"] = tagged_links(told["List-Unsubscribe"])
    return told


def tagged(reply_to: str) -> str:
    """Return an address with a detail as the plain one, and what stands at the end of a Subject to it."""
    address, detail = _parts(reply_to)
    return f"{address} [{detail}]" if detail else reply_to


def tagged_links(text: str) -> str:
    """Return a text in which the links that write to an address with a detail name it in the Subject."""
    return _LINK.sub(_tagged_link, text)


_LINK = re.compile(r'mailto:([^"<>@+%?]+)(?:\+|%2B)([^"<>@+%?]+)@([^"<>@?]+)\?([^"<>]*)')


def _tagged_link(link: re.Match[str]) -> str:
    local, detail, domain, rest = link.groups()
    return f"mailto:{local}@{domain}?{rest}{quote(f' [{detail}]')}"


def _parts(reply_to: str) -> tuple[str, str]:
    """Return the address without a detail, and the detail; both are empty for none."""
    local, _, domain = reply_to.partition("@")
    name, _, detail = local.partition("+")
    return f"{name}@{domain}", detail
