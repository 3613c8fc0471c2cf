"""A daemon whose mail comes from a mailbox: it hears what comes, and comes back after every trouble."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from harness.imap import ALL, TLS, Imap, serving
from harness.server import until
from peers import Running, raw

from pbmstar.mailbox import connection, watcher

Logged = Callable[[], list[dict[str, object]]]


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses are short, and our certificate is known."""
    monkeypatch.setenv("SSL_CERT_FILE", str(TLS))
    monkeypatch.setattr(watcher, "PAUSES", (0.01, 0.02))


@pytest.fixture
def imap() -> Iterator[Imap]:
    with serving(Imap()) as running:
        yield running


@pytest.fixture
def hears(imap: Imap, start: Callable[..., Running]) -> Callable[[], Running]:
    """Starts a daemon that has nothing but the mailbox.

    It ends before the server: a line that is reset within the handshake of TLS is left open by Python.
    """
    return lambda: start(mailbox=imap.url.replace("@", ":s3cret@", 1), listen="")


def await_letters(running: Running, count: int) -> None:
    until(lambda: len(running.delivered()) == count, f"{count} letters")


def told(running: Running) -> str:
    return running.daemon.heard()[0]


def noted(running: Running) -> str:
    with running.store.transaction() as tx:
        return tx.ledger.fact("mailbox")


def test_what_comes_is_heard_by_idle(hears: Callable[[], Running], imap: Imap) -> None:
    running = hears()
    assert running.names == ["the mailbox at localhost"]
    for count in (1, 2, 3):
        until(lambda: imap.said("IDLE") >= count, "IDLE")
        imap.add(raw(b"%d" % count))
        await_letters(running, count)
    until(lambda: imap.count("pbmstar/done") == 3, "the moves")
    assert running.texts() == [raw(b"%d" % count) for count in (1, 2, 3)]
    assert told(running) == "it is read"
    begun = time.monotonic()
    running.stop()
    assert time.monotonic() - begun < connection.ANSWER / 2  # it waits for no end of IDLE
    assert imap.said("LOGIN") == 1


def test_what_came_while_others_were_handled_is_not_left_until_the_next_idle(
    hears: Callable[[], Running], imap: Imap
) -> None:
    late = [raw(b"second")]

    def arrive(name: str) -> str:
        if name == "UID MOVE" and late:
            imap.add(late.pop())
        return ""

    imap.fault = arrive
    imap.add(raw(b"first"))
    await_letters(hears(), 2)


def test_what_comes_before_idle_is_told_with_its_go_ahead(
    hears: Callable[[], Running], imap: Imap
) -> None:
    """Both in one packet. A look that came with the next renewal only would be minutes late."""
    late = [raw(b"first")]

    def arrive(name: str) -> str:
        if name == "IDLE" and late:
            imap.add(late.pop())
        return ""

    imap.fault = arrive
    running = hears()
    begun = time.monotonic()
    await_letters(running, 1)
    assert time.monotonic() - begun < watcher.RENEWED / 2


def test_a_server_without_idle_is_looked_at(
    hears: Callable[[], Running], imap: Imap, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher, "POLL", 0.02)
    imap.capabilities = ALL.replace("IDLE ", "")
    running = hears()
    until(lambda: imap.said("SEARCH") > 3, "looks")
    imap.add(raw(b"x"))
    await_letters(running, 1)


def test_a_line_on_which_nothing_is_answered(
    hears: Callable[[], Running], imap: Imap, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Silence after IDLE is noticed by a NOOP that must be answered."""
    monkeypatch.setattr(watcher, "RENEWED", 0.02)
    monkeypatch.setattr(connection.MailboxLine.__init__, "__defaults__", ("password", 0.1))
    hangs = ["NOOP"]
    imap.fault = lambda name: "hang" if name in hangs and hangs.pop() else ""
    running = hears()
    until(lambda: imap.said("LOGIN") > 1, "a second line")
    imap.add(raw(b"x"))
    await_letters(running, 1)


def test_a_password_that_is_refused_later(
    hears: Callable[[], Running], imap: Imap, logged: Logged, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told, and what came meanwhile is handled when the password is right again."""
    running = hears()
    until(lambda: imap.said("IDLE"), "IDLE")
    imap.passwords, cut = set(), ["IDLE", "UID SEARCH"]
    imap.fault = lambda name: "cut" if name in cut else ""
    imap.add(raw(b"x"))
    until(lambda: "refuses the user or the password" in told(running), "the trouble")
    assert told(running).startswith("not read since 20")
    assert not running.daemon.heard()[1]
    monkeypatch.setattr(watcher, "LONG", 0.0)
    assert running.daemon.heard()[1]
    assert running.daemon.refused() == "the mailbox is not read"
    cut.clear()
    imap.passwords = {"s3cret"}
    await_letters(running, 1)
    until(lambda: told(running) == "it is read", "the mailbox")
    assert running.daemon.refused() == ""
    assert "s3cret" not in str(logged())


def test_messages_that_the_server_gives_later(hears: Callable[[], Running], imap: Imap) -> None:
    """A message that cannot be had, or a database in trouble, delays no other message for long."""
    empty = ["UID FETCH"]
    imap.fault = lambda name: "empty" if name in empty else ""
    imap.add(raw(b"x"))
    running = hears()
    until(lambda: told(running) == "it is read; 1 message of it must wait", "the wait")
    empty.clear()
    imap.add(raw(b"y"))
    await_letters(running, 2)


@pytest.mark.slow
def test_an_operator_hears_of_a_mailbox_that_is_not_read(
    imap: Imap, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    """At the next look, by letter and in the log, before the provider has answered anything."""
    monkeypatch.setattr(watcher, "LONG", 0.0)
    monkeypatch.setattr("pbmstar.smtp.watch.SOON", 0.01)
    monkeypatch.setattr("pbmstar.smtp.watch.PERIOD", 0.01)
    imap.passwords, answers = set(), threading.Event()

    def hold(_name: str) -> str:
        answers.wait()
        return ""

    imap.fault = hold
    running = start(mailbox=imap.url.replace("@", ":s3cret@", 1), operator="op@site.example")
    until(lambda: any(line.get("kind") == "mailbox" for line in logged()), "the alert")
    until(running.delivered, "the letter")
    answers.set()
    until(lambda: "refuses the user or the password" in noted(running), "the trouble")
