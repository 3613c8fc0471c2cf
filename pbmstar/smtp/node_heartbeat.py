"""The heartbeat of a node: it sends signs of life to the other daemons of the database, and watches theirs.

A node that has given no sign of life for DEAD seconds is dead: another one strikes it out, and any node may
take its letters and turns. Each node measures by its own clock how long the count of another's signs has
stayed the same, so their clocks may differ. A node whose signs do not arrive stops sending after SILENT
seconds, before another node may send the same letters.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from ..bots.rows import Bots
from ..config import Config
from ..delivery.courier import Courier, owner_of
from ..errors import TemporaryFailure
from ..machine.times import Monotonic, Seconds
from ..service.letters import alerts
from ..store import LANES, Node, Tx
from ..store.writer import Writer

BEAT = 4.0  # seconds between two signs
SILENT, DEAD = 12.0, 18.0  # seconds without one

log = logging.getLogger("pbmstar")


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
