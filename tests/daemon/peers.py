"""What the daemon's tests share: a stand-in for the service, a daemon in a thread, a blunt peer."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbmstar import config
from pbmstar.errors import Passing, Unreadable
from pbmstar.service import Envelope, Outcome
from pbmstar.smtp.limits import Limits
from pbmstar.smtp.server import Daemon
from pbmstar.store import Store, Tx

SERVER = "star@pbm.example"
MAIL = b"From: alice@home.example\r\nTo: star@pbm.example\r\nSubject: star help\r\n\r\n%s\r\n.\r\n"
PATIENCE = 20.0


class Standin:
    """Does of a service what the daemon can see: each mail is marked and makes one letter.

    Words in a mail make it do something else: unreadable, bug, passing, diskfull, wait, operator.
    """

    def __init__(self) -> None:
        self.seen: list[tuple[Envelope, bytes]] = []  # what was executed and not a duplicate
        self.entered, self.gate = threading.Event(), threading.Event()

    def knows(self, address: str) -> bool:
        local, _, domain = address.lower().rpartition("@")
        return domain == "pbm.example" and (
            local.partition("+")[0] == "star" or local in ("postmaster", "abuse")
        )

    def read(self, raw: bytes) -> Any:
        if b"unreadable" in raw:
            raise Unreadable("this is a constant text")
        return raw

    def execute(self, tx: Tx, envelope: Envelope, mail: Any, raw: bytes) -> Outcome:
        digest = sha256(raw).digest()
        if not tx.handle(digest, 1.0, None):
            return Outcome("duplicate")
        tx.add_letter(f"<{digest.hex()}@x>", "u", "p@q.example", SERVER, b"\r\n" + raw, 1.0)
        if b"wait" in raw:
            self.entered.set()
            assert self.gate.wait(PATIENCE)
        if b"bug" in raw:
            raise RuntimeError(raw.decode())
        if b"passing" in raw:
            raise Passing("database: database is locked")
        if b"diskfull" in raw:
            raise Passing("database: database or disk is full")
        self.seen.append((envelope, raw))
        return Outcome("applied", keep=b"operator" in raw)


class Running:
    """A daemon in a thread of its own, from ``__enter__`` to ``__exit__``."""

    def __init__(
        self,
        spool: Path,
        database: str = "",
        *,
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
        free: Callable[[Path], int] | None = None,
        service: Any = None,
        **options: str,
    ) -> None:
        spool.mkdir(exist_ok=True)
        self.spool = spool
        told = {"spool": str(spool), "address": SERVER, "listen": "127.0.0.1:0", **options}
        if database:
            told["database"] = database
        self.config = config.load(told, {})
        self.store = Store(self.config.database)
        self.service = service or Standin()
        self._more: Any = {"limits": limits, "tls": tls, "free": free}
        self._ready = threading.Event()
        self.names: list[str] = []

    def __enter__(self) -> Running:
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()))
        self._thread.start()
        assert self._ready.wait(PATIENCE) and self.names
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive(), "the daemon did not stop"
        self.store.close()

    def stop(self) -> None:
        """Ask it to stop; returns at once."""
        self.loop.call_soon_threadsafe(self._stop.set)

    async def _main(self) -> None:
        self.loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            self.daemon = Daemon(self.config, self.service, self.store, **self._more)
            self.names = await self.daemon.start()
        finally:
            self._ready.set()
        await self._stop.wait()
        await self.daemon.stop()

    @property
    def port(self) -> int:
        return int(self.names[0].rpartition(":")[2])

    def peer(self, place: str | None = None, source: str = "") -> Peer:
        """A connection to the first listener, or to that of this name; the greeting is read."""
        peer = Peer(place or self.names[0], source=source)
        assert peer.hear().startswith("220 pbm.example ESMTP")
        return peer

    def handled(self) -> list[tuple[Envelope, bytes]]:
        """What the service has executed, duplicates apart."""
        return list(self.service.seen)


class Peer:
    """One connection that says what it likes."""

    def __init__(self, place: str, timeout: float = PATIENCE, source: str = "") -> None:
        if place.startswith("unix:"):
            self.sock = socket.socket(socket.AF_UNIX)
            self.sock.settimeout(timeout)
            self.sock.connect(place.removeprefix("unix:"))
        else:
            host, _, port = place.rpartition(":")
            self.sock = socket.create_connection(
                (host.strip("[]"), int(port)), timeout, (source, 0) if source else None
            )
        self._read = b""

    def __enter__(self) -> Peer:
        return self

    def __exit__(self, *_: object) -> None:
        self.sock.close()

    def say(self, data: bytes) -> None:
        self.sock.sendall(data)

    def reset(self) -> None:
        """Be gone, without a farewell even of TCP."""
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.sock.close()

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

    def ask(self, command: bytes) -> str:
        """Say a line, hear a reply."""
        try:
            self.say(command + b"\r\n")
        except ConnectionError:
            return ""
        return self.hear()

    def hello(self, word: bytes = b"EHLO") -> Peer:
        """Introduce ourselves."""
        assert self.ask(word + b" peer.example").startswith("250")
        return self

    def envelope(self, sender: bytes = b"alice@home.example", *to: bytes) -> Peer:
        """MAIL, RCPT and DATA, up to the go-ahead."""
        assert self.ask(b"MAIL FROM:<" + sender + b">").startswith("250 2.1.0")
        for recipient in to or (b"star@pbm.example",):
            assert self.ask(b"RCPT TO:<" + recipient + b">").startswith("250 2.1.5")
        assert self.ask(b"DATA").startswith("354")
        return self

    def mail(self, text: bytes = b"hello") -> str:
        """One mail with that text; the reply."""
        self.envelope()
        self.say(MAIL % text)
        return self.hear()

    def has_ended(self) -> bool:
        """Whether the daemon closes the connection; what it still says is read over."""
        while True:
            try:
                if not self.sock.recv(65536):
                    return True
            except ConnectionError:
                return True
            except TimeoutError:
                return False


def until(true: Callable[[], object], what: str = "it", seconds: float = PATIENCE) -> None:
    """Wait until it is true, however long the machine takes within reason."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, f"{what} did not happen"
        time.sleep(0.002)
