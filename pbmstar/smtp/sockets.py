"""The daemon's sockets and its certificate; and its presence, for systemd, a load balancer, and ``drain``."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import ssl
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..config import Config, repeated
from ..delivery.dispatch import lock_of
from ..errors import BadInput, TemporaryFailure
from ..machine.files import hold, write_whole
from ..machine.times import Seconds
from ..store import LANES, Store

# asyncio accepts up to `backlog` connections per wake-up, and logs each failure when descriptors run
# out. So we keep the backlog small, and enlarge the kernel's queue afterwards.
_BACKLOG, _QUEUE = 16, 512
_TCP = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s:\[\]/]*)):([0-9]{1,5})")
_PATIENCE = 2.0  # seconds for the database to answer
_LOOK = 0.5  # seconds between two looks at the waiting letters


class Endpoint(NamedTuple):
    """An address to listen at: a path, or host and port; port 0 stands for any free port."""

    lmtp: bool
    path: Path | None
    host: str
    port: int


class OpenSocket:
    """A socket that listens; ``name`` is its endpoint as the configuration writes it."""

    def __init__(self, server: asyncio.Server, name: str, path: Path | None) -> None:
        self._server, self.name, self._path = server, name, path

    def close(self) -> None:
        """Accept no further connection."""
        self._server.close()
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def endpoints(config: Config) -> list[Endpoint]:
    """Return the endpoints of the configuration, SMTP first. Raises BadInput."""
    result = [_place("listen", config.listen, lmtp=False)] if config.listen else []
    if config.lmtp:
        result.append(_place("lmtp", config.lmtp, lmtp=True))
    if not result and not config.mailbox:
        raise BadInput("listen: there is no listen, lmtp or mailbox, so no mail could come in.")
    return result


def _place(key: str, text: str, lmtp: bool) -> Endpoint:
    if text.startswith("unix:/"):
        return Endpoint(lmtp, Path(text.removeprefix("unix:")), "", 0)
    return Endpoint(lmtp, None, *host_and_port(key, text))


def host_and_port(key: str, text: str) -> tuple[str, int]:
    """Return the host, perhaps empty, and the port of a key's value. Raises BadInput."""
    parts = _TCP.fullmatch(text)
    if parts is None or int(parts[3]) > 65535:
        path = "/PATH" if key == "metrics" else "unix:/PATH"
        raise BadInput(f"{key}: {repeated(text)} is neither HOST:PORT nor {path}.")
    return parts[1] or parts[2], int(parts[3])


async def listen(endpoint: Endpoint, protocol: Callable[[], asyncio.Protocol]) -> OpenSocket:
    """Listen at an endpoint; each connection gets a protocol of its own. Raises TemporaryFailure."""
    loop = asyncio.get_running_loop()
    try:
        if endpoint.path is not None:
            remove_stale(endpoint.path)
            server = await loop.create_unix_server(protocol, endpoint.path, backlog=_BACKLOG)
            _enlarge_queue(server)
            # The mail server runs as another user. As on a loopback port, every user who can reach the
            # socket may use it: the folder's permissions keep others out.
            endpoint.path.chmod(0o666)
            return OpenSocket(server, f"unix:{endpoint.path}", endpoint.path)
        server = await loop.create_server(
            protocol, endpoint.host or None, endpoint.port, backlog=_BACKLOG
        )
        _enlarge_queue(server)
    except OSError as error:
        where = endpoint.path or f"{endpoint.host}:{endpoint.port}"
        why = error.strerror or error
        raise TemporaryFailure(f"cannot listen on {where}: {why}") from error
    host, port = server.sockets[0].getsockname()[:2]
    return OpenSocket(server, f"[{host}]:{port}" if ":" in host else f"{host}:{port}", None)


def _enlarge_queue(server: asyncio.Server) -> None:
    """Let more connections wait in the kernel, so that fewer are turned away."""
    for listening in server.sockets:
        with socket.socket(fileno=os.dup(listening.fileno())) as same:
            same.listen(_QUEUE)


def remove_stale(path: Path) -> None:
    """Remove a socket that a killed process has left. Raises TemporaryFailure if a process listens on it."""
    with socket.socket(socket.AF_UNIX) as probe, suppress(FileNotFoundError):
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
        else:
            raise TemporaryFailure(f"cannot listen on {path}: another process does")


def tls(config: Config) -> ssl.SSLContext | None:
    """Return the context of STARTTLS; None without a certificate. Raises BadInput."""
    if config.certificate is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(config.certificate, config.certificate_key)
    except (OSError, ssl.SSLError):
        raise BadInput("certificate: no certificate with its key in PEM form.") from None
    return context


def notify(address: str, state: str) -> None:
    """Tell systemd a state such as READY=1 at the ``address`` that it has named; do nothing without one."""
    if address:
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.connect("\0" + address[1:] if address.startswith("@") else address)
            line.sendall(state.encode())


class Presence:
    """The daemon's answer if it takes messages, and its wait for the letters before it ends."""

    def __init__(self, spool: Path, store: Store, refused: Callable[[], str]) -> None:
        """``refused`` returns why messages are deferred now; empty if they are accepted."""
        self._file, self._store, self._refused = spool / "serve.pid", store, refused

    def announce(self) -> None:
        """Leave the number of this process for ``drain``."""
        write_whole(self._file, str(os.getpid()).encode())

    def withdraw(self) -> None:
        self._file.unlink(missing_ok=True)

    async def trouble(self) -> str:
        """Return the reason why no mail is taken now; empty if messages are taken."""
        if why := self._refused():
            return why
        try:
            async with asyncio.timeout(_PATIENCE):
                return await asyncio.to_thread(self._ask)
        except (TemporaryFailure, TimeoutError):
            return "the database does not answer"

    def _ask(self) -> str:
        with self._store.transaction(writes=False) as tx:
            return "paused by the operator" if tx.ledger.fact("paused") else ""

    async def emptied(self, node: str, seconds: Seconds) -> bool:
        """Wait until the node has no letter to send; return False if that takes longer than ``seconds``."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while await asyncio.to_thread(self._has_letters, node):
                    await asyncio.sleep(_LOOK)
                return True
        return False

    def _has_letters(self, node: str) -> bool:
        """Return True if a letter is due, or in the hands of the node, or nobody can tell."""
        with suppress(TemporaryFailure), self._store.transaction(writes=False) as tx:
            now = time.time()
            return (
                any(tx.outbox.next_due(now, each) for each in LANES) or tx.outbox.in_hand(node) > 0
            )
        return True


def drain(spool: Path) -> int:
    """Ask the daemon of a spool to drain; return the number of its process.

    Raises TemporaryFailure without one.
    """
    with hold(lock_of(spool)) as is_free:
        if not is_free:
            with suppress(OSError, ValueError):
                number = int((spool / "serve.pid").read_text())
                os.kill(number, signal.SIGUSR1)
                return number
    raise TemporaryFailure("no daemon runs on this spool")
