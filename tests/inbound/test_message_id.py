"""What tells a mail from others: its Message-ID, or else a digest."""

from __future__ import annotations

import dataclasses

import pytest

from pbmstar.inbound import read

from .written import DOMAIN, MOVE, got, lines, mail


@pytest.mark.parametrize(
    "more",
    [
        # H11: who sent it, and where answers go
        "Return-Path: <eve@example.net>\nSender: eve@example.net\nReply-To: eve@example.net\n"
        "Resent-From: eve@example.net\nResent-Sender: eve@example.net",
        # H20: without a name of our own server nobody's results are believed
        "Authentication-Results: mx.star.example; spf=pass; dkim=pass header.d=example.net; dmarc=pass",
        "Authentication-Results: mx.pbm.example; dmarc=pass header.from=example.net",
    ],
)
def test_fields_that_change_nothing(more):
    assert read(mail(MOVE, more=more), DOMAIN) == read(mail(MOVE), DOMAIN)


@pytest.mark.parametrize(
    "date",
    ["Thu, 1 Jan 1970 00:00:00 +0000", "Thu, 1 Jan 2099 00:00:00 +0000", "yesterday", "\0\xff", ""],
)
def test_date_is_not_looked_at(date):
    """D6: a Date long past, far in the future or of garbage changes nothing."""
    ours = b"Date: Tue, 3 Nov 2026 11:00:00 +0100"
    raw = mail(MOVE)
    assert ours in raw
    theirs = raw.replace(ours, b"Date: " + date.encode("latin-1"))
    assert read(theirs, DOMAIN) == read(raw, DOMAIN)


GREETING = f"{MOVE}\n\nGrüße, und – viel Glück!   \n-- \nAlice\n"


def test_digest_of_a_second_delivery():
    """The same whatever way the mail took and however it was encoded there."""
    digest = got(GREETING, subject="hi").digest
    assert len(digest) == 32
    for raw in (
        mail(GREETING, subject="hi", line_end=b"\n"),
        mail(
            GREETING, subject="hi", more="Received: by example.org; Tue, 3 Nov 2026 10:00:01 +0000"
        ),
        mail(
            GREETING,
            subject="hi",
            more="DKIM-Signature: v=1\nX-Spam: no\nAuthentication-Results: x",
        ),
        mail(GREETING, subject="hi", cte="quoted-printable"),
        mail(GREETING, subject="hi", cte="base64"),
        mail(GREETING.encode("cp1252"), subject="hi", kind="text/plain; charset=windows-1252"),
        mail(GREETING, subject="=?utf-8?q?hi?="),
        mail(GREETING, subject="[EXTERNAL] hi"),
        mail(GREETING.rstrip(), subject="hi"),
        mail(GREETING, subject="hi", author="<ALICE@example.net>"),
    ):
        assert read(raw, DOMAIN).digest == digest


def test_digest_of_another_mail():
    digest = got(GREETING, subject="hi").digest
    for raw in (
        mail(GREETING, subject="ho"),
        mail(GREETING + "!", subject="hi"),
        mail(GREETING.replace("F6", "F7"), subject="hi"),
        mail(
            GREETING.replace("Alice", "Bob"), subject="hi"
        ),  # below the signature: not an own line
        mail(GREETING, subject="hi", author="bob@example.net"),
        mail(GREETING, subject="hi", message_id="<m2@mail.example.net>"),
        mail(GREETING, subject="hi", message_id=None),
        mail(GREETING),
        mail("hi\n" + GREETING),
    ):
        assert read(raw, DOMAIN).digest != digest


def test_inbound_is_a_value():
    inbound = got(MOVE)
    with pytest.raises(dataclasses.FrozenInstanceError):
        inbound.author = "eve@example.net"  # type: ignore[misc]
    assert lines(MOVE) == inbound.lines
