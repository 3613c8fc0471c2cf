"""What tells a mail from others: its Message-ID, or else a digest."""

from __future__ import annotations

import dataclasses

import pytest

from pbmstar.inbound import read

from .written import DOMAIN, MOVE, got, lines, mail


@pytest.mark.parametrize(
    ("told", "message_id"),
    [
        ("<a.b+c=d@mail.example.net>", "<a.b+c=d@mail.example.net>"),
        ("<CAF$x_%1~y!@[192.0.2.1]>", "<CAF$x_%1~y!@[192.0.2.1]>"),
        (" <A@B> ", "<A@B>"),
        ("\r\n <a@b>", "<a@b>"),
        ("<[abc]@>", None),
        ("<a b@c>", None),
        ("<a@b> <c@d>", None),
        ("a@b", None),
        ("<a>", None),
        ('<"a"@b>', None),
        ("<ä@b>", None),
        ("<a@b\\r\\nBcc:x>", None),
        ("<" + "a" * 246 + "@b>", "<" + "a" * 246 + "@b>"),
        ("<" + "a" * 247 + "@b>", None),
        ("", None),
    ],
)
def test_message_id(told, message_id):
    assert got(message_id=told).message_id == message_id


def test_two_message_ids():
    assert read(mail(more="Message-ID: <m2@b>"), DOMAIN).message_id is None


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
