"""Mails that nobody should have to read, and what the daemon uses that had to."""

from __future__ import annotations

import base64
import os
import random
from pathlib import Path

from crash.running import Line

MEGABYTE = 1 << 20
HEAD = b"From: x@evil.example\r\nTo: star@bench.example\r\nMessage-ID: <%d@evil.example>\r\n"


def hostile(rng: random.Random) -> tuple[str, bytes]:
    """A mail that nobody should have to read, and what it is."""
    head = HEAD % rng.getrandbits(60)
    kind = rng.choice(["line", "big", "binary", "deep", "token", "words"])
    if kind == "line":
        return kind, head + b"Subject: x\r\n\r\n" + b"x" * (4 * MEGABYTE)
    if kind == "big":
        return kind, head + b"Subject: x\r\n\r\n" + (b"y" * 76 + b"\r\n") * (2 * MEGABYTE // 78)
    if kind == "binary":
        noise = rng.randbytes(200_000).replace(b"\r\n.", b"")
        return kind, head + b"Subject: \xff\xfe\r\n\r\n" + noise
    if kind == "deep":
        parts = b"".join(
            b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (n, n)
            for n in range(2000)
        )
        return kind, head + parts
    if kind == "token":
        return kind, head + b"Subject: Re: star\r\n\r\nF6\r\n"
    lines = b"\r\n".join(b"star move %d nobody wrong F6" % n for n in range(3000))
    text = base64.encodebytes(lines).replace(b"\n", b"\r\n")
    return kind, head + b"Content-Transfer-Encoding: base64\r\nSubject: x\r\n\r\n" + text


def disturb(port: int, rng: random.Random, source: str) -> str:
    """Send a hostile mail; returns what it was and what was said."""
    kind, raw = hostile(rng)
    try:
        with Line(port, source) as line:
            if kind == "token":
                for step in (b"EHLO x", b"MAIL FROM:<x@evil.example>"):
                    line.hear() if step == b"EHLO x" else None
                    line.say(step)
                token = "r" + "a2b3c4d5" * 6
                reply = line.say(f"RCPT TO:<star+{token}@bench.example>".encode())
                if reply.startswith("250"):
                    line.say(b"DATA")
                    reply = line.say(raw + b"\r\n.")
            else:
                reply = line.mail(raw)
    except OSError:
        reply = "cut"
    return f"{kind} {reply[:3]}"


def used(pid: int) -> tuple[int, int]:
    """Resident memory in kB, and open file descriptors."""
    status = Path(f"/proc/{pid}/status").read_text()
    memory = int(status.partition("VmRSS:")[2].split()[0])
    return memory, len(os.listdir(f"/proc/{pid}/fd"))
