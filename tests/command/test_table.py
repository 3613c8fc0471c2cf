"""The table of verbs: everything is documented, and everything documented parses."""

from __future__ import annotations

import re

import pytest

from pbmstar.command import GAME_VERBS, SERVER_VERBS, Verb, is_command, parse, usage
from pbmstar.errors import UsageError
from pbmstar.games import GAMES, find
from pbmstar.games.base import Game
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
            assert command.verb == verb.name and command.game is game, filled
            assert "s3cret" not in command.masked
            assert is_command(filled)


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
        if not line.startswith("  ") or line.startswith("    ") or not is_command(said):
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
    assert parse(line).verb == verb


@pytest.mark.parametrize(
    "line", ["star s 17", "star p 17 alice s3cret", "star", "star xyzzy", "change", "*"]
)
def test_what_is_not_clear_is_refused_with_what_there_is(line: str) -> None:
    with pytest.raises(UsageError, match=r"one of|commands are"):
        parse(line)
