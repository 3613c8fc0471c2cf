"""The connections of one listener: count them, and give each a session while there is room."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from time import monotonic

from ..machine.times import Monotonic, Seconds
from . import status
from .session import LOOPBACK, Limits, ListenerSite, Session


class Connections:
    """The counts of open and fresh connections by the peer's address. Pure: the time is an argument."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._begun: Counter[str] = Counter()  # in this minute
        self._minute = 0.0

    def enter(self, peer: str, now: Monotonic) -> bool:
        """Count a new connection. Return True if there is room for it; then ``leave`` must follow.

        ``now`` is in seconds of a clock that never goes back.
        """
        total, each = self._limits.peers, self._limits.peers_of_one
        if (
            self._is_rush(peer, now)
            or (total is not None and self._open.total() >= total)
            or (each is not None and self._open[peer] >= each)
        ):
            return False
        self._open[peer] += 1
        return True

    def _is_rush(self, peer: str, now: Monotonic) -> bool:
        if self._limits.fresh is None or peer in LOOPBACK:
            return False
        if now // 60 != self._minute:
            self._minute, self._begun = now // 60, Counter()
        self._begun[peer] += 1
        return self._begun[peer] > self._limits.fresh

    def leave(self, peer: str) -> None:
        """Count the end of a connection that ``enter`` had room for."""
        self._open[peer] -= 1
        if not self._open[peer]:
            del self._open[peer]


class Listener:
    """The sessions of one listener, from their beginning to their end."""

    def __init__(self, site: ListenerSite, session: type[Session]) -> None:
        self._site, self._session = site, session
        self._connections = Connections(site.limits)
        self._ended = asyncio.Event()  # set when a session has ended
        self.sessions: set[Session] = set()

    def newcomer(self) -> asyncio.Protocol:
        """Return the protocol of a new connection until its peer is known."""
        return _Newcomer(self._let_in)

    def _let_in(self, transport: asyncio.Transport) -> None:
        """Give the connection a session, or refuse it in one line."""
        name = transport.get_extra_info("peername")
        peer = str(name[0]) if isinstance(name, tuple) else "local"
        room = not self._site.closing and self._connections.enter(peer, monotonic())
        if not room:
            refusal = status.CLOSING if self._site.closing else status.TOO_MANY_PEERS
            transport.write(refusal.encode("ascii") + b"\r\n")
            transport.close()
            return
        session = self._session(self._site, peer, self._forget)
        self.sessions.add(session)
        transport.set_protocol(session)
        session.connection_made(transport)

    def _forget(self, session: Session) -> None:
        if session in self.sessions:
            self.sessions.remove(session)
            self._connections.leave(session.peer)
            self._ended.set()

    def refuse(self) -> None:
        """Let nobody in, and begin no more messages."""
        self._site.closing = True

    async def stop(self, patience: Seconds) -> None:
        """Refuse, and end each session once the content under way is answered.

        Cut the sessions that last longer than ``patience`` seconds.
        """
        self.refuse()
        for session in list(self.sessions):
            session.retire()
        try:
            async with asyncio.timeout(patience):
                while self.sessions:
                    self._ended.clear()
                    await self._ended.wait()
        except TimeoutError:
            for session in list(self.sessions):
                session.cut()


class _Newcomer(asyncio.Protocol):
    """A connection in its first moment: the event loop wants a protocol before it names the peer."""

    def __init__(self, let_in: Callable[[asyncio.Transport], None]) -> None:
        self._let_in = let_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._let_in(transport)
