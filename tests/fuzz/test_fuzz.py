"""Hostile mails: only declared errors escape from what reads them, each within its time.

`python tests/fuzz/run.py` does the same for long; a mail that it finds belongs into ``found/``.
"""

from __future__ import annotations

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
from pbmstar.service.incoming.bounces import HARD, weight

FOUND = sorted((Path(__file__).parent / "found").glob("*.eml"))


@pytest.mark.parametrize("name", SHAPES)
def test_each_shape(name: str) -> None:
    for size in (0, 100, 8_000, 150_000):
        meet(shaped(name, size))


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
def test_each_shape_as_big_as_a_mail_may_be(name: str) -> None:
    meet(shaped(name, 1_000_000)[: 1 << 20])


@pytest.mark.parametrize("seed", range(0, 1000, 200))
def test_mails_by_chance(seed: int) -> None:
    for number, raw in several(seed, 200):
        try:
            meet(raw)
        except Exception as error:
            pytest.fail(
                f"{type(error).__name__}: {error}; python tests/fuzz/run.py --only {number}"
            )


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
    assert weight(raw) == weight(raw.replace(b"From: ", b"From: Post\xe4mter ", 1)) == HARD


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


def test_a_mail_beyond_the_gate_is_refused_and_that_is_all() -> None:
    """So the shapes do meet the gate, and what is behind it."""
    refused = 0
    for name in SHAPES:
        try:
            inbound.read(shaped(name, 150_000), DOMAIN)
        except Unreadable:
            refused += 1
    assert 5 < refused < len(SHAPES) - 20
