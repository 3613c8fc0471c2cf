"""The structure of a message: its parts, and the text of the player among them.

The parser of the standard library is not used: for a usual reply it takes eight times as long, for a
message of 1 MB of line feeds 6 s in place of 3 ms, and deep nesting ends it with RecursionError. Enclosed
messages are walked for the limits on depth and parts only, attachments not at all, and nothing is ever
decompressed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ..errors import Unreadable
from . import gate, transfer
from .fields import Fields, first, value_and_params
from .fields import parse as parse_fields
from .lines import clean

TEXT = 65_536  # bytes of decoded text that are read
HTML = 200_000  # of decoded HTML, where word processors put 60 kB before the first word

_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+")
_ANY_BOUNDARY = re.compile(rb"\n--([!-,.-~][^\n]{0,69})\n")
_ENCRYPTED = frozenset(
    ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
)
_TNEF = frozenset(("application/ms-tnef", "application/vnd.ms-tnef"))

_LEAST_FILE = 8_000  # encoded bytes
_PHOTOS = ("image/jpeg", "image/heic", "image/heif", "image/webp")
_LEAST_SHOWN = 100_000  # bytes of a photo that HTML shows
_BY_PROGRAMS = frozenset(
    (*_TNEF, "application/pgp-keys", "application/pgp-signature", "application/pkcs7-signature")
) | {"application/x-pkcs7-signature", "text/vcard", "text/x-vcard", "text/calendar"}

_TROUBLE_ENCRYPTED = (
    "Your mail is encrypted or sealed, and this server has no key to read it with. "
    "Please send it again as plain text."
)
_TROUBLE_TNEF = (
    "Your mail program packed the text into a file (winmail.dat) that only Outlook can read. "
    "Please send it again as plain text."
)
_TROUBLE_ATTACHED = (
    "There is no text in your mail that this server can read; attachments are never opened. "
    "Please write the command into the mail itself, as plain text."
)


@dataclass(slots=True)
class Part:
    """An entity of a message. ``start`` to ``end`` is its encoded body in the bytes of the mail."""

    kind: str  # the media type, in lower case
    params: dict[str, str]
    encoding: str
    attached: bool
    start: int
    end: int
    children: list[Part] = field(default_factory=list)


@dataclass(slots=True)
class ParsedMail:
    """A message taken apart. ``parts`` has the whole first, and no parts of enclosed messages."""

    data: bytes
    fields: Fields
    parts: list[Part]


def parse(data: bytes) -> ParsedMail:
    """Take apart a message that the gate admitted. Raises Unreadable beyond the gate's limits."""
    block, start = gate.header(data, 0, len(data))
    fields = parse_fields(block)
    top = _part(fields, "text/plain", start, len(data))
    mail = ParsedMail(data, fields, [top])
    if top.kind.startswith(("multipart/", "message/")):
        _Walk(data, mail.parts).down(top, depth=1, enclosed=False)
    else:
        top.attached = top.attached and "filename" in top.params  # the only part is hardly a file
    return mail


def text(mail: ParsedMail) -> tuple[list[str], str | None]:
    """Return the cleaned lines of the mail's text with its quotes, and the trouble if it has no text."""
    lines = _PartReader(mail.data).read(mail.parts[0])
    if lines and not next(filter(None, lines)).startswith(transfer.ENCRYPTED):
        return lines, None
    kinds = {part.kind for part in mail.parts}
    if lines or kinds & _ENCRYPTED:
        return [], _TROUBLE_ENCRYPTED
    if kinds & _TNEF:
        return [], _TROUBLE_TNEF
    if any(part.attached or not _is_text(part) for part in mail.parts if not part.children):
        return [], _TROUBLE_ATTACHED
    return [], None


def has_files(mail: ParsedMail) -> bool:
    """Return True if the writer has attached a file. Additions of programs, such as logos, do not count."""
    return any(
        part.end - part.start >= least and part.kind not in _BY_PROGRAMS
        for part, least in _enclosed(mail.parts[0])
    )


def _enclosed(part: Part) -> Iterator[tuple[Part, int]]:
    """Yield the parts after the text, each with the size from which it counts.

    HTML may show photos between its words. It also shows logos, which are smaller.
    """
    if part.kind in ("multipart/mixed", "multipart/signed"):
        for child in part.children:
            yield from _enclosed(child)
    elif part.kind.startswith("multipart/"):
        for child in part.children:
            if child.children:
                yield from _enclosed(child)
            elif part.kind == "multipart/related" and child.kind in _PHOTOS:
                yield child, _LEAST_SHOWN
    elif part.attached or not (part.children or _is_text(part)):
        yield part, 1 if part.kind in _PHOTOS else _LEAST_FILE


def _is_text(part: Part) -> bool:
    return part.kind in ("text/plain", "text/html") or part.kind.startswith("multipart/")


def _part(fields: Fields, default: str, start: int, end: int) -> Part:
    content_type = first(fields, "content-type")
    kind, params = value_and_params(content_type) if content_type else (default, {})
    if not _TYPE.fullmatch(kind):
        kind = "text/plain"
    encoding = first(fields, "content-transfer-encoding")
    disposition = first(fields, "content-disposition")
    attached = "name" in params
    if disposition:
        how, more = value_and_params(disposition)
        attached = attached or how == "attachment" or "filename" in more
        params = more | params
    return Part(kind, params, encoding, attached, start, end)


class _Walk:
    """A walk that finds the parts of a message, within the limits."""

    def __init__(self, data: bytes, parts: list[Part]) -> None:
        self.data = data
        self.parts = parts
        self.count = 0

    def down(self, part: Part, depth: int, enclosed: bool) -> None:
        """Fill ``part.children``, and theirs. Raises Unreadable beyond the limits."""
        if part.kind.startswith("multipart/"):
            default = "message/rfc822" if part.kind == "multipart/digest" else "text/plain"
            spans = self._spans(part)
        elif part.kind in ("message/rfc822", "message/global"):
            default, spans, enclosed = "text/plain", [(part.start, part.end)], True
        else:
            return
        if depth > gate.DEPTH:
            raise Unreadable("MIME parts nested too deeply")
        for start, end in spans:
            self.count += 1
            if self.count > gate.PARTS:
                raise Unreadable("too many MIME parts")
            block, body = gate.header(self.data, start, end)
            child = _part(parse_fields(block), default, body, end)
            if not enclosed:
                self.parts.append(child)
                part.children.append(child)
            self.down(child, depth + 1, enclosed)

    def _spans(self, part: Part) -> list[tuple[int, int]]:
        """Return the places of a multipart's parts; none if there is no boundary line in it."""
        begin_at = max(part.start - 1, 0)  # the line end before the body belongs to a boundary line
        boundary = part.params.get("boundary", "").rstrip().encode("utf-8", "replace")
        if not boundary or self.data.find(b"\n--" + boundary, begin_at, part.end) < 0:
            match = _ANY_BOUNDARY.search(self.data, begin_at, part.end)
            if not match:
                return []
            boundary = match[1].rstrip()
        return self._cut(b"\n--" + boundary, begin_at, part.end)

    def _cut(self, mark: bytes, begin_at: int, end: int) -> list[tuple[int, int]]:
        """Return the spans between the lines that begin with ``mark`` and end there, or after ``--``."""
        data = self.data
        spans = []
        begin = -1
        at = data.find(mark, begin_at, end)
        while at >= 0:
            after = at + len(mark)
            line_end = data.find(b"\n", after, end)
            if line_end < 0:
                line_end = end
            rest = data[after : min(line_end, after + 100)].rstrip()
            if rest in (b"", b"--"):
                if begin >= 0:
                    spans.append((begin, max(begin, at)))
                    if len(spans) > gate.PARTS:
                        raise Unreadable("too many MIME parts")
                if rest:
                    return spans
                begin = min(line_end + 1, end)
            at = data.find(mark, line_end, end)
        if begin >= 0:
            spans.append((begin, end))  # never closed: cut short on its way
        return spans


class _PartReader:
    """A reader of the text in parts; it reads no more than the limits allow for the whole mail."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.left = {"text/plain": TEXT, "text/html": HTML}  # bytes

    def read(self, part: Part) -> list[str]:
        """Return the lines that a person would see first in a part, [] if there are none."""
        if part.children:
            if part.kind == "multipart/alternative":
                return self._leaf(part, "text/plain") or self._leaf(part, "text/html")
            if part.kind in ("multipart/signed", "multipart/related"):
                return self.read(part.children[0])
            if part.kind in ("multipart/encrypted", "multipart/report"):
                return []
            for child in part.children:
                if lines := self.read(child):
                    return lines
            return []
        if part.attached:
            return []
        if part.kind == "text/html":
            # lxml takes a while to import, and most messages have a plain text
            from .html import extract  # noqa: PLC0415

            return _seen(extract(self._text(part, "text/html")))
        if part.kind == "text/plain" or part.kind.startswith("multipart/"):
            return _seen(self._plain(part))
        return []

    def _leaf(self, part: Part, kind: str) -> list[str]:
        """Return the first text of one kind below a part."""
        for leaf in _leaves(part):
            if leaf.kind == kind and (lines := self.read(leaf)):
                return lines
        return []

    def _text(self, part: Part, kind: str) -> str:
        """Return the text of a part, as far as the limit of its kind allows."""
        body = transfer.undo(self.data[part.start : part.end], part.encoding, self.left[kind])
        self.left[kind] -= len(body)
        return _one_line_end(transfer.decode(body, part.params.get("charset", "")))

    def _plain(self, part: Part) -> str:
        text = self._text(part, "text/plain")
        if part.params.get("format", "").lower() == "flowed":
            text = transfer.unflow(text, part.params.get("delsp", "").lower() == "yes")
        return transfer.unsign(text) if transfer.SIGNED in text else text


def _seen(text: str) -> list[str]:
    """Return the cleaned lines of a text; [] if all of them are blank."""
    lines = clean(text)
    return lines if any(lines) else []


def _leaves(part: Part) -> Iterator[Part]:
    if not part.children:
        yield part
    for child in part.children:
        yield from _leaves(child)


def _one_line_end(text: str) -> str:
    """Change line ends as the gate does, in a text that its encoding hid from the gate."""
    if "\r" in text or "\0" in text:
        text = text.replace("\0", "").replace("\r\n", "\n").replace("\r", " ")
    return text
