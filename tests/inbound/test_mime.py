"""Which part is the text, and how its bytes become characters."""

from __future__ import annotations

import base64
import codecs
import gzip
import quopri
import zipfile
from encodings.aliases import aliases
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.errors import Unreadable
from pbmstar.inbound import read, transfer

from .written import DOMAIN, MOVE, OLD, got, lines, mail, part, parts

MIXED = "multipart/mixed; boundary=x"
ALTERNATIVE = "multipart/alternative; boundary=x"
TEXT = part("text/plain; charset=utf-8", MOVE)
FILE = "Content-Disposition: attachment; filename=move.txt\n"


@pytest.mark.parametrize(
    ("kind", "mark"),
    [
        ("multipart/mixed", "x"),
        ("multipart/mixed; boundary", "x"),
        ('multipart/mixed; boundary=""', "x"),
        ("multipart/mixed; boundary=missing", "x"),
        ("multipart/mixed; boundary=x; boundary=y", "x"),
        ('multipart/mixed; boundary="a b c"', "a b c"),
        ('multipart/mixed; boundary="x  "', "x"),
        ('multipart/mixed; BOUNDARY = "x"', "x"),
        (r'multipart/mixed; boundary="\x"', "x"),
        ("multipart/mixed; boundary*0=ab; boundary*1=cd", "abcd"),
        ("multipart/mixed; boundary*=us-ascii'en'a%20b", "a b"),
        ('multipart/mixed;\n boundary="=_x(1)/:?"', "=_x(1)/:?"),
        ('multipart/mixed; boundary="' + "b" * 1_900 + '"', "b" * 1_900),
        ('multipart/mixed; boundary="x', "x"),
    ],
)
def test_boundaries(kind, mark):
    """M3: missing, doubled, empty, long and odd boundaries."""
    assert MOVE in lines(parts(mark, TEXT, "\nhi"), kind=kind)


@pytest.mark.parametrize(
    "body",
    [
        f"--x\n\n{MOVE}",  # never closed
        f"--x\n\n{MOVE}\n--x",
        f"preamble\n--x\n\n{MOVE}\n--x--\nepilogue",
        f"--x  \n\n{MOVE}\n--x--  \n",
        f"--x\n--x\n\n{MOVE}\n--x--",
        f"--x\n{MOVE}\n--x--",  # no blank line
        f"\n\n--x\n\n{MOVE}\n--xy\n--x--",
        f"{MOVE}\n",
    ],
)
def test_boundary_lines(body):
    """M3: broken ones."""
    assert MOVE in lines(body, kind=MIXED)


def test_lines_that_only_begin_like_a_boundary():
    assert lines(f"--x\n\n{MOVE}\n--xy\n--x-\nhi\n--x--", kind=MIXED) == (
        MOVE,
        "--xy",
        "--x-",
        "hi",
    )


def test_the_first_of_two_parameters_counts():
    kind = "text/plain; charset=koi8-r; charset=utf-8"
    assert lines("ход".encode("koi8-r"), kind=kind) == ("ход",)


def test_no_text_behind_the_last_boundary():
    assert lines(f"--x\n\nhi\n--x--\n{MOVE}\n--x\n\n{MOVE}\n--x--", kind=MIXED) == ("hi",)
    assert lines(f"{MOVE}\n--x\n\nhi\n--x--", kind=MIXED) == ("hi",)


@pytest.mark.parametrize("blank", ["", "\n\n", " \u00a0\n\t\n", "\u200b\n"])
def test_empty_text_with_html(blank):
    """M4: an empty text beside HTML."""
    body = parts("x", part("text/plain; charset=utf-8", blank), part("text/html", f"<p>{MOVE}</p>"))
    assert lines(body, kind=ALTERNATIVE) == (MOVE,)


def test_text_and_html_differ():
    """M5: the text wins, whichever comes first."""
    html = part("text/html", "<p>star move 17 alice sesame *31</p>")
    assert lines(parts("x", TEXT, html), kind=ALTERNATIVE) == (MOVE,)
    assert lines(parts("x", html, TEXT), kind=ALTERNATIVE) == (MOVE,)


def test_html_only():
    """M6: a mail that is HTML, or whose one alternative is."""
    assert lines(f"<html><body><p>{MOVE}</p></body></html>", kind="text/html") == (MOVE,)
    body = parts("x", part("text/html", f"<div>{MOVE}</div>"))
    assert lines(body, kind=ALTERNATIVE) == (MOVE,)


def test_html_body_with_a_footer_of_text():
    """A mailing list or a scanner adds its words as a text part; the body is what was written."""
    body = parts("x", part("text/html", f"<p>{MOVE}</p>"), part("text/plain", "Scanned by x"))
    assert lines(body, kind=MIXED) == (MOVE,)


def test_html_with_pictures():
    html = part("text/html", f"<p>{MOVE}<img src=cid:1></p>")
    related = (
        "Content-Type: multipart/related; boundary=y\n\n"
        + parts("y", html, part("image/png", "x")).decode()
    )
    assert lines(parts("x", part("text/plain", ""), related), kind=ALTERNATIVE) == (MOVE,)


@pytest.mark.parametrize(
    ("told", "word"),
    [
        (part("text/plain", MOVE, FILE), "attachments"),
        (part("text/plain; name=move.txt", MOVE), "attachments"),
        (
            part("text/plain", MOVE, "Content-Disposition: inline; filename=move.txt\n"),
            "attachments",
        ),
        (part("text/plain", MOVE, "Content-Disposition: attachment\n"), "attachments"),
        (
            part("text/plain", MOVE, "Content-Disposition: attachment; filename*=utf-8''m%C3%B6\n"),
            "attachments",
        ),
        (part("text/html", MOVE, FILE), "attachments"),
        (part("message/rfc822", f"From: a@b.example\n\n{MOVE}"), "attachments"),
        (part("message/rfc822", f"Content-Type: text/html\n\n{MOVE}"), "attachments"),
        (part("application/octet-stream", MOVE), "attachments"),
        (part("text/calendar; method=REQUEST", MOVE), "attachments"),
        (part("application/ms-tnef; name=winmail.dat", MOVE), "Outlook"),
        (part("image/png", MOVE), "attachments"),
    ],
)
def test_text_in_attachments_only(told, word):
    """M10: what is attached or enclosed is never read; the player is told."""
    inbound = got(parts("x", told), kind=MIXED)
    assert inbound.lines == ()
    assert inbound.trouble
    assert word in inbound.trouble
    assert "plain text" in inbound.trouble
    beside = got(parts("x", told, "\nhi"), kind=MIXED)
    assert (beside.lines, beside.trouble) == (("hi",), None)
    blank = got(parts("x", "\n\n", told), kind=MIXED)
    assert (blank.lines, blank.trouble) == ((), inbound.trouble)


def test_whole_mail_is_no_text():
    """M10: the same where the mail has but one part."""
    assert got(MOVE, kind="application/ms-tnef").lines == ()
    assert "Outlook" in str(got(MOVE, kind="application/ms-tnef").trouble)
    enclosed = got(f"From: a@b.example\n\n{MOVE}", kind="message/rfc822")
    assert enclosed.lines == () and enclosed.trouble
    assert got("", kind="multipart/mixed; boundary=x").trouble is None
    assert got("").trouble is None


def test_digest_of_mails():
    """The default type in a multipart/digest is a whole mail."""
    assert (
        lines(f"--x\n\nFrom: a@b.example\n\n{MOVE}\n--x--", kind="multipart/digest; boundary=x")
        == ()
    )


def test_compressed_parts():
    """M11: nothing is inflated, whatever it calls itself."""
    bomb = gzip.compress(b"star show 1\n" * 300_000)
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("move.txt", b"star show 1\n" * 300_000)
    for kind, data in (("application/gzip", bomb), ("application/zip", packed.getvalue())):
        told = part(kind, base64.encodebytes(data), "Content-Transfer-Encoding: base64\n")
        assert lines(parts("x", told, TEXT), kind=MIXED) == (MOVE,)
    encoded = "Content-Transfer-Encoding: base64\n"
    for kind in ("text/plain", "text/plain; charset=zlib", "text/plain; charset=bz2"):
        told = part(kind, base64.encodebytes(bomb), encoded + "Content-Encoding: gzip\n")
        assert MOVE not in lines(parts("x", told), kind=MIXED)
        assert not any("show" in line for line in lines(parts("x", told), kind=MIXED))


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


SIGNED = f"""-----BEGIN PGP SIGNED MESSAGE-----
Hash: SHA256

{MOVE}
- -----
- - pass
- --
not read
-----BEGIN PGP SIGNATURE-----

{OLD}
iQEzBAEBCAAdFiEE
=abcd
-----END PGP SIGNATURE-----
"""


def test_signed_inline():
    """M18: the armour goes, the dash escapes are undone, and what they hid is what it is."""
    assert lines(SIGNED) == (MOVE, "-----", "- pass")
    assert lines(f"-----BEGIN PGP SIGNED MESSAGE-----\n\n{MOVE}") == (MOVE,)
    assert lines(SIGNED.replace("- --\n", "") + "after") == (
        MOVE,
        "-----",
        "- pass",
        "not read",
        "after",
    )
    assert lines("hi\n> -----BEGIN PGP SIGNED MESSAGE-----\nho") == ("hi", "ho")


@pytest.mark.parametrize("protocol", ["application/pgp-signature", "application/pkcs7-signature"])
def test_multipart_signed(protocol):
    """M18: the text of a signed mail, PGP or S/MIME; never its signature."""
    kind = f'multipart/signed; protocol="{protocol}"; micalg=pgp-sha256; boundary=x'
    assert lines(parts("x", TEXT, part(protocol, "AAAA", FILE)), kind=kind) == (MOVE,)
    assert lines(parts("x", part(protocol, MOVE), TEXT), kind=kind) == ()
    inner = (
        f"Content-Type: {kind.replace('=x', '=y')}\n\n"
        + parts("y", TEXT, part(protocol, "A")).decode()
    )
    assert lines(parts("x", inner, part("text/plain", "list footer")), kind=MIXED) == (MOVE,)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (
            'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=x',
            parts("x", part("application/pgp-encrypted", "Version: 1"), part("text/plain", MOVE)),
        ),
        ("application/pkcs7-mime; smime-type=enveloped-data", MOVE),
        ("application/x-pkcs7-mime", MOVE),
        ("text/plain", f"-----BEGIN PGP MESSAGE-----\n\n{MOVE}\n-----END PGP MESSAGE-----"),
        ("text/plain", f"\n\n-----BEGIN PGP MESSAGE-----\n\n{MOVE}"),
    ],
)
def test_encrypted(kind, body):
    """M19: nothing is read, and the player is told why."""
    inbound = got(body, kind=kind)
    assert inbound.lines == ()
    assert "encrypted" in str(inbound.trouble)
    assert "plain text" in str(inbound.trouble)


@pytest.mark.parametrize(
    "kind",
    [
        "text/enriched",
        "text/richtext",
        "text/rtf",
        "application/rtf",
        "text/x-amp-html",
        "text/watch-html",
    ],
)
def test_other_alternatives(kind):
    """M20: enriched text, RTF and AMP are passed over for the next alternative."""
    odd = part(kind, OLD)
    assert lines(parts("x", odd, part("text/html", f"<p>{MOVE}")), kind=ALTERNATIVE) == (MOVE,)
    assert lines(parts("x", TEXT, odd, part("text/html", OLD)), kind=ALTERNATIVE) == (MOVE,)
    alone = got(parts("x", odd), kind=ALTERNATIVE)
    assert alone.lines == () and alone.trouble


@pytest.mark.parametrize(
    "kind", [None, "text", "", "text/plain; charset", "garbage; x", "/", "text/", "TEXT/PLAIN"]
)
def test_no_content_type_worth_the_name(kind):
    assert lines(MOVE, kind=kind) == (MOVE,)


def test_text_is_capped():
    """The first 64 kB of a text, whole lines of it; what was cut is never half a command."""
    long = "> quoted\n" * 20_000
    assert lines(f"{MOVE}\n{long}") == (MOVE,)
    assert lines(f"{long}\n{MOVE}") == ()
    told = ("> " + "x" * 61 + "\n") * 1_023 + "> " + "x" * 51 + "\n" + MOVE + " and more\n" + long
    for cte in ("8bit", "quoted-printable", "base64"):
        assert lines(told, cte=cte) == ()


def test_all_parts_together_are_capped():
    """However many there are: what is blank counts too."""
    blank = "\n" + " \n" * 20_000
    assert lines(parts("x", blank, f"\n{MOVE}"), kind=MIXED) == (MOVE,)
    assert lines(parts("x", blank, blank, f"\n{MOVE}"), kind=MIXED) == ()


def test_all_the_same_in_every_encoding():
    body = f"{MOVE}\n\nGrüße – 走\n" + "x" * 200 + "\n"
    plain = got(body)
    for cte in ("quoted-printable", "base64"):
        assert got(body, cte=cte) == plain
    soft = quopri.encodestring(body.encode()).replace(b"=\n", b"= \t\n")
    assert lines(soft, more="Content-Transfer-Encoding: Quoted-Printable")[0] == MOVE


_kinds = st.sampled_from(
    [
        "text/plain",
        "text/html",
        "text/calendar",
        "text/enriched",
        "image/png",
        "application/ms-tnef",
        "application/pkcs7-mime",
        "message/rfc822",
        "message/delivery-status",
        "multipart/mixed",
        "multipart/alternative",
        "multipart/related",
        "multipart/signed",
        "multipart/encrypted",
        "multipart/report",
        "multipart/digest",
    ]
)
_heads = st.sampled_from(
    [
        "",
        "Content-Transfer-Encoding: base64\n",
        "Content-Transfer-Encoding: quoted-printable\n",
        FILE,
        "Content-Disposition: inline\n",
    ]
)
_bodies = st.sampled_from(
    ["", " \n", MOVE, f"> {OLD}\n\n{MOVE}", "c3RhciBzaG93IDE=", "<p>hi", "\xa0", "--x\n"]
)


def _entity(kind: str, head: str, body: str, inner: list[str], mark: str, closed: bool) -> str:
    start = f"Content-Type: {kind}; boundary={mark}\n{head}\n"
    if not kind.startswith("multipart/"):
        return start + body
    return (
        start
        + "".join(f"\n--{mark}\n{told}" for told in inner)
        + (f"\n--{mark}--\n" if closed else "")
    )


_entities = st.recursive(
    st.builds(_entity, _kinds, _heads, _bodies, st.just([]), st.just("x"), st.booleans()),
    lambda inner: st.builds(
        _entity,
        _kinds,
        _heads,
        _bodies,
        st.lists(inner, max_size=4),
        st.sampled_from("xyz"),
        st.booleans(),
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(_entities)
def test_any_structure(entity):
    """Whatever the structure: it is read or refused, and quoted text stays quoted."""
    try:
        inbound = read(b"From: a@b.example\n" + entity.encode(), DOMAIN)
    except Unreadable:
        return
    assert OLD not in inbound.lines
    assert not (inbound.lines and inbound.trouble)


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
