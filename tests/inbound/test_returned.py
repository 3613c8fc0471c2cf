"""Bounces are read elsewhere; and the worst input known of each library that reads strangers' bytes."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from email_validator import EmailNotValidError, validate_email

from pbmstar.inbound import fields, html, mime, returned
from pbmstar.machine.child import Child

LIMIT = 5.0  # seconds of the processor: a slow machine needs less by far, what is quadratic more
HEAD = b"From: MAILER-DAEMON@evil.example\r\nMessage-ID: <1@evil.example>\r\n\r\n"


@pytest.mark.parametrize(
    "body", [b"a," * 32_500, b",," * 32_500, b"a,\n" * 21_000, b"x@y," * 16_000, b"<" * 65_000]
)
def test_the_worst_bounces_known(body: bytes) -> None:
    """One line of 65 kB took seconds, and all others waited for it."""
    assert returned.read(HEAD + body) in ("", returned.PERMANENT)
    _in_time(lambda: returned.kind_of(returned.beginning(HEAD + body)))


@pytest.mark.parametrize(
    "markup",
    [
        "<a " + "".join(f"b{n}=1 " for n in range(25_000)) + ">x",
        "<" * mime.HTML, "&amp" * (mime.HTML // 4), '<a b="' + "<" * mime.HTML, "<!--" + "x" * mime.HTML,
        "<div>" * (mime.HTML // 5), "<b><p>" * (mime.HTML // 6), "<!DOCTYPE " + "x" * mime.HTML,
    ],
    ids=lambda markup: markup[:6],
)  # fmt: skip
def test_the_worst_markup_known(markup: str) -> None:
    _in_time(lambda: html.extract(markup[: mime.HTML]))


@pytest.mark.parametrize("word", ["=?", "=?a?q?", "=?utf-8?q?=41?= ", "=?idna?q?xn--a?= "])
def test_the_worst_encoded_words_known(word: str) -> None:
    _in_time(lambda: fields.subject({"subject": [word * 10_000]}))


@pytest.mark.parametrize("domain", ["xn--" + "a" * 58 + ".", "a.", "\u00e9" * 60 + "."])
def test_the_worst_addresses_known(domain: str) -> None:
    def check() -> None:
        with pytest.raises(EmailNotValidError):
            validate_email(f"a@{domain * 120}"[:254], check_deliverability=False)

    _in_time(check)


def test_a_reading_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """It says nothing then; and the next bounce is read by a new process."""
    reader = returned._Reader()
    good, slow = reader._child, Child(["sh", "-c", "sleep 60"], {"PATH": "/bin:/usr/bin"})
    monkeypatch.setattr(returned, "PATIENCE", 0.05)
    reader._child = slow
    assert reader.read("x") == ""
    assert slow._process is None
    monkeypatch.setattr(returned, "PATIENCE", 20.0)
    reader._child = good
    report = "Content-Type: multipart/report; report-type=feedback-report; boundary=b\n\n--b--\n"
    assert reader.read(report) == returned.COMPLAINT
    assert good._process is not None
    good._process.kill()
    good._process.wait()
    assert reader.read(report) == returned.COMPLAINT
    good.close()


def _in_time(act: Callable[[], object]) -> None:
    begun = time.thread_time()
    act()
    assert time.thread_time() - begun < LIMIT
