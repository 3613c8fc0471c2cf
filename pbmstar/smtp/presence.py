"""The presence of the daemon, for systemd, for a load balancer that asks if it takes mails, for ``drain``."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from ..delivery.lane import lock_of
from ..errors import TemporaryFailure
from ..machine.files import hold, write_whole
from ..machine.times import Seconds
from ..store import LANES, Store

_PATIENCE = 2.0  # seconds for the database to answer
_LOOK = 0.5  # seconds between two looks at the waiting letters


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
