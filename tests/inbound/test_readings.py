"""What is read from mails: the tables of ``readings/``, and replies as programs send them, in ``clients/``."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from pbmstar.inbound import read

from .readings import AUTHSERV, FOLDER, blocks, escape_only, reading, written
from .written import DOMAIN

TABLES = sorted(FOLDER.glob("*.txt"))
CLIENTS = sorted((Path(__file__).parent / "clients").glob("*.eml"))
CASES = [
    pytest.param(text, expected, id=f"{table.stem}: {block.title[:50]} {text[:80]}")
    for table in TABLES
    for block in blocks(table.read_text())
    for text, expected in block.cases()
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_reading(text: str, expected: str) -> None:
    assert reading(read(written(text), DOMAIN, AUTHSERV)) == expected


@pytest.mark.parametrize("width", [72, 56, 46])
def test_attributions_that_are_wrapped(width: int) -> None:
    """C20: over two or three lines an attribution is one too; the own line above it stays."""
    (block,) = blocks((FOLDER / "attributions.txt").read_text())
    for row, _ in block.rows:
        wrapped = textwrap.wrap(row, width, break_long_words=False, break_on_hyphens=False)
        for frame, expected in block.frames:
            quoted = "\n> " if frame.startswith("body > ") else "\n"
            text = frame.replace("{}", escape_only(quoted.join(wrapped)))
            assert reading(read(written(text), DOMAIN, AUTHSERV)) == expected


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
