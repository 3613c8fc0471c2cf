"""The program from outside: all that is promised is there, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from harness.program import DONE, REFUSED, TRY_AGAIN, USAGE, Program

from pbmstar.cli import main

# -- everything that is promised is there


def every(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            sub = command.get_command(context, name)
            assert sub is not None
            yield from every(sub, (*words, name))


@pytest.mark.parametrize("words", list(every(main)), ids=" ".join)
def test_help_on_everything(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, [*words, "--help"])
    assert result.exit_code == DONE
    assert result.output.startswith("Usage: ")
    assert list(tmp_path.iterdir()) == []  # help makes no spool


PROMISED = """
demo · serve · receive · deliver · remind · analyse · doctor
admin user add · admin user list · admin user show · admin user remove · admin user password · admin user address
admin board list · admin board show · admin board reset · admin board remove
admin quarantine list · admin quarantine show · admin quarantine retry · admin quarantine drop
admin outbox list · admin outbox retry · admin check · admin backup · admin export
admin unit · admin man · admin pause · admin resume · admin announce · admin move-database · admin metrics
admin user export · admin user erase · admin user ban · admin user unban
admin explain · admin user find · admin outbox show · admin outbox drop
"""


def test_all_promised_commands_exist() -> None:
    known = {" ".join(words) for words in every(main)}
    for line in PROMISED.strip().splitlines():
        assert set(line.split(" · ")) <= known


def test_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert result.exit_code == DONE
    assert result.output.startswith("pbmstar 0.")


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["frobnicate"],
        ["admin"],
        ["admin", "board", "show"],
        ["admin", "board", "show", "x"],
        ["admin", "board", "show", "9" * 20],
        ["admin", "outbox", "show", "9" * 20],
        ["admin", "outage", "remove", "9" * 20],
        ["admin", "export", "0"],
        ["admin", "board", "reset", "1", "--to-move", "x"],
        ["admin", "user", "add", "alice"],
        ["--frobnicate"],
        ["remind", "--nag-days", "soon"],
        ["remind", "--nag-days", "0"],
        ["remind", "--forfeit-days", "-1"],
        ["remind", "--forfeit-days", "nan"],
        ["remind", "--limits", "perhaps"],
        ["remind", "--address", "star"],
        ["remind", "--address", "star+x@example.org"],
        ["remind", "--address", "stär@example.org"],
        ["remind", "--spool", ""],
        ["remind", "--config", "/nonexistent.toml"],
        ["remind", "--time", "0d"],
        ["remind", "--time", "10d+36h/1d"],
        ["admin", "check", "--database", "foo"],
        ["admin", "check", "--database", "sqlite://"],
        ["admin", "check", "--database", "sqlite:///:memory:"],
        ["admin", "check", "--database", "mysql://localhost/x"],
        ["admin", "check", "--database", "sqlite+aiosqlite:///x"],
        ["serve", "--listen", "somewhere"],
        ["serve", "--listen", "127.0.0.1:99999"],
        ["serve", "--listen", "", "--lmtp", ""],
        ["deliver", "--relay", "pigeon:post"],
        ["deliver", "--relay", "smtp://"],
    ],
    ids=" ".join,
)
def test_usage_is_2(program: Program, words: list[str]) -> None:
    result = program.run(*words, status=USAGE)
    assert result.stdout == "" or result.stdout.startswith("Usage: ")
    assert result.stderr.startswith(("pbmstar: ", "Usage: "))


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["admin", "board", "show", "9"], "There is no board 9."),
        (["admin", "board", "remove", "9"], "There is no board 9."),
        (["admin", "board", "reset", "9"], "There is no board 9."),
        (["admin", "export", "9"], "There is no board 9."),
        (["admin", "user", "show", "dora"], "There is no user dora."),
        (["admin", "user", "remove", "dora"], "There is no user dora."),
        (
            ["admin", "user", "password", "dora", "--password", "d0ra.pass"],
            "There is no user dora.",
        ),
        (["admin", "user", "address", "dora", "d@localhost"], "There is no user dora."),
        (
            ["admin", "user", "add", "x", "d@localhost", "--password", "d0ra.pass"],
            "That name cannot be used",
        ),
        (["admin", "user", "add", "dora", "dora", "--password", "d0ra.pass"], "no mail address"),
        (["admin", "user", "add", "dora", "a b@c", "--password", "d0ra.pass"], "no mail address"),
        (
            ["admin", "user", "add", "dora", "d@localhost", "--password", "x"],
            "A password has 4 to 64",
        ),
        (
            ["admin", "user", "add", "admin", "d@localhost", "--password", "d0ra.pass"],
            "is not free",
        ),
        (["admin", "quarantine", "show", "x"], "There is no quarantined mail x."),
        (["admin", "quarantine", "retry", "x"], "There is no quarantined mail x."),
        (["admin", "quarantine", "drop", "x"], "There is no quarantined mail x."),
        (["analyse", "chess"], "There is no game chess"),
        (["analyse", "star", "Z9"], "There is no cell Z9"),
        (["analyse", "star", "F6", "F6"], "The cell F6 is taken."),
        (["analyse", "star", "-size=15"], "3 to 14"),
        (["analyse", "star", "--rings=4"], "Star has no option -rings"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_refused_is_1(program: Program, words: list[str], why: str) -> None:
    result = program.run(*words, status=REFUSED)
    assert result.stdout == ""
    assert result.stderr.startswith("pbmstar: ")
    assert why in result.stderr
    assert result.stderr.count("\n") == 1
    assert not [*program.spool.glob("*.db-wal")]  # the database is closed


@pytest.mark.parametrize(
    "words",
    [
        ["admin", "check", "--database", "sqlite:////nonexistent/folder/x.db"],
        ["admin", "check", "--database", "postgresql+psycopg://nobody@127.0.0.1:1/none"],
        ["remind", "--spool", "/dev/null/spool"],
        ["receive", "--database", "sqlite:////nonexistent/folder/x.db"],
        ["receive", "--nag-days", "soon"],
        ["receive", "--config", "/nonexistent.toml"],
        ["receive", "--database", "foo"],
    ],
    ids=" ".join,
)
def test_what_will_pass_is_75(program: Program, words: list[str]) -> None:
    result = program.run(*words, status=TRY_AGAIN, mail="From: a@b.example\n\nhelp\n")
    assert result.stderr.startswith("pbmstar: ")
