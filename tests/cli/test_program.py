"""The program from outside: all that is promised is there."""

from __future__ import annotations

import compileall
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


def test_a_list_of_commands_tells_each_whole() -> None:
    """Those of ``admin`` are told by a table: it names all commands of its modules, each in the module it has."""
    for words in ((), ("admin",)):
        told = CliRunner().invoke(main, [*words, "--help"]).output.partition("Commands:\n")[2]
        lines = [line.split(maxsplit=1) for line in told.splitlines()]
        assert lines and all(len(line) == 2 and not line[1].endswith("...") for line in lines), told
        if words:
            assert all(len(help_) <= 45 for _, help_ in lines), told
            table = {name for name, _ in lines}
    admin = main.commands["admin"]
    assert isinstance(admin, Group)
    admin.load()
    assert table == admin.commands.keys()


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
