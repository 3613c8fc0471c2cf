"""Who is let in at one listener: a session for each connection there is room for, until it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from time import monotonic

from . import status
from .limits import Connections
from .session import Session, Site


class Listener:
    """The connections of one listener. It makes and ends sessions; what they say is their own."""

    def __init__(self, site: Site, session: type[Session]) -> None:
        self._site, self._session = site, session
        self._connections = Connections(site.limits)
        self._ended = asyncio.Event()  # a session has
        self.sessions: set[Session] = set()

    def newcomer(self) -> asyncio.Protocol:
        """The protocol of a new connection until its peer is known."""
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
        """From now on let nobody in, and begin no mail."""
        self._site.closing = True

    async def stop(self, patience: float) -> None:
        """Refuse, end the sessions once the content under way is answered, cut those that last longer.

        ``patience`` is in seconds.
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
    """A connection in its first moment: the event loop wants a protocol before it tells the peer."""

    def __init__(self, let_in: Callable[[asyncio.Transport], None]) -> None:
        self._let_in = let_in

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Hand over."""
        assert isinstance(transport, asyncio.Transport)
        self._let_in(transport)
