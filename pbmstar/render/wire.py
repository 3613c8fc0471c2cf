"""The bytes of a mail: headers, and a text part with its HTML twin."""

from __future__ import annotations

import binascii
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime
from functools import lru_cache

_TYPE = b"Content-Type: text/%s; charset=%s\nContent-Transfer-Encoding: %s\n\n"


def mail(
    headers: Mapping[str, str], subject: str, text: str, html: str, at: float, boundary: str
) -> bytes:
    """The bytes of a mail, lines ended by LF. Raises ValueError for a header with control characters."""
    head = [
        _date(int(at)),
        *(f"{name}: {value}" for name, value in headers.items() if value),
        f"Subject: {subject}",
        "MIME-Version: 1.0",
        f'Content-Type: multipart/alternative; boundary="{boundary}"',
    ]
    if not "".join(head).isprintable():  # nothing can start a header of its own
        raise ValueError("a header with control characters")
    return b"".join(
        (
            "\n".join(head).encode("ascii", "replace"),
            f"\n\n--{boundary}\n".encode("ascii"),
            _part("plain", text),
            f"\n--{boundary}\n".encode("ascii"),
            _part("html", html),
            f"\n--{boundary}--\n".encode("ascii"),
        )
    )


def _part(kind: str, content: str) -> bytes:
    """One part, as it is if it is ASCII; HTML can always be."""
    if kind == "html":
        ascii_only = content.encode("ascii", "xmlcharrefreplace")
    elif content.isascii():
        ascii_only = content.encode("ascii")
    else:
        encoded = binascii.b2a_qp(content.encode("utf-8", "replace"), istext=True)
        return _TYPE % (b"plain", b"utf-8", b"quoted-printable") + encoded
    return _TYPE % (kind.encode("ascii"), b"us-ascii", b"7bit") + ascii_only


@lru_cache(64)
def _date(at: int) -> str:
    return f"Date: {format_datetime(datetime.fromtimestamp(at, UTC))}"
