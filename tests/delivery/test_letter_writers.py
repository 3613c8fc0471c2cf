"""The relay in a process of its own: same verdicts, same bytes, and no harm if it dies."""

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from harness.server import children
from harness.sink import Sink
from letters import letter, send, takes_all

from pbmstar import config
from pbmstar.delivery.process import CHUNK, LetterWriters, hand_over
from pbmstar.delivery.relay import SENT, RelayDown
from pbmstar.errors import BadInput


def outside(relay: str, spool: Path) -> LetterWriters:
    return LetterWriters(config.load({"relay": relay, "spool": str(spool)}, {}))


@pytest.fixture(scope="module")
def server() -> Iterator[Sink]:
    with Sink() as made:
        yield made


@pytest.fixture(scope="module")
def process(server: Sink, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LetterWriters]:
    """The relay of all tests: to start its process takes longer than most of them."""
    made = outside(server.url, tmp_path_factory.mktemp("outside"))
    yield made
    made.close()


@pytest.fixture
def sink(server: Sink) -> Sink:
    """The server as if it had begun now."""
    server.rule = None
    server.letters.clear()
    server.steps.clear()
    server.connections = 0
    return server


@pytest.fixture
def relay(process: LetterWriters, sink: Sink) -> LetterWriters:
    return process


def test_letters_arrive_in_order_with_a_verdict_each(sink: Sink, relay: LetterWriters) -> None:
    letters = [letter(number) for number in range(1, 2 * CHUNK + 9)]
    assert send(relay, *letters) == [(each.id, SENT) for each in letters]
    assert [taken.content for taken in sink.letters] == [each.content for each in letters]
    assert sink.connections <= 1  # none if the one of another test goes on
    (process,) = children(os.getpid(), "delivery.process")
    line = Path(f"/proc/{process}/cmdline").read_bytes()  # no password stands there
    _, *words = line.decode().rstrip("\0").split("\0")
    assert words == ["-m", "pbmstar.delivery.process", f"--parent={os.getpid()}"]
    # On a busy machine a player's letter would wait for minutes if all others went first.
    assert os.getpriority(os.PRIO_PROCESS, process) == os.getpriority(os.PRIO_PROCESS, 0)


def test_a_refusal_is_the_letters_own(sink: Sink, relay: LetterWriters) -> None:
    sink.rule = lambda step, count, _: "550 no" if step == "rcpt" and count == 1 else None
    verdicts = send(relay, letter(1), letter(2), letter(3))
    assert [verdict.kind for _, verdict in verdicts] == ["sent", "dead", "sent"]


def test_a_cut_line_names_the_letter_under_way(sink: Sink, relay: LetterWriters) -> None:
    sink.rule = lambda step, count, _: "cut" if step == "dot" and count == 2 else None
    relay.open()
    sending = relay.send(iter([letter(number) for number in range(1, 6)]))
    assert [next(sending), next(sending)] == [(letter(1), SENT), (letter(2), SENT)]
    with pytest.raises(RelayDown) as caught:
        next(sending)
    assert caught.value.letter == letter(3)


def test_nothing_behind_a_cut_line_is_tried(sink: Sink, relay: LetterWriters) -> None:
    """The process has the next letters in hand already: they wait, and go out once it is opened again."""
    cuts = ["cut"]
    sink.rule = lambda step, count, _: cuts.pop() if step == "dot" and count == 2 and cuts else None
    letters = [letter(number) for number in range(1, 2 * CHUNK + 9)]
    relay.open()
    sending = relay.send(iter(letters))
    with pytest.raises(RelayDown) as caught:
        list(sending)
    assert caught.value.letter == letters[2] and len(sink.letters) == 2
    assert send(relay, *letters[2:]) == [(each.id, SENT) for each in letters[2:]]


@pytest.mark.slow
def test_sending_that_is_broken_off_leaves_no_answer_for_others(
    sink: Sink, relay: LetterWriters
) -> None:
    relay.open()
    sending = relay.send(iter([letter(number) for number in range(1, 2 * CHUNK + 9)]))
    next(sending)
    sending.close()  # type: ignore[attr-defined]
    assert send(relay, letter(1000)) == [(1000, SENT)]


def test_a_process_that_dies_is_a_relay_that_is_down_and_comes_back(relay: LetterWriters) -> None:
    relay.open()
    relay.abort()
    with pytest.raises(RelayDown):
        list(relay.send(iter([letter(1)])))
    relay.open()
    (process,) = children(os.getpid(), "delivery.process")
    relay.abort()
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)
    assert send(relay, letter(1)) == [(1, SENT)]


@pytest.mark.slow
def test_a_relay_that_is_not_there_or_not_understood(tmp_path: Path) -> None:
    """The one is down; the other is said before anything starts."""
    made = outside("smtp://127.0.0.1:1", tmp_path)
    with pytest.raises(RelayDown):
        made.open()
    made.close()
    with pytest.raises(BadInput):
        outside("pigeon://loft", tmp_path)


def test_letters_that_were_held_up_for_too_long_are_left_to_the_daemon() -> None:
    """The process was stopped, with the daemon: meanwhile other nodes have sent the rest."""
    relay, letters = takes_all(), [letter(number) for number in range(1, 4)]
    now = time.monotonic()
    for begun, sent in ((now, 3), (now - 60, 0)):
        answers: list[Any] = []
        assert hand_over(relay, letters, begun, answers.append) == (sent < 3)
        ((verdicts, trouble, _),) = answers
        assert len(verdicts) == sent and (trouble is None) == (sent == 3)
