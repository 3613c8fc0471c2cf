"""From the outbox to a relay: what is claimed, marked, tried again, given up, and in which order."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
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
from pbmstar.delivery.once import deliver_once
from pbmstar.delivery.outbox import Delivery, Pass
from pbmstar.delivery.relay import Verdict
from pbmstar.delivery.smtp import Smarthost
from pbmstar.delivery.turn import turn
from pbmstar.errors import Passing
from pbmstar.store import Letter, Tx

T = TypeVar("T")
LATER = Verdict("later", "451 4.2.0 not now")
GREY = Verdict("later", "450 4.2.0 greylisted", recipient=True)
DEAD = Verdict("dead", "550 5.1.1 no such user")
A, B, C, D = (f"{name}@x.example" for name in "abcd")


@pytest.fixture
def outbox(database: str) -> Iterator[Outbox]:
    made = Outbox(database)
    yield made
    made.close()


def answers(script: dict[int, Any]) -> Scripted:
    """A relay that says this of the letters of these numbers, and takes all others."""
    return Scripted(lambda letter: script.get(letter.id))


def takes_all() -> Scripted:
    return answers({})


def test_all_that_is_due_goes_out_in_order(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery, "BATCH", 20)
    outbox.add(*(f"p{n}@home.example" for n in range(67)))
    relay = takes_all()
    assert outbox.delivery(relay).run_once() == Pass(sent=67)
    assert relay.tried == list(range(1, 68)) and outbox.waiting() == {}
    assert outbox.delivery(relay).run_once() == Pass()


def test_next_batch_is_claimed_while_the_last_letters_are_sent(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """CP13: the line is cut on a batch's last letter: no other letter of it is sent a second time, and
    what was claimed ahead goes out too. A stop gives back what was claimed ahead."""
    monkeypatch.setattr(delivery, "BATCH", 3)
    outbox.add(*(f"p{n}@home.example" for n in range(8)))
    cuts = ["cut"]
    relay = Scripted(lambda letter: cuts.pop() if letter.id == 3 and cuts else None)
    assert outbox.delivery(relay).run_once(lambda: len(relay.tried) > 6) == Pass(sent=6)
    assert relay.taken == [1, 2, 3, 4, 5, 6] and relay.tried == [1, 2, 3, *relay.taken[2:]]
    assert outbox.delivery(relay, "another").run_once() == Pass(sent=2)


@pytest.mark.parametrize(
    ("addresses", "script", "done", "tried", "waiting"),
    [
        # O1: 4xx is tried again after a while, 5xx is dead and to be seen; the others are sent.
        ([A, B, C, D], {2: LATER, 3: DEAD}, Pass(2, 1, 1), [1, 2, 3, 4],
         {2: ("new", 60, LATER.why), 3: ("dead", 0, DEAD.why)}),
        # O1: greylisting: later letters to the same recipient wait behind the first.
        ([A, B, A, B], {1: GREY}, Pass(2, 2), [1, 2, 4],
         {1: ("new", 60, GREY.why), 3: ("new", 60, "waits behind an earlier letter")}),
        # O1: what is refused for its content is that letter's own trouble.
        ([A, A, A], {1: LATER}, Pass(2, 1), [1, 2, 3], {1: ("new", 60, LATER.why)}),
    ],
    ids=["refused", "greylisted", "content"],
)  # fmt: skip
def test_one_pass(
    outbox: Outbox,
    addresses: list[str],
    script: dict[int, Verdict],
    done: Pass,
    tried: list[int],
    waiting: dict[int, tuple[str, int, str]],
) -> None:
    outbox.add(*addresses)
    relay = answers(script)
    assert outbox.delivery(relay).run_once() == done
    assert relay.tried == tried
    states = outbox.waiting()
    assert {n: (s, d if s == "new" else 0, why) for n, (s, d, why) in states.items()} == waiting


def test_delays_grow(outbox: Outbox) -> None:
    """O1: 1, 5, 15 minutes, 1 hour, then every 4 hours; given up after five days."""
    outbox.add(A)
    sending, began, delays = outbox.delivery(answers({1: LATER})), outbox.now, []
    while (done := sending.run_once()) == Pass(later=1):
        delay = outbox.waiting()[1][1]
        delays.append(delay // 60)
        outbox.now += delay - 1
        assert sending.run_once() == Pass()
        outbox.now += 1
    assert delays[:7] == [1, 5, 15, 60, 240, 240, 240]
    assert done.dead and 5 <= (outbox.now - began) / 86400 < 5.2
    assert outbox.waiting()[1][0] == "dead" and LATER.why in outbox.waiting()[1][2]


def test_recipient_that_is_not_taken_now(outbox: Outbox) -> None:
    """O1: what comes for a greylisted recipient waits as well, and goes out in order after it."""
    outbox.add(A, B, A, B)
    script = {1: GREY}
    relay = answers(script)
    sending = outbox.delivery(relay)
    sending.run_once()
    outbox.now += 30
    outbox.add(A)
    assert sending.run_once() == Pass(later=1)
    outbox.now += 31
    script.clear()
    assert sending.run_once() == Pass(sent=3)
    *before, last = relay.taken
    assert before == [2, 4, 1, 3] and last > 4  # PostgreSQL's numbers have gaps


def test_only_what_was_tried_counts_a_try(outbox: Outbox) -> None:
    """O1: not what waits behind another letter, nor what was given back when the relay went away."""
    outbox.add(A, A, B, C, D)
    script: dict[int, Any] = {1: GREY, 3: LATER, 4: "cut"}
    sending = outbox.delivery(answers(script))
    for tries, pause in ((1, 61), (2, 301)):
        assert sending.run_once().trouble
        assert outbox.tries() == {1: tries, 2: 0, 3: tries, 4: tries, 5: 0}
        outbox.now += pause
    script.clear()
    assert sending.run_once() == Pass(sent=5)


def test_recipient_that_is_taken_again_in_the_same_pass(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    """O1: a pass may be long; who has waited enough is tried."""
    monkeypatch.setattr(delivery, "BATCH", 3)
    outbox.add(A, B, A)

    def script(letter: Letter) -> Verdict | None:
        if letter.id == 2:
            outbox.now += 100
        return GREY if letter.id == 1 else None

    relay = Scripted(script)
    assert outbox.delivery(relay).run_once() == Pass(sent=2, later=2)
    assert relay.tried == [1, 2, 3, 1]


def test_relay_down(outbox: Outbox) -> None:
    """O1: for a week: nothing is counted against the letters, their order stays, none is claimed."""
    outbox.add(A, B, C)
    relay = takes_all()
    sending = outbox.delivery(relay)
    for number in range(50):
        relay.is_down = number > 0
        relay.script = lambda _letter: "down"
        done = sending.run_once()
        assert done.sent == 0 and done.trouble
        outbox.now += 4 * 3600
    assert all(state == "new" and due < 0 for state, due, _ in outbox.waiting().values())
    relay.is_down, relay.script = False, lambda _letter: None
    assert sending.run_once() == Pass(sent=3)
    assert relay.taken == [1, 2, 3]


def test_relay_that_takes_few_letters_on_one_line(outbox: Outbox) -> None:
    """O1: asked again at once as long as it takes some."""
    outbox.add(*[A] * 20)
    relay = Scripted(lambda _letter: "cut" if len(relay.tried) % 4 == 0 else None)
    assert outbox.delivery(relay).run_once() == Pass(sent=20)
    assert relay.taken == list(range(1, 21))


def test_letter_that_cuts_the_line(outbox: Outbox) -> None:
    """O1: after three tries it waits on its own, and the others go out; alone, the relay is down."""
    outbox.add(A, B, C)
    sending = outbox.delivery(answers({1: "cut"}))
    assert sending.run_once().trouble and sending.run_once().trouble
    assert sending.run_once() == Pass(sent=2, later=1)
    assert outbox.waiting()[1][:2] == ("new", 900)
    outbox.now += 900
    for _ in range(6):  # with nothing to compare, it is the relay that is in trouble
        assert sending.run_once().trouble
    assert outbox.waiting()[1][0] == "new"


def test_addresses_that_cannot_be_sent_to(outbox: Outbox) -> None:
    """A word that SMTP would read as more than one never reaches it."""
    outbox.add("a@b\r\nRCPT TO:<v@w>", "a b@c", "a@b>", "<a@b", " ", "ab", "\u00e9@b", A)
    relay = takes_all()
    assert outbox.delivery(relay).run_once() == Pass(sent=1, dead=7)
    assert relay.taken == [8]


def test_stop(outbox: Outbox) -> None:
    """The letter under way is sent and marked; the rest is given back at once."""
    outbox.add(*[A] * 5)
    relay = takes_all()
    assert outbox.delivery(relay).run_once(lambda: len(relay.tried) == 2) == Pass(sent=2)
    assert {n: due for n, (_, due, _) in outbox.waiting().items()} == {3: 0, 4: 0, 5: 0}
    assert outbox.delivery(takes_all(), "another").run_once() == Pass(sent=3)


def test_interrupt(outbox: Outbox) -> None:
    """Broken off from outside, what was sent is marked all the same."""
    outbox.add(A, B, C)

    def script(letter: Letter) -> None:
        if letter.id == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outbox.delivery(Scripted(script)).run_once()
    assert list(outbox.waiting()) == [2, 3]
    assert outbox.delivery(takes_all(), "another").run_once() == Pass(sent=2)


def test_database_down_after_sending(outbox: Outbox) -> None:
    """CP16: what was sent and could not be marked is not sent a second time by this process."""
    outbox.add(A, B)
    relay, locked = takes_all(), True

    def submit(job: Callable[[Tx], T], /) -> Future[T]:
        if not (relay.taken and locked):
            return outbox.submit(job)
        future: Future[T] = Future()
        future.set_exception(Passing("database is locked"))
        return future

    sending = Delivery(submit, relay, "me", outbox.trouble, lambda: outbox.now)
    for _ in range(3):
        with pytest.raises(Passing):
            sending.run_once()
    locked = False
    assert sending.run_once() == Pass(sent=2)
    assert relay.taken == [1, 2]


def test_slow_relay_and_the_lease(outbox: Outbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """CP18: a batch is not gone on with when the claim on it may run out."""
    outbox.add(A, B, C, D)
    relay = takes_all()
    monkeypatch.setattr(time, "monotonic", lambda: 100.0 * len(relay.tried))
    assert outbox.delivery(relay).run_once() == Pass(sent=4)
    assert relay.taken == [1, 2, 3, 4] and relay.opened > 1


def test_killed_process_is_followed_by_the_next(outbox: Outbox) -> None:
    """CP13: the next process of the same spool has the claimed letters back at once."""
    outbox.add(A)
    with outbox.store.transaction() as tx:
        assert tx.claim("me", outbox.now, outbox.now + 300, 64)
    assert outbox.delivery(takes_all(), "another").run_once() == Pass()
    assert outbox.delivery(takes_all(), "me").run_once() == Pass(sent=1)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    addresses=st.lists(st.sampled_from([A, B, C]), min_size=1, max_size=8),
    script=st.lists(st.sampled_from([None] * 3 + [LATER, GREY, DEAD, "cut", "down"]), max_size=20),
    restarts=st.sets(st.integers(0, 30)),
)
def test_no_letter_is_lost(
    outbox: Outbox, addresses: list[str], script: list[Any], restarts: set[int]
) -> None:
    """O1: whatever the relay says, every letter ends as sent or dead, and sent means taken."""
    added = set(outbox.add(*addresses))
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


def test_deliver_once(outbox: Outbox, database: str, tmp_path: Path) -> None:
    """The command's pass; while another process delivers it does nothing and says so."""
    outbox.add("alice@home.example")
    loaded = config.load({"spool": str(tmp_path), "database": database}, {})
    with turn(tmp_path) as owner, turn(tmp_path) as other:
        assert owner and other is None
        assert deliver_once(loaded, outbox.store, outbox.trouble) == Pass(busy=True)
    assert deliver_once(loaded, outbox.store, outbox.trouble) == Pass(sent=1)
    with turn(tmp_path) as again:
        assert again == owner
    assert len(list((tmp_path / "mail" / "alice@home.example" / "new").iterdir())) == 1
    assert str(Pass(1, 2, 3)) == "1 letters sent, 2 to be tried again, 3 refused"
    assert "Another process" in str(Pass(busy=True))


def test_a_letter_that_comes_while_deliver_ends_is_sent(
    outbox: Outbox, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever brought it has found the lock held, and is gone."""
    outbox.add("alice@home.example")
    loaded = config.load({"spool": str(tmp_path), "database": database}, {})
    run_once, late = Delivery.run_once, ["bob@home.example"]

    def and_another(delivery: Delivery) -> Pass:
        done = run_once(delivery)
        with turn(tmp_path) as other:
            assert other is None
        outbox.add(*late)
        late.clear()
        return done

    monkeypatch.setattr(Delivery, "run_once", and_another)
    assert deliver_once(loaded, outbox.store, outbox.trouble) == Pass(sent=2)
    assert outbox.waiting() == {}


def test_what_is_logged(outbox: Outbox, caplog: pytest.LogCaptureFixture) -> None:
    """Ids that can be looked up, and codes; no address, not even in the relay's words."""
    outbox.add("alice@home.example")
    refusal = Verdict("dead", "550 5.1.1 <alice@home.example>: unknown")
    with caplog.at_level(logging.INFO):
        outbox.delivery(answers({1: refusal})).run_once()
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
        made.append(
            Courier(tmp_path, outbox.submit, relay, outbox.trouble, lambda: outbox.now, **more)
        )
        made[-1].start()
        return made[-1]

    yield start
    for each in made:
        each.stop()


def until(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_woken(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """A wake makes it look at once; without one it looks now and then, for others' letters."""
    relay, idle = takes_all(), takes_all()
    started = thread(relay, poll=60.0)
    until(started._thread.is_alive)
    for n in range(1, 4):
        outbox.add(A)
        started.wake()
        until(lambda n=n: len(relay.taken) == n)
    started.stop()
    thread(idle, poll=0.02)
    outbox.add(A)
    until(lambda: idle.taken)


def test_waits_for_its_turn(outbox: Outbox, thread: Callable[..., Courier], tmp_path: Path) -> None:
    relay = takes_all()
    outbox.add(A)
    with turn(tmp_path):
        thread(relay, poll=0.02).wake()
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
    troubles = [RuntimeError("a bug"), Passing("locked"), ValueError("another")]

    def script(_letter: Letter) -> None:
        if troubles:
            raise troubles.pop()

    relay = Scripted(script)
    outbox.add(A)
    thread(relay, poll=0.01, pauses=(0.01, 0.01))
    until(lambda: relay.taken)


def test_relay_restarted(outbox: Outbox, thread: Callable[..., Courier]) -> None:
    """O1: a real server that goes away and comes back."""
    with Sink() as sink:
        port = sink.port
        started = thread(Smarthost("127.0.0.1", port, "x"), poll=0.01, pauses=(0.02, 0.02))
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
        started = thread(Smarthost("127.0.0.1", sink.port, "x"))
        until(lambda: sink.steps.get("dot"))
        began = time.monotonic()
        started.stop(patience=0.1)
        assert time.monotonic() - began < 10
    assert outbox.waiting()[1][0] == "new"
    relay = takes_all()
    relay.is_down = True
    started = thread(relay, pauses=(60.0, 60.0))
    until(lambda: relay.opened)
    started.stop()
    assert not any(each.name == "courier" for each in threading.enumerate())
