"""The word for match in other languages: a line of the game's letter, and one of an account's."""

from __future__ import annotations

import pytest
from command.test_words import command, done

from pbmstar.command import Command
from pbmstar.command.proved import Replier, read_account_reply
from pbmstar.games.hexagon.star import Star
from pbmstar.grammar.words import TABLE


@pytest.mark.parametrize("language", sorted(TABLE))
def test_a_game_may_follow_it(language: str) -> None:
    word = TABLE[language]["match"].split(", ")[0]
    read, wanted = command(f"{word} hex"), command("match hex")
    assert isinstance(read, Command) and isinstance(wanted, Command)
    assert read.verb.name == "match"
    assert (read.verb, dict(read.args)) == (wanted.verb, dict(wanted.args))
    account = read_account_reply("Re: x", True, [f"{word} hex"], Replier(["alice"], {17: Star}))
    assert account is not None and done(account.commands[0]) == "match"
