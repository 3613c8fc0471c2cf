"""What a letter shows of a word that somebody has typed."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.games.spelling import shown


@pytest.mark.parametrize(
    "word",
    [
        "sí",
        "rückgängig",
        "Größe",
        "Łódź",
        "não",
        "¡Sí!",
        "«oui»",
        "„ja“",
        "l’échange",
        "πέντε",
        "привет",
        "Việt",
        "5€",
        "부재중입니다.",
        "自動返信です。",
        "我的下一步",
        "ส่งจากไอโฟน",
        ["मेरी", "चाल"][0],
        "עברתי",
        "بازی",
        "dışındayım",
        "გამარჯობა",
    ],
)
def test_words_with_accents_come_back_as_written(word: str) -> None:
    assert shown(word) == word
    assert shown(unicodedata.normalize("NFD", word)) == word, "as a Mac writes it"


@pytest.mark.parametrize(
    "character",
    [
        "\x00", "\x07", "\x1b", "\x7f", "\x85", "\x9b",  # control characters
        "\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069",  # direction
        "\u200e", "\u200f", "\u061c", "\u05d0", "\u0627",  # marks and letters from right to left
        "\u200b", "\u200d", "\u00ad", "\ufeff", "\u2060", "\u0301", "\u0488",  # what nobody sees, or stacks
        "\u2028", "\u2029", "\u00a0", "\u3000", "\n", "\t",  # blanks and ends of lines
        "\ud800", "\ue000", "\U000e0041", "\U0001f600",
        "\u115f", "\u1160", "\u3164", "\u17b4",  # letters that nobody sees
        "\u017f", "\uff21", "\uff11", "\u0661", "\u06f4", "\u0966", "\u3007", "\u13aa", "\u2160",  # look-alikes
    ],
)  # fmt: skip
def test_what_changes_a_letter_is_a_question_mark(character: str) -> None:
    assert shown(f"x{character}y") == "x?y"


@given(st.text(), st.integers(0, 60))
def test_any_word_is_shown_in_one_line_and_cut(word: str, most: int) -> None:
    text = shown(word, most)
    assert len(text) <= most and text.isprintable() and " " not in text
    turning = ("RLO", "LRO", "RLE", "LRE", *(("R", "AL") if re.search("[A-Za-z0-9]", text) else ()))
    assert not any(unicodedata.bidirectional(c) in turning for c in text)


def test_signs_do_not_stack() -> None:
    assert shown("\u0e01" + "\u0e34" * 5) == "\u0e01\u0e34\u0e34???"
