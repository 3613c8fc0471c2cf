"""The program from outside: all that is promised is there."""

from __future__ import annotations

import compileall
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from harness.program import DONE, Program

from pbmstar import cli
from pbmstar.cli import main
from pbmstar.cli.options import Group


def every(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            sub = command.get_command(context, name)
            assert sub is not None
            yield from every(sub, (*words, name))


def test_help_on_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in every(main):
        result = CliRunner().invoke(main, [*words, "--help"])
        assert result.exit_code == DONE, words
        assert result.output.startswith("Usage: "), words
    assert list(tmp_path.iterdir()) == []  # help makes no spool


def test_each_command_has_a_summary_of_at_most_45_characters() -> None:
    """It is the first sentence of its help, whole, and what a list of commands shows."""
    for words in every(main):
        command = command_of(words)
        summary = (command.help or "").partition("\n\n")[0]
        if words:
            assert summary == " ".join(summary.split()), words
            assert summary.endswith(".") and summary.count(". ") == 0, words
            assert 8 < len(summary) <= 45, (words, len(summary))
            group = CliRunner().invoke(main, [*words[:-1], "--help"]).output
            listed = group.partition("Commands:\n")[2].splitlines()
            assert any(line.split(maxsplit=1) == [words[-1], summary] for line in listed), words


def command_of(words: tuple[str, ...]) -> click.Command:
    """The command of these words."""
    command: click.Command = main
    for word in words:
        assert isinstance(command, click.Group)
        found = command.get_command(click.Context(command), word)
        assert found is not None, words
        command = found
    return command


def test_a_list_of_commands_names_all_that_its_modules_have() -> None:
    """Those of ``admin`` are in a table, each with the module that it is in."""
    admin = main.commands["admin"]
    assert isinstance(admin, Group)
    listed = set(admin.list_commands(click.Context(admin)))
    admin.load()
    assert listed == admin.commands.keys() - {"rate"}  # a former name


# What was typed before 1.0, what is typed now, and what is said of it. They go with 1.1.
FORMER = (
    (
        "admin user remove nobody",
        "admin user close nobody",
        "admin user remove is now admin user close",
    ),
    (
        "admin user leave nobody 3",
        "admin user grant-leave nobody 3",
        "admin user leave is now admin user grant-leave",
    ),
    (
        "admin rate --check",
        "admin ratings check",
        "admin rate is now admin ratings check or rebuild",
    ),
    (
        "admin rate --rebuild",
        "admin ratings rebuild",
        "admin rate is now admin ratings check or rebuild",
    ),
    (
        "admin suppress x@y.example",
        "admin suppress add x@y.example",
        "admin suppress ADDRESS is now admin suppress add ADDRESS",
    ),
    (
        "admin suppress x@y.example --lift",
        "admin suppress remove x@y.example",
        "admin suppress ADDRESS is now admin suppress remove ADDRESS",
    ),
    (
        "admin suppress --lift x@y.example",
        "admin suppress remove x@y.example",
        "admin suppress ADDRESS is now admin suppress remove ADDRESS",
    ),
    ("problem make", "admin problem make", "problem is now admin problem"),
)


@pytest.mark.parametrize(("former", "present", "name"), FORMER)
def test_a_former_name_does_the_same(
    former: str, present: str, name: str, program: Program
) -> None:
    """It says what to write in its place."""
    results = []
    for line in (former, present):
        if " remove " in present:
            program.run("admin", "suppress", "add", "x@y.example")
        around = {"PBMSTAR_SPOOL": str(program.spool), "PBMSTAR_DATABASE": program.database}
        done = CliRunner().invoke(main, line.split(), env=around, catch_exceptions=False)
        results.append((done.exit_code, done.stdout, done.stderr.splitlines()))
    (status, said, troubles), now = results
    assert (status, said, troubles[1:]) == now
    assert troubles[0] == f"pbmstar: {name}. The old name works until 1.1."


def test_former_names_are_not_listed() -> None:
    listed = {" ".join(words) for words in every(main)}
    former = {"admin user remove", "admin user leave", "admin rate", "problem"}
    assert not former & listed


SEALED = """
import sys
from pbmstar.cli import main
for words in ("--help", "admin --help", "admin board --help"):
    try:
        main(words.split())
    except SystemExit as end:
        assert not end.code, words
    except ImportError as error:  # admin board needs the store, which this copy has not
        assert words == "admin board --help" and "pbmstar." in str(error), error
"""


@pytest.mark.slow
def test_commands_are_listed_without_the_sources(tmp_path: Path) -> None:
    """A package may be installed as compiled files alone."""
    house, copy = Path(cli.__file__).parents[1], tmp_path / "pbmstar"
    for part in ("cli", "machine"):
        shutil.copytree(house / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("__init__", "__main__", "config", "errors"):
        shutil.copy(house / f"{file}.py", copy)
    assert compileall.compile_dir(copy, quiet=1, legacy=True)
    for source in copy.rglob("*.py"):
        source.unlink()
    told = subprocess.run(
        [sys.executable, "-c", SEALED], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
    assert "  move-database  " in told.stdout


PROMISED = """
demo · serve · receive · deliver · remind · analyse · doctor
admin user add · admin user list · admin user show · admin user close · admin user password · admin user address
admin board list · admin board show · admin board reset · admin board remove
admin quarantine list · admin quarantine show · admin quarantine retry · admin quarantine drop
admin outbox list · admin outbox retry · admin check · admin backup · admin export
admin unit · admin man · admin pause · admin resume · admin announce · admin move-database · admin metrics
admin user export · admin user erase · admin user ban · admin user unban
admin explain · admin user find · admin outbox show · admin outbox drop
config · admin problem show · admin suppress list · admin alerts test · admin alerts unmute · admin ladder list
admin league list · admin ratings check · admin ratings rebuild · admin user grant-leave · bot bench
"""


def test_all_promised_commands_exist() -> None:
    known = {" ".join(words) for words in every(main)}
    for line in PROMISED.strip().splitlines():
        assert set(line.split(" · ")) <= known


def test_version() -> None:
    """That of ``setup.cfg``; the commit follows where the program was built from one."""
    result = CliRunner().invoke(main, ["--version"])
    assert result.exit_code == DONE
    assert re.fullmatch(r"pbmstar [0-9a-z.]+( \(commit [0-9a-f]{12}\))?\n", result.output)
