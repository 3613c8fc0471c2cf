"""Each module of the program can be imported first, in a process that has imported nothing of ours."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent.parent / "pbmstar"
# A process for each module would start the interpreter 400 times: this one divides itself for each.
EACH_FIRST = """
import gc, importlib, os, sys
# Not ours: what many of our modules import, or one that takes long.
import alembic.command, argon2, asyncio, click, difflib, email.parser, email.policy, email_validator, jinja2.ext
import lxml.etree, numba, PIL.Image, sqlalchemy.dialects.sqlite, sqlalchemy.orm
gc.disable()  # it would go through all of them, and copy them, in each child
for name in sys.argv[1:]:
    child = os.fork()
    if not child:
        try:
            importlib.import_module(name)
        except BaseException as error:
            print(name, type(error).__name__, error, flush=True)
        os._exit(0)
    os.waitpid(child, 0)
"""


def names() -> list[str]:
    """Return all modules that do nothing when they are imported."""
    paths = (path.relative_to(HOUSE.parent) for path in sorted(HOUSE.rglob("*.py")))
    return [
        ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        for path in paths
        if path.stem != "__main__" and not {"migrations", "packaging"} & set(path.parts)
    ]


def failed(part: list[str]) -> str:
    """Import each module in a process of its own, and return what failed, a line each."""
    command = [sys.executable, "-c", EACH_FIRST, *part]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.mark.slow
def test_each_module_can_be_imported_first() -> None:
    """Two at a time. What is imported by somebody else before hides a circle of imports."""
    every = names()
    with ThreadPoolExecutor(2) as pool:
        assert "".join(pool.map(failed, (every[::2], every[1::2]))) == ""


@pytest.mark.slow
def test_a_circle_would_be_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.py").write_text("from two import b\na = 1\n")
    (tmp_path / "two.py").write_text("from one import a\nb = 1\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert failed(["one", "two"]).count("ImportError") == 2
