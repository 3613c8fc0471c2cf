"""Faults of ours, full disks, crowds: what the peer hears and what is kept. With catalogue ids."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import resource
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from peers import MAIL, SERVER, Peer, Running, Standin, until

from pbmstar import log
from pbmstar.errors import BadInput, Broken, Passing
from pbmstar.intake import quarantine
from pbmstar.service import Envelope, Outcome
from pbmstar.smtp import limits as door
from pbmstar.smtp import server as daemon
from pbmstar.smtp import status as replies
from pbmstar.smtp.limits import Limits
from pbmstar.store import Store, Tx


@pytest.fixture
def running(tmp_path: Path, database: str) -> Iterator[Running]:
    with Running(tmp_path / "spool", database) as made:
        yield made


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    log.setup(stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)


def waiting(running: Running) -> int:
    """How many letters have not been delivered."""
    with running.store.transaction() as tx:
        return len(tx.letters())


def test_bug(running: Running, logged: io.StringIO) -> None:
    """T22: the mail is put away and accepted; no word of the fault goes out; the session goes on."""
    with running.peer().hello() as peer:
        assert peer.mail(b"a bug: star move 1 alice pa55word F6") == replies.ACCEPTED
        assert peer.mail(b"next") == replies.ACCEPTED
    assert [raw for _, raw in running.handled()] == [(MAIL % b"next")[:-3]]
    (entry,) = quarantine.entries(running.spool)
    assert entry.raw == (MAIL % b"a bug: star move 1 alice pa55word F6")[:-3]
    assert (entry.sender, entry.recipients) == ("alice@home.example", [SERVER])
    assert entry.error == "RuntimeError"
    assert "execute" in entry.trace
    told = json.loads(logged.getvalue().splitlines()[0])
    assert told["outcome"] == "quarantined"
    assert told["quarantine"] == entry.id
    for text in (logged.getvalue(), entry.trace):
        assert "s3cret" not in text and "pa55word" not in text


def test_bug_and_no_quarantine(running: Running) -> None:
    """T22: if not even that is possible the peer has to keep the mail."""
    (running.spool / "quarantine").write_text("in the way")
    with running.peer().hello() as peer:
        assert peer.mail(b"bug") == replies.TROUBLE
        assert peer.mail(b"next") == replies.ACCEPTED


def test_a_mail_to_an_operator_without_an_address(running: Running) -> None:
    """What it does at another address of ours is done, and it is put away."""
    with running.peer().hello() as peer:
        assert peer.mail(b"to the operator") == replies.ACCEPTED
    assert len(running.handled()) == 1
    assert [entry.error for entry in quarantine.entries(running.spool)] == ["ForOperator"]


def test_bug_in_a_session(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """T22: nor does a fault in a command tell anything."""

    def broken(_address: str) -> bool:
        raise RuntimeError("with s3cret in its text")

    with running.peer().hello() as peer:
        peer.ask(b"MAIL FROM:<a@b.example>")
        with monkeypatch.context() as patched:
            patched.setattr(running.service, "knows", broken)
            assert peer.ask(b"RCPT TO:<star@pbm.example>") == replies.TROUBLE
        assert peer.mail() == replies.ACCEPTED


def test_unreadable(running: Running) -> None:
    with running.peer().hello() as peer:
        assert peer.mail(b"unreadable") == replies.UNREADABLE
        assert peer.mail(b"next") == replies.ACCEPTED


def test_passing_trouble(running: Running) -> None:
    """T23: what passes is tried again later by the peer, and had no effect."""
    with running.peer().hello() as peer:
        assert peer.mail(b"passing") == replies.TROUBLE
    assert running.handled() == [] and quarantine.entries(running.spool) == []
    assert waiting(running) == 0 and not list((running.spool / "mail").glob("*/new/*"))


def test_locked_database(tmp_path: Path, database: str) -> None:
    """T23: a database that stays locked is such a trouble; the mail sent again is applied once."""
    if not database.startswith("sqlite"):
        pytest.skip("PostgreSQL locks rows")
    running = Running(tmp_path / "spool", database)
    running.store.engine.dispose()
    sa.event.listen(
        running.store.engine, "connect", lambda made, _: made.execute("PRAGMA busy_timeout=50")
    )
    with running:
        other = sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with running.peer().hello() as peer:
            assert peer.mail() == replies.TROUBLE
            other.execute("ROLLBACK")
            assert peer.mail() == replies.ACCEPTED
            assert peer.mail() == replies.ACCEPTED
        other.close()
        assert len(running.handled()) == 1


def test_disk_full_in_the_database(running: Running) -> None:
    """T24: said as what it is."""
    with running.peer().hello() as peer:
        assert peer.mail(b"diskfull") == replies.DISK_FULL


def test_disk_almost_full(tmp_path: Path, database: str) -> None:
    """T24: no mail is begun on a disk that is almost full; when there is room again they come."""
    room = [1 << 30]
    with (
        Running(tmp_path / "spool", database, free=lambda _spool: room[0]) as running,
        running.peer().hello() as peer,
    ):
        assert peer.mail() == replies.ACCEPTED
        room[0] = 1 << 20
        running.daemon._disk._looked = -1.0  # or wait a second
        assert peer.ask(b"MAIL FROM:<a@b.example>") == replies.DISK_FULL
        room[0] = 1 << 30
        running.daemon._disk._looked = -1.0
        assert peer.mail(b"again") == replies.ACCEPTED


def test_no_start_on_a_full_disk(tmp_path: Path, database: str) -> None:
    """T24: nor does the daemon begin."""
    running = Running(tmp_path / "spool", database)
    with pytest.raises(Passing):
        daemon.Daemon(running.config, Standin(), running.store, free=lambda _spool: 1 << 20)
    running.store.close()


def test_a_commit_that_the_disk_does_not_confirm(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch, logged: io.StringIO
) -> None:
    """CP25: no mail is taken any more, nothing is written, a line is logged, and the daemon ends."""
    tried = []

    @contextlib.contextmanager
    def failing(self: Store) -> Iterator[Tx]:
        tried.append(self)
        with transaction(self) as tx:
            yield tx
            raise Broken("database: disk I/O error")

    transaction = Store.transaction
    running = Running(tmp_path / "spool", database)
    with running, running.peer().hello() as idle, running.peer().hello() as peer:
        assert peer.mail(b"kept") == replies.ACCEPTED
        inside = running.peer().hello().envelope()
        until(lambda: waiting(running) == 0, "delivery")
        monkeypatch.setattr(Store, "transaction", failing)
        assert peer.mail(b"one") == replies.TROUBLE
        assert peer.has_ended()
        assert idle.ask(b"MAIL FROM:<a@b.example>") == replies.CLOSING
        inside.say(MAIL % b"two")
        assert inside.hear() == replies.TROUBLE
        assert len(tried) == 1
        with Peer(running.names[0]) as late:
            assert late.hear() == replies.CLOSING
        inside.sock.close()
        until(running.daemon.over.is_set)
        assert running.daemon.broken
        monkeypatch.undo()
    told = [json.loads(line) for line in logged.getvalue().splitlines()]
    assert [line for line in told if line["level"] == "error"], told


def test_idle_crowd(tmp_path: Path, database: str) -> None:
    """T13: 900 idle connections: those beyond the cap hear 421, who is inside is served."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(4096, hard), hard))
    try:
        with Running(tmp_path / "spool", database, limits=Limits(peers_of_one=None)) as running:
            inside = running.peer().hello()
            crowd = [Peer(running.names[0]) for _ in range(900)]
            told = [peer.hear() for peer in crowd]
            assert sum(word.startswith("220") for word in told) == 99
            assert told.count(replies.TOO_MANY_PEERS) == 801
            assert inside.mail() == replies.ACCEPTED
            for peer in crowd:
                peer.sock.close()
            until(lambda: len(running.daemon._doors[0].sessions) == 1)
            with running.peer().hello() as peer:
                assert peer.mail(b"later") == replies.ACCEPTED
            inside.sock.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_crowd_of_one_address(running: Running) -> None:
    """T13: ten connections from one address."""
    crowd = [running.peer() for _ in range(10)]
    with Peer(running.names[0]) as peer:
        assert peer.hear() == replies.TOO_MANY_PEERS
        assert peer.has_ended()
    crowd.pop().sock.close()
    until(lambda: len(running.daemon._doors[0].sessions) == 9)
    running.peer().sock.close()
    for peer in crowd:
        peer.sock.close()


def test_limits_off(tmp_path: Path, database: str) -> None:
    """Without limits there may be many connections, commands and mails, but no bigger mail."""
    with Running(tmp_path / "spool", database, limits=Limits.of(on=False)) as running:
        crowd = [running.peer() for _ in range(30)]
        peer = crowd[0].hello()
        assert all(peer.ask(b"NOOP") == replies.OK for _ in range(300))
        assert all(peer.mail(b"%d" % n) == replies.ACCEPTED for n in range(120))
        assert peer.mail(b"x" * 1_100_000) == replies.TOO_BIG
        for peer in crowd:
            peer.sock.close()


def test_big_mail_does_not_hold_up_others(tmp_path: Path, database: str) -> None:
    """A mail that takes long to read is read beside the loop."""

    class Slow(Standin):
        def read(self, raw: bytes) -> bytes:
            if len(raw) > 100_000:
                self.entered.set()
                self.in_time = self.gate.wait(3)
            return raw

    slow = Slow()
    with Running(tmp_path / "spool", database, service=slow) as running:
        big = running.peer().hello().envelope()
        big.say(MAIL % (b"x" * 200_000))
        assert slow.entered.wait(20)
        with running.peer().hello() as peer:
            assert peer.mail() == replies.ACCEPTED
        slow.gate.set()
        assert big.hear() == replies.ACCEPTED
        assert slow.in_time  # the other was not behind it
        big.sock.close()


def test_what_is_executed_together_fails_alone(running: Running) -> None:
    """A fault in one mail of a shared commit is that mail's own."""
    words = [b"wait", b"0", b"bug", b"passing", b"3", b"unreadable", b"5"]
    peers = [running.peer().hello().envelope() for _ in words]
    for peer, word in zip(peers, words, strict=True):
        peer.say(MAIL % word)
        if word == b"wait":  # the others come together while it is under way
            assert running.service.entered.wait(20)
    running.service.gate.set()
    told = [peer.hear()[:3] for peer in peers]
    assert told == ["250", "250", "250", "451", "250", "554", "250"]
    until(lambda: not waiting(running), "the delivery")
    assert len(list((running.spool / "mail").glob("*/new/*"))) == 4
    for peer in peers:
        peer.sock.close()


class Exotic(Standin):
    """Raises what no one expects."""

    def execute(self, tx: Tx, envelope: Envelope, mail: bytes, raw: bytes) -> Outcome:
        if b"memory" in raw:
            raise MemoryError
        if b"deep" in raw:
            raise RecursionError
        return super().execute(tx, envelope, mail, raw)


def test_memory_and_recursion(tmp_path: Path, database: str) -> None:
    """Want of memory passes; a recursion without end is a fault of ours."""
    with Running(tmp_path / "spool", database, service=Exotic()) as running:
        with running.peer().hello() as peer:
            assert peer.mail(b"memory") == replies.TROUBLE
            assert peer.mail(b"deep") == replies.ACCEPTED
        assert [entry.error for entry in quarantine.entries(running.spool)] == ["RecursionError"]


@pytest.mark.parametrize("key", ["listen", "lmtp", "relay"])
@pytest.mark.parametrize("text", ["nonsense", "1.2.3.4:99999", "smtp://", "smtp://u:s3cret@host"])
def test_bad_configuration(tmp_path: Path, database: str, key: str, text: str) -> None:
    """What cannot be read is told to the operator at the start, without a password."""
    running = Running(tmp_path / "spool", database, **{key: text})
    with pytest.raises(BadInput) as raised:
        daemon.Daemon(running.config, Standin(), running.store)
    assert "u:s3cret" not in str(raised.value)
    running.store.close()


def test_many_connections_within_a_minute(
    tmp_path: Path, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T13: one address may begin 30 a minute; another, and a mail server on this machine, is let in."""
    now = [1000.0]
    monkeypatch.setattr(door, "monotonic", lambda: now[0])
    with Running(tmp_path / "spool", database, limits=Limits(peers_of_one=None)) as running:
        for _ in range(30):
            running.peer(source="127.0.0.2").sock.close()
        with Peer(running.names[0], source="127.0.0.2") as peer:
            assert peer.hear() == replies.TOO_MANY_PEERS
            assert peer.has_ended()
        running.peer(source="127.0.0.3").sock.close()
        for _ in range(31):
            running.peer().sock.close()
        now[0] += 60
        running.peer(source="127.0.0.2").sock.close()
    with Running(tmp_path / "spool", database, limits=Limits.of(on=False)) as running:
        for _ in range(31):
            running.peer(source="127.0.0.2").sock.close()


def test_where_a_mail_comes_from(tmp_path: Path, database: str) -> None:
    """The service is told the address of a stranger's machine, and none of our own ones'."""
    place = f"unix:{tmp_path}/lmtp"
    with Running(tmp_path / "spool", database, lmtp=place) as running:
        for source in ("127.0.0.2", "127.0.0.1"):
            with running.peer(source=source).hello() as peer:
                assert peer.mail(source.encode()) == replies.ACCEPTED
        with running.peer(place).hello(b"LHLO") as peer:
            assert peer.mail() == replies.ACCEPTED
    assert [envelope.peer for envelope, _ in running.handled()] == ["127.0.0.2", "", ""]
