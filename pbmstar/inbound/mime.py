"""The structure of a message: its parts, and the text of the player among them.

The parser of the standard library is not used. A blank before a colon ends its header, which would hide a
forger's fields from us, without a boundary it finds no parts, and deep nesting ends it with RecursionError.
For a usual reply it takes three times as long, and for 1 MB of line feeds 5 s instead of 10 ms. Enclosed
messages are walked for the limits on depth and parts only, attachments not at all, and nothing is ever
decompressed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..errors import Sentence, Unreadable, say
from . import decoding, gate
from .decoding import decode
from .fields import Fields, first, value_and_params
from .fields import parse as parse_fields
from .lines import clean

TEXT = 65_536  # bytes of decoded text that are read
HTML = 200_000  # of decoded HTML, where word processors put 60 kB before the first word
CUT = "\0"  # at the end of a line in which the text was cut on its way; no other line has it

_TYPE = re.compile(r"[\w!#$&^.+-]+/[\w!#$&^.+-]+")
_ANY_BOUNDARY = re.compile(rb"\n--([!-,.-~][^\n]{0,69})\n")
# What stands before the header where a mailbox has been taken for mail, or a line end was doubled.
_BEFORE_HEADER = re.compile(rb"(?:[ \t]*+\n){0,9}+(?:>From [^\n]*+\n)?")
_META_CHARSET = re.compile(rb"<meta\s[^>]{0,200}charset\s*=\s*[\"']?([\w-]{1,40})", re.I)
_ENCRYPTED = frozenset(
    ("multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime")
)
_TNEF = frozenset(("application/ms-tnef", "application/vnd.ms-tnef"))

# What a part is read as. Other texts are plain ones (RFC 2046, 4.1.4), where no text of these kinds is shown.
_PLAIN, _HTML, _OTHER = "text/plain", "text/html", "text"
_SAME = {
    "plain/text": _PLAIN, "html/text": _HTML, "application/xhtml+xml": _OTHER, "application/text": _OTHER,
    "application/plain": _OTHER,
}  # fmt: skip
_NO_WORDS = frozenset((
    "text/calendar", "text/vcard", "text/x-vcard", "text/directory", "text/rtf", "text/css",
    "text/javascript", "text/rfc822-headers",
))  # fmt: skip
_MARKED_UP = frozenset(
    ("application/xhtml+xml", "text/x-amp-html", "text/watch-html", "text/xhtml")
)

# Text that a list or a gateway adds in a part of its own.
_ADDED = re.compile(
    r"\s*(?:[-_=*~#+] ?){3,}\s*(?:\n|\Z)|.{0,2000}?"
    r"(?:\b(?:scanned (?:by|for)|virus[- ]free|virenfrei|sans virus|libre de virus|disclaimer"
    r"|(?:is|are|and|be|sont|ist|est|es|é|è) (?:strictly |streng |strictement )?(?:confidential|privileged"
    r"|vertraulich|confidentiels?|confidencial|riservat[oa])|intended (?:only|solely)"
    r"|mailing ?list|unsubscribe|abbestellen|d[ée]sabonner|destinatario|destinataire)\b)",
    re.I | re.S,
)

_OF_LISTS = frozenset(("list-id", "list-post"))

_PHOTOS = ("image/jpeg", "image/heic", "image/heif", "image/webp")
_LEAST_SHOWN = 100_000  # encoded bytes of a picture that counts, whatever its name
_LEAST_NAMELESS = 8_000  # of one without a name that isn't a photo
_OF_SIGNATURES = re.compile(
    r"image[0-9]{3}\.|outlook-|logo|icon|banner|signatur|spacer|pixel|divider|footer|header|emoji|smil"
    r"|facebook|twitter|linkedin|instagram|youtube|avatar",
    re.I,
)
_BY_EXCHANGE = re.compile(
    r"att[0-9]{5}\.(?:txt|html?)", re.I
)  # a footer, or the end of Apple's text
_BY_PROGRAMS = (
    frozenset((
        *_TNEF, "application/pgp-keys", "application/pgp-signature", "application/pkcs7-signature",
        "application/x-pkcs7-signature", "application/ics", "application/smil", "text/x-amp-html",
    ))
    | _NO_WORDS - {"text/rtf"}
)  # fmt: skip

_TROUBLE_ENCRYPTED = say(
    "Your email is encrypted, and we don't have a key to read it. Please send it again as plain "
    "text."
)
_TROUBLE_TNEF = say(
    "Your email app packed the text into a file (winmail.dat) that only Outlook can read. "
    "Please send it again as plain text."
)
_TROUBLE_ATTACHED = say(
    "We couldn't find any text in your email, and we never open attachments. Please write the "
    "command in the email itself, as plain text."
)
TROUBLE_CUT = say(
    "The end of your message got lost on the way, so we skipped its last line. Please send that "
    "line again, and add another line below it (anything will do)."
)


@dataclass(slots=True)
class Part:
    """An entity of a message. ``start`` to ``end`` is its encoded body in the bytes of the mail."""

    kind: str  # the media type, in lower case
    params: dict[str, str]
    encoding: str
    attached: bool  # its Content-Disposition says so
    start: int
    end: int
    is_open: bool = False  # the mail ends before its boundary
    children: list[Part] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Return the name of the file; "" if it has none."""
        return self.params.get("filename") or self.params.get("name", "")

    @property
    def words(self) -> str:
        """Return what its text is: plain, HTML or other; "" if it has no text to read."""
        if self.children or self.attached or self.kind in _NO_WORDS:
            return ""
        if self.kind.startswith("multipart/"):  # without a boundary in it
            return _PLAIN
        if self.kind in (_PLAIN, _HTML):
            return self.kind
        return _SAME.get(self.kind, _OTHER if self.kind.startswith("text/") else "")


@dataclass(slots=True)
class ParsedMail:
    """A message taken apart. ``parts`` has the whole first, and no parts of enclosed messages."""

    data: bytes
    fields: Fields
    parts: list[Part]


@dataclass(slots=True)
class Text:
    """The text of a message.

    lines    cleaned lines with quotes; one that was cut on its way ends with CUT
    trouble  why there are none, in a sentence for the player; None if there are, or nothing is wrong
    has_more a file of the writer's, or a further text, is not among them
    """

    lines: list[str]
    trouble: Sentence | None
    has_more: bool


def parse(data: bytes) -> ParsedMail:
    """Take apart a message that the gate admitted. Raises Unreadable beyond the gate's limits."""
    before = _BEFORE_HEADER.match(data)
    block, start = gate.header(data, before.end() if before else 0, len(data))
    fields = parse_fields(block)
    top = _part(fields, "text/plain", start, len(data))
    mail = ParsedMail(data, fields, [top])
    if top.kind.startswith(("multipart/", "message/")):
        _Walk(data, mail.parts).down(top, depth=1, enclosed=False)
    else:
        top.attached = top.attached and "filename" in top.params  # the only part is hardly a file
    return mail


def text(mail: ParsedMail) -> Text:
    """Return the text of a message: all texts that a person would see, in their order."""
    top = mail.parts[0]
    reader = _PartReader(mail.data, not _OF_LISTS.isdisjoint(mail.fields))
    lines = reader.read(top, named=False)
    if not lines and any(part.name or part.words == _OTHER for part in mail.parts):
        lines = reader.read(top, named=True)
    if lines and not next(filter(None, lines)).startswith(decoding.ENCRYPTED):
        has_more = reader.has_more or (bool(top.children) and _has_file(top, reader.used))
        return Text(lines, None, has_more)
    kinds = {part.kind for part in mail.parts}
    trouble = None
    if lines or kinds & _ENCRYPTED:
        trouble = _TROUBLE_ENCRYPTED
    elif kinds & _TNEF:
        trouble = _TROUBLE_TNEF
    elif any(not part.words for part in mail.parts if not part.children):
        trouble = _TROUBLE_ATTACHED
    elif reader.is_cut:
        trouble = TROUBLE_CUT
    return Text([], trouble, has_more=False)


def _has_file(part: Part, used: list[Part]) -> bool:
    """Return True if the writer has put a file beside the text. Additions of programs do not count."""
    for child in part.children:
        if child.children:
            if _has_file(child, used):
                return True
        elif part.kind == "multipart/alternative" or any(child is each for each in used):
            continue  # another version of the text, or the text
        elif _is_file(child):
            return True
    return False


def _is_file(part: Part) -> bool:
    size = part.end - part.start
    if part.kind in _BY_PROGRAMS or not size:
        return False
    if part.kind.startswith("image/") and size < _LEAST_SHOWN:
        if part.name:
            return not _OF_SIGNATURES.search(part.name)
        return part.kind in _PHOTOS or size >= _LEAST_NAMELESS
    return not (part.words and not part.name) and not _BY_EXCHANGE.fullmatch(part.name)


def _part(fields: Fields, default: str, start: int, end: int) -> Part:
    content_type = first(fields, "content-type")
    kind, params = value_and_params(content_type) if content_type else (default, {})
    if not _TYPE.fullmatch(kind):
        kind = "text/plain"
    encoding = first(fields, "content-transfer-encoding")
    disposition = first(fields, "content-disposition")
    attached = False
    if disposition:
        how, more = value_and_params(disposition)
        attached = how == "attachment"
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
            default, spans, enclosed = "text/plain", [(part.start, part.end, False)], True
        else:
            return
        if depth > gate.DEPTH:
            raise Unreadable("MIME parts nested too deeply")
        for start, end, is_open in spans:
            self.count += 1
            if self.count > gate.PARTS:
                raise Unreadable("too many MIME parts")
            block, body = gate.header(self.data, start, end)
            child = _part(parse_fields(block), default, body, end)
            child.is_open = is_open and end == len(self.data)
            if not enclosed:
                self.parts.append(child)
                part.children.append(child)
            self.down(child, depth + 1, enclosed)

    def _spans(self, part: Part) -> list[tuple[int, int, bool]]:
        """Return the places of a multipart's parts; none if there is no boundary line in it."""
        begin_at = max(part.start - 1, 0)  # the line end before the body belongs to a boundary line
        boundary = part.params.get("boundary", "").rstrip().encode("utf-8", "replace")
        if not boundary or self.data.find(b"\n--" + boundary, begin_at, part.end) < 0:
            match = _ANY_BOUNDARY.search(self.data, begin_at, part.end)
            if not match:
                return []
            boundary = match[1].rstrip()
        return self._cut(b"\n--" + boundary, begin_at, part.end)

    def _cut(self, mark: bytes, begin_at: int, end: int) -> list[tuple[int, int, bool]]:
        """Return the spans between the lines that begin with ``mark`` and end there, or after ``--``.

        True stands with one that no such line ends.
        """
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
                    spans.append((begin, max(begin, at), False))
                    if len(spans) > gate.PARTS:
                        raise Unreadable("too many MIME parts")
                if rest:
                    return spans
                begin = min(line_end + 1, end)
            at = data.find(mark, line_end, end)
        if begin >= 0:
            spans.append((begin, end, True))  # never closed: cut short on its way
        return spans


class _PartReader:
    """A reader of the text in parts; it reads no more than the limits allow for the whole mail.

    ``used`` are the parts whose text was read. ``has_more``: words behind a file are taken for a gateway's.
    ``is_cut``: a text was cut on its way before its first word.
    """

    def __init__(self, data: bytes, is_listed: bool) -> None:
        self.data, self.is_listed = data, is_listed
        self.left = {_PLAIN: TEXT, _HTML: HTML}  # bytes
        self.used: list[Part] = []
        self.has_more = self.is_cut = False

    def read(self, part: Part, named: bool, only: str = "") -> list[str]:
        """Return the lines that a person would see of a part, [] if there are none.

        Texts with a name, and those that are neither plain nor HTML, are read only if ``named``; if ``only``
        is given, then only texts of this kind.
        """
        if not part.children:
            return self._leaf(part, named, only)
        if part.kind == "multipart/alternative":
            for kind in (only,) if only else (_PLAIN, _HTML, _OTHER):
                for child in part.children:
                    if found := self.read(child, named, kind):
                        return found
            return []
        if part.kind == "multipart/signed":
            return self.read(part.children[0], named, only)
        if part.kind in ("multipart/encrypted", "multipart/report"):
            return []
        lines: list[str] = []
        before, is_behind_file = None, False
        for child in part.children:
            found = self.read(child, named, only)
            if not found:
                is_behind_file |= not child.words or bool(child.name)
            elif before and self._is_added(before, child, found, is_behind_file):
                self.has_more |= is_behind_file
            else:
                lines += found
                before, is_behind_file = child, False
        return lines

    def _is_added(self, before: Part, part: Part, lines: list[str], is_behind_file: bool) -> bool:
        """Return True if a list or a gateway has added a text; people write on below a picture."""
        if _ADDED.match("\n".join(lines[:40])):
            return True
        if is_behind_file or (part.children and part.kind != "multipart/alternative"):
            return False
        return self.is_listed or not part.words == before.words != ""

    def _leaf(self, part: Part, named: bool, only: str) -> list[str]:
        words = part.words
        if not words or (only and words != only):
            return []
        if not named and (part.name or words == _OTHER):
            return []
        self.used.append(part)
        if words == _HTML or part.kind in _MARKED_UP:
            # lxml takes a while to import, and most messages have a plain text
            from .html import extract  # noqa: PLC0415

            text, is_cut = self._text(part, _HTML)
            text = extract(text)
        else:
            text, is_cut = self._text(part, _PLAIN)
            if part.params.get("format", "").lower() == "flowed":
                text = decoding.unflow(text, part.params.get("delsp", "").lower() == "yes")
            elif part.kind in ("text/enriched", "text/richtext"):
                text = decoding.unrich(text)
            if decoding.SIGNED in text:
                text = decoding.unsign(text)
        return self._seen(text, is_cut)

    def _text(self, part: Part, kind: str) -> tuple[str, bool]:
        """Return the text of a part, as far as the limit of its kind allows, and True if it was cut."""
        body, is_cut = decoding.undo(
            self.data[part.start : part.end], part.encoding, self.left[kind]
        )
        self.left[kind] -= len(body)
        charset = part.params.get("charset", "")
        if kind == _HTML and not charset and (found := _META_CHARSET.search(body[:2_000])):
            charset = found[1].decode("ascii")
        text = decode(body, charset)
        is_encoded = part.encoding.lower().startswith("base64")  # its padding shows where it ends
        is_cut |= text.endswith("\ufffd") or (part.is_open and not is_encoded)
        if (
            "\r" in text or "\0" in text
        ):  # as the gate does, in a text that its encoding hid from it
            text = text.replace("\0", "").replace("\r\n", "\n").replace("\r", " ")
        return text, is_cut

    def _seen(self, text: str, is_cut: bool) -> list[str]:
        """Return the cleaned lines of a text; [] if all of them are blank."""
        lines = clean(text)
        if not any(lines):
            self.is_cut |= is_cut
            return []
        if is_cut:
            last = max(at for at, line in enumerate(lines) if line)
            lines[last] += CUT
        return lines
