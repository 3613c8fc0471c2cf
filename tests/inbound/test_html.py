"""The text of HTML mails: what its writer saw and wrote, and nothing else."""

from __future__ import annotations

import pytest

from pbmstar.inbound.html import extract

from .written import MOVE, OLD, lines


def html(body: str) -> tuple[str, ...]:
    return lines(
        f"<html><head><title>{OLD}</title></head><body>{body}</body></html>", kind="text/html"
    )


@pytest.mark.parametrize(
    "quote",
    [
        f"<blockquote>{OLD}</blockquote>",
        f'<blockquote type="cite"><div>{OLD}</div><blockquote>{OLD}</blockquote><p>{OLD}</p></blockquote>',
        f'<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On x wrote:</div><p>{OLD}</p></div>',
        f'<div class="gmail_quote gmail_quote_container">{OLD}</div>',
        f'<div class="x_gmail_quote"><p>{OLD}</p></div>',
        f'<div class="gmail_extra"><br>{OLD}</div>',
        f'<hr><div id="divRplyFwdMsg">From: Star</div><div>{OLD}</div>',
        f'<div id="appendonsend"></div><hr><p>{OLD}</p>',
        f'<div id="x_divRplyFwdMsg"></div></div><p>{OLD}</p>',
        f'<div id="mail-editor-reference-message-container"><p>{OLD}</p></div>',
        f'<span id="OLK_SRC_BODY_SECTION"><div>{OLD}</div></span>',
        f'<div class="protonmail_quote">{OLD}</div>',
        f'<div class="yahoo_quoted" id="yahoo_quoted_1"><p>{OLD}</p></div>',
        f'<div class="tutanota_quote">{OLD}</div>',
        f'<div class="zmail_extra"><p>{OLD}</p></div>',
        f'<div class="moz-forward-container"><p>{OLD}</p></div>',
        f'<div data-marker="__QUOTED_TEXT__">{OLD}</div>',
        f'<div name="messageReplySection">{OLD}</div>',
        f"<p><b>From:</b> Star<br><b>Sent:</b> Tuesday<br><b>To:</b> Alice</p><p>{OLD}</p>",
        f"<p><b>Von:</b> Star</p><p><b>Gesendet:</b> Dienstag</p><p>{OLD}</p>",
        f"<p>On Tue, 3 Nov 2026 at 10:00 Star &lt;star@star.example&gt; wrote:</p><p>{OLD}</p>",
        f"<pre>&gt; {OLD}</pre>",
        f"<div>-- <br></div><div>{OLD}</div>",
        f'<div class="gmail_signature">{OLD}</div>',
        f'<pre class="moz-signature">{OLD}</pre>',
        f'<div id="AppleMailSignature">{OLD}</div>',
        f"<blockquote>{OLD}",
    ],
)
def test_quotes(quote):
    """M8: no command in what any mail program quotes is an own line."""
    told = html(f"<div>F6</div><div><br></div>{quote}")
    assert told[0] == "F6"
    assert not any("sesame" in line for line in told)


def test_below_a_quote():
    """M8: own words below a quote count, as they do in a mail of text."""
    assert html(f"<blockquote>{OLD}</blockquote><p>{MOVE}</p>") == (MOVE,)
    cite = '<div class="moz-cite-prefix">On 03/11/2026 10:00, Star wrote:<br></div>'
    assert html(f'{cite}<blockquote type="cite">{OLD}</blockquote><p>{MOVE}</p>') == (MOVE,)
    attribution = "<p>On 03/11/2026 10:00, Star wrote:</p>"
    assert html(f"{attribution}<blockquote>{OLD}</blockquote>{MOVE}") == (MOVE,)
    assert html(f"a<blockquote>{OLD}</blockquote>b<blockquote>{OLD}</blockquote>c") == (
        "a",
        "b",
        "c",
    )


@pytest.mark.parametrize(
    "hidden",
    [
        f'<div style="display:none">{OLD}</div>',
        f'<span style="color:red; DISPLAY : None !important">{OLD}</span>',
        f'<p style="visibility: hidden">{OLD}</p>',
        f'<p style="mso-hide:all">{OLD}</p>',
        f"<p hidden>{OLD}</p>",
        f"<style>{OLD}</style>",
        f"<script>\n{OLD}\n</script>",
        f"<!-- {OLD} -->",
        f"<!--[if mso]><p>{OLD}</p><![endif]-->",
        f"<template>{OLD}</template>",
        f"<noscript>{OLD}</noscript>",
        f"<textarea>{OLD}</textarea>",
        f'<img alt="{OLD}">',
        f'<a href="{OLD}"></a>',
        f"<title>{OLD}</title>",
    ],
)
def test_hidden(hidden):
    assert html(f"F6{hidden}<div>F7</div>") == ("F6", "F7")


@pytest.mark.parametrize(
    ("markup", "told"),
    [
        ("a<br>b<br/>c", ("a", "b", "c")),
        ("<div>a</div><div>b</div>", ("a", "b")),
        ("<div>a<div>b</div>c</div>", ("a", "b", "c")),
        ("<p>a<p>b", ("a", "b")),
        ("<div>a</div><div><br></div><div>b</div>", ("a", "", "b")),
        ("<ul><li>a<li>b</ul>", ("a", "b")),
        ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", ("a b", "c")),
        ("star\n   move\t17&nbsp;alice", ("star move 17 alice",)),
        ("<pre>a  b\n c</pre>d", ("a  b", " c", "d")),
        ('<div style="white-space: pre-wrap">a\nb</div>', ("a", "b")),
        ("<b>st</b>ar <i>move</i> 17", ("star move 17",)),
        ("&lt;b&gt; &amp; &#42;30 &eacute;", ("<b> & *30 é",)),
        ("a<o:p></o:p><v:shape>b</v:shape>", ("ab",)),
        ("st&#8203;ar&shy; m\u2060ove", ("star move",)),
        ("a&#13;b&#10;c", ("a b c",)),
        ("a\0b&#0;c", ("abc",)),
        ("<a href='mailto:x'>star</a> move", ("star move",)),
        ("a<hr>b", ("a", "b")),
        ("", ()),
        ("<", ("<",)),
        ("</body></html>a<p>b", ("a", "b")),
    ],
)
def test_blocks_are_lines(markup, told):
    assert tuple(line.replace("\ufffd", "") for line in html(markup)) == told


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
