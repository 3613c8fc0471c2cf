"""A whole game by mail on this machine: a real daemon on loopback, two accounts, real messages."""

from __future__ import annotations

import mailbox
import os
import re
import smtplib
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable
from email.message import EmailMessage, Message
from email.utils import formatdate, make_msgid
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

import click

SERVER = "star@pbmstar.example"
PEOPLE = {"alice": "alice@home.example", "bob": "bob@work.example"}
_PATIENCE = 15.0  # seconds until a message must have come
_LEFT = 42  # columns of a screen for the words; the board stands on their right


class _Step(NamedTuple):
    """A message of the game: its writer, its line, and the words for the opponent."""

    userid: str
    line: str
    comment: str = ""
    is_refused: bool = False  # then only its writer gets a letter
    is_pass: bool = False  # then the board stays as it was


_CHALLENGE = _Step(
    "alice", "star challenge -size=4 alice bob", "Shall we play? A small board first."
)
_REPLIES = (
    _Step("alice", "C3"),
    _Step("bob", "swap", "That cell is too good: I'll take it."),
    _Step("alice", "C3", is_refused=True),
    _Step("alice", "D4"),
    _Step("bob", "D1"),
    _Step("alice", "pass", "Enough for a first try.", is_pass=True),
    _Step("bob", "pass", "Thank you for the game!", is_pass=True),
)


def run(out: Callable[[str], None], is_full: bool) -> int:
    """Play the game, and ``say`` it: in short, or ``is_full`` with every message and letter.

    No configuration of this machine counts. Return an exit status; only the pages of the game remain.
    """
    pages = Path(tempfile.mkdtemp(prefix="pbmstar-pages-"))
    with tempfile.TemporaryDirectory(prefix="pbmstar-demo-") as folder:
        spool = Path(folder) / "spool"
        options = ["--spool", str(spool), "--address", SERVER, "--listen", "127.0.0.1:0"]
        options += ["--site", str(pages)]
        # A server that is set up here has a relay, a socket and a database: none of them is for a demo.
        options += ["--config", str(nothing := Path(folder) / "pbmstar.toml")]
        nothing.touch()
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PBMSTAR_")}
        daemon = subprocess.Popen(
            [sys.executable, "-m", "pbmstar", "serve", *options],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert daemon.stdout is not None
            ready = re.search(r"listening on 127\.0\.0\.1:(\d+)", daemon.stdout.readline())
            if not ready:
                out("The daemon didn't start.")
                return 1
            out(
                "A game of Star by mail: a real server on this machine, two players, real messages."
            )
            _Play(int(ready[1]), spool, out, is_full).play()
        except TimeoutError as error:
            out(str(error))
            return 1
        finally:
            daemon.terminate()
            daemon.communicate()
        written = [sys.executable, "-m", "pbmstar", "site", *options]
        subprocess.run(written, env=environment, capture_output=True, check=False)
    out("")
    if (page := pages / "g/1.html").exists():
        out(f"Step through the game in a browser:  {page.as_uri()}")
    if not is_full:
        out("Read every message and letter:       pbmstar demo --full")
    out(_HOW_TO_GO_ON)
    return 0


class _Play:
    """Two people with an email app each."""

    def __init__(self, port: int, spool: Path, out: Callable[[str], None], is_full: bool) -> None:
        self._port, self._spool, self._out, self._is_full = port, spool, out, is_full
        self._seen: set[str] = set()
        self._letters: dict[str, Message] = {}  # the last one of each player

    def play(self) -> None:
        """Sign both players up, play the game, and ``say`` it. Raises TimeoutError."""
        for userid, address in PEOPLE.items():
            self._send(address, SERVER, f"signup {userid}", "")
            self._next(userid)
            self._reply(userid, "yes")
            self._next(userid)
        self._tell("alice and bob have signed up by mail. Each has confirmed with the reply yes.")
        self._send(PEOPLE["alice"], SERVER, _CHALLENGE.line, _CHALLENGE.comment)
        for userid in PEOPLE:
            self._next(userid)
        self._tell(f"{_who('alice')} writes: {_CHALLENGE.line}")
        self._tell(f"  {_CHALLENGE.comment}")
        for step in _REPLIES:
            self._reply(step.userid, f"{step.line}\n\n{step.comment}".strip())
            for userid in [step.userid] if step.is_refused else PEOPLE:
                self._next(userid)
            self._tell_step(step)

    def _reply(self, userid: str, text: str) -> None:
        """Reply to the newest letter that a player has."""
        last = self._letters[userid]
        self._send(PEOPLE[userid], str(last["Reply-To"]), f"Re: {last['Subject']}", text)

    def _send(self, sender: str, to: str, subject: str, text: str) -> None:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Date"], mail["Message-ID"] = formatdate(), make_msgid(domain="pbmstar.example")
        mail.set_content(text)
        if self._is_full:
            self._out(f"\n>>> {sender} writes: {subject}\n")
            if text:
                self._out(text)
        with smtplib.SMTP("127.0.0.1", self._port, timeout=_PATIENCE) as smtp:
            smtp.send_message(mail)

    def _next(self, userid: str) -> None:
        """Wait for the next letter to a player. Raises TimeoutError."""
        address = PEOPLE[userid]
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            folder = self._spool / "mail" / address
            for name in sorted(p.name for p in (folder / "new").glob("*")):
                if name not in self._seen:
                    self._seen.add(name)
                    mail = mailbox.Maildir(folder, create=False).get_message(name)
                    self._letters[userid] = mail
                    if self._is_full:
                        self._show(mail)
                    return
            time.sleep(0.01)
        raise TimeoutError(f"No mail came for {address}.")

    def _show(self, mail: Message) -> None:
        self._out("-" * 72)
        for name in ("From", "To", "Reply-To", "Subject"):
            if mail[name]:
                self._out(f"{name}: {mail[name]}")
        self._out("\n" + _text(mail))

    def _tell(self, line: str) -> None:
        if not self._is_full:
            self._out(line)

    def _tell_step(self, step: _Step) -> None:
        """Say a reply and the words of a letter about it, and on their right the board after it."""
        other = next(userid for userid in PEOPLE if userid != step.userid)
        reader = step.userid if step.is_refused else other
        text = _text(self._letters[reader])
        words = [f"{step.userid} replies: {step.line}"]
        words += [f"  {step.comment}"] if step.comment else []
        told = _told(text, step.is_refused)
        words += textwrap.wrap(f"{reader} is told: {told}", _LEFT, subsequent_indent="  ")
        board = [] if step.is_refused or step.is_pass else _board(text)
        self._tell("")
        for left, right in zip_longest(words, board, fillvalue=""):
            line = f"{left:<{_LEFT}}{right}".rstrip()
            self._tell(
                line.replace(step.userid, _who(step.userid), 1) if left == words[0] else line
            )


def _who(userid: str) -> str:
    return click.style(userid, bold=True)


def _text(mail: Message) -> str:
    part = next(part for part in mail.walk() if part.get_content_type() == "text/plain")
    content = part.get_payload(decode=True)
    assert isinstance(content, bytes)
    return content.decode("utf-8", "replace")


def _told(text: str, is_refused: bool) -> str:
    """Return the sentence that a letter opens with; of an answer to a refused line the reason."""
    parts = text.split("\n\n")
    place = 1 if is_refused else 0  # what we read stands above the reason
    return " ".join(parts[place].split())


def _board(text: str) -> list[str]:
    """Return the lines of the board that a letter shows."""
    part = next(part for part in text.split("\n\n") if re.match(r" +1- ", part))
    return part.splitlines()


_HOW_TO_GO_ON = """
To play yourself, start a server in one terminal (pbmstar serve), and write to it in another:
  swaks --server 127.0.0.1:8025 --from you@home.example --to star@localhost --header 'Subject: hello'
The answer is in spool/mail/you@home.example (read it with mutt -f).
More: docs/playing.md, docs/installing.md."""
