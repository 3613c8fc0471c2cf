"""The program from outside: all that is promised is there."""

from __future__ import annotations

import compileall
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from harness.program import DONE

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
            listed = group.splitlines()
            assert any(line.split(maxsplit=1) == [words[-1], summary] for line in listed), words


def test_each_help_ends_with_an_example_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is one line, and the program understands it: its words, options and values."""
    monkeypatch.setattr(click.Path, "convert", lambda _, value, *others: value)
    monkeypatch.setattr(click.File, "convert", lambda _, value, *others: value)
    for words in every(main):
        *_, title, example = CliRunner().invoke(main, [*words, "--help"]).output.splitlines()
        assert title == "Example:", words
        typed = shlex.split(re.sub(r" [<>] \S+", "", example))
        assert typed[: len(words) + 1] == ["pbmstar", *words]
        rest = typed[len(words) + 1 :]
        command = command_of(words)
        if isinstance(command, click.Group):
            context = click.Context(command)
            assert command.get_command(context, rest[0]) is not None, example
            rest = rest[1:] if words else []
            command = command_of((*words, typed[len(words) + 1]))
        command.make_context("x", rest)


def test_each_command_that_lists_things_has_json() -> None:
    """So does whatever prints several findings."""
    more = {
        "site",
        "admin check",
        "admin ratings rebuild",
        "admin top",
        "admin twins",
        "admin audit",
    }
    for words in every(main):
        if words[-1:] == ("list",) or " ".join(words) in more:
            names = {option for each in command_of(words).params for option in each.opts}
            assert "--json" in names, words


def test_a_shell_completes_commands_and_options(monkeypatch: pytest.MonkeyPatch) -> None:
    for shell in ("bash", "zsh", "fish"):
        script = CliRunner().invoke(main, ["completion", shell]).output
        assert "_PBMSTAR_COMPLETE" in script and "compl" in script
    asked = {
        "_PBMSTAR_COMPLETE": "bash_complete",
        "COMP_WORDS": "pbmstar admin user ",
        "COMP_CWORD": "3",
    }
    told = CliRunner(env=asked).invoke(main, prog_name="pbmstar")
    assert {"plain,add", "plain,erase"} <= set(told.output.split())


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
    assert listed == admin.commands.keys()


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


@pytest.mark.parametrize("words", ["remind", "remind --dry-run", "admin backup copy.db"])
def test_what_needs_a_database_makes_none(
    words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a restore went wrong, the timer must not put an empty database in its place."""
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["--spool", "spool", *words.split()])
    assert result.exit_code == 1
    assert "There is no database" in result.stderr
    assert not list(tmp_path.rglob("*.db*"))


def test_help_shows_the_commands_first_and_what_to_do_next() -> None:
    """The keys, which every command takes, stand in the help of config."""
    told = CliRunner().invoke(main, ["--help"]).output
    places = [
        told.index(title) for title in ("Try:", "Run a server:", "Look after it:", "Options:")
    ]
    assert places == sorted(places)
    assert "--spool DIRECTORY" not in told
    keys = CliRunner().invoke(main, ["config", "--help"]).output
    assert "--spool DIRECTORY" in keys and "--mailbox URL" in keys
    alone = CliRunner().invoke(main, [])
    assert (alone.exit_code, len(alone.output.splitlines())) == (0, 5)
    assert "pbmstar setup" in alone.output
