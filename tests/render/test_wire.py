"""The header of a letter whose Subject is not ASCII."""

from __future__ import annotations

import email
from email import policy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.render import wire


def _mail(subject: str) -> bytes:
    return wire.mail({"To": "bob@bob.example"}, subject, [wire.plain("Hello\n")], 0.0, "1")


@pytest.mark.parametrize(
    ("subject", "begins"),
    [
        ("Star Board 17 bob - Grüße", "Star Board 17 bob - =?utf-8?"),
        ("Star news: ¡Nuevo! Łódź, " + "żółć " * 30 + "x", "Star news: =?utf-8?"),
        ("é" * 200, "=?utf-8?"),
        ("Star Board 17 bob", "Star Board 17 bob\n"),
    ],
)
def test_a_subject_comes_back_as_written(subject: str, begins: str) -> None:
    """RFC 2047; what programs sort by stands before it as it is."""
    raw = _mail(subject)
    assert raw.isascii() and f"\nSubject: {begins}".encode() in raw
    assert max(map(len, raw.split(b"\n"))) <= 78
    assert email.message_from_bytes(raw, policy=policy.default)["Subject"] == subject


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1), min_size=1
    )
)
def test_any_subject_stays_one_header(words: list[str]) -> None:
    subject = " ".join(words)
    read = email.message_from_bytes(_mail(subject))
    assert read.keys() == [
        "Date",
        "To",
        "Subject",
        "MIME-Version",
        "Content-Type",
        "Content-Transfer-Encoding",
    ]


@pytest.mark.parametrize("mark", ["\n", "\r", "\x00", "\u202e", "\u2028"])
def test_a_subject_with_a_control_character_is_not_written(mark: str) -> None:
    with pytest.raises(ValueError, match="control characters"):
        _mail(f"Grüße{mark}Bcc: carol@carol.example")


def test_a_long_line_of_html_is_broken_where_that_means_nothing() -> None:
    """Characters that ASCII lacks are longer there: a line has at most 998 bytes."""
    words = " ".join(["grüße"] * 200)
    lines = wire.html(f"<p>{words}</p>").partition(b"\n\n")[2].split(b"\n")
    assert max(map(len, lines)) <= 998
    assert (
        b" ".join(lines).decode().replace("&#252;", "ü").replace("&#223;", "ß") == f"<p>{words}</p>"
    )
