"""Every command about a board, from the mail that asks for it to the letters that come of it."""

from __future__ import annotations

import pytest
from harness.office import Got, Office, address


def told(letters: list[Got]) -> list[str]:
    """Whom the letters go to."""
    return sorted(letter.to for letter in letters)


BOTH = [address("alice"), address("bob")]


def notice(letter: Got) -> str:
    """The first paragraph below the summary's heading."""
    return letter.text.split("\n\n")[1]


# -- challenge


def test_challenge_starts_a_game_at_once(office: Office) -> None:
    letters = office.send("alice", "star challenge alice bob", "Fancy a game?")
    assert told(letters) == BOTH
    for letter in letters:
        assert letter.subject == "New Star Board 1 alice **"
        assert "alice plays X and moves first" in letter.text
        assert letter.text.endswith("alice writes:\n\nFancy a game?\n")
    row = office.row(1)
    assert row is not None
    assert (row.first, row.second, row.to_move, row.game) == ("alice", "bob", "alice", "star")


def test_the_second_player_may_challenge_too(office: Office) -> None:
    letters = office.send("bob", "star challenge alice bob")
    assert told(letters) == BOTH
    assert {letter.subject for letter in letters} == {"New Star Board 1 alice"}


@pytest.mark.parametrize(
    ("command", "title", "options"),
    [
        ("star challenge -size=3 alice bob", "Star", "-size=3"),
        ("star challenge -maxi -size=8 alice bob", "Star", "-size=8 -maxi"),
        ("star challenge alice bob -s=4", "Star", "-size=4"),
        ("STAR CHALL -M Alice BOB", "Star", "-maxi"),
        ("star challenge -size=6 alice bob", "Star", ""),
        ("*star challenge alice bob", "*Star", ""),
        ("starstar challenge -rings=4 -double alice bob", "*Star", "-rings=4 -double"),
        ("*star challenge -handicap=3 -points=-5 alice bob", "*Star", "-handicap=3 -points=-5"),
        ("*star challenge -nobridge alice bob", "*Star", "-nobridge"),
        ("stary challenge -r=5 alice bob", "Star Y", "-rings=5"),
    ],
)
def test_options_are_named_in_every_board_mail(
    office: Office, command: str, title: str, options: str
) -> None:
    for letter in office.send("alice", command):
        assert letter.subject == f"New {title} Board 1 alice"
        assert letter.text.startswith(f"Summary of {title} Board 1\n\n")
        said = [line for line in letter.text.split("\n") if line.startswith("Options: ")]
        assert said == ([f"Options: {options}"] if options else [])


# -- move, and what stands in its place


@pytest.mark.parametrize(
    "line",
    [
        "star move 1 alice s3cret F6",
        "star move 1 alice s3cret f6",
        "star move 1 alice s3cret F6#1",
        "star move 1 alice s3cret F6 #1",
        "star board 1 alice s3cret F6",
        "star mvoe 1 alice s3cret F6",
        "star m 1 alice s3cret F6",
        "STAR MOVE #1 ALICE s3cret F6",
        "star move 1 Alice s3cret F6.",
        "star  move\t1 \t alice  s3cret   F6",
        "*star move 1 alice s3cret F6",
        "starstar move 1 alice s3cret F6",
    ],
)
def test_move(office: Office, line: str) -> None:
    office.game()
    letters = office.send("alice", "", line)
    assert told(letters) == BOTH
    assert office.record(1) == ["F6"]
    for letter in letters:
        assert letter.subject == "Star Board 1 bob"
        assert "\nLast move: 1 F6 by alice.\n" in letter.text


@pytest.mark.parametrize(
    "words",
    [
        "move 1 alice s3cret pass",
        "move 1 alice s3cret --",
        "move 1 alice s3cret -",
        "pass 1 alice s3cret",
    ],
)
def test_pass_and_the_warning_about_a_second_one(office: Office, words: str) -> None:
    office.game()
    office.play(1, "F6", "G7")
    letters = office.send("alice", f"star {words}")
    assert told(letters) == BOTH
    assert office.record(1) == ["F6", "G7", "pass"]
    for letter in letters:
        said = " ".join(notice(letter).split())
        assert said == (
            "alice passes. A second pass in succession ends the game with the score as the board "
            "stands, 0-0. The board is not settled: alice could still have 0 to 31, bob could "
            "still have 0 to 31."
        )


def test_two_passes_end_the_game(office: Office) -> None:
    office.game()
    office.play(1, "F1", "pass")
    letters = office.play(1, "pass")
    assert told(letters) == BOTH
    for letter in letters:
        assert letter.subject == "Star Board 1"
        assert notice(letter) == "alice passes too: the game is over."
        assert "\n\nGame won by alice by 1 point.\n\n" in letter.text


def test_a_stone_between_two_passes(office: Office) -> None:
    office.game()
    office.play(1, "pass", "F6", "pass")
    row = office.row(1)
    assert row is not None
    assert row.to_move == "bob"


@pytest.mark.parametrize("words", ["move 1 bob hunter2 swap", "swap 1 bob hunter2"])
def test_swap_exchanges_the_seats(office: Office, words: str) -> None:
    office.game()
    office.play(1, "F6")
    letters = office.send("bob", f"star {words}")
    assert told(letters) == BOTH
    for letter in letters:
        assert letter.subject == "Star Board 1 alice"
        assert letter.mail["X-Pbmstar-Move"] == "1"
        assert " ".join(notice(letter).split()) == (
            "bob swaps: bob plays X now and owns the stone, alice plays O."
        )
        assert "\nbob (x): 0   alice (o): 0\n" in letter.text
        assert "\n  1 F6   swap\n" in letter.text


def test_what_follows_a_swap(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "swap")
    letters = office.play(1, "D1")  # alice's second stone, her first as O
    assert "\nbob (x): 1   alice (o): 1\n" in letters[0].text
    assert letters[0].subject == "Star Board 1 bob"
    assert office.send("bob", "star move 1 bob hunter2 C4")[0].subject == "Star Board 1 alice"
    assert office.record(1) == ["C1", "swap", "D1", "C4"]
    assert [move.number for move in office.ask("record", 1)] == [1, None, 2, 3]
    letters = office.send("alice", "star resign 1 alice s3cret")
    assert "Game won by bob." in letters[0].text
    assert office.check() == []


@pytest.mark.parametrize("words", ["resign 1 {} {}", "move 1 {} {} resign", "r 1 {} {}"])
def test_resign_in_turn_or_not(office: Office, words: str) -> None:
    for board, who in ((1, "alice"), (2, "bob")):
        assert office.game() == board
        letters = office.send(
            who,
            "star "
            + words.format(who, {"alice": "s3cret", "bob": "hunter2"}[who]).replace(
                " 1 ", f" {board} "
            ),
        )
        winner = {"alice": "bob", "bob": "alice"}[who]
        assert told(letters) == BOTH
        for letter in letters:
            assert letter.subject == f"Star Board {board}"
            assert notice(letter) == f"{who} resigns."
            assert f"\n\nGame won by {winner}.\n\n" in letter.text
            assert letter.mail["X-Pbmstar-Result"] == winner


# -- decline


def test_decline_before_any_move(office: Office) -> None:
    for who, password in (("alice", "s3cret"), ("bob", "hunter2")):
        board = office.game()
        letters = office.send(who, f"star decline {board} {who} {password}", "Sorry, no time.")
        assert told(letters) == BOTH
        for letter in letters:
            assert letter.subject == f"Star Board {board}"
            assert letter.text.startswith(f"{who} declines the game; the board is removed.\n")
            assert letter.text.endswith(f"{who} writes:\n\nSorry, no time.\n")
        assert office.row(board) is None


def test_decline_after_the_opponents_first_move_but_before_ones_own(office: Office) -> None:
    office.game()
    office.play(1, "F6")
    assert told(office.send("bob", "star decline 1 bob hunter2")) == BOTH
    assert office.row(1) is None


def test_decline_after_ones_own_first_move_is_too_late(office: Office) -> None:
    office.game()
    office.play(1, "F6")
    letters = office.send("alice", "star decline 1 alice s3cret")
    assert told(letters) == [address("alice")]
    assert letters[0].subject == "Star Board 1 Error"
    assert "You have made a move already; you may resign instead." in letters[0].text
    office.play(1, "swap")  # a swap is a move of one's own
    assert "already" in office.send("bob", "star decline 1 bob hunter2")[0].text
    assert office.record(1) == ["F6", "swap"]


def test_a_number_is_never_given_twice(office: Office) -> None:
    office.game()
    office.send("alice", "star decline 1 alice s3cret")
    assert office.game() == 2


# -- show, games, score, help: the asker alone is told


def test_show(office: Office) -> None:
    office.game()
    office.play(1, "F6", "G7")
    letters = office.send("bob", "star show 1")
    assert told(letters) == [address("bob")]
    assert letters[0].subject == "Star Board 1 alice"
    assert "\n  1 F6   2 G7\n" in letters[0].text
    assert letters[0].mail["Auto-Submitted"] == "auto-replied"


def test_show_a_board_as_it_was(office: Office) -> None:
    office.game()
    office.play(1, "F6", "swap", "G7", "H7")
    (letter,) = office.send("bob", "star show 1#1")
    assert notice(letter) == "The board as it was after move 1."
    assert "\n  1 F6   swap\n\n" in letter.text
    assert letter.mail["Reply-To"] is None  # a reply to the past would mean nothing
    assert "star move 1" not in letter.text
    (letter,) = office.send("bob", "star show 1#0")
    assert "Moves:" not in letter.text
    (letter,) = office.send("bob", "star show 1#9")
    assert letter.subject == "Star Board 1 Error"
    assert "Board 1 has no move 9 yet." in letter.text


def test_show_several(office: Office) -> None:
    office.game()
    office.game("*star challenge -rings=4 alice bob")
    letters = office.send("alice", "star show 1 2#0")
    assert [letter.subject for letter in letters] == ["Star Board 1 alice", "*Star Board 2 alice"]


def test_anybody_with_an_account_may_watch(office: Office) -> None:
    office.add("carol")
    office.game()
    (letter,) = office.send("carol", "star show 1")
    assert letter.to == address("carol")
    assert letter.mail["Reply-To"] is None
    choices = letter.text.split("You can:\n")[1]
    assert choices.split("Send one")[0] == "  star show 1\n  star help\n"


def test_games(office: Office) -> None:
    office.add("carol")
    office.game()
    office.game("star challenge -size=4 bob alice")
    office.game("*star challenge -rings=4 alice bob")
    office.play(1, "F6")
    office.send("alice", "star resign 2 alice s3cret")

    def lines(sender: str, command: str) -> list[str]:
        (letter,) = office.send(sender, command)
        assert letter.to == address(sender)
        assert letter.subject == "List of Star Games"
        return [line.strip() for line in letter.text.split("\n") if line.startswith("  ")]

    one, two = "1  alice - bob: bob to move", "2  bob - alice: over, bob won -size=4"
    assert lines("alice", "star games") == [one, two]
    assert lines("alice", "star games alice active") == [one]
    assert lines("alice", "star games next") == []
    assert lines("carol", "star games bob next") == [one]
    assert lines("carol", "star games bob fin") == [two]
    assert lines("carol", "star games") == []
    (letter,) = office.send("alice", "*star games")
    assert letter.subject == "List of *Star Games"
    assert "3  alice - bob: alice to move -rings=4" in letter.text


def test_games_of_nobody(office: Office) -> None:
    (letter,) = office.send("alice", "star games nobody2")
    assert letter.subject == "Star Error"
    assert "There is no player nobody2." in letter.text


def test_score_reports_every_chain(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "D1", "C3")
    (letter,) = office.send("bob", "star score 1")
    assert letter.subject == "Star Board 1 Score"
    assert letter.to == address("bob")
    assert "X is alice, O is bob. It is bob's turn." in letter.text
    assert "X has 1 point: 1 chain at the edge, 1 off it." in letter.text
    assert "  3 external cells - 2 = 1\n    C1\n" in letter.text


def test_the_score_of_star_star_in_every_way_of_counting(office: Office) -> None:
    office.game("*star challenge -rings=4 alice bob")
    (letter,) = office.send("alice", "*star score 1")
    for word in ("standard", "alternative", "simplified"):
        assert word in letter.text.lower()


@pytest.mark.parametrize(
    ("command", "subject", "word"),
    [
        ("help", "Help: index", "star challenge alice bob"),
        ("help commands", "Help: commands", "board# userid password swap"),
        ("HELP Account.", "Help: account", "signup userid password"),
        ("help star", "Help: Star", "external cells"),
        ("star help", "Help: Star", "external cells"),
        ("*star help", "Help: *Star", "quark"),
        ("help *star", "Help: *Star", "quark"),
        ("starstar help", "Help: *Star", "quark"),
        ("stary help", "Help: Star Y", "three sides"),
    ],
)
def test_help(office: Office, command: str, subject: str, word: str) -> None:
    (letter,) = office.send("alice", command)
    assert (letter.to, letter.subject) == (address("alice"), subject)
    assert word in letter.text


def test_help_on_nothing(office: Office) -> None:
    (letter,) = office.send("alice", "help gardening")
    assert letter.subject == "Star Error"
    assert "account, commands, index, star, starstar, stary" in " ".join(letter.text.split())


# -- agreement


def test_propose_and_accept(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "D1")
    letters = office.send("bob", "star propose 1 bob hunter2 8-5", "I think so.")
    assert told(letters) == BOTH
    for letter in letters:
        assert letter.subject == "Star Board 1 alice **"
        assert "bob proposes to end the game with the score 8-5, X's points first." in letter.text
    alice, bob = sorted(letters, key=lambda letter: letter.to)
    assert "  star accept 1 alice password\n" in alice.text
    assert "accept" not in bob.text
    letters = office.send("alice", "star accept 1 alice s3cret")
    assert told(letters) == BOTH
    for letter in letters:
        assert letter.subject == "Star Board 1"
        assert "\n\nalice accepts the score 8-5, X's points first.\n\n" in letter.text
        assert "Game won by alice by 3 points.\n\nalice (x): 8   bob (o): 5\n" in letter.text
    assert office.record(1) == ["C1", "D1", "agree 8 5"]


def test_a_proposal_lasts_until_the_next_move(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.send("bob", "star propose 1 bob hunter2 8-5")
    office.play(1, "C1")
    (letter,) = office.send("alice", "star accept 1 alice s3cret")
    assert letter.subject == "Star Board 1 Error"
    assert "Your opponent has proposed no score since the last move." in letter.text


def test_nobody_accepts_his_own_proposal(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.send("bob", "star propose 1 bob hunter2 8-5")
    (letter,) = office.send("bob", "star accept 1 bob hunter2")
    assert "Your opponent has proposed no score" in letter.text
    assert office.record(1) == []


def test_a_later_proposal_replaces_an_earlier_one(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.send("bob", "star propose 1 bob hunter2 8-5")
    office.send("alice", "star propose 1 alice s3cret 7-6")
    office.send("bob", "star accept 1 bob hunter2")
    assert office.record(1) == ["agree 7 6"]


@pytest.mark.parametrize(
    ("score", "why"),
    [
        ("20-5", "The score 20-5 cannot come about: X 0 to 13 and O 0 to 13, 13 together."),
        ("8-4", "The score 8-4 cannot come about"),
        ("eight", "A score is written like 11-10, X's points first."),
    ],
)
def test_a_score_that_cannot_come_about(office: Office, score: str, why: str) -> None:
    office.game("star challenge -size=3 alice bob")
    before = office.state()
    (letter,) = office.send("alice", f"star propose 1 alice s3cret {score}")
    assert why in " ".join(letter.text.split())
    assert office.state() == before


def test_an_equal_agreed_score_goes_by_the_quarks_or_is_a_tie(office: Office) -> None:
    office.game("*star challenge -rings=3 alice bob")
    office.send("alice", "*star propose 1 alice s3cret 8-8")
    letters = office.send("bob", "*star accept 1 bob hunter2")
    assert "Game was a tie." in letters[0].text
    assert letters[0].mail["X-Pbmstar-Result"] == "tie"


# -- two games that mail programs mix up


def test_the_asterisk_is_forgiven_on_commands_about_a_board(office: Office) -> None:
    office.game("*star challenge -rings=4 alice bob")
    assert told(office.send("alice", "star move 1 alice s3cret S42")) == BOTH
    assert told(office.send("bob", "starstar move 1 bob hunter2 *31*")) == BOTH
    office.game()
    assert told(office.send("alice", "*star move 2 alice s3cret F6")) == BOTH
    assert office.record(1) == ["S42", "*31"]
    assert office.record(2) == ["F6"]


def test_another_game_is_not(office: Office) -> None:
    office.game()
    before = office.state()
    (letter,) = office.send("alice", "stary move 1 alice s3cret F6")
    assert "Board 1 is a board of Star." in letter.text
    assert office.state() == before


@pytest.mark.parametrize("cell", ["*31", "*31*", "**31**", "＊31", "∗31", "Z31", "z31", "\\*31"])
def test_spellings_of_the_asterisk_arm(office: Office, cell: str) -> None:
    office.game("*star challenge -rings=4 alice bob")
    office.send("alice", "", f"*star move 1 alice s3cret {cell}")
    assert office.record(1) == ["*31"]


def test_double(office: Office) -> None:
    office.game("*star challenge -rings=4 -double alice bob")
    office.play(1, "S42", "T40 *31")
    assert office.record(1) == ["S42", "T40 *31"]
    (alice, bob) = office.play(1, "A40,A41")
    assert "  3 A40 A41" in alice.text
    assert "star move 1 bob password" in bob.text
