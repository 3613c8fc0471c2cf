"""Thirty friends play an evening: ``python tests/bench/evening.py [--postfix]``.

Their accounts are opened from one list, by ``pbmstar admin user import``. Each friend challenges others in reply to
the letter of welcome, and replies to each letter that shows a turn with the move that the letter suggests. Every
game must reach its end.

Usually all mail goes through a provider without plus addresses: in through Dovecot, and out by submission under TLS
with a password. With ``--postfix``, it goes through a Postfix set up as docs/installing.md says; that needs root.
"""

from __future__ import annotations

import argparse
import email
import itertools
import queue
import random
import re
import smtplib
import ssl
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from harness.dovecot import PASSWORD, TLS, dovecot  # noqa: E402
from harness.server import PATIENCE, Server  # noqa: E402
from harness.sink import Sink, Taken  # noqa: E402
from postfix.house import House  # noqa: E402

FRIENDS = [f"friend{number}" for number in range(30)]
_MOVE = re.compile(r"Reply with a (?:cell|move), like (\w+)")
_LIMIT = 1500.0  # seconds for all games
Letters = queue.Queue[bytes]


class Way(NamedTuple):
    """A server, and how a friend's message gets to it: the function takes address and message."""

    server: Server
    hand_in: Callable[[str, str, bytes], None]


@contextmanager
def through_a_mailbox(letters: Letters) -> Iterator[Way]:
    """The club's account at a provider."""

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
        with Server(Path(made) / "house", **keys) as server, provider.client("club") as client:
            server.environment["SSL_CERT_FILE"] = str(TLS)
            server.start()

            def hand_in(who: str, _to: str, raw: bytes) -> None:
                client.append("INBOX", f"Return-Path: <{who}>\r\n".encode() + raw)

            yield Way(server, hand_in)


class _Town(House):
    """A Postfix whose world is the friends."""

    def __init__(self, folder: Path, letters: Letters) -> None:
        self._letters = letters
        super().__init__(folder)

    def _rule(self, step: str, count: int, letter: Taken) -> str | None:
        if step == "dot":
            self._letters.put(letter.content)
        return super()._rule(step, count, letter)


@contextmanager
def through_postfix(letters: Letters) -> Iterator[Way]:
    """A mail server of one's own."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)  # Postfix runs as another user
        town = _Town(Path(made), letters)
        try:
            town.pbmstar.environment |= {"PBMSTAR_LIMITS": "off", "PBMSTAR_BOTS": "0"}
            town.start()
            with smtplib.SMTP("127.0.0.1", town.postfix.port, timeout=PATIENCE) as smtp:

                def hand_in(who: str, to: str, raw: bytes) -> None:
                    smtp.sendmail(who, [to], raw)

                yield Way(town.pbmstar, hand_in)
        finally:
            town.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--postfix", action="store_true")
    chosen = parser.parse_args()
    letters: Letters = queue.Queue()
    with (through_postfix if chosen.postfix else through_a_mailbox)(letters) as way:
        begun = time.monotonic()
        friends = way.server.folder / "friends.csv"
        rows = [f"{who},{who}@{who}.example,en\n" for who in FRIENDS]
        friends.write_text("".join(["name,address,language\n", *rows]))
        print(
            way.server.says("admin", "user", "import", str(friends), "--by", "Anna").split("\n")[-2]
        )
        count = play(way, letters, chosen.games)
        boards = way.server.json("admin", "board", "list")
        over = sum(each["over"] for each in boards)
        seconds = time.monotonic() - begun
        print(f"{len(boards)} games, {over} over, {count} messages, {seconds:.0f} s")


def play(way: Way, letters: Letters, games: int) -> int:
    """Challenge and answer until all games are over; return the number of messages."""
    numbers = itertools.count(1)
    outgoing: queue.Queue[tuple[str, str, bytes] | None] = queue.Queue()

    def post() -> None:
        while each := outgoing.get():
            way.hand_in(*each)

    poster = threading.Thread(target=post)
    poster.start()

    def reply(letter: Message, line: str) -> None:
        """Write as the reader of a letter."""
        who, to = str(letter["To"]), str(letter["Reply-To"] or letter["From"])
        to = email.utils.parseaddr(to)[1]
        head = (
            f"From: {who}\r\nTo: {to}\r\nSubject: Re: a letter\r\n"
            f"Message-ID: <{next(numbers)}@mua.example>\r\nIn-Reply-To: {letter['Message-ID']}\r\n"
        )
        outgoing.put((who, to, f"{head}\r\n{line}\r\n".encode()))

    opponents = {f"{who}@{who}.example": games // len(FRIENDS) for who in FRIENDS}
    for who in random.sample(FRIENDS, games % len(FRIENDS)):
        opponents[f"{who}@{who}.example"] += 1
    over: set[str] = set()
    until = time.monotonic() + _LIMIT
    while len(over) < games and time.monotonic() < until:
        try:
            letter = email.message_from_bytes(letters.get(timeout=60))
        except queue.Empty:
            break
        home = str(letter["To"])
        who = home.partition("@")[0]
        if letter["X-Pbmstar-Result"]:
            over.add(str(letter["X-Pbmstar-Board"]))
        elif letter["X-Pbmstar-To-Move"] == who:
            text = next(
                part.get_payload(decode=True)
                for part in letter.walk()
                if part.get_content_type() == "text/plain"
            )
            assert isinstance(text, bytes)
            found = _MOVE.search(" ".join(text.decode().split()))
            reply(letter, found[1] if found else "pass")
        elif not letter["X-Pbmstar-Board"]:  # the welcome, whose answers are challenges
            for other in random.sample(
                [each for each in FRIENDS if each != who], opponents.pop(home, 0)
            ):
                reply(letter, f"star challenge {other} -size=3")
    outgoing.put(None)
    poster.join()
    return next(numbers) - 1


if __name__ == "__main__":
    main()
