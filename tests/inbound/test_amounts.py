"""Mails with more of something than anybody writes: the time is bounded, and so is what is kept."""

from __future__ import annotations

import base64
import gzip
import time
import zipfile
from io import BytesIO

import pytest

from pbmstar.inbound import read
from pbmstar.inbound.html import extract

from .readings import AUTHSERV
from .written import DOMAIN, MIXED, MOVE, TEXT, got, html, lines, mail, part, parts


def received(count: int):
    return "\n".join(
        f"Received: from a{i}.example by b; Tue, 3 Nov 2026 10:00:00 +0000" for i in range(count)
    )


def test_hops():
    """H18: a mail with 60 Received fields goes in circles; one with 50 has come far."""
    for count, reason in ((59, "hops"), (50, "hops"), (49, None)):
        assert got(MOVE, more=received(count)).automatic == reason


def test_many_lines():
    """C26: of 10,000 lines 1,000 are kept, of 2,000 characters each."""
    assert lines("\n".join(f"l{i}" for i in range(10_000))) == tuple(f"l{i}" for i in range(1_000))
    assert lines("x" * 5_000 + "\n" + MOVE) == ("x" * 1_994 + " (cut)", MOVE)
    assert lines("\n" * 10_000 + MOVE + "\n" * 10_000) == (MOVE,)
    assert lines("> x\n" * 10_000 + MOVE) == (MOVE,)
    assert lines("a" + "\n" * 5_000 + MOVE) == ("a",)


def test_disclaimer():
    """C18: 80 lines of a disclaimer below change nothing above, and none of them is a command."""
    disclaimer = "\n".join(
        ["This e-mail and any attachments may be confidential and are intended only"] * 80
    )
    told = lines(f"{MOVE}\n\n{disclaimer}")
    assert told[0] == MOVE
    assert [line for line in told if line.startswith("star")] == [MOVE]
    assert lines(f"{MOVE}\n\n_______________\n{disclaimer}") == (MOVE,)


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


@pytest.mark.parametrize("text", ["header.d=", "(", "dkim=pass ", ";", "header.i=a@", '"', '\\"'])
def test_hostile_results_take_no_time(text: str) -> None:
    """All that the gate lets through: 20 ms is the bound, a hundred times that the test's."""
    begun = time.process_time()
    result = f"Authentication-Results: {AUTHSERV}; dkim=pass {text * (8000 // len(text))}\n"
    read(mail(more=result * 7), DOMAIN, AUTHSERV)
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    "bomb",
    [
        "<!--" * 50_000,
        "<" * 200_000,
        "<b>" * 66_000,
        "<p>" * 66_000,
        "<b>" * 1_300 + "</i>" * 49_000,
        "<p " + " ".join(f"a{i}=b" for i in range(22_000)) + ">",
        "<div style='" + "a" * 200_000,
        "<blockquote>" * 16_000,
        "&" * 200_000,
        "<script>" * 25_000,
        "<![CDATA[" * 20_000,
        "<select><table><tr>" * 10_000,
        "x" * 200_000,
    ],
    ids=lambda bomb: bomb[:12],
)
def test_bombs(bomb):
    """M9: 200 kB of what makes parsers slow. The time is bounded: by counts, not by a clock."""
    told = html(f"<p>F6</p>{bomb}<p>{MOVE}</p>")
    assert told[0] == "F6"
    assert sum(map(len, told)) <= 300_000


def test_what_is_not_read():
    """M9: what stands behind more elements, or deeper, than anybody writes."""
    assert html(f"F6{'<b></b>' * 5_000}<p>{MOVE}") == ("F6", MOVE)
    assert html(f"F6{'<b></b>' * 20_000}<p>{MOVE}") == ("F6",)
    assert html(f"F6{'<div>' * 200}{MOVE}") == ("F6", MOVE)
    assert html(f"F6{'<div>' * 300}{MOVE}") == ("F6",)


def test_head_of_a_word_processor():
    """60 kB of styles before the first word."""
    styles = "<style><!-- " + "p.MsoNormal { margin: 0cm; }\n" * 3_000 + " --></style>"
    assert lines(f"<html><head>{styles}</head><body><p>{MOVE}</p>", kind="text/html") == (MOVE,)


def test_extract_keeps_to_its_promise():
    for odd in (
        "",
        "\0",
        "\ud800",
        "<",
        "<!doctype",
        "<?xml version='1.0' encoding='utf-16'?><p>a",
        "\ufeff<p>a",
    ):
        assert isinstance(extract(odd), str)
    assert extract('<meta charset="utf-16"><p>grüße').strip() == "grüße"
