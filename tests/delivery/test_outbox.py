"""From the outbox to a relay: what is claimed, marked, tried again, given up, and in which order."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest
from harness.sink import Sink, Taken
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from letters import Outbox, Scripted

from pbmstar import config
from pbmstar.delivery import courier
from pbmstar.delivery import outbox as delivery
from pbmstar.delivery.courier import Courier
from pbmstar.delivery.outbox import Delivery, Pass, deliver_once, turn
from pbmstar.delivery.relay import Verdict
from pbmstar.errors import Passing
from pbmstar.store import Letter, Tx

T = TypeVar("T")
LATER = Verdict("later", "451 4.2.0 not now")
GREY = Verdict("later", "450 4.2.0 greylisted", recipient=True)
DEAD = Verdict("dead", "550 5.1.1 no such user")


@pytest.fixture
def outbox(database: str) -> Iterator[Outbox]:
    made = Outbox(database)
    yield made
    made.close()


def test_all_that_is_due_goes_out_in_order(outbox: Outbox) -> None:
    for _ in range(3 * delivery.BATCH + 7):
        outbox.add()
    relay = Scripted(lambda _letter: None)
    done = outbox.delivery(relay).run_once()
    assert done == Pass(sent=outbox.count)
    assert relay.tried == sorted(relay.tried) == list(range(1, outbox.count + 1))
    assert outbox.waiting() == {}
    assert outbox.delivery(relay).run_once() == Pass()


def test_refused_letters(outbox: Outbox) -> None:
    """O1: 4xx is tried again after a while, 5xx is dead and to be seen; the others are sent."""
    for _ in range(4):
        outbox.add()
    relay = Scripted(lambda letter: {2: LATER, 3: DEAD}.get(letter.id))
    assert outbox.delivery(relay).run_once() == Pass(sent=2, later=1, dead=1)
    waiting = outbox.waiting()
    assert waiting[2] == ("new", 60, LATER.why)
    assert (waiting[3][0], waiting[3][2]) == ("dead", DEAD.why)
    assert list(waiting) == [2, 3]


def test_delays_grow(outbox: Outbox) -> None:
    """O1: 1, 5, 15 minutes, 1 hour, then every 4 hours; given up after five days."""
    outbox.add()
    relay = Scripted(lambda _letter: LATER)
    sending, began, delays = outbox.delivery(relay), outbox.now, []
    while True:
        done = sending.run_once()
        if done.dead:
            break
        assert done == Pass(later=1)
        _state, delay, _why = outbox.waiting()[1]
        delays.append(delay // 60)
        outbox.now += delay - 1
        assert sending.run_once() == Pass()
        outbox.now += 1
    assert delays[:7] == [1, 5, 15, 60, 240, 240, 240]
    assert 5 <= (outbox.now - began) / 86400 < 5.2
    assert outbox.waiting()[1][0] == "dead"
    assert LATER.why in outbox.waiting()[1][2]


def test_recipient_that_is_not_taken_now(outbox: Outbox) -> None:
    """O1: greylisting: later letters to the same recipient wait behind the first, in order."""
    for address in ("a@x.example", "b@x.example", "a@x.example", "b@x.example"):
        outbox.add(address)
    script: dict[int, Verdict] = {1: GREY}
    relay = Scripted(lambda letter: script.get(letter.id))
    sending = outbox.delivery(relay)
    assert sending.run_once() == Pass(sent=2, later=2)
    assert relay.tried == [1, 2, 4]
    assert {n: (state, due) for n, (state, due, _) in outbox.waiting().items()} == {
        1: ("new", 60),
        3: ("new", 60),
    }
    outbox.now += 30
    outbox.add("a@x.example")
    assert sending.run_once() == Pass(later=1)
    outbox.now += 31
    script.clear()
    assert sending.run_once() == Pass(sent=3)
    assert relay.taken == [2, 4, 1, 3, 5]


def test_only_what_was_tried_counts_a_try(outbox: Outbox) -> None:
    """O1: not what waits behind another letter, nor what was given back when the relay went away."""
    for address in ("a@x.example", "a@x.example", "b@x.example", "c@x.example", "d@x.example"):
        outbox.add(address)
    script: dict[int, Verdict | str] = {1: GREY, 3: LATER, 4: "cut"}
    sending = outbox.delivery(Scripted(lambda letter: script.get(letter.id)))
    assert sending.run_once().trouble
    assert outbox.tries() == {1: 1, 2: 0, 3: 1, 4: 1, 5: 0}
    outbox.now += 61
    assert sending.run_once().trouble
    assert outbox.tries() == {1: 2, 2: 0, 3: 2, 4: 2, 5: 0}
    script.clear()
    outbox.now += 301
    assert sending.run_once() == Pass(sent=5)


def test_recipient_that_is_taken_again_in_the_same_pass(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O1: a pass may be long; who has waited enough is tried."""
    monkeypatch.setattr(delivery, "BATCH", 3)
    for address in ("a@x.example", "b@x.example", "a@x.example"):
        outbox.add(address)

    def script(letter: Letter) -> Verdict | None:
        if letter.id == 2:
            outbox.now += 100
        return GREY if letter.id == 1 else None

    relay = Scripted(script)
    assert outbox.delivery(relay).run_once() == Pass(sent=2, later=2)
    assert relay.tried == [1, 2, 3, 1]


def test_refused_letter_does_not_hold_up_its_recipient(outbox: Outbox) -> None:
    """O1: what is refused for its content is that letter's own trouble."""
    for _ in range(3):
        outbox.add("a@x.example")
    relay = Scripted(lambda letter: LATER if letter.id == 1 else None)
    assert outbox.delivery(relay).run_once() == Pass(sent=2, later=1)
    assert relay.taken == [2, 3]


def test_relay_down(outbox: Outbox) -> None:
    """O1: nothing is counted against the letters, their order stays, and nothing is claimed."""
    for _ in range(3):
        outbox.add()
    relay = Scripted(lambda _letter: None)
    relay.is_down = True
    sending = outbox.delivery(relay)
    for _ in range(50):
        done = sending.run_once()
        assert (done.sent, done.trouble) == (0, "nobody answers")
        outbox.now += 300
    assert all(state == "new" and due < 0 for state, due, _ in outbox.waiting().values())
    relay.is_down = False
    assert sending.run_once() == Pass(sent=3)
    assert relay.taken == [1, 2, 3]


def test_relay_down_for_a_week(outbox: Outbox) -> None:
    """O1: no letter dies because nobody could take it."""
    outbox.add()
    relay = Scripted(lambda _letter: "down")
    sending = outbox.delivery(relay)
    for _ in range(60):
        assert sending.run_once().trouble
        outbox.now += 3 * 3600
        relay.is_down = False
    relay.script = lambda _letter: None
    assert sending.run_once() == Pass(sent=1)


def test_relay_that_takes_few_letters_on_one_line(outbox: Outbox) -> None:
    """O1: asked again at once as long as it takes some."""
    for _ in range(20):
        outbox.add()
    seen: list[int] = []

    def script(letter: Letter) -> str | None:
        seen.append(letter.id)
        return "cut" if len(seen) % 4 == 0 else None

    relay = Scripted(script)
    assert outbox.delivery(relay).run_once() == Pass(sent=20)
    assert relay.taken == list(range(1, 21))


def test_letter_that_cuts_the_line(outbox: Outbox) -> None:
    """O1: after three tries it waits on its own, and the others go out."""
    for _ in range(3):
        outbox.add()
    relay = Scripted(lambda letter: "cut" if letter.id == 1 else None)
    sending = outbox.delivery(relay)
    assert sending.run_once().trouble
    assert sending.run_once().trouble
    assert sending.run_once() == Pass(sent=2, later=1)
    assert outbox.waiting()[1][:2] == ("new", 900)


def test_letter_that_cuts_the_line_alone(outbox: Outbox) -> None:
    """O1: with nothing to compare, it is the relay that is in trouble."""
    outbox.add()
    relay = Scripted(lambda _letter: "cut")
    sending = outbox.delivery(relay)
    for _ in range(6):
        assert sending.run_once().trouble
        assert len(relay.tried) < 20
    assert outbox.waiting()[1][0] == "new"


def test_addresses_that_cannot_be_sent_to(outbox: Outbox) -> None:
    """A word that SMTP would read as more than one never reaches it."""
    for address in ("a@b\r\nRCPT TO:<v@w>", "a b@c", "a@b>", "<a@b", " ", "ab", "\u00e9@b"):
        outbox.add(address)
    outbox.add("fine@home.example")
    relay = Scripted(lambda _letter: None)
    assert outbox.delivery(relay).run_once() == Pass(sent=1, dead=7)
    assert relay.taken == [outbox.count]


def test_stop(outbox: Outbox) -> None:
    """The letter under way is sent and marked; the rest is given back at once."""
    for _ in range(5):
        outbox.add()
    stopping: list[bool] = []
    relay = Scripted(lambda letter: stopping.append(True) if letter.id == 2 else None)
    done = outbox.delivery(relay).run_once(lambda: bool(stopping))
    assert done == Pass(sent=2)
    assert {n: due for n, (_, due, _) in outbox.waiting().items()} == {3: 0, 4: 0, 5: 0}
    assert outbox.delivery(Scripted(lambda _: None), "another").run_once() == Pass(sent=3)


def test_interrupt(outbox: Outbox) -> None:
    """Broken off from outside, what was sent is marked all the same."""
    for _ in range(3):
        outbox.add()

    def script(letter: Letter) -> None:
        if letter.id == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outbox.delivery(Scripted(script)).run_once()
    assert list(outbox.waiting()) == [2, 3]
    assert outbox.delivery(Scripted(lambda _: None), "another").run_once() == Pass(sent=2)


def test_database_down_after_sending(outbox: Outbox) -> None:
    """CP16: what was sent and could not be marked is not sent a second time by this process."""
    for _ in range(2):
        outbox.add()
    relay = Scripted(lambda _letter: None)
    broken: list[int] = []

    def transact(job: Callable[[Tx], T], /) -> T:
        if relay.taken and len(broken) < 3:
            broken.append(1)
            raise Passing("database is locked")
        return outbox.transact(job)

    sending = Delivery(transact, relay, "me", outbox.refuse, lambda: outbox.now)
    for _ in range(3):
        with pytest.raises(Passing):
            sending.run_once()
    assert sending.run_once() == Pass(sent=2)
    assert relay.taken == [1, 2]


def test_slow_relay_and_the_lease(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """CP18: a batch is not gone on with when the claim on it may run out."""
    for _ in range(4):
        outbox.add()
    clock = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    def slow(_letter: Letter) -> None:
        clock[0] += 100

    relay = Scripted(slow)
    assert outbox.delivery(relay).run_once() == Pass(sent=4)
    assert relay.taken == [1, 2, 3, 4]
    assert relay.opened > 1


def test_killed_process_is_followed_by_the_next(outbox: Outbox) -> None:
    """CP13: the next process of the same spool has the claimed letters back at once."""
    outbox.add()
    with outbox.store.transaction() as tx:
        assert tx.claim("me", outbox.now, outbox.now + 300, 64)
    relay = Scripted(lambda _: None)
    assert outbox.delivery(relay, "another").run_once() == Pass()
    assert outbox.delivery(relay, "me").run_once() == Pass(sent=1)


_TOLD = st.sampled_from([None, None, None, LATER, GREY, DEAD, "cut", "down"])


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    addresses=st.lists(st.sampled_from("abc"), min_size=1, max_size=8),
    script=st.lists(_TOLD, max_size=20),
    restarts=st.sets(st.integers(0, 30)),
)
def test_no_letter_is_lost(
    outbox: Outbox, addresses: list[str], script: list[Any], restarts: set[int]
) -> None:
    """O1: whatever the relay says, every letter ends as sent or dead, and sent means taken."""
    added = {outbox.add(f"{name}@x.example") for name in addresses}
    relay = Scripted(lambda _letter: script.pop() if script else None)
    sending = outbox.delivery(relay)
    for number in range(100):
        sending.run_once()
        relay.is_down = False
        if number in restarts:
            sending = outbox.delivery(relay)  # killed and begun again
        outbox.now += 15000
        if not any(state == "new" for state, _, _ in outbox.waiting().values()):
            break
    states = {n: state for n, (state, _, _) in outbox.waiting().items() if n in added}
    assert set(states.values()) <= {"dead"}
    assert added - set(states) == set(relay.taken)
    assert len(relay.taken) == len(set(relay.taken))


# -- whose turn it is


def test_one_process_at_a_time(tmp_path: Path) -> None:
    with turn(tmp_path) as owner:
        assert owner
        with turn(tmp_path) as other:
            assert other is None
    with turn(tmp_path) as again:
        assert again == owner


def test_deliver_once(outbox: Outbox, database: str, tmp_path: Path) -> None:
    """The command's pass; while another process delivers it does nothing and says so."""
    outbox.add("alice@home.example")
    loaded = config.load({"spool": str(tmp_path), "database": database}, {})
    with turn(tmp_path):
        assert deliver_once(loaded, outbox.store, outbox.refuse) == Pass(busy=True)
    assert deliver_once(loaded, outbox.store, outbox.refuse) == Pass(sent=1)
    assert len(list((tmp_path / "mail" / "alice@home.example" / "new").iterdir())) == 1
    assert str(Pass(1, 2, 3)) == "1 letters sent, 2 to be tried again, 3 refused"
    assert "Another process" in str(Pass(busy=True))


def test_what_is_logged(outbox: Outbox, caplog: pytest.LogCaptureFixture) -> None:
    """Ids that can be looked up, and codes; no address, not even in the relay's words."""
    outbox.add("alice@home.example")
    said = Verdict("dead", "550 5.1.1 <alice@home.example>: unknown")
    with caplog.at_level(logging.INFO):
        outbox.delivery(Scripted(lambda _: said)).run_once()
    (record,) = [each for each in caplog.records if each.name == "pbmstar"]
    facts: Any = vars(record)["facts"]
    assert facts["code"] == "550 5.1.1" and facts["message_id"] == "<m1@pbm.example>"
    assert "alice" not in str(facts)


# -- the daemon's thread


@pytest.fixture
def thread(outbox: Outbox, tmp_path: Path) -> Iterator[Callable[..., Courier]]:
    made: list[Courier] = []

    def start(relay: Any, **more: Any) -> Courier:
        outbox.now = time.time()
        started = Courier(
            tmp_path, outbox.transact, relay, outbox.refuse, lambda: outbox.now, **more
        )
        made.append(started)
        started.start()
        return started

    yield start
    for each in made:
        each.stop()


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_woken(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """A wake makes it look at once; without one it looks now and then."""
    relay = Scripted(lambda _: None)
    started = thread(relay, poll=60.0)
    until(started._thread.is_alive)
    for n in range(1, 4):
        outbox.add()
        started.wake()
        until(lambda n=n: len(relay.taken) == n)


def test_letters_of_other_processes(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    relay = Scripted(lambda _: None)
    thread(relay, poll=0.02)
    outbox.add()
    until(lambda: relay.taken)


def test_waits_for_its_turn(outbox: Outbox, thread: Callable[..., Courier], tmp_path: Path) -> None:
    relay = Scripted(lambda _: None)
    outbox.add()
    with turn(tmp_path):
        started = thread(relay, poll=0.02)
        started.wake()
        time.sleep(0.1)
        assert relay.taken == []
    until(lambda: relay.taken)


def test_pauses_while_the_relay_is_down(
    outbox: Outbox, thread: Callable[..., Courier], caplog: pytest.LogCaptureFixture
) -> None:
    """O1: twice as long each time; wakes do not shorten it; after it all goes out."""
    relay = Scripted(lambda _: None)
    relay.is_down = True
    outbox.add()
    started = thread(relay, poll=0.01, pauses=(0.01, 0.08))
    for _ in range(50):
        started.wake()
    until(lambda: relay.opened >= 6)
    pauses = [vars(each)["facts"]["pause"] for each in caplog.records if each.name == "pbmstar"]
    assert pauses[:5] == [0.01, 0.02, 0.04, 0.08, 0.08]
    relay.is_down = False
    until(lambda: relay.taken)
    assert courier.PAUSES == (2.0, 300.0)


def test_survives_faults(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """A fault of ours, or of the database, does not end deliveries."""
    troubles: list[Exception] = [RuntimeError("a bug"), Passing("locked"), ValueError("another")]

    def script(_letter: Letter) -> None:
        if troubles:
            raise troubles.pop()

    relay = Scripted(script)
    outbox.add()
    thread(relay, poll=0.01, pauses=(0.01, 0.01))
    until(lambda: relay.taken)


def test_relay_restarted(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """O1: a real server that goes away and comes back."""
    from pbmstar.delivery.smtp import Smarthost

    with Sink() as sink:
        port = sink.port
        started = thread(Smarthost("127.0.0.1", port, "x"), poll=0.01, pauses=(0.02, 0.02))
        outbox.add()
        started.wake()
        sink.wait(1)
    outbox.add()
    started.wake()
    with Sink(port=port) as sink:
        outbox.add()
        started.wake()
        sink.wait(2)
        assert [each.message_id for each in sink.letters] == [
            "<m2@pbm.example>",
            "<m3@pbm.example>",
        ]


def test_stop_while_waiting(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """Neither a pause nor a silent relay keeps it from ending."""
    from pbmstar.delivery.smtp import Smarthost

    def silent(step: str, _count: int, _letter: Taken) -> str | None:
        return "stall" if step == "dot" else None

    with Sink(silent) as sink:
        outbox.add()
        started = thread(Smarthost("127.0.0.1", sink.port, "x"))
        until(lambda: sink.steps.get("dot"))
        began = time.monotonic()
        started.stop(patience=0.1)
        assert time.monotonic() - began < 10
    assert outbox.waiting()[1][0] == "new"
    relay = Scripted(lambda _: None)
    relay.is_down = True
    started = thread(relay, pauses=(60.0, 60.0))
    until(lambda: relay.opened)
    started.stop()
    assert not any(each.name == "courier" for each in threading.enumerate())
