"""The writer's own lines: quotes, signatures, attributions and banners in the forms of the world."""

from __future__ import annotations

import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .written import LETTER, MOVE, OLD, STAR, lines, quoted

PLAIN_LETTER = "\n".join(LETTER)


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


@pytest.mark.parametrize(
    "block",
    [
        "From: Star\nSent: Tuesday, November 3, 2026 10:00 AM\nTo: Alice\nSubject: Star Board 17 alice",
        "*From:* Star\n*Sent:* Tuesday\n*To:* Alice",
        "From: Star\n\nDate: Tuesday\n\nTo: Alice",
        "Von: Star\nGesendet: Dienstag, 3. November 2026 10:00\nAn: Alice\nBetreff: Star",
        "Gesendet: Dienstag, 03. November 2026 um 10:00 Uhr\nVon: Star\nAn: Alice",
        "De : Star\nEnvoyé : mardi 3 novembre 2026 10:00\nÀ : Alice\nObjet : Star",
        "De: Star\nEnviado el: martes\nPara: Alice\nAsunto: Star",
        "Da: Star\nInviato: martedì\nA: Alice\nOggetto: Star",
        "Van: Star\nVerzonden: dinsdag\nAan: Alice\nOnderwerp: Star",
        "De: Star\nEnviada em: terça-feira\nPara: Alice\nAssunto: Star",
        "Od: Star\nWysłano: wtorek\nDo: Alice\nTemat: Star",
        "От: Star\nОтправлено: вторник\nКому: Alice\nТема: Star",
        "Fra: Star\nSendt: tirsdag\nTil: Alice\nEmne: Star",
        "Från: Star\nSkickat: den 3 november\nTill: Alice\nÄmne: Star",
        "发件人: Star\n发送时间: 2026年11月3日\n收件人: Alice\n主题: Star",
        "寄件者： Star\n寄件日期： 2026年11月3日\n收件者： Alice\n主旨： Star",
        "差出人: Star\n送信日時: 2026年11月3日\n宛先: Alice\n件名: Star",
        "________________________________\nFrom: Star\nSent: Tuesday",
        "________________________________\nИмя: Star",
        "-----Original Message-----\nFrom: Star",
        "-----Ursprüngliche Nachricht-----\nVon: Star",
        "-------- Message d'origine --------\nDe : Star",
        "------------------ 原始邮件 ------------------",
        "---- On Tue, 03 Nov 2026 10:00:00 +0100 Star <star@star.example> wrote ----",
        "--- Den tis 2026-11-03, Star ---",
    ],
)
def test_headers_of_a_quote(block):
    """C20: the header lines of a quoted mail, and the rules above them, end the own text."""
    assert lines(f"F6\n\n{block}\n\n{PLAIN_LETTER}") == ("F6",)
    assert lines(f"{block}\n\n{PLAIN_LETTER}") == ()
    assert lines(f"F6\n\n{block}\n\n{PLAIN_LETTER}".replace("\n", "\r\n"), cte="base64") == ("F6",)


def test_own_letter_without_any_mark():
    """C20: a program that marks its quote in no way at all, but quotes a letter of ours."""
    assert lines(f"F6\n\n{PLAIN_LETTER}") == ("F6",)


def test_bottom_posting():
    """C21: the command stands below the quote."""
    assert lines(f"On 3/11/2026 10:00, Star wrote:\n{quoted()}\n\n{MOVE}\n\n-- \nAlice\n{OLD}") == (
        MOVE,
    )
    assert lines(f"{quoted()}\n{MOVE}") == (MOVE,)


def test_interleaved():
    """C22: own lines between quoted ones, in order."""
    told = lines(
        f"Hi,\n\nOn 3 Nov 2026, Star wrote:\n> a\n\nstar show 1\n\n> b\n> {OLD}\nstar show 2\n> c\n\nbye"
    )
    assert [line for line in told if line] == ["Hi,", "star show 1", "star show 2", "bye"]


@pytest.mark.parametrize(
    "mark",
    [
        "Begin forwarded message:",
        "Anfang der weitergeleiteten Nachricht:",
        "Anfang der weitergeleiteten E-Mail:",
        "Début du message réexpédié :",
        "Inicio del mensaje reenviado:",
        "Inizio messaggio inoltrato:",
        "Begin doorgestuurd bericht:",
        "Início da mensagem reenviada:",
        "Początek przekazanej wiadomości:",
        "Начало переадресованного сообщения:",
        "Start på videresendt melding:",
        "Vidarebefordrat brev:",
        "开始转发的邮件：",
        "轉寄訊息：",
        "---------- Forwarded message ---------",
        "-------- Weitergeleitete Nachricht --------",
        "---------- Message transféré ---------",
        "-------- Forwarded Message --------\nSubject: x",
    ],
)
def test_forwarded(mark):
    """C23: what is forwarded is not the forwarder's."""
    forwarded = f"{mark}\n\nFrom: Bob <bob@example.net>\nSubject: x\n\n{OLD}"
    assert lines(forwarded) == ()
    assert lines(f"look at this\n\n{forwarded}") == ("look at this",)


@pytest.mark.parametrize("word", ["stop", "Quit", "END.", "end", "quit!"])
def test_last_words(word):
    assert lines(f"{MOVE}\n{word}\n{OLD}") == (MOVE,)
    assert lines(f"{word}\n{OLD}") == ()


def test_thanks_and_what_only_begins_like_a_last_word():
    assert lines(f"{MOVE}\nThanks!\n{OLD}") == (MOVE,)
    assert lines(f"Thanks!\n{MOVE}") == ("Thanks!", MOVE)
    for line in (
        "signoff alice sesame",
        "signoff",
        "stop it",
        "quite",
        "the end",
        "thanks for the game",
        "end game",
    ):
        assert lines(f"hi\n{line}\n{MOVE}") == ("hi", line, MOVE)


def test_many_lines():
    """C26: of 10,000 lines 1,000 are kept, of 2,000 characters each."""
    assert lines("\n".join(f"l{i}" for i in range(10_000))) == tuple(f"l{i}" for i in range(1_000))
    assert lines("x" * 5_000 + "\n" + MOVE) == ("x" * 1_994 + " (cut)", MOVE)
    assert lines("\n" * 10_000 + MOVE + "\n" * 10_000) == (MOVE,)
    assert lines("> x\n" * 10_000 + MOVE) == (MOVE,)
    assert lines("a" + "\n" * 5_000 + MOVE) == ("a",)


@pytest.mark.parametrize(
    "around",
    [
        "Hallo zusammen, hier mein Zug:",
        "Voici mon coup, à bientôt",
        "Мой ход такой",
        "こんにちは、私の手です",
        "我的下一步是这个",
        "שלום, הנה המהלך שלי",
        "Käyn tästä, terveisin",
    ],
)
def test_other_languages_around(around):
    """C32: text in any language around a command is text, and the command stays a line."""
    assert lines(f"{around}\n\n{MOVE}\n\n{around}") == (around, "", MOVE, "", around)


# -- properties

_own = st.sampled_from(
    ["F6", "*30", MOVE, "nice move", "Hi Bob,", "", "pass", "star show 1", "½ – “x”"]
)
_blank = st.sampled_from(["", "\n", "\n\n"])
_space = st.sampled_from(["", " ", "\u00a0", "\u200b", "\ufeff", "\t"])

_prefixed = st.builds(lambda space, prefix: space + prefix + OLD, _space, st.sampled_from(PREFIXES))
_ends = st.sampled_from(
    [
        *(f"{attribution}\n\n{OLD}" for attribution in ATTRIBUTIONS),
        f"-- \n{OLD}",
        f"\u2014\n{OLD}",
        f"-----Original Message-----\nFrom: Star\n\n{OLD}",
        f"From: Star\nSent: Tuesday\n\n{OLD}",
        f"*Von:* Star\n*Gesendet:* Dienstag\n\n{OLD}",
        f"Begin forwarded message:\n\n{OLD}",
        f"Summary of Star Board 17\n{OLD}",
        f"stop\n{OLD}",
    ]
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(
    st.lists(st.tuples(_own, st.lists(_prefixed, max_size=3)), max_size=6),
    _blank,
    _space,
    _ends,
    st.sampled_from(["8bit", "base64", "quoted-printable"]),
)
def test_what_is_quoted_is_never_an_own_line(told, blank, space, end, cte):
    """All own lines in their order, and nothing of what programs put around them."""
    above = "\n".join("\n".join([own, *quotes]) for own, quotes in told)
    found = lines(f"{above}\n{blank}\n{space}{end}", cte=cte)
    assert [line for line in found if line] == [own for own, _ in told if own]


_decorations = st.lists(
    st.sampled_from(
        [
            "{}",
            " {}",
            "{} ",
            "\u200b{}",
            "{}\u00a0",
            "\ufeff{}",
            "{}\t",
            "> {}",
            "| {}",
            "-- \n{}",
            "hi\n{}",
            "{}\nbye",
            "{}\n-- \nAlice",
            "{}\n\n> x",
            "> x\n\n{}",
            "On 3 Nov 2026, x wrote:\n{}",
            "{}\nSent from my iPhone",
            "_____\nEXTERNAL\n_____\n{}",
            "----- x -----\n{}",
            "Thanks\n{}",
            "{}\r",
            "a \r\n{}",
            "From: a\nTo: b\n{}",
        ]
    ),
    max_size=5,
)
_commands = st.sampled_from(
    [
        MOVE,
        "*star move 3 bob p*ss_w,rd *30*",
        "starstar move 3 bob x>y|z A1#12",
        "star challenge -size=6 a b",
    ]
)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(_commands, _decorations, st.booleans())
def test_a_command_survives_whole_or_disappears(command, decorations, flowed):
    """No decoration turns a command into another one."""
    body = command
    for decoration in decorations:
        body = decoration.format(body)
    kind = "text/plain; charset=utf-8" + ("; format=flowed" if flowed else "")
    for line in lines(body, kind=kind):
        if command[:9] in line:
            bare = line.strip()
            assert command in bare if flowed else bare == command
