"""The client of the benchmark: so many sessions, each sending its mails one after the other."""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Run:
    """What one run came to: mails in seconds, and each mail's seconds from DATA to 250."""

    mails: int
    seconds: float
    latencies: list[float]

    @property
    def rate(self) -> float:
        return self.mails / self.seconds

    def latency(self, which: float) -> float:
        """The latency, in ms, that this part of the mails stayed below."""
        return 1000 * part(self.latencies, which)


def run(
    port: int,
    recipient: str,
    sessions: Sequence[Sequence[bytes]],
    rate: float = 0.0,
    hello: str = "EHLO",
) -> Run:
    """Send the mails of each session over a connection of its own, all sessions at once.

    ``rate``: so many mails a second, all sessions together; by default as fast as they are taken.
    """
    return asyncio.run(_run(port, recipient, sessions, rate, hello))


async def _run(
    port: int, recipient: str, sessions: Sequence[Sequence[bytes]], rate: float, hello: str
) -> Run:
    links = [await _connect(port, hello) for _ in sessions]
    begun = time.perf_counter()
    pause = len(sessions) / rate if rate else 0.0
    timed = await asyncio.gather(
        *(
            _send(*link, recipient, mails, begun + pause * n / len(sessions), pause)
            for n, (link, mails) in enumerate(zip(links, sessions, strict=True))
        )
    )
    seconds = time.perf_counter() - begun
    for _, writer in links:
        writer.close()
    latencies = [latency for each in timed for latency in each]
    return Run(len(latencies), seconds, latencies)


def waits(port: int, over: threading.Event, pause: float = 0.005) -> list[float]:
    """Seconds from NOOP to 250 on one connection, again and again until that is set."""
    with socket.create_connection(("127.0.0.1", port)) as line, line.makefile("rb") as replies:
        replies.readline()
        found = []
        while not found or not over.wait(pause):
            begun = time.perf_counter()
            line.sendall(b"NOOP\r\n")
            replies.readline()
            found.append(time.perf_counter() - begun)
        return found


def part(values: Sequence[float], which: float) -> float:
    """What this part of the values stays below."""
    ordered = sorted(values)
    return ordered[min(int(which * len(ordered)), len(ordered) - 1)]


async def _connect(port: int, hello: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await _reply(reader)
    writer.write(f"{hello} bench.example\r\n".encode())
    await _reply(reader)
    return reader, writer


async def _send(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    recipient: str,
    mails: Sequence[bytes],
    start: float,
    pause: float,
) -> list[float]:
    """The latencies; each mail goes out ``pause`` seconds after the one before, if it can."""
    latencies = []
    for n, mail in enumerate(mails):
        await asyncio.sleep(max(0.0, start + n * pause - time.perf_counter()) if pause else 0.0)
        writer.write(b"MAIL FROM:<player@bench.example>\r\n")
        await _reply(reader)
        writer.write(f"RCPT TO:<{recipient}>\r\n".encode())
        await _reply(reader)
        begun = time.perf_counter()
        writer.write(b"DATA\r\n")
        await _reply(reader)
        writer.write(mail + b"\r\n.\r\n")
        await _reply(reader)
        latencies.append(time.perf_counter() - begun)
    return latencies


async def _reply(reader: asyncio.StreamReader) -> None:
    while True:
        line = await reader.readline()
        if not line or line[:1] not in b"23":
            raise RuntimeError(f"the server said {line!r}")
        if line[3:4] != b"-":
            return
