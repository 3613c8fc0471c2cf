"""The byte gate: what is refused, what just passes, and that nothing else escapes."""

from __future__ import annotations

import pytest

from pbmstar.errors import Unreadable
from pbmstar.inbound import gate, read

from .written import DOMAIN, MOVE, got, lines, mail, parts


def refused(raw: bytes) -> str:
    with pytest.raises(Unreadable) as caught:
        read(raw, DOMAIN)
    assert str(caught.value).isascii()
    return str(caught.value)


def test_from_of_quotation_marks():
    """H1: a From of 100,000 quotation marks; and as many as one field may have."""
    assert (
        refused(b"From: " + b'"' * 100_000 + b"\r\n\r\n" + MOVE.encode())
        == "header block too large"
    )
    assert (
        refused(b"From: " + b'"' * 5_000 + b"\r\n\r\n" + MOVE.encode()) == "header field too long"
    )
    for mark in ('"', "(", "<", '"(', "<a@", "\\", ",", "a@b,"):
        assert got(MOVE, author=mark * 180).author is None


def test_subject_of_a_megabyte():
    """H2: a Subject as long as a whole mail may be."""
    assert refused((b"Subject: " + b"x" * gate.MAIL)[: gate.MAIL]) == "header block too large"


def test_many_or_long_fields():
    """H3: 10,000 fields, and one field of 64 KiB."""
    many = b"".join(b"X-%d: y\r\n" % i for i in range(10_000))
    assert refused(many + b"\r\n" + MOVE.encode()) == "header block too large"
    assert refused(b"a:\r\n" * 10_000 + b"\r\n" + MOVE.encode()) == "too many header fields"
    assert refused(b"X: " + b"y" * 65_000 + b"\r\n\r\n") == "header field too long"
    assert refused(b"X: y\r\n" + b"\ty\r\n" * 3_000 + b"\r\n\r\n") == "header field too long"


def test_many_parameters():
    """H4: a Content-Type with 20,000 parameters; with 400 it is read."""
    assert refused(mail(MOVE, kind="text/plain; " + "a=b; " * 20_000)).startswith("header")
    assert refused(mail(MOVE, kind="text/plain; " + "a=b; " * 1_000)) == "header field too long"
    assert lines(MOVE, kind="text/plain; " + "a=b; " * 400) == (MOVE,)


@pytest.mark.parametrize("kind", ["mixed", "alternative", "signed", "digest"])
def test_deep_multiparts(kind):
    """M1: multiparts in multiparts: ten levels are read, eleven and 2,000 are refused."""

    def nested(levels):
        body = f"Content-Type: text/plain\n\n{MOVE}\n"
        for level in range(levels):
            mark = f"mark{level}"
            body = (
                f"Content-Type: multipart/{kind}; boundary={mark}\n\n--{mark}\n{body}\n--{mark}--\n"
            )
        return b"From: a@b.example\n" + body.encode()

    assert read(nested(10), DOMAIN).lines == (MOVE,)
    assert refused(nested(11)) == "MIME parts nested too deeply"
    assert refused(nested(2_000)) == "too many MIME parts"


def test_deep_enclosures():
    """M1: enclosed mails in enclosed mails, 3,000 deep."""
    inner = b"Content-Type: message/rfc822\r\n\r\n"
    assert (
        refused(b"From: a@b.example\r\n" + inner * 3_000 + b"hi") == "MIME parts nested too deeply"
    )
    assert read(b"From: a@b.example\r\n" + inner * 10 + b"\r\n" + MOVE.encode(), DOMAIN).lines == ()


def test_many_parts():
    """M2: 60,000 parts are refused, and so are 51; 50 are read."""
    kind = "multipart/mixed; boundary=x"
    assert refused(mail(parts("x", *[""] * 60_000), kind=kind)) == "too many MIME parts"
    fifty = [f"\n{MOVE}", *["\nhi"] * 49]
    assert lines(parts("x", *fifty), kind=kind) == (MOVE,)
    assert refused(mail(parts("x", *fifty, "\nhi"), kind=kind)) == "too many MIME parts"
    nested = "Content-Type: multipart/mixed; boundary=y\n\n" + parts("y", *["\nhi"] * 24).decode()
    assert lines(parts("x", nested, nested), kind=kind) == ("hi",)
    assert refused(mail(parts("x", nested, nested, "\nhi"), kind=kind)) == "too many MIME parts"


def test_bare_line_feeds():
    """T5: bare LF ends a line, once."""
    assert read(mail(f"{MOVE}\nhi\n\nho", line_end=b"\n"), DOMAIN).lines == (MOVE, "hi", "", "ho")
    assert read(mail("a\nb") + b"\nc\r\nd", DOMAIN).lines == ("a", "b", "c", "d")


def test_bare_carriage_returns():
    """T6: a bare CR is a blank, in the body and in the header."""
    assert lines("st\rar move 17 alice sesame F6") == ("st ar move 17 alice sesame F6",)
    raw = mail("hi", subject="star\rFrom: eve@example.net")
    assert read(raw, DOMAIN).subject == "star From: eve@example.net"
    assert read(raw, DOMAIN).author == "alice@example.net"
    assert read(b"From: a@b.example\r\r" + MOVE.encode(), DOMAIN).lines == ()


def test_nul():
    """T8: NUL bytes are removed, wherever they stand and however they are encoded."""
    assert lines(MOVE.replace("move", "m\0ove")) == (MOVE,)
    assert lines(MOVE.replace("move", "m\0ove"), cte="base64") == (MOVE,)
    assert got(subject="a\0b").subject == "ab"
    assert read(b"Fr\0om: a@b.exam\0ple\r\0\n\0\r\n" + MOVE.encode(), DOMAIN).lines == (MOVE,)


def test_line_ends_are_changed_once():
    assert gate.admit(b"a\r\nb\nc\rd\r\re\0f\r\0\n") == b"a\nb\nc d  ef\n"
    assert gate.admit(b"a\r\nb\nc\0") == b"a\nb\nc"


def test_limits_to_the_byte():
    """What is exactly at a limit is read."""
    start = mail("")
    full = start + b"x" * (gate.MAIL - len(start))
    assert read(full, DOMAIN).lines[0].startswith("xxx")
    assert refused(full + b"x") == "message too large"

    field = b"X: " + b"y" * (gate.FIELD - 3)
    assert read(field + b"\r\n\r\nhi", DOMAIN).lines == ("hi",)
    assert refused(field + b"y\r\n\r\nhi") == "header field too long"

    fields = b"a: b\r\n" * gate.FIELDS
    assert read(fields + b"\r\nhi", DOMAIN).lines == ("hi",)
    assert refused(fields + b"a: b\r\n\r\nhi") == "too many header fields"

    block = (b"X: " + b"y" * 8_188 + b"\n") * 8  # 64 KiB
    assert len(block) == gate.HEADER
    assert read(block + b"\nhi", DOMAIN).lines == ("hi",)
    assert refused(b"Y:\n" + block + b"\nhi") == "header block too large"

    at_limit = "a" * (gate.ADDRESS - len("From: <@b.example>"))
    assert got("hi", author=f"<{at_limit}@b.example>").lines == ("hi",)
    assert refused(mail("hi", author=f"<{at_limit}a@b.example>")) == "header field too long"


def test_long_lists_of_recipients_are_read():
    """Only From has the limit of an address field: To and Cc of a long list are nothing we parse."""
    many = "To: " + ",\n ".join(f"player{i}@example.net" for i in range(200))
    assert lines(MOVE, more=many) == (MOVE,)


def test_no_header_and_nothing_at_all():
    nothing = read(b"", DOMAIN)
    assert (nothing.author, nothing.message_id, nothing.subject, nothing.lines) == (
        None,
        None,
        "",
        (),
    )
    assert nothing.trouble is None
    assert read(MOVE.encode(), DOMAIN).lines == (MOVE,)
    assert read(b"From alice Tue Nov  3 10:00:00 2026\nFrom: a@b.example\n\nhi", DOMAIN).author


def test_a_line_that_is_no_field_ends_the_header():
    """As it does for the mail servers that add the blank line."""
    inbound = read(b"From: a@b.example\nthis is no field\nFrom: eve@example.net\n\nhi", DOMAIN)
    assert inbound.author == "a@b.example"
    assert "hi" in inbound.lines
