"""Thirty friends play an evening through a provider without plus addresses: ``python tests/bench/evening.py``.

All mail goes in through Dovecot and out by submission under TLS with a password. Each friend replies to each letter
that shows a turn, by In-Reply-To alone, with the move that the letter suggests. Every game must reach its end.
"""

from __future__ import annotations

import argparse
import email
import itertools
import queue
import random
import re
import ssl
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from harness.dovecot import PASSWORD, TLS, dovecot  # noqa: E402
from harness.server import Server  # noqa: E402
from harness.sink import Sink, Taken  # noqa: E402

FRIENDS = [f"friend{number}" for number in range(30)]
_MOVE = re.compile(r"put your move, like (\S+?),")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    letters: queue.Queue[bytes] = queue.Queue()

    def rule(step: str, _count: int, letter: Taken) -> str | None:
        if step == "dot":
            letters.put(letter.content)
        return None

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(TLS)
    with (
        tempfile.TemporaryDirectory() as made,
        dovecot() as provider,
        Sink(rule, implicit=tls, extensions=("AUTH PLAIN",)) as sink,
    ):
        keys = {
            "mailbox": provider.add("club"),
            "relay": f"smtps://club@localhost:{sink.port}",
            "mailbox_password_command": f"echo {PASSWORD}",
            "detail": "none",
            "address": "club@provider.example",
            "limits": "off",
            "bots": "0",
        }
        with Server(Path(made) / "house", **keys) as server:
            server.environment["SSL_CERT_FILE"] = str(TLS)
            server.add(*FRIENDS)
            server.start()
            begun = time.monotonic()
            count = play(provider, server, letters, games)
            boards = server.json("admin", "board", "list")
            over = sum(each["over"] for each in boards)
            seconds = time.monotonic() - begun
            print(f"{len(boards)} games, {over} over, {count} messages, {seconds:.0f} s")


def play(provider, server: Server, letters: queue.Queue[bytes], games: int) -> int:  # type: ignore[no-untyped-def]
    """Send the challenges, and answer each letter that shows a turn; return the number of messages."""
    numbers = itertools.count(1)
    outgoing: queue.Queue[bytes | None] = queue.Queue()

    def post() -> None:
        with provider.client("club") as client:
            while raw := outgoing.get():
                client.append("INBOX", raw)

    poster = threading.Thread(target=post)
    poster.start()

    def write(who: str, subject: str, headers: str = "", body: str = "") -> None:
        outgoing.put(
            (
                f"Return-Path: <{who}@{who}.example>\r\nFrom: {who}@{who}.example\r\n"
                f"To: club@provider.example\r\nSubject: {subject}\r\n"
                f"Message-ID: <{next(numbers)}@mua.example>\r\n{headers}\r\n{body}\r\n"
            ).encode()
        )

    for _ in range(games):
        one, other = random.sample(FRIENDS, 2)
        write(one, f"star challenge -size=3 {one} {other}")
    over: set[str] = set()
    until = time.monotonic() + 1500
    while len(over) < games and time.monotonic() < until:
        try:
            mail = email.message_from_bytes(letters.get(timeout=60))
        except queue.Empty:
            break
        who = str(mail["To"]).partition("@")[0]
        if mail["X-Pbmstar-Result"]:
            over.add(str(mail["X-Pbmstar-Board"]))
        elif mail["X-Pbmstar-To-Move"] == who:
            text = next(
                part.get_payload(decode=True)
                for part in mail.walk()
                if part.get_content_type() == "text/plain"
            )
            found = _MOVE.search(" ".join(text.decode().split()))  # type: ignore[union-attr]
            answers = f"In-Reply-To: {mail['Message-ID']}\r\n"
            write(who, f"Re: {mail['Subject']}", answers, found[1] if found else "pass")
    outgoing.put(None)
    poster.join()
    return next(numbers) - 1


if __name__ == "__main__":
    main()
