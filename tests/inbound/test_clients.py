"""Replies as the mail programs of the world send them: own words, the quote in the client's manner."""

from __future__ import annotations

import quopri
from html import escape

import pytest

from pbmstar.inbound import read

from .written import DOMAIN, LETTER, MOVE, OLD, STAR, got, mail, part, parts, quoted

OWN = ("F6", "", "Nice move, Bob!")
TEXT = "\n".join(OWN)
LONG_ON = f"On Tue, Nov 3, 2026 at 10:00 AM {STAR}\nwrote:"
HTML_LETTER = "<br>".join(escape(line) for line in LETTER)
PLAIN_LETTER = "\n".join(LETTER)


def alternative(text: str, html: str, mark: str = "000000000000c0ffee") -> tuple[str, bytes]:
    """Content-Type and body of a mail with both, the HTML quoted-printable as usual."""
    encoded = quopri.encodestring(html.encode()).decode()
    return f'multipart/alternative; boundary="{mark}"', parts(
        mark,
        part('text/plain; charset="UTF-8"', text),
        part(
            'text/html; charset="UTF-8"', encoded, "Content-Transfer-Encoding: quoted-printable\n"
        ),
    )


def gmail_web():
    html = (
        '<div dir="ltr"><div>F6</div><div><br></div><div>Nice move, Bob!</div></div><br>'
        '<div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Tue, Nov 3, 2026 at '
        f'10:00 AM Star server wrote:<br></div><blockquote class="gmail_quote">{HTML_LETTER}</blockquote></div>'
    )
    return alternative(f"{TEXT}\n\n{LONG_ON}\n\n{quoted()}\n", html)


def gmail_html_only():
    return "text/html; charset=UTF-8", gmail_web()[1].split(b"printable\n\n")[1].split(b"\n--")[0]


def gmail_android():
    text = f"{TEXT}\n\nOn Tue, Nov 3, 2026, 10:00 {STAR} wrote:\n\n{quoted()}\n"
    html = f'<div dir="auto">F6<div dir="auto"><br></div></div><br><div class="gmail_quote">{HTML_LETTER}</div>'
    return alternative(text, html, "0000000000001e")


def iphone():
    text = f"{TEXT}\n\nSent from my iPhone\n\n> On 3 Nov 2026, at 10:00, {STAR} wrote:\n> \n> \ufeff{quoted()}\n"
    return "text/plain;\n\tcharset=utf-8", text.encode()


def iphone_html_only():
    html = (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head><body dir="auto">'
        "F6<div><br></div><div>Nice move, Bob!</div><div><br id=lineBreakAtBeginningOfSignature><div dir=ltr>"
        'Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">On 3 Nov 2026, at 10:00, Star '
        f"server wrote:<br><br></blockquote></div><blockquote type=cite><div>\ufeff{HTML_LETTER}</div>"
        "</blockquote></div></body></html>"
    )
    return "text/html;\n\tcharset=utf-8", html.encode()


def apple_mail():
    text = f"{TEXT}\n\n> On 3 Nov 2026, at 10:00, Star server <star@star.example> wrote:\n> \n{quoted()}\n"
    html = f'<html><body>F6<br><blockquote type="cite"><div>{HTML_LETTER}</div></blockquote></body></html>'
    return alternative(text, html, "Apple-Mail=_1F2E3D4C")


def outlook_desktop():
    text = (
        f"F6\n\n \n\nNice move, Bob!\n\n \n\nFrom: {STAR} \nSent: Tuesday, November 3, 2026 10:00 AM\n"
        f"To: alice@example.net\nSubject: Star Board 17 alice\n\n \n\n{PLAIN_LETTER}"
    )
    return alternative(text, "<p>F6</p>", "----=_NextPart_000_0001_01DC.A1")


def outlook_desktop_html_only():
    html = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style>'
        '<!--[if gte mso 9]><xml></xml><![endif]--></head><body lang=EN-GB link="#0563C1"><div class=WordSection1>'
        "<p class=MsoNormal>F6<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p>"
        "<p class=MsoNormal>Nice move, Bob!<o:p></o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt'>"
        "<p class=MsoNormal><b>From:</b> Star server &lt;star@star.example&gt; <br><b>Sent:</b> Tuesday<br>"
        f"<b>To:</b> alice</p></div></div><p class=MsoNormal>{HTML_LETTER}</p></div></body></html>"
    )
    return 'text/html; charset="us-ascii"', html.encode()


def outlook_mobile():
    text = (
        f"{TEXT}\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: {STAR}\n"
        f"Sent: Tuesday, November 3, 2026 10:00:00 AM\nTo: alice@example.net\nSubject: Star\n\n{PLAIN_LETTER}"
    )
    return alternative(text, "<p>F6</p>", "_000_AB12CD34namprd00_")


def outlook_web_html_only():
    html = (
        '<html><body dir="ltr"><div class="elementToProof">F6</div><div class="elementToProof"><br></div>'
        '<div class="elementToProof">Nice move, Bob!</div><div id="appendonsend"></div><hr style="width:98%">'
        f'<div id="divRplyFwdMsg" dir="ltr"><b>From:</b> Star</div><div>{HTML_LETTER}</div></body></html>'
    )
    return "text/html; charset=iso-8859-1", html.encode()


def thunderbird_below():
    text = (
        f"Am 03.11.26 um 10:00 schrieb Star server:\n{quoted()}\n\n{TEXT}\n\n-- \nAlice \n{OLD}\n"
    )
    return "text/plain; charset=UTF-8; format=flowed", text.encode()


def thunderbird_html_only():
    html = (
        '<!DOCTYPE html><html><body><div class="moz-cite-prefix">Le 03/11/2026 à 10:00, Star server a écrit :<br>'
        f'</div><blockquote type="cite" cite="mid:1@star.example"><pre class="moz-quote-pre">{HTML_LETTER}</pre>'
        '</blockquote><p>F6</p><p><br></p><p>Nice move, Bob!</p><pre class="moz-signature">-- \nAlice</pre></body></html>'
    )
    return "text/html; charset=UTF-8", html.encode()


def mutt():
    text = f"On Tue, Nov 03, 2026 at 10:00:00AM +0000, Star server wrote:\n{quoted()}\n\n{TEXT}\n\n-- \nAlice\n"
    return "text/plain; charset=us-ascii", text.encode()


def gnus():
    return (
        "text/plain",
        f'"Star server" <star@star.example> writes:\n\n{quoted("SB> ")}\n\n{TEXT}\n'.encode(),
    )


def proton():
    text = (
        f"{TEXT}\n\nSent with Proton Mail secure email.\n\nOn Tuesday, November 3rd, 2026 at 10:00 AM, {STAR} wrote:"
        f"\n\n{quoted()}\n"
    )
    return "text/plain; charset=utf-8", text.encode()


def proton_html_only():
    html = (
        '<div style="font-family: Arial;">F6</div><div><br></div><div>Nice move, Bob!</div>'
        '<div class="protonmail_signature_block">Sent with Proton Mail</div><div class="protonmail_quote">'
        f'On Tuesday, Star wrote:<br><blockquote class="protonmail_quote" type="cite">{HTML_LETTER}</blockquote></div>'
    )
    return "text/html; charset=utf-8", html.encode()


def yahoo():
    text = (
        f" F6\n\n Nice move, Bob!\n\n    On Tuesday, November 3, 2026 at 10:00:00 AM GMT+1, {STAR} wrote:  \n"
        f" \n {PLAIN_LETTER}\n  "
    )
    return alternative(text, "<p>F6</p>", "----=_Part_1_2.3")


def gmx():
    html = (
        "<html><body><div style='font-family: Verdana;'><div>F6</div><div>&nbsp;</div><div>Nice move, Bob!</div>"
        '<div name="quote"><div><b>Gesendet:</b> Dienstag<br><b>Von:</b> Star<br><b>An:</b> alice</div>'
        f"<div>{HTML_LETTER}</div></div></div></body></html>"
    )
    return "text/html; charset=UTF-8", html.encode()


def k9():
    return "text/plain; charset=utf-8", (
        f"{TEXT}\n\nAm 3. November 2026 10:00:00 MEZ schrieb {STAR}:\n{quoted('>')}\n-- \nDiese Nachricht wurde von "
        "meinem Android-Gerät mit K-9 Mail gesendet.\n"
    ).encode()


def samsung():
    return "text/plain; charset=utf-8", (
        f"{TEXT}\n\nSent from my Galaxy\n-------- Original message --------From: {STAR} Date: 03/11/2026  10:00  --------"
        f"\n{PLAIN_LETTER}"
    ).encode()


def zoho():
    return "text/plain; charset=utf-8", (
        f"{TEXT}\n\n\n---- On Tue, 03 Nov 2026 10:00:00 +0100 Star <star@star.example> wrote ----\n\n{PLAIN_LETTER}"
    ).encode()


def qq():
    return "text/plain; charset=gb18030", (
        f"{TEXT}\n\n------------------ 原始邮件 ------------------\n发件人: star\n发送时间: 2026年11月3日\n\n{PLAIN_LETTER}"
    ).encode("gb18030")


def netease():
    return "text/plain; charset=GBK", (
        f"{TEXT}\n\n\n在 2026-11-03 10:00:00，Star server <star@star.example> 写道：\n\n{PLAIN_LETTER}"
    ).encode("gbk")


def alpine():
    return "text/plain; charset=US-ASCII; format=flowed", (
        f"{TEXT}\n\nOn Tue, 3 Nov 2026, Star server wrote:\n\n{quoted()}\n"
    ).encode()


CLIENTS = [
    gmail_web,
    gmail_html_only,
    gmail_android,
    iphone,
    iphone_html_only,
    apple_mail,
    outlook_desktop,
    outlook_desktop_html_only,
    outlook_mobile,
    outlook_web_html_only,
    thunderbird_below,
    thunderbird_html_only,
    mutt,
    gnus,
    proton,
    proton_html_only,
    yahoo,
    gmx,
    k9,
    samsung,
    zoho,
    qq,
    netease,
    alpine,
]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_reply(client):
    """M6: the own words of a reply, in order, and no word of the quote.

    C16, C19, C20, C21: phone signatures, quotes of all forms, below and above the own words.
    """
    kind, body = client()
    more = "Content-Transfer-Encoding: quoted-printable" if client is gmail_html_only else ""
    inbound = read(mail(body, kind=kind, more=more, subject="Re: Star Board 17 alice"), DOMAIN)
    told = [line.strip() for line in inbound.lines if line]
    assert told == ["F6", "Nice move, Bob!"]
    assert inbound.is_reply
    assert (inbound.automatic, inbound.quiet, inbound.trouble) == (None, None, None)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_reply_that_came_through_a_list(client):
    """The same with the footer of a list, and sent on as bytes of another form."""
    kind, body = client()
    if "alternative" not in kind:
        return
    inner = f"Content-Type: {kind}\n\n".encode() + body
    raw = mail(
        parts("list", inner, "Content-Type: text/plain\n\nfooter"),
        kind="multipart/mixed; boundary=list",
        more="List-Id: <x.example>",
        line_end=b"\n",
    )
    inbound = read(raw, DOMAIN)
    assert [line.strip() for line in inbound.lines if line] == ["F6", "Nice move, Bob!"]
    assert inbound.quiet == "list"


def test_command_in_the_subject_of_a_phone():
    inbound = got("\n\nSent from my iPhone", subject=MOVE, kind="text/plain; charset=us-ascii")
    assert (inbound.subject, inbound.lines, inbound.is_reply) == (MOVE, (), False)
    assert inbound.trouble is None


def test_vacation_that_quotes_us():
    """The program says so in its header; that its text begins with a command does not matter."""
    inbound = got(
        f"{MOVE}\n\n{quoted()}",
        subject="Out of office: Star Board 17",
        more="Auto-Submitted: auto-replied",
    )
    assert inbound.automatic == "auto-submitted"
