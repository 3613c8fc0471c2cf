"""The table of verbs: everything is documented, and everything documented parses."""

from __future__ import annotations

import re

import pytest

from pbmstar.command import (
    GAME_VERBS,
    REPLY_VERBS,
    SERVER_VERBS,
    Verb,
    Who,
    parse,
    parse_reply,
    split,
    usage,
)
from pbmstar.games import GAMES
from pbmstar.games.base import Game
from pbmstar.games.star import Star
from pbmstar.render import Renderer

PAGES = Renderer(None, "star@pbm.example")
WORDS = {
    "board#": "17", "userid": "alice", "userid1": "alice", "userid2": "bob", "password": "s3cret",
    "new": "s3cret2", "address": "alice@a.example", "token": "abcdefgh23456789", "points": "11-10",
    "topic": "commands", "game": "star", "number|off": "3", "on|off": "off",
    "board#[#moveno]...": "17#5 18", "next|active|finished": "next", "coord[#moveno]": "F6#9",
    "pass | -- | -": "--",
}  # fmt: skip
EVERY: list[tuple[Verb, type[Game] | None]] = [
    *((verb, game) for game in GAMES for verb in GAME_VERBS),
    *((verb, None) for verb in SERVER_VERBS),
]


def page(topic: str) -> str:
    return PAGES.help(topic).text


@pytest.mark.parametrize(
    ("verb", "game"), EVERY, ids=lambda value: getattr(value, "name", "") or str(value)
)
def test_every_usage_line_filled_in_parses_to_its_verb(verb: Verb, game: type[Game] | None) -> None:
    for line in usage(verb, game):
        for full in (True, False):
            start = f"{game.word} {verb.name}" if game else verb.name
            filled = re.sub(r"\[-[a-z]+(=number)?\]", "", line.removeprefix(start))
            filled = re.sub(r"\[([a-z|]+)\]", r"\1" if full else "", filled)
            for word, example in sorted(WORDS.items(), key=lambda item: -len(item[0])):
                filled = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w#|])", example, filled)
            filled = start + filled
            command = parse(filled)
            assert command.verb is verb and command.game is game, filled
            assert "s3cret" not in command.understood
            assert [c.understood for c in split("", False, [filled]).commands] == [
                command.understood
            ]


@pytest.mark.parametrize("verb", [*GAME_VERBS, *SERVER_VERBS], ids=lambda verb: verb.name)
def test_a_row_holds_everything_about_its_verb(verb: Verb) -> None:
    """B5. A reply word needs no more on its line than the reply address leaves open."""
    assert re.fullmatch(r"(play|asks|accounts|wishes)\.[a-z_]+", verb.handler)
    assert verb.doc and "\n" not in verb.doc and isinstance(verb.who, Who)
    game = Star if verb in GAME_VERBS else None
    for name in (verb.name, *verb.aliases):
        line = verb.example.replace(verb.name, name, 1)
        assert parse(f"star {line}" if game else line).verb is verb
    takes = {arg.name for arg in verb.args}
    assert ({"board", "userid", "password"} <= takes) == (verb.who is Who.PLAYER)
    assert (verb.who is Who.ACCOUNT) <= ({"userid", "password"} <= takes)
    assert verb.reply or not verb.any_turn
    if verb in REPLY_VERBS:
        filled = [verb.name, *("11-10" for arg in verb.reply_args if not arg.optional)]
        assert parse_reply(" ".join(filled), Star).verb is verb


def test_every_verb_stands_in_the_help() -> None:
    told = " ".join(page("commands").split())
    for verb, game in EVERY:
        if game in (None, GAMES[0]):
            for line in usage(verb, game):
                assert " ".join(line.split()) in told, line
            assert verb.doc in told


@pytest.mark.parametrize("topic", PAGES.topics())
def test_every_example_of_the_help_parses(topic: str) -> None:
    usages = {" ".join(line.split()) for verb, game in EVERY for line in usage(verb, game)}
    for line in page(topic).splitlines():
        said = line.strip()
        if (
            not line.startswith("  ")
            or line.startswith("    ")
            or not split("", False, [said]).commands
        ):
            continue
        if any(known.startswith(said) or said in known for known in usages) or ";" in said:
            continue
        parse(said)


def test_every_page_fits_a_mail() -> None:
    for topic in PAGES.topics():
        for line in page(topic).splitlines():
            assert len(line) <= 72 and line == line.rstrip() and line.isascii(), line


def test_every_option_of_a_game_stands_on_its_page() -> None:
    for game in GAMES:
        told = page(game.word.replace("*", "star"))
        assert all(option.usage() in told for option in game.options)


@pytest.mark.parametrize(
    ("line", "verb"),
    [
        ("star chall alice bob", "challenge"), ("STAR MOVE 17 alice s3cret f6", "move"),
        ("star board 17 alice s3cret F6", "move"), ("star mvoe 17 alice s3cret F6", "move"),
        ("star\tmove  17 alice   s3cret F6", "move"), ("star res 17 alice s3cret", "resign"),
        ("starstar g", "games"), ("Star challenge -s=8 -m alice bob", "challenge"),
    ],
)  # fmt: skip
def test_forgiving_where_it_is_safe(line: str, verb: str) -> None:
    assert parse(line).verb.name == verb
