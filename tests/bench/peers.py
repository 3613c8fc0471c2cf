"""What an operator would pick instead, doing the least of the same work: ``run.py --peers``.

Each takes the same mails on ten sessions, and sends what comes of them to the same sink: salmon and the
pipe two letters a mail, as we do, Mailman one to two members; Postfix alone puts the mail into a maildir.
Processor time is that of all its processes, memory what they share out fairly (PSS) under load.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import load
import world
from harness.server import free_port, until
from servers import HERE, Daemon, process

sys.path.append(str(HERE.parent / "postfix"))

Line = tuple[str, str, str]
SESSIONS = 10
PATIENCE = 120.0  # seconds without any further letter


class Peer(NamedTuple):
    """One that is started.

    keeps      it has a mail on the disk before its 250
    delivered  how many letters, or mails, have come through
    each       so many of them come of a mail
    root       the process that has started all of its others, and is none of them that it waits for
    """

    name: str
    keeps: bool
    port: int
    delivered: Callable[[], int]
    each: int
    root: int
    hello: str = "EHLO"
    pairs: int = 1  # of players, whose boards these are


def tree(root: int) -> list[int]:
    """A process and all that come of it."""
    found = [root]
    with suppress(OSError):
        for task in Path(f"/proc/{root}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += tree(int(child))
    return found


def used(root: int) -> float:
    """Seconds of processor time of a tree, with those of its processes that have ended."""
    ticks = 0
    for pid in tree(root):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(root: int) -> float:
    """MiB of a tree."""
    total = 0
    for pid in tree(root):
        with suppress(OSError):
            found = re.search(r"(?m)^Pss: +(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text())
            total += int(found[1]) if found else 0
    return total / 1024


@contextmanager
def sink() -> Iterator[tuple[int, Callable[[], int]]]:
    """A sink in a process of its own: its port, and how many letters it has."""
    with process(sys.executable, str(HERE.parent / "harness" / "sink.py")) as (server, port):

        def letters() -> int:
            assert server.stdin is not None and server.stdout is not None
            server.stdin.write("\n")
            server.stdin.flush()
            return int(server.stdout.readline())

        yield port, letters


@contextmanager
def ours(folder: Path, pictures: str) -> Iterator[Peer]:
    with Daemon(folder / f"spool-{pictures}", 2000, pictures=pictures) as daemon:
        name = f"pbmstar, pictures {pictures}"
        yield Peer(name, True, daemon.port, daemon.letters, 2, daemon.pid, pairs=50)


_SALMON = """
import logging, sys
from salmon import mail, routing, server
logging.disable(logging.CRITICAL)
relay = server.Relay(host="127.0.0.1", port=int(sys.argv[2]))
@routing.route("star@(host)", host=".+")
@routing.stateless
def START(message, **_):
    for to in ("p0@bench.example", "p1@bench.example"):
        relay.deliver(mail.MailResponse(From="star@bench.example", To=to, Subject="Board", Body="." * 2000))
routing.Router.RELOAD = False
server.SMTPReceiver("127.0.0.1", int(sys.argv[1])).start()
import threading, time
while True:
    time.sleep(3600)
"""


@contextmanager
def salmon(folder: Path, python: Path) -> Iterator[Peer]:
    script, port = folder / "salmon_app.py", free_port()
    script.write_text(_SALMON)
    with sink() as (out, letters), started([python, script, port, out], port) as root:
        yield Peer("salmon-mail", False, port, letters, 2, root)


@contextmanager
def started(words: list[object], port: int) -> Iterator[int]:
    """A program that listens there when it is ready; its process."""
    program = subprocess.Popen(
        [str(word) for word in words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        until(lambda: answers(port), f"answer of {words[0]}")
        yield program.pid
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGTERM)
        program.wait()


def answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


_LEAST = """
import email, smtplib, sys
found = email.message_from_binary_file(sys.stdin.buffer)
with smtplib.SMTP("127.0.0.1", %d) as relay:
    for to in ("p0@bench.example", "p1@bench.example"):
        relay.sendmail("star@bench.example", to, f"To: {to}\\r\\nSubject: Board {found['Subject'][:20]}\\r\\n\\r\\n" + "." * 2000)
"""


@contextmanager
def postfix(folder: Path, *, pipe: bool) -> Iterator[Peer]:
    """A Postfix of its own that starts a process for each mail, or puts it into a maildir."""
    from house import postfix_of

    place = folder / ("pipe" if pipe else "local")
    place.mkdir(mode=0o755)
    for above in (folder, place):
        above.chmod(0o755)
    with sink() as (out, letters):
        made = postfix_of(place, out)
        etc = place / "etc"
        script = place / "least.py"
        script.write_text(_LEAST % out)
        with (etc / "master.cf").open("a") as services:
            argv = f"/usr/bin/python3 {script}"
            services.write(f"least unix - n n - - pipe flags=R user=nobody argv={argv}\n")
        boxes = place / "boxes"
        boxes.mkdir()
        shutil.chown(boxes, "nobody", "nogroup")
        domain = world.ADDRESS.partition("@")[2]
        lines = [f"relay_domains = {domain}", f"transport_maps = inline:{{ {domain}=least: }}"]
        if not pipe:
            lines = [
                "relay_domains =",
                "transport_maps =",
                f"virtual_mailbox_domains = {domain}",
                f"virtual_mailbox_base = {boxes}",
                f"virtual_mailbox_maps = inline:{{ {world.ADDRESS}=star/ }}",
                "virtual_uid_maps = static:65534",
                "virtual_gid_maps = static:65534",
            ]
        lines += ["relay_recipient_maps =", "smtpd_data_restrictions ="]
        lines += ["virtual_minimum_uid = 100"]
        subprocess.run(["postconf", "-c", etc, "-e", *lines], check=True)
        try:
            made.start()
            root = int((made.queue / "pid" / "master.pid").read_text())
            if pipe:
                yield Peer("Postfix, a process a message", True, made.port, letters, 2, root)
            else:
                new = boxes / "star" / "new"
                count = lambda: sum(1 for _ in new.iterdir()) if new.is_dir() else 0  # noqa: E731
                yield Peer("Postfix into a maildir", True, made.port, count, 1, root)
        finally:
            made.stop()


@contextmanager
def mailman(folder: Path, programs: Path) -> Iterator[Peer]:
    """Mailman 3, with a list of two members."""
    home, lmtp = folder / "mailman", free_port()
    home.mkdir()
    with sink() as (out, letters):
        config = home / "mailman.cfg"
        config.write_text(
            "[mailman]\nsite_owner: you@example.org\nlayout: here\n"
            f"[paths.here]\nvar_dir: {home}/var\n"
            f"[mta]\nlmtp_port: {lmtp}\nsmtp_port: {out}\nincoming: mailman.mta.null.NullMTA\n"
            f"[webservice]\nport: {free_port()}\n"
        )
        members = home / "members"
        members.write_text("p0@bench.example\np1@bench.example\n")

        def run(*words: object) -> None:
            command = [programs / "mailman", "--run-as-root", "-C", config, *words]
            subprocess.run(
                [str(word) for word in command],
                check=True,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=home,
            )

        run("create", "-d", world.ADDRESS)
        run("addmembers", "-W", members, world.ADDRESS)
        words = [programs / "master", "-C", config]
        with started(words, lmtp) as root:
            yield Peer("Mailman 3", True, lmtp, letters, 1, root, "LHLO")


def figures(folder: Path, mails: int, salmon_python: str, mailman_programs: str) -> Iterator[Line]:
    """Yield a line for each peer that can run here."""
    contenders: list[Callable[[], object]] = [
        lambda: ours(folder, "off"),
        lambda: ours(folder, "on"),
        lambda: postfix(folder, pipe=False),
        lambda: postfix(folder, pipe=True),
    ]
    if salmon_python:
        contenders.append(lambda: salmon(folder, Path(salmon_python)))
    if mailman_programs:
        contenders.append(lambda: mailman(folder, Path(mailman_programs)))
    for contender in contenders:
        with ExitStack() as opened:
            peer: Peer = opened.enter_context(contender())  # type: ignore[arg-type]
            yield measured(peer, mails)


def measured(peer: Peer, mails: int) -> Line:
    """Send the mails, wait until all has come through, and say what it took."""
    per = mails // SESSIONS
    work = [world.mails(1 + n, n % peer.pairs, per) for n in range(SESSIONS)]
    before, began = used(peer.root), time.perf_counter()
    accepted = load.run(peer.port, world.ADDRESS, work, hello=peer.hello)
    most, last, at = memory(peer.root), -1, time.perf_counter()
    while (now := peer.delivered()) < mails * peer.each:
        if now != last:
            last, at = now, time.perf_counter()
        if time.perf_counter() - at > PATIENCE:
            break
        most = max(most, memory(peer.root))
        time.sleep(0.2)
    seconds = time.perf_counter() - began
    through = min(peer.delivered() / peer.each, mails)
    spent = 1000 * (used(peer.root) - before) / mails
    lost = f", {mails - through:.0f} never" if through < mails else ""
    keeps = "" if peer.keeps else " (keeps nothing)"
    return (
        f"{peer.name}{keeps}",
        f"{accepted.rate:.0f}/s accepted, {through / seconds:.0f}/s delivered{lost}",
        f"{spent:.1f} ms of processor time a message, {most:.0f} MiB",
    )
