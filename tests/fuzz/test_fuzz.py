"""Hostile mails: only declared errors escape from what reads them, each within its time.

`python tests/fuzz/run.py` does the same for long; a mail that it finds belongs into ``found/``.
"""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pytest
from fuzz.corpus import SHAPES, parts, several, shaped
from fuzz.target import TooSlow, bound, meet
from harness.returned import bounce
from inbound.written import DOMAIN, OLD

from pbmstar import inbound
from pbmstar.errors import Unreadable
from pbmstar.inbound import returned

FOUND = sorted((Path(__file__).parent / "found").glob("*.eml"))


def met(raw: bytes, name: str) -> None:
    """Fail with the name of a mail if something undeclared comes of it, or it takes too long."""
    try:
        meet(raw)
    except Exception as error:
        pytest.fail(f"{name}: {type(error).__name__}: {error}")


@pytest.mark.parametrize(
    "size",
    [0, 100, *(pytest.param(n, marks=pytest.mark.slow) for n in (8_000, 150_000))],
)
def test_each_shape(size: int) -> None:
    """The largest are as big as a mail may be."""
    for name in SHAPES:
        met(shaped(name, size)[: 1 << 20], name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(200, 1000, 200))]
)
def test_mails_by_chance(seed: int) -> None:
    for number, raw in several(seed, 200):
        met(raw, f"python tests/fuzz/run.py --only {number}")


def test_quoted_text_stays_quoted_in_any_structure_of_parts() -> None:
    read = 0
    for seed in range(500):
        with suppress(Unreadable):
            mail = inbound.read(parts(Random(seed)), DOMAIN)
            read += bool(mail.lines)
            assert OLD not in mail.lines, seed
            assert not (mail.lines and mail.trouble), seed
    assert read > 50


def test_a_bounce_is_read_although_its_header_is_not_ascii() -> None:
    """Found by chance: the library that reads bounces takes such a field for no text."""
    raw, _, _ = bounce("star+bbob-x@pbm.example", "5.1.1", 1)
    crooked = raw.replace(b"From: ", b"From: Post\xe4mter ", 1)
    assert returned.read(raw) == returned.read(crooked) == returned.PERMANENT


@pytest.mark.parametrize("file", FOUND, ids=lambda file: file.stem)
def test_what_was_found_once(file: Path) -> None:
    meet(file.read_bytes())


@pytest.mark.parametrize("error", [KeyError, ValueError, RecursionError, UnicodeDecodeError])
def test_an_error_that_is_not_declared_is_seen(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    arguments = ("ascii", b"", 0, 1, "") if error is UnicodeDecodeError else ()

    def faulty(*_: object) -> None:
        raise error(*arguments)

    monkeypatch.setattr("pbmstar.inbound.read", faulty)
    with pytest.raises(error):
        meet(b"From: a@b.example\r\n\r\nhelp\r\n")


def test_a_reader_that_is_slow_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    times = [0.0, bound(b"x") + 0.1]
    monkeypatch.setattr("fuzz.target.time", SimpleNamespace(thread_time=lambda: times.pop(0)))
    with pytest.raises(TooSlow):
        meet(b"x")


@pytest.mark.slow
def test_a_mail_beyond_the_gate_is_refused_and_that_is_all() -> None:
    """So the shapes do meet the gate, and what is behind it; each is read within its time."""
    refused = 0
    for name in SHAPES:
        raw = shaped(name, 40_000)
        begun = time.thread_time()
        try:
            inbound.read(raw, DOMAIN)
        except Unreadable:
            refused += 1
        assert time.thread_time() - begun < bound(raw), name
    assert 5 < refused < len(SHAPES) - 20
