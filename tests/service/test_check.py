"""``admin check`` finds what does not agree; a reset or a removal puts the board right."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from harness.office import Office

from pbmstar.games.spelling import plural


def played(office: Office) -> None:
    office.advance(office.game(), "F6", "swap", "G7", "H7")


def asked(office: Office) -> None:
    office.advance(office.game("star challenge -size=3 alice bob"), "C1")
    office.now += 60
    office.send("alice", "star draw 1 alice s3cret")


def planned(office: Office) -> None:
    office.add("carol")
    office.advance(office.game("star challenge -size=4 alice bob"), "C3")
    office.send("alice", "star plan 1 alice s3cret if D3 then B3, if B4 then C4")


def solved(office: Office) -> None:
    board = office.game("minisolitaire challenge alice")
    moves = ("*10-*30", "S10-*31", "T21-S10-S32",
             "R10-R32-*41-*21-S31-T30-T10-R10-A31-T21-R10", "R20-@")  # fmt: skip
    office.advance(board, *moves)


MOVES, BOARDS = "UPDATE moves SET ", "UPDATE boards SET "
REQUEST = "INSERT INTO requests VALUES (1, '{}', '{}', '{}', 5.0)"
BESTS = "alice has reached rank 0, the best say otherwise"
OPEN = "the request draw 'draw' is open, the events say otherwise"
# After what, which change; what is found; and before which move a reset puts it right, if one does.
TAMPERED: list[tuple[Callable[[Office], None], str, str, int]] = [
    (played, MOVES + "move = 'F6' WHERE seq = 2", "does not replay", 2),
    (played, MOVES + "move = 'Q99' WHERE seq = 2", "does not replay", 2),
    (played, MOVES + "move = 'agree' WHERE seq = 2", "does not replay", 0),
    (played, MOVES + "move = '' WHERE seq = 2", "does not replay", 0),
    (played, MOVES + "move = 'swap' WHERE seq = 3", "does not replay", 0),
    (played, MOVES + "userid = 'bob' WHERE seq = 2", "does not replay", 0),
    (played, MOVES + "userid = 'mallory' WHERE seq = 1", "mallory moves in the record, but is not a player", 0),
    (played, "DELETE FROM moves WHERE seq = 1", "the record has a gap", 0),
    (played, "DELETE FROM moves WHERE seq = 3", "length is 4, the record says 3", 0),
    (played, "DELETE FROM moves", "length is 4, the record says 0", 0),
    (played, MOVES + "number = 9 WHERE seq = 3", "move numbers", 2),
    (played, MOVES + "number = NULL WHERE seq = 3", "move numbers", 0),
    (played, MOVES + "number = 7 WHERE seq = 1", "move numbers", 0),
    (played, MOVES + "at = 5.0 WHERE seq = 3", "since is 1800000000.0, the record says 5.0", 0),
    (played, BOARDS + "length = 3", "length is 3, the record says 4", 4),
    (played, BOARDS + "to_move = 'bob'", "to_move is 'bob', the record says 'alice'", 4),
    (played, BOARDS + "to_move = ''", "to_move is ''", 0),
    (played, BOARDS + "result = 'bob'", "result is 'bob', the record says ''", 4),
    (played, BOARDS + "since = 7.0", "since is 7.0, the record says 1800000000.0", 0),
    (played, "UPDATE seats SET seat = 2 - seat", "its row is damaged", 0),
    (played, "INSERT INTO seats (board, seat, userid) VALUES (1, 2, 'alice')", "its row is damaged", 0),
    (played, "UPDATE seats SET userid = 'mallory' WHERE seat = 1", "there is no user mallory", 0),
    (played, BOARDS + "due = NULL", "due is None and the game runs", 4),
    (played, "DELETE FROM users WHERE userid = 'bob'", "there is no user bob", 0),
    (played, BOARDS + "game = '*star'", "does not replay", 0),
    (played, BOARDS + "game = 'chess'", "does not replay: There's no game called chess", 0),
    (played, BOARDS + "options = '{\"size\": 3}'", "does not replay", 0),
    (played, BOARDS + "options = '{\"turbo\": 1}'", "does not replay", 0),
    (played, BOARDS + "options = '{'", "does not replay", 0),
    (played, BOARDS + "options = '[1]'", "does not replay", 0),
    (played, REQUEST.format("score", "mallory", "16 15"), "request", 0),
    (played, REQUEST.format("score", "bob", "16"), "request", 0),
    (played, REQUEST.format("score", "bob", "x y"), "request", 4),
    (played, REQUEST.format("dance", "bob", "16 15"), "request", 0),
    (played, "DELETE FROM boards", "moves without a board", 0),
    (asked, "DELETE FROM requests", "the request draw 'draw' of alice is not kept", 0),
    (asked, "DELETE FROM events", OPEN, 0),
    (asked, "UPDATE requests SET userid = 'bob'", OPEN, 0),
    (asked, "UPDATE requests SET kind = 'undo'", "the request undo 'draw' cannot be open", 0),
    (asked, "UPDATE events SET kind = 'reset', data = '[3]'", "resets is 0, but more often moves were taken", 0),
    *((planned, f"UPDATE plans SET {change}", "cannot be one", 0) for change in (
        "length = 7", "resets = 3", "userid = 'carol'", "userid = 'bob'",
        "plan = 'if C3 then B3'", "plan = 'D3 then B3'", "plan = 'nonsense'")),
    (solved, "UPDATE bests SET turns = turns + 1", BESTS, 0),
    (solved, "UPDATE bests SET rank = 3", BESTS, 0),
    (solved, "DELETE FROM bests", BESTS, 0),
]  # fmt: skip


@pytest.mark.few(15)
@pytest.mark.parametrize(("arrange", "change", "found", "before"), TAMPERED)
def test_what_was_changed_is_found(
    office: Office, arrange: Callable[[Office], None], change: str, found: str, before: int
) -> None:
    arrange(office)
    assert office.check() == []
    office.sql(change)
    done = office.run("admin", "check")
    assert done.exit_code == 1
    *problems, total = done.output.splitlines()
    assert total == f"{plural(len(problems), 'difference')}."
    assert any(found in line for line in problems), problems
    assert all(line.startswith("board 1: ") for line in problems)
    if before:
        office.run("admin", "board", "reset", "1", "--to-move", str(before))
        assert office.check() == []
    elif "does not replay" in found and change.startswith(MOVES):
        assert office.run("admin", "board", "remove", "1").exit_code == 0
        assert office.check() == []
