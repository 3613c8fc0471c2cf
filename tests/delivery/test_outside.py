"""The relay in a process of its own: same verdicts, same bytes, and no harm if it dies."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.sink import Sink

from pbmstar import config
from pbmstar.delivery.process import Outside
from pbmstar.delivery.relay import RelayDown
from pbmstar.errors import BadInput
from pbmstar.store import Letter


def letter(number: int, to: str = "bob@bob.example") -> Letter:
    text = f"To: {to}\nMessage-ID: <{number}@pbm.example>\n\nletter {number}\n".encode()
    return Letter(number, f"<{number}@pbm.example>", to, "star@pbm.example", text, 1, 0.0)


def outside(relay: str, tmp_path: Path) -> Outside:
    made = Outside(config.load({"relay": relay, "spool": str(tmp_path)}, {}))
    made.open()
    return made


@pytest.fixture
def sink() -> Iterator[Sink]:
    with Sink() as made:
        yield made


def test_letters_arrive_in_order_with_a_verdict_each(sink: Sink, tmp_path: Path) -> None:
    relay = outside(sink.url, tmp_path)
    letters = [letter(number) for number in range(1, 41)]
    told = list(relay.send(iter(letters)))
    relay.close()
    assert [each for each, _ in told] == letters
    assert {verdict.kind for _, verdict in told} == {"sent"}
    assert [taken.message_id for taken in sink.letters] == [each.message_id for each in letters]
    assert sink.letters[0].content.replace(b"\r\n", b"\n") == letters[0].content
    assert sink.connections == 1


def test_a_refusal_is_the_letters_own(sink: Sink, tmp_path: Path) -> None:
    sink.rule = lambda step, count, _: "550 no" if step == "rcpt" and count == 1 else None
    relay = outside(sink.url, tmp_path)
    told = list(relay.send(iter([letter(1), letter(2, "eve@e.example"), letter(3)])))
    relay.close()
    assert [verdict.kind for _, verdict in told] == ["sent", "dead", "sent"]


def test_a_cut_line_names_the_letter_under_way(sink: Sink, tmp_path: Path) -> None:
    sink.rule = lambda step, count, _: "cut" if step == "dot" and count == 2 else None
    relay = outside(sink.url, tmp_path)
    told = relay.send(iter([letter(number) for number in range(1, 6)]))
    assert [(each.id, verdict.kind) for each, verdict in (next(told), next(told))] == [
        (1, "sent"),
        (2, "sent"),
    ]
    with pytest.raises(RelayDown) as caught:
        next(told)
    relay.close()
    assert caught.value.letter is not None and caught.value.letter.id == 3


def test_a_process_that_dies_is_a_relay_that_is_down_and_comes_back(
    sink: Sink, tmp_path: Path
) -> None:
    relay = outside(sink.url, tmp_path)
    relay.abort()
    with pytest.raises(RelayDown):
        list(relay.send(iter([letter(1)])))
    relay.abort()
    assert relay._process is not None
    relay._process.wait()
    relay.open()
    assert [verdict.kind for _, verdict in relay.send(iter([letter(1)]))] == ["sent"]
    relay.close()


def test_a_relay_that_does_not_answer(tmp_path: Path) -> None:
    made = Outside(config.load({"relay": "smtp://127.0.0.1:1", "spool": str(tmp_path)}, {}))
    with pytest.raises(RelayDown):
        made.open()
    made.close()


def test_a_wrong_relay_is_said_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        Outside(config.load({"relay": "pigeon://loft", "spool": str(tmp_path)}, {}))


def test_a_password_stands_in_no_argument_list(tmp_path: Path) -> None:
    with Sink() as sink:
        relay = outside(sink.url, tmp_path)
        assert relay._process is not None
        line = Path(f"/proc/{relay._process.pid}/cmdline").read_bytes()
        relay.close()
    assert line.rstrip(b"\0").split(b"\0")[1:] == [b"-m", b"pbmstar.delivery.process"]
