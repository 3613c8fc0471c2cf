"""Header fields: from bytes to text, and the few that matter."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header
from urllib.parse import unquote

from . import phrases
from .lines import clean_line
from .transfer import decode

Fields = dict[str, list[str]]  # names in lower case -> values, unfolded, in order

_SUBJECT = 2_000  # characters of a Subject that are looked at
_FIELD_START = re.compile(r"\n(?![ \t])")


def parse(block: bytes) -> Fields:
    """Return the fields of a header block that the gate let through. Never raises.

    Bytes beyond ASCII are decoded as well as possible. A line that is not a field is left out.
    """
    fields: Fields = {}
    for field in _FIELD_START.split(decode(block)):
        name, colon, value = field.partition(":")
        if colon:
            fields.setdefault(name.rstrip(" \t").lower(), []).append(
                value.replace("\n", "").strip()
            )
    return fields


def first(fields: Fields, name: str) -> str:
    """Return the first value of a field, "" if there is none."""
    values = fields.get(name)
    return values[0] if values else ""


# -- values with parameters

_PARAM = re.compile(r';\s*([^\s=;"]+)\s*=\s*("(?:[^"\\]|\\.)*+"|[^;\s]*)')
_CONTINUED = re.compile(r"\*[0-9]{1,3}\Z")


def value_and_params(text: str) -> tuple[str, dict[str, str]]:
    """Return a value such as ``text/plain; charset="utf-8"``, in lower case, and its parameters by name.

    Values in pieces (``name*0``, ``name*1``) are put together, percent-encoded ones (``name*``) are
    decoded. The first of two parameters of one name counts.
    """
    value, semicolon, _ = text.partition(";")
    params: dict[str, str] = {}
    if semicolon:
        for name, piece in _PARAM.findall(text):
            name = name.lower()
            if piece[:1] == '"':
                piece = re.sub(r"\\(.)", r"\1", piece[1:-1]) if "\\" in piece else piece[1:-1]
            if "*" in name:
                if name.endswith("*"):
                    name, piece = name[:-1], unquote(piece.rpartition("'")[2])
                name, pieces = _CONTINUED.subn("", name)
                if pieces:
                    piece = params.pop(name, "") + piece
            params.setdefault(name, piece)
    return value.partition("(")[0].strip().lower(), params


# -- author and Message-ID

_ADDRESS = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"
_COMMENT = r"(?:\s*\([^()]*\))?\s*"
_BARE = re.compile(rf"\s*({_ADDRESS}){_COMMENT}")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*+"')
_NAMED = re.compile(rf"([^<>\"]*)<\s*({_ADDRESS})\s*>{_COMMENT}")
_MESSAGE_ID = re.compile(
    r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.:-]+@[A-Za-z0-9!#$%&'*+/=?^_`{|}~.:\[\]-]+>"
)


def author(fields: Fields) -> str | None:
    """Return the one address in the one From field, in lower case, or None.

    Takes ``a@b``, ``<a@b>`` and ``name <a@b>`` with names as mail programs really write them, but no quoted
    local parts, routes, groups and addresses beyond ASCII: no player has one.
    """
    values = fields.get("from", [])
    if len(values) != 1:
        return None
    text = _QUOTED.sub("", values[0])
    match = _BARE.fullmatch(text)
    if match:
        address = match[1]
    else:
        match = _NAMED.fullmatch(text)
        if not match or ("@" in match[1] and ("," in match[1] or ";" in match[1])):
            return None
        address = match[2]
    return address.lower() if len(address) <= 254 else None


def message_id(fields: Fields) -> str | None:
    """Return the Message-ID as received, if it is of plain form and at most 250 characters long."""
    values = fields.get("message-id", [])
    if len(values) != 1 or len(values[0]) > 250 or not _MESSAGE_ID.fullmatch(values[0]):
        return None
    return values[0]


# -- Subject

_MARKS = re.compile(
    r"\[[^\[\]]{1,80}\]\s*"
    rf"|([*{{(]+)\s*(?:{phrases.SPAM_MARKS})[\s0-9.?!/-]*[*}})]+\s*"
    rf"|(?:{phrases.SPAM_MARKS})\s*:\s*",
    re.I,
)
_REPLY = re.compile(
    rf"(?:{'|'.join(phrases.REPLY_PREFIXES)})\s?(?:[\[(^]?\s?[0-9]{{1,3}}[\])]?)?\s*[:\uff1a]", re.I
)


def subject(fields: Fields) -> tuple[str, bool]:
    """Return the Subject in one clean line, without marks before it, and True if it is that of a reply.

    A line break or a control character inside an encoded word never survives.
    """
    text = clean_line(_decode_words(first(fields, "subject")[:_SUBJECT]))
    while match := _MARKS.match(text):
        text = text[match.end() :]
    return text, bool(_REPLY.match(text))


def _decode_words(text: str) -> str:
    """Return a header text with its encoded words decoded, if that is possible."""
    if "=?" not in text:
        return text
    try:
        chunks = decode_header(text)
    except (MessageError, ValueError):
        return text
    return "".join(
        chunk if isinstance(chunk, str) else _decode_chunk(chunk, charset)
        for chunk, charset in chunks
    )


def _decode_chunk(chunk: bytes, charset: str | None) -> str:
    if charset is not None:
        return decode(chunk, charset)
    try:
        return chunk.decode("raw_unicode_escape")  # decode_header returns plain text in this form
    except UnicodeDecodeError:
        return chunk.decode("latin-1")
