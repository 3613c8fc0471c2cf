"""Parts and transfer encodings that the tables cannot show."""

from __future__ import annotations

import quopri
from encodings.aliases import aliases

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.errors import Unreadable
from pbmstar.inbound import read, transfer

from .written import ALTERNATIVE, DOMAIN, MIXED, MOVE, got, lines, mail, part, parts


@pytest.mark.parametrize(
    ("kind", "size", "attached"),
    [
        ("image/jpeg; name=IMG_1.jpeg", 30_000, True),
        ("application/pdf; name=rules.pdf", 30_000, True),
        ("text/plain; name=moves.txt", 30_000, True),
        # What programs put to every mail.
        ("image/png; name=logo.png", 2_000, False),
        ("application/pgp-signature; name=signature.asc", 30_000, False),
        ("text/vcard; name=alice.vcf", 30_000, False),
        ("text/plain", 30_000, False),
    ],
)
def test_a_file_beside_the_text_is_noticed(kind, size, attached):
    beside = part(kind, "x" * size, "Content-Transfer-Encoding: base64\n")
    assert got(parts("x", "\nhi", beside), kind=MIXED).attached == attached
    html = part("text/html", "<p>hi<img src=cid:1></p>")
    related = "Content-Type: multipart/related; boundary=y\n\n" + parts("y", html, beside).decode()
    assert not got(parts("x", part("text/plain", "hi"), related), kind=ALTERNATIVE).attached
    assert not got("hi").attached


def test_all_the_same_in_every_encoding():
    body = f"{MOVE}\n\nGrüße – 走\n" + "x" * 200 + "\n"
    plain = got(body)
    for cte in ("quoted-printable", "base64"):
        assert got(body, cte=cte) == plain
    soft = quopri.encodestring(body.encode()).replace(b"=\n", b"= \t\n")
    assert lines(soft, more="Content-Transfer-Encoding: Quoted-Printable")[0] == MOVE


def test_all_codecs_are_of_text():
    """M17: each name that is looked up is there, and decodes whatever it is given."""
    for name in {*aliases, "koi8-u", "windows-874", "cp874", "x-sjis", *aliases.values()}:
        for data in (b"hi", b"\xff\xfe\xfd", bytes(range(256)), b"+AAA-2AA-", b"\x1b$B~\x00"):
            assert isinstance(transfer.decode(data, name), str)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=200),
    st.sampled_from(["base64", "quoted-printable"]),
)
def test_transfer_encodings_change_nothing(text, cte):
    """What is said does not depend on how it was packed."""
    text = text.replace("\r", "").replace("\0", "")
    try:
        plain, packed = read(mail(text), DOMAIN), read(mail(text, cte=cte), DOMAIN)
    except Unreadable:
        return
    assert plain.lines == packed.lines
    assert plain.digest == packed.digest
