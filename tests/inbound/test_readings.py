"""What is read from mails: the tables of ``readings/``, and replies as programs send them, in ``clients/``."""

from __future__ import annotations

import re
import textwrap
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest
from harness.tables import blocks, visible

from pbmstar.inbound import read

from .written import DOMAIN, FRAMES, MOVE, TABLES, got, reading, written

CLIENTS = sorted((Path(__file__).parent / "clients").glob("*.eml"))


@pytest.mark.parametrize("file", sorted(TABLES.glob("*.txt")), ids=lambda file: file.stem)
def test_reading(file: Path) -> None:
    for block in blocks(file, FRAMES):
        cases = list(block.cases())
        assert {text: reading(written(text)) for text, _ in cases} == dict(cases), block.title


@pytest.mark.parametrize("width", [72, 56, 46])
def test_attributions_that_are_wrapped(width: int) -> None:
    """C20: over two or three lines an attribution is one too; the own line above it stays."""
    (block,) = blocks(TABLES / "attributions.txt", FRAMES)
    for row, _ in block.rows:
        wrapped = textwrap.wrap(row, width, break_long_words=False, break_on_hyphens=False)
        for frame, expected in block.frames:
            quoted = "\n> " if frame.startswith("body > ") else "\n"
            text = frame.replace("{}", visible(quoted.join(wrapped)))
            assert reading(written(text)) == expected, text


@pytest.mark.parametrize("file", CLIENTS, ids=lambda file: file.stem)
def test_reply_of_a_program(file: Path) -> None:
    """M6, C16, C19: the own words of a reply, in order, and no word of the quote."""
    inbound = read(file.read_bytes(), DOMAIN)
    assert [line.strip() for line in inbound.lines if line] == ["F6", "Nice move, Bob!"]
    assert inbound.is_reply
    assert (inbound.automatic, inbound.quiet, inbound.trouble) == (None, None, None)


@pytest.mark.parametrize("file", CLIENTS, ids=lambda file: file.stem)
def test_reply_of_a_program_that_came_through_a_list(file: Path) -> None:
    """The same with the footer of a list, if the program sends text and HTML."""
    head, _, body = file.read_bytes().partition(b"\n\n")
    kind = re.search(rb"^Content-Type: multipart/alternative.*$", head, re.M)
    if not kind:
        return
    listed = head.replace(
        kind[0], b"Content-Type: multipart/mixed; boundary=list\nList-Id: <x.example>"
    )
    footer = b"\n--list\nContent-Type: text/plain\n\nfooter\n--list--\n"
    inbound = read(listed + b"\n\n--list\n" + kind[0] + b"\n\n" + body + footer, DOMAIN)
    assert [line.strip() for line in inbound.lines if line] == ["F6", "Nice move, Bob!"]
    assert inbound.quiet == "list"


def test_a_mail_is_told_from_others_by_its_digest() -> None:
    """D6, H11, H20: of the header only Subject, author and Message-ID count; of the text its words."""
    file = Path(__file__).parent / "digests.txt"
    digests = {
        text: read(written(text), DOMAIN).digest
        for block in blocks(file, FRAMES)
        for text, _ in block.cases()
    }
    assert {len(digest) for digest in digests.values()} == {32}
    plain = next(iter(digests.values()))
    others = [text for block in blocks(file, FRAMES) if block.title.startswith("Another")
              for text, _ in block.cases()]  # fmt: skip
    assert [text for text, digest in digests.items() if digest != plain] == others
    in_line_feeds = written(next(iter(digests))).replace(b"\r\n", b"\n")
    assert read(in_line_feeds, DOMAIN).digest == plain


def test_what_is_read_does_not_change() -> None:
    inbound = got(MOVE)
    with pytest.raises(FrozenInstanceError):
        inbound.author = "eve@example.net"  # type: ignore[misc]
