"""The daemon's sockets, TCP and unix, and its certificate."""

from __future__ import annotations

import asyncio
import os
import re
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..config import Config, repeated
from ..errors import BadInput, TemporaryFailure

# asyncio accepts up to `backlog` connections per wake-up, and logs each failure when descriptors run
# out. So we keep the backlog small, and enlarge the kernel's queue afterwards.
_BACKLOG, _QUEUE = 16, 512
_TCP = re.compile(r"(?:\[([0-9a-fA-F:.]+)\]|([^\s:\[\]/]*)):([0-9]{1,5})")


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
