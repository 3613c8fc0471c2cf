"""A mail server that takes every letter and remembers it, much faster than what it is used to test.

In a test: ``with Sink() as sink: ... sink.wait(2); sink.letters``. It fails on command: ``rule`` is
asked before each answer. On the command line, in a process of its own: ``python tests/harness/sink.py``
prints ``sink: HOST:PORT``, then a line with the number of letters for each line it reads.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

PATIENCE = 240.0  # seconds until a letter must have come, on a busy machine too


@dataclass
class Taken:
    """A letter that was taken: its envelope, and its text as it came, dots undone."""

    sender: str
    recipients: list[str] = field(default_factory=list)
    content: bytes = b""

    @property
    def message_id(self) -> str:
        """What its Message-ID says, empty if it has none."""
        for line in self.content.split(b"\r\n\r\n", 1)[0].split(b"\r\n"):
            if line.lower().startswith(b"message-id:"):
                return line.partition(b":")[2].strip().decode()
        return ""


# step ("connect", "ehlo", "starttls", "auth", "mail", "rcpt", "data", "content", "dot", "rset" or
# "quit"), how many of that step came before, the letter -> None to go on as usual, or a reply to
# give instead: "cut" drops the line, "stall" says nothing more, a reply beginning with 421 drops
# the line after it. "content" comes at the first bytes of a content, "dot" at its end.
Rule = Callable[[str, int, Taken], str | None]


class Sink:
    """The server, in a thread of its own from ``__enter__`` to ``__exit__``."""

    def __init__(
        self,
        rule: Rule | None = None,
        *,
        pipelining: bool = True,
        extensions: tuple[str, ...] = ("8BITMIME",),
        tls: ssl.SSLContext | None = None,
        implicit: ssl.SSLContext | None = None,
        keep: bool = True,
        port: int = 0,
    ) -> None:
        self.rule, self.tls, self.keep, self.port = rule, tls, keep, port
        self._implicit = implicit  # TLS from the start
        offered = ["PIPELINING"] * pipelining + ["STARTTLS"] * (tls is not None) + list(extensions)
        self.offered = offered
        self.letters: list[Taken] = []
        self.count = 0  # letters taken, also those that are not kept
        self.connections = 0
        self.steps: dict[str, int] = {}
        self.log: list[bytes] = []  # every command line, if there is a rule
        self._changed = threading.Condition()
        self._sessions: set[_Session] = set()

    @property
    def url(self) -> str:
        """For the key ``relay``."""
        return f"smtp://127.0.0.1:{self.port}"

    def __enter__(self) -> Sink:
        started = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        assert started.wait(PATIENCE), "the sink did not start"
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(10)

    def cut(self) -> None:
        """Cut all lines, from within one of the sessions."""
        for session in list(self._sessions):
            session.cut()

    def hang_up(self) -> None:
        """End all connections politely, though nobody has asked for it; they are closed when it returns."""
        asyncio.run_coroutine_threadsafe(self._hang_up(), self._loop).result(PATIENCE)

    async def _hang_up(self) -> None:
        for session in list(self._sessions):
            session.close()
        while self._sessions:
            await asyncio.sleep(0)

    def wait(self, count: int, seconds: float = PATIENCE) -> None:
        """Wait until so many letters have been taken. Raises TimeoutError."""
        deadline = time.monotonic() + seconds
        with self._changed:
            while self.count < count:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise TimeoutError(f"{self.count} of {count} letters came")
                self._changed.wait(left)

    # -- for the sessions

    def ask(self, step: str, letter: Taken) -> str | None:
        """What the rule says."""
        if self.rule is None:
            return None
        number = self.steps.get(step, 0)
        self.steps[step] = number + 1
        return self.rule(step, number, letter)

    def take(self, letter: Taken) -> None:
        """A letter is complete."""
        if self.keep:
            self.letters.append(letter)
        self.count += 1
        with self._changed:
            self._changed.notify_all()

    def _run(self, started: threading.Event) -> None:
        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            self._end = asyncio.Event()
            server = await self._loop.create_server(
                lambda: _Session(self),
                "127.0.0.1",
                self.port,
                backlog=1000,
                ssl=self._implicit,
            )
            self.port = server.sockets[0].getsockname()[1]
            started.set()
            await self._end.wait()
            server.close()
            for session in list(self._sessions):
                session.cut()
            await asyncio.sleep(0)

        asyncio.run(main())


class _Session(asyncio.Protocol):
    """One connection: a hand-made parser, since it has to outrun any client."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._buffer = b""
        self._content: bytearray | None = None
        self._letter = Taken("")
        self._deaf = self._begun = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        sock = transport.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._sink.connections += 1
        self._sink._sessions.add(self)
        transport.write(self._answer("connect", b"220 sink ESMTP\r\n"))

    def connection_lost(self, exc: Exception | None) -> None:
        self._sink._sessions.discard(self)

    def close(self) -> None:
        """End the connection."""
        self._transport.close()

    def cut(self) -> None:
        self._deaf = True
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        if self._deaf:
            return
        out: list[bytes] = []
        self._buffer = self._buffer + data if self._buffer else data
        while self._buffer and not self._deaf:
            if self._content is not None:
                if not self._take_content(out):
                    break
            else:
                line, end, rest = self._buffer.partition(b"\r\n")
                if not end:
                    break
                self._buffer = rest
                out.append(self._command(line))
            if self._sink.rule is not None and out:  # a cut must not swallow what was said before
                self._transport.write(out.pop())
        if out and not self._transport.is_closing():
            self._transport.write(b"".join(out))

    def _answer(self, step: str, usual: bytes) -> bytes:
        reply = self._sink.ask(step, self._letter)
        if reply is None:
            return usual
        if reply in ("cut", "stall"):
            self._deaf = True
            if reply == "cut":
                self._transport.abort()
            return b""
        if reply.startswith("421"):
            self._deaf = True
            self._sink._loop.call_soon(self._transport.close)
        return reply.encode() + b"\r\n"

    def _command(self, line: bytes) -> bytes:
        if self._sink.rule is not None:
            self._sink.log.append(line)
        verb = line[:4].upper()
        if verb == b"MAIL":
            self._letter = Taken(line[line.index(b"<") + 1 : line.index(b">")].decode())
            answer = self._answer("mail", b"250 2.1.0 ok\r\n")
            self._begun = answer.startswith(b"2")
            return answer
        if verb == b"RCPT":
            if not self._begun:
                return b"503 5.5.1 no sender\r\n"
            answer = self._answer("rcpt", b"250 2.1.5 ok\r\n")
            if answer.startswith(b"2"):
                self._letter.recipients.append(line[9 : line.index(b">")].decode())
            return answer
        if verb == b"DATA":
            usual = b"354 go on\r\n" if self._letter.recipients else b"503 5.5.1 no recipient\r\n"
            answer = self._answer("data", usual)
            if answer.startswith(b"354"):
                self._content = bytearray(b"\r\n")
            return answer
        if verb in (b"EHLO", b"HELO"):
            lines = ["sink", *self._sink.offered]
            replies = [f"250{'-' if n + 1 < len(lines) else ' '}{w}" for n, w in enumerate(lines)]
            return self._answer("ehlo", "\r\n".join(replies).encode() + b"\r\n")
        if verb == b"STAR" and self._sink.tls is not None:
            return self._start_tls()
        if verb == b"AUTH":
            return self._answer("auth", b"235 2.7.0 ok\r\n")
        if verb == b"QUIT":
            self._sink._loop.call_soon(self._transport.close)
            return self._answer("quit", b"221 2.0.0 bye\r\n")
        if verb in (b"RSET", b"NOOP"):
            self._letter = Taken("")
            return self._answer("rset", b"250 2.0.0 ok\r\n")
        return b"500 5.5.2 what?\r\n"

    def _start_tls(self) -> bytes:
        answer = self._answer("starttls", b"220 2.0.0 go on\r\n")
        if answer.startswith(b"220"):
            self._transport.write(answer)
            self._deaf = True
            self._upgrade = self._sink._loop.create_task(self._upgraded())
            return b""
        return answer

    async def _upgraded(self) -> None:
        loop, tls = self._sink._loop, self._sink.tls
        assert tls is not None
        try:
            transport = await loop.start_tls(self._transport, self, tls, server_side=True)
        except (OSError, ssl.SSLError):
            return
        assert transport is not None
        self._transport, self._deaf = transport, False

    def _take_content(self, out: list[bytes]) -> bool:
        content = self._content
        assert content is not None
        if len(content) == 2:
            answer = self._answer("content", b"")
            if answer or self._deaf:
                out.append(answer)
                return False
        start = max(0, len(content) - 4)
        content += self._buffer
        self._buffer = b""
        at = content.find(b"\r\n.\r\n", start)
        if at < 0:
            return False
        self._buffer = bytes(content[at + 5 :])
        if self._sink.keep:
            self._letter.content = bytes(content[: at + 2]).replace(b"\r\n..", b"\r\n.")[2:]
        self._content = None
        usual = b"250 2.0.0 taken\r\n" if self._letter.recipients else b"554 5.5.1 for nobody\r\n"
        answer = self._answer("dot", usual)
        if answer.startswith(b"2"):
            self._sink.take(self._letter)
        self._letter = Taken("")
        out.append(answer)
        return True


def main() -> None:
    """Run alone."""
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    with Sink(keep=False, port=port) as sink:
        print(f"sink: 127.0.0.1:{sink.port}", flush=True)
        for _ in sys.stdin:
            print(sink.count, flush=True)


if __name__ == "__main__":
    main()
