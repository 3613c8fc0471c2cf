"""kill -9 of a delivering process, at each step of its work and at random ones."""

from __future__ import annotations

import os
import random
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.ready import Run, ready
from harness.server import until
from harness.sink import Sink, Taken
from letters import Outbox, text

pytestmark = pytest.mark.slow
LETTERS = 150


@pytest.fixture
def outbox(database: str) -> Iterator[Outbox]:
    made = Outbox(database)
    yield made
    made.close()


def deliver(spool: Path, database: str, relay: str) -> Run:
    """Begin a pass in a process of its own."""
    words = ("--spool", str(spool), "--database", database, "--relay", relay, "deliver")
    return ready().hold(*words, environment=os.environ, folder=spool).go()


def ends(outbox: Outbox, spool: Path, relay: str) -> None:
    """Assert that passes which nobody kills send what is left.

    What a killed one has asked of PostgreSQL last may be done when the next one has begun already.
    """

    def is_done() -> bool:
        outbox.make_due()
        assert deliver(spool, outbox.url, relay).end().status == 0
        return outbox.waiting() == {}

    until(is_done, "end of delivery")


def all_there(letters: list[Taken]) -> None:
    """Every letter came, and whenever it came it was the same."""
    found: dict[str, set[tuple[str, bytes]]] = {}
    for each in letters:
        found.setdefault(each.message_id, set()).add((each.recipients[0], each.content))
    assert found == {
        f"<m{n}@pbm.example>": {(f"p{n}@home.example", text(n))} for n in range(1, LETTERS + 1)
    }


@pytest.mark.parametrize("pipelining", [True, False], ids=["pipelined", "stepwise"])
def test_killed_at_each_step(outbox: Outbox, tmp_path: Path, pipelining: bool) -> None:
    """CP13, CP14, CP15, CP16: killed at each step of SMTP, the next pass sends what is left."""
    outbox.add(*(f"p{n}@home.example" for n in range(1, LETTERS + 1)))
    victim: list[int] = []
    steps = ["mail", "rcpt", "data", "content", "dot", "after"]
    if pipelining:
        steps[:0] = ["connect", "ehlo"]
    when = {"number": 0}

    def kill() -> None:
        if victim:
            os.kill(victim.pop(), signal.SIGKILL)

    def rule(step: str, _count: int, _letter: Taken) -> str | None:
        if steps and step == steps[0]:
            when["number"] += 1
            if step in ("connect", "ehlo") or when["number"] == 5:
                kill()
        return None

    with Sink(rule, pipelining=pipelining) as sink:
        take = sink.take

        def take_and_kill(letter: Taken) -> None:
            take(letter)
            if steps and steps[0] == "after":  # taken, and the answer comes too late
                kill()

        sink.take = take_and_kill  # type: ignore[method-assign]
        while steps:
            when["number"] = 0
            process = deliver(tmp_path, outbox.url, sink.url)
            victim[:] = [process.pid]
            assert process.end().status == -signal.SIGKILL
            steps.pop(0)
            outbox.make_due()
        ends(outbox, tmp_path, sink.url)
        all_there(sink.letters)
        assert len(sink.letters) < LETTERS + 10 * 64


def test_killed_at_random(outbox: Outbox, tmp_path: Path) -> None:
    """CP16, CP17: ... also between the relay's answer and the mark, and while marking."""
    rng = random.Random(4)
    outbox.add(*(f"p{n}@home.example" for n in range(1, LETTERS + 1)))
    killed = 0
    with Sink(lambda *_: None) as sink:
        for _ in range(40):
            already = sink.count
            started = threading.Event()

            def rule(step: str, _n: int, _letter: Taken, told: threading.Event = started) -> None:
                if step == "connect":
                    told.set()

            sink.rule = rule
            process = deliver(tmp_path, outbox.url, sink.url)
            while not (started.wait(0.001) or process.poll() is not None):
                pass
            if started.is_set():
                threading.Event().wait(rng.uniform(0, 0.02))
                process.kill()
            killed += process.end().status == -signal.SIGKILL
            if not outbox.waiting():
                break
            assert sink.count >= already
            outbox.make_due()
        ends(outbox, tmp_path, sink.url)
        assert killed
        all_there(sink.letters)


def test_killed_while_writing_files(outbox: Outbox, tmp_path: Path) -> None:
    """A maildir gets one file a letter, however often its writer is killed."""
    rng = random.Random(1)
    outbox.add(*["all@home.example"] * LETTERS)
    mail = tmp_path / "mail"
    killed = 0
    for _ in range(40):
        before = len(list(mail.glob("*/new/*")))
        process = deliver(tmp_path, outbox.url, f"maildir:{mail}")
        goal = before + rng.randrange(1, 60)
        while process.poll() is None and len(list(mail.glob("*/new/*"))) < goal:
            pass
        process.kill()
        killed += process.end().status == -signal.SIGKILL
        if not outbox.waiting():
            break
        outbox.make_due()
    ends(outbox, tmp_path, f"maildir:{mail}")
    assert killed
    files = sorted((mail / "all@home.example" / "new").iterdir())
    assert [f.read_bytes() for f in files] == [
        text(n).replace(b"\r\n", b"\n") for n in range(1, LETTERS + 1)
    ]
