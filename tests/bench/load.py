"""The client of the benchmark: so many sessions, each sending its mails one after the other."""

from __future__ import annotations

import asyncio
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

    def latency(self, part: float) -> float:
        """The latency, in ms, that this part of the mails stayed below."""
        ordered = sorted(self.latencies)
        return 1000 * ordered[min(int(part * len(ordered)), len(ordered) - 1)]


def run(port: int, recipient: str, sessions: Sequence[Sequence[bytes]]) -> Run:
    """Send the mails of each session over a connection of its own, all sessions at once."""
    return asyncio.run(_run(port, recipient, sessions))


async def _run(port: int, recipient: str, sessions: Sequence[Sequence[bytes]]) -> Run:
    links = [await _connect(port) for _ in sessions]
    begun = time.perf_counter()
    timed = await asyncio.gather(
        *(_send(*link, recipient, mails) for link, mails in zip(links, sessions, strict=True))
    )
    seconds = time.perf_counter() - begun
    for _, writer in links:
        writer.close()
    latencies = [latency for each in timed for latency in each]
    return Run(len(latencies), seconds, latencies)


async def _connect(port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    await _reply(reader)
    writer.write(b"EHLO bench.example\r\n")
    await _reply(reader)
    return reader, writer


async def _send(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    recipient: str,
    mails: Sequence[bytes],
) -> list[float]:
    latencies = []
    for mail in mails:
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
