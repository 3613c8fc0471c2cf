"""The window: who is named there, what it costs, and the setting of a player."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.letters import PASSWORD, Got
from harness.office import DAY, Office, address

from pbmstar.features.window.rows import windows

SECRET = {**PASSWORD, "dave": "f0urth1"}


@pytest.fixture
def four(database: str, tmp_path: Path) -> Iterator[Office]:
    """An office in which alice and bob play board 1, and it is alice's turn."""
    office = Office(database, tmp_path / "spool", ("alice", "bob", "carol"), limits="off")
    office.add("dave", password=SECRET["dave"])
    office.game("star challenge -size=3 alice bob")
    office.letters()
    yield office
    office.close()


def says(office: Office, who: str, line: str) -> list[Got]:
    """Give a command with the password of its writer where PW stands."""
    return office.send(who, line.replace("PW", f"{who} {SECRET[who]}"))


def receipt(office: Office, move: str = "C3") -> Got:
    """The letter that confirms alice's move on board 1."""
    letters = says(office, "alice", f"star move 1 PW {move}")
    return next(each for each in letters if each.to == address("alice"))


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("writer", "line", "is_named"),
    [
        ("carol", "", True),
        ("carol", "limit PW 9", False),
        ("carol", "reject PW hex", False),
        ("carol", "away PW 3", False),
        ("carol", "block PW alice", False),
        ("alice", "block PW carol", False),
        ("alice", "reject PW star", False),
        ("alice", "reject PW hex", True),
        ("carol", "letters window PW off", True),
        ("alice", "letters window PW off", False),
        ("alice", "letters PW short", False),
        ("carol", "unseek PW", False),
    ],
)
def test_only_offers_that_the_reader_may_take_are_named(
    four: Office, writer: str, line: str, is_named: bool
) -> None:
    """And whatever is named, the tap takes."""
    says(four, "carol", "star seek -size=4 -seat=x PW")
    if line:
        says(four, writer, line)
    letter = receipt(four)
    assert ("take 1 (carol: Star 4)" in letter.words) == is_named
    if is_named:
        assert "take%201" in letter.html
        four.send("alice", "Re: Star", "take 1", to=letter.reply_to)
        assert {"alice", "carol"} == set(four.row(2).seats)  # type: ignore[union-attr]


def test_a_move_of_the_same_message_is_known_to_the_letter_about_the_next_one(four: Office) -> None:
    four.game("star challenge -size=3 alice bob")
    assert [four.row(each).to_move for each in (1, 2)] == ["alice", "alice"]  # type: ignore[union-attr]
    # Tips for new players ask for boards, too, and so would write the first move before the second letter.
    four.sql(f"UPDATE users SET made = {four.now - 30 * DAY}")
    lines = (f"star move {board} alice {SECRET['alice']} C3" for board in (1, 2))
    letters = four.send("alice", "Two moves", "\r\n".join(lines))
    first, second = (each for each in letters if each.to == address("alice"))
    assert "show 2 (bob)" in first.words
    assert "show 1 (bob)" not in second.words


@pytest.mark.parametrize("condition", ["-rating=1400-1600", "-rating=100", "-new"])
def test_offers_with_conditions_are_not_named(four: Office, condition: str) -> None:
    says(four, "carol", f"star seek {condition} PW")
    assert "These players are looking for a game" not in receipt(four).words


def test_nobody_is_told_while_it_is_the_readers_move_or_at_the_same_mailbox(four: Office) -> None:
    four.add("ann", "ann@gmail.com", password="an0ther")
    four.add("annie", "a.nn@gmail.com", password="an0ther2")
    four.send("a.nn@gmail.com", "star seek annie an0ther2")
    four.send("ann@gmail.com", "star challenge -size=3 ann bob")
    told = {}
    for who, line in (("ann@gmail.com", "ann an0ther C3"), (address("bob"), "bob hunter2 D3")):
        for letter in four.send(who, f"star move 2 {line}"):
            told[who, letter.to] = "(annie: Star 6)" in letter.words
    assert [who for who, is_told in told.items() if is_told] == [(address("bob"), address("bob"))]
    assert len(told) == 4


def test_three_boards_are_named_those_that_wait_longest(four: Office) -> None:
    for number in range(4):
        says(
            four,
            "alice",
            "star challenge -size=3 alice bob" if number % 2 else "hex challenge alice dave",
        )
        four.now += 60
    text = " ".join(receipt(four).text.split())
    line = "Other boards are waiting for you, too. To see one, reply:"
    assert f"{line} show 2 (dave), or show 3 (bob), or show 4 (dave)" in text


def test_a_board_waits_however_many_games_have_ended_since(four: Office) -> None:
    says(four, "alice", "star challenge -size=3 alice carol")
    columns = "game, options, made, resets, length, to_move, result, since, terms, proved"
    ended = "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) "
    four.sql(
        f"{ended} INSERT INTO boards (board, {columns}) SELECT i, game, options, made, resets, length, '', "
        "'0', since, terms, proved FROM boards JOIN n ON board = 1"
    )
    four.sql(
        f"{ended} INSERT INTO seats (board, seat, userid, bank) "
        "SELECT i, seat, userid, bank FROM seats JOIN n ON board = 1"
    )
    assert "To see one, reply: show 2 (carol)" in receipt(four).words


def test_a_closed_window_is_exported_and_erased(four: Office) -> None:
    says(four, "alice", "letters window PW off")
    assert four.facts("admin", "user", "export", "alice")["closed_windows"]
    four.run("admin", "user", "erase", "alice")
    assert not four.rows()[windows.name]


def test_a_forged_mail_closes_no_window(four: Office) -> None:
    raw = four.write("alice", "letters window alice wr0ng off")
    four.deliver(raw, sender="evil@evil.example", peer="192.0.2.66")
    four.letters()
    assert not four.rows()[windows.name]
