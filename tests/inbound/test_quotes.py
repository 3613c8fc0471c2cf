"""Quotes below, above and between the writer's own lines, and mails that are forwarded."""

from __future__ import annotations

import pytest

from .written import MOVE, OLD, PLAIN_LETTER, lines, quoted


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
    assert lines(f"{word}\n{OLD}") == ((word,) if word == "stop" else ())


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
