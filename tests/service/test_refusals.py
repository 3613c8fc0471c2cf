"""Bad input: one clear answer to the writer alone, and nothing changes."""

from __future__ import annotations

import re

import pytest
from harness.office import Got, Office, address


def refused(office: Office, sender: str, subject: str, body: str = "") -> Got:
    """The one letter that answers a mail which must change nothing."""
    before = office.state()
    letters = office.send(sender, subject, body)
    assert office.state() == before
    (letter,) = letters
    assert letter.to == address(sender)
    assert letter.subject.endswith(" Error")
    assert "Nothing was done for that line.\n" in letter.text
    return letter


def reason(letter: Got) -> str:
    """The text of an answer up to the board, in one line."""
    return " ".join(letter.text.partition("Nothing was done")[0].split())


# -- challenges


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("star challenge alice nobody2", "There is no player nobody2."),
        ("star challenge alice alice", "A game needs two different players."),
        ("star challenge alice", "Something is missing: userid2."),
        ("star challenge", "Something is missing: userid1."),
        ("star challenge alice bob carol", "There is too much on the line."),
        ("star challenge -size=15 alice bob", "-size takes a whole number from 3 to 14"),
        ("star challenge -size=2 alice bob", "-size takes a whole number from 3 to 14"),
        ("star challenge -size alice bob", "-size takes a whole number from 3 to 14"),
        ("star challenge -size= alice bob", "-size takes a whole number from 3 to 14"),
        ("star challenge -size=six alice bob", "-size takes a whole number from 3 to 14"),
        ("star challenge -maxi=yes alice bob", "The option -maxi takes no value."),
        ("star challenge -maxi -m alice bob", "The option -maxi stands there twice."),
        (
            "star challenge -rings=4 alice bob",
            "There is no option -rings; Star has -size=number, -maxi.",
        ),
        (
            "star challenge -turbo alice bob",
            "There is no option -turbo; Star has -size=number, -maxi.",
        ),
        ("star challenge - alice bob", "There is no option -; Star has"),
        ("*star challenge -rings=2 alice bob", "-rings takes a whole number from 3 to 10"),
        ("*star challenge -rings=11 alice bob", "-rings takes a whole number from 3 to 10"),
        ("*star challenge -handicap=11 alice bob", "-handicap takes a whole number from 1 to 10"),
        ("*star challenge -handicap=0 alice bob", "-handicap takes a whole number from 1 to 10"),
        ("*star challenge -points=2.5 alice bob", "-points takes a whole number from -99 to 99"),
        ("*star challenge -double -maxi alice bob", "There is no option -maxi; *Star has"),
        (
            "stary challenge -double alice bob",
            "There is no option -double; Star Y has -rings=number.",
        ),
        ("star challenge alice@alice.example bob", "That is no userid: 2 to 16"),
        ("star challenge alice b", "That is no userid: 2 to 16"),
    ],
)
def test_challenges(office: Office, command: str, why: str) -> None:
    letter = refused(office, "alice", command)
    assert letter.subject == "Star Error"
    said = reason(letter)
    assert why in said
    word = {"*": "*star", "s": "star"}[command[0]] if not command.startswith("stary") else "stary"
    assert f"Write it like this: {word} challenge [-" in said
    assert said.startswith(f"This was understood: {word} challenge")


def test_a_challenge_between_others(office: Office) -> None:
    office.add("carol")
    letter = refused(office, "carol", "star challenge alice bob")
    assert "from the address of one of its two players" in reason(letter)


def test_a_challenge_by_a_stranger_is_not_even_answered(office: Office) -> None:
    before = office.state()
    assert office.send("mallory@evil.example", "star challenge alice bob") == []
    assert office.state() == before


# -- moves


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("Z9", "There is no cell Z9 on this board"),
        ("A0", "There is no cell A0 on this board"),
        ("A1", "There is no cell A1 on this board"),
        ("F66", "There is no cell F66 on this board"),
        ("F06", "There is no cell F06 on this board"),
        ("F6", "The cell F6 is taken."),
        ("F8 G7", "A move is one cell, like F10."),
        ("swap", "Only the second move can be a swap"),
        ("F7#9", "Your move is meant as move 9, but this is move 3."),
        ("F7#2", "Your move is meant as move 2, but this is move 3."),
        ("pass#2", "Your move is meant as move 2, but this is move 3."),
        ("@", "There is no cell @ on this board"),
        ("F²", "There is no cell F? on this board"),
        ("F①", "There is no cell F? on this board"),
        ("$(reboot)", "There is no cell $(reboot) on this board"),
        ("{{7*7}}", "There is no cell {{7*7}} on this board"),
        ("%s", "There is no cell %s on this board"),
        ("../../etc/passwd", "There is no cell /../etc/passwd on this board"),
    ],
)
def test_moves_in_star(office: Office, word: str, why: str) -> None:
    """C29: off the board, taken, two cells, a late swap; each with the board and what is legal."""
    office.game()
    office.play(1, "F6", "G7")
    letter = refused(office, "alice", "", f"star move 1 alice s3cret {word}")
    assert letter.subject == "Star Board 1 Error"
    assert why in reason(letter)
    assert "This was understood: star move 1 alice ****** " in reason(letter)
    assert "\nIt is alice's turn.\n" in letter.text
    assert "\n  1 F6   2 G7\n" in letter.text
    example = re.findall(r"\n  star move 1 alice password ([A-J][0-9]+)#3\n", letter.text)
    assert example
    assert set(example).isdisjoint({"F6", "G7"})


@pytest.mark.parametrize(
    ("options", "moves", "words", "why"),
    [
        ("-rings=6", [], "S00", "There is no cell S00 on this board"),
        ("-rings=10", [], "A77", "There is no cell A77: on ring 7 the last digit is 0 to 6."),
        ("-rings=10", [], "30", "30 has lost its first character, perhaps an asterisk"),
        ("-rings=10", [], "X30", "There is no cell X30 on this board"),
        ("-rings=10", [], "@", "it is a bridge"),
        ("-rings=10", [], "star", "it is a bridge"),
        ("-rings=10", [], "S42 T40", "A move is one cell"),
        ("-rings=10", ["*30"], "*30*", "The cell *30 is taken."),
        ("-rings=4 -double", ["S42"], "T40", "Two stones are due"),
        ("-rings=4 -double", ["S42"], "T40 T40", "T40 stands there twice"),
        ("-rings=4 -double", ["S42"], "T40 T41 T42", "two stones"),
        ("-rings=4 -double", ["S42"], "T40 S42", "The cell S42 is taken."),
        ("-rings=4 -double", [], "T40 T41", "one"),
        ("-handicap=3", ["*30"], "swap", "There is no swap in this game"),
        ("-points=3", ["*30"], "swap", "There is no swap in this game"),
    ],
)
def test_moves_in_star_star(
    office: Office, options: str, moves: list[str], words: str, why: str
) -> None:
    office.game(f"*star challenge {options} alice bob")
    office.play(1, *moves)
    who, password = ("bob", "hunter2") if moves else ("alice", "s3cret")
    letter = refused(office, who, f"*star move 1 {who} {password} {words}")
    assert why in reason(letter)
    assert f"*star move 1 {who} password " in letter.text


def test_out_of_turn(office: Office) -> None:
    office.game()
    letter = refused(office, "bob", "star move 1 bob hunter2 F6")
    assert "It is not your turn." in reason(letter)
    assert "star move 1 bob" not in letter.text.partition("You can:")[2]
    assert "  star resign 1 bob password\n" in letter.text


def test_the_same_move_sent_again_by_hand(office: Office) -> None:
    """D3: a new Message-ID, the same move: it has been played already, and here is the board."""
    office.game()
    office.play(1, "F6")
    letter = refused(office, "alice", "star move 1 alice s3cret F6")
    assert "F6 has been played already" in reason(letter)
    assert "\n  1 F6\n" in letter.text
    letter = refused(office, "alice", "star move 1 alice s3cret F6#1")
    assert "Move 1 has already been played." in reason(letter)


def test_a_guard_that_is_late(office: Office) -> None:
    """C31: a move meant for turn 1 when turn 3 is due: stale, with the current board."""
    office.game()
    office.play(1, "F6", "G7")
    letter = refused(office, "alice", "star move 1 alice s3cret H7 #1")
    assert "Your move is meant as move 1, but this is move 3." in reason(letter)
    assert "\n  1 F6   2 G7\n" in letter.text


@pytest.mark.parametrize("verb", ["move", "pass", "swap", "resign", "propose", "accept", "decline"])
def test_a_game_that_is_over(office: Office, verb: str) -> None:
    office.game()
    office.play(1, "F6", "pass", "pass")
    more = {"move": " F7", "propose": " 16-15"}.get(verb, "")
    letter = refused(office, "bob", f"star {verb} 1 bob hunter2{more}")
    assert "The game is over." in reason(letter)
    assert "\nGame won by" in letter.text or "\nGame was a tie." in letter.text
    assert "  star challenge bob alice\n" in letter.text


@pytest.mark.parametrize("moves", [[], ["F6", "G7"], ["pass"], ["F6", "swap"]])
def test_swap_when_there_is_nothing_to_swap(office: Office, moves: list[str]) -> None:
    office.game()
    office.play(1, *moves)
    row = office.row(1)
    assert row is not None
    password = {"alice": "s3cret", "bob": "hunter2"}[row.to_move]
    letter = refused(office, row.to_move, f"star swap 1 {row.to_move} {password}")
    assert "Only the second move can be a swap, and only after a stone was placed." in reason(
        letter
    )


# -- boards and players


@pytest.mark.parametrize(
    "command",
    [
        "star move 99 alice s3cret F6",
        "star resign 99 alice s3cret",
        "star decline 99 alice s3cret",
        "star propose 99 alice s3cret 16-15",
        "star accept 99 alice s3cret",
        "star show 99",
        "star score 99",
    ],
)
def test_a_board_that_does_not_exist(office: Office, command: str) -> None:
    letter = refused(office, "alice", command)
    assert letter.subject == "Star Error"
    assert "There is no board 99." in reason(letter)


def test_somebody_elses_board(office: Office) -> None:
    office.add("carol")
    office.game()
    for command in (
        "move 1 carol tr1angle F6",
        "resign 1 carol tr1angle",
        "decline 1 carol tr1angle",
    ):
        letter = refused(office, "carol", f"star {command}")
        assert "You do not play on board 1." in reason(letter)


# -- lines that cannot be read


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("star", "After star comes one of: challenge, move, pass, swap, resign, propose,"),
        ("star dance 1 alice s3cret", "'star dance' is no command."),
        ("star s 1", "'star s' is no command."),
        ("star mövé", "That is no command. After star comes one of:"),
        ("star move", "Something is missing: board#."),
        ("star move 1", "Something is missing: userid."),
        ("star move 1 alice", "Something is missing: password."),
        ("star move 1 alice s3cret", "The move is missing."),
        ("star move x alice s3cret F6", "no board number"),
        ("star move 1 alice abc F6", "A password has 4 to 64 printable ASCII characters"),
        ("star move 1 alice pässwort F6", "A password has 4 to 64 printable ASCII characters"),
        ("star move 1 alice s3cret F6 G7 H7 I7 J7", "That is no move."),
        ("star resign 1 alice s3cret now", "There is too much on the line."),
        ("star show", "Which board? A board's number is missing."),
        ("star show one", "That is no board number."),
        ("star score 1 2", "There is too much on the line."),
        ("star games alice never", "That is none of next, active, finished."),
        ("star help me", "There is too much on the line."),
        ("signup alice", "Something is missing: password."),
        ("signoff", "Something is missing: userid."),
        ("change password alice s3cret", "Something is missing: new."),
        ("change address alice s3cret not-an-address", "That is no mail address"),
        ("change address alice s3cret a@b@c", "That is no mail address"),
    ],
)
def test_lines_that_cannot_be_read(office: Office, command: str, why: str) -> None:
    letter = refused(office, "alice", command)
    assert why in reason(letter)
    if "comes one of" not in why and "is no command" not in why:
        assert "Write it like this:" in reason(letter)


def test_an_incomplete_pass_is_no_pass(office: Office) -> None:
    """C3: two dashes alone on the next line begin a signature."""
    office.game()
    letter = refused(office, "alice", "", "star move 1 alice s3cret\n--\nAlice")
    assert "The move is missing." in reason(letter)


@pytest.mark.parametrize(
    ("command", "word"),
    [
        ("star move 1 alice s3cret " + "x" * 5000, "That is no move."),
        ("star " + "x" * 5000, "is no command"),
        ("star move " + "1" * 5000 + " alice s3cret F6", "no board number"),
        ("star move 1 " + "a" * 5000 + " s3cret F6", "no userid"),
        ("star move 1 alice " + "p" * 5000 + " F6", "A password has 4 to 64"),
        ("star move 1 alice s3cret " + "F6 " * 500, "That is no move."),
        ("star show " + "x " * 500, "no board number"),
        ("star challenge -" + "x" * 5000 + " alice bob", "There is no option -"),
    ],
)
def test_long_words_and_many(office: Office, command: str, word: str) -> None:
    """C27: a word of 5000 characters, 500 words: refused, and not repeated at length."""
    office.game()
    letter = refused(office, "alice", "", command)
    assert word in reason(letter)
    assert len(reason(letter)) < 800


@pytest.mark.parametrize(
    "command",
    [
        "star help; star move 1 alice s3cret F6",
        "star help && star move 1 alice s3cret F6",
        "star `star move 1 alice s3cret F6`",
        "star show ../../etc/passwd",
        "star show {{7*7}}",
        "star show 1'; DROP TABLE boards; --",
        "star show %s%s%s%n",
        "star games alice'--",
        "star challenge $(id) bob",
        "help ../star",
        "help /etc/passwd",
        "help {{config}}",
    ],
)
def test_data_stays_data(office: Office, command: str) -> None:
    """C30: shells, paths, templates, SQL and formats mean nothing here."""
    office.game()
    letter = refused(office, "alice", command)
    assert "49" not in letter.text
    assert "root" not in letter.text
    assert office.check() == []


# -- what is understood is shown, and never a password


@pytest.mark.parametrize(
    ("command", "understood"),
    [
        ("star move 1 alice wr0ngone F6", "star move 1 alice ****** F6"),
        ("star move 9 alice s3cret F6#3", "star move 9 alice ****** F6#3"),
        ("star propose 9 alice s3cret 16-15", "star propose 9 alice ****** 16-15"),
        ("star resign 9 alice s3cret", "star resign 9 alice ******"),
        ("change password alice wr0ngone n3wword", "change password alice ****** ******"),
        ("change address alice wr0ngone a@b.test", "change address alice ****** a@b.test"),
        ("limit alice wr0ngone 5", "limit alice ****** 5"),
        ("star challenge -size=15 alice bob", "star challenge"),
    ],
)
def test_what_was_understood(office: Office, command: str, understood: str) -> None:
    letter = refused(office, "alice", command)
    assert letter.text.startswith(f"This was understood:\n\n  {understood}\n") or (
        letter.text.startswith(f"This was understood:\n\n  {understood} ")
    )


@pytest.mark.parametrize(
    "command",
    [
        "star move alice s3cret F6",
        "star move s3cret F6",
        "star move 1 s3cret F6",
        "star resign alice s3cret",
        "star resign s3cret",
        "star move 1 alice F6 s3cret",
        "star move 1 alice pass s3cret",
        "star propose 1 alice 16-15 s3cret",
        "signoff s3cret",
        "star move 1 alice 's3cret' F6",
        'star move 1 alice "s3cret" F6',
        "star move 1 alice :s3cret F6",
        "star move 1 alice s3cret: F6",
        "star move 1 !s3cret! alice F6",
        "change password s3cret n3w.word!",
        "change password alice s3cret",
        "star s3cret",
        "star move 1 alice s3cret s3cret",
        "star move 9 alice s3cret s3cret",
        "star show 1 alice s3cret",
        "star games alice s3cret",
        "star score 1 alice s3cret",
        "star help alice s3cret",
        "star challenge alice bob s3cret",
    ],
)
def test_a_password_in_the_wrong_place_is_not_shown(office: Office, command: str) -> None:
    office.game()
    letter = refused(office, "alice", "", command)  # every letter is searched for passwords
    assert "s3cret" not in letter.text
