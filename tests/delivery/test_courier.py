"""The daemon's thread that delivers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.server import PATIENCE, until
from harness.sink import Sink, Taken
from letters import A, Outbox, Scripted, takes_all

from pbmstar.delivery import courier
from pbmstar.delivery.courier import Courier
from pbmstar.delivery.dispatch import lock_of
from pbmstar.delivery.relay import Letter
from pbmstar.delivery.smtp import Smarthost
from pbmstar.errors import TemporaryFailure
from pbmstar.machine import files
from pbmstar.machine.account import Account


@pytest.fixture
def thread(
    outbox: Outbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[..., Courier]]:
    made: list[Courier] = []

    def start(relay: Any, **constants: Any) -> Courier:
        for name, value in constants.items():
            monkeypatch.setattr(files if name == "POLL" else courier, name, value)
        outbox.now = time.time()
        made.append(Courier(tmp_path, outbox.submit, relay, outbox.trouble, lambda: outbox.now))
        made[-1].start()
        return made[-1]

    yield start
    for each in made:
        each.stop()


def test_woken(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """A wake makes it look at once; without one it looks now and then, for others' letters."""
    relay, idle = takes_all(), takes_all()
    started = thread(relay, POLL=60.0)
    for n in range(1, 4):
        outbox.add(A)
        started.wake()
        until(lambda n=n: len(relay.taken) == n)
    started.stop()
    thread(idle, POLL=0.02)
    outbox.add(A)
    until(lambda: idle.taken)


def test_waits_for_its_turn(outbox: Outbox, thread: Callable[..., Courier], tmp_path: Path) -> None:
    relay = takes_all()
    outbox.add(A)
    with files.hold(lock_of(tmp_path)):
        thread(relay, POLL=0.02).wake()
        time.sleep(0.1)
        assert relay.taken == []
    until(lambda: relay.taken)


def test_pauses_while_the_relay_is_down(
    outbox: Outbox, thread: Callable[..., Courier], caplog: pytest.LogCaptureFixture
) -> None:
    """O1: twice as long each time; wakes do not shorten it; after it all goes out."""
    relay = takes_all()
    relay.is_down = True
    outbox.add(A)
    started = thread(relay, POLL=0.01, PAUSES=(0.01, 0.08))
    for _ in range(50):
        started.wake()
    until(lambda: relay.opened >= 6)
    pauses = [vars(each)["facts"]["pause"] for each in caplog.records if each.name == "pbmstar"]
    assert pauses[:5] == [0.01, 0.02, 0.04, 0.08, 0.08]
    relay.is_down = False
    until(lambda: relay.taken)


def test_a_node_that_was_stopped_gives_its_letters_back(
    outbox: Outbox, thread: Callable[..., Courier]
) -> None:
    """It wakes with letters in hand, and its signs of life begin again before it looks at the clock."""
    outbox.add(A, A, A)
    made: list[Courier] = []
    is_made = threading.Event()  # the courier may send before we hold it

    def script(each: Letter) -> None:
        if each.id == 1:
            assert is_made.wait(60)
            made[0].go_on(-1.0)
            made[0].go_on(time.monotonic() + 600)

    relay = Scripted(script)
    made.append(thread(relay, POLL=60.0))
    is_made.set()
    until(lambda: outbox.waiting().keys() == {2, 3})
    assert relay.tried == [1]
    made[0].wake()
    until(lambda: not outbox.waiting())
    assert relay.tried == [1, 2, 3]


def test_survives_faults(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """A fault of ours, or of the database, does not end deliveries."""
    troubles = [RuntimeError("a bug"), TemporaryFailure("locked"), ValueError("another")]

    def script(_letter: Letter) -> None:
        if troubles:
            raise troubles.pop()

    relay = Scripted(script)
    outbox.add(A)
    thread(relay, POLL=0.01, PAUSES=(0.01, 0.01))
    until(lambda: relay.taken)


def test_relay_restarted(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """O1: a real server that goes away and comes back."""
    with Sink() as sink:
        port = sink.port
        started = thread(
            Smarthost(Account("smtp", "127.0.0.1", port), "x"), POLL=0.01, PAUSES=(0.02, 0.02)
        )
        outbox.add(A)
        started.wake()
        sink.wait(1)
    outbox.add(A)
    started.wake()
    with Sink(port=port) as sink:
        outbox.add(A)
        started.wake()
        sink.wait(2)
        assert [each.message_id[:3] for each in sink.letters] == ["<m2", "<m3"]


def test_stop_while_waiting(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """Neither a pause nor a silent relay keeps it from ending."""

    def silent(step: str, _count: int, _letter: Taken) -> str | None:
        return "stall" if step == "dot" else None

    with Sink(silent) as sink:
        outbox.add(A)
        started = thread(Smarthost(Account("smtp", "127.0.0.1", sink.port), "x"))
        until(lambda: sink.steps.get("dot"))
        began = time.monotonic()
        started.stop(patience=0.1)
        assert time.monotonic() - began < PATIENCE
    assert outbox.waiting()[1][0] == "new"
    relay = takes_all()
    relay.is_down = True
    started = thread(relay, PAUSES=(60.0, 60.0))
    until(lambda: relay.opened)
    started.stop()
    assert not any(each.name == "courier" for each in threading.enumerate())
