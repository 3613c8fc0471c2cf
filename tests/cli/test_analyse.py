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


def test_a_setup_and_who_moves_then() -> None:
    setup = {"game": "star", "setup": {"X": ["F6"], "O": []}, "moves": ["G7"]}
    assert [
        answer["to_move"]
        for answer in answers(json.dumps(setup), json.dumps({**setup, "to_move": "O"}))
    ] == ["O", "X"]


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


def test_the_facts_of_star_star() -> None:
    setup = {"X": ["*40", "*41"], "O": ["S40", "T40"]}
    (told,) = answers(json.dumps({"game": "*STAR", "options": {"rings": 4}, "setup": setup}))
    assert list(told) == [
        "over",
        "to_move",
        "winner",
        "scores",
        "detail",
        "bounds",
        "settled",
        "decided",
    ]
    assert told["detail"] == {
        "X": {"peries": 20, "quarks": 5, "stars": 1, "award": -2},
        "O": {"peries": 0, "quarks": 0, "stars": 0, "award": 2},
    }
    assert told["scores"] == {"X": 19, "O": 2}


def test_a_star_y_is_told() -> None:
    chain = ["@", "*10", "*20", "*30", "*40", "T10", "T20", "T30", "T41"]
    setup = {"X": chain[:-1], "O": ["S10"]}
    game = {"game": "stary", "options": {"rings": 4}, "setup": setup}
    before, after = answers(json.dumps(game), json.dumps({**game, "moves": ["t41"]}))
    assert (before["over"], before["winner"], before["to_move"]) == (False, None, "X")
    assert (after["over"], after["winner"], after["to_move"]) == (True, "X", None)
    assert set(after["chain"]) <= set(chain)  # type: ignore[call-overload]


def test_a_full_board_is_over() -> None:
    from pbmstar.games import make

    names = make("star", {"size": 3}).grid.names
    setup = {"X": names[:6], "O": names[6:]}
    (told,) = answers(json.dumps({"game": "star", "options": {"size": 3}, "setup": setup}))
    assert (told["over"], told["to_move"], told["settled"]) == (True, None, True)
    scores = told["scores"]
    assert isinstance(scores, dict)
    assert scores["X"] + scores["O"] == 13
    assert told["bounds"] == {seat: [scores[seat], scores[seat]] for seat in "XO"}
    assert told["winner"] == told["decided"]


def test_a_maxi_game_decided_by_its_second_chain() -> None:
    moves = ["E1", "A6", "D3", "F3", "D6", "A5", "F1", "C4", "pass", "pass"]
    game = {"game": "star", "options": {"size": 4, "maxi": True}, "moves": moves}
    (told,) = answers(json.dumps(game))
    assert told["chains"] == {"X": [2, 1], "O": [2, 0]}
    assert (told["winner"], told["scores"]) == ("X", {"X": 2, "O": 2})


def test_resignation_and_blank_lines() -> None:
    told = answers('{"game": "star", "moves": ["F6", "resign"]}', "", "  ", '{"game": "star"}')
    assert [(answer["over"], answer["winner"]) for answer in told] == [(True, "X"), (False, None)]


def test_a_drawn_board_that_cannot_be() -> None:
    told = CliRunner().invoke(main, ["analyse", "star", "-size=99", "C1"])
    assert told.exit_code == 1 and "3 to 14" in told.output


def test_who_moves_first_without_a_setup() -> None:
    """The stones of the start stay where they are."""
    (found,) = answers('{"game": "pentaline", "to_move": "O"}')
    assert (found["to_move"], found["legal"]) == ("O", 300)


def test_a_preview_tells_scores_and_bounds_after_each_move() -> None:
    game = {"game": "star", "options": {"size": 3}, "moves": ["C1", "D2"], "preview": True}
    (found,) = answers(json.dumps(game))
    assert found["steps"] == [
        {"scores": {"X": 1, "O": 0}, "bounds": {"X": [1, 13], "O": [0, 12]}},
        {"scores": {"X": 1, "O": 0}, "bounds": {"X": [1, 13], "O": [0, 12]}},
    ]
    (found,) = answers('{"game": "hex", "moves": ["F6"], "preview": true}')
    assert found["steps"] == [{}]


def test_drawn_puzzles_and_movements() -> None:
    told = CliRunner().invoke(main, ["analyse", "queens", "-fewest", "S42 T61", "undo", "S42"])
    assert told.exit_code == 0, told.output
    assert "X is to move.\nX: 1 queen, " in told.output
    told = CliRunner().invoke(main, ["analyse", "pentaline", "*03 to *53", "resign"])
    assert told.exit_code == 0, told.output
    assert "\nOver: X wins.\n\n" in told.output
    told = CliRunner().invoke(main, ["analyse", "mini", "*10-*30", "resign"])
    assert "\nOver: 15 stones left after 1 turn; it can be done with one.\n" in told.output
