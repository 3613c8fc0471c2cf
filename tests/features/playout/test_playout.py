"""Games from a position: whose they are, what limits them, and what is kept and shown of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from harness.letters import PASSWORD
from harness.office import Office, address

from pbmstar.games import make
from pbmstar.match import Match, Terms, begin, replay, terms
from pbmstar.render.board import transcript
from pbmstar.service.verbs import challenges
from pbmstar.service.work import apply

MOVES = ("C3", "swap", "C1", "B3", "B2", "D1")


@pytest.fixture
def over(office: Office) -> Office:
    """An office in which bob has given up board 1 after five moves and a swap."""
    office.game("star challenge -size=3 -time=5d -undo=no alice bob")
    office.play(1, *MOVES, "resign")
    return office


def newest(office: Office) -> int:
    number: int = office.ask("boards.last")
    return number


def match_of(office: Office, board: int) -> Match:
    match: Match = office.at_work(apply.load, board)
    return match


def from_move(office: Office, number: int, board: int = 1) -> int:
    """Let alice play a board on by a command; return the number of the newest board then."""
    office.send("alice", f"star from {board} alice {PASSWORD['alice']} {number}")
    return newest(office)


def shown(office: Office, board: int) -> dict[str, Any]:
    found: dict[str, Any] = office.facts("admin", "board", "show", str(board))
    return found


def imported(office: Office, path: Path, exported: str) -> bool:
    path.write_text(exported)
    return office.run("admin", "board", "import", str(path)).exit_code == 0


def test_a_list_of_games_counts_the_moves_that_were_there_at_the_start(over: Office) -> None:
    board = from_move(over, 4)
    for due in ("move 5", "move 6"):
        (letter,) = over.send("alice", "star games")
        assert due in letter.words
        over.play(board, "D1")


def test_its_letters_say_why_it_is_not_rated_and_not_that_somebody_agreed(over: Office) -> None:
    begun = over.send("alice", f"star from 1 alice {PASSWORD['alice']} 4")
    shown = over.send("alice", f"star show {newest(over)}")
    over.play(newest(over), "D1", "resign")
    ended = over.send("alice", f"star show {newest(over)}")
    for each in (*begun, *shown, *ended):
        assert "This game isn't rated: it continues another game." in each.words
    assert len(begun) == 2 and over.check() == []


def test_it_begins_with_the_same_stones_sides_and_terms(over: Office) -> None:
    before, now = shown(over, 1), shown(over, from_move(over, 4))
    assert now["players"] == before["players"] and now["seats"] == before["seats"]
    assert [each["move"] for each in now["moves"]] == ["C3", "swap", "C1", "B3", "B2"]
    assert now["terms"] == before["terms"] | {
        "rated": False, "setup": ["C3", "swap", "C1", "B3", "B2"], "origin": 1,
    }  # fmt: skip
    assert now["to_move"] == "bob" and before["terms"]["undo"] == "no"


@pytest.mark.parametrize("number", range(1, 6))
def test_a_record_replays_from_an_empty_board(over: Office, number: int) -> None:
    """The moves of the JSON, one after the other, give the stones of the page; and the text too."""
    board = from_move(over, number)
    over.play(board, "C4" if number < 5 else "D3", "pass")
    match = match_of(over, board)
    start = begin(0, make("star", {"size": 3}), match.seats, 0.0)
    again = replay(start, match.whole)
    assert again.position.stones == match.position.stones and again.players == match.players
    facts = transcript.facts(match)
    assert [each["number"] for each in facts["moves"] if each["number"]] == list(
        range(1, number + 3)
    )
    assert (
        f"pbmstar analyse star -size=3 {' '.join(e.move for e in match.whole)}"
        in transcript.text(match)
    )
    for at in range(number + 3):
        assert match.at_move(at).position.stones == again.at_move(at).position.stones
    assert not over.check()


def test_it_goes_to_another_server_and_back(over: Office, tmp_path: Path) -> None:
    board = from_move(over, 3)
    over.play(board, "A4")
    exported = over.run("admin", "board", "export", str(board)).output
    kept = match_of(over, board)
    assert imported(over, tmp_path / "board.json", exported)
    again = match_of(over, newest(over))
    assert newest(over) > board and again.whole == kept.whole
    assert again.position.stones == kept.position.stones and not over.check()


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "setup", [["C3", "C3"], ["Z9"], [1], "C3", ["pass", "pass", "C3"], [None], {}]
)
def test_a_board_from_elsewhere_with_an_impossible_beginning_is_refused(
    over: Office, setup: Any, tmp_path: Path
) -> None:
    board = from_move(over, 3)
    exported = json.loads(over.run("admin", "board", "export", str(board)).output)
    agreed = json.loads(exported["boards"][0]["terms"])
    for forged, is_fine in ((agreed, True), (agreed | {"setup": setup}, False)):
        exported["boards"][0]["terms"] = json.dumps(forged)
        assert imported(over, tmp_path / "board.json", json.dumps(exported)) is is_fine


def test_nobody_loses_it_before_a_move_of_their_own(over: Office) -> None:
    """The moves on the board are not theirs: without a first move in time it is removed, and not lost."""
    board = from_move(over, 4)
    assert not match_of(over, board).has_begun
    for _ in range(6):
        over.remind(10)
    assert over.row(board) is None and over.row(1) is not None


def test_a_game_of_a_league_or_a_private_one_goes_on_as_one_of_its_own(over: Office) -> None:
    over.game("star challenge -size=3 -private alice bob")
    over.play(2, *MOVES, "resign")
    agreed = shown(over, from_move(over, 4, board=2))["terms"]
    assert (agreed["private"], agreed["contest"]) == (True, "")


def test_challenges_are_counted_with_it(over: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenges, "CHALLENGES_A_DAY", 2)
    for _ in range(2):
        from_move(over, 2)
    assert newest(over) == 3
    assert over.send("alice", f"star from 1 alice {PASSWORD['alice']} 2")[0].subject.endswith(
        "Error"
    )
    assert newest(over) == 3


def test_who_blocks_a_player_is_not_asked(over: Office) -> None:
    over.send("bob", f"block bob {PASSWORD['bob']} alice")
    assert from_move(over, 2) == 1


def test_the_operator_puts_it_back_to_its_beginning_at_most(over: Office) -> None:
    board = from_move(over, 3)
    over.play(board, "A4", "C4")
    assert over.run("admin", "board", "reset", str(board), "--to-move", "3").exit_code
    assert not over.run("admin", "board", "reset", str(board), "--to-move", "4").exit_code
    assert [each.move for each in match_of(over, board).whole] == ["C3", "swap", "C1", "B3"]
    assert not over.check()


def test_a_player_is_renamed_and_erased_with_it(over: Office) -> None:
    board = from_move(over, 3)
    over.run("admin", "user", "rename", "alice", "anna")
    assert match_of(over, board).whole[0].userid == "anna"
    exported = over.run("admin", "user", "export", "anna").output
    assert f"board {board}; " in exported and "played-on" in exported
    over.run("admin", "user", "erase", "anna")
    assert "anna" not in str(over.rows()["events"])


def test_terms_without_a_beginning_are_stored_as_before() -> None:
    assert terms.dump(Terms()) == '{"time":"21d"}'
    assert terms.load(terms.dump(Terms(setup=("C3",), origin=7))) == Terms(setup=("C3",), origin=7)


@pytest.mark.few(1)
@pytest.mark.parametrize("line", ["from 2", "from -1", "from first", "from #2"])
def test_who_reads_the_album_of_others_is_asked_for_a_board_of_their_own(
    over: Office, line: str
) -> None:
    over.add("carol")
    (album,) = over.send("carol", "album 1")
    (letter,) = over.send("carol", "Re: Star", line, album.reply_to)
    assert "Which board?" in letter.words and newest(over) == 1
    (letter,) = over.send("carol", "Re: Star", "from 1 2", album.reply_to)
    assert "Board 1 isn't one of yours." in letter.words and newest(over) == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("from 0 bot2", "Which move? Give its number, for example: from 14"),
        ("form 2 bot1", "Did you mean from?"),
    ],
)
def test_a_mistyped_from_is_refused_and_does_not_go_to_the_opponent(
    office: Office, line: str, said: str
) -> None:
    office.run("admin", "bot", "add", "bot1")
    board = office.begun()
    letters = office.send("alice", f"star resign {board} alice {PASSWORD['alice']}")
    last = next(each.reply_to for each in letters if each.to == address("alice"))
    (answer,) = office.send("alice", "Re: x", line, to=last)
    assert answer.to == address("alice") and said in answer.words
