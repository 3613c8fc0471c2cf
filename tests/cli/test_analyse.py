"""analyse: JSON lines in, JSON lines out; a bad line does not stop the rest."""

import json

import pytest
from click.testing import CliRunner

from pbmstar.cli import main


def answers(*lines: str) -> list[dict[str, object]]:
    told = CliRunner().invoke(main, ["analyse"], input="\n".join(lines) + "\n")
    assert told.exit_code == 0, told.output
    return [json.loads(line) for line in told.stdout.splitlines()]


def test_a_game_with_swap_and_two_passes() -> None:
    moves = ["F6", "swap", "G7", "pass", "pass"]
    (told,) = answers(
        json.dumps({"game": "star", "options": {"size": 6, "maxi": True}, "moves": moves})
    )
    assert told == {
        "over": True,
        "to_move": None,
        "winner": None,
        "scores": {"X": 0, "O": 0},
        "chains": {"X": [], "O": []},
        "bounds": {"X": [0, 31], "O": [0, 31]},
        "settled": False,
        "decided": None,
    }


def test_after_a_swap_o_is_to_move() -> None:
    (told,) = answers('{"game": "star", "moves": ["F6", "swap"]}')
    assert (told["over"], told["to_move"], told["winner"]) == (False, "O", None)


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


def test_a_setup_and_who_moves_then() -> None:
    setup = {"game": "star", "setup": {"X": ["F6"], "O": []}, "moves": ["G7"]}
    assert [
        answer["to_move"]
        for answer in answers(json.dumps(setup), json.dumps({**setup, "to_move": "O"}))
    ] == ["O", "X"]


def test_a_drawn_board() -> None:
    told = CliRunner().invoke(main, ["analyse", "star", "-size=3", "C1", "swap", "D2", "pass"])
    assert told.exit_code == 0, told.output
    assert "X is to move." not in told.output and "O is to move." in told.output.replace(
        "X is", "X is"
    )
    assert "    1-   x ." in told.output


def test_a_drawn_board_that_cannot_be() -> None:
    told = CliRunner().invoke(main, ["analyse", "star", "-size=99", "C1"])
    assert told.exit_code == 1 and "3 to 14" in told.output
