"""The program from outside: all that is promised is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from harness.program import DONE

from pbmstar.cli import main


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
