"""The daemon: SMTP and LMTP in, letters out."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import math
import os
import signal
import ssl
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from ..config import Config
from ..delivery.configured import relay_of
from ..delivery.courier import Courier, node_of
from ..delivery.process import LetterWriters
from ..delivery.relay import Observed, Relay
from ..errors import CommitUnknown, SchemaChanged, TemporaryFailure
from ..intake import quarantine
from ..intake.take import Intake
from ..machine import log as logs
from ..machine.files import Disk
from ..machine.times import MINUTE, Seconds
from ..machine.version import BUILD
from ..mailbox.watcher import Listening
from ..service.admin.metrics import Deliveries, Metrics
from ..service.incoming.commands import require_functions
from ..service.incoming.mail import Service
from ..service.reminders import heartbeat
from ..service.upkeep import rounds
from ..service.work.context import Context
from ..service.work.feature import Worker, workers
from ..store import LANES, PLAYERS, Node, Run, Store, Tx
from ..store.writer import Writer
from ..thinking.worker import BotWorker
from . import sockets
from .connections import Listener
from .exporter import Exporter, target_of
from .session import Limits, ListenerSite, LmtpSession, Session
from .sockets import Presence, notify
from .watch import NodeHeartbeat, Watch

TRY_AGAIN = 75  # exit status that asks to be started again
# Seconds of patience at a stop: for mails under way, then for a letter under way, then for the last commit.
PATIENCE = 10.0
DRAINED = 600.0  # seconds that the letters may take to go out after ``drain``
_LEAST = 1.0  # ... and for messages whose peers are gone, if the others used all of that
_UNCONFIRMED = "the disk did not confirm a commit: start again from what is on it"

_MMAP_THRESHOLD = -3  # <malloc.h>

log = logging.getLogger("pbmstar")


@dataclass(frozen=True)
class Equipment:
    """The replaceable parts of a daemon.

    limits    for peers by SMTP; by default as configured
    tls       offered by SMTP if there is one
    relay     makes the relay for the letters of a lane; by default the configured one
    disk      watches the free room below the spool
    context   the surroundings in which bots think; without it nothing runs alongside the mail
    """

    limits: Limits | None = None
    tls: ssl.SSLContext | None = None
    relay: Callable[[int], Relay] | None = None
    disk: Disk | None = None
    context: Context | None = None


class Daemon:
    """Listeners, writer and couriers. Await ``start`` and ``stop`` once each, on the same event loop.

    over    await this between them: a signal sets it, or the daemon itself if it must stop
    broken  the reason, if the disk failed or the tables were changed; after that we take no mail
    """

    def __init__(
        self, config: Config, service: Service, store: Store, equipment: Equipment | None = None
    ) -> None:
        """Make the daemon.

        Raises BadInput for an unreadable relay or listener, TemporaryFailure for a full disk.
        """
        equipment = equipment or Equipment()
        self._config, self._service, self._store = config, service, store
        self._limits = equipment.limits or Limits.of(config.limits)
        self._tls = equipment.tls
        self._context = equipment.context
        self._workers: dict[str, Worker] = {}
        self._watcher: Listening | None = None
        self._beside: list[Worker] = []  # what runs alongside the mail
        relay = equipment.relay or (lambda _lane: relay_of(config))
        self._relays = {lane: relay(lane) for lane in LANES}
        self._endpoints = sockets.endpoints(config)
        target_of(config.metrics)
        self._disk = equipment.disk or Disk(config.spool)
        if self._disk.is_full():
            raise TemporaryFailure("the disk of the spool has less than 64 MiB left")
        self.over, self.broken = asyncio.Event(), ""
        self._presence = Presence(config.spool, store, self.refused)
        self._draining: asyncio.Task[None] | None = None
        self.listeners: list[Listener] = []
        self._pulse: NodeHeartbeat | None = None
        self._house: list[asyncio.Task[None]] = []
        self._wanted: Callable[[], object] = int  # wakes what does the work for many
        self._sockets: list[sockets.OpenSocket] = []

    async def start(self) -> list[str]:
        """Begin; return the names of the endpoints where it listens.

        Raises TemporaryFailure if it cannot listen.
        """
        self._assemble(asyncio.get_running_loop())
        try:
            # This comes before the first mail: the time that the server was off counts for nobody's move.
            await self._writer.run(self._begin)
            names = await self._listen()
        except BaseException:
            await self.stop(0.0)
            raise
        if self._pulse is not None:
            self._pulse.start()
        for worker in self._workers.values():
            worker.start()
        if self._watcher is not None:
            self._watcher.start()
        await self._watch.start()
        wanted = asyncio.Event()
        self._wanted = partial(asyncio.get_running_loop().call_soon_threadsafe, wanted.set)
        self._house = [asyncio.create_task(self._keep_house())]
        if self._context is not None:
            self._house.append(asyncio.create_task(self._do_chores(wanted)))
        self._presence.announce()
        return names

    def drain(self) -> None:
        """Take no more mail, end the work beside it, and end once the waiting letters have gone out."""
        if self._draining is None:
            log.info("drain")
            for listener in self.listeners:
                listener.refuse()
            self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        for worker in self._beside:
            await asyncio.to_thread(worker.stop, PATIENCE / 2)
        node = node_of(self._config.spool)
        self._deliver()
        if not await self._presence.emptied(node, DRAINED):
            log.warning("drain", extra={"facts": {"trouble": "letters still wait"}})
        self.over.set()

    def refused(self) -> str:
        """Return the reason why this daemon takes no mail; empty if it takes mail."""
        if self.broken or self._draining is not None or self.over.is_set():
            return self.broken or "draining"
        if self._writer.is_stuck():
            return "the oldest work waits for the database"
        if self.heard()[1] and not self._endpoints:
            return "the mailbox is not read"
        return "the disk is full" if self._disk.is_full() else ""

    def _of_mailbox(self, place: int) -> dict[tuple[str, ...], float]:
        return {(): self._watcher.figures()[place] if self._watcher else 0.0}

    def heard(self) -> tuple[str, bool]:
        """Return what to say of the mailbox, and True if it has not been read for long."""
        return self._watcher.told(time.time()) if self._watcher else ("", False)

    def _begin(self, tx: Tx) -> None:
        heartbeat.beat(tx, time.time())
        tx.ledger.add_run(self._run)

    def _assemble(self, loop: asyncio.AbstractEventLoop) -> None:
        """Make the parts. The writer begins at once; all others wait for ``start``."""
        config, metrics = self._config, self._metrics()
        writer = self._writer = Writer(
            self._store,
            lambda error: loop.call_soon_threadsafe(self._break, error),
            lambda jobs: metrics.observe("pbmstar_commit_mails", jobs),
        )
        deliveries = Deliveries(metrics)
        self._couriers = [
            Courier(
                config.spool,
                writer.submit,
                Observed(relay, deliveries.note if lane == PLAYERS else deliveries.note_stranger),
                self._service.trouble,
                lane=lane,
                limits=config.relay_limit,
            )
            for lane, relay in self._relays.items()
        ]
        names = ("letters", "letters to strangers")
        self._workers.update(zip(names, self._couriers, strict=True))
        if self._context is not None:
            thinker = BotWorker(self._context, writer.submit, self._deliver, metrics)
            own: dict[str, Worker] = {"bots": thinker, **workers(config)}
            self._workers |= own
            self._beside = [*own.values()]
        me = Node(node_of(config.spool), config.node, BUILD, 1, 0.0, time.time())
        if not self._store.is_sqlite:  # no other node can use an SQLite file
            self._pulse = NodeHeartbeat(config, me, Writer(self._store), self._couriers, self._wake)
        pulse = (
            self._pulse
        )  # one node of several reads the mailbox, and reports the figures of the database
        self._exporter = Exporter(
            config,
            metrics,
            self._store,
            self._presence.trouble,
            lambda: pulse is None or pulse.is_first,
        )
        self._watch = Watch(
            config,
            writer,
            self._disk,
            self._exporter.write,
            self._store.require_tables,
            self.heard,
        )
        note = self._watch.noted.append
        self._intake = Intake(config, self._service, writer, self._wake, note, metrics)
        if config.mailbox:
            self._watcher = Listening(
                config,
                self._service,
                self._intake,
                writer.submit,
                lambda: self._draining is None and (pulse is None or pulse.leads()),
                metrics,
            )
        self._run = Run(self._intake.stem, me.name, me.version, me.began)

    def _metrics(self) -> Metrics:
        """Return the figures of this process at its beginning."""
        metrics = Metrics()
        metrics.count("pbmstar_start_timestamp_seconds", more=time.time())
        metrics.begin()
        metrics.watch("pbmstar_node_info", lambda: {(self._config.node,): 1})
        metrics.watch("pbmstar_disk_free_bytes", lambda: {(): self._disk.free()})
        for place, name in enumerate(("pbmstar_mailbox_waiting", "pbmstar_mailbox_down_seconds")):
            metrics.watch(name, partial(self._of_mailbox, place))
        return metrics

    async def _listen(self) -> list[str]:
        """Open all sockets; return their names. Raises TemporaryFailure."""
        for endpoint in self._endpoints:
            listener = self._listener(endpoint.lmtp)
            self.listeners.append(listener)
            self._sockets.append(await sockets.listen(endpoint, listener.newcomer))
        exported = await self._exporter.start()
        names = [socket.name for socket in self._sockets]
        if self._watcher is not None:
            names.append(f"the mailbox at {self._watcher.host}")
        return [*names, f"{exported} for metrics"] if exported else names

    async def stop(self, patience: Seconds = PATIENCE) -> bool:
        """Let nobody in, answer the messages and mark the letter under way, then end all threads.

        Return False if one of these has not ended in time. The process may then end without it, and
        nothing is lost.
        """
        for socket in self._sockets:
            socket.close()
        for task in self._house:
            task.cancel()
        self._exporter.stop()
        if self._draining is not None:
            self._draining.cancel()
        self._presence.withdraw()
        given_up: list[str] = []
        until = time.monotonic() + patience
        try:
            await self._watch.stop()
            await asyncio.gather(*(listener.stop(patience) for listener in self.listeners))
            if self._watcher and not await asyncio.to_thread(self._watcher.stop, patience):
                given_up.append("mailbox")
            if not await self._intake.finish(max(until - time.monotonic(), _LEAST)):
                given_up.append("mails")
        finally:
            stops = (asyncio.to_thread(worker.stop, patience) for worker in self._workers.values())
            ended = zip(self._workers, await asyncio.gather(*stops), strict=True)
            given_up += [name for name, is_ended in ended if not is_ended]
            if self._pulse and not await asyncio.to_thread(self._pulse.stop, patience / 2):
                given_up.append("pulse")
            if not await asyncio.to_thread(self._writer.close, PATIENCE):
                given_up.append("commits")
        if given_up:
            log.error("stop", extra={"facts": {"given_up": given_up}})
        return not given_up

    def _wake(self) -> None:
        """Wake the parts that a message may have given work: letters to send, and what features do beside."""
        self._deliver()
        for worker in self._beside:
            worker.wake()
        if self._context is not None and self._context.chores.is_set():
            self._wanted()

    def _deliver(self) -> None:
        """Wake the couriers, because there may be letters."""
        for courier in self._couriers:
            courier.wake()

    async def _do_chores(self, wanted: asyncio.Event) -> None:
        """Do the work for many, piece by piece, when a message has left some, and every minute.

        Others write between two pieces.
        """
        while True:
            wanted.clear()
            try:
                while await self._writer.run(self._service.do_chore):
                    self._deliver()
            except (TemporaryFailure, OSError) as error:
                log.warning("upkeep", extra={"facts": {"trouble": type(error).__name__}})
            except Exception:  # the edge of this task: a fault of ours must not end the others
                log.exception("upkeep")
            with suppress(TimeoutError):
                await asyncio.wait_for(wanted.wait(), MINUTE)

    async def _keep_house(self) -> None:
        """Send the digests that are due every minute; forget old things once a day."""
        last_round = -math.inf
        while True:
            try:
                while await self._writer.run(self._service.send_digests):
                    pass
                if time.monotonic() - last_round >= rounds.BEAT:
                    while await self._writer.run(self._service.keep_house):
                        pass
                    await asyncio.to_thread(quarantine.prune, self._config, time.time())
                    last_round = time.monotonic()
            except (TemporaryFailure, OSError) as error:
                log.warning("upkeep", extra={"facts": {"trouble": type(error).__name__}})
            except Exception:  # the edge of this task: a fault of ours must not end the digests
                log.exception("upkeep")
            await asyncio.sleep(MINUTE)

    def _break(self, error: CommitUnknown) -> None:
        """Stop after a failed fsync, or a change of the tables: a new process reads the true state."""
        is_changed = isinstance(error, SchemaChanged)
        self.broken = str(error) if is_changed else _UNCONFIRMED
        log.error("store", extra={"facts": {"trouble": self.broken}})
        self._watch.leave_word("tables" if is_changed else "commit")
        for listener in self.listeners:
            listener.refuse()
        self.over.set()

    def _listener(self, lmtp: bool) -> Listener:
        """Return a listener. By LMTP our own mail server comes: no TLS, and only the limits of one mail."""
        site = ListenerSite(
            self._config.domain,
            Limits.of(on=False) if lmtp else self._limits,
            None if lmtp else self._tls,
            self._service.knows,
            self._intake,
            self._disk,
        )
        return Listener(site, LmtpSession if lmtp else Session)


def run(
    config: Config,
    service: Service,
    store: Store,
    context: Context | None = None,
    systemd: str = "",
) -> None:
    """Serve until SIGTERM or SIGINT, or until SIGUSR1, after which the waiting letters still go out.

    Raises BadInput and TemporaryFailure if it cannot begin, or go on.

    ``context`` is for what runs alongside the mail; without it nothing does. ``systemd`` is the address of
    its notify socket.
    SIGHUP changes nothing: there is neither a configuration to read again nor a log file to open again.
    """
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    logs.setup(node=config.node)
    give_memory_back()
    require_functions()  # a verb without one is found now, and not by a player
    equipment = Equipment(
        tls=sockets.tls(config),
        relay=partial(LetterWriters, config),
        context=context,
    )
    daemon = Daemon(config, service, store, equipment)
    gc.collect()
    gc.freeze()  # these objects all stay: the collector need not look at them again
    gc.set_threshold(20_000, 20, 20)
    # The time that the event loop waits for a busy thread to release the interpreter lock. Python's default
    # is 5 ms; with 0.5 ms a thread that reads a long mail delays the sessions less.
    sys.setswitchinterval(0.0005)

    log.info("start", extra={"facts": {"version": BUILD}})

    async def main() -> None:
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, daemon.over.set)
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, daemon.drain)
        for name in await daemon.start():
            print(f"pbmstar: listening on {name}", flush=True)
        notify(systemd, "READY=1")
        await daemon.over.wait()
        notify(systemd, "STOPPING=1")
        if not await daemon.stop():
            os._exit(
                TRY_AGAIN
            )  # a thread that does not end would hold up the interpreter's end too

    asyncio.run(main())
    if daemon.broken:
        raise TemporaryFailure(daemon.broken)


def give_memory_back() -> None:
    """Have glibc return the memory of a password's hash at once.

    By default it keeps the first 19 MiB that are freed, and then twice as much in pieces.
    """
    with suppress(AttributeError, OSError):  # another C library
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, 1 << 20)
