"""What is understood of whole mails and of replies: the tables of ``said/``.

A frame is a ``mail``, or a ``reply`` to a letter about a board of Star, or of the game that is named; a mail
without a Subject in its first line is a reply in a mail program's sense. The reading has each command: its verb,
move and plan, and in brackets the line as letters show it, or ``?`` and why it cannot be read. Behind ``|``
stands the comment, then what else is not usual.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from harness.tables import Block, blocks, escape, rows, unescape
from hypothesis import example, given
from hypothesis import strategies as st

from pbmstar.command import (
    GAME_VERBS,
    SERVER_VERBS,
    Command,
    Reply,
    parse_reply,
    read_reply,
    recognition,
    split,
)
from pbmstar.command.recognition import may_hold_password
from pbmstar.command.split import Split
from pbmstar.errors import Refusal, UsageError
from pbmstar.games import GAMES, find
from pbmstar.games.base import Game
from pbmstar.games.hexagon.star import Star
from pbmstar.games.pentagon.stary import StarY

HERE = Path(__file__).parent / "said"
FRAMES = r"(mail|reply( \w+)?): "
BLOCKS = [
    pytest.param(block, id=f"{file.stem}: {block.title[:60]}")
    for file in sorted(HERE.glob("*.txt"))
    for block in blocks(file, FRAMES)
]


def said(text: str) -> Split:
    """Return what is understood of a text of a table."""
    kind, _, text = text.partition(": ")
    lines = unescape(text).split("\n")
    subject, is_reply = "Re: Star Board 17 alice", True
    if lines[0].startswith("Subject: "):
        subject = lines.pop(0).removeprefix("Subject: ")
        is_reply = subject.startswith("Re: ")
        subject = subject.removeprefix("Re: ")
    if kind == "mail":
        return split(subject, is_reply, lines)
    return read_reply(subject, is_reply, lines, find(kind[6:] or "star") or Star)


def told(found: Split, game: type[Game] = Star) -> str:
    """Return that as one line."""
    text = "; ".join(_command(each, game) for each in found.commands) or "nothing"
    text += "".join(f" | {escape(each.comment)}" for each in found.said if each.comment)
    withheld = sum(each.withheld for each in found.said)
    text += f" [{withheld} withheld]" if withheld else ""
    text += f" [{found.too_many} too many]" if found.too_many else ""
    return text + (" [its own proof]" if isinstance(found, Reply) and not found.bare else "")


def _command(command: Command | UsageError, game: type[Game]) -> str:
    shown = f"[{command.understood}]"
    if isinstance(command, UsageError):
        return f"?{command.code} {shown}"
    words = [command.verb.name] if command.verb.name != "plan" else []
    if "move" in command.args:
        try:
            words.append((command.game or game)({}).read(command["move"]))
        except Refusal:
            words.append(" ".join(command["move"]))
    words += [f"#{command['guard']}"] if command.args.get("guard") else []
    if command.args.get("plan"):
        words += [f"plan {command['plan']!r}"]
    return " ".join([*words, shown])


@pytest.mark.few(8)
@pytest.mark.parametrize("block", BLOCKS)
def test_what_is_understood(block: Block) -> None:
    """And no password is repeated by what says why it cannot be understood."""
    cases, found = list(block.cases()), {}
    for text, _ in cases:
        read = said(text)
        word = re.match(r"reply (\w+): ", text)
        found[text] = told(read, (find(word[1]) if word else None) or Star)
        for error in read.commands:
            assert not re.search("s3cret|newpass77", f"{error} {error.understood}"), text
    assert found == dict(cases)


@pytest.mark.parametrize("title", ["in a reply", "in a mail"])
def test_what_cannot_be_read_is_told_how_it_is_written(title: str) -> None:
    """A word that is known with its own usage, another one with what is wrong."""
    for text, how in rows(HERE.parent / "usage.txt", title):
        (error,) = said(text).commands
        assert isinstance(error, UsageError) and how in str(error), text
        assert ("letters, away, back" in str(error)) == ("or one of" in str(error)), text


TALK = [line for block in blocks(HERE / "mails.txt", FRAMES) if block.title.startswith("Talk")
        for line, _ in block.rows]  # fmt: skip
EXAMPLES = re.findall(
    "^    (.*?) {2,}(command|slip|talk), (hidden|open)", recognition.__doc__ or "", re.M
)


def test_talk_that_names_its_writer_is_talk() -> None:
    for line in TALK:
        signed = f"{line} Yours, alice"
        assert not may_hold_password(line, ["alice"]), line
        assert may_hold_password(signed, ["alice"]) == may_hold_password(signed), line


def test_the_examples_of_the_module_hold() -> None:
    kinds = {Command: "command", UsageError: "slip", type(None): "talk"}
    assert len(EXAMPLES) > 5
    for line, kind, shown in EXAMPLES:
        found = recognition.read(line)
        assert (kinds[type(found)], may_hold_password(line)) == (kind, shown == "hidden"), line


def test_an_english_word_before_it_does_not_open_a_password() -> None:
    """If it looks like one; one of letters alone behind the writer's own userid."""
    verbs = [f"star {verb.name}" for verb in GAME_VERBS if verb.has_secret]
    verbs += [verb.name for verb in SERVER_VERBS if verb.has_secret]
    for begin in verbs:
        for word in ("then", "my", "is"):
            assert may_hold_password(f"{begin} {word} alice s3cret"), (begin, word)
            assert may_hold_password(f"{begin} {word} alice triangle", ["alice"]), (begin, word)


def test_a_password_keeps_the_mark_at_its_end() -> None:
    (command,) = split("signup alice s3cret!", False, []).commands
    assert isinstance(command, Command) and command["password"].value == "s3cret!"


def test_star_is_the_centre_where_there_is_one() -> None:
    """The board says what it means."""
    command = parse_reply("star", StarY)
    assert StarY({}).read(command["move"]) == "@"
    with pytest.raises(Refusal):
        Star({}).read(command["move"])


@given(st.text(max_size=200), st.sampled_from(GAMES))
@example("," * 1900 + "abcdefg", Star)
def test_any_reply_parses_or_is_refused(line: str, game: type[Game]) -> None:
    """C27: nothing that a letter shows has a control character, or turns the direction of its text."""
    (command, *_) = read_reply("Re: x", True, line.split("\n"), game).commands
    texts = [command.understood, "" if isinstance(command, Command) else str(command)]
    if isinstance(command, Command) and command.verb.name == "move":
        try:
            game({}).read(command["move"])
        except Refusal as error:
            texts.append(str(error))
    assert all(text.replace("\n", "").isprintable() for text in texts)


@given(st.text(max_size=200), st.booleans(), st.lists(st.text(max_size=60), max_size=8))
def test_any_mail_is_split(subject: str, is_reply: bool, lines: list[str]) -> None:
    """What is withheld from the comment once leaves nothing more to withhold."""
    found = split(subject, is_reply, lines)
    assert sum(each.withheld for each in found.said) <= len(lines)
    for each in found.said:
        again = split("", True, each.comment.split("\n"))
        assert not any(part.withheld for part in again.said)
