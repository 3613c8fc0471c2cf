"""A Postfix of its own on loopback, for root."""

from __future__ import annotations

import json
import os
import shutil
import signal
import smtplib
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from harness.server import PATIENCE, free_port, until

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

# What keeps it apart from the one of the machine. All that it sends goes to the sink.
_APART = """\
compatibility_level = 3.6
inet_protocols = ipv4
inet_interfaces = 127.0.0.1
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/maillog
maillog_file_prefixes = {folder}
default_transport = smtp:[127.0.0.1]:{sink}
disable_dns_lookups = yes
"""


class Postfix:
    """An instance of its own; knows its processes by the directory that they work in.

    settings  of main.cf, beside those that keep it apart
    services  of master.cf, beside the usual ones
    """

    def __init__(self, folder: Path, sink: int, settings: str, services: str = "") -> None:
        self._folder, self.port = folder, free_port()
        self.queue = folder / "queue"
        self._etc = folder / "etc"
        for made in (self.queue, self._etc, folder / "data"):
            made.mkdir()
        shutil.chown(folder / "data", "postfix")
        (self._etc / "main.cf").write_text(_APART.format(folder=folder, sink=sink) + settings)
        (self._etc / "master.cf").write_text(_SERVICES.format(port=self.port) + services)

    def run(self, program: str, *words: str) -> str:
        """Run one of Postfix's programs on this instance; returns what it says."""
        command = [f"/usr/sbin/{program}", "-c", str(self._etc), *words]
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=600)
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
            subprocess.run(command, check=False, capture_output=True, timeout=600)
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


def is_possible() -> bool:
    """Whether there is a Postfix that we may start."""
    return os.getuid() == 0 and Path("/usr/sbin/postfix").exists()
