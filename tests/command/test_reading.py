"""Reading a line: forgiving where that is safe, strict where it is not, and silent about passwords."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from pbmstar.command import (
    GAME_VERBS,
    SERVER_VERBS,
    Command,
    is_command,
    parse,
    parse_reply,
    split,
    verbs,
)
from pbmstar.errors import Refusal, UsageError
from pbmstar.games import GAMES, find
from pbmstar.games.hexagon.star import Star
from pbmstar.games.pentagon.starstar import StarStar

MOVE = "star move 17 alice s3cret F6"


def said(command: Command) -> tuple[object, ...]:
    """What a command means, secrets opened."""
    args = {kind: getattr(value, "value", value) for kind, value in command.args.items()}
    return command.verb, command.game, args


def read(line: str) -> tuple[Command, str]:
    """What was understood of a line, and why it was refused; an empty text if it was not."""
    try:
        return parse(line), ""
    except UsageError as error:
        assert isinstance(error.command, Command)
        return error.command, str(error)


# -- verbs and options cut short


@pytest.mark.parametrize("game", [*GAMES, None], ids=lambda game: game.word if game else "server")
def test_every_prefix_of_a_verb_is_the_verb_or_refused_with_the_list(game: type | None) -> None:
    table = verbs(game)
    start = [game.word] if game else []
    for verb in table:
        for length in range(1, len(verb.name) + 1):
            prefix = verb.name[:length].rstrip()
            meant = {v.name for v in table if prefix in (v.name, *v.aliases)} or {
                v.name for v in table if any(n.startswith(prefix) for n in (v.name, *v.aliases))
            }
            command, text = read(" ".join([*start, prefix]))
            if len(meant) > 1:
                assert command.verb == ""
                assert all(v.name in text for v in table)
            elif " " not in verb.name:
                assert command.verb == verb.name


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("star challenge -s=8 alice bob", {"size": "8"}),
        ("star challenge --size=8 alice bob", {"size": "8"}),
        ("star challenge –size=8 alice bob", {"size": "8"}),
        ("star challenge —maxi alice bob", {"maxi": ""}),
        ("star challenge alice -SI=8 bob -MAXI", {"size": "8", "maxi": ""}),
        ("*star challenge -p=-5 -d -n -h=2 -r=4 alice bob",
         {"points": "-5", "double": "", "nobridge": "", "handicap": "2", "rings": "4"}),
        ("star challenge －size＝８ alice bob", {"size": "8"}),
    ],
)  # fmt: skip
def test_options_cut_short(line: str, options: dict[str, str]) -> None:
    assert parse(line)["options"] == options


# -- what mail programs and thumbs make of a line


@pytest.mark.parametrize(
    "word",
    [
        "star",
        "Star",
        "STAR",
        "_star_",
        "`star`",
        "'star'",
        "“star”",
        "\u2018star\u2019",
        "ｓｔａｒ",
    ],
)
def test_spellings_of_star(word: str) -> None:
    assert parse(f"{word} move 17 alice s3cret F6").game is Star


@pytest.mark.parametrize(
    "word",
    ["*star", "*Star", "starstar", "STARSTAR", "StarStar", "＊star", "∗star", "⁎star", "✱star", "﹡star",
     "**star**", "*star*", "\\*star", "_*star_", "`*star`", "“*star”", "**starstar**"],
)  # fmt: skip
def test_spellings_of_star_star(word: str) -> None:
    assert parse(f"{word} move 17 alice s3cret S42").game is StarStar
    assert is_command(f"{word} move 17 alice s3cret S42")


@pytest.mark.parametrize(
    "word", ["stars", "startled", "st", "s*tar", "star-", "1star", "ster", "ѕtar"]
)
def test_words_that_are_no_game(word: str) -> None:
    assert not is_command(f"{word} move 17 alice s3cret F6")


@pytest.mark.parametrize(
    "dashes", ["--", "-", "–", "—", "―", "‐", "‑", "‒", "−", "﹘", "﹣", "－", "– –", "--#9"]
)
def test_dashes_are_a_pass(dashes: str) -> None:
    """C1 C2: dashes of all kinds, alone or in two words, as the last of a move."""
    assert parse(f"star move 17 alice s3cret {dashes}")["move"] == ["pass"]


@pytest.mark.parametrize(
    ("words", "move", "guard"),
    [
        ("F6", "F6", None),
        ("F6#9", "F6", 9),
        ("F6 #9", "F6", 9),
        ("*30*", "*30", None),
        ("*30*#9", "*30", 9),
        ("**30**", "*30", None),
        ("_*30_", "*30", None),
        ("*30.", "*30", None),
        ("“*30”", "*30", None),
        ("＊３０", "*30", None),
        ("∗30", "*30", None),
        ("⁎30", "*30", None),
        ("Z30", "*30", None),
        ("(F6)", None, None),
        ("pass#12", "pass", 12),
        ("swap.", "swap", None),
        ("Resign!", "resign", None),
        ("F6,", "F6", None),
        ("`F6`", "F6", None),
        ("F6 <http://F6>", "F6", None),
        ("F6 <mailto:F6@x.example>", "F6", None),
        ("F6 [https://x.example]", "F6", None),
    ],
)
def test_moves(words: str, move: str | None, guard: int | None) -> None:
    """C5 C6 C15: bold, quotes, stops, other asterisks and links around a cell."""
    command = parse(f"*star move 17 alice s3cret {words}")
    assert command["guard"] == guard
    game = StarStar({}) if move and move.startswith("*") else Star({})
    if move is None:
        with pytest.raises(Refusal):
            game.read(command["move"])
    else:
        assert game.read(command["move"]) == move


@pytest.mark.parametrize(
    "line",
    [
        "star move 17 alice s3cret F6#",
        "star move 17 alice s3cret F6#x",
        "star move 17 alice s3cret F6#123456",
        "star move 17 alice s3cret #9",
        "star move 17 alice s3cret",
        "star move 17 alice s3cret ! . ,",
    ],
)
def test_guards_and_moves_that_are_none(line: str) -> None:
    """C3: a line without a move is no pass."""
    try:
        move = parse(line)["move"]
    except UsageError:
        return
    with pytest.raises(Refusal):
        Star({}).read(move)


@pytest.mark.parametrize("board", ["17", "#17", "17.", "17,", "*17*", "１７", "0017"])
def test_board_numbers(board: str) -> None:
    assert parse(f"star move {board} alice s3cret F6")["board#"] == 17


@pytest.mark.parametrize(
    "board", ["", "x", "1.5", "-17", "17x", "²", "①", "1" * 10, "17#3", "0x11", "1_7", "۱۷"]
)
def test_what_is_no_board_number(board: str) -> None:
    with pytest.raises(UsageError):
        parse(f"star resign {board} alice s3cret")


@pytest.mark.parametrize(
    ("line", "boards"),
    [
        ("star show 17", [(17, None)]),
        ("star show 17 18", [(17, None), (18, None)]),
        ("star show 17#5 #18", [(17, 5), (18, None)]),
        ("star show 17#0", [(17, 0)]),
    ],
)
def test_show(line: str, boards: list[tuple[int, int | None]]) -> None:
    assert parse(line)["boards"] == boards


@pytest.mark.parametrize("userid", ["alice", "ALICE", "Alice,", "alice."])
def test_userids_are_case_folded(userid: str) -> None:
    """C13: a userid in any case."""
    assert parse(f"star resign 17 {userid} s3cret")["userid"] == "alice"


@pytest.mark.parametrize("score", ["11-10", "11:10", "11–10", "11−10", "*11-10*", "11-10."])
def test_scores(score: str) -> None:
    assert parse(f"*star propose 17 alice s3cret {score}")["points"] == (11, 10)


def test_negative_scores() -> None:
    assert parse("*star propose 17 alice s3cret -3-54")["points"] == (-3, 54)
    assert parse("*star propose 17 alice s3cret 54--3")["points"] == (54, -3)


# -- replies


@pytest.mark.parametrize(
    ("line", "verb", "move"),
    [
        ("F6", "move", ["F6"]),
        ("*F6*", "move", ["*F6*"]),
        ("pass", "move", ["pass"]),
        ("Swap!", "move", ["Swap"]),
        ("resign", "move", ["resign"]),
        ("Move: F6", "move", ["F6"]),
        ("S42 T40", "move", ["S42", "T40"]),
        ("—", "move", ["pass"]),
        ("accept", "accept", None),
        ("Decline.", "decline", None),
        ("show", "show", None),
        ("HELP", "help", None),
    ],
)
def test_the_first_line_of_a_reply(line: str, verb: str, move: list[str] | None) -> None:
    command = parse_reply(line, Star)
    assert command.verb == verb
    assert command.args.get("move") == move


def test_a_proposal_in_a_reply() -> None:
    assert parse_reply("propose 11-10", StarStar)["points"] == (11, 10)
    for line in ("propose", "propose 11", "propose 11-10 or 12-9", "accept it", "decline? no", ""):
        with pytest.raises(Refusal):
            StarStar({}).read(parse_reply(line, StarStar)["move"])


# -- which lines are commands, and which the comment


def test_commands_and_comment() -> None:
    lines = ("Hello,", "", MOVE, "Good luck", "• star show 17", "", "bye")
    assert split("multiple", False, lines) == ([MOVE, "star show 17"], "Good luck\n\nbye")
    assert split(MOVE, False, lines) == ([MOVE], "Hello,\n\nGood luck\n\nbye")
    assert split("Re: " + MOVE, True, lines)[0] == [MOVE, "star show 17"]
    assert split(MOVE, True, ()) == ([], "")
    assert split("star", False, lines) == split("multiple", False, lines)
    assert split("help", False, ("hello", "help stary")) == (["help"], "hello")


def test_a_subject_of_ours_is_no_command() -> None:
    """A mail program may answer without a Re: before it; what a player types has no capitals."""
    for ours in ("Star Board 17", "*Star Board 17 alice **", "Nag: Star Y Board 17 alice"):
        assert split(ours, False, (MOVE,)) == ([MOVE], "")
    for typed in ("star board 17", "Star board 17", "STAR BOARD 17"):
        assert split(typed, False, ("hello",)) == ([typed], "hello")


def test_a_line_with_a_password_is_no_comment() -> None:
    """Whatever looks like a command stays out of what the opponent reads."""
    lines = (
        MOVE,
        "star mve 17 alice s3cret F6",
        "signoff alice s3cret",
        "change password alice s3cret n3wword",
        "change address alice s3cret a@b.example",
        "limit alice s3cret 5",
        "block alice s3cret bob",
        "• signoff alice s3cret",
        "1. star move 17 alice s3cret F6",
        "I sent star move 17 alice s3cret F6 to the server",
        "(star resign 17 alice s3cret)",
        "he typed: starstar move 17 alice s3cret, and that was it",
        "then signup alice s3cret",
        "hello",
        "I star in a film",
        "the star of the show",
        "to move a star 17 miles",
        "please accept my apologies",
    )
    said = "hello\nI star in a film\nthe star of the show\nto move a star 17 miles"
    assert split("star games", False, lines)[1] == said + "\nplease accept my apologies"


@pytest.mark.parametrize(
    "line",
    ["change address alice s3cret a@b.example", "Change Password alice s3cret n3wword", "signup x y",
     "signoff", "confirm abcdefgh23456789", "forgot alice", "help", "help me", "star"],
)  # fmt: skip
def test_server_words(line: str) -> None:
    assert is_command(line)


@pytest.mark.parametrize(
    "line",
    ["change the record", "change", "help me please", "confirm it", "forgot to say", "1. star move",
     "> star move", "I star in a film", "Stars above!", "", " ", "*", "confirm", "accept"],
)  # fmt: skip
def test_english_is_no_command(line: str) -> None:
    assert not is_command(line)


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
@example("star move \u0661\u0667 alice s3cret F6")
@example("\ud800 \x00 star")
def test_any_line_parses_or_is_refused(line: str) -> None:
    """C27 C30: nothing but UsageError comes out, its text is short and plain."""
    for text in (line, f"star {line}", f"*star move {line}", f"change {line}", f"signup {line}"):
        is_command(text)
        command, told = read(text)
        assert len(told) < 1000
        assert told.isascii()
        assert len(command.masked) < 20 * (len(text.split()) + 3)
        assert all(" " <= c <= "~" for c in command.masked)


@given(st.text(max_size=200), st.sampled_from(GAMES))
@example("," * 1900 + "abcdefg", Star)
def test_any_reply_parses_or_is_refused(line: str, game: type) -> None:
    texts = []
    try:
        command = parse_reply(line, game)
        assert command.game is game
        texts.append(command.masked)
        if command.verb == "move":
            texts.append(game({}).read(command["move"]))
    except Refusal as error:
        texts.append(str(error))
    assert all(text.isascii() for text in texts)


@given(st.text(max_size=200), st.booleans(), st.lists(st.text(max_size=60), max_size=8))
def test_any_mail_is_split(subject: str, is_reply: bool, lines: list[str]) -> None:
    commands, comment = split(subject, is_reply, lines)
    assert all(is_command(line) for line in commands)
    assert not any(is_command(line) for line in comment.split("\n"))


# -- decorations never change the command

COMMANDS = [
    "star move 17 alice s3cret F6",
    "star move 17 alice s3cret F6#9",
    "star move 17 alice s3cret pass",
    "*star move 17 alice s3cret S42 T40",
    "star challenge -size=8 -maxi alice bob",
    "star resign 17 alice s3cret",
    "star propose 17 alice s3cret 11-10",
    "star show 17 18#2",
    "star games alice next",
    "change address alice s3cret alice@new.example",
]
BLANKS = [" ", "  ", "\t", "\u00a0", "\u2009", " \u3000 ", "\u202f"]


@st.composite
def decorated(draw: st.DrawFn) -> tuple[str, str]:
    """A command, and the same with what mail programs and thumbs do to it."""
    line = draw(st.sampled_from(COMMANDS))
    told = []
    for word in line.split():
        if word == "s3cret":
            told.append(word)
            continue
        how = draw(st.integers(0, 7))
        if how == 0:
            word = word.upper()
        elif how == 1:
            word = word.capitalize()
        elif how == 2 and re.fullmatch("[a-zA-Z]+[0-9]+|pass", word):
            word = draw(st.sampled_from(["*{}*", "_{}_", "“{}”", "{}.", "`{}`", "{},"])).format(
                word
            )
        elif how == 3 and re.fullmatch("[A-Z0-9]+|-.*", word):
            word = "".join(chr(ord(c) + 0xFEE0) for c in word)
        elif how == 4 and word.startswith("-"):
            word = draw(st.sampled_from("–—−")) + word[1:]
        elif how == 5 and re.fullmatch("[0-9]+", word):
            word = "#" + word
        elif how == 6:
            word += f" <http://{word}>"
        told.append(word)
    said = told[0]
    for word in told[1:]:
        said += draw(st.sampled_from(BLANKS)) + word
    return line, said


@given(decorated())
def test_decorations_never_change_the_command(lines: tuple[str, str]) -> None:
    """C5 C6 C9 C13 C15: case, blanks, quotes, bold, other forms of characters, links."""
    plain, other = lines
    wanted, found = said(parse(plain)), said(parse(other))
    if "move" in wanted[2]:  # type: ignore[operator]
        game = find(plain.split()[0])
        assert game is not None
        rules = game({"double": True} if game is StarStar else {})
        for command in (wanted, found):
            args = command[2]
            assert isinstance(args, dict)
            args["move"] = rules.read(args["move"])
    if "address" in wanted[2]:  # type: ignore[operator]
        for command in (wanted, found):
            args = command[2]
            assert isinstance(args, dict)
            args["address"] = args["address"].lower()
    assert wanted == found
    assert is_command(other)


# -- passwords

passwords = st.text(
    alphabet=[c for c in string.printable if c.isprintable() and c not in " \"':"],
    min_size=4,
    max_size=64,
)
SECRETIVE = [("star", verb) for verb in GAME_VERBS if "password" in verb.args] + [
    ("", verb) for verb in SERVER_VERBS if "password" in verb.args
]
FILL = {
    "board#": "17", "userid": "alice", "userid2": "bob", "new": "n3wword", "address": "a@b.example",
    "points": "11-10", "move...": "F6", "[address]": "a@b.example", "[game]": "star",
    "number|off": "3", "on|off": "on",
}  # fmt: skip


@given(st.sampled_from(SECRETIVE), passwords)
def test_a_password_is_never_altered_and_never_shown(
    row: tuple[str, object], password: str
) -> None:
    word, verb = row
    words = [word, verb.name, *(FILL.get(arg, password) for arg in verb.args)]  # type: ignore[attr-defined]
    others = " ".join(w for w in words if w != password)
    assume(password not in others and password not in "******")
    command = parse(" ".join(words).strip())
    assert command["password"].value == password
    assert password not in command.masked
    assert repr(command["password"]) == "******"
    hidden = ("******" if w in (password, "n3wword") else w for w in words if w)
    assert command.masked == " ".join(hidden)


@given(st.sampled_from(SECRETIVE), passwords, st.data())
def test_a_password_is_not_shown_when_a_line_cannot_be_read(
    row: tuple[str, object], password: str, data: st.DataObject
) -> None:
    """A word too few or too many, or two exchanged: neither the error nor what it shows repeats it."""
    word, verb = row
    assume(not re.fullmatch(r"[a-z*_:]+", password.lower()))  # a word in the place of the verb
    words = [FILL.get(arg, password) for arg in verb.args]  # type: ignore[attr-defined]
    kind = data.draw(st.sampled_from(["drop", "add", "swap"]))
    place = data.draw(st.integers(0, len(words) - 1))
    if kind == "drop":
        assume(words[place] != password)
        del words[place]
    elif kind == "add":
        words.insert(place, data.draw(st.sampled_from(["x", "17", "alice", "F6", "!", "-"])))
    else:
        other = data.draw(st.integers(0, len(words) - 1))
        words[place], words[other] = words[other], words[place]
    line = " ".join(filter(None, [word, verb.name, *words]))  # type: ignore[attr-defined]
    command, told = read(line)
    usual, _ = read(line.replace(password, "PASSWORD"))
    assume(len(password) > 5 and password not in usual.masked + " ".join(FILL.values()))
    if told:
        assert password not in told.partition("\n")[0]
        assert password not in command.masked
