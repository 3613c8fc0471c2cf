"""One connection: what is said on it. The only module that imports aiosmtpd.

The library reads commands and keeps their order. What it leaves open is decided here and in
``door``: how much a peer may send, how long and how often, what exactly ends a mail, what is said.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from ..intake.take import Mail
from ..service import Envelope
from . import status as replies
from .limits import HERE, Content, Door, read_path
from .status import Reply

_NONSENSE = 5  # commands that are none until a peer is left

log = logging.getLogger("pbmstar")


class Session(SMTP):
    """One SMTP connection."""

    line_length_limit = 4096  # of the library's reader: bytes of commands kept before it pauses
    relayed = False

    def __init__(self, door: Door, peer: str, loop: asyncio.AbstractEventLoop) -> None:
        limits = door.limits
        super().__init__(
            door,
            data_size_limit=limits.size,
            hostname=door.domain,
            ident="ESMTP",
            tls_context=door.tls,
            timeout=limits.idle,
            command_call_limit=limits.commands,
            loop=loop,
        )
        self._door, self._limits, self._peer = door, limits, peer
        self._content: Content | None = None
        self._complete: asyncio.Future[None] | None = None
        self._in_data = False
        self._nonsense = 0
        self._expiry: asyncio.TimerHandle | None = None
        self.mails = 0

    # -- the connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Also called when TLS begins."""
        super().connection_made(transport)
        self._door.sessions.add(self)
        if self._limits.session is not None and self._expiry is None:
            self._expiry = self.loop.call_later(self._limits.session, self._timeout_cb)

    def connection_lost(self, error: Exception | None) -> None:
        """The peer is gone. What has come of a content is forgotten, a whole mail is carried out."""
        if self._expiry is not None:
            self._expiry.cancel()
        super().connection_lost(error)
        self._door.sessions.discard(self)
        self._door.leave(self._peer)

    def data_received(self, data: bytes) -> None:
        """A content goes past the library's line reader, which would keep an endless line whole."""
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
        """A peer that has said all may still listen: what it has sent is answered before we close."""
        if self._content is not None or self._tls_protocol is not None:
            return super().eof_received()
        self._reader.feed_eof()
        return True

    def cut(self) -> None:
        """Drop the line."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self.transport.abort()

    def retire(self) -> None:
        """The daemon is being stopped: close now, or as soon as the mail under way is answered."""
        if not self._in_data:
            self._say_farewell(replies.CLOSING)

    def _timeout_cb(self) -> None:
        self._say_farewell(replies.TIMEOUT)

    def _say_farewell(self, reply: Reply) -> None:
        if isinstance(self.transport, asyncio.WriteTransport) and not self.transport.is_closing():
            self.transport.write(reply.encode("ascii") + b"\r\n")
            self.transport.close()

    # -- what is said

    async def push(self, status: Any) -> None:
        """Say a reply of ours; one of the library's is replaced. Ends the session after a farewell."""
        if status is None or self.transport is None or self.transport.is_closing():
            raise asyncio.CancelledError
        reply = status if isinstance(status, Reply) else replies.instead(status)
        if reply is replies.UNKNOWN:
            self._nonsense += 1
            if self._nonsense >= _NONSENSE:
                reply = replies.TOO_MANY_ERRORS
        await super().push(reply)
        if reply.leave:
            self._hang_up()

    def _hang_up(self) -> None:
        """Close, and end the task: what else stands in the reader is not looked at."""
        if self.transport is not None:
            self.transport.close()
        raise asyncio.CancelledError

    async def handle_exception(self, error: Exception) -> Reply:
        """What escaped from a command. A peer that ended in mid-command is no error."""
        if isinstance(error, asyncio.IncompleteReadError):
            self._hang_up()
        log.error("session", exc_info=error, extra={"facts": {"peer": self._peer}})
        self._set_rset_state()  # type: ignore[no-untyped-call]
        return replies.TROUBLE

    # -- commands

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Address and parameters of MAIL and RCPT; the library's parser is slow on hostile ones."""
        return read_path(arg) or (None, None)

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """Take one mail."""
        if await self.check_helo_needed():
            return
        envelope: Any = self.envelope
        if arg or not envelope.rcpt_tos:
            await self.push(replies.SYNTAX if arg else replies.OUT_OF_ORDER)
            return
        self._in_data = True
        try:
            raw = await self._receive()
            self.mails += 1
            count = len(envelope.rcpt_tos) if self.relayed else 1
            if raw is None:
                reply = replies.TOO_BIG
            else:
                sender = "" if envelope.mail_from == "<>" else envelope.mail_from
                peer = "" if self.relayed or self._peer in HERE else self._peer
                told = Envelope(sender, tuple(envelope.rcpt_tos), peer)
                reply = await self._door.intake.take(Mail(self._peer, told, raw, self.relayed))
            self._set_post_data_state()  # type: ignore[no-untyped-call]
            await self.push(replies.for_each(reply, count) if count > 1 else reply)
        finally:
            self._in_data = False
        if self._door.closing:
            self._hang_up()

    async def _receive(self) -> bytes | None:
        """The content of a mail, None if it is too big."""
        content = self._content = Content(self._limits.size)
        complete = self._complete = self.loop.create_future()
        # A peer that did not wait for our go-ahead: its bytes are in the library's reader already.
        if waiting := len(self._reader._buffer):  # type: ignore[attr-defined]
            self.data_received(await self._reader.read(waiting))
        self._reset_timeout(self._limits.content)
        await self.push(replies.GO_AHEAD)
        await complete
        self._reset_timeout()
        return None if content.too_big else content.text()

    async def smtp_AUTH(self, _arg: str | None) -> None:  # noqa: N802
        """Not offered; what was sent with it is neither looked at nor logged."""
        await self.push(replies.NOT_IMPLEMENTED)

    async def smtp_VRFY(self, _arg: str | None) -> None:  # noqa: N802
        """Tells nothing."""
        await self.push(replies.NOT_TOLD)

    async def smtp_HELP(self, _arg: str | None) -> None:  # noqa: N802
        """Tells where help is."""
        await self.push(replies.HELP)

    async def smtp_GET(self, _arg: str | None) -> None:  # noqa: N802
        """A web browser, or a page that makes one speak to us: not a word."""
        self._hang_up()

    smtp_POST = smtp_PUT = smtp_HEAD = smtp_OPTIONS = smtp_CONNECT = smtp_GET  # noqa: N815
    smtp_DELETE = smtp_PATCH = smtp_TRACE = smtp_PROXY = smtp_GET  # noqa: N815


class LmtpSession(Session, LMTP):
    """One LMTP connection: a mail server of ours, that gets one reply for each recipient."""

    relayed = True
