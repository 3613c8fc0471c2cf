"""However a person, or a mail program, spells it: what is carried out, and what never is.

Of cells, dashes, values and games each spelling stands in tests/command; here whole mails.
"""

from __future__ import annotations

import pytest
from harness.common import sentence
from harness.office import Office

STAR = "star challenge alice bob"
MOVE = "star move 1 alice s3cret "
# C7 C8 C9 C13 H24: bold, bullets, blanks of all kinds, capitals, links; shortened and mistyped verbs
SPELLINGS = """
    star move 1 alice s3cret F6#1|star board 1 alice s3cret F6
    star m 1 alice s3cret F6|STAR MOVE #1 ALICE s3cret F6|star  move\t1 \t alice  s3cret   F6
    *star move 1 alice s3cret F6|starstar move 1 alice s3cret F6|• star move 1 alice s3cret F6
    · star move 1 alice s3cret F6|▪ star move 1 alice s3cret F6|`star move 1 alice s3cret F6`
    star\u00a0move\u00a01\u00a0alice\u00a0s3cret\u00a0F6|star\u2009move\t1  alice s3cret  F6
    star move 1 alice s3cret F6 <http://F6>|star move 1 alice s3cret “F6”|_star move 1 alice s3cret F6_
    *star move 1 alice s3cret F6*|**star move 1 alice s3cret F6**|star move \u200b1 alice s3cret F\u200b6"""


@pytest.mark.few(3)
@pytest.mark.parametrize("line", SPELLINGS.strip().replace("\n", "|").split("|"))
def test_spellings_of_a_command(office: Office, line: str) -> None:
    office.game(STAR)
    office.send("alice", "", line.strip())
    assert office.record(1) == ["F6"]


@pytest.mark.parametrize(
    ("line", "record"),
    [("pass 1 alice s3cret", "pass"), ("res 1 alice s3cret", "resign"), ("move 1 alice s3cret --", "pass"),
     ("move 1 alice s3cret resign", "resign")],
)  # fmt: skip
def test_two_ways_to_pass_and_to_resign(office: Office, line: str, record: str) -> None:
    office.game(STAR)
    office.send("alice", "", f"star {line}")
    assert office.record(1) == [record]


@pytest.mark.parametrize("line", ["f6", "F6 #1", "F6!", "*F6*", "\xa0F6 "])
def test_spellings_of_a_reply(office: Office, line: str) -> None:
    to = office.send("alice", STAR)[0].reply_to
    office.send("alice", "Re: x", f"> G7\n\n{line}\n\n> You can:\n>   pass", to.upper())
    assert office.record(1) == ["F6"]


def test_what_is_never_carried_out(office: Office) -> None:
    """C8 H23: what is quoted, signed, numbered, or behind Re: in the Subject; and English sentences."""
    office.game()
    before = office.state()
    for subject, body in (
        *(("", f"{mark}{MOVE}F6") for mark in ("> ", ">> ", "| ", "-- \n", "1. ", "I would ")),
        ("", f"On Monday bob wrote:\n{MOVE}F6"),
        *(
            (f"{mark}{MOVE}F6", "")
            for mark in ("Re: ", "RE:", "Fwd: ", "AW: ", "Re[2]: ", "回复：")
        ),
        ("Hello", "Accept my apologies, dear bob.\nLimit yourself to one small cake."),
    ):
        (letter,) = office.send("alice", subject, body)
        told = (
            sentence("nothing found"),
            "We ignored your Subject, because it starts with Re: or Fwd:",
            "Hello, alice!",
        )
        assert any(said in letter.words for said in told), (subject, body)
    assert office.state() == before


def test_a_reply_that_is_no_move(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "D1")
    to = office.send("bob", "star propose 1 bob hunter2 8-5")[0].reply_to
    before = office.state()
    for line in (
        *("Accept my thanks for the game", "I resign", "pass, I think"),
        *("propose 8-5 or so", "swap?? never", "-- "),
    ):
        (letter,) = office.send("alice", "Re: x", line, to)
        assert (letter.subject, letter.to) == ("Star Board 1 Error", "alice@alice.example"), line
    assert office.state() == before


@pytest.mark.parametrize(
    ("command", "title", "options"),
    [
        ("star challenge alice bob -s=4", "Star", "-size=4"),
        ("STAR CHALL -M Alice BOB", "Star", "-maxi"),
        ("star challenge -size=6 alice bob", "Star", ""),
        ("starstar challenge -rings=4 -double alice bob", "*Star", "-rings=4 -double"),
        ("*star challenge -handicap=3 -points=-5 alice bob", "*Star", "-handicap=3 -points=-5"),
        ("stary challenge -r=5 alice bob", "Star Y", "-rings=5"),
    ],
)
def test_options(office: Office, command: str, title: str, options: str) -> None:
    """Those that are not the default are named, and hold for a rematch."""
    for letter in office.send("alice", command):
        assert f"\nSummary of {title} Board 1\n" in letter.text
        assert letter.text.count("Options: ") == bool(options)
        assert f"Options: {options}\n" in letter.text or not options
    word = command.split(maxsplit=1)[0].lower()
    office.send("alice", f"{word} resign 1 alice s3cret")
    for letter in office.send("alice", f"{word} rematch 1 alice s3cret"):
        assert f"Options: {options}\n" in letter.text or not options
    assert office.row(2).seats == ("bob", "alice")  # type: ignore[union-attr]


def test_long_words_and_data(office: Office) -> None:
    """C27: refused, not repeated at length, and nothing changes."""
    office.game()
    before = office.state()
    for command, reason in (
        (MOVE + "x" * 5000, sentence("no move")),
        ("star " + "x" * 5000, "That isn't a command"),
        ("star move " + "1" * 5000 + " alice s3cret F6", "isn't a board number"),
        ("star move 1 " + "a" * 5000 + " s3cret F6", "can't use that name"),
        ("star move 1 alice " + "p" * 5000 + " F6", "Passwords must be 4 to 64"),
        (MOVE + "F6 " * 500, sentence("no move")),
        ("star challenge -" + "x" * 5000 + " alice bob", "There's no option -"),
        # C30: shells, paths, templates, SQL and formats mean nothing here
        *((f"star show {data}", "isn't a board number") for data in (
            "../../etc/passwd", "{{7*7}}", "1'; DROP TABLE boards; --", "%s%s%s%n")),
        ("star help; star move 1 alice s3cret F6", "help commands"),
        ("star `star move 1 alice s3cret F6`", "help commands"),
        ("help {{config}}", sentence("no help")),
        # A password in the wrong place is not shown: every letter is searched for it
        *((line, "") for line in (
            "star resign s3cret", "star move 1 alice pass s3cret", "star move 1 alice 's3cret' F6",
            'star move 1 alice "s3cret" F6', "star move 1 alice s3cret: F6", "star games alice s3cret",
            "star propose 1 alice 16-15 s3cret", "star help alice s3cret", "star move 1 s3cret F6")),
    ):  # fmt: skip
        (letter,) = office.send("alice", "", command)
        reply = " ".join(letter.text.partition("Nothing has changed")[0].split())
        assert reason in reply, command[:50]
        assert len(reply) < 800, command[:50]
        assert "49" not in reply
        assert office.state() == before, command[:50]


def test_an_autolinked_word(office: Office) -> None:
    """C15: the link that a mail program adds behind a word is dropped."""
    office.add("dora", password="dora.pw4")
    office.send("dora", "star challenge dora alice")
    office.send("dora", "", "star move 1 dora dora.pw4 <http://dora.pw4> F6")
    assert office.record(1) == ["F6"]


def test_a_letter_that_looks_like_another(office: Office) -> None:
    """C12: a Cyrillic letter in a userid: the same is said whatever the userid is."""
    office.game()
    lines = [f"star move 1 {who} s3cret F6" for who in ("аlice", "аlica")]
    assert len({office.send("alice", "", line)[0].text for line in lines}) == 1
    assert office.record(1) == []


def test_comments(office: Office) -> None:
    """A9 C26: text stays text, long lines are wrapped, and of a long comment the beginning is passed on."""
    wrapped = "One.\n\nand\n  two\n" + "word " * 40 + "\n" + "x" * 100
    link = "<script>alert(1)</script> http://evil.example/x?a=1&b=2\n"
    hostile = link + ("blah " * 14 + "\n") * 12_000
    office.game()
    for move, text in (("F6", wrapped), ("G7", hostile), ("H7", "x\n" * 10_000)):
        for letter in office.play(1, move, body=text):
            assert letter.comment.startswith(text[:10].rstrip())
            assert len(letter.comment) < 2200
            assert letter.comment.count("\n") < 105
            assert (len(text) > 2000) == ("(The rest was too long" in letter.words)
            assert "x" * 70 + "\n" + "x" * 30 in letter.comment or text != wrapped
            assert "<script" not in letter.html
