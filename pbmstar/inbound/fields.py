"""Header fields: from bytes to text, and the few that matter."""

from __future__ import annotations

import re
from email.errors import MessageError
from email.header import decode_header
from urllib.parse import unquote

from . import phrases
from .decoding import decode
from .lines import clean_line

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

_ADDRESS = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@[\w-]+(?:\.[\w-]+)*"
_BARE = re.compile(rf"\s*({_ADDRESS})\s*")
_NAMED = re.compile(rf"[^<>\"]*<\s*({_ADDRESS})\s*>\s*")
# A quoted string, of which only a local part counts; the parentheses of a comment; what is escaped there.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"|[()]|\\.')
_LOCAL = re.compile(r'"[A-Za-z0-9!#$%&\'*+/=?^_`{|}~.-]{1,64}"')
_LONGEST_DOMAIN = 253
_MESSAGE_ID = re.compile(
    r"<[A-Za-z0-9!#$%&'*+/=?^_`{|}~.:-]+@[A-Za-z0-9!#$%&'*+/=?^_`{|}~.:\[\]-]+>"
)


def author(fields: Fields) -> str | None:
    """Return the one address in the one From field, in lower case and all in ASCII, or None.

    Takes ``a@b``, ``<a@b>`` and ``name <a@b>`` with names as mail programs really write them, comments in
    comments, empty places in the list, and an address that stands there twice; but no routes, groups and
    no local part beyond ASCII or that needs its quotation marks: no player has one.
    """
    values = fields.get("from", [])
    if len(values) != 1:
        return None
    found = set[str]()
    *names, last = _without_comments(values[0]).split(",")
    for text in (*names, last):
        if not text.strip() or (text is not last and "@" not in text and ";" not in text):
            continue  # an empty place, or the beginning of a name
        match = _BARE.fullmatch(text) or _NAMED.fullmatch(text)
        if not match:
            return None
        found.add(_in_ascii(match[1]))
    address = found.pop() if len(found) == 1 else ""
    return address if 0 < len(address) <= 254 else None


def _in_ascii(address: str) -> str:
    """Return an address in small letters, its domain as mail servers write it; empty if it has no such form.

    A letter that only looks like one of ASCII makes no domain of ASCII: that would be somebody else's.
    """
    local, _, domain = address.rpartition("@")
    if "_" in domain:
        return ""
    if domain.isascii() or len(domain) > _LONGEST_DOMAIN:
        return address.lower() if domain.isascii() else ""
    spelled = []
    for label in domain.split("."):
        try:
            spelled.append(label if label.isascii() else label.encode("idna").decode())
        except UnicodeError:
            return ""
        if not label.isascii() and not spelled[-1].startswith("xn--"):
            return ""
    return f"{local}@{'.'.join(spelled)}".lower()


def _without_comments(text: str) -> str:
    """Return an address field without comments and without quoted names."""
    kept, depth, done = "", 0, 0
    for token in _TOKEN.finditer(text):
        if not depth:
            kept += text[done : token.start()]
        done, found = token.end(), token[0]
        if found in "()":
            depth += 1 if found == "(" else -1
            if depth < 0:
                return ""
        elif not depth and found[0] == '"' and text[done : done + 1] == "@":
            kept += found[1:-1] if _LOCAL.fullmatch(found) else found
        elif not depth and found[0] == "\\":
            kept += found
    return "" if depth else kept + text[done:]


def message_id(fields: Fields) -> str | None:
    """Return the Message-ID as received, if it is of plain form and at most 250 characters long."""
    values = fields.get("message-id", [])
    if len(values) != 1 or len(values[0]) > 250 or not _MESSAGE_ID.fullmatch(values[0]):
        return None
    return values[0]


_ANSWERED = 20  # Message-IDs that are looked at


def answers(fields: Fields) -> tuple[str, ...]:
    """Return the Message-IDs that a message answers: In-Reply-To, then the newest of References."""
    named = [
        _MESSAGE_ID.findall(" ".join(fields.get(name, ())))[-_ANSWERED:]
        for name in ("in-reply-to", "references")
    ]
    return tuple(dict.fromkeys([*named[0], *reversed(named[1])]))


# -- Subject

# A detail of ours, see ``identity``: it ends in a mac or is a token.
_DETAIL = "[a-z](?:[a-z0-9_-]*[z-][a-z2-7]{16,31}|[a-z0-9]{32})(?:-[a-z]{2})?"
_PROOF = re.compile(rf"\s*\[({_DETAIL})\]", re.I)

_MARKS = re.compile(
    r"\[[^\[\]]{1,80}\]\s*"
    rf"|([*{{(]+)\s*(?:{phrases.SPAM_MARKS})[\s0-9.?!/-]*[*}})]+\s*"
    rf"|(?:{phrases.SPAM_MARKS})\s*:\s*",
    re.I,
)
_REPLY = re.compile(
    rf"(?:{'|'.join(phrases.REPLY_PREFIXES)})\s?(?:[\[(^]?\s?[0-9]{{1,3}}[\])]?)?\s*[:\uff1a]", re.I
)


def subject(fields: Fields) -> tuple[str, str, bool]:
    """Return the Subject in one clean line, without marks before it; its proof; True if it is a reply's.

    The first of several that is not empty counts. A line break or a control character inside an encoded word
    never survives.
    """
    told = (clean_line(_decode_words(value[:_SUBJECT])) for value in fields.get("subject", ()))
    text = next(filter(None, told), "")
    proofs = _PROOF.findall(text) if "[" in text else []
    if proofs:
        text = _PROOF.sub("", text)
    while match := _MARKS.match(text):
        text = text[match.end() :]
    return text, proofs[-1].lower() if proofs else "", bool(_REPLY.match(text))


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
