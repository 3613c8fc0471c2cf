"""What the connections of one listener share: limits, who is there, what is said to MAIL and RCPT."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any, Protocol

from ..inbound import gate
from ..intake.take import Disk, Intake, Service
from . import status as replies
from .status import Reply

# A peer on this machine may be a mail server that hands in the mails of all the world: what is counted
# by address, but for connections at one time, is not counted for it.
HERE = frozenset(("127.0.0.1", "::1"))
_END = b"\r\n.\r\n"
# <path>, or a bare address; then the parameters. A source route is read over.
_PATH = re.compile(r'<(?:@[^\s<>:"]+:)?("[^"<>\\]*"@[^\s<>"]+|[^\s<>"]*)>(.*)|([^\s<>"]+)(.*)')


@dataclass(frozen=True)
class Limits:
    """What a peer may do. ``None``: as much as it likes. Sizes in bytes, times in seconds."""

    size: int = gate.MAIL
    discarded: int = 16 * gate.MAIL  # read over of a mail that is too big, to be able to say so
    recipients: int = 10
    peers: int | None = 100  # connections
    peers_of_one: int | None = 10  # ... from one address
    fresh: int | None = 30  # ... from one address, begun within a minute
    mails: int | None = 100  # on one connection
    commands: dict[str, int] | None = None  # on one connection, by verb
    idle: float = 300.0  # until the next command
    content: float = 300.0  # from DATA to the end of the content
    session: float | None = 3600.0

    @classmethod
    def of(cls, on: bool) -> Limits:
        """Those of the configuration key ``limits``."""
        if not on:
            return cls(peers=None, peers_of_one=None, fresh=None, mails=None, session=None)
        few = {"*": 20, "MAIL": 200, "RCPT": 4000, "DATA": 200, "RSET": 200}
        return cls(commands=few)


class Content:
    """Collects what follows DATA, up to the one form of end that there is: CRLF, dot, CRLF."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept = bytearray(b"\r\n")  # so that a first line of one dot is an end
        self.seen = 0  # bytes, kept or not
        self.too_big = False

    def feed(self, data: bytes) -> bytes | None:
        """Take the next bytes; returns what stands behind the end, None while it has not come."""
        start = max(0, len(self._kept) - len(_END) + 1)
        self._kept += data
        self.seen += len(data)
        at = self._kept.find(_END, start)
        if at >= 0:
            rest = bytes(self._kept[at + len(_END) :])
            del self._kept[at + 2 :]
            self.too_big = self.too_big or len(self._kept) - 2 > self._size
            return rest
        if len(self._kept) > self._size + len(_END):
            self.too_big = True
            del self._kept[: 1 - len(_END)]
        return None

    def text(self) -> bytes:
        """The mail, its dots undone."""
        return bytes(self._kept).replace(b"\r\n.", b"\r\n")[2:]


def read_path(arg: str) -> tuple[str, str] | None:
    """The address of MAIL or RCPT, ``<>`` if it is empty, and what follows; None if it is malformed."""
    found = _PATH.fullmatch(arg.strip())
    if found is None or not arg.isprintable():
        return None
    if found[3] is not None:
        return found[3], found[4]
    return found[1] or "<>", found[2]


class Visitor(Protocol):
    """What the door asks of a session."""

    session: Any  # the library's state of the connection
    mails: int  # taken on this connection

    def retire(self) -> None:
        """Close as soon as no mail is under way."""

    def cut(self) -> None:
        """Drop the line."""


class Door:
    """What the sessions share: who is connected, the limits, and the library's hooks."""

    def __init__(
        self,
        domain: str,
        service: Service,
        intake: Intake,
        disk: Disk,
        limits: Limits,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._service, self.domain = service, domain
        self.intake, self.disk, self.limits, self.tls = intake, disk, limits, tls
        self.sessions: set[Visitor] = set()
        self.closing = False
        self._peers: Counter[str] = Counter()
        self._fresh: Counter[str] = Counter()  # connections begun in this minute
        self._minute = 0.0
        self._gone = asyncio.Event()

    def admit(self, peer: str) -> Reply | None:
        """Count a new connection; a reply if there is no room for it."""
        if self.closing:
            return replies.CLOSING
        if self._is_rush(peer):
            return replies.TOO_MANY_PEERS
        total, each = self.limits.peers, self.limits.peers_of_one
        if (total is not None and self._peers.total() >= total) or (
            each is not None and self._peers[peer] >= each
        ):
            return replies.TOO_MANY_PEERS
        self._peers[peer] += 1
        return None

    def _is_rush(self, peer: str) -> bool:
        """Count a connection; whether more begin within a minute than anybody needs."""
        if self.limits.fresh is None or peer in HERE:
            return False
        minute = monotonic() // 60
        if minute != self._minute:
            self._minute, self._fresh = minute, Counter()
        self._fresh[peer] += 1
        return self._fresh[peer] > self.limits.fresh

    def leave(self, peer: str) -> None:
        """A connection that was admitted is gone."""
        self._peers[peer] -= 1
        if not self._peers[peer]:
            del self._peers[peer]
        self._gone.set()

    async def close(self, patience: float) -> None:
        """Let nobody in, wait until contents under way have been answered, then cut the rest."""
        self.closing = True
        for session in list(self.sessions):
            session.retire()
        try:
            async with asyncio.timeout(patience):
                while self.sessions:
                    self._gone.clear()
                    await self._gone.wait()
        except TimeoutError:
            for session in list(self.sessions):
                session.cut()
        await self.intake.finish()

    # -- the library's hooks

    async def handle_HELO(  # noqa: N802
        self, session: Visitor, _state: Any, _envelope: Any, hostname: str
    ) -> Reply:
        """HELO."""
        session.session.host_name = hostname
        return Reply(f"250 {self.domain}")

    async def handle_EHLO(  # noqa: N802
        self, session: Visitor, _state: Any, _envelope: Any, hostname: str, _said: list[str]
    ) -> list[Reply]:
        """EHLO or LHLO: what is offered. Never AUTH: passwords are for mails."""
        session.session.host_name = hostname
        offered = ["PIPELINING", f"SIZE {self.limits.size}", "8BITMIME"]
        if self.tls is not None and session.session.ssl is None:
            offered.append("STARTTLS")
        first = [Reply(f"250-{word}") for word in (self.domain, *offered)]
        return [*first, Reply("250 ENHANCEDSTATUSCODES")]

    async def handle_MAIL(  # noqa: N802
        self, session: Visitor, _state: Any, envelope: Any, address: str, _options: list[str]
    ) -> Reply:
        """MAIL. The null sender stays ``<>``."""
        if self.closing:
            return replies.CLOSING
        if self.disk.is_full():
            return replies.DISK_FULL
        if self.limits.mails is not None and session.mails >= self.limits.mails:
            return replies.TOO_MANY_MAILS
        envelope.mail_from = address
        return replies.SENDER_OK

    async def handle_RCPT(  # noqa: N802
        self, _session: Visitor, _state: Any, envelope: Any, address: str, _options: list[str]
    ) -> Reply:
        """RCPT."""
        if len(envelope.rcpt_tos) >= self.limits.recipients:
            return replies.TOO_MANY_RECIPIENTS
        if address.lower() == "postmaster":
            address = f"postmaster@{self.domain}"
        if not self._service.knows(address):
            ours = address.lower().rpartition("@")[2].rstrip(".") == self.domain
            return replies.NO_MAILBOX if ours else replies.NO_RELAY
        envelope.rcpt_tos.append(address)
        return replies.RECIPIENT_OK


Make = Callable[[Door, str, asyncio.AbstractEventLoop], asyncio.Protocol]


class Doorkeeper(asyncio.Protocol):
    """The first moment of a connection: a session if there is room, a short farewell if not."""

    def __init__(self, door: Door, make: Make) -> None:
        self._door, self._make = door, make

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Decide by the peer's address; who comes by LMTP is one of our own machines."""
        assert isinstance(transport, asyncio.Transport)
        name = transport.get_extra_info("peername")
        peer = str(name[0]) if isinstance(name, tuple) else "local"
        refusal = self._door.admit(peer)
        if refusal is not None:
            transport.write(refusal.encode("ascii") + b"\r\n")
            transport.close()
            return
        session = self._make(self._door, peer, asyncio.get_running_loop())
        transport.set_protocol(session)
        session.connection_made(transport)
