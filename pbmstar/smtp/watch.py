"""Look after the daemon itself: troubles that no mail shows, and the other nodes.

The watch looks once a minute for a full disk, waiting letters, missing reminders. A writer that hangs is seen
within a second, and told as soon as it goes on. Each look is a sign of life of the daemon. Without such signs
the players' clocks are paused.

The heartbeat of a node sends signs of life to the other daemons of the database, and watches theirs. A node
that has given no sign of life for DEAD seconds is dead: another one strikes it out, and any node may take its
letters and turns. Each node measures by its own clock how long the count of another's signs has stayed the
same, so their clocks may differ. A node whose signs do not arrive stops sending after SILENT seconds, before
another node may send the same letters.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ..bots import budget
from ..bots.rows import Bots
from ..config import Config
from ..delivery.courier import Courier, owner_of
from ..errors import TemporaryFailure
from ..machine.files import Disk, write_whole
from ..machine.times import Epoch, Monotonic, Seconds
from ..service.admin.lookup import MAILBOX
from ..service.letters import alerts
from ..service.letters.alerts import Alert
from ..service.reminders import heartbeat
from ..store import LANES, Node, Tx
from ..store.writer import Writer

PERIOD = 60.0  # seconds
SOON = 1.0  # seconds between two looks if the writer hangs
_NOTED = 1000  # alerts remembered at most while the database cannot be used
BEAT = 4.0  # seconds between two signs
SILENT, DEAD = 12.0, 18.0  # seconds without one

log = logging.getLogger("pbmstar")


class Watch:
    """A watch that tells the operator; it lives on one event loop. Any thread may add to ``noted``."""

    def __init__(
        self,
        config: Config,
        writer: Writer,
        disk: Disk,
        write: Callable[[], Awaitable[None]],
        require_tables: Callable[[], None],
        mailbox: Callable[[], tuple[str, bool]],
    ) -> None:
        """Make it. ``write`` is awaited at each look: it writes the figures for monitoring.

        ``require_tables`` raises SchemaChanged. ``mailbox`` returns what to say of the mailbox, and True if
        it has not been read for long.
        """
        self._mailbox = mailbox
        self._require_tables = require_tables
        self._config, self._writer, self._disk = config, writer, disk
        self._write = write
        self.noted: deque[Alert] = deque(maxlen=_NOTED)
        self._broken = config.spool / "broken"  # exists if our predecessor ended by a failed commit
        self._is_to_tell = self._broken.exists()  # the predecessor's file, not one that we leave
        if self._is_to_tell:
            self.noted.append(Alert(self._broken.read_text() or "commit"))
        self._task: asyncio.Task[None] | None = None
        self._began = time.time()

    async def start(self) -> None:
        """Look now, then once a minute."""
        await self._look_or_log()
        self._task = asyncio.create_task(self._run())

    async def stop(self) -> None:
        """Stop looking; alerts that are noted and not yet told stand in the log."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def look(self) -> None:
        """Look once. A later look tells the alerts that the database cannot take now."""
        now, low = time.time(), self._disk.is_low()
        noted = [self.noted.popleft() for _ in range(len(self.noted))]
        with suppress(TemporaryFailure):
            try:
                await self._writer.run(lambda tx: self._look(tx, now, noted, low))
            except BaseException:
                room = _NOTED - len(self.noted)
                self.noted.extendleft(reversed(noted[:room]))
                raise
            if self._is_to_tell:
                self._is_to_tell = False
                self._broken.unlink(missing_ok=True)
            await self._write()

    def leave_word(self, kind: str) -> None:
        """Leave an alert of that kind to the next process, because this one cannot tell it any more."""
        with suppress(OSError):  # the log has it at least
            write_whole(self._broken, kind.encode())

    def _look(self, tx: Tx, now: Epoch, noted: list[Alert], low_disk: bool) -> None:
        self._require_tables()
        said, is_long = self._mailbox()
        if said:
            tx.ledger.set_fact(MAILBOX, said)
        if not (is_long and not (self._config.listen or self._config.lmtp)):
            heartbeat.beat(tx, now)  # a server that hears nobody is as good as off: no clock runs
        troubles = ["mailbox"] if is_long else []
        if self._config.bots and budget.is_late(tx, self._config, now, self._began):
            troubles.append("bots")
        alerts.look(tx, self._config, now, noted, low_disk=low_disk, troubles=troubles)

    async def _run(self) -> None:
        last = time.monotonic()
        while True:
            await asyncio.sleep(SOON)
            if is_stuck := self._writer.is_stuck():
                log.error("writer", extra={"facts": {"trouble": "its oldest work waits"}})
                self.noted.append(Alert("stuck"))
            if is_stuck or time.monotonic() - last >= PERIOD:
                await self._look_or_log()
                last = time.monotonic()

    async def _look_or_log(self) -> None:
        try:
            await self.look()
        except Exception:  # the edge of this task: a fault of ours must not end it
            log.exception("watch")


class Signs(NamedTuple):
    """The count of another node's signs of life, and the monotonic time since which it is the same."""

    beats: int
    since: Monotonic


class NodeHeartbeat:
    """A thread of its own for the signs of life, because a node with a busy event loop is not dead."""

    def __init__(
        self, config: Config, me: Node, writer: Writer, couriers: Sequence[Courier],
        wake: Callable[[], object],
    ) -> None:  # fmt: skip
        """Make it. ``wake`` is called when any node may take the work of another one.

        ``writer``: one of its own, since a message that waits for a lock must not hold up a sign of life. It
        ends with the heartbeat.
        """
        self._config, self._me, self._writer = config, me, writer
        self._couriers, self._wake = couriers, wake
        self._seen: dict[str, Signs] = {}
        self._first, self._confirmed = False, 0.0
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    @property
    def is_first(self) -> bool:
        """Return True for one of the living nodes: it reports the figures that belong to all of them."""
        return self._first

    def leads(self) -> bool:
        """Return True if this is that node, and its signs arrive: then it alone reads the mailbox."""
        return self._first and time.monotonic() - self._confirmed < SILENT

    def start(self) -> None:
        self._thread.start()

    def stop(self, patience: Seconds) -> bool:
        """Take leave: any node may take this node's claims at once. Return False if this takes too long.

        ``patience``: the seconds for the beat under way, and as many for the leave.
        """
        self._stopped.set()
        if self._thread.ident is not None:
            self._thread.join(patience)
        with suppress(TemporaryFailure, TimeoutError):
            self._writer.submit(self._leave).result(patience)
        return self._writer.close(patience) and not self._thread.is_alive()

    def _run(self) -> None:
        confirmed = begun = time.monotonic()
        sign: Future[list[Node]] | None = None
        while not self._stopped.is_set():
            if sign is None:
                begun, sign = time.monotonic(), self._writer.submit(self.beat)
            with suppress(
                Exception
            ):  # of the database, or it is slow: this sign or the next may arrive
                nodes = sign.result(BEAT)
                confirmed = self._confirmed = begun
                for courier in self._couriers:
                    courier.go_on(confirmed + SILENT)
                self.look(nodes, begun)
            if time.monotonic() - confirmed > SILENT:
                for courier in self._couriers:
                    courier.let_go()
            if sign.done():
                sign = None
                self._stopped.wait(BEAT)

    def beat(self, tx: Tx) -> list[Node]:
        """Give a sign of life, anew if the node was struck out; return the nodes that are known."""
        now = time.time()
        if not tx.ledger.beat(self._me.id, now):
            tx.ledger.join(self._me._replace(at=now))
        return tx.ledger.nodes()

    def look(self, nodes: Sequence[Node], now: Monotonic) -> None:
        """Remember the signs of the other nodes; strike out those without one for DEAD seconds.

        ``now`` is by the monotonic clock.
        """
        seen = {node.id: Signs(node.beats, now) for node in nodes if node.id != self._me.id}
        for number, before in self._seen.items():
            if number in seen and seen[number].beats == before.beats:
                seen[number] = before
        self._seen = seen
        living = [n for n in nodes if n.id not in seen or now - seen[n.id].since < DEAD]
        self._first = bool(living) and living[0].id == self._me.id
        for node in nodes:
            if node not in living:
                with suppress(TemporaryFailure, TimeoutError):
                    if self._writer.submit(partial(self._bury, node)).result(BEAT):
                        self._wake()

    def _bury(self, dead: Node, tx: Tx) -> bool:
        if not tx.ledger.bury(dead.id, dead.beats):
            return False
        _set_free(tx, dead.id)
        alerts.tell(tx, self._config, time.time(), "node", dead.name)
        return True

    def _leave(self, tx: Tx) -> None:
        tx.ledger.leave(self._me.id)
        _set_free(tx, self._me.id)


def _set_free(tx: Tx, node: str) -> None:
    """Give back the letters and other work that a node has claimed, so that any node may take them."""
    for lane in LANES:
        tx.outbox.recover(owner_of(node, lane), time.time())
    tx.of(Bots).drop_thoughts_of(node)
