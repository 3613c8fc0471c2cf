"""A damaged file of the database, and a spool with signs in its name that URLs use for other things."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner
from harness.office import Office

from pbmstar.cli import main
from pbmstar.store import Store


def whole(file: Path) -> Path:
    """A database of ours, with a row that fills some pages."""
    with closing(Store(f"sqlite:///{file}")) as store, store.transaction() as tx:
        for number in range(300):
            tx.ledger.set_fact(f"fact {number}", "x" * 2000)
    return file


def spoilt(file: Path) -> Path:
    """The same with 600 bytes spoilt in each 20 kB."""
    content = bytearray(whole(file).read_bytes())
    for at in range(10_000, len(content), 20_000):
        content[at : at + 600] = b"\xa5" * 600
    file.write_bytes(content)
    return file


def garbage(file: Path) -> Path:
    file.write_bytes(b"This is no database.\n" * 1000)
    return file


def headless(file: Path) -> Path:
    """The same without its first page."""
    file.write_bytes(b"\0" * 4096 + whole(file).read_bytes()[4096:])
    return file


def run(spool: Path, *words: str) -> tuple[int, str]:
    environ = {"PBMSTAR_SPOOL": str(spool), "PBMSTAR_LISTEN": "127.0.0.1:0"}
    done = CliRunner(catch_exceptions=False).invoke(main, words, None, environ)
    return done.exit_code, done.output


@pytest.mark.parametrize("damage", [spoilt, garbage, headless])
def test_each_command_says_so_in_a_sentence(damage: Callable[[Path], Path], tmp_path: Path) -> None:
    damage(tmp_path / "pbmstar.db")
    for words in (("serve",), ("admin", "check"), ("admin", "status"), ("remind",)):
        status, output = run(tmp_path, *words)
        assert status == 1, (words, output)
        assert output.startswith(f"pbmstar: database: the file {tmp_path}/pbmstar.db is damaged")
        assert output.count("\n") == 1


@pytest.mark.usefixtures("queue")
@pytest.mark.parametrize("damage", [spoilt, garbage, headless])
def test_doctor_goes_on_with_its_other_lines(
    damage: Callable[[Path], Path], tmp_path: Path
) -> None:
    damage(tmp_path / "pbmstar.db")
    status, output = run(tmp_path, "doctor")
    assert status == 1
    for words in (
        "configuration: every key", "disk: ", "daemon: not running", "fail database: damaged",
        "docs/troubles.md", "relay: letters go into maildirs", "DNS: not checked",
    ):  # fmt: skip
        assert words in output, output


@pytest.mark.parametrize("damage", [spoilt, garbage, headless])
def test_a_backup_that_is_damaged(
    office: Office, damage: Callable[[Path], Path], tmp_path: Path
) -> None:
    file = damage(tmp_path / "backup.db")
    for words in (("--board", "1"), ("--user", "alice")):
        done = office.run("admin", "restore", str(file), *words)
        assert done.exit_code == 1
        assert done.output == f"pbmstar: {file} is damaged, or isn't a backup.\n"


def test_a_backup_that_is_of_nothing(office: Office, tmp_path: Path) -> None:
    file = tmp_path / "backup.db"
    file.touch()
    done = office.run("admin", "restore", str(file), "--board", "1")
    assert (done.exit_code, done.output) == (1, "pbmstar: That is not a database of pbmstar.\n")


@pytest.mark.usefixtures("queue")
def test_the_name_of_a_spool_is_taken_as_it_is(tmp_path: Path) -> None:
    name = "a%20b c%2Fd why? no#1 ä"
    there = tmp_path / "there"
    there.mkdir()
    spool = there / name
    status, output = run(
        spool, "admin", "user", "add", "alice", "a@a.example", "--password", "t1angled"
    )
    assert (status, output) == (0, "Account alice opened.\n")
    assert (spool / "pbmstar.db").is_file()
    assert {path.name for path in there.iterdir()} == {name}
    assert run(spool, "admin", "backup", str(spool / "copy.db"))[0] == 0
    status, output = run(spool, "admin", "restore", str(spool / "copy.db"), "--user", "alice")
    assert (status, output) == (0, "Account alice restored; boards: none.\n")
    assert run(spool, "remind", "--dry-run")[0] == 0
    assert "ok   database: opens" in run(spool, "doctor")[1]


def test_a_time_belongs_to_a_rehearsal(tmp_path: Path) -> None:
    status, output = run(tmp_path, "remind", "--at", "2026-12-06T22:00Z")
    assert status == 2 and "--dry-run" in output
    assert not (tmp_path / "pbmstar.db").exists()
