"""One connection by SMTP or LMTP, and all answers on it. No other module imports aiosmtpd.

The library reads commands and keeps their order. This module decides the rest: the limits of a
peer in size, time and number, the bytes that end a message, and every status line.
"""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from ..inbound import gate
from ..intake.take import Intake
from ..machine.files import Disk
from ..machine.times import Seconds
from ..service.work.context import Envelope
from . import status
from .status import Status

_NONSENSE = 5  # commands unknown to us, after which we close
# <path>, or a bare address; then the parameters. A source route is skipped.
_PATH = re.compile(r'<(?:@[^\s<>:"]+:)?("[^"<>\\]*"@[^\s<>"]+|[^\s<>"]*)>(.*)|([^\s<>"]+)(.*)')
_END = b"\r\n.\r\n"
# A peer on this machine may be a mail server that relays for everybody. So limits for each address do
# not bind it, except the number of connections open at once.
LOOPBACK = frozenset(("127.0.0.1", "::1"))
_COMMANDS = {"*": 20, "MAIL": 200, "RCPT": 4000, "DATA": 200, "RSET": 200}

log = logging.getLogger("pbmstar")


@dataclass(frozen=True)
class Limits:
    """The limits of a peer; None stands for no limit. Sizes are in bytes, times in seconds."""

    size: int = gate.MAIL
    discarded: int = 16 * gate.MAIL  # of a message that is too big, read only to say so at its end
    recipients: int = 10
    peers: int | None = 100  # connections
    peers_of_one: int | None = 10  # ... from one address
    fresh: int | None = 30  # ... from one address, begun within a minute
    mails: int | None = 100  # on one connection
    commands: dict[str, int] | None = None  # on one connection, by verb; * stands for any other
    idle: Seconds = 300.0  # until the next command
    content: float = 300.0  # from DATA to the end of the content
    session: Seconds | None = 3600.0

    @classmethod
    def of(cls, on: bool) -> Limits:
        """Return the limits for a value of the configuration key ``limits``."""
        if on:
            return cls(commands=_COMMANDS)
        return cls(peers=None, peers_of_one=None, fresh=None, mails=None, session=None)


class Content:
    """The content of a message, in pieces of any size: bytes up to CRLF, dot, CRLF.

    A content that is too big is thrown away, except the last bytes, in which the end may begin.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._held = bytearray(b"\r\n")  # with these a first line of one dot is an end
        self.seen = 0  # bytes fed so far
        self.too_big = False

    def feed(self, data: bytes) -> bytes | None:
        """Take the next bytes; return those after the end, or None if the end has not come."""
        start = max(0, len(self._held) - len(_END) + 1)
        self._held += data
        self.seen += len(data)
        at = self._held.find(_END, start)
        if at >= 0:
            rest = bytes(self._held[at + len(_END) :])
            del self._held[at + 2 :]
            self.too_big = self.too_big or len(self._held) - 2 > self._size
            return rest
        if len(self._held) > self._size + len(_END):
            self.too_big = True
            del self._held[: 1 - len(_END)]
        return None

    def text(self) -> bytes:
        """Return the mail, with the doubled dots at the beginning of lines undone."""
        return bytes(self._held).replace(b"\r\n.", b"\r\n")[2:]


@dataclass
class ListenerSite:
    """The state that the sessions of one listener share. ``knows`` returns True for a recipient of ours."""

    domain: str
    limits: Limits
    tls: ssl.SSLContext | None  # offered if it is not None
    knows: Callable[[str], bool]
    intake: Intake
    disk: Disk
    closing: bool = False  # True: no further mail is begun


class Session(SMTP):
    """One SMTP connection."""

    line_length_limit = 4096  # bytes of commands that the library's reader holds before it pauses
    lmtp = False

    def __init__(self, site: ListenerSite, peer: str, ended: Callable[[Session], None]) -> None:
        """Make it. ``ended`` is called at the end of the connection, perhaps twice."""
        limits = site.limits
        super().__init__(
            self,  # the library calls the hooks of a handler, which are ours
            data_size_limit=limits.size,
            hostname=site.domain,
            ident="ESMTP",
            tls_context=site.tls,
            timeout=limits.idle,
            command_call_limit=limits.commands,
            loop=asyncio.get_running_loop(),
        )
        self.peer = peer
        self._site, self._limits, self._ended = site, limits, ended
        self._content: Content | None = None
        self._complete: asyncio.Future[None] | None = None
        self._in_data = False
        self._client = ""  # the machine that an LMTP peer passes a message on for, if it says so
        self._nonsense = self._mails = 0
        self._expiry: asyncio.TimerHandle | None = None
        self._until = 0.0  # the time of the loop until which the peer may be silent

    # -- the connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start the clock of the session. The library calls this again when TLS begins."""
        super().connection_made(transport)
        if self._limits.session is not None and self._expiry is None:
            self._expiry = self.loop.call_later(
                self._limits.session, self._close_with, status.TIMEOUT
            )

    def connection_lost(self, error: Exception | None) -> None:
        """Forget a content that is not complete. A complete mail is carried out."""
        if self._expiry is not None:
            self._expiry.cancel()
        super().connection_lost(error)
        self._ended(self)

    def data_received(self, data: bytes) -> None:
        """Keep a content away from the library's line reader, which would hold all of an endless line."""
        content = self._content
        if content is None:
            super().data_received(data)
            return
        rest = content.feed(data)
        if rest is None:
            if content.seen > self._limits.discarded:
                self.cut()
            return
        self._content = None
        if self._complete is not None and not self._complete.done():
            self._complete.set_result(None)
        if rest:
            super().data_received(rest)

    def eof_received(self) -> bool | None:
        """Answer all commands that have come, then close: the peer may still listen."""
        if self._content is not None or self._tls_protocol is not None:
            return super().eof_received()
        self._reader.feed_eof()
        return True

    def cut(self) -> None:
        """Drop the connection at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    def retire(self) -> None:
        """Close now, or as soon as the mail under way is answered."""
        if not self._in_data:
            self._close_with(status.CLOSING)

    def _reset_timeout(self, duration: float | None = None) -> None:
        """Let the peer be silent for so many seconds from now, by default those between two commands.

        A timer that ends sooner stays, since ``_timeout_cb`` sees that it did: a timer for each command costs
        more than its answer.
        """
        self._until = self.loop.time() + (duration or self._limits.idle)
        timer = self._timeout_handle
        if timer is None or timer.when() > self._until:
            self._set_timer()

    def _set_timer(self) -> None:
        if self._timeout_handle is not None:
            self._timeout_handle.cancel()
        self._timeout_handle = self.loop.call_at(self._until, self._timeout_cb)

    def _timeout_cb(self) -> None:
        if self.loop.time() < self._until:
            self._set_timer()
        else:
            self._close_with(status.TIMEOUT)

    def _close_with(self, last: Status) -> None:
        if isinstance(self.transport, asyncio.WriteTransport) and not self.transport.is_closing():
            self.transport.write(last.encode("ascii") + b"\r\n")
            self.transport.close()

    # -- answers

    async def push(self, answer: Any) -> None:
        """Send a status; replace one of the library's. Close after a ``last`` status."""
        if answer is None or self.transport is None or self.transport.is_closing():
            raise asyncio.CancelledError
        reply = answer if isinstance(answer, Status) else status.ours(answer)
        if reply in (status.UNKNOWN, status.NOT_ASCII):
            self._nonsense += 1
            if self._nonsense >= _NONSENSE:
                reply = status.TOO_MANY_ERRORS
        await super().push(reply)
        if reply.last:
            self._hang_up()

    def _hang_up(self) -> None:
        """Close, and end the task, so that it executes no command that waits in the reader."""
        if self.transport is not None:
            self.transport.close()
        raise asyncio.CancelledError

    async def handle_exception(self, error: Exception) -> Status:
        """Log an error of a command. A peer that goes away within a command is not an error."""
        if isinstance(error, asyncio.IncompleteReadError):
            self._hang_up()
        log.error("session", exc_info=error, extra={"facts": {"peer": self.peer}})
        self._set_rset_state()  # type: ignore[no-untyped-call]
        return status.TROUBLE

    # -- hooks: the library has read a command and wants the answer. The first argument is self again.

    async def handle_HELO(  # noqa: N802
        self, _self: Any, state: Any, _envelope: Any, hostname: str
    ) -> Status:
        state.host_name = hostname
        return Status(f"250 {self._site.domain}")

    async def handle_EHLO(  # noqa: N802
        self, _self: Any, state: Any, _envelope: Any, hostname: str, _librarys: list[str]
    ) -> list[Status]:
        """Answer EHLO or LHLO with the extensions. AUTH is never one of them: passwords stand in messages."""
        state.host_name = hostname
        offered = self._offered()
        if self._site.tls is not None and state.ssl is None:
            offered.append("STARTTLS")
        lines = [Status(f"250-{word}") for word in (self._site.domain, *offered)]
        return [*lines, Status("250 ENHANCEDSTATUSCODES")]

    def _offered(self) -> list[str]:
        """Return the extensions that every connection offers."""
        return ["PIPELINING", f"SIZE {self._limits.size}", "8BITMIME"]

    async def handle_MAIL(  # noqa: N802
        self, _self: Any, _state: Any, envelope: Any, address: str, _options: list[str]
    ) -> Status:
        """Answer MAIL. The null sender stays ``<>``."""
        if self._site.closing:
            return status.CLOSING
        if self._site.disk.is_full():
            return status.DISK_FULL
        if self._limits.mails is not None and self._mails >= self._limits.mails:
            return status.TOO_MANY_MAILS
        envelope.mail_from = address
        return status.SENDER_OK

    async def handle_RCPT(  # noqa: N802
        self, _self: Any, _state: Any, envelope: Any, address: str, _options: list[str]
    ) -> Status:
        if len(envelope.rcpt_tos) >= self._limits.recipients:
            return status.TOO_MANY_RECIPIENTS
        domain = self._site.domain
        if address.lower() == "postmaster":
            address = f"postmaster@{domain}"
        if not self._site.knows(address):
            is_ours = address.lower().rpartition("@")[2].rstrip(".") == domain
            return status.NO_MAILBOX if is_ours else status.NO_RELAY
        envelope.rcpt_tos.append(address)
        return status.RECIPIENT_OK

    # -- commands

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Return address and parameters of MAIL and RCPT. The library's parser is slow on hostile ones.

        An empty address is ``<>``. Both are None for a malformed one.
        """
        path = _PATH.fullmatch(arg.strip())
        if path is None or not arg.isprintable():
            return None, None
        if path[3] is not None:
            return path[3], path[4]
        return path[1] or "<>", path[2]

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Read the content of a message, give the mail to the intake, and answer with its fate."""
        if await self.check_helo_needed():
            return
        envelope: Any = self.envelope
        if arg or not envelope.rcpt_tos:
            await self.push(status.SYNTAX if arg else status.OUT_OF_ORDER)
            return
        self._in_data = True
        try:
            raw = await self._receive()
            self._mails += 1
            answer = status.TOO_BIG
            if raw is not None:
                sender = "" if envelope.mail_from == "<>" else envelope.mail_from
                client = self._client if self.lmtp else self.peer
                if client in LOOPBACK:  # this machine is nobody's client
                    client = ""
                direct = bool(client) and not self.lmtp
                came = Envelope(sender, tuple(envelope.rcpt_tos), client, direct=direct)
                receipt = await self._site.intake.take(self.peer, came, raw)
                answer = status.after_content(receipt, self.lmtp)
            self._set_post_data_state()  # type: ignore[no-untyped-call]
            if self.lmtp:  # one for each recipient
                answer = Status("\r\n".join([answer] * len(envelope.rcpt_tos)))
            await self.push(answer)
        finally:
            self._in_data = False
        if self._site.closing:
            self._hang_up()

    async def _receive(self) -> bytes | None:
        """Return the content of a message; None if it is too big."""
        content = self._content = Content(self._limits.size)
        complete = self._complete = self.loop.create_future()
        # If a peer did not wait for our go-ahead, its bytes are in the library's reader already.
        if waiting := len(self._reader._buffer):  # type: ignore[attr-defined]
            self.data_received(await self._reader.read(waiting))
        self._reset_timeout(self._limits.content)
        await self.push(status.GO_AHEAD)
        await complete
        self._reset_timeout()
        return None if content.too_big else content.text()

    async def smtp_AUTH(self, _arg: str | None) -> None:  # noqa: N802
        """Refuse AUTH; the argument, perhaps a password, is neither used nor logged."""
        await self.push(status.NOT_IMPLEMENTED)

    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802
        """Answer VRFY without a word about the address."""
        await self.push(status.NOT_TOLD)

    async def smtp_HELP(self, _arg: str | None) -> None:  # noqa: N802
        """Tell the peer where to find help."""
        await self.push(status.HELP)

    async def smtp_GET(self, _arg: str | None) -> None:  # noqa: N802
        """Close without a word: this is a web browser, perhaps sent by a hostile page."""
        self._hang_up()

    smtp_POST = smtp_PUT = smtp_HEAD = smtp_OPTIONS = smtp_CONNECT = smtp_GET  # noqa: N815
    smtp_DELETE = smtp_PATCH = smtp_TRACE = smtp_PROXY = smtp_GET  # noqa: N815


class LmtpSession(Session, LMTP):
    """One LMTP connection of our own mail server, which gets a status for each recipient.

    A mail server on this machine may name the client of a message by XFORWARD, as Postfix does.
    """

    lmtp = True

    @property
    def _is_near(self) -> bool:
        return self.peer == "local" or self.peer in LOOPBACK

    def _offered(self) -> list[str]:
        return [*super()._offered(), *(["XFORWARD ADDR"] if self._is_near else [])]

    def _set_rset_state(self) -> None:
        """Forget the client when a message is given up."""
        super()._set_rset_state()  # type: ignore[no-untyped-call]
        self._client = ""

    def _set_post_data_state(self) -> None:
        """Forget the client at the end of a message."""
        super()._set_post_data_state()  # type: ignore[no-untyped-call]
        self._client = ""

    async def smtp_XFORWARD(self, arg: str | None) -> None:  # noqa: N802
        """Take the client of the next mail from ``ADDR=192.0.2.1``; skip other attributes."""
        if not self._is_near:
            await self.push(status.NOT_IMPLEMENTED)
            return
        for word in (arg or "").split():
            name, _, value = word.partition("=")
            if name.upper() == "ADDR":
                self._client = _address(value)
        await self.push(status.OK)


def _address(text: str) -> str:
    """Return a network address as XFORWARD writes it; empty for an unknown one."""
    try:
        return str(ip_address(text.upper().removeprefix("IPV6:")))
    except ValueError:
        return ""
