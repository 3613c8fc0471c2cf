"""A private Postfix and a pbmstar behind it, set up as README.md says, on loopback.

All that README.md does not say stands in ``_BASE``: what Debian's installer writes, on a machine
that bears the server's own name, and what keeps this Postfix apart from the one of the machine.
"""

from __future__ import annotations

import email
import json
import os
import shutil
import signal
import smtplib
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from typing import Any, TypeVar

import readme
from harness.sink import Sink, Taken

DOMAIN = "star.example.org"
SERVER = f"star@{DOMAIN}"
OPERATOR = "you@example.org"
PATIENCE = 20.0  # seconds until something must have happened
T = TypeVar("T")

_BASE = """\
compatibility_level = 3.6
smtpd_banner = $myhostname ESMTP $mail_name (Debian/GNU)
biff = no
append_dot_mydomain = no
readme_directory = no
smtpd_relay_restrictions = permit_mynetworks permit_sasl_authenticated defer_unauth_destination
myhostname = star.example.org
alias_maps =
alias_database =
mydestination = $myhostname, vm, localhost.localdomain, , localhost
relayhost =
mynetworks = 127.0.0.0/8 [::ffff:127.0.0.0]/104 [::1]/128
mailbox_size_limit = 0
recipient_delimiter = +
inet_protocols = ipv4

inet_interfaces = 127.0.0.1
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/maillog
maillog_file_prefixes = {folder}
default_transport = smtp:[127.0.0.1]:{sink}
disable_dns_lookups = yes
minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
"""
_SERVICES = """\
127.0.0.1:{port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
proxywrite unix - - n - 1 proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
showq unix n - n - - showq
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""


def until(found: Callable[[], T], what: str, seconds: float = PATIENCE) -> T:
    """Ask until there is an answer that is true, and return it. Raises AssertionError."""
    deadline = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < deadline, f"in {seconds} s: no {what}"
        time.sleep(0.02)
    return answer


def free_port() -> int:
    """A port of loopback that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Postfix:
    """An instance of its own; knows its processes by the directory that they work in."""

    def __init__(self, folder: Path, sink: int) -> None:
        self._folder, self.port = folder, free_port()
        self.queue = folder / "queue"
        self._etc = folder / "etc"
        for made in (self.queue, self._etc, folder / "data"):
            made.mkdir()
        shutil.chown(folder / "data", "postfix")
        added = "".join(readme.blocks("`/etc/postfix/main.cf`, added at the end")[:1])
        names = {line.partition("=")[0] for line in added.splitlines()}
        base = [
            line
            for line in _BASE.format(folder=folder, sink=sink).splitlines(keepends=True)
            if line.partition("=")[0] not in names
        ]
        (self._etc / "main.cf").write_text("".join(base) + added)
        (self._etc / "master.cf").write_text(_SERVICES.format(port=self.port))

    def run(self, program: str, *words: str) -> str:
        """Run one of Postfix's programs on this instance; returns what it says."""
        command = [f"/usr/sbin/{program}", "-c", str(self._etc), *words]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.run("postfix", "start")
        until(self._answers, "answer of Postfix")

    def _answers(self) -> bool:
        try:
            with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE) as smtp:
                return smtp.noop()[0] == 250
        except (OSError, smtplib.SMTPException):
            return False

    def kill(self) -> None:
        """kill -9, the master first."""
        file = self.queue / "pid" / "master.pid"
        first = [int(file.read_text())] if file.exists() else []
        while pids := [pid for pid in first if pid in self.pids()] or list(self.pids()):
            for pid in pids:
                os.kill(pid, signal.SIGKILL)
            until(lambda pids=pids: not {*pids} & {*self.pids()}, "end of Postfix")

    def stop(self) -> None:
        """Stop it; none of its processes is left."""
        if self.pids():
            command = ["/usr/sbin/postfix", "-c", str(self._etc), "stop"]
            subprocess.run(command, check=False, capture_output=True, timeout=60)
        self.kill()

    def pids(self) -> Iterator[int]:
        """Its processes."""
        for entry in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(entry / "cwd").startswith(str(self.queue)):
                    yield int(entry.name)
            except OSError:  # gone, or a kernel thread
                continue

    def waiting(self) -> list[dict[str, Any]]:
        """The mails in its queue."""
        return [json.loads(line) for line in self.run("postqueue", "-j").splitlines()]

    def log(self) -> str:
        """What it has written to its log."""
        file = self._folder / "maillog"
        return file.read_text("utf-8", "replace") if file.exists() else ""


class Pbmstar:
    """The daemon in a process of its own, and ``pbmstar`` on the same configuration."""

    def __init__(self, folder: Path, postfix: Postfix) -> None:
        self._folder = folder
        self.lmtp = postfix.queue / "pbmstar" / "lmtp"
        text = readme.blocks("`/etc/pbmstar.toml`", "toml")[0]
        for said, ours in (
            ("/var/lib/pbmstar", str(folder)),
            ("127.0.0.1:8025", "127.0.0.1:0"),
            ("/var/spool/postfix", str(postfix.queue)),
            ("127.0.0.1:25", f"127.0.0.1:{postfix.port}"),
        ):
            assert said in text
            text = text.replace(said, ours)
        (folder / "pbmstar.toml").write_text(text)
        command = next(
            line
            for block in readme.blocks("### Beside Debian's Postfix", "sh")
            for line in block.splitlines()
            if line.startswith("install -d")
        )
        command = command.replace("/var/spool/postfix", str(postfix.queue))
        subprocess.run(command.replace("-o pbmstar", "-o nobody").split(), check=True)
        self.process: subprocess.Popen[str] | None = None

    def _words(self, *words: str) -> list[str]:
        toml = str(self._folder / "pbmstar.toml")
        return [sys.executable, "-m", "pbmstar", "--config", toml, *words]

    def run(self, *words: str) -> str:
        """Run ``pbmstar`` with these words; returns what it prints."""
        done = subprocess.run(
            self._words(*words),
            check=False,
            capture_output=True,
            text=True,
            timeout=60,
            cwd=self._folder,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def json(self, *words: str) -> Any:
        """The same with ``--json``."""
        return json.loads(self.run(*words, "--json"))

    def start(self) -> None:
        """Start the daemon and wait until it listens."""
        with open(self._folder / "pbmstar.log", "a") as log:
            self.process = subprocess.Popen(
                self._words("serve"), stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().rpartition(":")[2])
        assert self.process.stdout.readline() == f"pbmstar: listening on unix:{self.lmtp}\n"

    def kill(self, number: int = signal.SIGKILL) -> None:
        """End the daemon, at once unless told otherwise."""
        if self.process is not None:
            self.process.send_signal(number)
            self.process.wait(60)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def mails(self) -> list[dict[str, Any]]:
        """What the log says of each mail."""
        lines = (self._folder / "pbmstar.log").read_text().splitlines()
        return [fact for fact in map(json.loads, lines) if fact.get("event") == "mail"]


class Letter:
    """A letter that has come out of Postfix."""

    def __init__(self, taken: Taken) -> None:
        self.taken = taken
        self.to = taken.recipients[0]
        self.mail: Message = email.message_from_bytes(taken.content)

    def __repr__(self) -> str:
        return f"<{self.to}: {self.mail['Subject']}>"

    @property
    def text(self) -> str:
        """The text part."""
        for part in self.mail.walk():
            if part.get_content_type() == "text/plain":
                content = part.get_payload(decode=True)
                assert isinstance(content, bytes)
                return content.decode(part.get_content_charset() or "ascii").replace("\r\n", "\n")
        raise AssertionError("no text part")


class House:
    """Postfix, pbmstar, and the world: a sink that all mail for other domains goes to."""

    def __init__(self, folder: Path) -> None:
        self.refused: set[str] = set()  # recipients that the world answers with 550
        self.sink = Sink(self._rule)
        self.sink.__enter__()
        self.postfix = Postfix(folder, self.sink.port)
        self.pbmstar = Pbmstar(folder, self.postfix)
        self._read = 0
        self._serial = 0

    def start(self) -> None:
        """Start both."""
        self.postfix.start()
        self.pbmstar.start()

    def stop(self) -> None:
        """Stop all."""
        try:
            self.pbmstar.kill(signal.SIGTERM)
        finally:
            self.postfix.stop()
            self.sink.__exit__()

    def _rule(self, step: str, _count: int, _letter: Taken) -> str | None:
        if step == "rcpt" and any(f"<{who}>".encode() in self.sink.log[-1] for who in self.refused):
            return "550 5.1.1 no such user"
        return None

    def write(
        self, author: str, subject: str = "", body: str = "", to: str = SERVER, headers: str = ""
    ) -> bytes:
        """The bytes of a mail, with a Message-ID of its own."""
        self._serial += 1
        return (
            f"From: {author}\r\nTo: {to}\r\nSubject: {subject}\r\n"
            f"Message-ID: <{self._serial}.{time.monotonic_ns()}@mua.example>\r\n{headers}"
            f"\r\n{body}\r\n"
        ).encode()

    def hand_in(self, raw: bytes, sender: str, *recipients: str) -> dict[str, tuple[int, bytes]]:
        """Give a mail to Postfix by SMTP; returns the recipients that it refused."""
        with smtplib.SMTP("127.0.0.1", self.postfix.port, timeout=PATIENCE) as smtp:
            return smtp.sendmail(sender, recipients or (SERVER,), raw)

    def send(self, author: str, subject: str = "", body: str = "", to: str = SERVER) -> None:
        """Write a mail and give it to Postfix."""
        assert not self.hand_in(self.write(author, subject, body, to), author, to)

    def next(self, count: int = 1) -> list[Letter]:
        """The next letters that come out, in the order of their recipients."""
        self.sink.wait(self._read + count, PATIENCE)
        found = [Letter(each) for each in self.sink.letters[self._read : self._read + count]]
        self._read += count
        return sorted(found, key=lambda letter: letter.to)

    def rest(self) -> list[Letter]:
        """What else has come; by then neither queue nor outbox holds anything."""
        until(self._is_quiet, "quiet")
        return self.next(self.sink.count - self._read)

    def _is_quiet(self) -> bool:
        return not self.postfix.waiting() and not self.pbmstar.json("admin", "outbox", "list")

    def add(self, *userids: str) -> list[str]:
        """Open accounts as the operator does; returns their addresses."""
        addresses = [f"{userid}@{userid}.example" for userid in userids]
        for userid, address in zip(userids, addresses, strict=True):
            self.pbmstar.run("admin", "user", "add", userid, address, "--password", "s3cret")
        return addresses
