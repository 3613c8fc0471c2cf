"""What the daemon's tests share: daemons, in a thread or a process, and a peer that says what it likes."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import threading
from pathlib import Path
from typing import Any

from harness.quick import opened
from harness.ready import python
from standin import PATIENCE, SERVER, Standin, configured

from pbmstar.smtp.server import Daemon, Equipment

_FRAME = b"From: alice@home.example\r\nTo: star@pbm.example\r\nSubject: star help\r\n\r\n%s\r\n"


def raw(text: bytes) -> bytes:
    """The mail with that text, as the service sees it."""
    return _FRAME % text


class Reached:
    """A daemon that peers connect to: where it listens, and the peers, which end before it does."""

    def __init__(self, spool: Path) -> None:
        self.spool = spool
        self.names: list[str] = []
        self._peers: list[Peer] = []

    def connect(self, place: str = "", source: str = "") -> Peer:
        """A connection to the first listener, or to that place; nothing is said yet."""
        self._peers.append(Peer(place or self.names[0], source))
        return self._peers[-1]

    def peer(self, place: str = "", source: str = "", hello: str = "EHLO") -> Peer:
        """A connection that has been greeted, and has introduced itself by that verb, if any."""
        peer = self.connect(place, source)
        peer.expect("220 pbm.example ESMTP")
        if hello:
            peer.ask(f"{hello} peer.example", "250")
        return peer

    def hang_up(self) -> None:
        """End all peers."""
        while self._peers:
            self._peers.pop().close()

    def delivered(self) -> list[Path]:
        """The letters in the maildirs."""
        return list((self.spool / "mail").glob("*/new/*"))


class Running(Reached):
    """A daemon in a thread of its own, from ``__enter__`` to ``__exit__``."""

    def __init__(self, spool: Path, service: Any = None, **options: Any) -> None:
        """Options that are its equipment are for the daemon, all others for the configuration."""
        super().__init__(spool)
        spool.mkdir(exist_ok=True)
        more = {key: options.pop(key) for key in ("limits", "tls", "disk") if key in options}
        self._equipment = Equipment(**more)
        self.config = configured(spool, **options)
        self.store = opened(self.config.database)
        self.service: Any = service or Standin()
        self._ready, self._thread = threading.Event(), threading.Thread(target=self._run)

    def make(self) -> Daemon:
        """The daemon, which is not started."""
        return Daemon(self.config, self.service, self.store, self._equipment)

    def __enter__(self) -> Running:
        self._thread.start()
        assert self._ready.wait(PATIENCE) and self.names
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self.service, Standin):
            self.service.gate.set()
        self.hang_up()
        self.stop()
        self.store.close()

    def _run(self) -> None:
        async def live() -> None:
            self.loop, self._over = asyncio.get_running_loop(), asyncio.Event()
            try:
                self.daemon = self.make()
                self.names = await self.daemon.start()
            finally:
                self._ready.set()
            await self._over.wait()
            await self.daemon.stop(self._patience)

        asyncio.run(live())

    def stop(self, patience: float = PATIENCE) -> None:
        """Stop the daemon, which has that patience with its peers, and wait for its end."""
        if self._thread.is_alive():
            self._patience = patience
            self.loop.call_soon_threadsafe(self._over.set)
        self._thread.join(2 * PATIENCE)
        assert not self._thread.is_alive(), "the daemon did not stop"

    def hold(self, peer: Peer, text: bytes) -> None:
        """Have the peer send the mail, and wait until it is under way, held until the gate is open."""
        peer.send(text)
        assert self.service.entered.wait(PATIENCE)

    def sessions(self) -> int:
        """How many there are at the first listener."""
        return len(self.daemon.listeners[0].sessions)

    def texts(self) -> list[bytes]:
        """The mails that the service has executed, duplicates apart."""
        return [raw for _, raw in self.service.seen]

    def waiting(self) -> int:
        """How many letters have not been delivered."""
        with self.store.transaction() as tx:
            return len(tx.outbox.unsent())


class Alone(Reached):
    """A daemon in a process of its own, with the stand-in; ``truly`` one whose modules are its own."""

    def __init__(
        self, spool: Path, *options: str, log: str = os.devnull, truly: bool = False
    ) -> None:
        super().__init__(spool)
        self._program = (str(Path(__file__).parent / "alone.py"), str(spool), *options)
        self._log, self._truly = log, truly

    def __enter__(self) -> Alone:
        reading, writing = os.pipe()
        with open(writing, "wb") as said, open(self._log, "wb") as errors:
            self.process = python(
                self._program, os.environ, self.spool, (said, errors), self._truly
            )
        self._heard = open(reading)
        line = self._heard.readline()
        assert line.startswith("pbmstar: listening on ")
        self.names = [line.split()[-1]]
        return self

    def __exit__(self, *_: object) -> None:
        self.hang_up()
        self.process.kill()
        self.process.wait()
        self._heard.close()

    def terminate(self) -> int:
        """End the peers, then the daemon by SIGTERM; returns the exit status."""
        self.hang_up()
        self.process.terminate()
        return self.process.wait(PATIENCE)


class Peer:
    """One connection. What it expects is the beginning of a reply; "" means that the line is cut."""

    def __init__(self, place: str, source: str = "") -> None:
        if place.startswith("unix:"):
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(PATIENCE)
            self.sock.connect(place.removeprefix("unix:"))
        else:
            host, _, port = place.rpartition(":")
            self.sock = socket.create_connection(
                (host.strip("[]"), int(port)), PATIENCE, (source, 0) if source else None
            )
        self._read = b""

    def close(self, reset: bool = False) -> None:
        """Be gone; with ``reset`` without even a farewell of TCP."""
        if reset:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.sock.close()

    def say(self, data: bytes) -> None:
        self.sock.sendall(data)

    def send(self, text: bytes) -> None:
        """The content of a mail with that text, and its end."""
        self.say(raw(text) + b".\r\n")

    def _line(self) -> bytes:
        while b"\r\n" not in self._read:
            try:
                more = self.sock.recv(65536)
            except ConnectionError:
                more = b""
            if not more:
                return b""
            self._read += more
        line, _, self._read = self._read.partition(b"\r\n")
        return line

    def hear(self) -> str:
        """One reply, all its lines; empty if the connection has ended."""
        lines = [self._line()]
        while lines[-1][3:4] == b"-":
            lines.append(self._line())
        return "\n".join(line.decode("ascii") for line in lines)

    def expect(self, *replies: str) -> str:
        """Hear these replies; returns the last."""
        for expected in replies:
            reply = self.hear()
            assert reply.startswith(expected) and bool(reply) == bool(expected), (reply, expected)
        return reply

    def ask(self, command: str, *replies: str) -> str:
        """Say a line and hear these replies; returns the last."""
        try:
            self.say(command.encode("latin-1") + b"\r\n")
        except ConnectionError:
            self._read = b""
        return self.expect(*replies)

    def envelope(self, sender: str = "alice@home.example", *to: str) -> Peer:
        """MAIL, RCPT and DATA, up to the go-ahead."""
        self.ask(f"MAIL FROM:<{sender}>", "250 2.1.0")
        for recipient in to or (SERVER,):
            self.ask(f"RCPT TO:<{recipient}>", "250 2.1.5")
        self.ask("DATA", "354")
        return self

    def mail(self, text: bytes = b"hello", reply: str = "250 2.0.0 Accepted ") -> str:
        """One mail with that text, and its reply."""
        self.envelope().send(text)
        return self.expect(reply)

    def talk(self, script: str) -> None:
        """Lines of a command, two blanks or more, and the reply; a command ``* TEXT`` is a mail."""
        for line in script.strip().splitlines():
            command, reply = re.split(r" {2,}", line.strip())
            if command.startswith("* "):
                self.mail(command[2:].encode("latin-1"), reply)
            else:
                self.ask(command, reply)

    def expect_end(self) -> None:
        """Wait until the daemon closes the connection; what it still says is skipped."""
        while self.hear():
            pass
