"""The byte gate: it refuses messages before any parser sees them.

A message far larger than people write is either an attack on the parser or not for us. A few linear searches
check the limits, so that a refusal costs a millisecond or two at most.
"""

from __future__ import annotations

import re
from typing import cast

from ..errors import Unreadable

MAIL = 1_048_576  # bytes: the whole mail
HEADER = 65_536  # a header block, of the mail or of one of its parts
FIELDS = 200  # fields in a header block
FIELD = 8_192  # one field, folded lines included
CONTENT = 2_048  # a Content-* field: its parameters are parsed
ADDRESS = 998  # From: its addresses are parsed
PARTS = 50  # MIME parts, all levels together
DEPTH = 10  # levels of multiparts and enclosed messages

_CR_TO_BLANK = bytes.maketrans(b"\r", b" ")
# The first line that cannot belong to a header ends it, if there is no blank line before.
_BLOCK = re.compile(rb"(?:(?:[!-9;-~]*+[ \t]*+:|[ \t]|From )[^\n]*+(?:\n|\Z))*+")
_FIELD_START = re.compile(rb"\n(?![ \t])")


def admit(raw: bytes) -> bytes:
    """Return the mail without NUL bytes and with ``\n`` at line ends, and a blank for a bare CR.

    Raises Unreadable if the mail, or its header, is too large or it has far too many parts. This is
    the only place where line ends are changed: CRLF and bare LF end a line, a bare CR never does.
    """
    if len(raw) > MAIL:
        raise Unreadable("message too large")
    if len(raw) > 2 * HEADER:  # a hostile beginning is not worth more work
        header(_one_line_end(raw[: 2 * HEADER].replace(b"\0", b"")), 0, 2 * HEADER)
    if b"\0" in raw:
        raw = raw.translate(None, b"\0")
    if raw.count(b"\n--") > 20 * PARTS or raw.count(b"boundary=") > 2 * PARTS:
        raise Unreadable("too many MIME parts")  # the exact count comes later, for few lines then
    return _one_line_end(raw)


def _one_line_end(raw: bytes) -> bytes:
    if raw.count(b"\r") == raw.count(b"\r\n"):  # the usual case, and the fastest way for all sizes
        return raw.translate(None, b"\r")
    return raw.replace(b"\r\n", b"\n").translate(_CR_TO_BLANK)


def header(data: bytes, start: int, end: int) -> tuple[bytes, int]:
    """Return the header block at ``start``, and the beginning of the body after it.

    Raises Unreadable if the block is beyond the limits.
    """
    match = cast(re.Match[bytes], _BLOCK.match(data, start, min(end, start + HEADER + 1)))
    block = match[0]  # it matches the empty block too
    if len(block) > HEADER:
        raise Unreadable("header block too large")
    if len(block) > ADDRESS or block.count(b"\n") > FIELDS:  # else no field can be too long
        _check_fields(block)
    body = match.end()
    return block, body + 1 if data[body : body + 1] == b"\n" and body < end else body


def _check_fields(block: bytes) -> None:
    fields = _FIELD_START.split(block.rstrip(b"\n"), FIELDS)
    if len(fields) > FIELDS:
        raise Unreadable("too many header fields")
    for field in fields:
        if len(field) <= ADDRESS:
            continue
        name = field.partition(b":")[0].rstrip(b" \t").lower()
        if (
            len(field) > FIELD
            or name == b"from"
            or (len(field) > CONTENT and name.startswith(b"content-"))
        ):
            raise Unreadable("header field too long")
