"""Watching: what those who only look are told, and what it costs."""

from __future__ import annotations

import pytest
from harness.letters import PASSWORD
from harness.office import Office, address

from pbmstar.features.watching.feature import MOST
from pbmstar.features.watching.rows import Watches
from pbmstar.service.verbs.play import REPORTS_A_DAY

CAROL = "tr1angle"


def watched(office: Office, how: str = "each") -> int:
    """A game that carol watches; the board's number."""
    board = office.game("star challenge -size=4 alice bob")
    office.add("carol")
    office.send("carol", f"watch {board} carol {CAROL} {how}")
    return board


def as_player(office: Office, who: str, board: int, line: str, body: str) -> tuple[str, str]:
    """What carol gets of a player's command, and the players; empty if nothing."""
    verb, _, rest = line.partition(" ")
    letters = office.send(who, f"star {verb} {board} {who} {PASSWORD[who]} {rest}".strip(), body)
    assert letters and all("Error" not in letter.subject for letter in letters), line
    mine = [letter.raw.decode() for letter in letters if letter.to == address("carol")]
    assert len(mine) <= 1
    return "".join(mine), "".join(each.text for each in letters if each.to != address("carol"))


@pytest.mark.slow
def test_a_watcher_sees_moves_and_nothing_that_is_the_players_own(office: Office) -> None:
    """No words, plans, notes, requests, clocks; no address to reply to."""
    board = watched(office)
    told = []
    for who, line, body, is_seen in (
        ("alice", "move B3", "a word for bob", True),
        ("alice", "say", "another word", False),
        ("alice", "note", "a note of mine", False),
        ("alice", "plan if C3 then D3; else B4", "", False),
        ("bob", "move C3", "", True),
        ("bob", "undo", "", False),
        ("alice", "no", "", False),
        ("bob", "draw", "", False),
        ("alice", "decline", "", False),
        ("bob", "move A4", "", True),
        ("alice", "extend 3", "", False),
        ("alice", "resign", "a last word", True),
    ):
        letter, players = as_player(office, who, board, line, body)
        assert bool(letter) == is_seen, line
        told.append(letter)
        if who == "alice" and line.startswith("move"):  # who it is, players are not told
            assert "People watching: 1." in players and "carol" not in players
    everything = "\n".join(told)
    hidden = (
        "a word",
        "another word",
        "last word",
        "a note",
        "our plan",
        "asks",
        "\nReply-To: star+r",
    )
    for never in (*hidden, "X-Pbmstar-Clock", "days left", "By-Plan"):
        assert never not in everything, never
    assert office.ask_of(Watches, "watchers", board) == [], "nobody watches what is over"


def test_a_board_that_nobody_watches_costs_no_statement_more(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move reads the number of watchers with its board, and asks no more if there is none."""
    asked: list[str] = []
    store = "pbmstar.features.watching.rows.Watches"
    for name in ("watchers", "end"):
        monkeypatch.setattr(f"{store}.{name}", lambda *args, name=name: asked.append(name) or [])
    office.game("star challenge -size=3 alice bob")
    office.play(1, "C3", "B2", "resign")
    assert asked == []


def test_a_player_watches_fifty_boards_at_most(office: Office) -> None:
    board = watched(office)
    for number in range(1000, 999 + MOST):
        office.ask_of(Watches, "watch", number, "carol", "each")
    (letter,) = office.send("carol", f"watch {board} carol {CAROL} each")
    assert "is the limit" in letter.words


def test_a_player_reports_three_times_a_day(office: Office) -> None:
    """No words go along as long as nobody has written any."""
    office.context.config.__dict__["operator"] = "op@site.example"
    board = office.game()
    for number in range(REPORTS_A_DAY + 1):
        letters = office.send("alice", f"star report {board} alice {PASSWORD['alice']} rude")
        went = "op@site.example" in [letter.to for letter in letters]
        assert went == (number < REPORTS_A_DAY)
        assert "with the last messages on" not in letters[-1].words


def test_who_leaves_watches_nothing(office: Office) -> None:
    board = watched(office)
    office.send("carol", f"watch player bob carol {CAROL}")
    office.send("carol", f"signoff carol {CAROL}")
    assert office.ask_of(Watches, "watchers", board) == []
    assert office.ask_of(Watches, "followers", ("alice", "bob")) == []


def test_a_watcher_stops_by_a_reply(office: Office) -> None:
    office.add("carol")
    office.send("bob", "star challenge -size=3 bob carol")
    assert office.row(1) is not None
    to = office.send("alice", "help")[-1].mail["Reply-To"]
    office.send("alice", "Re: Star", "watch 1 each", to)
    letters = office.send("bob", f"star move 1 bob {PASSWORD['bob']} A3")
    (seen,) = [letter for letter in letters if letter.to == address("alice")]
    assert "reply: unwatch 1" in " ".join(seen.text.split()) and "password" not in seen.text
    office.send("alice", "Re: Star", "unwatch 1", seen.mail["Reply-To"])
    assert office.ask_of(Watches, "watchers", 1) == []
