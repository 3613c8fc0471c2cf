"""The daemon: SMTP and LMTP in, letters out."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import math
import signal
import ssl
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from .. import log as logs
from ..config import Config
from ..delivery.configured import relay_of
from ..delivery.courier import Courier
from ..delivery.outbox import Submit
from ..delivery.process import Outside
from ..delivery.relay import Relay
from ..errors import Passing
from ..intake import quarantine
from ..intake.disk import Disk
from ..intake.take import Intake, Service
from ..service import Context, upkeep
from ..service.metrics import Metrics
from ..store import Store
from ..store.writer import Writer
from ..thinking.thinker import Thinker
from . import sockets
from .exporter import Exporter, place
from .limits import Limits
from .listener import Listener
from .lmtp import LmtpSession
from .session import Session, Site
from .watch import Watch

MINUTE = 60.0
PATIENCE = 30.0  # seconds that a stop waits for mails under way, and then for a letter under way

_MMAP_THRESHOLD = -3  # <malloc.h>

log = logging.getLogger("pbmstar")


class Daemon:
    """Listeners, writer and courier. Await ``start`` and ``stop`` once each, on the same event loop.

    over    await it between them: set by a signal, or by the daemon itself, when it should stop
    broken  whether it stops because the disk failed; it has taken no mail since
    """

    def __init__(
        self,
        config: Config,
        service: Service,
        store: Store,
        *,
        limits: Limits | None = None,
        tls: ssl.SSLContext | None = None,
        relay: Relay | None = None,
        disk: Disk | None = None,
        thinking: Callable[[Submit, Callable[[], None]], Thinker] | None = None,
    ) -> None:
        """``thinking`` makes what answers for the bots, if something does; see Thinker.

        Raises BadInput for a relay or listener that cannot be read, Passing for a full disk."""
        self._config, self._service, self._store = config, service, store
        self._limits = limits or Limits.of(config.limits)
        self._tls = tls
        self._relay = relay or relay_of(config)
        self._thinking = thinking
        self._thinker: Thinker | None = None
        self._places = sockets.places(config)
        place(config.metrics)
        self._disk = disk or Disk(config.spool)
        if self._disk.is_full():
            raise Passing("the disk of the spool has less than 64 MiB left")
        self.over, self.broken = asyncio.Event(), False
        self.listeners: list[Listener] = []
        self._house: asyncio.Task[None] | None = None
        self._sockets: list[sockets.OpenSocket] = []

    async def start(self) -> list[str]:
        """Begin; returns where it listens. Raises Passing if it cannot listen there."""
        loop = asyncio.get_running_loop()
        metrics = Metrics()
        self._writer = Writer(
            self._store,
            lambda: loop.call_soon_threadsafe(self._break),
            lambda jobs: metrics.observe("pbmstar_commit_mails", jobs),
        )
        self._courier = Courier(
            self._config.spool, self._writer.submit, self._relay, self._service.trouble
        )
        if self._thinking is not None:
            self._thinker = self._thinking(self._writer.submit, self._courier.wake)
        self._exporter = Exporter(self._config, metrics, self._writer, time.time)
        self._watch = Watch(self._config, self._writer, self._disk, self._exporter.write)
        self._intake = Intake(
            self._service,
            self._writer,
            self._config.spool,
            self._wake,
            self._watch.noted.append,
            metrics,
            limited=self._config.limits,
        )
        try:
            # Before the first mail: what the server was off for counts for nobody's move.
            await self._writer.run(lambda tx: upkeep.beat(tx, time.time()))
            for place in self._places:
                listener = self._listener(place.lmtp)
                self.listeners.append(listener)
                self._sockets.append(await sockets.listen(place, listener.newcomer))
            exported = await self._exporter.start()
        except BaseException:
            await self.stop(0.0)
            raise
        self._courier.start()
        if self._thinker is not None:
            self._thinker.start()
        await self._watch.start()
        self._house = loop.create_task(self._keep_house())
        names = [socket.name for socket in self._sockets]
        return [*names, f"{exported} for metrics"] if exported else names

    async def stop(self, patience: float = PATIENCE) -> None:
        """Let nobody in, answer the mails and mark the letter under way, then end all threads."""
        for socket in self._sockets:
            socket.close()
        if self._house is not None:
            self._house.cancel()
        self._exporter.stop()
        try:
            await self._watch.stop()
            await asyncio.gather(*(listener.stop(patience) for listener in self.listeners))
            await self._intake.finish()
        finally:
            if self._thinker is not None:
                await asyncio.to_thread(self._thinker.stop)
            await asyncio.to_thread(self._courier.stop, patience)
            await asyncio.to_thread(self._writer.close)

    def _wake(self) -> None:
        """A mail has been carried out: there may be letters, and turns of bots."""
        self._courier.wake()
        if self._thinker is not None:
            self._thinker.wake()

    async def _keep_house(self) -> None:
        """Every minute the digests that are due; once a day old things are forgotten."""
        kept = -math.inf
        while True:
            try:
                while await self._writer.run(self._service.send_digests):
                    pass
                if time.monotonic() - kept >= upkeep.BEAT:
                    while await self._writer.run(self._service.keep_house):
                        pass
                    await asyncio.to_thread(quarantine.prune, self._config, time.time())
                    kept = time.monotonic()
            except (Passing, OSError) as error:
                log.warning("upkeep", extra={"facts": {"trouble": type(error).__name__}})
            await asyncio.sleep(MINUTE)

    def _break(self) -> None:
        """An fsync failed, so we no longer know what is on disk. A new process reads the true state."""
        log.error(
            "store", extra={"facts": {"trouble": "the disk did not confirm a commit: ending"}}
        )
        self._watch.leave_word()
        for listener in self.listeners:
            listener.refuse()
        self.broken = True
        self.over.set()

    def _listener(self, lmtp: bool) -> Listener:
        """An LMTP peer is our own mail server: only the limits of a single mail apply, and no TLS."""
        site = Site(
            self._config.domain,
            Limits.of(on=False) if lmtp else self._limits,
            None if lmtp else self._tls,
            self._service.knows,
            self._intake,
            self._disk,
        )
        return Listener(site, LmtpSession if lmtp else Session)


def run(config: Config, service: Service, store: Store, context: Context | None = None) -> None:
    """Serve until SIGTERM or SIGINT. Raises BadInput and Passing if it cannot begin, or go on.

    ``context``: of the service, for the bots; without it there are none.

    SIGHUP changes nothing: there is no configuration to read again and no log file to open again.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    logs.setup()
    _give_memory_back()
    daemon = Daemon(
        config,
        service,
        store,
        tls=sockets.tls(config),
        relay=Outside(config),
        thinking=partial(Thinker, context) if context else None,
    )
    gc.collect()
    gc.freeze()  # what exists by now stays: the collector need not look at it again and again
    gc.set_threshold(20_000, 20, 20)
    # So long, in seconds, the sessions wait for a thread that is at work, such as one that reads a long
    # mail, before it has to let them go first; ten times as long is usual.
    sys.setswitchinterval(0.0005)

    async def main() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, daemon.over.set)
        for name in await daemon.start():
            print(f"pbmstar: listening on {name}", flush=True)
        await daemon.over.wait()
        await daemon.stop()

    asyncio.run(main())
    if daemon.broken:
        raise Passing("the disk did not confirm a commit: start again from what is on it")


def _give_memory_back() -> None:
    """Have glibc return what a hash of a password needed as soon as that is done.

    Left alone it takes the first 19 MiB that are freed as a sign to keep so much, and then twice as
    much in pieces.
    """
    with suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, 1 << 20)
