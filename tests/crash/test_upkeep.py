"""Reminders, the first start and backups: killed midway, run twice at once, with a wrong clock."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from crash.running import (
    Players,
    all_is_well,
    asked,
    holds,
    is_exactly,
    is_sound,
    moves,
    send,
    server_of,
    world_of,
)
from crash.test_faults import SOUND, Ready
from harness.server import Server, until
from harness.sink import Sink

from pbmstar.store import Store

pytestmark = pytest.mark.slow
DAY = 86400.0
BOARDS = 60
MANY = 250  # more than go together
NOTHING = "Done: 0 reminders, 0 last warnings, 0 forfeits.\n"


def sql(database: str, statement: str, **values: object) -> list[tuple[object, ...]]:
    """Run a statement; its rows, if it has any."""
    store = Store(database)
    with store.engine.begin() as connection:
        done = connection.execute(sa.text(statement), values)
        rows = [tuple(row) for row in done] if done.returns_rows else []
    store.close()
    return rows


def age(database: str, days: float) -> None:
    """Every turn began so many days ago."""
    then = time.time() - days * DAY
    sql(
        database,
        "UPDATE boards SET since = :then, made = :then, due = :then, clock_from = :then",
        then=then,
    )


def reminders(database: str) -> list[tuple[object, ...]]:
    """Board and stage of each that was sent."""
    return sql(database, "SELECT board, stage FROM reminders ORDER BY board, stage")


def nags(server: Server) -> list[str]:
    """The Message-ID of each reminder in the maildirs."""
    ids = []
    for file in (server.spool / "mail").glob("*/new/*"):
        text = file.read_text()
        assert "Subject: Reminder:" in text
        ids += [line for line in text.splitlines() if line.startswith("Message-ID:")]
    return ids


def test_reminders_killed_and_run_again(database: str, tmp_path: Path) -> None:
    """CP21, D8: killed again and again midway, then two at the same time: one reminder a board."""
    world_of(database, MANY)
    age(database, 8.5)
    server = server_of(tmp_path, database)
    faults = (
        {"fdatasync": (5, 3, 3)} if database.startswith("sqlite") else {"sendto": (40, 1800, 1800)}
    )
    counts = []
    ready = Ready(server)
    for call, numbers in faults.items():
        for number in numbers:
            assert ready.run("remind", fault=f"{call}:signal=KILL:when={number}").status == -9
            counts.append(len(reminders(database)))
    assert counts == sorted(counts)
    assert 0 < counts[-1] < MANY, counts
    both = [server.hold("remind").go() for _ in range(2)]
    for process in both:
        ended = process.end()
        assert ended.status == 0, ended
    assert server.says("remind") == NOTHING
    assert reminders(database) == [(board, "nag 0") for board in range(1, MANY + 1)]
    assert asked(database, lambda tx: tx.outbox.unsent()) == []
    assert len(nags(server)) == len(set(nags(server))) == MANY
    is_sound(server)


def test_two_runs_of_reminders(database: str, tmp_path: Path) -> None:
    """CP21, D8: two cron runs at once, by two machines where the database allows it: one nag a board,
    one warning, and one forfeit."""
    world_of(database, BOARDS)
    folders = ("one", "two") if database.startswith("postgresql") else (".", ".")
    servers = [server_of(tmp_path / name, database, f"maildir:{tmp_path}/mail") for name in folders]
    for days, counts in ((8.5, [BOARDS, 0, 0]), (19.5, [0, BOARDS, 0]), (0, [0, 0, 0])):
        if days:
            age(database, days)
        both = [server.hold("remind").go() for server in servers]
        total = [0, 0, 0]
        for process in both:
            ended = process.end()
            assert ended.status == 0, ended
            numbers = [int(word) for word in ended.output.split() if word.isdigit()]
            total = [sum(pair) for pair in zip(total, numbers, strict=True)]
        assert total == counts  # whoever was warned just now does not forfeit, however long it took


def test_first_start_killed(tmp_path: Path) -> None:
    """CP20: the tables of a new spool are made whole or not at all; the next start goes on."""
    server = server_of(tmp_path)
    places = 0
    ready = Ready(server)
    for call in ("fdatasync", "fsync", "pwrite64", "unlink", "ftruncate"):
        for number in range(1, 1000, 61 if call == "pwrite64" else 1):
            shutil.rmtree(server.spool, ignore_errors=True)
            ended = ready.run("admin", "check", fault=f"{call}:signal=KILL:when={number}")
            if ended.status != -9:
                break
            places += 1
            assert ready.run("admin", "check") == SOUND
    assert places > 10
    is_sound(server)
    print(f"killed at {places} places")


def test_first_start_killed_at_its_statements(database: str, tmp_path: Path) -> None:
    """CP20: the same on PostgreSQL, killed at each fourth message to it."""
    if not database.startswith("postgresql"):
        pytest.skip("SQLite is killed at each of its calls")
    sql(database, "DROP SCHEMA public CASCADE; CREATE SCHEMA public")
    places = 0
    ready = Ready(server_of(tmp_path, database))
    for number in range(1, 1000, 4):
        ended = ready.run("admin", "check", fault=f"sendto:signal=KILL:when={number}")
        if ended.status != -9:
            break
        places += 1
    assert ready.run("admin", "check") == SOUND
    assert places
    print(f"killed at {places} places")


def test_backup_under_load(database: str, tmp_path: Path) -> None:
    """CP22: a backup made while moves come in holds every move acknowledged before it began; it is
    sound, and one can go on from it."""
    sessions = [moves(board, 40) for board in range(1, 7)]
    world_of(database, 6)
    with Sink() as sink, server_of(tmp_path, database, sink.url) as server:
        server.start()
        players = Players([server.port], sessions, allowed=60)
        until(lambda: len(players.acked) >= 60, "moves")
        players.allowed = 240
        acked = list(players.acked)
        file = tmp_path / "backup.db"
        done = server.run("admin", "backup", str(file))
        assert done.returncode == 0, done
        players.join()
        all_is_well(server, sink, sessions)

        other = tmp_path / "other"
        (other / "spool").mkdir(parents=True)
        shutil.move(file, other / "spool" / "pbmstar.db")
        with server_of(other, relay=sink.url) as restored:
            is_sound(restored)
            holds(restored.database, acked)
            restored.start()
            Players([restored.port], sessions).join()
            assert send(restored.port, sessions[0][0].raw).startswith("250")
            assert restored.stop() == 0
            is_exactly(restored.database, sessions)


def test_backup_killed(database: str, tmp_path: Path) -> None:
    """CP22: killed at its writes, the database is as it was, there is a whole backup or none, and
    the next one is whole."""
    world_of(database, 300)
    server = server_of(tmp_path, database)
    file = tmp_path / "backup.db"
    places = 0
    ready = Ready(server)
    for number in range(1, 1000, 9 if database.startswith("sqlite") else 61):
        file.unlink(missing_ok=True)
        ended = ready.run("admin", "backup", str(file), fault=f"pwrite64:signal=KILL:when={number}")
        if ended.status != -9:
            break
        places += 1
        if file.exists():  # killed at a write of the end
            is_sound(server_of(tmp_path / "copy", f"sqlite:///{file}"))
    assert ended.status == 0
    assert places
    is_sound(server)
    is_sound(server_of(tmp_path / "copy", f"sqlite:///{file}"))
    print(f"killed at {places} places")
