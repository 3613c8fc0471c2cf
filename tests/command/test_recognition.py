"""Which lines of a mail are commands, which are talk, and which are withheld from the opponent."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmstar.command import GAME_VERBS, SERVER_VERBS, Command, recognition, split
from pbmstar.command.recognition import may_hold_password
from pbmstar.command.split import Split
from pbmstar.errors import UsageError
from pbmstar.games import GAMES

TAKES_SECRET = [
    *(f"star {verb.name}" for verb in GAME_VERBS if verb.has_secret),
    *(verb.name for verb in SERVER_VERBS if verb.has_secret),
]
MOVE = "star move 17 alice s3cret F6"


def outline(said: Split) -> list[str]:
    """The commands as understood, or the codes of why they cannot be read."""
    return [c.understood if isinstance(c, Command) else c.code for c in said.commands]


TALK = [
    *(sentence.format(game.word) for game in GAMES for sentence in (
        "{} is such a nice game, thanks!", "{} is harder than I thought!", "{} me", "{}", "{} has 5 chains",
        "{} games are fun", "{} move was great", "{} moves fast", "{} shows promise", "{} in 3 days, perhaps")),
    "Accept my apologies.", "accept my apologies", "Accept bob's offer", "Reject this silly thing",
    "Block that move!", "limit it to five", "forgot it", "Forgot to say hello", "confirm it", "Confirm",
    "never mind", "help me please", "change", "Change the record", "ring me", "Reminders are nice",
    "I star in a film", "Stars above!", "to move a star 17 miles", "the star of the show",
    "please accept my apologies", "you must signup first", "1. star", "> star", "*", "", " ",
]  # fmt: skip


@pytest.mark.parametrize("line", TALK)
def test_talk_is_talk(line: str) -> None:
    """No command, no error in a mail of several commands, and never kept from the opponent."""
    said = split("multiple", False, ["star games", line, "star help"])
    assert outline(said) == ["star games", "star help"]
    assert (said.comment, said.withheld) == (line.strip("\n"), 0)
    assert split(MOVE, False, [line]).comment == line


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("star chalenge alice bob", "unknown-verb"), ("star resgin 17 alice s3cret", "unknown-verb"),
        ("star mvve 17 alice s3cret F6", "unknown-verb"), ("star hint 17 alice s3cret", "unknown-verb"),
        ("star 17 alice s3cret F6", "unknown-verb"), ("star move", "missing-board"),
        ("star mov 17 alice", "missing-password"), ("star chall alice", "missing-userid2"),
        ("star show one", "bad-board"), ("limit alice s3cret few", "bad-number"),
        ("signup x y", "bad-userid"), ("signoff", "missing-userid"), ("change password alice", "missing-password"),
    ],
)  # fmt: skip
def test_a_slip_is_answered(line: str, why: str) -> None:
    """In the place of the command; what follows is carried out."""
    said = split("multiple", False, ["star games", line, "star help"])
    assert outline(said) == ["star games", why, "star help"]


EXAMPLES = re.findall(
    "^    (.*?) {2,}(command|slip|talk), (hidden|open)", recognition.__doc__ or "", re.M
)


@pytest.mark.parametrize(("line", "kind", "shown"), EXAMPLES)
def test_the_examples_of_the_module_hold(line: str, kind: str, shown: str) -> None:
    found = recognition.read(line)
    kinds = {Command: "command", UsageError: "slip", type(None): "talk"}
    assert (kinds[type(found)], may_hold_password(line)) == (kind, shown == "hidden")


@pytest.mark.parametrize(
    "line",
    [
        MOVE, "star mve 17 alice s3cret F6", "star mov alice s3cret F6", "star 17 alice s3cret F6",
        "star undo 17 alice s3cret", "star show 17 alice s3cret", "signoff alice s3cret",
        "change password alice s3cret n3wword", "change pass alice s3cret n3wword",
        "change address alice s3cret a@b.example", "limit alice s3cret 5", "block alice s3cret bob",
        "block al!ce s3cret bob", "confirm abcdefgh23456789", "• signoff alice s3cret",
        "1. star move 17 alice s3cret F6", "I sent star move 17 alice s3cret F6 to the server",
        "(star resign 17 alice s3cret)", "I sent star resign 17 alice s3cret to the server", "they typed: starstar move 17 alice s3cret, and that was it",
        "then signup alice s3cret", "**star** move 17 alice s3cret F6",
    ],
)  # fmt: skip
def test_a_line_that_may_hold_a_password_is_withheld(line: str) -> None:
    """From the opponent; and its writer can be told."""
    said = split("star games", False, ["hello", line, "bye"])
    assert (outline(said), said.comment, said.withheld) == (["star games"], "hello\nbye", 1)


@pytest.mark.parametrize("word", ["then", "my", "is"])
@pytest.mark.parametrize("begin", TAKES_SECRET)
def test_an_english_word_before_it_does_not_open_a_password(begin: str, word: str) -> None:
    """If it looks like one; one of letters alone behind the writer's own userid."""
    assert may_hold_password(f"{begin} {word} alice s3cret")
    assert may_hold_password(f"{begin} {word} alice triangle", ["alice"])


@pytest.mark.parametrize("line", TALK)
def test_talk_that_names_its_writer_is_talk(line: str) -> None:
    assert not may_hold_password(line, ["alice"])
    signed = f"{line} Yours, alice"
    assert may_hold_password(signed, ["alice"]) == may_hold_password(signed)


def test_commands_and_comment() -> None:
    lines = ("Hello,", "", MOVE, "Good luck", "• star show 17", "", "bye")
    move, show = "star move 17 alice ****** F6", "star show 17"
    both = Split((), "Good luck\n\nbye")
    for subject, is_reply in (("multiple", False), ("", False), ("star", False), (MOVE, True)):
        said = split(subject, is_reply, lines)
        assert outline(said) == [move, show]
        assert (said.comment, said.withheld) == (both.comment, 0)
    said = split(MOVE, False, lines)
    assert outline(said) == [move]
    assert (
        said.comment == "Hello,\n\nGood luck\n• star show 17\n\nbye"
    )  # itself, on a line of its own
    assert split(MOVE, True, ()) == Split(())
    said = split("help", False, ("hello", "help stary"))
    assert (outline(said), said.comment) == (["help"], "hello\nhelp stary")


def test_more_than_twenty_commands() -> None:
    """C25."""
    said = split("", False, ["star games"] * 23)
    assert (len(said.commands), said.too_many) == (20, 3)


def test_a_mail_without_a_command_is_told_what_could_follow() -> None:
    """Where nothing else is a command, a Subject that begins like one is answered, and so is a line."""
    for subject, why in {"star": "unknown-verb", "signup": "missing-userid", "Star is nice": "unknown-verb", "limit alice 5": "missing-password",
                         "change the record": "unknown-verb", "star s 1": "unknown-verb"}.items():  # fmt: skip
        said = split(subject, False, ("hello",))
        assert (outline(said), said.comment) == ([why], "hello")
        assert outline(split(subject, False, ("star games",))) == ["star games"]
    assert outline(split("Hi", False, ("Accept it", "Star is nice"))) == ["unknown-verb"]
    for nothing in ("Accept my apologies", "hello", "", "*"):
        assert split(nothing, False, (nothing,)) == Split(())


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("move 17 alice s3cret F6", "no-game-word"), ("resign 17 alice s3cret", "no-game-word"), ("show 17", "no-game-word"),
        ("challenge bob", "no-game-word"), ("Show me the way", ""), ("No thanks", ""), ("move on", ""),
    ],
)  # fmt: skip
def test_a_verb_of_games_alone_is_told_that_a_game_stands_before_it(line: str, code: str) -> None:
    """'I found no command', or the server's own commands, said nothing of what was missing."""
    for said in (split(line, False, []), split("multiple", False, ["Hello,", line])):
        assert outline(said) == [code] * bool(code)
    if code:
        (error,) = said.commands
        assert isinstance(error, UsageError)
        assert "s3cret" not in f"{error} {error.understood}"
        assert f"  star {line.split(maxsplit=1)[0]} " in str(error)


@pytest.mark.parametrize("subject", ["Help!", "help?", "star help.", "Games!"])
def test_a_short_subject_may_be_called_out(subject: str) -> None:
    assert outline(split(subject, False, [])) == [subject.lower().strip("!?.")]
    assert outline(split("signup alice s3cret!", False, [])) == ["signup alice ******"]
    assert split("signup alice s3cret!", False, []).commands[0]["password"].value == "s3cret!"  # type: ignore[index]


def test_a_subject_of_ours_is_no_command() -> None:
    """A mail program may answer without a Re: before it; what a player types has no capitals."""
    for ours in ("Star Board 17", "*Star Board 17 alice **", "Nag: Star Y Board 17 alice"):
        assert outline(split(ours, False, (MOVE,))) == ["star move 17 alice ****** F6"]
        assert split(ours, False, ("hello",)) == Split(())
    for typed in ("star board 17", "Star board 17", "STAR BOARD 17"):
        assert outline(split(typed, False, ("hello",))) == ["missing-userid"]


@given(st.text(max_size=200), st.booleans(), st.lists(st.text(max_size=60), max_size=8))
def test_any_mail_is_split(subject: str, is_reply: bool, lines: list[str]) -> None:
    said = split(subject, is_reply, lines)
    again = split("", True, said.comment.split("\n"))
    assert said.withheld <= len(lines)
    assert again.withheld == 0
