"""The program at work: each file of ``sessions/`` has what is typed, and what comes back.

``$`` begins a command, ``<`` a line of its standard input. Below stands what it prints: JSON on one line, after
``!`` what goes to standard error (of a line of the log its event), and in brackets an exit status that is not
0. TIME, CLOCK, N, USER and ID stand for what is never the same; common sentences have their names
(harness/common.py). A file that begins with ``# Played`` has two accounts and a board with moves. ``pytest tests/cli
--renew`` writes anew what comes back.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from harness.common import named
from harness.program import REFUSED, Program

from pbmstar.cli import main

SESSIONS = sorted((Path(__file__).parent / "sessions").glob("*.txt"))
CHANGING = (
    (r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", "TIME"),
    (r'(?<="clock": ){[^}]*}', "CLOCK"),
    (r'(?m)(?<="letter": )\d+|^\d+ +(?=new )', "N "),
    (r"(?<=operator )\w+", "USER"),
    (r"<?pbmstar\.[\w.@]+>?", "ID"),
    (r"(?s)connection failed: .*", "connection failed"),
    (r"(?s)(^|(?<=! ))Usage: .*", "Usage: ..."),  # it is click's
)
SECRETS = re.compile("s3cret|hunter2|d0ra.pass|n3w.pass")


def shown(done: Result) -> str:
    """Return what a command says, as a session shows it."""
    said = done.stdout
    if said[:1] in ("{", "[") and said.count("\n") > 1 and "\n{" not in said:
        said = json.dumps(json.loads(said)) + "\n"
    said += "".join(f"! {_told(line)}\n" for line in done.stderr.splitlines())
    said = named(said)
    for pattern, name in CHANGING:
        said = re.sub(pattern, name, said)
    said = re.sub(r" +$", "", re.sub(r"TIME +", "TIME  ", said), flags=re.M)
    said = said.rstrip("\n") + "\n" * bool(said)
    return said + (f"[{done.exit_code}]\n" if done.exit_code else "")


def _told(line: str) -> str:
    """Return a line of standard error; of a line of the log its event, and what came of a mail."""
    try:
        facts = json.loads(line)
    except ValueError:
        return line
    return f"{facts['event']} {facts.get('outcome', '')} {facts.get('why', '')}".strip()


def steps(text: str) -> Iterator[tuple[str, str]]:
    """Yield each command with its input, and what comes back; or a remark and nothing."""
    for piece in re.split(r"^(?=[$#] )", text, flags=re.M)[1:]:
        lines = piece.splitlines()
        count = 1 + sum(line.startswith("< ") or line == "<" for line in lines)
        yield "\n".join(lines[:count]) + "\n", "\n".join(lines[count:]).rstrip("\n")


def answer(asked: str, program: Program) -> str:
    """Type a command, and return what comes back."""
    command, *given = asked.splitlines()
    words = shlex.split(command.removeprefix("$ "))
    place = words.index("pbmstar")
    around = dict(word.split("=", 1) for word in words[:place])
    around = {"PBMSTAR_SPOOL": str(program.spool), "PBMSTAR_DATABASE": program.database, **around}
    mail = "".join(f"{line[2:]}\n" for line in given)
    opened = {*program.spool.glob("*.db-wal")}
    done = CliRunner(catch_exceptions=False).invoke(
        main, words[place + 1 :], input=mail, env=around
    )
    assert "Traceback" not in done.output
    assert not SECRETS.search(done.output), command
    assert done.exit_code != REFUSED or {*program.spool.glob("*.db-wal")} <= opened, "it is closed"
    return shown(done)


@pytest.mark.parametrize("file", SESSIONS, ids=lambda file: file.stem)
def test_session(
    file: Path, program: Program, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = file.read_text()
    if text.startswith("# Played"):
        request.getfixturevalue("played")
    monkeypatch.chdir(program.folder)
    said = ""
    for asked, _ in steps(text):
        said += asked + (answer(asked, program) + "\n" if asked.startswith("$") else "")
    said = said.rstrip("\n") + "\n"
    if request.config.getoption("--renew"):
        file.write_text(said)
    assert said == file.read_text()
