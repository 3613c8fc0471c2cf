"""Faults of ours, full disks, crowds: what the peer hears and what is kept. With catalogue ids."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import resource
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from harness.server import free_port, until
from peers import Running, raw
from standin import PATIENCE, SERVER, Standin, configured

from pbmstar.errors import DATABASE, CommitUnknown, TemporaryFailure
from pbmstar.intake import quarantine
from pbmstar.intake.fate import Fate
from pbmstar.intake.take import Intake
from pbmstar.machine.files import Disk
from pbmstar.service.admin.metrics import Metrics
from pbmstar.service.letters import alerts
from pbmstar.service.letters.alerts import Alert
from pbmstar.service.work.context import Envelope
from pbmstar.smtp import watch
from pbmstar.smtp.connections import Connections
from pbmstar.smtp.session import Limits
from pbmstar.smtp.watch import Watch
from pbmstar.store import Store, Tx, writer
from pbmstar.store.writer import Writer

Start = Callable[..., Running]
Logged = Callable[[], list[dict[str, Any]]]


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("text", "reply", "outcome", "level"),
    [
        (b"any", "250 2.0.0", "applied", "info"),
        (b"unreadable", "554 5.6.0", "unreadable", "info"),
        (b"passing", "451 4.3.0", "deferred", "warning"),
        (b"memory", "451 4.3.0", "deferred", "warning"),
        (b"diskfull", "452 4.3.1", "deferred", "warning"),
        (b"bug", "250 2.0.0", "quarantined", "error"),
        (b"deep", "250 2.0.0", "quarantined", "error"),
        (b"operator", "250 2.0.0", "quarantined", "info"),
    ],
)
def test_the_end_of_a_mail(
    running: Running, logged: Logged, text: bytes, reply: str, outcome: str, level: str
) -> None:
    """T22, T23, T24: one reply, one line in the log, kept if need be; and the session goes on.

    A mail to an operator without an address is carried out, in case it does something, and kept.
    """
    peer = running.peer()
    answer = peer.mail(text, reply)
    peer.mail(b"next")
    line, second = logged()
    assert (line["outcome"], line["level"]) == (outcome, level)
    assert answer.endswith(f" {line['id']}") == (reply[0] == "2")
    kept = [(entry.id, entry.raw) for entry in quarantine.entries(running.spool)]
    assert kept == ([(line["quarantine"], raw(text))] if outcome == "quarantined" else [])
    done = text in (b"any", b"operator")
    assert running.texts() == [raw(text)] * done + [raw(b"next")]
    assert second["id"] != line["id"]
    until(lambda: not running.waiting(), "the delivery")
    assert len(running.delivered()) == 1 + done


def test_what_is_kept_of_a_bug(running: Running, logged: Logged) -> None:
    """T22: the envelope, the place of the fault, and nowhere a password."""
    running.peer().mail(b"a bug: star move 1 alice pa55word F6")
    (entry,) = quarantine.entries(running.spool)
    assert (entry.sender, entry.recipients) == ("alice@home.example", [SERVER])
    assert entry.error == "RuntimeError" and "execute" in entry.trace
    for secret in ("pa55word", "s3cret"):
        assert secret not in str(logged()) + entry.trace


@pytest.mark.parametrize("by", ["sender", "reply address", "all"])
def test_a_fault_that_somebody_can_cause_does_not_fill_the_disk(
    running: Running, logged: Logged, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """What is too much is put off: other servers keep it. Others' messages are still kept here."""
    monkeypatch.setattr(quarantine, "OF_ONE", 3)
    monkeypatch.setattr(quarantine, "MOST", 3 if by == "all" else 100)
    peer = running.peer()

    def bug(number: int) -> str:
        sender = "mallory" if by == "sender" else f"m{number}"
        to = f"star+r1-token{'' if by == 'reply address' else number}"
        peer.envelope(f"{sender}@m.example", f"{to}@pbm.example").send(b"bug")
        return peer.hear()

    answers = [bug(number) for number in range(1, 6)]
    assert [each[:3] for each in answers] == ["250"] * 3 + ["451"] * 2
    assert quarantine.size_of(running.spool)[0] == 3
    why = [line["why"] for line in logged() if line["outcome"] == "deferred"]
    assert why == ["RuntimeError, not quarantined"] * 2
    if by != "all":
        peer.mail(b"bug")


def test_bug_and_no_quarantine(running: Running, logged: Logged) -> None:
    """T22: if not even that is possible the peer has to keep the mail."""
    (running.spool / "quarantine").write_text("in the way")
    peer = running.peer()
    peer.mail(b"bug", "451")
    peer.mail(b"next")
    assert [line["outcome"] for line in logged()] == ["deferred", "applied"]


def test_bug_in_a_session(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """T22: nor does a fault in a command tell anything."""
    peer = running.peer()
    peer.ask("MAIL FROM:<a@b.example>", "250")
    with monkeypatch.context() as patched:
        patched.setattr("pbmstar.machine.files.Disk.is_full", lambda _disk: 1 // 0)
        peer.ask("RSET", "250")
        peer.ask("MAIL FROM:<a@b.example>", "451 4.3.0")
    peer.mail()


def test_locked_database(start: Start, database: str) -> None:
    """T23: a database that stays locked is such a trouble; the mail sent again is applied once."""
    if not database.startswith("sqlite"):
        pytest.skip("PostgreSQL locks rows")
    running = start()
    running.store.engine.dispose()
    sa.event.listen(
        running.store.engine, "connect", lambda made, _: made.execute("PRAGMA busy_timeout=50")
    )
    peer = running.peer()
    other = sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    peer.mail(reply="451")
    other.execute("ROLLBACK")
    peer.mail()
    peer.mail()
    other.close()
    assert len(running.texts()) == 1


def test_disk_almost_full(start: Start, tmp_path: Path) -> None:
    """T24: no mail is begun on a disk that is almost full; when there is room again they come."""
    room, clock = [1 << 30], [0.0]
    peer = start(disk=Disk(tmp_path, lambda _spool: room[0], lambda: clock[0])).peer()
    peer.mail()
    room[0] = 1 << 20
    peer.mail(b"it is not looked at twice in a second")
    clock[0] += 1
    peer.ask("MAIL FROM:<a@b.example>", "452 4.3.1")
    room[0] = 1 << 30
    clock[0] += 1
    peer.mail(b"again")


def test_no_start_on_a_full_disk(tmp_path: Path, database: str) -> None:
    """T24: nor does the daemon begin."""
    full = Disk(tmp_path, lambda _spool: 1 << 20)
    running = Running(tmp_path / "spool", database=database, disk=full)
    with pytest.raises(TemporaryFailure):
        running.make()
    running.store.close()


def test_a_commit_that_the_disk_does_not_confirm(
    running: Running, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    """CP25: no mail is taken any more, nothing is written, a line is logged, and the daemon ends."""
    tried, transaction = [], Store.transaction

    @contextlib.contextmanager
    def failing(self: Store) -> Iterator[Tx]:
        tried.append(self)
        with transaction(self) as tx:
            yield tx
            raise CommitUnknown("database: disk I/O error")

    idle, peer, inside = running.peer(), running.peer(), running.peer().envelope()
    peer.mail(b"kept")
    until(lambda: not running.waiting(), "the delivery")
    monkeypatch.setattr(Store, "transaction", failing)
    peer.mail(b"one", "451")
    peer.expect("")
    idle.ask("MAIL FROM:<a@b.example>", "421 4.3.2")
    inside.ask("\r\ntwo\r\n.", "451")
    assert len(tried) == 1
    running.connect().expect("421 4.3.2", "")
    until(running.daemon.over.is_set)
    assert running.daemon.broken
    monkeypatch.undo()
    assert [line["event"] for line in logged() if line["level"] == "error"] == ["store"]


@pytest.mark.parametrize("by", ["mail", "mail, other columns", "beat"])
def test_tables_that_are_changed_under_a_daemon_end_it(
    start: Start, monkeypatch: pytest.MonkeyPatch, logged: Logged, by: str
) -> None:
    """A newer program was started beside it: mails are put off, none is kept as a fault, and it ends."""
    if by == "beat":
        monkeypatch.setattr("pbmstar.smtp.watch.SOON", 0.05)
        monkeypatch.setattr("pbmstar.smtp.watch.PERIOD", 0.05)
    running = start()
    peer = running.peer().envelope()
    with running.store.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
        if by == "mail, other columns":
            connection.exec_driver_sql("ALTER TABLE handled RENAME COLUMN digest TO another")
    if by != "beat":
        peer.send(b"hello")
        peer.expect("451")
    until(running.daemon.over.is_set)
    assert "revision 9999" in running.daemon.broken
    assert (running.spool / "broken").read_text() == "tables"
    assert not list(quarantine.entries(running.spool))
    assert [line["event"] for line in logged() if line["level"] == "error"] == ["store"]


def test_the_operator_hears_of_it(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """By letter, of a mail in quarantine; of a failed commit from the next daemon."""
    monkeypatch.setattr("pbmstar.smtp.watch.SOON", 0.05)
    monkeypatch.setattr("pbmstar.smtp.watch.PERIOD", 0.05)
    monkeypatch.setattr("pbmstar.machine.files.POLL", 0.05)
    beats = set[str]()

    def alerted(running: Running) -> str:
        texts = [path.read_text() for path in running.delivered()]
        return "".join(text for text in texts if "To: op@site.example\n" in text)

    first = start(operator="op@site.example")
    first.peer().mail(b"bug")
    until(lambda: "Subject: Star server: mail in quarantine" in alerted(first), "the alert")
    (first.spool / "broken").write_text("commit")  # as it does in the end

    def looks() -> int:
        with first.store.transaction() as tx:
            beats.add(tx.ledger.fact("alive"))
        return len(beats)

    until(lambda: looks() > 3, "a whole look at what it has left itself")
    first.stop()
    second = start(operator="op@site.example")
    until(lambda: "Subject: Star server: disk failure" in alerted(second), "the alert")
    until(lambda: not (second.spool / "broken").exists(), "the end of the mark")


def test_no_note_to_the_operator_is_lost(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is noted while others are told stays, even if there were as many as are kept."""
    told: list[str] = []
    fails = [True]
    watches: list[Watch] = []

    def look(_tx: Tx, _config: object, _now: float, noted: list[Alert], **_more: bool) -> None:
        told.extend(each.detail for each in noted)
        if fails:
            watches[0].noted.extend(Alert("bot", f"later {n}") for n in range(500))
            raise TemporaryFailure("not now")

    async def written() -> None:
        """There is nobody who reads figures."""

    async def play(watch: Watch) -> None:
        watch.noted.extend(Alert("bot", str(n)) for n in range(1000))
        await watch.look()
        assert len(watch.noted) == 1000
        assert [each.detail for each in watch.noted][499:501] == ["499", "later 0"]
        fails.clear()
        told.clear()
        await watch.look()
        assert len(set(told)) == 1000 and not watch.noted

    monkeypatch.setattr(alerts, "look", look)
    with closing(Store(database)) as store, closing(Writer(store)) as writer:
        watch = Watch(
            configured(tmp_path),
            writer,
            Disk(tmp_path),
            written,
            store.require_tables,
            lambda: ("", False),
        )
        watches.append(watch)
        asyncio.run(play(watch))


def test_a_writer_that_hangs_is_told_and_takes_no_mail(
    start: Start, monkeypatch: pytest.MonkeyPatch, logged: Logged
) -> None:
    """A balancer asks, and the operator hears of it once it goes on; on one node, too."""
    monkeypatch.setattr(writer, "STUCK", 0.05)
    monkeypatch.setattr(watch, "SOON", 0.01)
    port = free_port()
    running = start(operator="op@site.example", metrics=f":{port}")

    def trouble() -> str:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
            line.request("GET", "/readyz")
            return line.getresponse().read().decode().strip().removeprefix("ok")

    until(lambda: not trouble(), "readiness")
    peer = running.peer().envelope()
    running.hold(peer, b"wait")
    until(lambda: trouble() == "the oldest work waits for the database", "trouble")
    until(lambda: [line for line in logged() if line["event"] == "writer"], "line of the log")
    running.service.gate.set()
    peer.expect("250")
    alert = "Star server: work waits"
    until(lambda: any(alert in each.read_text() for each in running.delivered()), "alert")
    until(lambda: not trouble(), "readiness")


def test_an_alert_of_the_database_is_known_by_its_kind(tmp_path: Path, database: str) -> None:
    """Whatever the store says of it; other things that pass are not told."""
    noted: list[Alert] = []
    service: Any = Standin()

    async def play() -> None:
        for error in (
            TemporaryFailure("database is not meant"),
            TemporaryFailure("quite another text", DATABASE),
        ):
            service.execute = lambda *_, error=error: _raise(error)
            receipt = await intake.take("peer", Envelope("a@b.example", (SERVER,)), raw(b"any"))
            assert receipt.fate is Fate.LATER

    with closing(Store(database)) as store, closing(Writer(store)) as writer:
        intake = Intake(
            configured(tmp_path), service, writer, lambda: None, noted.append, Metrics()
        )
        asyncio.run(play())
    assert noted == [Alert("database")]


def _raise(error: Exception) -> None:
    raise error


def test_big_mail_does_not_hold_up_others(running: Running) -> None:
    """A mail that takes long to read is read beside the loop."""
    big = running.peer().envelope()
    running.hold(big, b"ponder" + b"x" * 200_000)
    running.peer().mail()
    assert len(running.texts()) == 1
    running.service.gate.set()
    big.expect("250 2.0.0")


def test_what_is_executed_together_fails_alone(running: Running) -> None:
    """A fault in one mail of a shared commit is that mail's own."""
    ends = {b"wait": "250", b"0": "250", b"bug": "250", b"passing": "451", b"unreadable": "554"}
    peers = {text: running.peer().envelope() for text in ends}
    for text, peer in peers.items():
        peer.send(text)
        if text == b"wait":  # the others come together while it is under way
            assert running.service.entered.wait(PATIENCE)
    until(lambda: running.service.reads == len(ends), "the mails")
    # The loop has handed the last of them to the writer when it has time for this.
    asyncio.run_coroutine_threadsafe(asyncio.sleep(0), running.loop).result(PATIENCE)
    running.service.gate.set()
    for text, peer in peers.items():
        peer.expect(ends[text])
    until(lambda: not running.waiting(), "the delivery")
    assert len(running.delivered()) == 2


# -- crowds


def test_connections_are_counted() -> None:
    """T13: 100 at once, 10 of one address, 30 a minute of one; a mail server on this machine, which
    comes for everybody, may begin more."""
    some = [f"192.0.2.{number}" for number in range(110)]
    crowd = Connections(Limits())
    assert [crowd.enter(peer, 0) for peer in some] == [True] * 100 + [False] * 10
    crowd.leave(some[0])
    assert crowd.enter(some[101], 0) and not crowd.enter(some[102], 0)

    one = Connections(Limits())
    for peer in ("192.0.2.1", "127.0.0.1"):
        assert [one.enter(peer, 0) for _ in range(11)] == [True] * 10 + [False]
        one.leave(peer)
        assert one.enter(peer, 0) and not one.enter(peer, 0)

    rush = Connections(Limits(peers_of_one=None))
    assert [rush.enter("192.0.2.1", 59) for _ in range(31)] == [True] * 30 + [False]
    assert rush.enter("192.0.2.2", 59)
    assert all(rush.enter("::1", 59) for _ in range(31))
    assert rush.enter("192.0.2.1", 60)

    free = Connections(Limits.of(on=False))
    assert all(free.enter("192.0.2.1", 0) for _ in range(200))


@pytest.mark.slow
def test_idle_crowd(start: Start) -> None:
    """T13: 900 idle connections: those beyond the cap hear 421, who is inside is served."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    try:
        running = start(limits=Limits(peers_of_one=None))
        inside = running.peer()
        replies = [running.connect().hear()[:9] for _ in range(900)]
        assert sorted(replies) == ["220 pbm.e"] * 99 + ["421 4.7.0"] * 801
        inside.mail()
        running.hang_up()
        until(lambda: not running.sessions())
        running.peer().mail(b"later")
        running.hang_up()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_crowd_of_one_address(running: Running) -> None:
    """T13: ten connections from one address, more from others; the end of one makes room."""
    crowd = [running.peer() for _ in range(10)]
    running.connect().expect("421 4.7.0", "")
    running.connect(source="127.0.0.2").expect("220")
    crowd[0].close()
    until(lambda: running.sessions() == 10)
    running.peer()


@pytest.mark.slow
def test_limits_off(start: Start) -> None:
    """Without limits there may be many connections, commands and mails, but no bigger mail."""
    running = start(limits=Limits.of(on=False))
    peer, *_ = [running.peer(source="127.0.0.2") for _ in range(31)]
    for _ in range(21):
        peer.ask("NOOP", "250")
    for number in range(101):
        peer.mail(b"%d" % number)
    peer.mail(b"x" * 1_100_000, "552")


def test_where_a_mail_comes_from(lmtp: Running) -> None:
    """The service is told the address of a stranger's machine, and not that of our own."""
    for source in ("127.0.0.2", "127.0.0.1"):
        lmtp.peer(source=source).mail(source.encode())
    lmtp.peer(lmtp.names[1], hello="LHLO").mail()
    assert [envelope.peer for envelope, _ in lmtp.service.seen] == ["127.0.0.2", "", ""]
