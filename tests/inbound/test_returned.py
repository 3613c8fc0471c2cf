"""Bounces are read in a process of their own, which has its time."""

from __future__ import annotations

import os
import signal
import time

import pytest
from harness.server import children

from pbmstar.inbound import returned

LIMIT = 5.0  # seconds of the processor: a slow machine needs less by far, what is quadratic more
HEAD = b"From: MAILER-DAEMON@evil.example\r\nMessage-ID: <1@evil.example>\r\n\r\n"


@pytest.mark.parametrize(
    "body", [b"a," * 32_500, b",," * 32_500, b"a,\n" * 21_000, b"x@y," * 16_000, b"<" * 65_000]
)
def test_the_worst_bounces_known(body: bytes) -> None:
    """One line of 65 kB took seconds, and all others waited for it."""
    assert returned.read(HEAD + body) in ("", returned.PERMANENT)
    begun = time.thread_time()
    returned.kind_of(returned.beginning(HEAD + body))
    assert time.thread_time() - begun < LIMIT


def test_a_reading_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says nothing then, and the next bounce is read by a new process; so it is if that has ended."""
    report = b"Content-Type: message/feedback-report\n\nFeedback-Type: abuse\n"
    assert returned.read(report) == returned.COMPLAINT
    (slow,) = readers()
    os.kill(slow, signal.SIGSTOP)
    monkeypatch.setattr(returned, "PATIENCE", 0.05)
    assert returned.read(report) == ""
    assert slow not in readers()
    monkeypatch.setattr(returned, "PATIENCE", 20.0)
    assert returned.read(report) == returned.COMPLAINT
    (good,) = readers()
    os.kill(good, signal.SIGKILL)
    assert returned.read(report) == returned.COMPLAINT
    assert readers() not in ([], [good])


def readers() -> list[int]:
    """Return the processes of ours that read bounces."""
    return children(os.getpid(), "inbound.returned")
