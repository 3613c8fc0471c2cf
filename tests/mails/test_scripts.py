"""The golden scripts (script.py says how to read them): each plays out as it is written.

``pytest tests/mails --renew`` writes anew what comes out; read the difference before committing it.
"""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any

import pytest
from harness.office import Office

from pbmstar.parts import FEATURES

from .script import Script, settings

TESTS = Path(__file__).parent.parent
SCRIPTS = {file.stem: file for file in TESTS.rglob("*.mails")}  # those of features lie with them


def _param(name: str) -> Any:
    """A script as a test; some of whole games, which show what others show too, are slow."""
    is_slow = "\n! slow\n" in SCRIPTS[name].read_text("utf-8")
    return pytest.param(name, marks=pytest.mark.slow if is_slow else ())


@pytest.mark.parametrize("name", [_param(name) for name in sorted(SCRIPTS)])
def test_script(name: str, database: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    file = SCRIPTS[name]
    text = file.read_text("utf-8")
    if missing := set(re.findall(r"(?m)^! needs (.*)$", text)) - set(FEATURES):
        pytest.skip(f"without {missing}")
    office = Office(database, tmp_path / "spool", **settings(text))
    script = Script(office, file.parent.name)
    really = script.play(text)
    office.close()
    golden = {file: really}
    letters = file.with_suffix(".letters")  # the one script whose letters stand there byte for byte
    if letters.exists():
        golden[letters] = script.whole().decode("ascii")
    if request.config.getoption("--renew"):
        for path, content in golden.items():
            path.write_bytes(content.encode())
    for path, content in golden.items():
        written = path.read_bytes().decode()
        changes = difflib.unified_diff(
            written.splitlines(), content.splitlines(), path.name, "now", lineterm="", n=5
        )
        assert written == content, "\n" + "\n".join(changes)
