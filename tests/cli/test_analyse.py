"""analyse: JSON lines in, JSON lines out; a bad line does not stop the rest."""

import json

import pytest
from click.testing import CliRunner

from pbmstar.cli import main


def answers(*lines: str) -> list[dict[str, object]]:
    told = CliRunner().invoke(main, ["analyse"], input="\n".join(lines) + "\n")
    assert told.exit_code == 0, told.output
    return [json.loads(line) for line in told.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('{"game": "star", "moves": ["Z9"]}', "InvalidMove"),
        ('{"game": "star", "moves": ["F6", "F6"]}', "IllegalMove"),
        ('{"game": "star", "moves": ["swap"]}', "IllegalMove"),
        ('{"game": "star", "moves": ["pass", "pass", "F6"]}', "IllegalMove"),
        ('{"game": "chess", "moves": []}', "UnknownGame"),
        ('{"game": "star", "options": {"size": 15}}', "BadOption"),
        ('{"game": "star", "options": {"rings": 4}}', "BadOption"),
        ('{"game": "star", "options": {"maxi": "yes"}}', "BadOption"),
        ('{"game": "*star", "options": {"points": 2.5}}', "BadOption"),
        ('{"game": "*star", "moves": ["30"]}', "InvalidMove"),
        ('{"game": "star", "setup": {"X": ["F6"], "O": ["F6"]}}', "IllegalMove"),
        ('{"game": "star", "setup": {"Z": []}}', "BadInput"),
        ('{"game": "star", "to_move": "alice"}', "BadInput"),
        ('{"game": "star", "moves": "F6"}', "BadInput"),
        ('{"game": "star", "preview": "yes"}', "BadInput"),
        ('{"game": "pentaline", "moves": ["*03"]}', "InvalidMove"),
        ('{"game": "pentaline", "moves": ["pass"]}', "IllegalMove"),
        ('{"game": "queens", "to_move": "O"}', "BadInput"),
        ('{"game": "queens", "setup": {"O": ["S42"]}}', "BadInput"),
        ('{"game": "queens", "moves": ["undo"]}', "IllegalMove"),
        ('{"moves": []}', "BadInput"),
        ("[]", "BadInput"),
        ("not json", "BadInput"),
        ("[" * 100_000, "BadInput"),
    ],
)
def test_a_bad_line_gets_an_error_in_its_place(line: str, error: str) -> None:
    good = '{"game": "star", "moves": ["F6"]}'
    told = answers(good, line, good)
    assert told[0] == told[2] and told[0]["to_move"] == "O"
    assert told[1]["error"] == error and isinstance(told[1]["message"], str)


def test_a_drawn_board() -> None:
    told = CliRunner().invoke(main, ["analyse", "star", "-size=3", "C1", "swap", "D2", "pass"])
    assert told.exit_code == 0, told.output
    assert "\nO is to move.\n" in told.output
    assert "    1-   x ." in told.output
    assert "X 1: chains 1; still possible: 1 to 13\n" in told.output


@pytest.mark.parametrize("dashes", [["--", "--"], ["-", "--"], ["pass", "-"], ["--", "pass"]])
def test_dashes_are_moves_on_the_command_line_too(dashes: list[str]) -> None:
    told = CliRunner().invoke(main, ["analyse", "star", "-size=3", "C1", *dashes])
    assert told.exit_code == 0, told.output
    assert "\nOver: X wins.\n" in told.output


def test_options_and_two_stones_on_the_command_line() -> None:
    words = ["analyse", "*star", "-rings=4", "--double", "S42", "T40 *31", "A40,A41", "Z42+Z43"]
    told = CliRunner().invoke(main, words)
    assert told.exit_code == 0, told.output
    assert "\nX is to move.\n" in told.output
    told = CliRunner().invoke(main, ["analyse", "starstar", "-points=-5", "-handicap=2", "-ring=4"])
    assert told.exit_code == 1
    assert "*Star has no option -ring" in told.output


def test_the_order_of_the_facts() -> None:
    (told,) = answers('{"game": "*STAR", "options": {"rings": 4}}')
    names = "over to_move winner scores detail bounds settled decided"
    assert list(told) == names.split()


def test_resignation_and_blank_lines() -> None:
    told = answers('{"game": "star", "moves": ["F6", "resign"]}', "", "  ", '{"game": "star"}')
    assert [(answer["over"], answer["winner"]) for answer in told] == [(True, "X"), (False, None)]


def test_a_drawn_board_that_cannot_be() -> None:
    told = CliRunner().invoke(main, ["analyse", "star", "-size=99", "C1"])
    assert told.exit_code == 1 and "3 to 14" in told.output


def test_drawn_puzzles_and_movements() -> None:
    told = CliRunner().invoke(main, ["analyse", "queens", "-fewest", "S42 T61", "undo", "S42"])
    assert told.exit_code == 0, told.output
    assert "X is to move.\nX: 1 queen, " in told.output
    told = CliRunner().invoke(main, ["analyse", "pentaline", "*03 to *53", "resign"])
    assert told.exit_code == 0, told.output
    assert "\nOver: X wins.\n\n" in told.output
    told = CliRunner().invoke(main, ["analyse", "mini", "*10-*30", "resign"])
    assert "\nOver: 15 stones left after 1 turn; it can be done with one.\n" in told.output
