"""Real mail programs, and a server that they write to."""

from __future__ import annotations

import mailbox
import os
import shutil
import subprocess
from email.message import Message
from pathlib import Path

import pytest
from harness.letters import RULE
from harness.server import Server, until

STAR, ALICE, BOB = "star@star.example", "alice@alice.example", "bob@bob.example"


def needs(*programs: str) -> None:
    """Skip the test if a program is missing."""
    for program in programs:
        if not shutil.which(program):
            pytest.skip(f"there is no {program}")


def run(words: list[str], folder: Path, stdin: str = "") -> str:
    """Run a program as a person who has configured nothing; returns what it prints."""
    done = subprocess.run(
        words,
        check=True,
        input=stdin,
        text=True,
        capture_output=True,
        timeout=600,
        env=environment(folder),
    )
    return done.stdout


class Site(Server):
    """A server that delivers into maildirs, as it does when nothing is configured."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, address=STAR)
        self._seen: set[Path] = set()

    def letters(self, userid: str) -> list[Path]:
        """The files of a player's letters."""
        return sorted((self.spool / "mail" / f"{userid}@{userid}.example" / "new").glob("*"))

    def next(self, userid: str) -> Message:
        """The next letter to a player."""
        new = until(lambda: [f for f in self.letters(userid) if f not in self._seen], "letter")
        self._seen.add(new[0])
        return mailbox.MaildirMessage(new[0].read_bytes())

    def only(self, userid: str, letter: Message) -> Path:
        """A maildir of its own that holds a copy of one letter."""
        place = self.folder / f"read-{userid}"
        mailbox.Maildir(place).add(letter)
        return place


def text_of(letter: Message) -> str:
    """The text part."""
    part = next(part for part in letter.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode().replace("\r\n", "\n")


def promised(text: str, to_move: str, comment: str = "") -> None:
    """The order of the text part: whose turn it is, words, board, scores, replies, and what scripts read."""
    played = "Last move:" in text
    marks = [f"{to_move} to move." if f"{to_move} to move." in text else f"Your move, {to_move}."]
    marks += [" writes", comment] if comment else []
    marks += [
        " 1-   ",
        *(["Last move:"] if played else []),
        "alice (x) ",
        "bob (o) ",
        "Reply with ",
    ]
    marks += [
        RULE,
        "Summary of Star Board 1",
        f"It is {to_move}'s turn.",
        *(["Moves:"] if played else []),
    ]
    at = -1
    for mark in marks:
        place = text.find(mark, at + 1)
        assert place > at, f"{mark!r} is not where it should be in:\n{text}"
        at = place
    for line in text.splitlines():
        assert len(line.rstrip()) <= 72


def environment(folder: Path, **more: str) -> dict[str, str]:
    """That of a person who has configured nothing."""
    bare = {"PATH": os.environ["PATH"], "HOME": str(folder), "LANG": "C.UTF-8", "TERM": "xterm"}
    return {**bare, **more}
