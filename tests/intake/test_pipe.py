"""One mail without a daemon: what the caller is told, what is logged, what is kept."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from harness.letters import SERVER
from harness.office import Office

from pbmstar.errors import DATABASE, BadInput, TemporaryFailure, Unreadable
from pbmstar.intake import pipe, quarantine
from pbmstar.intake.fate import ids, stem
from pbmstar.intake.pipe import sender_of
from pbmstar.machine.files import LEAST_FREE, Disk, says_full
from pbmstar.service.incoming.mail import Service
from pbmstar.service.work.context import Envelope, Outcome

Logged = Callable[[], list[dict[str, Any]]]


def receive(office: Office, raw: bytes, *to: str) -> int:
    return pipe.receive_one(office.config, office.context, office.store, raw, "x@mta.example", to)


def meet(patch: pytest.MonkeyPatch, end: Outcome | Exception) -> None:
    """Whatever is executed ends so."""

    def execute(*_: object) -> Outcome:
        if isinstance(end, Exception):
            raise end
        return end

    patch.setattr(Service, "execute", execute)


def full() -> Exception:
    """An error of a disk that is full, as a database reports it."""
    error = TemporaryFailure("database: disk I/O error")
    error.__cause__ = OSError(28, "No space left on device")
    return error


ENDS = [
    (Outcome("applied"), 0, "applied", "info"),
    (Outcome("ignored", "auto-submitted"), 0, "ignored", "info"),
    (Outcome("kept", "mail to the operator", keep=True), 0, "quarantined", "info"),
    (Unreadable("too many MIME parts"), 0, "unreadable", "info"),
    (TemporaryFailure("database: database is locked", DATABASE), 75, "deferred", "warning"),
    (MemoryError(), 75, "deferred", "warning"),
    (full(), 75, "deferred", "warning"),
    (RuntimeError("with s3cret in its text"), 0, "quarantined", "error"),
]


@pytest.mark.parametrize(
    ("end", "status", "outcome", "level"), ENDS, ids=lambda end: repr(end)[:20]
)
def test_receive_tells_what_became_of_a_mail(
    office: Office,
    monkeypatch: pytest.MonkeyPatch,
    logged: Logged,
    end: Outcome | Exception,
    status: int,
    outcome: str,
    level: str,
) -> None:
    """One line in the log, which names no address or password; an exit status; kept if need be."""
    meet(monkeypatch, end)
    raw = office.write("alice", "star help")
    assert receive(office, raw, SERVER) == status
    line, *alerts = logged()
    assert {each["event"] for each in alerts} <= {"alert"}
    assert bool(alerts) == isinstance(end, TemporaryFailure | RuntimeError)
    facts = {key: line[key] for key in ("event", "peer", "outcome", "level", "recipients", "bytes")}
    assert facts == {
        "event": "mail",
        "peer": "pipe",
        "outcome": outcome,
        "level": level,
        "recipients": 1,
        "bytes": len(raw),
    }
    assert line["sender_domain"] == "mta.example"
    assert not [word for word in ("s3cret", "alice", "x@") if word in json.dumps(line)]
    kept = [
        (entry.id, entry.sender, entry.raw) for entry in quarantine.entries(office.config.spool)
    ]
    wanted = [(line["quarantine"], "x@mta.example", raw)] if outcome == "quarantined" else []
    assert kept == wanted


def test_receive_asks_again_for_what_it_cannot_keep(
    office: Office, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    """Nor is that silent."""
    (office.config.spool / "quarantine").write_text("in the way")
    meet(monkeypatch, RuntimeError())
    assert receive(office, office.write("alice", "star help")) == 75
    (line,) = logged()
    assert (line["outcome"], line["why"]) == ("deferred", "RuntimeError, not quarantined")


RETRIES = [
    (Outcome("refused", "0 of 1"), "", "refused", True),
    (Outcome("kept", keep=True), "set the key operator", "quarantined", False),
    (Unreadable("too many MIME parts"), "too many MIME parts", "unreadable", False),
    (TemporaryFailure("database: database is locked"), "locked", "deferred", False),
    (RuntimeError("with s3cret in its text"), "again, RuntimeError", "quarantined", False),
]


@pytest.mark.parametrize(
    ("end", "why", "outcome", "leaves"), RETRIES, ids=lambda end: repr(end)[:20]
)
def test_retry(
    office: Office,
    monkeypatch: pytest.MonkeyPatch,
    logged: Logged,
    end: Outcome | Exception,
    why: str,
    outcome: str,
    leaves: bool,
) -> None:
    """It logs a line with the mail's id in the quarantine, where it stays unless it is done with."""
    spool = office.config.spool
    raw = office.write("alice", "star help")
    ident = quarantine.keep(spool, Envelope("x@mta.example", (SERVER,)), raw, RuntimeError(), 1.0)
    meet(monkeypatch, end)
    if leaves:
        told = pipe.retry(office.config, office.context, office.store, ident)
        assert told == f"{ident}: refused 0 of 1"
    else:
        with pytest.raises((BadInput, TemporaryFailure), match=why) as raised:
            pipe.retry(office.config, office.context, office.store, ident)
        assert "s3cret" not in str(raised.value)
    (line,) = logged()
    assert (line["peer"], line["quarantine"], line["outcome"]) == ("quarantine", ident, outcome)
    assert [entry.id for entry in quarantine.entries(spool)] == [ident] * (not leaves)


def test_ids_of_two_processes_differ() -> None:
    """Also of those that start in the same second."""
    first, second = ids(stem(1_800_000_000.0)), ids(stem(1_800_000_000.0))
    some = {next(each) for each in (first, second) for _ in range(100)}
    assert len(some) == 200
    assert all(each.startswith("6b49d200") and each.isascii() for each in some)


def test_disk(tmp_path: Path) -> None:
    """T24: full below 64 MiB, or when nobody can tell."""
    clock = iter(range(10))
    room = iter([LEAST_FREE, LEAST_FREE - 1])
    disk = Disk(tmp_path, lambda _path: next(room), lambda: next(clock))
    assert [disk.is_full(), disk.is_full()] == [False, True]
    assert Disk(tmp_path / "none").is_full()
    assert says_full(full()) and not says_full(TemporaryFailure("database is locked"))


@pytest.mark.parametrize(
    "field",
    [
        "From: " + "a" * 60_000 + " b",
        "To: " + "a" * 60_000,
        "To: " + "a@" * 30_000,
        "From: " + "<" * 60_000,
    ],
)
def test_hostile_headers_take_no_time(office: Office, field: str) -> None:
    """What is looked for before the gate is bounded too; 0.1 s, of which this is twenty times."""
    raw = f"{field}\r\n\r\nhello\r\n".encode()
    begun = time.process_time()
    pipe.receive_one(office.config, office.context, office.store, raw, None, ())
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("head", "sender"),
    [
        ("Return-Path: <a@b.example>", "a@b.example"),
        ("Return-Path: <>", ""),
        ("From: Alice <a@b.example>", "a@b.example"),
        ("From: a@b.example ", "a@b.example"),
        ("Subject: x", ""),
    ],
)
def test_the_sender_of_a_mail_that_names_none(head: str, sender: str) -> None:
    assert sender_of(None, head) == sender
