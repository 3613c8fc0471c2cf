"""The writer's own lines: quotes, signatures, attributions and banners in the forms of the world."""

from __future__ import annotations

import textwrap

import pytest

from .written import MOVE, OLD, PLAIN_LETTER, STAR, lines, quoted


def test_dashes_alone():
    """C3: dashes alone on a line are a signature mark, not a pass."""
    for dashes in ("--", "-- ", "  -- ", "\u2013", "\u2014", "\u2015", "---", "\u200b--\u00a0"):
        assert lines(f"star move 17 alice sesame\n{dashes}\n{OLD}") == (
            "star move 17 alice sesame",
        )
        assert lines(f"{dashes}\n{OLD}") == ()
    for dash in ("-", "- -", "pass", "star move 17 alice sesame --", "--x"):
        assert lines(f"{dash}\nhi") == (dash, "hi")


def test_dashes_that_are_all_of_a_mail():
    """player.md row 4: with nothing but quotes below, what would be a signature mark is a pass."""
    for dashes in ("--", "  --", "\u2013", "\u2014", "\u2015"):
        for below in (
            "",
            "\n\n> F6",
            f"\nOn 3/11/2026 10:00, Star wrote:\n{quoted()}",
            "\n--\nAlice",
        ):
            assert [line.strip() for line in lines(f"\n{dashes}{below}")] == [dashes.strip()]
        assert lines(f"{dashes}\nAlice") == ()
    for mark in ("-- ", "--\u00a0", "---"):
        assert lines(f"{mark}\n") == ()


def test_quoted_command():
    """C8: a quoted command is no own line; a bulleted or numbered one is."""
    assert lines(f"> {MOVE}\n>{MOVE}\n  > {MOVE}") == ()
    assert lines(f"\u2022 {MOVE}\n1. {MOVE}") == (f"\u2022 {MOVE}", f"1. {MOVE}")


def test_blanks():
    """C9: blanks of all kinds are blanks; nothing else is touched."""
    assert lines("star\u00a0move\u200917\talice  sesame\u3000F6 \t") == (
        "star move 17 alice  sesame F6",
    )
    assert lines("a\u2028b\u2029c\x0bd\x0ce\x85f") == ("a b c d e f",)
    odd = "star move １７ ‘alice’ “sesame” ＊30 ∗30 – − ½ ①"
    assert lines(odd) == (odd,)
    assert lines("\ufeffst\u200bar\u00ad m\u202eo\u2066v\x1be\x7f \U000e0041x") == ("star move x",)


@pytest.mark.parametrize(
    "advertisement",
    [
        "Sent from my iPhone",
        "Sent from my Galaxy",
        "Sent from Mail for Windows",
        "Sent from Yahoo Mail on Android",
        "Sent with Proton Mail secure email.",
        "Sent via BlackBerry",
        "Get Outlook for iOS<https://aka.ms/o0ukef>",
        "Get Outlook for Android",
        "Von meinem iPhone gesendet",
        "Gesendet mit der GMX Mail App",
        "Diese Nachricht wurde von meinem Android Mobiltelefon mit WEB.DE Mail gesendet.",
        "Holen Sie sich Outlook für iOS",
        "Envoyé de mon iPhone",
        "Envoyé à partir de Outlook pour iOS",
        "Télécharger Outlook pour iOS",
        "Enviado desde mi iPhone",
        "Obtener Outlook para iOS",
        "Inviato da iPhone",
        "Verstuurd vanaf mijn iPhone",
        "Enviado do meu iPhone",
        "Wysłane z iPhone'a",
        "Отправлено с iPhone",
        "Sendt fra min iPhone",
        "Skickat från min iPhone",
        "发自我的iPhone",
        "發自我的 iPhone",
        "iPhoneから送信",
    ],
)
def test_advertisements(advertisement):
    """C16: what a phone puts under a mail is left out, alone or with a signature mark above."""
    assert lines(f"{MOVE}\n\n{advertisement}") == (MOVE,)
    assert lines(f"{MOVE}\n-- \n{advertisement}") == (MOVE,)
    assert lines(f"{advertisement}\n{MOVE}") == (MOVE,)


@pytest.mark.parametrize(
    "banner",
    [
        "CAUTION: This email originated from outside of the organization.",
        "[EXTERNAL]",
        "[EXTERNAL EMAIL]\nDo not click links.\n",
        "WARNING: external sender\n========================",
        "________________________________\nCAUTION: external sender\n________________________________\n",
        "**************************\nEXTERN\n**************************",
        "---------------------------\nExternal mail. Be careful.\n---------------------------",
        "You don't often get email from alice@example.net. Learn why this is important",
    ],
)
def test_banners(banner):
    """C17: a banner before the command does not hide it."""
    assert lines(f"{banner}\n\n{MOVE}\nhi")[-2:] == (MOVE, "hi")


def test_disclaimer():
    """C18: 80 lines of a disclaimer below change nothing above, and none of them is a command."""
    disclaimer = "\n".join(
        ["This e-mail and any attachments may be confidential and are intended only"] * 80
    )
    told = lines(f"{MOVE}\n\n{disclaimer}")
    assert told[0] == MOVE
    assert [line for line in told if line.startswith("star")] == [MOVE]
    assert lines(f"{MOVE}\n\n_______________\n{disclaimer}") == (MOVE,)


PREFIXES = [
    "> ",
    ">",
    ">> ",
    "> > ",
    "| ",
    "|",
    "|> ",
    "SB> ",
    "abc> ",
    "AB>> ",
    ">|",
    "  > ",
    "\u00a0> ",
    "\u200b> ",
    "│ ",
]


@pytest.mark.parametrize("prefix", PREFIXES)
def test_prefixed_quotes(prefix):
    """C19: an old command behind the prefix of a quote, whatever the prefix."""
    assert lines(f"F6\n\n{quoted(prefix)}") == ("F6",)
    assert lines(f"{quoted(prefix)}\n\nF6") == ("F6",)
    assert lines(f"{prefix}{OLD}") == ()


def test_a_movement_is_no_quote():
    """The initials before a quote have no digits."""
    assert lines("A04>A05\n*03>*53\n> A06") == ("A04>A05", "*03>*53")


ATTRIBUTIONS = f"""\
On Tue, Nov 3, 2026 at 10:00 AM {STAR} wrote:
On 3 Nov 2026, at 10:00, {STAR} wrote:
On Tuesday, November 3rd, 2026 at 10:00 AM, {STAR} wrote:
On Tuesday, November 3, 2026 at 10:00:00 AM GMT+1, {STAR} wrote:
On 11/3/2026 10:00 AM, Star server wrote:
On Tue, Nov 03, 2026 at 10:00:00AM +0000, Star server wrote:
On Tue, Nov 3, 2026, at 10:00 AM, Star server wrote:
At 2026-11-03 10:00:00, "Star server" <star@star.example> wrote:
{STAR} writes:
Star server wrote:
alice writes:
Am 03.11.2026 um 10:00 schrieb {STAR}:
Am 03.11.26 um 10:00 schrieb Star server:
Am Dienstag, dem 3. November 2026 um 10:00 Uhr schrieb {STAR}:
Am 3. November 2026 10:00:00 MEZ schrieb {STAR}:
{STAR} schrieb am Di., 3. Nov. 2026, 10:00:
Le mar. 3 nov. 2026 à 10:00, {STAR} a écrit :
Le 03/11/2026 à 10:00, Star server a écrit\u00a0:
El mar, 3 nov 2026 a las 10:00, Star server (<star@star.example>) escribió:
El 3/11/26 a las 10:00, Star server escribió:
Il giorno mar 3 nov 2026 alle ore 10:00 {STAR} ha scritto:
Il 03/11/2026 10:00, Star server ha scritto:
Op di 3 nov 2026 om 10:00 schreef {STAR}:
Op 3-11-2026 om 10:00 schreef Star server:
Em ter., 3 de nov. de 2026 às 10:00, {STAR} escreveu:
Em 03/11/2026 10:00, Star server escreveu:
wt., 3 lis 2026 o 10:00 {STAR} napisał(a):
W dniu 3.11.2026 o 10:00, Star server pisze:
вт, 3 нояб. 2026 г. в 10:00, {STAR}:
03.11.2026 10:00, Star server пишет:
3 ноября 2026 г., в 10:00, {STAR} написал(а):
tir. 3. nov. 2026 kl. 10:00 skrev {STAR}:
Den 3. nov. 2026 kl. 10.00 skrev {STAR}:
Den tis 3 nov. 2026 kl 10:00 skrev {STAR}:
Den 2026-11-03 kl. 10:00, skrev Star server:
{STAR} 于2026年11月3日周二 10:00写道：
在 2026年11月3日，10:00，{STAR} 写道：
2026年11月3日(火) 10:00 {STAR}:
ti 3. marrask. 2026 klo 10.00 Star server (star@star.example) kirjoitti:""".splitlines()


@pytest.mark.parametrize("width", [200, 72, 56, 46])
@pytest.mark.parametrize("attribution", ATTRIBUTIONS)
def test_attributions(attribution, width):
    """C20: below an attribution without prefixed quote all stops; C21: with one, reading goes on.

    Wrapped over two or three lines an attribution is one too; the own line above it stays.
    """
    wrapped = "\n".join(
        textwrap.wrap(attribution, width, break_long_words=False, break_on_hyphens=False)
    )
    assert lines(f"F6\n\n{wrapped}\n\n{PLAIN_LETTER}") == ("F6",)
    assert lines(f"{MOVE}\n{wrapped}\n{PLAIN_LETTER}") == (MOVE,)
    assert lines(f"{wrapped}\n\n{PLAIN_LETTER}") == ()
    assert lines(f"{wrapped}\n{quoted()}\n\n{MOVE}\n") == (MOVE,)
    assert lines(f"{MOVE}\n\n{wrapped}\n\n{quoted()}\n") == (MOVE,)
    assert lines("\n".join(f"> {line}" for line in wrapped.splitlines()) + f"\n{MOVE}") == (MOVE,)


def test_mark_of_gmail_wrapped_inside_the_address():
    attribution = "On Tue, Nov 3, 2026 at 10:00 AM A server with a rather long name <\nstar@star.example> wrote:"
    assert lines(f"F6\n\n{attribution}\n\n{quoted()}") == ("F6",)


@pytest.mark.parametrize(
    "line",
    [
        "On 3 Nov 2026 I shall be away",
        "I wrote you a letter on 3 Nov",
        "My clock says 10:00:",
        "see board 17:",
        "alice wrote that she will pass",
        "From: where did that come?",
        "To: be or not",
        "star move 17 wrote wrote: F6",
        "Subject: Re: star move 17",
    ],
)
def test_no_attributions(line):
    assert lines(f"{line}\n{MOVE}") == (line, MOVE)
