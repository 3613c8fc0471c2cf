"""Requests by mail: what is kept of them agrees with what happened; lists that tell games apart."""

from __future__ import annotations

import random
import re

import pytest
from harness.common import sentence
from harness.letters import PASSWORD
from harness.office import DAY, Office

from pbmstar.service.verbs import players

VERBS = ("undo", "draw", "cancel", "propose 7-6", "accept", "decline", "decline later")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1])
def test_check_replays_requests_and_what_was_taken_back(office: Office, seed: int) -> None:
    rng = random.Random(seed)
    board, done = office.game("star challenge -size=3 alice bob"), 0
    for _ in range(60):
        office.now += 3600
        row = office.row(board)
        if row is None or not row.to_move:
            board = office.game("star challenge -size=3 alice bob")
            row = office.row(board)
        assert row is not None
        who = rng.choice(row.seats)
        verb, _, rest = rng.choice(VERBS).partition(" ")
        if rng.random() < 0.6 or (len(office.record(board)) < 2 and verb in ("cancel", "decline")):
            move = rng.choice(["B2", "C2", "A3", "B3", "C3", "D3", "pass"])
            office.play_as(row.to_move, board, move)
            continue
        letters = office.send(who, f"star {verb} {board} {who} {PASSWORD[who]} {rest}")
        done += "Error" not in letters[0].subject
        assert office.check() == []
    assert done > 5


@pytest.fixture
def tie(office: Office, monkeypatch: pytest.MonkeyPatch) -> str:
    """An account of before such names were reserved."""
    monkeypatch.setitem(PASSWORD, "tie", "t1etie")
    office.add("tie")
    return "tie"


def test_a_player_called_tie_wins_and_ties(office: Office, tie: str) -> None:
    """One game is a tie, the other is won by that player: nowhere is one taken for the other."""
    first = office.game(f"star challenge -size=3 alice {tie}")
    (letter, _) = office.play(first, "pass", "pass")
    assert letter.mail["X-Pbmstar-Result"] == "tie"
    (whois,) = office.send("alice", f"whois {tie}")
    assert "You and tie\n1 game finished, 0 running\n" in whois.text
    again = office.send("alice", f"star rematch {first} alice s3cret")[0]
    second = int(again.mail["X-Pbmstar-Board"])
    assert "alice 0.5, tie 0.5" in again.words
    (letter, _) = office.play(second, "C1", "D1", "pass", "resign")
    assert letter.mail["X-Pbmstar-Result"] == "player tie"
    again = office.send("alice", f"star rematch {second} alice s3cret")[0]
    assert "tie 1.5, alice 0.5" in again.words
    (whois,) = office.send("alice", f"whois {tie}")
    for told in (
        "2 games finished, 1 running\n",
        "Star: you 0, tie 1, ties 1\n",
        "Going first, you won 0 of 1",
        "Going first, tie won 1 of 1",
        "tie won the last game.",
    ):
        assert told in whois.text
    (former,) = office.send("alice", f"versus alice {tie}")
    assert former.text == whois.text, "the former word for it"
    assert {f"star show {second}", f"star show {first}"} <= {
        re.sub("%20", " ", each) for each in re.findall(r"subject=([^\"&]*)", whois.html)
    }, "a tap on a game opens it"
    listed = office.facts("admin", "board", "list")
    assert [row["result"] for row in listed] == ["tie", "player tie", None]
    assert "result player tie." in office.run("admin", "explain", str(second)).output
    for filters, count in (("lost", 1), ("drawn", 1), ("won", 0), ("lost vs tie", 1)):
        (letter,) = office.send("alice", f"games {filters}")
        assert "None" not in letter.text
        assert len(re.findall(r"(?m)^ +\d+  tie: ", letter.text)) == count
    assert office.check() == []


def test_a_player_called_unsolved_solves_no_puzzle_by_giving_up(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PASSWORD, "unsolved", "uns0lved")
    office.add("unsolved")
    begun = office.send("unsolved", "minisolitaire challenge unsolved")
    (letter,) = office.play_as("unsolved", int(begun[0].mail["X-Pbmstar-Board"]), "resign")
    assert letter.mail["X-Pbmstar-Result"] == "unsolved"
    (letter,) = office.send("unsolved", "games")
    assert "Mini-Solitaire: unsolved," in letter.text


def test_more_games_than_a_list_holds(office: Office, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MOST", 3)
    for _ in range(5):
        office.now += 60
        office.send("alice", "queens challenge alice")
    (letter,) = office.send("alice", "games")
    assert re.findall(r"(?m)^ +(\d+) .*Queens", letter.text) == ["3", "4", "5"]
    assert (
        "2 older games aren't shown. To see them, add a date to the line you\nsent, like: since 2027-01"
        in letter.text
    )


def test_several_states_of_games_are_each_listed(office: Office) -> None:
    for _ in range(3):
        office.game("star challenge -size=4 alice bob")
    office.play(1, "C3", "D3", "resign")
    office.play(2, "C3", "D3", "B3", "resign")
    for states, boards in (("won lost", "12"), ("lost drawn", "1"), ("lost active", "13")):
        (letter,) = office.send("alice", f"star games {states}")
        assert set(re.findall(r"(?m)^ +(\d+)  bob\b", letter.text)) == set(boards), states


def test_a_game_is_late_by_its_own_clock(office: Office) -> None:
    """When a reminder would come: after a third of the time of the game, without what stood still."""
    goes_on = office.begun("star challenge -time=9d -leave=no alice bob")
    stands = office.begun("star challenge -time=9d alice bob")
    slow = office.begun("star challenge -time=21d alice bob")
    office.send("alice", "away alice s3cret 2")
    begin = office.now
    for days, late in (
        (2.9, set[int]()),
        (3.1, {goes_on}),
        (5.1, {goes_on, stands}),
        (9.1, {goes_on, stands, slow}),
    ):
        office.now = begin + days * DAY
        (letter,) = office.send("bob", "games alice late")
        assert set(map(int, re.findall(r"(?m)^ +(\d+)  bob\b", letter.text))) == late


@pytest.mark.parametrize("topic", ["move", "show", "try"])
def test_help_on_a_command_is_the_page_of_commands(office: Office, topic: str) -> None:
    (letter,) = office.send("alice", f"help {topic}")
    assert letter.subject == "Help: commands"


@pytest.mark.parametrize(
    ("topic", "told"),
    [
        ("me", "For a list of topics, reply: help"),
        ("tournaments", "For a list of topics, reply: help"),
        ("rating", "You can ask for ratings."),
        ("letter", "You can ask for letters."),
        ("resing", "You can ask for resign."),
        ("gmaes", "You can ask for games."),
    ],
)
def test_help_that_is_not_there_names_the_nearest(office: Office, topic: str, told: str) -> None:
    (letter,) = office.send("alice", f"help {topic}")
    assert f"{sentence('no help')} {told}" in letter.words
    if guess := re.search(r"ask for (\w+)\.", told):
        (page,) = office.send("alice", f"help {guess[1]}")
        assert page.subject.startswith("Help: ")


def test_a_finished_board_as_it_was_names_the_result(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    office.play(1, "C3", "D3")
    (running,) = office.send("alice", "star show 1#1")
    assert not running.mail["X-Pbmstar-Result"]
    office.play(1, "resign")
    (over,) = office.send("alice", "star show 1#1")
    assert (over.mail["X-Pbmstar-Result"], over.mail["X-Pbmstar-To-Move"]) == ("bob", None)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("resing", "That line looks like resign."),
        ("Resing?", "That line looks like resign."),
        ("I resign, sorry", sentence("has words", "resign")),
        ("I play c 3", sentence("has words", "C3")),
        ("My move today:\nI play C3", "A line below it has C3 in it."),
    ],
)
def test_a_word_is_only_quoted_if_it_is_there(office: Office, line: str, told: str) -> None:
    board = office.game("star challenge -size=3 alice bob")
    (shown,) = office.send("alice", f"star show {board}")
    (letter,) = office.send("alice", "Re: Star", line, shown.reply_to)
    assert told in letter.words


@pytest.mark.parametrize(
    "line", ["undo please", "please undo", "Undo, sorry!", "zurücknehmen bitte", "take back please"]
)
def test_a_word_that_can_not_be_done_says_why_whatever_stands_beside_it(
    office: Office, line: str
) -> None:
    board = office.game("star challenge -size=3 alice bob")
    (shown,) = office.send("alice", f"star show {board}")
    (letter,) = office.send("alice", "Re: Star", line, shown.reply_to)
    assert "You don't have a move to take back." in letter.words
    office.play(board, "C3")
    (shown,) = office.send("alice", f"star show {board}")
    (letter,) = office.send("alice", "Re: Star", line, shown.reply_to)
    assert f"{sentence('has words', 'undo')} To do that, reply yes." in letter.words


def test_a_greeting_says_that_it_names_only_some_of_the_boards(office: Office) -> None:
    for _ in range(3):
        office.game("star challenge -size=3 alice bob")
    (letter,) = office.send("alice", "Hello")
    assert "3 boards are waiting for you: board 1 (bob)" in letter.words
    office.game("star challenge -size=3 alice bob")
    (letter,) = office.send("alice", "Hello again")
    assert "4 boards are waiting for you, among them board 1 (bob)" in letter.words
    assert "To see board 1, reply show 1. To play someone new, reply match." in letter.words


def test_players_who_have_written_come_before_those_who_only_have_games(office: Office) -> None:
    """Nobody is active because the operator opens an account, or because others challenge."""
    office.send("bob", "settings bob hunter2")
    office.now += 8 * DAY
    for userid in ("carol", "dave"):
        office.add(userid, password="s3cret")
    office.send("carol", "settings carol s3cret")
    office.send("carol", "star challenge dave carol")
    (letter,) = office.send("alice", "who")
    rows = re.findall(r"^  (carol|bob|dave) +([0-9]) ?(.*)$", letter.text, re.M)
    assert [(name, running, seen.strip()) for name, running, seen in rows] == [
        ("carol", "1", "this week"),
        ("bob", "0", "1 week ago"),
        ("dave", "1", ""),
    ]
