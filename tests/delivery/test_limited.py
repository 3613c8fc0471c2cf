"""A provider takes so many letters: the others wait in their order, and nobody loses time or gets a bounce."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from harness.office import Office
from harness.sink import Sink
from letters import letter, send
from smart import TLS, smart

from pbmstar.config import RelayLimit, load
from pbmstar.delivery import configured
from pbmstar.delivery.courier import at_once
from pbmstar.delivery.dispatch import Delivery, Pass
from pbmstar.delivery.relay import FULL, SENT, RelayDown
from pbmstar.delivery.smtp import Smarthost, is_full
from pbmstar.errors import BadInput, TemporaryFailure


def run(office: Office, *limits: RelayLimit) -> Pass:
    """A pass of the outbox; the office's tray has what was sent."""
    submit, trouble = at_once(office.store), office.service.trouble
    return Delivery(
        submit, office.relay, "office", trouble, lambda: office.now, limits=limits
    ).run_once()


# -- our own limits


def test_letters_beyond_a_limit_wait_in_their_order(office: Office) -> None:
    for _ in range(5):
        office.deliver(office.write("alice", "help"))
    limits = RelayLimit(2, 60.0), RelayLimit(3, 86400.0)
    assert run(office, *limits).sent == 2
    assert run(office, *limits).sent == 0
    office.now += 61
    assert run(office, *limits).sent == 1
    office.now += 86401
    assert run(office, *limits).sent == 2
    numbers = [each.id for each in office.tray.tried]
    assert numbers == sorted(numbers)


def test_turns_go_before_copies_digests_and_strangers(office: Office) -> None:
    office.deliver(office.write("carol@carol.example", "hello"))
    with office.store.transaction() as tx:
        tx.outbox.add(
            letter_of("digest@x.example", waits=1),
        )
    office.deliver(office.write("alice", "star challenge alice bob"))
    run(office, RelayLimit(2, 60.0))
    assert {each.address for each in office.tray.tried} == {
        "alice@alice.example",
        "bob@bob.example",
    }
    office.now += 61
    run(office, RelayLimit(1, 60.0))
    assert office.tray.tried[-1].address == "digest@x.example"


def letter_of(address: str, waits: int):  # type: ignore[no-untyped-def]
    from pbmstar.store import NewLetter

    return NewLetter("<1@x>", "", address, "", b"Subject: x\n\nx\n", 0.0, waits=waits)


@pytest.mark.parametrize("text", ["20", "20/week", "0/day", "20/minute 400/day", "-1/day", "x/day"])
def test_limits_that_are_none(text: str) -> None:
    with pytest.raises(BadInput, match="relay_limit"):
        load({"relay_limit": text}, {})


def test_limits_as_they_are_written() -> None:
    found = load({"relay_limit": "20/minute, 400 / Day"}, {}).relay_limit
    assert found == (RelayLimit(20, 60.0), RelayLimit(400, 86400.0))
    assert ", ".join(map(str, found)) == "20/minute, 400/day"


def test_a_slow_provider_costs_no_player_time(office: Office) -> None:
    """The clock of a turn starts when the relay has taken the letter that tells of it."""
    office.game("star challenge -time=2d alice bob")
    office.deliver(office.write("alice", "star move 1 alice s3cret F6"))
    row = office.row(1)
    assert row is not None
    assert (row.to_move, row.clock_from) == ("bob", None)
    office.now += 40 * 86400.0
    office.run("remind")
    assert is_running(office)
    assert run(office, RelayLimit(10, 60.0)).sent
    for hours in (0, 24, 23):
        office.now += hours * 3600.0
        office.run("remind")
        run(office, RelayLimit(10, 60.0))
        assert is_running(office)
    for _ in range(3):  # the last warning leaves some time
        office.now += 24 * 3600.0
        office.run("remind")
        run(office, RelayLimit(10, 60.0))
    assert not is_running(office)


def is_running(office: Office) -> bool:
    row = office.row(1)
    return row is not None and row.to_move == "bob"


# -- the provider's words

LIMITED = [
    "550 5.4.5 Daily user sending limit exceeded. For more information on Gmail sending limits",
    "450 4.2.1 Peak SMTP relay limit exceeded for customer. This is a temporary error.",
    "454 4.7.0 Too many login attempts, please try again later.",
    "421 4.7.0 Try again later, sending rate limit reached",
    "451 4.7.1 Outgoing message limit exceeded",
    "554 5.1.90 Your message can't be sent because you've reached your daily limit for recipients",
    "452 4.5.3 Too many recipients in the last hour for this account",
    "450 4.7.1 Mail send limit, you are sending too fast",
]
NOT_LIMITED = [
    "452 4.2.2 The email account that you tried to reach is over quota",
    "450 4.2.1 The user you are trying to contact is receiving mail too quickly",
    "552 5.2.2 mailbox full: quota exceeded",
    "550 5.1.1 no such user",
    "450 4.7.1 greylisted, try again later",
    "421 4.7.0 Too many messages on this connection",
    "452 4.3.1 Insufficient system storage",
    "554 5.7.1 spam",
]


@pytest.mark.parametrize("words", LIMITED)
def test_what_providers_say(words: str) -> None:
    assert is_full(words)


@pytest.mark.parametrize("words", NOT_LIMITED)
def test_what_is_about_a_recipient_or_a_letter(words: str) -> None:
    assert not is_full(words)


@pytest.mark.parametrize("step", ["mail", "rcpt", "data", "dot"])
@pytest.mark.parametrize("pipelining", [True, False])
def test_the_whole_relay_waits(office: Office, step: str, pipelining: bool) -> None:
    """No letter is to blame: none counts as tried, none is given up, nobody is told; later all go."""
    for _ in range(3):
        office.deliver(office.write("alice", "help"))
    answers = [LIMITED[0]]

    def rule(now: str, _count: int, _letter: object) -> str | None:
        return answers[0] if answers and now == step else None

    with Sink(rule, pipelining=pipelining) as sink:
        office.relay = smart(sink)
        done = run(office)
        assert (done.sent, done.later, done.dead) == (0, 0, 0)
        assert FULL in done.trouble
        with office.store.transaction() as tx:
            assert [(each.state, each.tries) for each in tx.outbox.unsent()] == [("new", 0)] * 3
        answers.clear()
        assert run(office).sent == 3
        office.relay.close()


def test_the_pause_grows_to_an_hour() -> None:
    assert RelayDown(f"relay x {FULL}: 550").pauses == (60.0, 3600.0)
    assert RelayDown("relay x: 421").pauses is None


# -- under TLS from the start, and with a command for the password


def test_smtps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(TLS)
    secret = tmp_path / "secret"
    secret.write_text("s3cret\nand more\n")
    with Sink(lambda *_: None, implicit=server, extensions=("AUTH PLAIN",)) as sink:
        url = f"smtps://me%40x.example@localhost:{sink.port}"
        relay = configured.relay(url, "x.example", f"cat {secret}")
        assert isinstance(relay, Smarthost)
        assert send(relay, letter(1)) == [(1, SENT)]
        relay.close()
        assert [line[:4] for line in sink.log[:2]] == [b"ehlo", b"AUTH"]
        assert b"AG1lQHguZXhhbXBsZQBzM2NyZXQ=" in sink.log[1]  # me@x.example, s3cret


def test_a_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(TLS)
    with Sink(lambda *_: None, implicit=server, extensions=("AUTH XOAUTH2",)) as sink:
        url = f"smtps://me@localhost:{sink.port}"
        relay = configured.relay(url, "x.example", "echo t0ken", "xoauth2")
        assert send(relay, letter(1)) == [(1, SENT)]
        relay.close()
        # user=me^Aauth=Bearer t0ken^A^A
        assert b"XOAUTH2 dXNlcj1tZQFhdXRoPUJlYXJlciB0MGtlbgEB" in sink.log[1]


@pytest.mark.parametrize(
    ("command", "why"),
    [("false", "ended with status 1"), ("true", "printed nothing"), ("exit 3", "status 3")],
)
def test_a_password_command_that_fails(command: str, why: str) -> None:
    relay = configured.relay("smtps://me@localhost:9", "x.example", command)
    with pytest.raises(TemporaryFailure, match=why):
        relay.open()
