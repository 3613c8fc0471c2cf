"""Letters to a mail server that does what it should not. O1 is the catalogue's row."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from harness.sink import Sink, Taken
from hypothesis import given
from hypothesis import strategies as st
from letters import letter, send
from smart import at, smart

from pbmstar.delivery import smtp as smarthost
from pbmstar.delivery.relay import SENT, Letter, RelayDown

BOTH = pytest.mark.parametrize("pipelining", [True, False], ids=["pipelined", "stepwise"])


@BOTH
def test_many_letters_on_one_line(pipelining: bool) -> None:
    with Sink(pipelining=pipelining) as sink:
        relay = smart(sink)
        letters = [letter(n, body=f".{n}\r\n..\r\n.\r\n\r\n") for n in range(1, 200)]
        assert send(relay, *letters) == [(each.id, SENT) for each in letters]
        assert send(relay, letter(200)) == [(200, SENT)]
        relay.close()
        assert sink.connections == 1
        assert [each.content for each in sink.letters[:-1]] == [each.content for each in letters]
        assert [each.recipients for each in sink.letters[:-1]] == [[x.address] for x in letters]
        assert {each.sender for each in sink.letters} == {"star@pbm.example"}


@BOTH
def test_the_next_letter_is_written_while_the_server_takes_the_last_one(pipelining: bool) -> None:
    drawn, is_written = [], threading.Event()

    def letters() -> Iterator[Letter]:
        for number in range(1, 4):
            drawn.append(number)
            if number == 3:
                is_written.set()
            yield letter(number)

    def rule(step: str, count: int, _letter: Taken) -> str | None:
        return "cut" if step == "dot" and not count and not is_written.wait(10) else None

    with Sink(rule, pipelining=pipelining) as sink:
        relay = smart(sink)
        relay.open()
        sending = relay.send(letters())
        assert next(sending) == (letter(1), SENT)
        assert drawn == [1, 2, 3]
        assert [sent.id for sent, _ in sending] == [2, 3]
        relay.close()


def test_a_connection_that_was_not_used_yet_is_not_opened_again() -> None:
    with Sink() as sink:
        relay = smart(sink)
        relay.open()
        assert send(relay, letter(1)) == [(1, SENT)]
        assert sink.connections == 1
        relay.close()


@given(
    pieces=st.lists(st.sampled_from([b"\r\n", b"\n", b"\r", b".", b"a", b"..", b""]), max_size=12)
)
def test_dots_and_line_ends(pieces: list[bytes]) -> None:
    """What goes out has no bare CR or LF and no end but its own; nothing else is changed."""
    content = b"".join(pieces)
    wire = smarthost.on_the_wire(content)
    assert (b"\r\n" + wire).find(b"\r\n.\r\n") == len(wire) - 3
    assert wire.replace(b"\r\n", b"").count(b"\r") == wire.replace(b"\r\n", b"").count(b"\n") == 0
    lines = wire[:-3].split(b"\r\n")[:-1]
    expected = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    if expected[-1] == b"" and len(expected) > 1:
        expected.pop()
    assert [line.removeprefix(b".") if line[:1] == b"." else line for line in lines] == expected


@BOTH
@pytest.mark.parametrize(
    ("step", "answer", "kind"),
    [
        (step, answer, kind)
        for step in ("mail", "rcpt", "data", "dot")
        for answer, kind in (("451 4.2.0 greylisted, later", "later"), ("554 5.7.1 never", "dead"))
    ],
)
def test_a_letter_that_is_refused(pipelining: bool, step: str, answer: str, kind: str) -> None:
    """O1: 4xx and 5xx at each step: the letter's own; those around it go out, once each."""
    with Sink(at(step, 1, answer), pipelining=pipelining) as sink:
        relay = smart(sink, step=0.5, taken=0.5)
        verdicts = send(relay, letter(1), letter(2), letter(3), letter(4))
        assert [verdict.kind for _, verdict in verdicts] == ["sent", kind, "sent", "sent"]
        assert verdicts[1][1].why == answer
        assert verdicts[1][1].recipient == (step == "rcpt")
        relay.close()
        assert sink.connections == 1
        assert [each.message_id for each in sink.letters] == [
            f"<m{n}@pbm.example>" for n in (1, 3, 4)
        ]
        assert all(
            each.recipients == [f"p{each.message_id[2]}@home.example"] for each in sink.letters
        )


@BOTH
@pytest.mark.parametrize("steps", [("mail", "rcpt"), ("rcpt",)])
def test_go_ahead_for_a_refused_letter(pipelining: bool, steps: tuple[str, ...]) -> None:
    """O1: a server that wants a content although it has refused the envelope gets an empty one."""

    def rule(step: str, _count: int, taken: Taken) -> str | None:
        if step in steps:
            return "550 5.1.1 no"
        return "354 all the same" if step == "data" and pipelining else None

    with Sink(rule, pipelining=pipelining) as sink:
        relay = smart(sink)
        verdicts = send(relay, letter(1), letter(2))
        assert [(n, verdict.kind) for n, verdict in verdicts] == [(1, "dead"), (2, "dead")]
        relay.close()
        assert sink.count == 0
        assert not any(line.startswith(b"Message-ID") for line in sink.log)


STEPS = ["mail", "rcpt", "data", "content", "dot"]


@BOTH
@pytest.mark.parametrize("answer", ["cut", "421 4.3.2 going down"])
@pytest.mark.parametrize("step", STEPS)
def test_line_lost(step: str, answer: str, pipelining: bool) -> None:
    """O1: the line cut or said farewell to at any point: no letter counts without its 250."""
    lose_the_line(step, answer, pipelining)


def test_line_silent() -> None:
    """O1: a server that says nothing more, at any point: the same. All wait at the same time."""
    cases = list(itertools.product(STEPS, ["stall"], [True, False]))
    with ThreadPoolExecutor(len(cases)) as together:
        for _ in together.map(lambda case: lose_the_line(*case), cases):
            pass


def lose_the_line(step: str, answer: str, pipelining: bool) -> None:
    with Sink(at(step, 1, answer), pipelining=pipelining) as sink:
        relay = smart(sink)
        relay.open()
        sending = relay.send(iter([letter(1), letter(2), letter(3)]))
        assert next(sending) == (letter(1), SENT)
        with pytest.raises(RelayDown) as raised:
            next(sending)
        assert raised.value.letter == letter(2)
        assert send(relay, letter(2), letter(3)) == [(2, SENT), (3, SENT)]
        relay.close()
        assert sink.connections == 2
        assert [each.message_id for each in sink.letters] == [
            f"<m{n}@pbm.example>" for n in (1, 2, 3)
        ]
        assert [each.content for each in sink.letters] == [letter(n).content for n in (1, 2, 3)]


def test_taken_but_the_answer_lost() -> None:
    """O1: cut between the server's taking the letter and its answer: sent again, the same bytes."""
    with Sink() as sink:
        take = sink.take

        def take_and_cut(taken: Taken) -> None:
            take(taken)
            if sink.count == 2:
                sink.cut()

        sink.take = take_and_cut  # type: ignore[method-assign]
        relay = smart(sink)
        with pytest.raises(RelayDown):
            send(relay, letter(1), letter(2))
        assert send(relay, letter(2)) == [(2, SENT)]
        relay.close()
        assert [each.message_id for each in sink.letters] == [
            f"<m{n}@pbm.example>" for n in (1, 2, 2)
        ]
        assert sink.letters[1] == sink.letters[2]


@pytest.mark.parametrize("step", ["connect", "ehlo"])
@pytest.mark.parametrize(
    "answer", ["cut", "stall", "421 4.3.2 no", "554 5.3.2 not you", "450 4.3.2 x"]
)
def test_relay_that_does_not_begin(step: str, answer: str) -> None:
    """O1: what a server says before the first letter is about itself, whatever the code."""
    with Sink(at(step, 0, answer)) as sink:
        relay = smart(sink)
        if step == "ehlo" and answer[0] in "45" and answer[:3] != "421":
            relay.open()  # HELO will do
            relay.close()
        else:
            with pytest.raises(RelayDown) as raised:
                relay.open()
            assert raised.value.letter is None
            relay.close()
    with pytest.raises(RelayDown) as raised:  # nobody is there any more
        smart(sink).open()
    assert raised.value.letter is None


@pytest.mark.parametrize("answer", ["530 5.7.0 log in first", "250 2.0.0 what", "700 ?", "-1", "x"])
def test_server_out_of_step(answer: str) -> None:
    """O1: a server that wants a login, or talks nonsense, is down; the letter is not dead for it."""
    step = "mail" if answer.startswith("530") else "data"
    with Sink(at(step, 0, answer)) as sink:
        relay = smart(sink)
        with pytest.raises(RelayDown):
            send(relay, letter(1))
        assert sink.count == 0
        relay.close()


def test_farewell_between_two_passes() -> None:
    """A line on which the server has said something unasked, or that it has closed, is renewed."""
    with Sink() as sink:
        relay = smart(sink)
        assert send(relay, letter(1)) == [(1, SENT)]
        sink.hang_up()
        assert send(relay, letter(2)) == [(2, SENT)]
        relay.close()
        assert sink.connections == 2


def test_abort_from_another_thread() -> None:
    with Sink(at("dot", 0, "stall")) as sink:
        relay = smart(sink, taken=60.0)
        relay.open()
        waiting = threading.Timer(0.1, relay.abort)
        waiting.start()
        with pytest.raises(RelayDown):
            list(relay.send(iter([letter(1)])))
        waiting.join()
        relay.close()


def test_eight_bits() -> None:
    """A letter that is not plain ASCII says so where that is understood; the sender may be null."""
    with Sink(lambda *_: None) as sink:
        relay = smart(sink)
        send(relay, letter(1, body="caf\u00e9\r\n"), letter(2)._replace(sender=""))
        relay.close()
        assert [each.sender for each in sink.letters] == ["star@pbm.example", ""]
        mails = [line for line in sink.log if line.startswith(b"MAIL")]
        assert [line.endswith(b" BODY=8BITMIME") for line in mails] == [True, False]


@given(cuts=st.lists(st.sampled_from(["mail", "rcpt", "data", "content", "dot", "rset"]), max_size=5),
       answers=st.lists(st.sampled_from(["cut", "421 4.3.2 x", "451 4.3.0 x", "550 5.0.0 x"]), min_size=5),
       pipelining=st.booleans())  # fmt: skip
def test_any_script(cuts: list[str], answers: list[str], pipelining: bool) -> None:
    """O1: whatever happens, what was said to be sent was taken, and what was taken is what it was."""
    faults = list(zip(cuts, answers, strict=False))

    def rule(step: str, count: int, _letter: Taken) -> str | None:
        if faults and faults[0][0] == step and (step != "content" or faults[0][1] == "cut"):
            return faults.pop(0)[1]
        return None

    letters = [letter(n) for n in range(1, 6)]
    verdicts: dict[int, str] = {}
    with Sink(rule, pipelining=pipelining) as sink:
        relay = smart(sink)
        for _ in itertools.count():
            rest = [each for each in letters if each.id not in verdicts]
            if not rest:
                break
            try:
                relay.open()
                for sent, verdict in relay.send(iter(rest)):
                    verdicts[sent.id] = verdict.kind
            except RelayDown:
                pass
        relay.close()
        taken = {each.message_id for each in sink.letters}
        assert {f"<m{n}@pbm.example>" for n, kind in verdicts.items() if kind == "sent"} == taken
        assert all(each.content in [x.content for x in letters] for each in sink.letters)


@BOTH
def test_many_refusals_are_spread_over_connections(pipelining: bool) -> None:
    """A mail server answers whoever has had ten refusals slowly: all others would wait for that."""
    with Sink(at("rcpt", 0, "550 5.1.1 no", 99), pipelining=pipelining) as sink:
        relay = smart(sink, step=20.0, taken=20.0)
        verdicts = send(relay, *map(letter, range(20)))
        relay.close()
        assert [verdict.kind for _, verdict in verdicts] == ["dead"] * 20
        assert sink.connections == 3
    with Sink(pipelining=pipelining) as sink:
        sink.rule = lambda step, count, _: "450 no" if step == "rcpt" and count < 8 else None
        relay = smart(sink, step=20.0, taken=20.0)
        verdicts = send(relay, *map(letter, range(12)))
        relay.close()
        assert [verdict.kind for _, verdict in verdicts] == ["later"] * 8 + ["sent"] * 4
        assert sink.connections == 2
