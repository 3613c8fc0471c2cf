"""Kills of a daemon that reads a mailbox: each message must have its effect once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from harness.dovecot import PASSWORD, TLS, Dovecot
from harness.server import Server, until

PLAYERS = tuple(f"player{number}" for number in range(20))


def messages(count: int) -> list[bytes]:
    """Challenges, each of which opens a board; every third message has no Message-ID."""
    made = []
    for number in range(count):
        one, other = random.sample(PLAYERS, 2)
        mark = f"Message-ID: <{number}@mua.example>\r\n" if number % 3 else ""
        made.append(
            (
                f"Return-Path: <{one}@{one}.example>\r\n"
                f"Received: from x by provider.example; id {number}\r\n"
                f"From: {one}@{one}.example\r\nTo: star@localhost\r\n{mark}"
                f"Date: Sat, 28 Nov 2026 12:{number // 60 % 60:02}:{number % 60:02} +0000\r\n"
                f"Subject: star challenge -size=4 {one} {other}\r\n\r\nnumber {number}\r\n"
            ).encode()
        )
    return made


class Meddler(threading.Thread):
    """Another program in the mailbox: it flags messages, moves them away, and moves them back."""

    def __init__(self, provider: Dovecot, user: str) -> None:
        super().__init__(daemon=True)
        self._provider, self._user = provider, user
        self.over, self.moved = threading.Event(), 0

    def run(self) -> None:
        while not self.over.is_set():
            with suppress(Exception), self._provider.client(self._user) as client:
                if not client.folder_exists("Elsewhere"):
                    client.create_folder("Elsewhere")
                if some := client.search("ALL")[-3:]:
                    client.add_flags(some, ["\\Seen", "\\Deleted"])
                    client.remove_flags(some[:1], ["\\Deleted"])
                    client.move(some[:2], "Elsewhere")
                    self.moved += len(some[:2])
                self._back(client)
            self.over.wait(0.05)
        with self._provider.client(self._user) as client:
            self._back(client)

    def _back(self, client) -> None:  # type: ignore[no-untyped-def]
        client.select_folder("Elsewhere")
        if away := client.search("ALL"):
            client.move(away, "INBOX")


def run(
    folder: Path,
    provider: Dovecot,
    user: str,
    count: int,
    kills: int,
    meddles: bool = False,
    words: Sequence[str] = (),
) -> tuple[int, int, int]:
    """Return how many boards there are, how many kills there were, and messages in the folder of done ones.

    ``words`` stand before every command, such as ``--mailbox-done=``, which deletes what is done.
    """
    url = provider.add(user)
    keys = {
        "mailbox": url.replace("@", f":{PASSWORD}@", 1),
        "limits": "off",
        "pictures": "off",
        "bots": "0",
    }
    with Server(folder, *words, **keys) as server:
        server.environment["SSL_CERT_FILE"] = str(TLS)
        server.add(*PLAYERS)
        provider.append(user, *messages(count))
        meddler = Meddler(provider, user)
        if meddles:
            meddler.start()
        done = 0
        while provider.count(user) > count // 20 and done < kills:
            server.start()
            time.sleep(random.uniform(0.0, 0.4))  # the moment of the kill is chance
            server.kill()
            done += 1
        if meddles:
            meddler.over.set()
            meddler.join(60)
        server.start()
        until(lambda: not provider.count(user), "an empty inbox")
        server.stop()
        boards = len(server.json("admin", "board", "list"))
        return boards, done, provider.count(user, "pbmstar/done")
