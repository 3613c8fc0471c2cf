"""Floods that would keep the writer busy, and who a mail server says a mail came from."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from peers import Running
from standin import PATIENCE, SERVER, configured

from pbmstar.grammar.literals import Secret
from pbmstar.identity import Passwords
from pbmstar.inbound import returned
from pbmstar.intake.take import PASSWORDS
from pbmstar.service.incoming.mail import Service
from pbmstar.service.work.context import Context, Envelope
from pbmstar.store import User


class Held(Passwords):
    """Looks at no password until the gate is open, like an argon2 that takes very long."""

    def __init__(self) -> None:
        super().__init__(b"key")
        self.gate, self.threads = threading.Event(), list[str]()

    def check(self, hashed: str | None, password: Secret) -> bool:
        self.threads.append(threading.current_thread().name)
        assert self.gate.wait(PATIENCE)
        return super().check(hashed, password)


@pytest.fixture
def house(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Running, Held]]:
    """A whole server with alice, whose password is remembered, and 20 others."""
    passwords = Held()
    monkeypatch.setattr("pbmstar.intake.take.PASSWORDS", PASSWORDS._replace(second=1000.0))
    config = configured(tmp_path / "spool")
    random = iter(range(1, 10**6))
    context = Context(
        config,
        time.time,
        lambda size: next(random).to_bytes(size, "big"),
        passwords,
    )
    place = f"unix:{tmp_path}/lmtp"
    with Running(
        tmp_path / "spool", service=Service(context), database=database, lmtp=place, metrics=":0"
    ) as running:
        hashed = passwords.hash(Secret("s3cret"))
        with running.store.transaction() as tx:
            for userid in ("alice", *(f"u{number}q" for number in range(20))):
                home = f"{userid}@home.example"
                tx.accounts.add(User(userid, home, hashed, "active", 1.0))
        try:
            yield running, passwords
        finally:
            passwords.gate.set()


def figures(running: Running) -> str:
    """The figures for monitoring."""
    address = running.names[-1].removesuffix(" for metrics")
    with urlopen(f"http://{address}/metrics") as answer:
        return str(answer.read().decode())


def mail(sender: str, body: str, number: int) -> bytes:
    return (
        f"From: {sender}\r\nMessage-ID: <{number}@x.example>\r\nSubject: x\r\n\r\n{body}\r\n.\r\n"
    ).encode()


def test_a_flood_of_wrong_passwords(house: tuple[Running, Held]) -> None:
    """64 mails of 20 wrong passwords: none is hashed by the writer, a few wait, all others are put
    off; a password that is remembered does not wait for any of them."""
    running, passwords = house
    lines = "\n".join(f"limit u{number}q wr0ngpw 5" for number in range(20))
    peers = [running.peer(running.names[1], hello="LHLO") for _ in range(64)]
    for number, peer in enumerate(peers):
        peer.envelope("a@evil.example").say(mail("a@evil.example", lines, number))
    answered = [peer for peer in peers[PASSWORDS.queue :] if peer.expect("451 4.3.0")]
    assert len(answered) == 64 - PASSWORDS.queue
    assert 'pbmstar_put_off_total{kind="password"} 54\n' in figures(running)
    honest = running.peer(running.names[1], hello="LHLO").envelope("alice@home.example")
    honest.say(mail("alice@home.example", "limit alice s3cret 5", 100))
    honest.expect("250 2.0.0 Accepted")
    assert len(passwords.threads) == 1, "the others wait for this one"
    passwords.gate.set()
    for peer in peers[: PASSWORDS.queue]:
        peer.hear()
    assert "writer" not in passwords.threads
    assert len(passwords.threads) <= 3 * PASSWORDS.queue
    with running.store.transaction() as tx:
        assert tx.accounts.user("alice").most == 5  # type: ignore[union-attr]


def test_bounces_are_read_before_the_writer(
    house: tuple[Running, Held], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While one is read, however long that takes, others are answered."""
    running, _ = house
    begun, gate, threads = threading.Event(), threading.Event(), list[str]()

    def slow(*_of: object, **_more: object) -> str:
        threads.append(threading.current_thread().name)
        begun.set()
        assert gate.wait(PATIENCE)
        return returned.PERMANENT

    monkeypatch.setattr("pbmstar.inbound.returned.read", slow)
    honest = running.peer(running.names[1], hello="LHLO").envelope("alice@home.example")
    honest.say(mail("alice@home.example", "limit alice s3cret 5", 1))
    honest.expect("250 2.0.0 Accepted")
    with running.store.engine.connect() as connection:
        to = connection.exec_driver_sql("SELECT sender FROM outbox").scalar()
    machine = running.peer(running.names[1], hello="LHLO")
    machine.ask("MAIL FROM:<>", "250")
    machine.ask(f"RCPT TO:<{to}>", "250")
    machine.ask("DATA", "354")
    machine.say(mail("daemon@mx.example", "returned", 2))
    assert begun.wait(PATIENCE)
    honest.envelope("alice@home.example").say(mail("alice@home.example", "limit alice s3cret 6", 3))
    honest.expect("250 2.0.0 Accepted")
    gate.set()
    machine.expect("250 2.0.0 Accepted")
    assert threads != [] and "writer" not in threads


Start = Callable[..., Running]


@pytest.mark.parametrize(
    ("said", "peer"),
    [
        ("ADDR=192.0.2.7", "192.0.2.7"),
        ("addr=IPV6:2001:db8::1 PROTO=SMTP", "2001:db8::1"),
        ("ADDR=[UNAVAILABLE]", ""),
        ("ADDR=127.0.0.1", ""),
        ("ADDR=star+2Dx%0d%0aQUIT", ""),
        ("NAME=evil.example", ""),
    ],
)
def test_a_mail_server_tells_who_its_client_is(lmtp: Running, said: str, peer: str) -> None:
    """XFORWARD by LMTP, for the one mail that follows."""
    connection = lmtp.connect(lmtp.names[1])
    connection.expect("220 ")
    assert "250-XFORWARD ADDR" in connection.ask("LHLO x.example", "250")
    connection.ask(f"XFORWARD {said}", "250 2.0.0")
    connection.mail(b"first")
    connection.mail(b"second")
    envelopes = [envelope._replace(mail="") for envelope, _ in lmtp.service.seen]
    assert envelopes == [
        Envelope("alice@home.example", (SERVER,), peer),
        Envelope("alice@home.example", (SERVER,), ""),
    ]


def test_a_player_cannot_say_that(running: Running) -> None:
    """Nor does XFORWARD mean anything by SMTP."""
    connection = running.peer()
    assert "XFORWARD" not in connection.ask("EHLO x.example", "250")
    connection.ask("XFORWARD ADDR=192.0.2.7", "500 5.5.2")
    connection.mail()
    assert running.service.seen[0][0].peer == ""


def test_who_connects_directly(lmtp: Running) -> None:
    """H20: what such a mail says of itself our mail server has not said."""
    for place, source in ((lmtp.names[0], "127.0.0.2"), (lmtp.names[0], ""), (lmtp.names[1], "")):
        connection = lmtp.connect(place, source)
        connection.expect("220 ")
        connection.ask("LHLO x.example" if place == lmtp.names[1] else "EHLO x.example", "250")
        connection.mail(source.encode() + place.encode())
    envelopes = [envelope for envelope, _ in lmtp.service.seen]
    assert [envelope.direct for envelope in envelopes] == [True, False, False]
