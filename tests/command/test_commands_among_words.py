"""Commands among words for an opponent, and what merely looks like one."""

from __future__ import annotations

import pytest

from pbmstar.command import Command, read_digest_reply, read_reply, split
from pbmstar.command.further import is_further, players_named
from pbmstar.command.proved import Replier, read_account_reply
from pbmstar.errors import UsageError
from pbmstar.games.hexagon.star import Star

WRITER = Replier(["alice"], {17: Star, 2: Star}, boards=[17, 2], players=["carol"])
COMMANDS = [
    "star challenge carol", "challenge carol -size=4", "hex challenge -size=5 carol", "note carol",
    "star move 2 D3", "move 2 D3", "move 17 D3", "resign 2", "star resign 2", "plan 2 if E2 then D2",
    "star move 17 alice s3cret D3", "star mvve 17 alice s3cret D3", "signoff alice s3cret",
    "Note carol plays fast", "resign 2 please", "resign 2, thanks", "move 2", "move 2 D 3", "move 2 d-3", "move 2 pass",
    "move 2 D3 please", "resign 2 s3cret", "challenge carol s3cret", "star challenge alice carol", "extend 2",
    "plan 2 E2 D2", "star plan 2 if E2 den D2", "say 2 Hello", "star say 2 Hello", "aufgeben 2", "abandonner 2", "zug 2 D3",
    "move 99 alice s3cret D3", "signoff alice swordfish", "zone alice s3cret Europe/Berlin", "confirm abcdefgh23456789",
]  # fmt: skip
TALK = [
    "Hex rules here are simple.", "Star games tomorrow?", "Star show tonight on TV!", "Star review please",
    "Star undo please", "Star resign rate is high", "Star plan: win", "Star 17 alice wins again",
    "star 2 nice game", "Hex challenge accepted!", "star challenge accepted", "challenge accepted",
    "Queens games take long", "Pentahex move took me ages", "Y plan B?", "Y say hello to Carol",
    "Y pass auf dich auf", "Y 17 alice gana siempre", "y 3 mas tarde", "star is a nice game", "Hex next time?",
    "Back around 10am!", "Back sunday 10th", "Block bob now2 hex", "move 2 was great", "Note that carol is away",
    "Move 2 surprised me!", "Move 2: brilliant", "Plan 2 failed.", "Extend 2 days please", "Pass 2 moves and I win",
    "Resign 1 game, win another", "Draw 2 cards", "Swap 2 stones?", "Show 2 friends this game", "Rematch 2 tomorrow?",
    "Yes 2 more moves", "Challenge carol to a game, she's great", "Move 2 was good if you ask me",
    "show 99", "move 99 D3", "star ratings", "Star help", "limit yourself next time", "2 of us",
]  # fmt: skip


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_among_words_is_one(line: str) -> None:
    assert WRITER.sees(line) and WRITER.sees(f"• {line}")
    reply = read_reply("Re: x", True, ["F6", "Hi Bob", line, "Hi Carol"], Star, WRITER)
    assert [each.code for each in reply.commands[1:]] == ["not-first"]
    assert reply.said[0].comment == "Hi Bob" and reply.text in ("F6\nHi Bob", "")
    account = read_account_reply("Re: x", True, ["move 2 F6", "Hi", line, "Carol"], WRITER)
    assert account and [each.code for each in account.commands[1:]] == ["not-first"]
    assert account.said[0].comment == "Hi"
    daily = read_digest_reply(
        "Re: x", True, ["17 F6", "Hi", line, "Carol", "2 F6"], {17: Star, 2: Star}, WRITER
    )
    assert [each.board for each in daily] == [17, 0, 2]
    assert daily[0].comment == "Hi" and not isinstance(daily[1].command, Command)


@pytest.mark.parametrize("line", TALK)
def test_what_looks_like_a_command_is_talk(line: str) -> None:
    """And words below it are for the opponent."""
    assert not WRITER.sees(line)
    reply = read_reply("Re: x", True, ["F6", "Hi Bob", line, "See you"], Star, WRITER)
    assert len(reply.commands) == 1 and reply.said[0].comment.endswith("See you")


def test_without_a_known_writer_only_whole_commands_are_commands() -> None:
    """A password of letters alone is one where a verb is no word of sentences, or more stands below it."""
    for line in ("signoff alice swordfish", "zone alice swordfish Europe/Berlin", "star show 17"):
        found = split("star move 17 alice s3cret F6", False, ["Hi", line, "Bye"])
        assert [each.code for each in found.commands[1:]] == ["not-first"], line
        assert found.said[0].comment == "Hi"
    assert not is_further("move 17 D3") and not is_further("challenge carol")


def test_a_command_in_subject_and_body_counts_once() -> None:
    for subject in ("star move 17 F6", "star move 17 alice s3cret F6"):
        for line in (subject, f"{subject}.", subject.replace(" 17", "  17")):
            reply = read_reply(subject, False, [line, "Hi Bob"], Star, WRITER)
            assert len(reply.commands) == 1 and reply.said[0].comment == "Hi Bob", line


def test_commands_below_each_other_are_carried_out_and_those_below_words_are_not() -> None:
    """In a reply about the account: somebody who quotes a command in a question doesn't want it done."""
    read = read_account_reply("Re: x", True, ["move 2 F6", "move 17 G7", "Hi"], WRITER)
    assert read and [type(each) for each in read.commands] == [Command, Command]
    assert [each.comment for each in read.said] == ["", "Hi"]
    read = read_account_reply("Re: x", True, ["help", "limit 5", "away 14"], WRITER)
    assert read and [type(each) for each in read.commands] == [Command] * 3
    for lines in (["help me", "resign 2"], ["help", "star resign 2"]):
        read = read_account_reply("Re: x", True, lines, WRITER)
        assert read and [type(each) for each in read.commands] == [Command, UsageError]
    asked = ["help me please", "I typed this:", "star resign 2", "and nothing happened"]
    read = read_account_reply("Re: x", True, asked, WRITER)
    assert read and [type(each) for each in read.commands][1:] != [Command]
    assert not any("nothing" in each.comment for each in read.said)


def test_plans_below_a_move_in_a_daily_letter_are_kept() -> None:
    lines = ["17 F6", "if G7 then H8", "star move 2 D3", "if E2 then D2", "Hi Carol"]
    first, moved = read_digest_reply("Re: x", True, lines, {17: Star, 2: Star}, WRITER)
    assert isinstance(first.command, Command) and first.command["plan"] == "if G7 then H8"
    assert isinstance(moved.command, Command) and moved.command["plan"] == "if E2 then D2"
    assert moved.comment == "Hi Carol"


def test_players_are_found_behind_verbs_about_them() -> None:
    lines = ["star challenge -size=4 carol", "challenge bob.", "note dave", "I challenge you", "F6"]
    assert players_named(lines) == ["carol", "bob", "dave"]


def test_a_command_below_words_in_a_daily_letter_does_nothing() -> None:
    lines = ["I have a question.", "I typed this:", "move 17 D3", "and nothing happened"]
    (read,) = read_digest_reply("Re: x", True, lines, {17: Star, 2: Star}, WRITER)
    assert not isinstance(read.command, Command) and read.command.code == "not-first"
    for above in ("I'll be travelling.", "Please:", "***"):
        (read,) = read_digest_reply("Re: x", True, [above, "away 14"], {17: Star, 2: Star}, WRITER)
        assert isinstance(read.command, Command), above


def test_no_more_refusals_are_told_than_a_mail_has_commands() -> None:
    lines = ["F6", *["star challenge carol"] * 900]
    assert len(read_reply("Re: x", True, lines, Star, WRITER).commands) == 21


def test_what_is_told_of_a_command_repeats_nothing_else() -> None:
    for line in (
        "resign 2 s3cret",
        "move 2 s3cret D3",
        "say 2 x@y.example",
        "challenge carol s3cret",
    ):
        for each in read_reply("Re: x", True, ["F6", "Hi", line], Star, WRITER).commands:
            assert "s3cret" not in each.understood and "@" not in each.understood
