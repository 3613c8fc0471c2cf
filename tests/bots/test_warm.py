"""Bots whose search isn't compiled yet: nothing is promised about their time, and an operator can compile."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import quickbot
from harness.office import Office

from pbmstar.bots import budget, warm
from pbmstar.machine.child import Child, ChildDown
from pbmstar.thinking import worker as thinker_module

ENDS = (sys.executable, "-c", "")  # a process that doesn't answer


@pytest.fixture(autouse=True)
def _numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if numba were installed."""
    monkeypatch.setattr(budget, "is_compiled", lambda: True)
    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "0.60")
    warm.source.cache_clear()
    yield
    warm.source.cache_clear()


def compiler(folder: Path) -> Child:
    """A process that answers right away."""
    return Child((sys.executable, quickbot.__file__, str(folder)), {})


def told(office: Office) -> str:
    """The letter after a move to a bot that hasn't answered yet."""
    board = office.game("star challenge -size=3 alice bot9")
    office.play(board, "B2")
    office.now += 16
    return " ".join(office.letters()[-1].text.split())


def test_the_time_of_an_answer_is_told_only_when_nothing_is_left_to_compile(
    office: Office, tmp_path: Path
) -> None:
    spool = office.config.spool
    before = told(office)
    assert "bot9 is getting ready. You'll get its first move in the next letter." in before
    assert "minute" not in before
    warm.warm(spool, compiler(tmp_path))
    assert (
        "bot9 is thinking. You'll get its move in the next letter, usually within 2 minutes."
        in told(office)
    )


def test_a_failed_compilation_leaves_nothing_ready(tmp_path: Path) -> None:
    with pytest.raises(ChildDown):
        warm.warm(tmp_path, Child(ENDS, {}))
    assert not warm.is_ready(tmp_path)


def test_after_an_upgrade_it_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = shutil.copy(warm.KERNEL, tmp_path)
    monkeypatch.setattr(warm, "KERNEL", Path(kernel))
    warm.warm(tmp_path, compiler(tmp_path))
    assert warm.is_ready(tmp_path)
    os.utime(kernel, (1, 1))
    warm.source.cache_clear()
    assert not warm.is_ready(tmp_path)


def test_an_operator_compiles(
    office: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = (sys.executable, quickbot.__file__, str(tmp_path))
    monkeypatch.setattr(thinker_module.compiler, "__defaults__", (command,))
    done = office.run("bot", "warm")
    assert (done.exit_code, done.output) == (0, "The bots are ready.\n")
    assert warm.is_ready(office.config.spool)
    monkeypatch.setattr(thinker_module.compiler, "__defaults__", (ENDS,))
    failed = office.run("bot", "warm")
    assert failed.exit_code == 1 and "The bots can't be compiled" in failed.output
    monkeypatch.setattr(budget, "is_compiled", lambda: False)
    assert office.run("bot", "warm").output == (
        "There's nothing to compile: numba isn't installed.\n"
    )
