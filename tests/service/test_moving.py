"""Boards that go to another server, or come back from a backup."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from harness.office import Office, address


@pytest.fixture
def elsewhere(another: Callable[..., Office]) -> Iterator[Office]:
    """Another server, where bob is called robert."""
    with closing(another(people=("alice",))) as office:
        office.add("robert", "bob@bob.example", "another")
        yield office


@pytest.mark.slow
def test_a_board_goes_on_at_another_server(
    office: Office, elsewhere: Office, tmp_path: Path
) -> None:
    office.game()
    office.play(1, "F6", "swap", "G7")
    office.letters()
    file = tmp_path / "board.json"
    file.write_text(office.run("admin", "board", "export", "1").output)
    refused = elsewhere.run("admin", "board", "import", str(file))
    assert refused.exit_code == 1 and "no user bob here" in refused.output
    done = elsewhere.run("admin", "board", "import", str(file), "--as", "bob=robert")
    assert done.output == "Board 1 imported: alice and robert.\n", done.output
    assert elsewhere.check() == []
    letters = {letter.to: letter for letter in elsewhere.letters()}
    assert set(letters) == {address("alice"), address("bob")}
    mover = elsewhere.row(1).to_move  # type: ignore[union-attr]
    letter = letters[address("alice" if mover == "alice" else "bob")]
    elsewhere.send(letter.to, "Re: it", "H7", to=letter.mail["Reply-To"])
    assert elsewhere.record(1) == ["F6", "swap", "G7", "H7"]
    again = elsewhere.run("admin", "board", "import", str(file), "--as", "bob=robert")
    assert again.output.startswith("Board 2 imported")


GOLEM = (
    """(;FF[4]EV[hex.ld.DEFAULT]PB[bennok]PW[Warren Bei]SZ[13]RE[B];W[ac];B[swap];W[ie];B[%s])"""
)


def test_a_game_of_little_golem_is_brought_here(office: Office, tmp_path: Path) -> None:
    """Its players go on here, or it is over; it counts for no rating."""
    file = tmp_path / "golem.sgf"
    file.write_text(GOLEM % "dj")
    refused = office.run("admin", "board", "import", str(file))
    assert refused.exit_code == 1 and "no user bennok here" in refused.output
    names = ("--as", "bennok=alice", "--as", "Warren Bei=bob")
    file.write_text(GOLEM % "resign")
    done = office.run("admin", "board", "import", str(file), *names)
    assert done.output == "Board 1 imported: alice and bob.\n", done.output
    assert office.record(1) == ["A3", "swap", "E9", "resign"]
    assert office.row(1).result == "alice"  # type: ignore[union-attr]
    assert office.letters() == []
    file.write_text((GOLEM % "dj").replace("RE[B]", ""))
    office.run("admin", "board", "import", str(file), *names)
    letters = {letter.to: letter for letter in office.letters()}
    assert set(letters) == {address("alice"), address("bob")}
    office.send("alice", "Re: it", "G7", to=letters[address("alice")].reply_to)
    assert office.record(2) == ["A3", "swap", "E9", "J4", "G7"]
    assert office.check() == []
    assert not office.rows()["ratings"]


def test_what_is_no_board_or_does_not_replay_is_refused(office: Office, tmp_path: Path) -> None:
    office.play(office.game(), "F6", "G7")
    board = json.loads(office.run("admin", "board", "export", "1").output)
    board["moves"][1]["move"] = "F6"
    file = tmp_path / "board.json"
    for text in ("", "[]", "{}", '{"form": "pbmstar board 1"}', "no", json.dumps(board)):
        file.write_text(text)
        done = office.run("admin", "board", "import", str(file))
        assert done.exit_code == 1, text
        assert ("an exported board" in done.output) == ("boards" not in text)
    assert [row.board for row in office.ask("boards.page")] == [1]


def test_a_board_comes_back_from_a_backup(office: Office, tmp_path: Path) -> None:
    """Its players are told that moves are gone. Letters of the board as it was since are void."""
    office.game()
    office.play(1, "F6", "G7")
    backup = str(tmp_path / "backup.db")
    office.run("admin", "backup", backup)
    late = next(each for each in office.play(1, "H7") if each.to == address("bob"))
    done = office.run("admin", "restore", backup, "--board", "1")
    assert done.output == "Board 1 restored.\n", done.output
    assert office.record(1) == ["F6", "G7"]
    letters = office.letters()
    assert {letter.to for letter in letters} == {address("alice"), address("bob")}
    back = "The operator has taken this board back to where it was before move 3."
    assert all(back in letter.words for letter in letters)
    office.send("bob", "Re: it", "J7", to=late.mail["Reply-To"])
    assert office.record(1) == ["F6", "G7"]
    office.play(1, "H8")
    assert office.check() == []


def test_a_player_comes_back_with_the_boards_that_are_gone(office: Office, tmp_path: Path) -> None:
    office.game()
    office.game()
    backup = str(tmp_path / "backup.db")
    office.run("admin", "backup", backup)
    office.run("admin", "board", "remove", "2")
    office.play(1, "F6")
    done = office.run("admin", "restore", backup, "--user", "bob")
    assert done.output == "Account bob restored; boards: 2.\n", done.output
    assert (office.record(1), office.record(2)) == (["F6"], [])
    assert office.check() == []
    assert "no user nobody" in office.run("admin", "restore", backup, "--user", "nobody").output
