"""Which part is the text, and how its bytes become characters."""

from __future__ import annotations

import base64
import gzip
import quopri
import zipfile
from io import BytesIO

import pytest

from .written import (
    ALTERNATIVE,
    FILE,
    MIXED,
    MOVE,
    OLD,
    TEXT,
    got,
    lines,
    part,
    parts,
)


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
