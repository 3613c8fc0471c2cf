"""Notes: no byte of one in any letter, listing or export but its writer's; bounded; kept."""

from __future__ import annotations

import json

import pytest
from harness.common import sentence
from harness.letters import PASSWORD
from harness.office import Office

from pbmstar.match import Happening
from pbmstar.match import happenings as h
from pbmstar.render.board.sentences import recorded

SECRET = "Zugzwang on the left"


def test_no_byte_of_a_note_goes_anywhere_else(office: Office) -> None:
    office.add("carol")
    office.game("star challenge -size=4 alice bob")
    (own,) = office.send("alice", "star note 1 alice s3cret", SECRET)
    assert SECRET in own.text and own.to == "alice@alice.example"
    letters = [
        *office.play(1, "C3", "D3"),
        *office.send("bob", "star show 1"),
        *office.send("bob", "star record 1"),
        *office.send("carol", "star record 1"),
        *office.send("bob", "star notes 1 bob hunter2"),
        *office.send("bob", "star draw 1 bob hunter2"),
        *office.send("alice", "star resign 1 alice s3cret", "Thanks!"),
    ]
    for letter in letters:
        is_her_own = letter.to == own.to and "Board 1" in letter.subject
        assert (SECRET in letter.text, SECRET.encode() in letter.raw) == (is_her_own, is_her_own)
    for words in ("board show 1", "board show 1 --json", "export", "user export bob", "check"):
        assert SECRET not in office.run("admin", *words.split()).output
    assert SECRET in office.run("admin", "user", "export", "alice").output


def test_notes_are_bounded_and_the_oldest_go(office: Office) -> None:
    office.game()
    (refused,) = office.send("alice", "star note 1 alice s3cret", "\r\n".join(["x" * 66] * 30))
    assert "at most 2000 characters, but yours has 2009" in refused.words
    for number in range(22):
        (letter,) = office.send("alice", "star note 1 alice s3cret", f"note {number}.")
        assert ("the oldest one" in letter.words) == (number >= 20)
    assert [each.text for each in office.ask("notebook.notes", 1, "alice")] == [
        f"note {number}." for number in range(2, 22)
    ]
    assert office.check() == []


@pytest.mark.parametrize("html", ["on", "off"])
def test_a_record_has_a_file_for_programs(office: Office, html: str) -> None:
    """What ``admin board show --json`` prints, but for what only players are told."""
    office.game("*star challenge -rings=4 -private alice bob")
    office.play(1, "*30", "A31", body="secret words")
    office.send("alice", f"html alice {PASSWORD['alice']} {html}")
    (letter,) = office.send("alice", "*star record 1")
    assert letter.parts[0].get_content_type() == "multipart/mixed"
    file = letter.parts[-1]
    assert (file.get_content_type(), file.get_filename()) == ("application/json", "starstar1.json")
    facts = json.loads(file.get_payload())
    shown = office.facts("admin", "board", "show", "1")
    assert facts == {name: value for name, value in shown.items() if name in facts}
    assert set(shown) - set(facts) == {"requests", "clock", "deadline"}
    assert "secret" in letter.text and "secret" not in file.get_payload()


def test_a_record_of_hex_has_a_file_for_other_places_to_play(office: Office) -> None:
    """Without times and words; ``admin board export --sgf`` prints the same."""
    office.play(office.game("hex challenge -size=4 alice bob"), "B3", "swap", "C1", "A4")
    office.send("bob", f"hex resign 1 bob {PASSWORD['bob']}")
    (letter,) = office.send("alice", "hex record 1")
    file = letter.parts[-1]
    assert (file.get_content_type(), file.get_filename()) == ("application/x-go-sgf", "hex1.sgf")
    assert file.get_payload() == (
        "(;FF[4]CA[UTF-8]GM[11]SZ[4]PB[alice]PW[bob]DT[2027-01-15]RE[B+R]\n"
        ";B[b3];W[swap-pieces];B[a3];W[d1];W[resign])\n"
    )
    exported = office.run("admin", "board", "export", "--sgf", "1").output
    assert exported.split() == file.get_payload().split()
    office.game("star challenge -size=4 alice bob")
    refused = office.run("admin", "board", "export", "--sgf", "2")
    assert refused.exit_code == 1 and "Only games of Hex and Y" in refused.output


def test_a_record_shows_the_board_after_each_ten_moves_and_as_it_is(office: Office) -> None:
    """Once, if these are the same."""
    board, boards = office.game(), []
    for move in ("F6", "G7", "H7", "H8", "F1", "G1", "H1", "I1", "J1", "G8", "C4"):
        office.play(board, move)
        (letter,) = office.send("alice", f"star record {board}")
        boards.append(letter.text.count(" A B C D E F\n"))
    assert boards == [1] * 10 + [2]


def test_what_happened_beside_the_moves_is_told_in_words() -> None:
    lines: dict[Happening, str] = {
        h.Proposed("alice", "undo", "F6; G7"): sentence("asks back", "alice", "F6 and G7"),
        h.Proposed("alice", "score", "11 10"): "alice proposes 11-10",
        h.Proposed("alice", "cancel"): "alice asks to end the game without a result",
        h.TakenBack("alice", ("F6", "G7")): "(F6 and G7 taken back)",
        h.Retracted("alice", "F6"): "(F6 taken back)",
        h.Refused("alice", "later"): "alice declines: not now, maybe later",
        h.Extended("alice", 604800, 604800, 4): "alice gives an extra 7 days",
        h.Rematched("alice", 5): "followed by board 5",
        h.Rematch("alice", 5): "follows board 5",
        h.Countered("alice", 4, "-size=4", 2): "alice suggested this game instead",
        h.Reset(9): "the operator takes the board back to where it was before move 9",
        h.Unreached("alice", 14.0): "our letters aren't reaching alice",
        h.Muted("alice", True): "",
        h.BanksSet(3, (600, 600)): "",
    }
    for happening, line in lines.items():
        assert str(recorded(happening)) == line


def test_an_album_has_room_for_so_much_and_says_how_much_more_there_is(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    for _ in range(10):
        office.now += 3600
        office.send("alice", "star say 1 alice s3cret", "\r\n".join(["<" * 60] * 9))
    office.play(1, "A3", "C2", "A4", "D3", "C1", "resign")
    office.now += 60
    (letter,) = office.send("alice", "star album 1")
    assert f"{sentence('more of game')} star record 1" in letter.words
    assert letter.text.count("alice, before the first move:") == 9
    assert "To see 1 more message from this game, reply: star record 1" in letter.text


def test_words_that_an_earlier_version_stored_tell_no_address_when_they_are_read_out(
    office: Office,
) -> None:
    """In a record, an album, and a report to the operator."""
    office.game("star challenge -size=4 alice bob")
    office.play(1, "C3", "D3", "D4", "C4")
    office.sql(
        "INSERT INTO comments (board, n, length, userid, at, text)"
        " VALUES (1, 9, 3, 'alice', 1799999999, 'write me at alice@alice.example, or here')"
    )
    told = [
        *office.send("bob", "star record 1 bob hunter2"),
        *office.send("bob", "star report 1 bob hunter2", "She is rude."),
        *office.send("bob", "star resign 1 bob hunter2"),
    ]
    read = [each.text for each in told if "write me at" in " ".join(each.text.split())]
    assert len(read) >= 2, [each.subject for each in told]
    assert not [each for each in read if "alice@alice.example" in each]
