"""How fast mail comes in from a mailbox, and what kills do to it: ``python tests/bench/mailbox.py``.

latency   from a message's arrival to the answer at the relay, with IDLE
rate      messages a second that wait in the mailbox, and by SMTP over ten connections
kills     --kills 200 --messages 1000: kill -9 at any moment; boards opened must equal messages; with
          --delete, handled messages are marked and expunged instead of moved
"""

from __future__ import annotations

import argparse
import smtplib
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from harness import kills  # noqa: E402
from harness.dovecot import PASSWORD, TLS, Dovecot, dovecot  # noqa: E402
from harness.server import Server, until  # noqa: E402
from harness.sink import Sink  # noqa: E402

KEYS = {"limits": "off", "pictures": "off", "bots": "0"}


def server(folder: Path, provider: Dovecot, user: str, **keys: str) -> Server:
    """A server that reads that mailbox."""
    url = provider.add(user).replace("@", f":{PASSWORD}@", 1)
    made = Server(folder, mailbox=url, **KEYS, **keys)
    made.environment["SSL_CERT_FILE"] = str(TLS)
    made.add(*kills.PLAYERS)
    return made


def latency(folder: Path, provider: Dovecot, count: int = 20) -> list[float]:
    """The seconds from arrival to the letters at the relay, sorted."""
    times = []
    with Sink() as sink, server(folder, provider, "late", relay=sink.url) as running:
        running.start()
        until(lambda: "it is read" in running.says("admin", "status"), "the mailbox", 90)
        with provider.client("late") as client:
            for number, raw in enumerate(kills.messages(count), 1):
                time.sleep(0.3)
                begun = time.monotonic()
                client.append("INBOX", raw)
                sink.wait(2 * number)
                times.append(time.monotonic() - begun)
    return sorted(times)


def rates(folder: Path, provider: Dovecot, count: int) -> tuple[float, float]:
    """Messages a second: by the mailbox, and by SMTP."""
    with server(folder / "m", provider, "many") as running:
        provider.append("many", *kills.messages(count))
        begun = time.monotonic()
        running.start()
        until(lambda: not provider.count("many"), "an empty inbox")
        fetched = count / (time.monotonic() - begun)
    with Server(folder / "s", **KEYS) as running:
        running.add(*kills.PLAYERS)
        raws = kills.messages(count)
        begun = time.monotonic()
        running.start()

        def send(some: list[bytes]) -> None:
            with smtplib.SMTP("127.0.0.1", running.port) as smtp:
                for raw in some:
                    smtp.sendmail("x@mua.example", ["star@localhost"], raw)

        threads = [threading.Thread(target=send, args=(raws[at::10],)) for at in range(10)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return fetched, count / (time.monotonic() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--delete", action="store_true", help="what is done is deleted, not moved")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, dovecot() as provider:
        folder = Path(made)
        if given.kills:
            words = ("--mailbox-done=",) if given.delete else ()
            for meddles in (False, True):
                found = kills.run(
                    folder / f"k{int(meddles)}", provider, f"k{int(meddles)}", given.messages,
                    given.kills, meddles, words,
                )  # fmt: skip
                print(
                    f"meddler {meddles}: boards {found[0]}, kills {found[1]}, done {found[2]}",
                    flush=True,
                )
            return
        times = latency(folder / "l", provider)
        print(
            f"latency: median {statistics.median(times):.3f} s, longest {times[-1]:.3f} s",
            flush=True,
        )
        fetched, sent = rates(folder, provider, given.messages)
        print(f"rate: mailbox {fetched:.0f}/s, SMTP {sent:.0f}/s, {fetched / sent:.2f} of it")


if __name__ == "__main__":
    main()
