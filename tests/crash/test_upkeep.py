"""Reminders, the first start and backups: killed midway, run twice at once, with a wrong clock."""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from pathlib import Path

import pytest
import sqlalchemy as sa
from harness.sink import Sink
from running import (
    PATIENCE,
    Players,
    Server,
    holds,
    is_exactly,
    letters_came,
    moves,
    send,
    until,
    waiting,
    world_of,
)
from test_faults import Ready

from pbmstar.store import Store

pytestmark = pytest.mark.slow
DAY = 86400.0
BOARDS = 60


def age(database: str, days: float) -> None:
    """Every turn began so many days ago."""
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(
            sa.text("UPDATE boards SET since = :then, made = :then"),
            {"then": time.time() - days * DAY},
        )
    store.close()


def reminders(database: str) -> list[tuple[int, str]]:
    """Board and stage of each that was sent."""
    store = Store(database)
    with store.engine.begin() as connection:
        rows = connection.execute(
            sa.text("SELECT board, stage FROM reminders ORDER BY board, stage")
        )
        found = [(int(row[0]), str(row[1])) for row in rows]
    store.close()
    return found


def nags(server: Server) -> list[str]:
    """The Message-ID of each reminder in the maildirs."""
    found = []
    for file in (server.spool / "mail").glob("*/new/*"):
        text = file.read_text()
        assert "Subject: Nag:" in text
        found += [line for line in text.splitlines() if line.startswith("Message-ID:")]
    return found


def test_reminders_killed_and_run_again(database: str, tmp_path: Path) -> None:
    """CP21, D8: killed again and again midway, then two at the same time: one reminder a board."""
    rng = random.Random(3)
    world_of(database, BOARDS)
    age(database, 8.5)
    server = Server(tmp_path / "spool", database)
    killed = 0
    while len(reminders(database)) < BOARDS and killed < 5:
        before = len(reminders(database))
        process = server.spawn("remind")
        goal = min(before + rng.randrange(1, 15), BOARDS)
        until(
            lambda goal=goal: len(reminders(database)) >= goal or process.poll() is not None, "nag"
        )
        process.kill()
        process.communicate()
        killed += process.returncode == -signal.SIGKILL
    both = [server.spawn("remind") for _ in range(2)]
    for process in both:
        said, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, said
    assert server.run("remind").stdout == b"0 reminders, 0 last warnings, 0 forfeits\n"
    assert reminders(database) == [(board, "nag 1") for board in range(1, BOARDS + 1)]
    assert waiting(database) == 0
    assert len(nags(server)) == len(set(nags(server))) == BOARDS
    assert killed
    server.is_sound()


def test_two_runs_of_reminders(database: str, tmp_path: Path) -> None:
    """CP21, D8: two cron runs at once, by two machines where the database allows it: one nag a board,
    one warning, and one forfeit."""
    world_of(database, BOARDS)
    spools = ("one", "two") if database.startswith("postgresql") else ("spool", "spool")
    servers = [Server(tmp_path / name, database, f"maildir:{tmp_path}/mail") for name in spools]
    for days, counts in ((8.5, [BOARDS, 0, 0]), (19.5, [0, BOARDS, 0]), (30, [0, 0, 0])):
        age(database, days)
        both = [server.spawn("remind") for server in servers]
        total = [0, 0, 0]
        for process in both:
            said, _ = process.communicate(timeout=PATIENCE)
            assert process.returncode == 0, said
            numbers = [int(word) for word in said.decode().split() if word.isdigit()]
            total = [sum(pair) for pair in zip(total, numbers, strict=True)]
        assert total == counts  # whoever was warned just now does not forfeit, however long it took


def test_clock_a_day_off(database: str, tmp_path: Path) -> None:
    """CP30, D7: the clock jumps a day back and forth: no reminder twice, nobody forfeits at once."""
    if shutil.which("faketime") is None:
        pytest.skip("there is no faketime")
    world_of(database, 3)
    age(database, 8.5)
    server = Server(tmp_path / "spool", database)

    def run(offset: str) -> str:
        done = server.run("remind", before=("faketime", "-f", offset) if offset else ())
        assert done.returncode == 0, done
        return done.stdout.decode()

    none = "0 reminders, 0 last warnings, 0 forfeits\n"
    assert run("") == "3 reminders, 0 last warnings, 0 forfeits\n"
    assert run("-1d") == none
    assert run("") == none
    assert run("+1d") == "3 reminders, 0 last warnings, 0 forfeits\n"
    assert run("") == none
    age(database, 20.5)
    assert run("") == "0 reminders, 3 last warnings, 0 forfeits\n"
    assert run("+1d") == none
    assert run("") == none
    assert run("+3d") == "0 reminders, 0 last warnings, 3 forfeits\n"
    server.is_sound()


def test_first_start_killed(tmp_path: Path) -> None:
    """CP20: the tables of a new spool are made whole or not at all; the next start goes on."""
    spool = tmp_path / "spool"
    server = Server(spool)
    ready = Ready(server)
    places = 0
    for call, step in (
        ("fdatasync", 1),
        ("fsync", 1),
        ("pwrite64", 17),
        ("unlink", 1),
        ("ftruncate", 1),
    ):
        for number in range(1, 1000, step):
            shutil.rmtree(spool)
            spool.mkdir()
            ended = ready.run("admin", "check", fault=f"{call}:signal=KILL:when={number}")
            if ended.status != -9:
                break
            places += 1
            again = ready.run("admin", "check")
            assert again == (0, "0 differences\n")
    ready.close()
    assert places > 10
    world_of(server.database, 1)
    server.is_sound()
    print(f"killed at {places} places")


def test_first_start_killed_at_its_statements(database: str, tmp_path: Path) -> None:
    """CP20: the same on PostgreSQL, killed at each fourth message to it."""
    if not database.startswith("postgresql"):
        pytest.skip("SQLite is killed at each of its calls")
    store = Store(database)
    with store.engine.begin() as connection:
        connection.execute(sa.text("DROP SCHEMA public CASCADE"))
        connection.execute(sa.text("CREATE SCHEMA public"))
    store.close()
    server = Server(tmp_path / "spool", database)
    ready = Ready(server)
    places = 0
    for number in range(1, 1000, 4):
        ended = ready.run("admin", "check", fault=f"sendto:signal=KILL:when={number}")
        if ended.status != -9:
            break
        places += 1
    ready.close()
    assert places
    assert server.run("admin", "check").stdout == b"0 differences\n"
    print(f"killed at {places} places")


def test_backup_under_load(database: str, tmp_path: Path) -> None:
    """CP22: a backup made while moves come in holds every move acknowledged before it began; it is
    sound, and one can go on from it."""
    sessions = [moves(board, 40) for board in range(1, 7)]
    world_of(database, 6)
    with Sink() as sink, Server(tmp_path / "spool", database, sink.url) as server:
        server.start()
        players = Players([server.port], sessions, allowed=60)
        until(lambda: len(players.acked) >= 60, "moves")
        players.allowed = 240
        acked = list(players.acked)
        file = tmp_path / "backup.db"
        done = server.run("admin", "backup", str(file))
        assert done.returncode == 0, done
        players.join()
        until(lambda: waiting(database) == 0, "delivery")
        assert server.stop() == 0
        is_exactly(database, sessions)
        letters_came(sink, sessions)

        other = tmp_path / "other"
        other.mkdir()
        shutil.move(file, other / "pbmstar.db")
        with Server(other, relay=sink.url) as restored:
            restored.is_sound()
            holds(restored.database, acked)
            restored.start()
            Players([restored.port], sessions).join()
            assert send(restored.port, sessions[0][0].raw).startswith("250")
            assert restored.stop() == 0
            is_exactly(restored.database, sessions)


def test_backup_killed(database: str, tmp_path: Path) -> None:
    """CP22: killed in the midst of a backup, the database is as it was; what is half-written is not
    taken for a backup by the next one."""
    world_of(database, 3000)
    server = Server(tmp_path / "spool", database)
    file = tmp_path / "backup.db"
    process = server.spawn("admin", "backup", str(file))
    until(lambda: list(tmp_path.glob("backup.db*")), "begin of the backup")
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    server.is_sound()
    again = server.run("admin", "backup", str(file))
    if again.returncode:  # it does not write over anything
        os.remove(file)
        assert server.run("admin", "backup", str(file)).returncode == 0
    copy = Server(tmp_path / "copy", f"sqlite:///{file}")
    copy.is_sound()
