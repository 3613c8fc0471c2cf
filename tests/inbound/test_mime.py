"""Parts, their encodings and what they are made of, that the tables cannot show."""

from __future__ import annotations

import base64
import gzip
import quopri
import re
import zipfile
from encodings.aliases import aliases
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.errors import Unreadable
from pbmstar.inbound import decoding, read
from pbmstar.inbound.html import extract

from .written import ALTERNATIVE, DOMAIN, MIXED, MOVE, TEXT, got, lines, mail, part, parts, reading

LETTERS = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
ENCODED = "Content-Transfer-Encoding: base64\n"


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("kind", "size", "attached"),
    [
        ("image/jpeg; name=IMG_1.jpeg", 30_000, True),
        ("application/pdf; name=rules.pdf", 30_000, True),
        ("application/pdf; name=rules.pdf", 900, True),
        ("image/png; name=screenshot.png", 900, True),
        ("text/plain; name=moves.txt", 300, True),
        # What programs put to every mail.
        ("image/png; name=logo.png", 2_000, False),
        ("image/jpeg; name=image001.jpg", 20_000, False),
        ("text/plain; name=ATT00001.txt", 300, False),
        ("application/pgp-signature; name=signature.asc", 30_000, False),
        ("text/vcard; name=alice.vcf", 30_000, False),
        ("text/plain", 30_000, False),
    ],
)
def test_a_file_beside_the_text_is_noticed(kind, size, attached):
    beside = part(kind, "x" * size, ENCODED)
    assert got(parts("x", "\nhi", beside), kind=MIXED).attached == attached
    html = part("text/html", "<p>hi<img src=cid:1></p>")
    related = "Content-Type: multipart/related; boundary=y\n\n" + parts("y", html, beside).decode()
    assert got(parts("x", part("text/plain", "hi"), related), kind=ALTERNATIVE).attached == attached
    assert not got("hi").attached


def within(kind: str, *pieces: str) -> str:
    """Return a part of that kind with other parts in it."""
    return f"Content-Type: {kind}; boundary=y\n\n" + parts("y", *pieces).decode()


PLAIN_HI, HTML_HI = part("text/plain", "hi"), part("text/html", "<p>hi</p>")


@pytest.mark.parametrize("kind", ["jpeg", "heic", "webp"])
def test_a_photo_is_noticed_wherever_a_program_puts_it(kind: str) -> None:
    """Small ones too, except those that stand in signatures."""
    small = part(f"image/{kind}; name=IMG_1.{kind}", "x" * 900, ENCODED)
    large = part(f"image/{kind}; name=image001.{kind}", "x" * 150_000, ENCODED)
    logo = part(f"image/{kind}; name=image001.{kind}", "x" * 900, ENCODED)
    nameless = part(f"image/{kind}", "x" * 900, ENCODED)
    assert got(parts("x", PLAIN_HI, small), kind=MIXED).attached
    apple = within("multipart/mixed", HTML_HI, small, HTML_HI)
    assert got(parts("x", PLAIN_HI, apple), kind=ALTERNATIVE).attached
    for picture, attached in ((small, True), (large, True), (nameless, True), (logo, False)):
        pasted = within("multipart/related", HTML_HI, picture)
        assert got(parts("x", PLAIN_HI, pasted), kind=ALTERNATIVE).attached == attached


@pytest.mark.parametrize("kind", ["mixed", "alternative", "signed", "digest"])
def test_deep_multiparts(kind):
    """M1: multiparts in multiparts: ten levels are read, eleven and 2,000 are refused."""

    def nested(levels):
        body = f"Content-Type: text/plain\n\n{MOVE}\n"
        for n in range(levels):
            body = f"Content-Type: multipart/{kind}; boundary=b{n}\n\n--b{n}\n{body}\n--b{n}--\n"
        return reading(b"From: a@b.example\n" + body.encode())

    assert nested(10) == "{MOVE} [author: a@b.example] [message_id: None]"
    assert nested(11) == "[refused: MIME parts nested too deeply]"
    assert nested(2_000) == "[refused: too many MIME parts]"


def test_compressed_parts():
    """M11: nothing is inflated, whatever it calls itself."""
    bomb = gzip.compress(b"star show 1\n" * 300_000)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("move.txt", b"star show 1\n" * 300_000)
    for kind, data in (("application/gzip", bomb), ("application/zip", packed.getvalue())):
        told = part(kind, base64.encodebytes(data), ENCODED)
        assert lines(parts("x", told, TEXT), kind=MIXED) == (MOVE,)
    for kind in ("text/plain", "text/plain; charset=zlib", "text/plain; charset=bz2"):
        told = part(kind, base64.encodebytes(bomb), ENCODED + "Content-Encoding: gzip\n")
        assert not any("show" in line for line in lines(parts("x", told), kind=MIXED))


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
            assert isinstance(decoding.decode(data, name), str)


@settings(max_examples=3 * settings.default.max_examples // 5, deadline=None, derandomize=True)
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
    bare = re.sub(rb"=+\s*\Z", b"", mail(text, cte="base64"))
    assert read(bare, DOMAIN).lines == plain.lines


@settings(max_examples=settings.default.max_examples, deadline=None, derandomize=True)
@given(st.text("AB12 \n", min_size=1, max_size=30), st.integers(1, 3))
def test_a_line_that_was_cut_is_whole_or_not_read(text, gone):
    """Unless no bits are left over, where nothing shows it."""
    body = base64.b64encode(text.encode()).rstrip(b"=")[:-gone]
    over, last = len(body) % 4, LETTERS.find(body[-1:]) if body else 0
    got = read(mail(body, more="Content-Transfer-Encoding: base64"), DOMAIN)
    if over == 1 or last & {0: 0, 2: 15, 3: 3}.get(over, 0):
        whole = [line.rstrip() for line in text.split("\n")]
        assert all(line in whole for line in got.lines)


def test_any_text_is_taken_for_html():
    odd = ("", "\0", "\ud800", "<", "<!doctype", "<?xml version='1.0' encoding='utf-16'?><p>a",
           "\ufeff<p>a")  # fmt: skip
    assert all(isinstance(extract(text), str) for text in odd)
    assert extract('<meta charset="utf-16"><p>grüße').strip() == "grüße"
