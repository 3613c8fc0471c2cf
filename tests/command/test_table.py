"""The table of verbs: everything is documented, and everything documented parses."""

from __future__ import annotations

import itertools
import re

import pytest

from pbmstar.command import RESERVED, parse, parse_reply, split, usage, verbs
from pbmstar.errors import UsageError
from pbmstar.games import GAMES
from pbmstar.games.base import Game
from pbmstar.grammar.literals import STATES
from pbmstar.grammar.verb import Verb, Who
from pbmstar.match import REASONS, RESULTS
from pbmstar.render.letters import Renderer
from pbmstar.render.pages import topics

PAGES = Renderer(None, "star@pbm.example")
WORDS = {
    "board#": "17", "userid": "alice", "userid1": "alice", "userid2": "bob", "password": "s3cret",
    "new": "s3cret2", "address": "alice@a.example", "token": "abcdefgh23456789", "points|draw": "11-10",
    "topic": "commands", "plan|none": "none", "board#[#moveno]": "17#5", "moveno": "14", "opponent": "bot1", "move...": "F6 G7",
    "game": "star", "game options": "star -size=8", "number": "12", "each|end|digest": "end", "x|o": "x", "number|off": "3", "on|off": "off",
    "division": "2", "hh:mm": "7:30", "each|mine|daily|short": "daily", "copies|short|none": "short", "ascii|unicode|words|none|short": "words",
    "on|daily|few|off": "daily", "auto|off": "auto", "days": "7", "days | from to": "14", "lesson": "3",
    "number|on|off": "12", "year": "2026", "language": "de",
    "board#[#moveno]...": "17#5 18", "reason": "later", "top n|near|all|practice": "top 20", "[filter...]": "won vs bob since 2027-01 last 5", "pass | -- | -": "--",
    **{f"{game.written}[#moveno]": f"{next(game({}).start().moves())}#9" for game in GAMES},
}  # fmt: skip
EVERY: list[tuple[Verb, type[Game] | None]] = [
    *((verb, game) for game in GAMES for verb in verbs(game)),
    *((verb, None) for verb in verbs(None)),
]


def page(topic: str) -> str:
    return PAGES.help(topic).text


LONGEST_FIRST = sorted(WORDS.items(), key=lambda item: -len(item[0]))


def filled(line: str, verb: Verb, game: type[Game] | None, full: bool) -> str:
    """Return a usage line with examples for its words, with or without what may be left out."""
    start = f"{game.word} {verb.name}" if game else verb.name
    text = re.sub(r"\[-[a-z]+(=[a-z|]+)?\]", "", line.removeprefix(start))
    text = re.sub(r"\[([a-z|: ]+)\]", r"\1" if full else "", text)
    for word, example in LONGEST_FIRST:
        if (word, verb.name) != ("new", "preview"):  # the word itself, not a password
            text = re.sub(rf"(?<![\w-]){re.escape(word)}(?![\w#|])", example, text)
    return start + text


@pytest.mark.parametrize("game", [*GAMES, None], ids=lambda game: game.word if game else "server")
def test_every_usage_line_filled_in_parses_to_its_verb(game: type[Game] | None) -> None:
    for verb in verbs(game):
        lines = [
            filled(line, verb, game, full) for line in usage(verb, game) for full in (True, False)
        ]
        for line in lines:
            command = parse(line)
            assert command.verb is verb and command.game is game, line
            assert "s3cret" not in command.understood
            (found,) = split("", False, [line]).commands
            assert found.understood == command.understood


def test_a_row_holds_everything_about_its_verb() -> None:
    """A reply word needs no more on its line than the reply address leaves open."""
    for verb, game in dict(reversed(EVERY)).items():  # of the first game that has it
        assert re.fullmatch(
            r"(([a-z]+\.)?[a-z]+)\.[a-z_]+",
            verb.handler,
        ), verb.name
        assert verb.doc and "\n" not in verb.doc and isinstance(verb.who, Who), verb.name
        for name in (verb.name, *verb.aliases):
            line = verb.example.replace(verb.name, name, 1)
            assert parse(f"{game.word} {line}" if game else line).verb is verb, line
        takes = {arg.name for arg in verb.args}
        assert ({"board", "userid", "password"} <= takes) == (verb.who is Who.PLAYER), verb.name
        assert (verb.who is Who.ACCOUNT) <= ({"userid", "password"} <= takes), verb.name
        assert verb.reply or not verb.any_turn, verb.name
        if verb.reply:
            words = (WORDS.get(arg.label, "11-10") for arg in verb.reply_args if not arg.optional)
            line = " ".join([verb.name, *words])
            assert parse_reply(line, game or GAMES[0]).verb is verb, line


WORDLESS = re.compile("[^a-z0-9-]+")


def test_nobody_is_called_as_a_word_of_commands_or_results() -> None:
    """All words of the verbs and of what they are given by words, and each result of a game."""
    said = {
        word for verb, _ in EVERY for name in (verb.name, *verb.aliases) for word in name.split()
    }
    choices = {label for verb, _ in EVERY for arg in verb.args for label in arg.label.split("|")}
    said |= {word for label in choices for word in WORDLESS.split(label)}
    said |= {*RESULTS, *REASONS, *STATES, "any", "none", "new", "daily", "vs"}
    said |= {name for game in GAMES for name in (game.word, *game.aliases)}
    userids = {word for word in said if re.fullmatch("[a-z][a-z0-9_-]{1,15}", word)}
    assert len(userids) > 100 and userids <= RESERVED


def test_every_verb_stands_in_the_help() -> None:
    told = " ".join(page("commands").split())
    listed = [(verb, game) for verb, game in EVERY if not verb.unlisted]
    assert len({verb for verb, _ in listed}) <= 70
    for verb, game in listed:
        if game in (None, GAMES[0]) or verb.doc not in told:
            for line in usage(verb, game):
                assert " ".join(line.split()) in told, line
            assert verb.doc in told


def test_every_example_of_the_help_parses() -> None:
    usages = {" ".join(line.split()) for verb, game in EVERY for line in usage(verb, game)}
    for line in itertools.chain.from_iterable(page(each).splitlines() for each in topics(None)):
        said = line.strip()
        commands = split("", False, [said]).commands
        in_reply = any(isinstance(c, UsageError) and c.code == "no-game-word" for c in commands)
        if not re.match("   ?[^ ]", line) or not commands or in_reply:
            continue
        if any(known.startswith(said) or said in known for known in usages) or ";" in said:
            continue
        parse(said)


def test_the_page_of_commands_says_what_puzzles_have() -> None:
    """It named seven of the fifteen verbs that they lack, and three of their own where there are two."""
    two, one = (verbs(game) for game in (GAMES[0], next(g for g in GAMES if len(g.seats) == 1)))
    told = " ".join(page("commands").split()).partition("commands don't work there: ")[2]
    lacked, _, rest = told.partition(". But there are two more.")
    assert lacked.split(", ") == [
        verb.name for verb in two if not verb.unlisted and verb not in one
    ]
    own = [verb for verb in one if verb not in two]
    assert len(own) == 2 and all(f"queens {verb.name} " in rest for verb in own)


def test_every_page_fits_a_mail_and_names_the_options() -> None:
    for line in "\n".join(map(page, topics(None))).splitlines():
        assert len(line) <= 72 and line == line.rstrip() and line.isascii(), line
    for game in GAMES:
        assert all(
            option.usage() in page(game.word.replace("*", "star")) for option in game.options
        )


def test_a_word_of_another_server_is_answered_with_ours() -> None:
    for line, ours in (
        ("list", "who"),
        ("star list", "who"),
        ("star message alice s3cret bob", "star say"),
        ("star limit alice s3cret 5", "limit userid"),
        ("star notify alice s3cret 17", "star watch"),
        ("star subscribe 17 alice s3cret", "star watch"),
        ("star showas alice s3cret", "star show"),
        ("star chat 17 alice s3cret", "star say"),
        ("star moveq 17 alice s3cret F6", "star plan"),
        ("delete alice s3cret", "signoff userid"),
    ):
        if not any(verb.name == ours.split()[-1] for verb, _ in EVERY) and "watch" in ours:
            continue  # the feature is missing
        with pytest.raises(UsageError) as refused:
            parse(line)
        assert f"Use this one instead: {ours}" in str(refused.value), line
        assert "s3cret" not in str(refused.value)
