"""What the operator does: accounts, boards put back or removed, checks, exports, backups."""

from __future__ import annotations

import shlex
import threading
from pathlib import Path

import pytest
import sqlalchemy as sa
from harness.office import DAY, PASSWORD, Got, Office, address

from pbmstar.cli import analyse
from pbmstar.command import Secret
from pbmstar.errors import BadInput
from pbmstar.service import admin
from pbmstar.service.desk import Desk
from pbmstar.store import Store
from pbmstar.store import tables as t


def audit(office: Office) -> list[str]:
    """What was noted, but for the accounts that every office has."""
    return [act for _, _, actor, act in office.ask("audit") if actor == "operator"][2:]


def told(letters: list[Got]) -> list[str]:
    return sorted(letter.to for letter in letters)


BOTH = [address("alice"), address("bob")]


def reset(office: Office, before: int, board: int = 1) -> list[Got]:
    office.at_desk(admin.reset_board, board, before)
    return office.letters()


# -- putting a board back


def test_reset_to_the_empty_board(office: Office) -> None:
    office.game()
    office.play(1, "F6", "G7", "H7")
    letters = reset(office, 1)
    assert told(letters) == BOTH
    for letter in letters:
        assert letter.subject == "Star Board 1 alice"
        assert "The operator has put this board back to the empty board." in letter.text
        assert "Moves:" not in letter.text
        assert letter.mail["X-Pbmstar-Move"] == "0"
        assert letter.mail["Auto-Submitted"] == "auto-generated"
    assert office.record(1) == []
    assert audit(office) == ["board reset 1 --to-move 1: F6 G7 H7"]
    assert office.check() == []


@pytest.mark.parametrize(
    ("moves", "before", "kept", "to_move"),
    [
        (["F6", "G7", "H7"], 3, ["F6", "G7"], "alice"),
        (["F6", "G7", "H7"], 2, ["F6"], "bob"),
        (["F6", "swap", "G7", "H7"], 3, ["F6", "swap", "G7"], "bob"),
        (["F6", "swap", "G7", "H7"], 2, ["F6", "swap"], "alice"),
        (["F6", "swap", "G7", "H7"], 1, [], "alice"),
        (["F6", "G7", "resign"], 3, ["F6", "G7"], "alice"),
        (["F6", "G7", "resign"], 2, ["F6"], "bob"),
        (["F6", "pass", "pass"], 3, ["F6", "pass"], "alice"),
        (["F6", "pass", "pass"], 2, ["F6"], "bob"),
        (["F6", "swap", "resign"], 2, ["F6", "swap"], "alice"),
    ],
)
def test_reset_to_before_a_move(
    office: Office, moves: list[str], before: int, kept: list[str], to_move: str
) -> None:
    office.game()
    office.play(1, *moves)
    letters = reset(office, before)
    assert told(letters) == BOTH
    assert letters[0].subject == f"Star Board 1 {to_move}"
    assert office.record(1) == kept
    row = office.row(1)
    assert row is not None
    assert (row.to_move, row.result, row.since) == (to_move, "", office.now)
    assert office.check() == []
    again = "H8" if kept else "F6"
    assert office.play(1, again)
    assert office.check() == []


def test_reset_after_an_agreement_and_after_a_forfeit(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "D1")
    office.send("alice", "star propose 1 alice s3cret 8-5")
    office.send("bob", "star accept 1 bob hunter2")
    reset(office, 3)
    assert office.record(1) == ["C1", "D1"]
    for pause in (19, 2):
        office.now += pause * DAY
        office.remind()
    assert office.record(1) == ["C1", "D1", "forfeit"]
    reset(office, 3)
    assert office.record(1) == ["C1", "D1"]
    assert office.check() == []


def test_reset_voids_an_open_proposal(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "D1")
    office.send("alice", "star propose 1 alice s3cret 8-5")
    assert all("accept" not in letter.text for letter in reset(office, 2))
    (letter,) = office.send("bob", "star accept 1 bob hunter2")
    assert "Your opponent has proposed no score" in letter.text


@pytest.mark.parametrize("before", [-1, 0, 4, 5, 99])
def test_reset_to_where_the_board_never_was(office: Office, before: int) -> None:
    office.game()
    office.play(1, "F6", "G7", "H7")
    state = office.state()
    with pytest.raises(BadInput, match=r"1 to 4 will do|stands before move 4 already"):
        reset(office, before)
    assert office.state() == state
    assert office.letters() == []
    assert audit(office) == []


def test_reset_twice_and_play_on(office: Office) -> None:
    office.game()
    office.play(1, "F6", "G7")
    reset(office, 1)
    office.play(1, "H7", "swap", "F6")
    reset(office, 1)
    office.play(1, "F6")
    assert office.record(1) == ["F6"]
    row = office.row(1)
    assert row is not None
    assert row.resets > 1
    assert office.check() == []


def test_a_board_that_does_not_exist(office: Office) -> None:
    for act in (admin.reset_board, admin.remove_board):
        with pytest.raises(BadInput, match="There is no board 9"):
            office.at_desk(act, 9, *([1] if act is admin.reset_board else []))


def test_remove(office: Office) -> None:
    office.game()
    office.play(1, "F6")
    office.at_desk(admin.remove_board, 1)
    letters = office.letters()
    assert told(letters) == BOTH
    for letter in letters:
        assert letter.text == "The operator has removed this board.\n"
        assert letter.mail["References"]
    assert office.row(1) is None
    assert office.ask("record", 1) == []
    assert audit(office) == ["board remove 1: F6"]
    (letter,) = office.send("bob", "star move 1 bob hunter2 G7")
    assert "There is no board 1." in letter.text


# -- accounts


def test_user_add(office: Office) -> None:
    office.at_desk(admin.add_user, "dora", "Dora@Dora.example", Secret("d0ra.pass"))
    user = admin.user_line(office.ask("user", "dora"))
    assert user == {
        "userid": "dora",
        "address": "dora@dora.example",
        "state": "active",
        "since": "2027-01-15T08:00:00Z",
    }
    assert audit(office) == ["user add dora"]
    office.send("dora@dora.example", "star challenge dora alice")
    office.send("dora@dora.example", "star move 1 dora d0ra.pass F6")
    assert office.record(1) == ["F6"]
    for userid in ("dora", "alice", "admin"):
        with pytest.raises(BadInput, match="is not free"):
            office.at_desk(admin.add_user, userid, "x@x.example", Secret("d0ra.pass"))


def test_user_password_address_remove(office: Office) -> None:
    office.game()
    office.at_desk(admin.set_password, "bob", Secret("n3w.word"))
    assert told(office.letters()) == [address("bob")]
    office.at_desk(admin.set_address, "bob", "Bob@New.example")
    assert told(office.letters()) == [address("bob"), "bob@new.example"]
    assert office.send("bob@new.example", "limit bob n3w.word 5")
    office.at_desk(admin.remove_user, "bob")
    assert told(office.letters()) == [address("alice"), "bob@new.example", "bob@new.example"]
    assert office.record(1) == ["resign"]
    assert audit(office) == ["user password bob", "user address bob", "user remove bob"]
    assert "n3w.word" not in str(office.ask("audit"))


@pytest.mark.parametrize(
    ("act", "args"),
    [
        (admin.remove_user, ()),
        (admin.set_password, (Secret("n3w.word"),)),
        (admin.set_address, ("x@x.example",)),
    ],
)
def test_accounts_that_are_not_there(office: Office, act: object, args: tuple[object, ...]) -> None:
    with pytest.raises(BadInput, match="There is no user nobody2"):
        office.at_desk(act, "nobody2", *args)  # type: ignore[arg-type]
    office.at_desk(admin.remove_user, "bob")
    office.letters()
    state = office.state()
    with pytest.raises(BadInput, match="closed"):
        office.at_desk(act, "bob", *args)  # type: ignore[arg-type]
    assert office.state() == state
    assert office.letters() == []


# -- check


def test_nothing_to_report(office: Office) -> None:
    office.game()
    office.play(1, "F6", "swap", "G7", "pass", "pass")
    office.game("*star challenge -rings=4 -double alice bob")
    office.play(2, "S42", "T40 *31")
    office.game("star challenge -size=3 alice bob")
    office.send("bob", "star propose 3 bob hunter2 8-5")
    office.game("stary challenge -rings=4 alice bob")
    office.send("alice", "signoff alice s3cret")
    assert office.check() == []


TAMPERED = {
    "another move": (
        sa.update(t.moves).where(t.moves.c.seq == 2).values(move="F6"),
        "does not replay",
    ),
    "no cell": (sa.update(t.moves).where(t.moves.c.seq == 2).values(move="Q99"), "does not replay"),
    "no move": (
        sa.update(t.moves).where(t.moves.c.seq == 2).values(move="agree"),
        "does not replay",
    ),
    "empty": (sa.update(t.moves).where(t.moves.c.seq == 2).values(move=""), "does not replay"),
    "a late swap": (
        sa.update(t.moves).where(t.moves.c.seq == 3).values(move="swap"),
        "does not replay",
    ),
    "another's move": (
        sa.update(t.moves).where(t.moves.c.seq == 2).values(userid="bob"),
        "does not replay",
    ),
    "a stranger's move": (
        sa.update(t.moves).where(t.moves.c.seq == 1).values(userid="mallory"),
        "mallory is no player",
    ),
    "a gap": (sa.delete(t.moves).where(t.moves.c.seq == 1), "the record has a gap"),
    "cut short": (sa.delete(t.moves).where(t.moves.c.seq == 3), "length is 4, the record says 3"),
    "all gone": (sa.delete(t.moves), "length is 4, the record says 0"),
    "a number": (sa.update(t.moves).where(t.moves.c.seq == 3).values(number=9), "move numbers"),
    "no number": (sa.update(t.moves).where(t.moves.c.seq == 3).values(number=None), "move numbers"),
    "a swap with a number": (
        sa.update(t.moves).where(t.moves.c.seq == 1).values(number=7),
        "move numbers",
    ),
    "the time of the last move": (
        sa.update(t.moves).where(t.moves.c.seq == 3).values(at=5.0),
        "since is 1800000000.0, the record says 5.0",
    ),
    "length": (sa.update(t.boards).values(length=3), "length is 3, the record says 4"),
    "to_move": (
        sa.update(t.boards).values(to_move="bob"),
        "to_move is 'bob', the record says 'alice'",
    ),
    "to_move of nobody": (sa.update(t.boards).values(to_move=""), "to_move is ''"),
    "result": (sa.update(t.boards).values(result="bob"), "result is 'bob', the record says ''"),
    "since": (sa.update(t.boards).values(since=7.0), "since is 7.0, the record says 1800000000.0"),
    "the other seat": (sa.update(t.boards).values(first="bob", second="alice"), "does not replay"),
    "a player": (sa.update(t.boards).values(second="mallory"), "bob is no player"),
    "no such user": (sa.update(t.boards).values(second="mallory"), "there is no user mallory"),
    "an account gone": (
        sa.delete(t.users).where(t.users.c.userid == "bob"),
        "there is no user bob",
    ),
    "another game": (sa.update(t.boards).values(game="*star"), "does not replay"),
    "no game": (
        sa.update(t.boards).values(game="chess"),
        "does not replay: There is no game chess",
    ),
    "an option": (sa.update(t.boards).values(options='{"size": 3}'), "does not replay"),
    "no option": (sa.update(t.boards).values(options='{"turbo": 1}'), "does not replay"),
    "no JSON": (sa.update(t.boards).values(options="{"), "does not replay"),
    "no object": (sa.update(t.boards).values(options="[1]"), "does not replay"),
    "a stranger's offer": (sa.update(t.boards).values(offer="mallory 16 15"), "offer"),
    "half an offer": (sa.update(t.boards).values(offer="bob 16"), "offer"),
    "no offer": (sa.update(t.boards).values(offer="bob x y"), "offer"),
    "a board gone": (sa.delete(t.boards), "moves without a board"),
}


@pytest.mark.parametrize("kind", TAMPERED)
def test_check_reports_each_kind_of_tampering(office: Office, kind: str) -> None:
    office.game()
    office.play(1, "F6", "swap", "G7", "H7")
    row = office.row(1)
    assert row is not None
    assert row.to_move == "alice"
    statement, word = TAMPERED[kind]
    with office.store.engine.begin() as connection:
        connection.execute(statement)
    found = office.check()
    assert any(word in line for line in found), found
    assert all(line.startswith("board 1: ") for line in found)


@pytest.mark.parametrize(
    ("kind", "before"),
    [
        ("another move", 2),
        ("no cell", 2),
        ("a number", 2),
        ("length", 4),
        ("to_move", 4),
        ("result", 4),
        ("no offer", 4),
    ],
)
def test_what_is_corrupt_can_be_put_right(office: Office, kind: str, before: int) -> None:
    office.game()
    office.play(1, "F6", "swap", "G7", "H7")
    with office.store.engine.begin() as connection:
        connection.execute(TAMPERED[kind][0])
    office.context.matches._kept.clear()
    assert office.check() != []
    reset(office, before)
    assert office.check() == []


def test_a_corrupt_board_can_be_removed(office: Office) -> None:
    office.game()
    office.play(1, "F6", "swap", "G7", "H7")
    with office.store.engine.begin() as connection:
        connection.execute(TAMPERED["no cell"][0])
    office.context.matches._kept.clear()
    office.at_desk(admin.remove_board, 1)
    assert told(office.letters()) == BOTH
    assert office.check() == []


# -- export


@pytest.mark.parametrize(
    ("challenge", "moves"),
    [
        ("star challenge -size=4 -maxi alice bob", ["C2", "swap", "D4", "pass", "F1"]),
        ("star challenge alice bob", []),
        ("star challenge -size=3 alice bob", ["C1", "resign"]),
        ("star challenge -size=3 alice bob", ["C1", "D1", "pass", "pass"]),
        ("*star challenge -rings=4 -double alice bob", ["*40", "T40 *31", "pass"]),
        ("*star challenge -rings=4 -handicap=2 -points=-5 alice bob", ["*40", "T40"]),
        ("*star challenge -rings=4 -nobridge alice bob", ["@", "swap", "S42"]),
        ("stary challenge -rings=4 alice bob", ["@", "S42"]),
    ],
)
def test_an_export_replays_through_analyse(
    office: Office, challenge: str, moves: list[str]
) -> None:
    office.game(challenge)
    office.play(1, *moves)
    match = office.at_desk(lambda desk: next(admin.all_matches(desk.tx)))
    text = admin.export(match)
    (line,) = [line for line in text.split("\n") if line.startswith("pbmstar analyse ")]
    drawn = analyse.draw(shlex.split(line)[2:])
    drawing = match.game.draw(match.position.stones)
    assert drawn.startswith(drawing)
    assert text.endswith(drawing)
    if moves and moves[-1] != "resign" and not match.position.over:
        assert f"{match.position.to_move} is to move." in drawn


def test_an_export_can_be_read_by_a_person(office: Office) -> None:
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C1", "swap", "D1")
    office.send("bob", "star resign 1 bob hunter2")
    text = admin.export(office.at_desk(lambda desk: next(admin.all_matches(desk.tx))))
    assert text.startswith("""\
Board 1: Star, alice against bob
Begun 2027-01-15T08:00:00Z; over, result alice
pbmstar analyse star -size=3 C1 swap D1
    1 2027-01-15T08:00:00Z alice            C1
    - 2027-01-15T08:00:00Z bob              swap
    2 2027-01-15T08:00:00Z alice            D1
    - 2027-01-15T08:00:00Z bob              resign
""")


def test_board_facts(office: Office) -> None:
    office.game("*star challenge -rings=4 alice bob")
    office.play(1, "S42", "swap", "T40")
    match = office.at_desk(lambda desk: next(admin.all_matches(desk.tx)))
    at = "2027-01-15T08:00:00Z"
    assert admin.board_facts(match) == {
        "board": 1,
        "game": "*star",
        "options": {"rings": 4, "double": False, "nobridge": False, "handicap": 0, "points": 0},
        "players": {"X": "bob", "O": "alice"},
        "moves": [
            {"number": 1, "userid": "alice", "move": "S42", "at": at},
            {"number": None, "userid": "bob", "move": "swap", "at": at},
            {"number": 2, "userid": "alice", "move": "T40", "at": at},
        ],
        "to_move": "bob",
        "over": False,
        "result": None,
    }


# -- backup


def test_backup_is_a_database_to_start_from(office: Office, tmp_path: Path) -> None:
    office.game()
    office.play(1, "F6", "swap", "G7")
    waiting = office.deliver(office.write("bob", "star move 1 bob hunter2 H7"))
    assert waiting.name == "applied"
    target = tmp_path / "copy.db"
    office.store.backup(target)
    assert target.stat().st_mode & 0o777 == 0o600
    copy = Store(f"sqlite:///{target}")
    with copy.transaction() as tx, office.store.transaction() as original:
        assert admin.check(tx) == []
        for question in ("users", "boards", "keys", "letters", "audit"):
            assert getattr(tx, question)() == getattr(original, question)()
        assert tx.record(1) == original.record(1)
        letters = tx.claim("x", office.now, office.now + 1, 10)
        assert [letter.content for letter in letters] == [
            letter.content for letter in original.claim("x", office.now, office.now + 1, 10)
        ]
    copy.close()
    with pytest.raises(BadInput, match=r"copy\.db exists already"):
        office.store.backup(target)


def test_a_copy_goes_on_with_new_numbers(office: Office, tmp_path: Path) -> None:
    office.game()
    office.game()
    office.send("alice", "star decline 2 alice s3cret")
    office.store.backup(tmp_path / "copy.db")
    copy = Store(f"sqlite:///{tmp_path / 'copy.db'}")
    with copy.transaction() as tx:
        desk = Desk(office.context, tx, office.now)
        from pbmstar.games import make
        from pbmstar.service import play

        number = play.start(desk, make("star", {}), "alice", "bob")
        assert number in (2, 3)
        assert play.load(desk, number).number == number
    copy.close()


def test_backup_while_mails_come_in(office: Office, tmp_path: Path) -> None:
    """Whatever is written meanwhile, the copy is of one moment: every board has its record."""
    office.game()
    moves = ["F6", "G7", "H7", "F7", "G8", "H8", "F8", "G6", "H6", "E8"]
    begun = threading.Event()

    def play() -> None:
        for place, move in enumerate(moves):
            who = ("alice", "bob")[place % 2]
            office.deliver(office.write(who, f"star move 1 {who} {PASSWORD[who]} {move}"))
            begun.set()

    thread = threading.Thread(target=play)
    thread.start()
    begun.wait()
    for number in range(3):
        office.store.backup(tmp_path / f"{number}.db")
    thread.join()
    for number in range(3):
        copy = Store(f"sqlite:///{tmp_path / f'{number}.db'}")
        with copy.transaction() as tx:
            assert admin.check(tx) == []
            played = [move.move for move in tx.record(1)]
            assert played == moves[: len(played)]
            assert len(tx.letters()) == 2 * len(played)
        copy.close()


def test_the_audit_says_who_when_and_what(office: Office) -> None:
    office.game()
    office.now += 60
    office.at_desk(admin.remove_board, 1)
    assert admin.audit_line(*office.ask("audit")[-1]) == {
        "id": 3,
        "at": "2027-01-15T08:01:00Z",
        "actor": "operator",
        "act": "board remove 1: ",
    }
