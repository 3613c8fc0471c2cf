"""From the outbox to a relay: what is claimed, marked, tried again, given up, and in which order."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from letters import DEAD, GREY, LATER, A, B, C, D, Outbox, Scripted, answers, takes_all

from pbmstar.delivery import dispatch as delivery
from pbmstar.delivery.dispatch import BATCH, TOGETHER, Delivery, Pass
from pbmstar.delivery.relay import Letter, Verdict
from pbmstar.errors import TemporaryFailure
from pbmstar.store import LANES, PLAYERS, STRANGERS, Tx

T = TypeVar("T")


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


def test_a_letter_that_cannot_be_written_is_given_up_after_six_tries(outbox: Outbox) -> None:
    """The reason is in itself: it is never tried for ever, and the operator hears of it."""
    (number,) = outbox.add(A)
    unwritten = Verdict("later", "cannot be written: KeyError", unwritten=True)
    sending, began = outbox.delivery(answers({1: unwritten})), outbox.now
    for tries in range(1, 6):
        assert sending.run_once() == Pass(later=1)
        assert outbox.tries() == {number: tries} and not outbox.refused
        outbox.now += outbox.waiting()[number][1]
    assert sending.run_once() == Pass(dead=1)
    state, _, why = outbox.waiting()[number]
    assert (state, why) == ("dead", f"given up after 6 tries: {unwritten.why}")
    assert outbox.refused == [number] and outbox.now - began < 6 * 3600


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


def test_made_due_by_hand_though_the_refused_letter_is_gone(outbox: Outbox) -> None:
    """O1: letters that wait behind one that was dropped since then are sent at the operator's word."""
    outbox.add(A, A, A)
    script = {1: GREY}
    sending = outbox.delivery(answers(script))
    assert sending.run_once() == Pass(later=3)
    with outbox.store.transaction() as tx:
        assert tx.outbox.drop(1)
    script.clear()
    with outbox.store.transaction() as tx:
        tx.outbox.revive(3, outbox.now)
    assert sending.run_once() == Pass(sent=1)
    assert [*outbox.waiting()] == [2]


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
    assert all(state == "new" and due == 0 for state, due, _ in outbox.waiting().values())
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
        future.set_exception(TemporaryFailure("database is locked"))
        return future

    sending = Delivery(submit, relay, "me", outbox.trouble, lambda: outbox.now)
    for _ in range(3):
        with pytest.raises(TemporaryFailure):
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
        assert tx.outbox.claim("me", outbox.now, outbox.now + 300, 64)
    assert outbox.delivery(takes_all(), "another").run_once() == Pass()
    assert outbox.delivery(takes_all(), "me").run_once() == Pass(sent=1)


@pytest.mark.parametrize(("seconds", "most"), [(0.3, 4), (0.001, TOGETHER)])
def test_what_was_sent_is_marked_within_a_second_and_by_the_dozen(
    outbox: Outbox, monkeypatch: pytest.MonkeyPatch, seconds: float, most: int
) -> None:
    """A process that is killed in the middle of a batch repeats few letters, at any speed of the relay."""
    batch = 96
    monkeypatch.setattr(delivery, "BATCH", batch)
    outbox.add(*[A] * (2 * batch))
    unmarked: list[int] = []

    def script(letter: Letter) -> None:
        known = [n for n, (state, _, _) in outbox.waiting().items() if state == "new"]
        unmarked.append(sum(n < letter.id for n in known))

    relay = Scripted(script)
    monkeypatch.setattr(time, "monotonic", lambda: seconds * len(relay.tried))
    assert outbox.delivery(relay).run_once() == Pass(sent=2 * batch)
    assert max(unmarked) <= most < batch < BATCH


def test_letters_of_a_process_that_is_killed_again_and_again_wait(outbox: Outbox) -> None:
    """Whatever it is that kills it: nobody gets hundreds of copies."""
    outbox.add(A)
    waited = []
    for _ in range(21):
        with outbox.store.transaction() as tx:
            assert tx.outbox.claim("me", outbox.now, outbox.now + 300, 64)
        with outbox.store.transaction() as tx:
            tx.outbox.recover("me", outbox.now)
        ((_, seconds, _),) = outbox.waiting().values()
        waited.append(seconds)
        outbox.now += max(seconds, 0)
    assert waited == [0] * 9 + [60] * 5 + [600] * 5 + [3600] * 2
    assert outbox.delivery(takes_all()).run_once() == Pass(sent=1)


def test_what_is_given_back_untried_has_not_been_tried(outbox: Outbox) -> None:
    outbox.add(A, B, C)
    relay = answers({2: "down"})
    assert outbox.delivery(relay).run_once().trouble
    assert outbox.tries() == {2: 1, 3: 0}


def test_players_go_first(outbox: Outbox) -> None:
    """Before whoever has no account; and a lane alone leaves the other's letters to it."""
    strangers = outbox.add(A, lane=STRANGERS)
    players = outbox.add(B, C)
    relay = takes_all()
    assert outbox.delivery(relay).run_once() == Pass(sent=3)
    assert relay.taken == players + strangers
    added = {STRANGERS: outbox.add(A, lane=STRANGERS), PLAYERS: outbox.add(B)}
    for lane in LANES:
        one = takes_all()
        Delivery(outbox.submit, one, "me", outbox.trouble, lambda: outbox.now, (lane,)).run_once()
        assert one.taken == added[lane]


@settings(
    max_examples=2 * settings.default.max_examples // 5,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
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
