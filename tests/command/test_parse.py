"""Reading a line: forgiving where that is safe, strict where it is not, and silent about passwords."""

from __future__ import annotations

import gc
import re
import string
import weakref
from pathlib import Path

import pytest
from harness.tables import rows
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pbmstar.command import Command, open_lines, parse, parse_reply, split, verbs
from pbmstar.command.parse import read_args
from pbmstar.errors import Refusal, UsageError
from pbmstar.games import GAMES
from pbmstar.games.base import Game
from pbmstar.games.hexagon.star import Star
from pbmstar.games.pentagon.starstar import StarStar
from pbmstar.grammar.arguments import may_be_secret
from pbmstar.grammar.verb import Verb
from pbmstar.match.plan_grammar import read as read_plan
from pbmstar.parts import FEATURES

LINES = Path(__file__).parent / "lines.txt"


def read(line: str) -> tuple[str, str, str]:
    """What was understood of a line, why it was refused and the code of that; empty if it was not."""
    try:
        return parse(line).understood, "", ""
    except UsageError as error:
        return error.understood, str(error), error.code


def is_told(why: str, near: set[str]) -> bool:
    """Whether a refusal names a few verbs, some of those near by first, and where all of them stand."""
    if asked := re.search(r"Did you mean \S+ (.+)\?$", why):
        return asked[1] in near
    listed = re.search(
        r"(?:you can write|The closest ones are:) (.+)\. For all commands, send: help commands$",
        why,
    )
    names = listed[1].split(", ") if listed else []
    return 0 < len(names) < 5 and names[0] in near


def test_a_refusal_names_a_few_verbs_that_are_near() -> None:
    near = {"count", "counter"}
    assert is_told("Did you mean star count?", near)
    assert is_told(
        "After star, you can write counter, count, undo. For all commands, send: help commands",
        near,
    )
    assert not is_told("Did you mean star undo?", near)
    assert not is_told(
        "After star, you can write undo, count. For all commands, send: help commands", near
    )


@pytest.mark.parametrize("game", [*GAMES, None], ids=lambda game: game.word if game else "server")
def test_every_prefix_of_a_verb_is_the_verb_or_refused_with_what_is_meant(
    game: type[Game] | None,
) -> None:
    names = {name: verb for verb in verbs(game) for name in (verb.name, *verb.aliases)}
    for verb in verbs(game):
        for length in range(1, len(verb.name) + 1):
            prefix = verb.name[:length].rstrip()
            if prefix != verb.name and names.get(prefix.split()[0], verb) is not verb:
                continue  # "watch" of "watch player" is a verb itself
            if prefix == "list":
                continue  # a word of another server, answered with ours
            meant = (
                {names[prefix]}
                if prefix in names
                else {v for n, v in names.items() if n.startswith(prefix)}
            )
            # who is a verb, and begins whois.
            own = names.get(prefix, verb)
            rest = own.example.removeprefix(own.name)
            if game and verb.name == "challenge":
                rest = rest[: len(" alice") + len(" bob") * (len(game.seats) - 1)]
            line = " ".join([*([game.word] if game else []), prefix]) + rest
            if len(meant) == 1 and prefix.count(" ") == verb.name.count(" "):
                assert {parse(line).verb} == meant
            else:
                _, why, code = read(line)
                assert code == "unknown-verb"
                assert is_told(why, {v.name for v in meant}), why


# -- what mail programs and thumbs make of a line


@pytest.mark.parametrize(
    ("game", "spellings"),
    [
        (Star, "star Star STAR _star_ `star` 'star' “star” \u2018star\u2019 ｓｔａｒ"),
        (StarStar, "*star *Star starstar STARSTAR StarStar ＊star ∗star ⁎star ✱star ﹡star **star** *star* "
                   "\\*star _*star_ `*star` “*star” **starstar**"),
        (None, "stars startled st s*tar star- 1star ster ѕtar"),
    ],
)  # fmt: skip
def test_spellings_of_a_game(game: type[Game] | None, spellings: str) -> None:
    for word in spellings.split():
        commands = split("", False, [f"{word} move 17 alice s3cret F6"]).commands
        assert [getattr(command, "game", None) for command in commands] == ([game] if game else [])


def test_moves() -> None:
    """C1 C2 C5 C6 C15: bold, quotes, stops, dashes, other asterisks and links around a move."""
    for words, move, *guard in rows(LINES, "moves"):
        game = StarStar({}) if move.startswith("*") else Star({})
        try:
            commands = [parse(f"*star move 17 alice s3cret {words}"), parse_reply(words, StarStar)]
            for command in commands:
                assert game.read(command.args.get("move", [command.verb.name])) == move, words
                assert str(command.args.get("guard") or "") == "".join(guard), words
        except Refusal:
            assert move == "refused", words


def test_values() -> None:
    """C13: case, marks and stops around a value, and digits of other forms."""
    for line, name, value in rows(LINES, "values"):
        assert repr(parse(line)[name]) == value, line


def test_what_is_refused() -> None:
    """C3: a password that is missing is said to be missing."""
    for line, why in rows(LINES, "refused"):
        assert read(line)[2] == why, line


@pytest.mark.parametrize(
    "line",
    [
        "letters daily bob hunter22", "letters bob daily hunter22", "limit 5 bob hunter22",
        "star resign bob 17 hunter22", "star move bob hunter22 17 F6",
        *["cup star ben pw-ben1"] * ("cup" in FEATURES), "reject star bob hunter22", "block carol.x bob hunter22",
    ],
)  # fmt: skip
def test_a_wrong_order_is_named_and_not_the_first_check_that_fails(line: str) -> None:
    assert read(line)[1].startswith("Those words are in the wrong order.\nWrite it like this:"), (
        line
    )


@pytest.mark.parametrize(
    "line",
    [
        "letters bob hi daily", "letters bob hunter22 dayly", "limit bob hunter22 few",
        "star move 17 alice s3c:ret pass", "star resign 17x alice s3cret", "public bob hunter22 perhaps",
    ],
)  # fmt: skip
def test_the_order_is_not_blamed_for_another_fault(line: str) -> None:
    assert "order" not in read(line)[1], line


def test_who_asks_without_need_of_a_password_is_told_so() -> None:
    for line in ("games bob hunter22", "versus alice bob hunter22", "star score 17 hunter22"):
        assert "doesn't need a password." in read(line)[1], line
    assert "doesn't need a password." not in read("games bob never")[1]


def test_a_password_that_was_read_as_a_player_is_not_shown() -> None:
    assert read("versus alice s3cret bob")[0] == "versus alice ****** ..."


def test_the_mask_hides_the_place_of_the_password_only() -> None:
    """An English word is shown wherever else it stands."""
    for line, understood in rows(LINES, "shown"):
        assert read(line)[0] == understood, line


# -- any line at all


@given(st.text(max_size=300))
@example("star move 1 alice s3cret " + "," * 1900 + "abcdefg")
@example("star move 1 alice s3cret " + "!" * 1900 + "F6")
@example("star move 1 alice s3cret " + "#" * 1900)
@example("star " + "*" * 1900)
@example("*" * 1900)
@example("\\" * 1900 + "star")
@example("star challenge " + "-=" * 900)
@example("star show " + "1# " * 600)
@example("[http:" * 300 + "]")
@example("change " * 300)
@example("star move 1 alice s3cret " + "a1,,,," * 25 + "xyz")  # many readings
@example("star move 1 alice s3cret " + "a1,," * 38 + "xyz")
@example("star move 1 alice s3cret " + ",@" * 78 + "xyz")
@example("star move \u0661\u0667 alice s3cret F6")
@example("\ud800 \x00 star")
def test_any_line_parses_or_is_refused(line: str) -> None:
    """C27 C30: nothing but UsageError comes out, its text is short and plain."""
    for text in (line, f"star {line}", f"*star move {line}", f"change {line}", f"signup {line}"):
        understood, why, _ = read(text)
        assert len(why) < 1000 and why.replace("\n", "").isprintable()
        assert len(understood) < 20 * (len(text.split()) + 3)
        assert understood.isprintable()


# -- decorations never change the command

COMMANDS = [f"star {verb.example}" for verb in verbs(Star)] + [
    "*star move 17 alice s3cret S42 T40", "star challenge -size=8 -maxi alice bob",
]  # fmt: skip
WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)}
WAYS: dict[str, tuple[str, ...]] = {  # the words that it is done to, and what becomes of them
    ".+": ("{}", "{} <http://{}>"),
    "[A-Z]+[0-9]+": ("*{}*", "_{}_", "“{}”", "{}.", "`{}`", "{},"),
    "[0-9]+": ("#{}",),
}


@given(st.sampled_from(COMMANDS), st.data())
def test_decorations_never_change_the_command(line: str, data: st.DataObject) -> None:
    """C5 C6 C9 C13 C15: case, blanks, quotes, bold, other forms of characters, links."""
    text = ""
    for word in line.split():
        text += data.draw(
            st.sampled_from([" ", "  ", "\t", "\u00a0", "\u2009", " \u3000 ", "\u202f"])
        )
        if word == "s3cret" or "@" in word:
            text += word
            continue
        ways = [way for form, ways in WAYS.items() if re.fullmatch(form, word) for way in ways]
        forms = [word, word.upper(), word.capitalize()]
        if re.fullmatch("[A-Z0-9]+|-.*", word):
            forms += [word.translate(WIDE), word.replace("-", "—", 1)]
        text += data.draw(st.sampled_from(ways)).replace("{}", data.draw(st.sampled_from(forms)))
    meanings = []
    (found,) = split("", False, [text]).commands
    assert isinstance(found, Command)
    for command in (parse(line), found):
        args = {name: getattr(value, "value", value) for name, value in command.args.items()}
        if "move" in args:
            args["move"] = (StarStar({"double": True}) if line[0] == "*" else Star({})).read(
                args["move"]
            )
        if args.get("plan"):
            args["plan"] = read_plan(args["plan"], Star({}).read)
        if "tried" in args:
            args["tried"] = [Star({}).read([word]) for word in args["tried"]]
        meanings.append((command.verb, command.game, args))
    assert meanings[0] == meanings[1]


# -- passwords

PASSWORDS = st.text(
    alphabet=[c for c in string.printable if c.isprintable() and c not in " \"':"],
    min_size=4,
    max_size=64,
)
SECRETIVE = [("star", verb) for verb in verbs(Star) if "s3cret" in verb.example] + [
    ("", verb) for verb in verbs(None) if "s3cret" in verb.example
]


@given(st.sampled_from(SECRETIVE), PASSWORDS)
def test_a_password_is_never_altered_and_never_shown(row: tuple[str, Verb], password: str) -> None:
    words = [row[0], *row[1].example.replace("s3cret", password).split()]
    others = " ".join(word for word in words if word != password)
    assume(words.count(password) == 1 and password not in others and password not in "******")
    # Options stand anywhere in a line that offers a game.
    assume(row[1].name != "seek" or not re.fullmatch("-+[a-z]+(=.*)?", password, re.I))
    # Of a new account, a word with @ is the address.
    assume(row[1].name != "signup" or "@" not in password)
    command = parse(" ".join(words).strip())
    assert command["password"].value == password
    hidden = {password: "******", "n3wword": "******"}
    if row[1].name in ("invite", "postcard"):  # a friend's address is not repeated
        hidden[words[-1]] = "..."
    assert command.understood == " ".join(hidden.get(word, word) for word in words if word)
    assert repr(command["password"]) == "******"


@given(st.sampled_from(SECRETIVE), PASSWORDS, st.data())
def test_a_password_is_not_shown_when_a_line_cannot_be_read(
    row: tuple[str, Verb], password: str, data: st.DataObject
) -> None:
    """A word too few or too many, or two exchanged: neither the error nor what it shows repeats it."""
    word, verb = row
    # Any other may be a word, a number, a move or an option of a line that is wrong.
    assume(may_be_secret(password) and password[0] != "-")
    words = verb.example.removeprefix(verb.name).replace("s3cret", password).split()
    kind = data.draw(st.sampled_from(["drop", "add", "swap"]))
    place, other = (data.draw(st.integers(0, len(words) - 1)) for _ in "ab")
    if kind == "drop":
        assume(words[place] != password)
        del words[place]
    elif kind == "add":
        words.insert(place, data.draw(st.sampled_from(["x", "17", "alice", "F6", "!", "-"])))
    else:
        words[place], words[other] = words[other], words[place]
    assume(words[0] != "then")  # of a plan: with it in the first place the line is a sentence
    line = " ".join(filter(None, [word, verb.name, *words]))
    understood, why, _ = read(line)
    usual = read(line.replace(password, "PASSWORD"))[0]
    assume(len(password) > 5 and password not in usual + verb.example)
    if why:
        assert password not in why.partition("\n")[0]
        assert password not in understood
        assert open_lines([line], lambda: ["alice"]) == ("", 1)  # as the service asks


@pytest.mark.parametrize(
    "line", ["D-4.", "x:D4", "b[a2]", "D4<https://d4>", "(F6)", "F6/G7!", "부재중입니다."]
)
def test_a_word_that_is_no_password_is_shown(line: str) -> None:
    with pytest.raises(UsageError) as told:
        parse_reply(f"{line} zzz yyy xxx www", Star)
    assert told.value.understood.startswith(line.partition("<")[0])


class Words(list[str]):
    """Words that can be looked for once nobody should have them."""


def test_what_cannot_be_read_is_not_kept() -> None:
    """It may be a password: it goes with the answer, and doesn't wait for the collector."""
    wanted = next(verb for verb in verbs(Star) if verb.name == "move").args
    words = Words(["x", "alice", "s3cret", "D4"])
    known = weakref.ref(words)
    gc.disable()
    try:
        assert read_args(wanted, Star, words).error is not None
        del words
        assert known() is None
    finally:
        gc.enable()
