"""Several processes that send letters: each reader's order, and none is lost, whatever ends or fails."""

from __future__ import annotations

import itertools
import os
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from harness.server import children, until
from harness.sink import Sink, Taken
from letters import Outbox, letter, text

from pbmstar import config
from pbmstar.delivery import process
from pbmstar.delivery.dispatch import Pass
from pbmstar.delivery.process import CHUNK, LetterWriters
from pbmstar.delivery.relay import SENT, Letter, RelayDown

READERS = [f"p{n}@home.example" for n in range(1, 13)]
LETTERS = 20 * len(READERS)
Made = Callable[[Sink, int], LetterWriters]


@pytest.fixture
def writers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """A relay of so many processes that starts another one as soon as all have their hands full.

    The tests, in the daemon's place, may use all the processors that they like.
    """
    monkeypatch.setattr(process, "RUSH", 0.0)
    monkeypatch.setattr(process, "BUSY", float("inf"))
    made: list[LetterWriters] = []

    def make(sink: Sink, count: int) -> LetterWriters:
        keys = {"relay": sink.url, "spool": str(tmp_path), "delivery_processes": str(count)}
        made.append(LetterWriters(config.load(keys, {})))
        return made[-1]

    yield make
    for each in made:
        each.close()


def started(relay: LetterWriters, sink: Sink, count: int) -> LetterWriters:
    """The relay when so many processes are at work; the sink has forgotten what they have sent so far."""
    while sink.connections < count:
        relay.open()
        assert all(verdict == SENT for _, verdict in relay.send(_letters(count * 8 * CHUNK)))
        until(lambda: sink.connections >= len(children(os.getpid(), "delivery.process")))
    sink.letters.clear()
    sink.count = 0
    sink.steps.clear()
    return relay


def fill(outbox: Outbox) -> None:
    """Letters to all readers in turn."""
    outbox.add(*READERS * (LETTERS // len(READERS)))


def numbers(letters: list[Taken]) -> dict[str, list[int]]:
    """The numbers of each reader's letters, as they came; each as it was written."""
    found: dict[str, list[int]] = defaultdict(list)
    for each in letters:
        number = int(each.message_id[2:].partition("@")[0])
        assert each.content == text(number)
        found[each.recipients[0]].append(number)
    return found


def in_order() -> dict[str, list[int]]:
    """What ``numbers`` is if each letter came once."""
    return {who: [*range(n, LETTERS + 1, len(READERS))] for n, who in enumerate(READERS, 1)}


@pytest.mark.few(1)
@pytest.mark.parametrize("count", [2, 1, 3])
def test_each_process_has_a_connection_and_each_reader_the_order(
    count: int, database: str, writers: Made
) -> None:
    outbox = Outbox(database)
    fill(outbox)
    with Sink() as sink:
        relay = started(writers(sink, count), sink, count)
        assert outbox.delivery(relay).run_once() == Pass(sent=LETTERS)
        assert numbers(sink.letters) == in_order()
        assert sink.connections == count
    outbox.close()


def test_one_process_is_enough_for_a_few_letters(
    writers: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one takes as long to start as some hundred letters."""
    monkeypatch.setattr(process, "RUSH", 60.0)
    with Sink() as sink:
        relay = writers(sink, 4)
        relay.open()
        assert all(verdict == SENT for _, verdict in relay.send(_letters(5 * CHUNK)))
        assert sink.connections == len(children(os.getpid(), "delivery.process")) == 1


@pytest.mark.slow
def test_the_others_end_when_the_rush_is_over(
    writers: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Sink() as sink:
        relay = started(writers(sink, 2), sink, 2)
        first, other = sorted(children(os.getpid(), "delivery.process"))
        ours, *theirs = (os.getpriority(os.PRIO_PROCESS, each) for each in (0, first, other))
        assert theirs[0] == ours < theirs[1]  # incoming mail goes before a backlog
        monkeypatch.setattr(process, "LASTS", 0.0)
        relay.open()
        assert [*children(os.getpid(), "delivery.process")] == [first]
        assert all(verdict == SENT for _, verdict in relay.send(_letters(2 * CHUNK)))


@pytest.mark.slow
def test_only_the_first_gets_letters_while_it_and_the_daemon_need_the_processors(
    writers: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is stopped: a letter that it got would never arrive. And none is started."""
    with Sink() as sink:
        relay = started(writers(sink, 3), sink, 2)
        _, other, *_ = sorted(children(os.getpid(), "delivery.process"))
        alive = len(children(os.getpid(), "delivery.process"))
        monkeypatch.setattr(process, "BUSY", -1.0)
        monkeypatch.setattr(process, "BOUND", -1.0)
        monkeypatch.setattr(process, "LOOK", 0.0)
        os.kill(other, signal.SIGSTOP)
        try:
            relay.open()
            sent = itertools.islice(relay.send(_letters(8 * CHUNK)), 8 * CHUNK)
            assert all(verdict == SENT for _, verdict in sent)
            assert len(sink.letters) == 8 * CHUNK
        finally:
            os.kill(other, signal.SIGCONT)
        assert len(children(os.getpid(), "delivery.process")) == alive


@pytest.mark.slow
def test_all_get_letters_while_the_daemon_is_busy_and_the_relay_slow(
    writers: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first one, here stopped, uses no processor."""
    with Sink() as sink:
        relay = started(writers(sink, 2), sink, 2)
        first, _ = sorted(children(os.getpid(), "delivery.process"))
        monkeypatch.setattr(process, "BUSY", -1.0)
        monkeypatch.setattr(process, "LOOK", 0.0)
        relay.open()
        sending = relay.send(_letters(8 * CHUNK))
        os.kill(first, signal.SIGSTOP)
        try:
            assert all(verdict == SENT for _, verdict in itertools.islice(sending, 2 * CHUNK))
        finally:
            os.kill(first, signal.SIGCONT)
        assert all(verdict == SENT for _, verdict in sending)
        assert len(sink.letters) == 8 * CHUNK


def test_the_letters_of_one_reader_wait_in_no_process(
    writers: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not more of them than a process has in hand: all others would wait behind them."""
    with Sink() as sink:
        relay = started(writers(sink, 2), sink, 2)
        monkeypatch.setattr(process, "BUSY", -1.0)
        monkeypatch.setattr(process, "LOOK", 0.0)
        taken = 0

        def letters() -> Iterator[Letter]:
            nonlocal taken
            for number in range(10 * CHUNK):
                taken += 1
                yield letter(number, READERS[0] if number > CHUNK else READERS[number % 12])

        relay.open()
        for count, (_, verdict) in enumerate(relay.send(letters()), 1):
            assert verdict == SENT and taken - count <= 5 * CHUNK
        assert len(sink.letters) == 10 * CHUNK


@pytest.mark.slow
def test_if_the_first_ends_another_one_that_is_not_nice_takes_its_place(writers: Made) -> None:
    with Sink() as sink:
        relay = started(writers(sink, 2), sink, 2)
        first, other = sorted(children(os.getpid(), "delivery.process"))
        os.kill(first, signal.SIGKILL)
        with pytest.raises(RelayDown):
            list(relay.send(_letters(8 * CHUNK)))
        relay.open()
        (anew,) = children(os.getpid(), "delivery.process")
        assert anew not in (first, other)
        assert os.getpriority(os.PRIO_PROCESS, anew) == os.getpriority(os.PRIO_PROCESS, 0)


@pytest.mark.few(1)
@pytest.mark.parametrize("victim", [0, 1])
def test_one_that_is_killed_loses_nothing(victim: int, database: str, writers: Made) -> None:
    """Its letters without a verdict are sent again, in their order; those of others are not."""
    outbox = Outbox(database)
    fill(outbox)
    with Sink() as sink:
        relay = started(writers(sink, 2), sink, 2)
        before = sink.take
        killed: list[int] = []

        def take(taken: Taken) -> None:
            before(taken)
            pids = sorted(children(os.getpid(), "delivery.process"))
            if sink.count > LETTERS // 3 and len(pids) == 2 and not killed:
                killed.append(pids[victim])
                os.kill(pids[victim], signal.SIGKILL)

        sink.take = take  # type: ignore[method-assign]
        assert outbox.delivery(relay).run_once() == Pass(sent=LETTERS)
        assert killed and outbox.waiting() == {}
        came = numbers(sink.letters)
        once = {who: list(dict.fromkeys(found)) for who, found in came.items()}
        assert {who: sorted(found) for who, found in once.items()} == in_order()
        assert once == in_order()
        assert len(sink.letters) <= LETTERS + 2 * CHUNK
    outbox.close()


@pytest.mark.slow
def test_a_connection_that_stalls_holds_up_no_other(writers: Made) -> None:
    """All others arrive; the letter that was under way is named when the line is cut."""
    slow = "slow@home.example"
    letters = [letter(0, slow), *(letter(n) for n in range(1, 6 * CHUNK))]

    def rule(step: str, _count: int, taken: Taken) -> str | None:
        return "stall" if step == "dot" and taken.recipients == [slow] else None

    with Sink() as sink:
        relay = started(writers(sink, 2), sink, 2)
        sink.rule = rule
        relay.open()
        sending = relay.send(iter(letters))
        found = [sent.id for sent, _ in itertools.islice(sending, len(letters) - 2 * CHUNK)]
        assert len(sink.letters) == len(found) and 0 not in found
        sink.hang_up()
        with pytest.raises(RelayDown) as caught:
            list(sending)
        assert caught.value.letter == letters[0]


@pytest.mark.slow
def test_a_line_that_is_cut_lets_the_others_end_what_they_have(
    database: str, writers: Made
) -> None:
    outbox = Outbox(database)
    fill(outbox)
    cuts = ["cut", "cut"]

    def rule(step: str, count: int, _letter: Taken) -> str | None:
        return (
            cuts.pop() if cuts and step == "dot" and count >= LETTERS // (1 + len(cuts)) else None
        )

    with Sink(rule) as sink:
        assert outbox.delivery(writers(sink, 2)).run_once() == Pass(sent=LETTERS)
        assert numbers(sink.letters) == in_order() and not cuts
    outbox.close()


@pytest.mark.slow
def test_a_reader_who_is_refused_for_now_holds_up_no_other(database: str, writers: Made) -> None:
    outbox = Outbox(database)
    fill(outbox)

    def rule(step: str, _count: int, _taken: Taken) -> str | None:
        return "450 4.2.0 greylisted" if step == "rcpt" and greylisted() else None

    def greylisted() -> bool:
        return sink.log[-1] == f"RCPT TO:<{READERS[0]}>".encode()

    with Sink() as sink:
        sending = outbox.delivery(started(writers(sink, 2), sink, 2))
        sink.rule = rule
        theirs = LETTERS // len(READERS)
        assert sending.run_once() == Pass(sent=LETTERS - theirs, later=theirs)
        sink.rule = None
        outbox.now += 86_400
        assert sending.run_once() == Pass(sent=theirs)
        assert numbers(sink.letters) == in_order()
    outbox.close()


@pytest.mark.slow
def test_a_relay_that_takes_one_connection_gets_all_letters_by_it(
    database: str, writers: Made
) -> None:
    outbox = Outbox(database)
    fill(outbox)

    def rule(step: str, count: int, _taken: Taken) -> str | None:
        return "421 4.7.0 too many connections" if step == "connect" and count else None

    with Sink(rule) as sink:
        relay = started(writers(sink, 4), sink, 2)
        assert outbox.delivery(relay).run_once() == Pass(sent=LETTERS)
        assert numbers(sink.letters) == in_order()
    outbox.close()


def _letters(count: int) -> Iterator[Letter]:
    return iter([letter(number) for number in range(1, count + 1)])
