"""What a reply to a digest may say: anything at all."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmstar.command import Command, read_digest_reply
from pbmstar.errors import UsageError
from pbmstar.games import GAMES

_NUMBERS = ("1", "2", "17", "999999999", "0", "1234567890", "#1", "board 2")
_WORDS = (
    "F6", "B2#3", "pass", "swap", "resign", "say", "thanks", "Hi", "letters", "each", "daily", "if", "then",
    "note", "undo", "*03-*53", "-", "--", "<http://x.example>", "[mailto:a@b.example]", ";", "\u2600", "\u0130",
    "accept", "help", "move", "plan", "none", "try", "7:30", "s3cret9", "\u00a0", "\x85",
)  # fmt: skip
_words = st.sampled_from(_NUMBERS + _WORDS) | st.text(max_size=6)
_line = st.lists(_words, max_size=5).map(" ".join) | st.text(max_size=10)
_games = st.dictionaries(st.sampled_from([1, 2, 17, 999_999_999]), st.sampled_from(GAMES))


@settings(max_examples=2 * settings.default.max_examples)
@given(subject=_line, is_reply=st.booleans(), lines=st.lists(_line, max_size=3), games=_games)
def test_every_reply_is_read(subject, is_reply, lines, games):
    """Each says something, of a board that is there or of none, whatever is left of the digest's boards."""
    read = read_digest_reply(subject, is_reply, lines, games)
    assert read
    for line in read:
        assert line.board in games or line.board == 0
        assert isinstance(line.command, Command | UsageError) and line.withheld >= 0


def test_a_word_that_answers_a_board_is_no_setting():
    """To accept the request that the only board shows, not to take challenges again."""
    star = next(game for game in GAMES if game.word == "star")
    (line,) = read_digest_reply("Re: Star: 1 board is waiting for you", True, ["accept"], {1: star})
    assert (line.board, line.command.verb.handler) == (1, "play.accept")


def test_no_board_is_left():
    """Even a line of the right form is about nothing then; its words are nobody's."""
    for said in ([], ["thanks"], ["17 F6"], ["letters each"]):
        (line,) = read_digest_reply("Re: Star: a board is waiting for you", True, said, {})
        assert isinstance(line.command, UsageError)
        assert (line.board, line.command.code) == (0, "other-board")


@pytest.mark.parametrize(
    ("subject", "lines"),
    [
        ("17 F6", ["Good luck!"]),
        ("Re: Star: 2 boards wait for you", ["17 F6", "Good luck!", "2 pass"]),
    ],
)
def test_words_below_a_line_are_said_on_its_board(subject: str, lines: list[str]) -> None:
    star = next(game for game in GAMES if game.word == "star")
    first, *_ = read_digest_reply(subject, subject[:2] == "Re", lines, {2: star, 17: star})
    assert (first.board, first.comment, first.withheld) == (17, "Good luck!", 0)
    assert isinstance(first.command, Command) and first.command["move"] == ["F6"]


@pytest.mark.parametrize(
    ("line", "meant"),
    [("2 resing", "2 resign"), ("2 undoo 3", "2 undo"), ("2 N1", ""), ("2 resign", "")],
)
def test_a_misspelled_word_is_asked_about_with_the_number_of_its_board(
    line: str, meant: str
) -> None:
    star = next(game for game in GAMES if game.word == "star")
    (read,) = read_digest_reply(
        "Re: Star: 2 boards wait for you", True, [line], {2: star, 17: star}
    )
    if not meant:
        assert isinstance(read.command, Command)
        return
    assert isinstance(read.command, UsageError) and read.board == 2
    assert str(read.command).startswith(f"Did you mean {meant}?")
    assert read.command.understood == line
