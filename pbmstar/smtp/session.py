"""One connection: what is answered on it. No other room imports aiosmtpd.

The library reads commands and keeps their order. What it leaves open is decided here: how much a peer
may send, how long and how often, which bytes end a mail, and every status line.
"""

from __future__ import annotations

import asyncio
import logging
import re
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiosmtpd.smtp import SMTP

from ..intake.disk import Disk
from ..intake.take import Intake
from ..service import Envelope
from . import status
from .content import Content
from .limits import LOOPBACK, Limits
from .status import Status

_NONSENSE = 5  # commands unknown to us, after which we close
# <path>, or a bare address; then the parameters. A source route is skipped.
_PATH = re.compile(r'<(?:@[^\s<>:"]+:)?("[^"<>\\]*"@[^\s<>"]+|[^\s<>"]*)>(.*)|([^\s<>"]+)(.*)')

log = logging.getLogger("pbmstar")


@dataclass
class Site:
    """What the sessions of one listener have in common. ``knows``: whether a recipient is ours."""

    domain: str
    limits: Limits
    tls: ssl.SSLContext | None  # offered if there is one
    knows: Callable[[str], bool]
    intake: Intake
    disk: Disk
    closing: bool = False  # no mail is begun any more


class Session(SMTP):
    """One SMTP connection."""

    line_length_limit = 4096  # bytes of commands that the library's reader holds before it pauses
    lmtp = False

    def __init__(self, site: Site, peer: str, ended: Callable[[Session], None]) -> None:
        """``ended`` is called when the connection has ended, perhaps twice."""
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
        self._client = ""  # the machine that an LMTP peer passes a mail on for, if it says so
        self._nonsense = self._mails = 0
        self._expiry: asyncio.TimerHandle | None = None

    # -- the connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Also called when TLS begins."""
        super().connection_made(transport)
        if self._limits.session is not None and self._expiry is None:
            self._expiry = self.loop.call_later(self._limits.session, self._timeout_cb)

    def connection_lost(self, error: Exception | None) -> None:
        """The peer is gone. Part of a content is forgotten; a whole mail is carried out."""
        if self._expiry is not None:
            self._expiry.cancel()
        super().connection_lost(error)
        self._ended(self)

    def data_received(self, data: bytes) -> None:
        """A content bypasses the library's line reader, which would hold an endless line whole."""
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
        """A peer that sends no more may still listen: we answer what it has sent, then close."""
        if self._content is not None or self._tls_protocol is not None:
            return super().eof_received()
        self._reader.feed_eof()
        return True

    def cut(self) -> None:
        """Drop the connection at once."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    def retire(self) -> None:
        """The daemon stops: close now, or as soon as the mail under way is answered."""
        if not self._in_data:
            self._close_with(status.CLOSING)

    def _timeout_cb(self) -> None:
        self._close_with(status.TIMEOUT)

    def _close_with(self, last: Status) -> None:
        if isinstance(self.transport, asyncio.WriteTransport) and not self.transport.is_closing():
            self.transport.write(last.encode("ascii") + b"\r\n")
            self.transport.close()

    # -- answers

    async def push(self, answer: Any) -> None:
        """Send a status of ours; one of the library's is replaced. Closes after one that is last."""
        if answer is None or self.transport is None or self.transport.is_closing():
            raise asyncio.CancelledError
        reply = answer if isinstance(answer, Status) else status.ours(answer)
        if reply is status.UNKNOWN:
            self._nonsense += 1
            if self._nonsense >= _NONSENSE:
                reply = status.TOO_MANY_ERRORS
        await super().push(reply)
        if reply.last:
            self._hang_up()

    def _hang_up(self) -> None:
        """Close, and end the task: the commands that wait in the reader are not executed."""
        if self.transport is not None:
            self.transport.close()
        raise asyncio.CancelledError

    async def handle_exception(self, error: Exception) -> Status:
        """What escaped from a command. A peer that ended in mid-command is no error."""
        if isinstance(error, asyncio.IncompleteReadError):
            self._hang_up()
        log.error("session", exc_info=error, extra={"facts": {"peer": self.peer}})
        self._set_rset_state()  # type: ignore[no-untyped-call]
        return status.TROUBLE

    # -- hooks: the library has read the command and asks what to answer; the first argument is self

    async def handle_HELO(  # noqa: N802
        self, _self: Any, state: Any, _envelope: Any, hostname: str
    ) -> Status:
        """HELO."""
        state.host_name = hostname
        return Status(f"250 {self._site.domain}")

    async def handle_EHLO(  # noqa: N802
        self, _self: Any, state: Any, _envelope: Any, hostname: str, _librarys: list[str]
    ) -> list[Status]:
        """EHLO or LHLO: what is offered. Never AUTH: passwords are for mails."""
        state.host_name = hostname
        offered = self._offered()
        if self._site.tls is not None and state.ssl is None:
            offered.append("STARTTLS")
        lines = [Status(f"250-{word}") for word in (self._site.domain, *offered)]
        return [*lines, Status("250 ENHANCEDSTATUSCODES")]

    def _offered(self) -> list[str]:
        """The extensions that are offered on every connection."""
        return ["PIPELINING", f"SIZE {self._limits.size}", "8BITMIME"]

    async def handle_MAIL(  # noqa: N802
        self, _self: Any, _state: Any, envelope: Any, address: str, _options: list[str]
    ) -> Status:
        """MAIL. The null sender stays ``<>``."""
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
        """RCPT."""
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
        """Address and parameters of MAIL and RCPT; the library's parser is slow on hostile ones.

        An empty address is ``<>``; of a malformed one both are None.
        """
        path = _PATH.fullmatch(arg.strip())
        if path is None or not arg.isprintable():
            return None, None
        if path[3] is not None:
            return path[3], path[4]
        return path[1] or "<>", path[2]

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take one mail: its content is read here, and what becomes of it is the intake's."""
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
            count = len(envelope.rcpt_tos) if self.lmtp else 1
            answer = status.TOO_BIG
            if raw is not None:
                sender = "" if envelope.mail_from == "<>" else envelope.mail_from
                peer = self._stranger()
                direct = bool(peer) and not self.lmtp
                came = Envelope(sender, tuple(envelope.rcpt_tos), peer, direct=direct)
                receipt = await self._site.intake.take(self.peer, came, raw)
                answer = status.after_content(receipt, self.lmtp)
            self._set_post_data_state()  # type: ignore[no-untyped-call]
            await self.push(status.for_each(answer, count))
        finally:
            self._in_data = False
        if self._site.closing:
            self._hang_up()

    def _stranger(self) -> str:
        """The network address of the machine that the mail comes from; empty if it is one of ours."""
        peer = self._client if self.lmtp else self.peer
        return "" if peer in LOOPBACK else peer

    async def _receive(self) -> bytes | None:
        """The content of a mail, None if it is too big."""
        content = self._content = Content(self._limits.size)
        complete = self._complete = self.loop.create_future()
        # Bytes of a peer that did not wait for our go-ahead are in the library's reader already.
        if waiting := len(self._reader._buffer):  # type: ignore[attr-defined]
            self.data_received(await self._reader.read(waiting))
        self._reset_timeout(self._limits.content)
        await self.push(status.GO_AHEAD)
        await complete
        self._reset_timeout()
        return None if content.too_big else content.text()

    async def smtp_AUTH(self, _arg: str | None) -> None:  # noqa: N802
        """Not offered; the argument, perhaps a password, is neither used nor logged."""
        await self.push(status.NOT_IMPLEMENTED)

    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802
        """Tells nothing."""
        await self.push(status.NOT_TOLD)

    async def smtp_HELP(self, _arg: str | None) -> None:  # noqa: N802
        """Tells where help is."""
        await self.push(status.HELP)

    async def smtp_GET(self, _arg: str | None) -> None:  # noqa: N802
        """A web browser, or a page that makes one speak to us: close without a word."""
        self._hang_up()

    smtp_POST = smtp_PUT = smtp_HEAD = smtp_OPTIONS = smtp_CONNECT = smtp_GET  # noqa: N815
    smtp_DELETE = smtp_PATCH = smtp_TRACE = smtp_PROXY = smtp_GET  # noqa: N815
