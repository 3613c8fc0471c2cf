"""``pbmstar stats``: the last week and the one before it."""

from __future__ import annotations

from harness.office import DAY, Office

from pbmstar.service.admin.stats import sparkline


def test_an_empty_server(office: Office) -> None:
    text = office.run("stats").output
    assert "mails taken                 ▁▁▁▁▁▁▁          0         0\n" in text
    assert "most frequent" not in text


def test_each_day_counts_in_its_place(office: Office) -> None:
    """A game with a move on each of ten days; the mails of the last seven, and of the three before."""
    board = office.game()
    for move in ("F6", "G7", "H7", "H8", "F1", "G1", "H1", "I1", "J1", "G8"):
        office.now += DAY
        office.play(board, move)
    office.deliver(office.write("alice", "star move 1 F6"))
    facts = office.facts("stats")
    assert facts["days"]["moves"] == [0, 0, 0, 0, *[1] * 10]
    assert sum(facts["days"]["mails"]) == 12
    assert facts["days"]["mails"][-1] == 2
    assert sum(facts["days"]["begun"]) == 1
    assert facts["moves_by_game"] == {"star": 7}
    text = office.run("stats").output
    assert "moves                       ███████          7         3\n" in text
    assert "players who wrote, most a day" in text
    assert all(len(line) <= 72 for line in text.splitlines())


def test_bots_and_refusals_are_told_apart(office: Office) -> None:
    board = office.game("star challenge -size=3 alice bot3")
    office.play(board, "B2")
    office.think()
    office.deliver(office.write("alice", "star move 99 F6"))
    facts = office.facts("stats")
    assert (facts["days"]["moves"][-1], facts["days"]["bot_moves"][-1]) == (2, 1)
    assert sum(facts["reasons"].values()) == 1


def test_the_highest_bar_is_of_the_most() -> None:
    assert sparkline([0, 1, 2, 4, 8, 16, 3]) == "▁▁▁▂▄█▂"
    assert sparkline([0] * 7) == "▁" * 7
