"""What a reply to a board's letter says: in its Subject, in its first line, or in the old syntax."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbmstar.command import Command, Reply, parse_reply, read_reply
from pbmstar.errors import Refusal, UsageError
from pbmstar.games import GAMES, make
from pbmstar.games.hexagon.star import Star
from pbmstar.games.pentagon.starstar import StarStar
from pbmstar.games.pentagon.stary import StarY

MOVE = "star move 17 alice s3cret F6"


def first(reply: Reply) -> str:
    """The first command as understood, or the code of why it cannot be read."""
    command = reply.commands[0]
    return command.understood if isinstance(command, Command) else command.code


def reply_to(*lines: str, subject: str = "Re: Star Board 17 alice", is_reply: bool = True) -> Reply:
    return read_reply(subject, is_reply, lines, Star)


@pytest.mark.parametrize(
    ("line", "verb", "move"),
    [
        ("F6", "move", ["F6"]), ("*F6*", "move", ["*F6*"]), ("Move: F6", "move", ["F6"]),
        ("S42 T40", "move", ["S42", "T40"]), ("—", "move", ["pass"]), ("--", "move", ["pass"]),
        ("F6 \U0001f44d\U0001f3fd", "move", ["F6"]), ("F6 :-)", "move", ["F6"]), ("F6 \u2764\ufe0f", "move", ["F6"]),
        ("star", "move", ["star"]), ("@", "move", ["@"]), ("pass#3", "move", ["pass"]),
        ("Pass.", "pass", None), ("Swap!", "swap", None), ("resign", "resign", None),
        ("accept", "accept", None), ("Decline.", "decline", None), ("show", "show", None),
        ("*score*", "score", None), ("HELP", "help", None), ("propose 11-10", "propose", None),
    ],
)  # fmt: skip
def test_the_first_line_of_a_reply(line: str, verb: str, move: list[str] | None) -> None:
    """The centre by its name; dashes of all kinds for a pass."""
    for reply in (reply_to(line, "", "nice"), reply_to("", "Hello!", line, "", "nice")):
        (command,) = reply.commands
        assert isinstance(command, Command) and reply.bare
        assert (command.verb.name, command.args.get("move")) == (verb, move)
        assert reply.comment == "nice"


def test_star_is_the_centre_where_there_is_one() -> None:
    """The board says what it means."""
    command = parse_reply("star", StarY)
    assert StarY({}).read(command["move"]) == "@"
    with pytest.raises(Refusal):
        Star({}).read(command["move"])


@pytest.mark.parametrize("subject", [True, False], ids=["subject", "text"])
@pytest.mark.parametrize(
    ("word", "lines", "move"),
    [
        ("pentaline", ("*03-*53", "*03 *53", "Z03>Z53", "*03 - *53", "*03->*53", "z03 TO z53", "**03* *53*",
                       "*03 \u2013 *53", "*03 \u2192 *53", "\u221703-\u221753"), "*03-*53"),
        ("pentahex", ("*50-*20 T00 S07", "Z50 to Z20, S07, T00", "*50>*20 S07+T00"), "*50-*20 S07 T00"),
        ("queens", ("S42 T60", "t60,s42", "T60 + S42", "*S42* *T60*"), "S42 T60"),
        ("supplyline", ("*30-*10-T10", "*30 to *10 to T10", "Z30>Z10>T10", "*30 *10 T10"), "*30-*10-T10"),
        ("minisolitaire", ("R10-R32-*41-*21-S31-T30-T10-R10-A31-T21-R10-@", "R10 R32 *41 *21 S31 T30 T10 R10 A31 "
                           "T21 R10 star"), "R10-R32-*41-*21-S31-T30-T10-R10-A31-T21-R10-@"),
    ],
)  # fmt: skip
def test_moves_as_people_write_them(
    word: str, lines: tuple[str, ...], move: str, subject: bool
) -> None:
    """In a reply's Subject or text, and with its number behind it."""
    game = make(word, {})
    for line in lines:
        mail = (
            (line + "#9", False, ()) if subject else ("Re: A board", True, (line + " #9", "nice"))
        )
        (command,) = read_reply(*mail, type(game)).commands
        assert isinstance(command, Command), line
        assert (game.read(command["move"]), command["guard"]) == (move, 9), line


def test_a_proposal() -> None:
    assert parse_reply("propose 11-10", StarStar)["points"] == "11 10"
    assert [first(reply_to(line)) for line in ("propose", "propose 11", "propose 1-2 or so", "accept it", "show 17")] == [
        "propose", "bad-points", "too-much", "too-much", "too-much"]  # fmt: skip


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("undo", "undo"), ("Hi Anna, nice opening!", "Hi Anna, nice opening!"), ("Z9", "Z9"),
        ("6F", "6F"), ("f-6", "f-6"), ("\U0001f44d", "missing-move"), ("F6 ?", "F6 ?"),
        ("newpass77", "no-move"), ("F6 s3cret", "no-move"), ("x" * 30, "no-move"), ("a b c d e", "no-move"),
    ],
)  # fmt: skip
def test_what_is_shown_of_a_line_that_is_no_move(line: str, shown: str) -> None:
    """Words are shown as read; what may be a password neither twice nor once."""
    reply = reply_to(line)
    assert first(reply) == shown
    if isinstance(error := reply.commands[0], UsageError):
        assert not {"newpass77", "s3cret"}.intersection(f"{error} {error.understood}".split())


@pytest.mark.parametrize(
    ("line", "understood", "bare"),
    [
        ("away 2027-02-03 to 2027-02-10", "away 2027-02-03 to 2027-02-10", True),
        ("away from 3 Feb 2027 until 10 Feb 2027", "away from 3 Feb 2027 until 10 Feb 2027", True),
        ("away 2 weeks", "away 2 weeks", True), ("away 14d", "away 14d", True), ("away 2w.", "away 2w.", True),
        ("extend 3 days", "extend 3 days", True), ("extend 1 week", "extend 1 week", True),
        ("away alice s3cret 2", "away alice ****** 2", False), ("letters daily 7:30", "letters daily 7:30", True),
        ("letters alice s3cret daily 7:30", "letters alice ****** daily 7:30", False),
    ],
)  # fmt: skip
def test_what_an_account_says_in_a_reply(line: str, understood: str, bare: bool) -> None:
    """Three words behind away are no userid, password and days, if they are days."""
    reply = reply_to(line)
    assert (first(reply), reply.bare) == (understood, bare)


@pytest.mark.parametrize(
    ("line", "shown", "how"),
    [
        ("extend three", "extend three", "  extend days"), ("counter -size=99", "counter -size=99", "  counter [-size"),
        ("away 2 s3cret", "away ...", "  away [days | from to]"),
        ("hint", "hint", "puzzles. The first line"), ("yes, gladly", "yes, gladly", "lines below.\n"), ("ok then", "ok then", "  ok [plan]"),
        ("newpass77", "******", "or one of: pass, swap, undo"),
    ],
)  # fmt: skip
def test_a_reply_that_cannot_be_read_says_how_it_is_written(
    line: str, shown: str, how: str
) -> None:
    """A word that is known with its own usage, another one with all that a reply may begin with."""
    (error,) = reply_to(line).commands
    assert isinstance(error, UsageError)
    assert error.understood == shown
    assert how in str(error)
    assert ("letters, away, back" in str(error)) == ("or one of" in str(error))


@pytest.mark.parametrize(
    "greeting",
    ["Hello", "Hi Anna,", "hi anna!", "Dear Mr. Smith,", "Hallo Anna", "Liebe Anna,", "Guten Tag,", "Bonjour,",
     "Cher ami,", "Hola Carlos:", "Buenos días", "Ciao!", "Hoi", "Beste Anna,", "Bom dia,", "Cześć Aniu!",
     "Привет!", "Добрый день,", "Hei Anna", "Hejsan", "Hyvää päivää", "你好，", "こんにちは"],
)  # fmt: skip
def test_salutations_are_skipped(greeting: str) -> None:
    assert first(reply_to(greeting, "", "D8")) == "D8"
    assert first(reply_to(greeting, "", MOVE)) == "star move 17 alice ****** F6"


def test_a_greeting_hides_no_move_and_is_none_itself() -> None:
    assert first(reply_to("Hello D8", "F6")) == "Hello D8"
    assert first(reply_to("Hi Anna, nice", "F6")) == "Hi Anna, nice"
    assert first(reply_to("Hello")) == "Hello"
    assert first(reply_to("Hey pass")) == "Hey pass"


def test_a_reply_without_a_line_of_its_own() -> None:
    for reply in (
        reply_to(),
        reply_to("", " "),
        reply_to(subject="Star Board 17 alice", is_reply=False),
    ):
        assert (first(reply), reply.bare) == ("empty-reply", True)


@pytest.mark.parametrize(
    ("subject", "understood"),
    [("F6", "F6"), ("z60", "z60"), ("pass", "pass"), ("--", "--"), ("@", "@"), ("Star", "Star"), ("S42 T40", "S42 T40"),
     ("help", "help"), ("propose 11-10", "propose 11-10")],
)  # fmt: skip
def test_the_subject_may_be_the_move(subject: str, understood: str) -> None:
    """Then the body is the comment; not with a Re:."""
    reply = reply_to("G7", "hello", subject=subject, is_reply=False)
    assert (first(reply), reply.comment, reply.bare) == (understood, "G7\nhello", True)
    reply = reply_to("G7", "hello", subject=f"Re: {subject}")
    assert (first(reply), reply.comment, reply.bare) == ("G7", "hello", True)


@pytest.mark.parametrize(
    "subject",
    [
        "",
        "...",
        "?",
        "(no subject)",
        "my move",
        "Star is fine",
        "New Star Board 17 alice",
        "accept it",
    ],
)
def test_other_subjects_say_nothing(subject: str) -> None:
    assert first(reply_to("G7", subject=subject, is_reply=False)) == "G7"


def test_the_old_syntax() -> None:
    """A whole command is that command, with its own proof."""
    move = "star move 17 alice ****** F6"
    reply = reply_to("G7", subject=MOVE, is_reply=False)
    assert (first(reply), reply.comment, reply.bare) == (move, "G7", False)
    reply = reply_to(
        MOVE, "nice", "star show 17", "star move 17 alice s3cret", "star mov al s3cret F6"
    )
    assert [c.understood for c in reply.commands] == [move, "star show 17", "star move 17 ..."]
    assert (reply.comment, reply.withheld, reply.bare) == ("nice", 1, False)
    assert first(reply_to("star mvve 17 alice s3cret F6")) == "unknown-verb"
    assert first(reply_to(subject="star move 17", is_reply=False)) == "missing-userid"
    assert not reply_to("help account").bare and reply_to("help").bare


def test_what_is_withheld_from_the_opponent() -> None:
    reply = reply_to(
        "F6", "Star is such a nice game, thanks!", "signoff alice s3cret", "Accept my apologies."
    )
    assert (reply.comment, reply.withheld) == (
        "Star is such a nice game, thanks!\nAccept my apologies.",
        1,
    )


@given(st.text(max_size=200), st.sampled_from(GAMES))
@example("," * 1900 + "abcdefg", Star)
def test_any_reply_parses_or_is_refused(line: str, game: type) -> None:
    """C27: in plain ASCII, whatever it is."""
    (command, *_) = read_reply("Re: x", True, line.split("\n"), game).commands
    texts = [command.understood, "" if isinstance(command, Command) else str(command)]
    if isinstance(command, Command) and command.verb.name == "move":
        try:
            game({}).read(command["move"])
        except Refusal as error:
            texts.append(str(error))
    assert all(text.isascii() for text in texts)
