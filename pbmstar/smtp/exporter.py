"""Gives the figures of ``metrics`` to a monitoring program: over HTTP, or in a file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from ..config import Config
from ..errors import Passing
from ..files import write_whole
from ..intake import quarantine
from ..service.figures import gauges
from ..service.metrics import CONTENT_TYPE, Metrics
from ..store.writer import Writer
from . import sockets

_REQUEST = 8192  # bytes
_PATIENCE = 5.0  # seconds for a request
_FRESH = 1.0  # seconds for which an answer serves all who ask

Place = Path | tuple[str, int]


def place(text: str) -> Place | None:
    """Where the figures go, of the key ``metrics``: a file, a loopback port, or the host that is named.

    Raises BadInput.
    """
    if not text:
        return None
    if "/" in text:
        return Path(text)
    host, port = sockets.host_and_port("metrics", text)
    return host or "127.0.0.1", port


class Exporter:
    """Serves or writes the figures; lives on one event loop."""

    def __init__(
        self, config: Config, metrics: Metrics, writer: Writer, clock: Callable[[], float]
    ) -> None:
        """Raises BadInput for a key ``metrics`` that cannot be read."""
        self._place = place(config.metrics)
        self._spool, self._metrics, self._writer, self._clock = (
            config.spool, metrics, writer, clock,
        )  # fmt: skip
        self._server: asyncio.Server | None = None
        self._text, self._made = "", -_FRESH

    async def start(self) -> str:
        """Listen, if a port is asked for; returns where. Raises Passing if that is not possible."""
        if not isinstance(self._place, tuple):
            return ""
        host, port = self._place
        try:
            self._server = await asyncio.start_server(
                partial(_answer, self.text), host, port, limit=_REQUEST
            )
        except OSError as error:
            raise Passing(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
        return "{}:{}".format(*self._server.sockets[0].getsockname()[:2])

    def stop(self) -> None:
        """Answer nobody any more."""
        if self._server is not None:
            self._server.close()

    async def write(self) -> None:
        """Write the file, if one is asked for. It may be read by all. Raises Passing, OSError."""
        if isinstance(self._place, Path):
            text = (await self.text()).encode()
            write_whole(self._place, text)
            self._place.chmod(0o644)

    async def text(self) -> str:
        """The figures, at most a second old. Raises Passing."""
        now = time.monotonic()
        if now - self._made >= _FRESH:
            quarantined = quarantine.count(self._spool)
            at = self._clock()
            figures = await self._writer.run(lambda tx: gauges(tx, quarantined, at))
            self._text, self._made = self._metrics.text(figures), now
        return self._text


async def _answer(
    text: Callable[[], Awaitable[str]], reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """One request of HTTP, whatever it says, but for its path."""
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        async with asyncio.timeout(_PATIENCE):
            request = await reader.readuntil(b"\r\n\r\n")
            status, body = "404 Not Found", ""
            if request.startswith((b"GET /metrics ", b"GET / ")):
                try:
                    status, body = "200 OK", await text()
                except Passing:
                    status = "503 Service Unavailable"
            content = body.encode()
            head = (
                f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\n"
                f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode() + content)
            await writer.drain()
    writer.close()
