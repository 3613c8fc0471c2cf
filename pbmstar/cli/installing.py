"""What ``pbmstar admin`` writes for an installation: systemd units, a man page."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from ..config import Config

UNITS = ("pbmstar.service", "pbmstar-remind.service", "pbmstar-remind.timer")
_FOLDER = Path(__file__).parent / "units"


def unit(name: str, config: Config) -> str:
    """One of UNITS, for this program and configuration."""
    values = {
        "program": str(Path(sys.prefix) / "bin" / "pbmstar"),
        "places": " ".join(str(place) for place in _places(config)),
        "hardening": (_FOLDER / "hardening").read_text(),
    }
    return (_FOLDER / name).read_text().format(**values).replace("\n\n\n", "\n\n")


def _places(config: Config) -> Iterator[Path]:
    """Where the daemon writes. A spool that is not there yet is made in its folder."""
    yield config.spool if config.spool.is_dir() else config.spool.parent
    if config.lmtp.startswith("unix:/"):
        yield Path(config.lmtp.removeprefix("unix:")).parent
    if config.relay.startswith("maildir:"):
        folder = Path(config.relay.removeprefix("maildir:"))
        if not folder.is_relative_to(config.spool):
            yield folder
    if "/" in config.metrics:
        yield Path(config.metrics).parent


def man_page(program: click.Group, version: str) -> str:
    """The manual page, pbmstar(1), of all commands and their options, made from the program itself."""
    context = click.Context(program, info_name="pbmstar")
    lines = [
        f'.TH PBMSTAR 1 "" "pbmstar {version}"',
        ".SH NAME",
        "pbmstar \\- games by mail",
        ".SH SYNOPSIS",
        ".B pbmstar",
        "[OPTIONS] COMMAND [ARGS]...",
        ".SH DESCRIPTION",
        *_paragraphs(program.help or ""),
        ".SH OPTIONS",
        *_options(program, context),
        ".SH COMMANDS",
    ]
    for words, command in _commands(program, ()):
        inner = click.Context(command, info_name=" ".join(("pbmstar", *words)))
        pieces = " ".join(command.collect_usage_pieces(inner)).removeprefix("[OPTIONS]").strip()
        lines += [".SS " + _safe(" ".join((*words, pieces)).strip())]
        lines += _paragraphs(command.help or "")
        lines += _options(command, inner)
    lines += [".SH EXIT STATUS", *_paragraphs(_STATUSES), ".SH FILES", *_paragraphs(_FILES)]
    return "\n".join(lines) + "\n"


_STATUSES = "0 done, 1 refused, 2 wrong usage or configuration, 75 try again later."
_FILES = "./pbmstar.toml, /etc/pbmstar.toml: the configuration, the first that is there."


def _commands(
    group: click.Group, words: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, (*words, name))
        else:
            yield (*words, name), command


def _options(command: click.Command, context: click.Context) -> list[str]:
    lines: list[str] = []
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and "--help" not in record[0]:
            lines += [".TP", f".B {_safe(record[0])}", _safe(record[1])]
    return lines


def _paragraphs(text: str) -> list[str]:
    parts = [" ".join(part.split()) for part in text.split("\n\n")]
    return [line for part in parts for line in (".PP", _safe(part))]


def _safe(text: str) -> str:
    """Text that roff takes as it is."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text
