r"""Tables of texts and of what is read from them, in text files.

    ## Some mail is executed, without chatter.
    head {}
    Precedence: bulk => {MOVE} [quiet: bulk]

A block has a title, frames and rows. Each row is put into each frame in place of ``{}``. Behind ``=>`` stands
the reading; behind a frame it holds for all of its rows that have none. ``\n`` is a line end, ``\xff`` a byte,
``\u200b`` a character, ``{x*9}`` is nine times x, and a row ``""`` is empty. A line that begins with ``# `` is a
remark. The reader of a table says how its frames begin, and which names in braces stand for longer texts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from unicodedata import category

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", "\\": "\\\\"}
_LONG = {short: char for char, short in _SHORT.items()}


@dataclass
class Block:
    title: str
    frames: list[tuple[str, str]] = field(default_factory=list)  # text, reading or ""
    rows: list[tuple[str, str]] = field(default_factory=list)  # text, reading or ""

    def cases(self) -> Iterator[tuple[str, str]]:
        """Yield each frame with a row in it, and its reading; both as they are written."""
        for frame, common in self.frames or [("{}", "")]:
            for row, own in self.rows or [("", "")]:
                row = "" if row == '""' else row
                yield frame.replace("{}", row), own or common.replace("{}", row)


def blocks(file: Path, frames: str = "$.") -> Iterator[Block]:
    """Yield the blocks of a table; a line that matches this expression is a frame."""
    for piece in re.split(r"^## ", file.read_text(), flags=re.M)[1:]:
        title, *lines = piece.rstrip("\n").split("\n")
        block = Block(title)
        for line in lines:
            if not line or line.startswith("# "):
                continue
            what, _, reading = line.partition(" => ")
            (block.frames if re.match(frames, line) else block.rows).append((what, reading))
        yield block


def rows(file: Path, title: str) -> Iterator[list[str]]:
    """Yield the columns of each row of a block; more than two are parted by ``=>`` too."""
    (block,) = (block for block in blocks(file) if block.title == title)
    for row, reading in block.rows:
        columns = [row, *reading.split(" => ")] if reading else [row]
        yield [unescape("" if column == '""' else column) for column in columns]


def escape(text: str, names: Mapping[str, str] | None = None) -> str:
    """Return a text as one visible line, a name in the place of what it stands for."""
    for name, value in (names or {}).items():
        text = text.replace(value, f"\1{name}\2")
    text = re.sub(r"^ | $", r"\\x20", visible(text))
    text = re.sub(r"(?<!\\)((?:[^\\]|\\.){1,10}?)\1{39,}", _times, text)
    return text.replace("\1", "{").replace("\2", "}")


def visible(text: str) -> str:
    """Return a text as one visible line, without names."""
    return "".join(map(_visible, text))


def _visible(char: str) -> str:
    if char in _SHORT:
        return _SHORT[char]
    if char in "\1\2 " or category(char)[0] not in "CZM":
        return char
    code = ord(char)
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8
        return f"\\x{code - 0xDC00:02x}"
    return (
        f"\\x{code:02x}" if code < 128 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )


def _times(found: re.Match[str]) -> str:
    return f"{{{found[1]}*{len(found[0]) // len(found[1])}}}"


def unescape(text: str, names: Mapping[str, str] | None = None) -> str:
    """Return the text that a visible line stands for."""
    for name, value in (names or {}).items():
        if f"{{{name}}}" in text:
            text = text.replace(f"{{{name}}}", visible(value))
    text = re.sub(r"\{([^{}]+?)\*(\d+)\}", lambda m: m[1] * int(m[2]), text)
    return re.sub(r"\\(x..|u....|U.{8}|.)", _char, text)


def _char(found: re.Match[str]) -> str:
    if found[0] in _LONG:
        return _LONG[found[0]]
    code = int(found[1][1:], 16)
    return chr(code + 0xDC00 if found[1][0] == "x" and code >= 0x80 else code)
