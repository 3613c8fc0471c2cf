"""Transfer encodings, flowed text and charsets."""

from __future__ import annotations

import base64
import codecs
from encodings.aliases import aliases

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.errors import Unreadable
from pbmstar.inbound import read, transfer

from .written import DOMAIN, MOVE, lines, mail


def test_base64():
    """M13: split, unpadded and broken base64; what follows it unencoded."""
    encoded = base64.b64encode(f"{MOVE}\nhi".encode()).decode()
    for told in (
        encoded,
        " ".join(encoded),
        "\n".join(encoded),
        encoded[:20] + "\n\n  \t" + encoded[20:],
        encoded.rstrip("="),
        encoded.replace("=", "") + "==",
        encoded + "\n\n____\nThis list is for players.\n",
        "!" + encoded + "*",
    ):
        assert (
            lines(told.encode(), kind="text/plain", more="Content-Transfer-Encoding: base64")[0]
            == MOVE
        )
    for garbage in ("=", "====", "A", "AAAAA", "\xff\xfe", "% % %", MOVE):
        assert MOVE not in lines(garbage.encode(), more="Content-Transfer-Encoding: base64")


def test_uuencode():
    """M13: a uuencoded body is not decoded, and harms nobody."""
    coded = codecs.encode(f"{MOVE}\n".encode(), "uu").decode()
    for cte in ("x-uuencode", "uuencode", "7bit"):
        told = lines(coded, more=f"Content-Transfer-Encoding: {cte}")
        assert MOVE not in told
        assert told[0].startswith("begin")


def test_quoted_printable():
    """M15: encoded equals signs, no-break spaces and dashes; the dash stays as it is."""
    body = b"star=C2=A0move 17 alice a=3Db =E2=80=93=\n\nhi=20\n=\nho=\n"
    told = lines(body, more="Content-Transfer-Encoding: quoted-printable")
    assert told == ("star move 17 alice a=b \u2013", "hi", "ho")
    broken = lines(b"a=ZZ=\nb=C3\nc=\xff=", more="Content-Transfer-Encoding: quoted-printable")
    assert len(broken) == 2


@pytest.mark.parametrize(
    ("kind", "body", "told"),
    [
        ("", "star move 17 \nalice sesame F6", ("star move 17 alice sesame F6",)),
        ("; delsp=no", "star move 17 \nalice", ("star move 17 alice",)),
        ("; delsp=yes", "star mo \nve 17  \nalice", ("star move 17 alice",)),
        ("; DelSp=Yes", "a \nb", ("ab",)),
        ("", " star move\n  > x", ("star move", "")),
        ("", "a \n> b \n> c\nd", ("a", "d")),
        ("", "a\n-- \nb", ("a",)),
        ("", "a \n-- \nb", ("a",)),
        ("", "> a \n>> b \n> c \nd \ne", ("d e",)),
        ("", "> star move 17 \nalice", ("alice",)),
        ("", "a \n", ("a",)),
        ("", "a \n\nb", ("a", "b")),
    ],
)
def test_flowed(kind, body, told):
    """M16: lines split on their way are joined, stuffed ones unstuffed, quotes stay quotes."""
    expected = tuple(line for line in told if line)
    found = lines(body, kind=f"text/plain; charset=utf-8; format=flowed{kind}")
    assert tuple(line for line in found if line) == expected


def test_not_flowed():
    assert lines("a \nb \n-- \nc") == ("a", "b")


@pytest.mark.parametrize(
    "cte", ["x-unknown", "8bit", "binary", "7bit", "7-bit", "none", '"', "8bit (x); y", ""]
)
def test_unknown_transfer_encoding(cte):
    """M17: taken for none."""
    assert lines(f"{MOVE}\ngrüße", more=f"Content-Transfer-Encoding: {cte}") == (MOVE, "grüße")


@pytest.mark.parametrize(
    ("charset", "data", "told"),
    [
        ("iso-8859-1", "grüße".encode("latin-1"), "grüße"),
        (
            "iso-8859-1",
            b"\x93star\x94 \x96",
            "\u201cstar\u201d \u2013",
        ),  # as cp1252, as mail has it
        ("us-ascii", "grüße".encode(), "grüße"),
        ("us-ascii", "grüße".encode("latin-1"), "grüße"),
        ("utf-8", "grüße".encode("latin-1"), "grüße"),
        ("UTF8", "grüße".encode(), "grüße"),
        ("x-klingon", "grüße".encode(), "grüße"),
        ("zlib", "grüße".encode(), "grüße"),
        ("rot13", b"fgne", "fgne"),
        ("a\0b", "grüße".encode(), "grüße"),
        ("koi8-r", "ход".encode("koi8-r"), "ход"),
        ("koi8-u", "хід".encode("koi8-u"), "хід"),
        ("windows-1251", "ход".encode("cp1251"), "ход"),
        ("gb2312", "走".encode("gb2312"), "走"),
        ("gb2312", "囉€".encode("gb18030"), "囉€"),
        ("GB18030", "走".encode("gb18030"), "走"),
        ("iso-2022-jp", "手".encode("iso-2022-jp"), "手"),
        ("shift_jis", "手".encode("shift_jis"), "手"),
        ("utf-7", b"gr+APwA3w-e", "grüße"),
        ("punycode", b"a-b", "a-b"),
        ("unicode_escape", rb"\u0041", r"\u0041"),
        ("idna", b"xn--a", "xn--a"),
        ("", b"\xff\x81", "ÿ"),  # not even cp1252
    ],
)
def test_charsets(charset, data, told):
    """M17: the declared charset if it is one and fits, else UTF-8, cp1252, latin-1."""
    assert lines(data, kind=f'text/plain; charset="{charset}"') == (told,)


def test_all_codecs_are_of_text():
    """M17: each name that is looked up is there, and decodes whatever it is given."""
    for name in {*aliases, "koi8-u", "windows-874", "cp874", "x-sjis", *aliases.values()}:
        for data in (b"hi", b"\xff\xfe\xfd", bytes(range(256)), b"+AAA-2AA-", b"\x1b$B~\x00"):
            assert isinstance(transfer.decode(data, name), str)


def test_wide_charsets():
    """M17: they need a transfer encoding, and have it."""
    for charset in ("utf-16", "utf-16-le", "utf-32"):
        raw = base64.encodebytes(f"{MOVE}\r\nhi".encode(charset))
        kind = f"text/plain; charset={charset}"
        assert lines(raw, kind=kind, more="Content-Transfer-Encoding: base64") == (MOVE, "hi")


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
