"""Whatever is raised, wherever in the handling of a mail: its bringer is told, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import aiosmtpd.smtp
import argon2.exceptions
import email_validator
import jinja2
import lxml.etree
import pytest
import sqlalchemy.exc
from harness.server import PATIENCE

from pbmstar import errors
from pbmstar.config import load
from pbmstar.intake.fate import Fate, Receipt
from pbmstar.intake.take import UNLIMITED, Intake, Rate
from pbmstar.service.admin.metrics import Metrics
from pbmstar.service.work.context import Computation, Envelope, Outcome, Precomputed
from pbmstar.store.writer import Writer

NO_TIME = Rate(second=1, burst=1, queue=0)
ENVELOPE = Envelope("a@b.example", ())
MODULES = (
    builtins, errors, sqlite3, sqlalchemy.exc, asyncio, jinja2, lxml.etree, email_validator,
    argon2.exceptions, aiosmtpd.smtp,
)  # fmt: skip
STAGES = ("read", "read long", "execute", "compute", "put off", "commit", "wake", "note", "metrics")


def _made(kind: type[BaseException]) -> BaseException | None:
    """One of that kind, however many words it wants."""
    ways: tuple[tuple[Any, ...], ...] = (
        (), ("x",), ("x", "y"), ("x", "y", "z"), (1, "x", 2, 3, "y"), ("utf-8", b"x", 0, 1, "y"),
        ("x", [ValueError()]),
    )  # fmt: skip
    for words in ways:
        with contextlib.suppress(Exception):
            return kind(*words)
    return None


KINDS = {
    kind.__qualname__: kind
    for module in MODULES
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, BaseException) and _made(kind) is not None
}


# Among them are those that a future refuses, and those that end an event loop.
ODD = (
    "StopIteration", "StopAsyncIteration", "GeneratorExit", "KeyboardInterrupt", "SystemExit",
    "CancelledError", "BaseExceptionGroup", "MemoryError", "OperationalError", "CommitUnknown",
)  # fmt: skip


def test_kinds_are_many() -> None:
    assert len(KINDS) > 120
    assert KINDS.keys() >= set(ODD)


class Failing:
    """A service, and a store, that raise ``kind`` at ``stage`` of a mail."""

    def __init__(self) -> None:
        self.kind: type[BaseException] | None = None
        self.stage = ""

    def at(self, stage: str) -> None:
        if self.kind is not None and self.stage == stage:
            error = _made(self.kind)
            assert error is not None
            raise error

    def read(self, raw: bytes) -> Any:
        self.at("read")
        self.at("read long")
        return raw

    def execute(
        self, _tx: Any, _envelope: Any, _mail: Any, raw: bytes, results: Precomputed
    ) -> Any:
        self.at("execute")
        if raw.startswith(b"compute") and not results.known:
            return Computation("key", lambda: self.at("compute"), "bounce")
        return Outcome("applied")

    def put_off(self, *_: Any) -> None:
        self.at("put off")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[Any]:
        yield self
        self.at("commit")


class Counting(Metrics):
    """Metrics that fail too."""

    def __init__(self, failing: Failing) -> None:
        super().__init__()
        self.failing = failing

    def observe(self, name: str, value: float) -> None:
        if name == "pbmstar_commit_mails":
            self.failing.at("metrics")
        super().observe(name, value)


@pytest.mark.few(4)
@pytest.mark.parametrize("stage", STAGES)
def test_each_mail_has_a_fate(
    stage: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every kind of error, of the language, of ours and of the libraries, at each stage of a mail.

    Without --slow each kind at one stage, and all of the odd ones at each.
    """
    rate = NO_TIME if stage == "put off" else UNLIMITED
    monkeypatch.setattr("pbmstar.intake.take.BOUNCES", rate)
    monkeypatch.setattr("pbmstar.intake.quarantine.OF_ONE", 10**6)
    failing: Any = Failing()
    metrics = Counting(failing)
    config = load({"address": "star@pbm.example", "spool": str(tmp_path)}, {})
    unsettled: list[str] = []

    def note(_alert: Any) -> None:
        failing.at("note")

    async def play(kind: type[BaseException]) -> None:
        failing.kind, failing.stage = kind, stage
        broken: list[errors.CommitUnknown] = []
        writer = Writer(
            failing, broken.append, lambda jobs: metrics.observe("pbmstar_commit_mails", jobs)
        )
        intake = Intake(config, failing, writer, lambda: failing.at("wake"), note, metrics)
        raw = b"compute" + b"x" * (40_000 if stage == "read long" else 0)
        try:
            async with asyncio.timeout(PATIENCE):
                assert isinstance(await intake.take("peer", ENVELOPE, raw), Receipt)
        except TimeoutError:
            unsettled.append(kind.__qualname__)
        except Exception:  # the session answers 451
            assert stage == "note"
        failing.kind = None
        last = await intake.take("peer", ENVELOPE, b"after it")
        assert last.fate is (Fate.LATER if broken else Fate.TAKEN)
        assert await intake.finish(PATIENCE)
        assert await asyncio.to_thread(writer.close, PATIENCE)

    if stage == "note":  # what is noted is that there was something else
        failing.execute = _bug
    kinds = list(KINDS.values())
    if not request.config.getoption("--slow"):
        kinds = [*kinds[STAGES.index(stage) :: len(STAGES)], *map(KINDS.__getitem__, ODD)]
    with asyncio.Runner() as runner:
        for kind in kinds:
            runner.run(play(kind))
    assert unsettled == []


def _bug(*_: Any) -> Any:
    raise ZeroDivisionError


def test_stop_leaves_what_does_not_end() -> None:
    """A commit that lasts for ever is not waited for; what comes too late is told so."""
    store: Any = Failing()
    writer, go_on = Writer(store), threading.Event()
    begun = threading.Event()
    first = writer.submit(lambda _tx: (begun.set(), go_on.wait(PATIENCE)))
    assert begun.wait(PATIENCE)
    behind = writer.submit(lambda _tx: None)
    assert not writer.close(0.05)
    for late in (behind, writer.submit(lambda _tx: None)):
        with pytest.raises(errors.TemporaryFailure):
            late.result(PATIENCE)
    go_on.set()
    assert first.result(PATIENCE)


def test_jobs_get_their_own_errors() -> None:
    """One that no future can hold comes as another that names it, and only to its own job."""
    store: Any = Failing()
    writer = Writer(store)

    def stray(_tx: Any) -> None:
        raise StopIteration

    async def play() -> list[Any]:
        jobs: list[Callable[[Any], Any]] = [lambda _tx: 1, stray, lambda _tx: 2]
        return await asyncio.gather(*map(writer.run, jobs), return_exceptions=True)

    one, error, two = asyncio.run(play())
    writer.close()
    assert (one, two, str(error)) == (1, 2, "StopIteration was raised")
