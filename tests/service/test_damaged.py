"""Boards that are forged, or damaged in the store: each is named, and none holds up the others."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from harness.damaged import DAMAGED
from harness.letters import PASSWORD
from harness.office import Office

from pbmstar.match import Match
from pbmstar.service.reminders import deadlines
from pbmstar.service.work.work import Work

DAY = 86400.0
OPERATOR = "op@site.example"
Board = dict[str, Any]


@pytest.fixture
def here(another: Callable[..., Office]) -> Iterator[Office]:
    """The server that the file comes to."""
    with closing(another()) as office:
        yield office


@pytest.fixture(scope="module")
def refusing(another: Callable[..., Office]) -> Iterator[Office]:
    """One that takes none of them."""
    with closing(another()) as office:
        yield office


@pytest.fixture(scope="module")
def exported(another: Callable[..., Office]) -> str:
    """A board with two moves, plans, notes, words and a request, as it is exported."""
    with closing(another()) as office:
        office.game()
        office.play(1, "F6", "G7", body="Good luck.")
        office.send("alice", f"star note 1 alice {PASSWORD['alice']}", "hm")
        office.sql("INSERT INTO requests VALUES (1, 'cancel', 'bob', '', 1800000000.0)")
        return office.run("admin", "board", "export", "1").output


@pytest.fixture
def file(exported: str, tmp_path: Path) -> Callable[[Callable[[Board], object] | str], Path]:
    """A board that was exported, as somebody has changed it."""
    path = tmp_path / "board.json"

    def forge(change: Callable[[Board], object] | str) -> Path:
        board = json.loads(exported)
        if not isinstance(change, str):
            change(board)
        path.write_text(change if isinstance(change, str) else json.dumps(board))
        return path

    return forge


def put(table: str, row: int, **values: Any) -> Callable[[Board], object]:
    return lambda board: board[table][row].update(values)


def without(table: str, row: int, column: str) -> Callable[[Board], object]:
    return lambda board: board[table][row].pop(column)


def copied(table: str, row: int, **values: Any) -> Callable[[Board], object]:
    return lambda board: board[table].append({**board[table][row], **values})


HUGE = "9" * 5000
FORGED: dict[str, Callable[[Board], object] | str] = {
    "null": "null",
    "a number": "17",
    "nested brackets": "[" * 200_000,
    "nested objects": '{"form":' * 200_000,
    "a number of 5000 digits": f'{{"form": {HUGE}}}',
    "rows that are a number": lambda board: board.update(moves=5),
    "rows that are null": lambda board: board.update(seats=None),
    "rows that are no objects": lambda board: board.update(moves=[1, "x", None]),
    "no row of boards": lambda board: board.update(boards=[]),
    "two rows of boards": copied("boards", 0),
    "no seats": lambda board: board.pop("seats"),
    "empty seats": lambda board: board.update(seats=[]),
    "one seat": lambda board: board["seats"].pop(),
    "three seats": copied("seats", 0, seat=2, userid="carol"),
    "a seat twice": put("seats", 1, seat=0),
    "seats with a gap": put("seats", 1, seat=5),
    "one player twice": put("seats", 1, userid="alice"),
    "a nobody": put("seats", 1, userid="zoe"),
    "a userid that is a list": put("seats", 1, userid=["bob"]),
    "made is a text": put("boards", 0, made="x"),
    "made is NaN": put("boards", 0, made=float("nan")),
    "made is infinite": put("boards", 0, made=float("inf")),
    "made is far away": put("boards", 0, made=1e300),
    "made is to come": put("boards", 0, made=1_900_000_000.0),
    "made is before 1970": put("boards", 0, made=-5.0),
    "made is null": put("boards", 0, made=None),
    "made is missing": without("boards", 0, "made"),
    "game is a number": put("boards", 0, game=5),
    "no such game": put("boards", 0, game="chess"),
    "options are a list": put("boards", 0, options="[]"),
    "options are not JSON": put("boards", 0, options="{"),
    "options are nested": put("boards", 0, options="[" * 50_000),
    "terms are null": put("boards", 0, terms=None),
    "terms are a number": put("boards", 0, terms="5"),
    "terms of a strange contest": put("boards", 0, terms='{"contest":"<script>"}'),
    "terms with a strange key": put("boards", 0, terms='{"x":1}'),
    "terms with a time that is none": put("boards", 0, terms='{"time":"soon"}'),
    "terms with a number": put("boards", 0, terms='{"time":5}'),
    "terms with weekends": put("boards", 0, terms='{"time":"21d","weekends":[1,2]}'),
    "length is huge": put("boards", 0, length=10**30),
    "length is wrong": put("boards", 0, length=7),
    "length is true": put("boards", 0, length=True),
    "resets are a text": put("boards", 0, resets="0"),
    "resets are negative": put("boards", 0, resets=-1),
    "another mover": put("boards", 0, to_move="bob"),
    "a result": put("boards", 0, result="alice"),
    "a bank that is a text": put("seats", 0, bank="x"),
    "a bank that is huge": put("seats", 0, bank=10**18),
    "a huge move": put("moves", 0, move="F" * 200_000),
    "a move with NUL": put("moves", 0, move="F6\0"),
    "half a surrogate pair": put("comments", 0, text="\ud800"),
    "a move of nobody": put("moves", 0, userid="zoe"),
    "a move at a text": put("moves", 0, at="x"),
    "an unknown event": lambda board: board["events"].append(
        {"n": 0, "at": 1.0, "userid": "bob", "kind": "boo", "data": ""}
    ),
    "a move twice": copied("moves", 1),
    "a number twice": copied("moves", 1, seq=2),
    "100,000 moves": lambda board: board["moves"].extend(board["moves"][:1] * 100_000),
    "an unknown request": put("requests", 0, kind="boo"),
    "words of somebody else": put("comments", 0, userid="zoe"),
    "a note at a text": put("notes", 0, at="x"),
}  # fmt: skip


@pytest.mark.few(15)
@pytest.mark.parametrize("forged", FORGED)
def test_a_forged_file_is_refused_in_a_sentence(
    refusing: Office, file: Callable[[Any], Path], forged: str
) -> None:
    before = refusing.rows()
    done = refusing.run("admin", "board", "import", str(file(FORGED[forged])))
    assert done.exit_code == 1
    assert done.output.startswith("pbmstar: ") and done.output.count("\n") == 1, done.output
    assert len(done.output) < 400
    assert refusing.rows() == before


def test_the_file_as_it_was_is_taken(here: Office, file: Callable[[Any], Path]) -> None:
    done = here.run("admin", "board", "import", str(file(lambda board: board.pop("requests"))))
    assert done.output == "Board 1 imported: alice and bob.\n"
    assert here.check() == []


def test_a_solved_puzzle_is_taken_with_its_result(
    office: Office, here: Office, tmp_path: Path
) -> None:
    office.game("supplyline challenge alice")
    office.play(1, "resign")
    path = tmp_path / "puzzle.json"
    path.write_text(office.run("admin", "board", "export", "1").output)
    assert here.run("admin", "board", "import", str(path)).exit_code == 0
    assert here.check() == []


# -- damaged in the store


@pytest.fixture(scope="module")
def town(another: Callable[..., Office]) -> Iterator[tuple[Office, Callable[[], None]]]:
    """Three games, the first of which will be damaged; the players get daily letters."""
    with closing(another(operator=OPERATOR)) as office:
        _play(office)
        yield office, office.kept()


@pytest.fixture
def played(town: tuple[Office, Callable[[], None]]) -> Office:
    """The same, as it was before any damage."""
    office, again = town
    again()
    return office


def _play(office: Office) -> None:
    for _ in range(3):
        office.begun()
    for who in ("alice", "bob"):
        office.send(who, f"letters {who} {PASSWORD[who]} daily")
    office.letters()
    office.run("remind")
    office.letters()


@pytest.mark.few(4)
@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_board_is_left_out(played: Office, damage: str) -> None:
    office = played
    office.sql(damage)
    office.restart()
    office.now += 8 * DAY
    done = office.run("remind")
    assert done.exit_code == 0, done.output
    assert done.output.startswith("Done: 2 reminders"), done.output
    letters = [*office.letters(), *office.digests()]
    digest = next(letter for letter in letters if "wait for you" in letter.subject)
    assert "Board 2" in digest.text and "Board 3" in digest.text
    alert = next(letter for letter in letters if letter.to == OPERATOR)
    assert alert.subject == "Star server: a damaged board" and "board 1" in alert.text
    found = office.run("admin", "check")
    assert found.exit_code == 1 and "board 1: " in found.output
    assert "board 2" not in found.output and "board 3" not in found.output, found.output
    # The other players go on, and the operator gets rid of it.
    office.play(2, "H7")
    assert office.record(2)[-1] == "H7"
    shown = office.run("admin", "board", "show", "1")
    assert shown.exit_code == 1 and shown.output.count("\n") == 1, shown.output
    assert office.run("admin", "board", "list").exit_code == 0
    assert office.run("admin", "board", "remove", "1").exit_code == 0
    assert office.check() == []


def test_a_bug_is_not_told_as_a_damaged_board(
    played: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other boards go on, and the operator hears of a fault of the program."""
    carry_out = deadlines.carry_out

    def failing(work: Work, match: Match) -> tuple[str, int]:
        if match.number == 1:
            raise AttributeError("no such thing")
        return carry_out(work, match)

    monkeypatch.setattr(deadlines, "carry_out", failing)
    played.now += 8 * DAY
    assert played.run("remind").output.startswith("Done: 2 reminders")
    (alert,) = [each for each in played.letters() if each.to == OPERATOR]
    assert alert.subject == "Star server: a fault of the program"
    assert "board 1: AttributeError" in alert.text
    monkeypatch.undo()
    assert played.check() == []


def test_a_damaged_board_comes_back_from_a_backup(played: Office, tmp_path: Path) -> None:
    backup = str(tmp_path / "backup.db")
    played.run("admin", "backup", backup)
    played.sql("UPDATE boards SET options = '{' WHERE board = 1")
    done = played.run("admin", "restore", backup, "--board", "1")
    assert done.output == "Board 1 restored.\n", done.output
    assert played.record(1) == ["F6", "G7"]
    assert played.check() == []
