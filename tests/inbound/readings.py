r"""Tables of mails and what is read from them: the form of ``readings/*.txt``.

    ## H17: bulk, list and suppressing mail is executed, without chatter.
    head {}
    Precedence: bulk => {MOVE} [quiet: bulk]

A block has a title, frames and rows. Each row is put into each frame in place of ``{}``. A frame is a
``head``: fields of a plain mail whose text is MOVE; or a ``body``; or a ``mail``: fields, a blank line and
the text; or ``raw``: the whole. Behind ``=>`` stand the own lines and each field of the reading that a plain
mail has not; behind a frame it holds for all of its rows. ``\n`` is a line end, ``\xff`` a byte, ``\u200b``
a character, ``{x*9}`` is nine times x, a row ``""`` is
empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import category

from pbmstar.inbound import Inbound, read

from .written import DOMAIN, LETTER, MOVE, OLD, STAR, mail, quoted

FOLDER = Path(__file__).parent / "readings"
AUTHSERV = "mx.pbm.example"
KINDS = ("head ", "body ", "mail ", "raw ")
EMPTY = '""'  # a row of nothing
_NAMES = {"QUOTED": quoted(), "LETTER": "\n".join(LETTER), "MOVE": MOVE, "OLD": OLD, "STAR": STAR}
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "\\": "\\\\"}
_LONG = {short: char for char, short in _SHORT.items()}


@dataclass
class Block:
    title: str
    frames: list[tuple[str, str]] = field(default_factory=list)  # kind and text, reading or ""
    rows: list[tuple[str, str]] = field(default_factory=list)  # text, reading or ""

    def cases(self) -> Iterator[tuple[str, str]]:
        """Yield each mail as a frame with a row in it, and its reading."""
        for frame, common in self.frames:
            for row, own in self.rows or [("", "")]:
                row = "" if row == EMPTY else row
                yield frame.replace("{}", row), own or common.replace("{}", row)


def blocks(text: str) -> Iterator[Block]:
    """Yield the blocks of a table."""
    for piece in re.split(r"^## ", text, flags=re.M)[1:]:
        title, *lines = piece.rstrip("\n").split("\n")
        block = Block(title)
        for line in filter(None, lines):
            what, _, reading = line.partition(" => ")
            (block.frames if line.startswith(KINDS) else block.rows).append((what, reading))
        yield block


def written(text: str) -> bytes:
    """Return the mail that a frame with its row stands for."""
    kind, _, text = text.partition(" ")
    text = unescape(text)
    if kind == "raw":
        return text.replace("\n", "\r\n").encode("utf-8", "surrogateescape")
    head, _, body = text.partition("\n\n") if kind == "mail" else (text, "", MOVE)
    if kind == "body":
        head, body = "", text
    plain, _, _ = mail().decode().replace("\r\n", "\n").partition("\n\n")
    fields = [f for f in re.split(r"\n(?![ \t])", head) if f]
    names = {f.partition(":")[0].lower() for f in fields}
    kept = [f for f in plain.split("\n") if f.partition(":")[0].lower() not in names]
    whole = "\n".join([*kept, *fields]) + "\n\n" + body
    return whole.replace("\n", "\r\n").encode("utf-8", "surrogateescape")


def reading(inbound: Inbound) -> str:
    """Return what is read from a mail as one line of text."""
    plain = read(mail(MOVE), DOMAIN, AUTHSERV)
    told = [escape("\n".join(inbound.lines)) or "nothing"]
    for name in ("author", "message_id", "subject", "is_reply", "automatic", "quiet", "attached", "trouble",
                 "authentic"):  # fmt: skip
        value = getattr(inbound, name)
        if name == "trouble" and value:
            value = value.partition(".")[0]
        if value != getattr(plain, name):
            told.append(f"[{name}]" if value is True else f"[{name}: {escape(str(value))}]")
    return " ".join(told)


def escape(text: str) -> str:
    """Return a text as one visible line."""
    for name in ("QUOTED", "LETTER", "MOVE", "OLD", "STAR"):
        text = text.replace(_NAMES[name], f"\1{name}\2")
    text = re.sub(r"^ | $", r"\\x20", "".join(map(_visible, text)))
    text = re.sub(r"(?<!\\)((?:[^\\]|\\.){1,10}?)\1{39,}", _times, text)
    return text.replace("\1", "{").replace("\2", "}")


def _visible(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char in "\1\2 " or category(char)[0] not in "CZM":
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return (
        f"\\x{code:02x}"
        if code < 0x80
        else f"\\u{code:04x}"
        if code < 0x10000
        else f"\\U{code:08x}"
    )


def _times(found: re.Match[str]) -> str:
    return f"{{{found[1]}*{len(found[0]) // len(found[1])}}}"


def unescape(text: str) -> str:
    """Return the text that a visible line stands for."""
    for name, value in _NAMES.items():
        text = text.replace(f"{{{name}}}", escape_only(value))
    text = re.sub(r"\{([^{}]+?)\*(\d+)\}", lambda m: m[1] * int(m[2]), text)
    return re.sub(r"\\(x..|u....|U.{8}|.)", _char, text)


def escape_only(text: str) -> str:
    """Return a text as one visible line, without names."""
    return "".join(map(_visible, text))


def _char(found: re.Match[str]) -> str:
    if found[0] in _LONG:
        return _LONG[found[0]]
    code = int(found[1][1:], 16)
    return chr(code + 0xDC00 if found[1][0] == "x" and code >= 0x80 else code)
