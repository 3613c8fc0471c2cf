"""A private Postfix and a pbmstar behind it, set up as docs/installing.md says, on loopback.

All that the page does not say stands in ``_BASE``: what Debian's installer writes, on a machine
that bears the server's own name, and what keeps this Postfix apart from the one of the machine.
"""

from __future__ import annotations

import smtplib
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import readme
from harness.letters import Got
from harness.postfix import Postfix
from harness.server import PATIENCE, Server, until
from harness.sink import Sink, Taken

DOMAIN = "star.example.org"
SERVER = f"star@{DOMAIN}"
OPERATOR = "you@example.org"

_BASE = """\
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

minimal_backoff_time = 1s
maximal_backoff_time = 1s
queue_run_delay = 1s
lmtp_send_xforward_command = yes
"""


def postfix_of(folder: Path, sink: int) -> Postfix:
    """Postfix as the page sets it up."""
    added = "".join(readme.blocks("`/etc/postfix/main.cf` needs")[:1])
    names = {line.partition("=")[0] for line in added.splitlines()}
    base = [line for line in _BASE.splitlines(keepends=True) if line.partition("=")[0] not in names]
    return Postfix(folder, sink, "".join(base) + added)


def pbmstar_of(folder: Path, postfix: Postfix) -> Server:
    """pbmstar as the page configures it, in a folder and beside a Postfix of our own."""
    text = readme.blocks("`/etc/pbmstar.toml`", "toml")[0]
    for theirs, ours in (
        ("/var/lib/pbmstar", str(folder)),
        ("/var/spool/postfix", str(postfix.queue)),
        ("127.0.0.1:25", f"127.0.0.1:{postfix.port}"),
    ):
        assert theirs in text
        text = text.replace(theirs, ours)
    (folder / "pbmstar.toml").write_text(text)
    lines = "".join(readme.blocks("## With pip, next to Debian's Postfix", "sh")).splitlines()
    (command,) = (line for line in lines if line.startswith("install -d"))
    command = command.replace("/var/spool/postfix", str(postfix.queue))
    subprocess.run(command.replace("-o pbmstar", "-o nobody").split(), check=True)
    return Server(folder)


class Letter(Got):
    """A letter that has come out of Postfix."""

    def __repr__(self) -> str:
        return f"<{self.to}: {self.subject}>"


class House:
    """Postfix, pbmstar, and the world: a sink that all mail for other domains goes to."""

    def __init__(self, folder: Path) -> None:
        self.refused: set[str] = set()  # recipients that the world answers with 550
        self.sink = Sink(self._rule)
        self.sink.__enter__()
        self.postfix = postfix_of(folder, self.sink.port)
        self.pbmstar = pbmstar_of(folder, self.postfix)
        self.lmtp = self.postfix.queue / "pbmstar" / "lmtp"
        self._read = 0
        self._serial = 0

    def start(self) -> None:
        """Start both."""
        self.postfix.start()
        self.start_pbmstar()

    def start_pbmstar(self) -> None:
        """Start the daemon, and wait until Postfix can reach it."""
        self.pbmstar.start(truly=True)
        until(self._takes_lmtp, "LMTP")

    def _takes_lmtp(self) -> bool:
        with socket.socket(socket.AF_UNIX) as probe, suppress(OSError):
            probe.connect(str(self.lmtp))
            return True
        return False

    def stop(self) -> None:
        """Stop all."""
        try:
            if self.pbmstar.process:
                self.pbmstar.stop()
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
        taken = self.sink.letters[self._read : self._read + count]
        letters = [Letter(each.recipients[0], each.sender, each.content) for each in taken]
        self._read += count
        return sorted(letters, key=lambda letter: letter.to)

    def rest(self) -> list[Letter]:
        """What else has come; by then neither queue nor outbox holds anything."""
        until(self._is_quiet, "quiet")
        return self.next(self.sink.count - self._read)

    def _is_quiet(self) -> bool:
        return not self.waits() and not self.pbmstar.json("admin", "outbox", "list")

    def waits(self) -> bool:
        """Whether mails are in Postfix's queue; it looks at them again.

        On a busy machine a delay of a second can end while a mail is "still being delivered": then
        Postfix passes over it until the queue is asked for.
        """
        waits = bool(self.postfix.waiting())
        if waits:
            self.postfix.run("postqueue", "-f")
        return waits
