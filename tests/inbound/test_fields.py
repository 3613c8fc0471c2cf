"""Author, Message-ID, Subject; and the digest by which a second delivery is known."""

from __future__ import annotations

import pytest

from pbmstar.inbound import read

from .written import DOMAIN, MOVE, got, mail


@pytest.mark.parametrize(
    ("told", "author"),
    [
        ("alice@example.net", "alice@example.net"),
        ("<alice@example.net>", "alice@example.net"),
        ("Alice <Alice@Example.NET>", "alice@example.net"),
        ('"Example, Alice" <alice@example.net>', "alice@example.net"),
        ("Example, Alice <alice@example.net>", "alice@example.net"),
        (r'"Alice \"<eve@x.example>\" A" <alice@example.net>', "alice@example.net"),
        ("alice@example.net (Alice)", "alice@example.net"),
        ("alice@example.net <alice@example.net>", "alice@example.net"),
        ("=?utf-8?q?Al=C3=AFce?= <alice+star@example.net>", "alice+star@example.net"),
        ("Älice <alice@example.net>", "alice@example.net"),
        ("Alice\r\n <alice@example.net>", "alice@example.net"),
        ("alice@localhost", "alice@localhost"),
        ("", None),
        ("Alice", None),
        ("alice@", None),
        ("alice@example.net, bob@example.net", None),
        ("Alice <alice@example.net>, Bob <bob@example.net>", None),
        ("bob@example.net, Alice <alice@example.net>", None),
        ("friends: alice@example.net;", None),
        ("<@relay.example:alice@example.net>", None),
        ('"a b"@example.net', None),
        ("älice@example.net", None),
        ("alice@[192.0.2.1]", None),
        ("alice@example.net\u200b", None),
        ("alice@example.net <alice@example.net", None),
        ("x" * 250 + "@example.net", None),
    ],
)
def test_author(told, author):
    assert got(author=told).author == author


def test_two_authors():
    """H5: two From fields, or two addresses in one, identify nobody; the text is read all the same."""
    twice = read(mail(MOVE, more="From: eve@example.net"), DOMAIN)
    assert twice.author is None
    assert twice.lines == (MOVE,)
    assert got(author="alice@example.net, eve@example.net").author is None


def test_missing_fields():
    """H6: no From, Date, Subject, Message-ID: the mail is read."""
    inbound = read(b"To: star@star.example\r\n\r\n" + MOVE.encode(), DOMAIN)
    assert (inbound.author, inbound.message_id, inbound.subject) == (None, None, "")
    assert inbound.lines == (MOVE,)
    assert inbound.automatic is inbound.quiet is inbound.trouble is None


def test_line_end_in_encoded_subject():
    """H8: a CRLF inside an encoded word is a blank, not the end of a header line."""
    assert got(subject="=?utf-8?q?hi=0D=0ABcc:_v@x?=").subject == "hi Bcc: v@x"
    assert got(subject="=?utf-8?b?aGkKQmNjOiB2QHg=?=").subject == "hi Bcc: v@x"
    assert got(subject="=?utf-8?q?a=00=E2=80=A8b=E2=80=AEc=1B?=").subject == "a bc"


@pytest.mark.parametrize(
    "told",
    [
        "=?x-klingon?q?star?=",
        "=?utf-8?b?4pyT4pyT4p?=",
        "=?utf-8?b?!!!?=",
        "=?utf-8?b?A?=",
        "=?utf-8?q?=ZZ?=",
        "=?utf-8?q?unfinished",
        "=?a\\u00zz?q?x?= \\u00zz",
        "=?" * 700,
        "=?utf-8?q?" * 200,
        "=?idna?q?xn--a?=",
    ],
)
def test_bad_encoded_words(told):
    """H9: a Subject that cannot be decoded is shown somehow, and the body is read."""
    inbound = got(MOVE, subject=told)
    assert isinstance(inbound.subject, str)
    assert inbound.lines == (MOVE,)


@pytest.mark.parametrize(
    ("told", "subject"),
    [
        ("star move 17 alice pw F6", "star move 17 alice pw F6"),
        ("=?utf-8?q?star_move_17_alice_pw_*30?=", "star move 17 alice pw *30"),
        ("=?UTF-8?B?c3RhciBtb3ZlIDE3?= =?utf-8?q?_alice_pw_F6?=", "star move 17 alice pw F6"),
        ("=?iso-8859-1?q?gr=FC=DFe?=", "grüße"),
        ("=?windows-1251?b?5+Dv8OXx?=", "запрес"),
        ("star move 17\r\n alice pw F6", "star move 17 alice pw F6"),
        ("star move 17\r\n\talice pw F6", "star move 17 alice pw F6"),
        ("  star\u00a0move\t17 ", "star move 17"),
        ("st\u200bar\ufeff", "star"),
        ("*star move 17 alice pw *30*", "*star move 17 alice pw *30*"),
        ("**STAR** x", "**STAR** x"),
        ("x" * 3_000, "x" * 2_000),
    ],
)
def test_subject(told, subject):
    assert got(subject=told).subject == subject


def test_ignored_addresses():
    """H11: Return-Path, Sender, Reply-To and Resent fields say nothing about the author."""
    forged = (
        "Return-Path: <eve@example.net>\nSender: eve@example.net\nReply-To: eve@example.net\n"
        "Resent-From: eve@example.net\nResent-Sender: eve@example.net"
    )
    assert read(mail(MOVE, more=forged), DOMAIN) == read(mail(MOVE), DOMAIN)


def test_raw_eight_bit_header():
    """H22: bytes beyond ASCII in the header are decoded as well as may be; the author stays."""
    utf8 = "Älice <alice@example.net>".encode()
    for name in (
        utf8,
        "Älice <alice@example.net>".encode("latin-1"),
        b"\xff\xfe <alice@example.net>",
    ):
        raw = b"From: " + name + b"\r\nSubject: gr\xfc\xdfe\r\n\r\nhi"
        assert read(raw, DOMAIN).author == "alice@example.net"
        assert read(raw, DOMAIN).lines == ("hi",)
    assert read(b"Subject: gr\xfc\xdfe\r\n\r\n", DOMAIN).subject == "grüße"
    assert read("Subject: grüße\r\n\r\n".encode(), DOMAIN).subject == "grüße"


@pytest.mark.parametrize(
    "prefix",
    [
        "Re:",
        "RE:",
        "re:",
        "Re[2]:",
        "Re(3):",
        "Re^2:",
        "Fwd:",
        "FW:",
        "Fw:",
        "AW:",
        "Aw:",
        "WG:",
        "Antw:",
        "Antwort:",
        "TR:",
        "Réf:",
        "RV:",
        "R:",
        "I:",
        "RIF:",
        "RES:",
        "ENC:",
        "Odp:",
        "PD:",
        "SV:",
        "VS:",
        "VB:",
        "VL:",
        "Отв:",
        "Ответ:",
        "回复：",
        "回覆:",
        "答复:",
        "转发:",
        "轉寄:",
        "返信:",
        "転送:",
        "Doorst:",
    ],
)
def test_reply_prefixes(prefix):
    """H23: a Subject that is a reply's or a forward's says so, and keeps its prefix."""
    inbound = got(subject=f"{prefix} {MOVE}")
    assert inbound.is_reply
    assert inbound.subject == f"{prefix} {MOVE}"
    assert got(subject=f"[list] {prefix}{MOVE}").is_reply
    assert got(subject=f"RE : {MOVE}").is_reply


@pytest.mark.parametrize(
    "told",
    [
        MOVE,
        "resign",
        "Re star",
        "revenge: x",
        "star: Re:",
        "i think",
        "reply: x",
        "help",
        "fwd",
        "",
    ],
)
def test_no_reply_prefix(told):
    assert not got(subject=told).is_reply


@pytest.mark.parametrize(
    "mark",
    [
        "[EXTERNAL]",
        "[Ext] [list-name 42]",
        "***SPAM***",
        "*** SPAM ***",
        "***SPAM*** [EXTERNAL]",
        "**SPAM 7.2**",
        "{Spam?}",
        "(EXTERNAL)",
        "EXTERNAL:",
        "[SPAM?] ***POSSIBLE SPAM***",
        "*PROBABLY JUNK*",
        "[Star #17]",
    ],
)
def test_marks_before_the_subject(mark):
    """H24: tags and marks that programs put before a Subject are removed."""
    assert got(subject=f"{mark} {MOVE}").subject == MOVE
    assert got(subject=f"{mark} Re: {MOVE}").is_reply
