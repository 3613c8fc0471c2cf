"""The daemon: SMTP and LMTP in, letters out."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from .. import log as logs
from ..config import Config
from ..delivery.configured import relay_of
from ..delivery.courier import Courier
from ..delivery.process import Outside
from ..delivery.relay import Relay
from ..errors import Passing
from ..intake.take import Disk, Intake, Service
from ..store import Store, Tx
from ..store.writer import Writer
from . import sockets as listen
from .limits import Door, Doorkeeper, Limits, Make
from .session import LmtpSession, Session

T = TypeVar("T")
PATIENCE = 30.0  # seconds that a stop waits for mails, and for the letter, under way

log = logging.getLogger("pbmstar")


class Daemon:
    """Listeners, writer and courier. ``start`` and ``stop`` are awaited once each, on one loop.

    over    to be awaited between them: set when it is to end, by whoever wants it to, or by itself
    broken  it ends because the disk failed; no mail has been taken since
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
        free: Callable[[Path], int] | None = None,
    ) -> None:
        """Raises BadInput for a relay or listener that cannot be read, Passing for a full disk."""
        self._config, self._service, self._store = config, service, store
        self._limits = limits or Limits.of(config.limits)
        self._tls = tls
        self._relay = relay or relay_of(config)
        self._places = listen.places(config)
        self._disk = Disk(config.spool, free)
        if self._disk.is_full():
            raise Passing("the disk of the spool has less than 64 MiB left")
        self.over, self.broken = asyncio.Event(), False
        self._listeners: list[listen.Listener] = []
        self._doors: list[Door] = []

    async def start(self) -> list[str]:
        """Begin; returns where it listens. Raises Passing if it cannot listen there."""
        loop = asyncio.get_running_loop()
        self._writer = Writer(self._store, lambda: loop.call_soon_threadsafe(self._break))
        self._courier = Courier(self._config.spool, self._transact, self._relay)
        self._intake = Intake(self._service, self._writer, self._config.spool, self._courier.wake)
        try:
            for place in self._places:
                self._listeners.append(await listen.at(place, self._doorkeeper(place.lmtp)))
        except BaseException:
            await self.stop(0.0)
            raise
        self._courier.start()
        return [listener.name for listener in self._listeners]

    async def stop(self, patience: float = PATIENCE) -> None:
        """Let nobody in, answer the mails and mark the letter under way, put all away."""
        for listener in self._listeners:
            listener.close()
        try:
            await asyncio.gather(*(door.close(patience) for door in self._doors))
            await self._intake.finish()
        finally:
            await asyncio.to_thread(self._courier.stop, patience)
            await asyncio.to_thread(self._writer.close)

    def _break(self) -> None:
        """The disk has failed. Who begins anew reads what is on it, and sees what is there."""
        log.error(
            "store", extra={"facts": {"trouble": "the disk did not confirm a commit: ending"}}
        )
        for door in self._doors:
            door.closing = True
        self.broken = True
        self.over.set()

    def _doorkeeper(self, lmtp: bool) -> Callable[[], Doorkeeper]:
        """Who comes by LMTP is a mail server of our own: it has no limits but those of a mail."""
        limits = Limits.of(on=False) if lmtp else self._limits
        tls = None if lmtp else self._tls
        domain = self._config.domain
        door = Door(domain, self._service, self._intake, self._disk, limits, tls)
        self._doors.append(door)
        make: Make = LmtpSession if lmtp else Session
        return lambda: Doorkeeper(door, make)

    def _transact(self, job: Callable[[Tx], T]) -> T:
        return self._writer.submit(job).result()


def run(config: Config, service: Service, store: Store) -> None:
    """Serve until SIGTERM or SIGINT. Raises BadInput and Passing if it cannot begin, or go on."""
    logs.setup()
    daemon = Daemon(config, service, store, tls=listen.tls(config), relay=Outside(config))
    gc.collect()
    gc.freeze()  # what is there at the start stays: the collector need not walk it again and again
    gc.set_threshold(20_000, 20, 20)

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
