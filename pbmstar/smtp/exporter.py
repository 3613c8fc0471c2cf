"""The figures of ``metrics`` for a monitoring program, over HTTP or in a file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

from ..config import Config
from ..errors import TemporaryFailure
from ..intake import quarantine
from ..machine.files import write_whole
from ..machine.times import Monotonic
from ..service.admin.metrics import CONTENT_TYPE, Metrics, census, gauges, of_features, own
from ..service.work.feature import Gauges
from ..store import Store
from . import sockets

_REQUEST = 8192  # bytes
_PATIENCE = 5.0  # seconds for a request
_FRESH = 1.0  # seconds for which an answer serves all requests ...
_COUNTED = 60.0  # ... and seconds for counts over whole tables

_OK, _UNAVAILABLE = "200 OK", "503 Service Unavailable"

Target = Path | tuple[str, int]


def target_of(text: str) -> Target | None:
    """Return the target of the key ``metrics``: a file, or host and port. Raises BadInput."""
    if not text:
        return None
    if "/" in text:
        return Path(text)
    host, port = sockets.host_and_port("metrics", text)
    return host or "127.0.0.1", port


class Exporter:
    """A server or writer of the figures; it lives on one event loop."""

    def __init__(
        self,
        config: Config,
        metrics: Metrics,
        store: Store,
        trouble: Callable[[], Awaitable[str]],
        says_all: Callable[[], bool],
    ) -> None:
        """Make it. ``trouble`` returns the reason why no mail is taken, or an empty text; ``says_all``
        returns True if this node reports the figures of the database.

        Raises BadInput for an unreadable key ``metrics``.
        """
        self._trouble, self._says_all = trouble, says_all
        self._target = target_of(config.metrics)
        self._config, self._metrics, self._store = config, metrics, store
        self._server: asyncio.Server | None = None
        self._text, self._made = "", -_FRESH
        self._census: Gauges = {}
        self._counted = -_COUNTED
        self._guard = asyncio.Lock()

    async def start(self) -> str:
        """Listen, if the key names a port; return the address, or an empty text. Raises TemporaryFailure."""
        if not isinstance(self._target, tuple):
            return ""
        host, port = self._target
        try:
            self._server = await asyncio.start_server(
                partial(_answer, self._page), host, port, limit=_REQUEST
            )
        except OSError as error:
            raise TemporaryFailure(
                f"cannot listen on {host}:{port}: {error.strerror or error}"
            ) from error
        return "{}:{}".format(*self._server.sockets[0].getsockname()[:2])

    def stop(self) -> None:
        if self._server is not None:
            self._server.close()

    async def write(self) -> None:
        """Write the file, if the key names one, so that all users can read it.

        Raises TemporaryFailure, OSError.
        """
        if isinstance(self._target, Path):
            text = (await self.text()).encode()
            write_whole(self._target, text)
            self._target.chmod(0o644)

    async def text(self) -> str:
        """Return the figures, at most a second old. Raises TemporaryFailure."""
        async with self._guard:
            now = time.monotonic()
            if now - self._made >= _FRESH:
                figures = await asyncio.to_thread(self._read, now)
                self._text, self._made = self._metrics.text(figures), now
        return self._text

    async def _page(self, path: str) -> tuple[str, str]:
        """Return the status and the body of a page.

        /healthz answers if this process lives, /readyz says if it takes messages.
        """
        if path == "/healthz":
            return _OK, "ok\n"
        if path == "/readyz":
            why = await self._trouble()
            return (_UNAVAILABLE, f"{why}\n") if why else (_OK, "ok\n")
        if path not in ("/metrics", "/"):
            return "404 Not Found", ""
        try:
            return _OK, await self.text()
        except TemporaryFailure:
            return _UNAVAILABLE, ""

    def _read(self, now: Monotonic) -> Gauges:
        """Read the store beside the writer, so that a count over many rows delays no mail.

        Raises TemporaryFailure.
        """
        at, quarantined = time.time(), quarantine.size_of(self._config.spool)
        if not self._says_all():
            return {**own(quarantined), **of_features(self._config, None)}
        with self._store.transaction(writes=False) as tx:
            if now - self._counted >= _COUNTED:
                self._census, self._counted = census(self._config, tx, at), now
            return {**gauges(tx, quarantined, at), **self._census}


async def _answer(
    page: Callable[[str], Awaitable[tuple[str, str]]],
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
) -> None:
    """Answer one HTTP request; only its path counts."""
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        async with asyncio.timeout(_PATIENCE):
            request = await reader.readuntil(b"\r\n\r\n")
            method, _, rest = request.decode("latin-1").partition(" ")
            path = rest.partition(" ")[0] if method == "GET" else ""
            status, body = await page(path)
            content = body.encode()
            head = (
                f"HTTP/1.1 {status}\r\nContent-Type: {CONTENT_TYPE}\r\n"
                f"Content-Length: {len(content)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode() + content)
            await writer.drain()
    writer.close()
