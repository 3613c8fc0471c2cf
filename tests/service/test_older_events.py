"""Events that an earlier version stored as texts mean what they meant."""

from __future__ import annotations

import pytest
from harness.letters import PASSWORD
from harness.office import Office


def store(office: Office, board: int, userid: str, kind: str, data: str) -> None:
    """Store an event as version 0.2.0 did."""
    office.sql(
        "INSERT INTO events (board, n, at, userid, kind, data) VALUES "
        f"({board}, 40, {office.now}, '{userid}', '{kind}', '{data}')"
    )


def test_a_game_still_has_its_rematch_and_its_series(office: Office) -> None:
    first, second = office.begun(), office.begun()
    office.play(first, "H8", "resign")
    store(office, first, "bob", "rematch", str(second))
    store(office, second, "bob", "follows", str(first))
    (letter,) = office.send("bob", f"star rematch {first} bob {PASSWORD['bob']}")
    assert f"There is already a rematch of this game: board {second}." in letter.words
    office.play(second, "H8", "resign")
    letters = office.send("bob", f"star rematch {second} bob {PASSWORD['bob']}")
    assert "Third game of a series" in letters[0].words
    (letter,) = office.send("bob", f"star record {second}")
    assert f"follows board {first}" in letter.text and "followed by board" in letter.text


@pytest.mark.parametrize("is_on", ["on", "off"])
def test_what_was_muted_stays_so(office: Office, is_on: str) -> None:
    board = office.begun()
    store(office, board, "alice", "mute", is_on)
    letters = office.send("bob", f"star say {board} bob {PASSWORD['bob']} hello there")
    to_alice = [letter for letter in letters if letter.to.startswith("alice")]
    assert ["hello there" in letter.text for letter in to_alice] == (
        [] if is_on == "on" else [True]
    )


def test_a_fifth_board_of_a_challenge_is_refused(office: Office) -> None:
    board = office.game()
    store(office, board, "alice", "countered", "4")
    (letter,) = office.send("bob", f"star counter {board} bob {PASSWORD['bob']} -size=4")
    assert "This challenge has been changed 3 times" in letter.words


def test_time_that_was_set_still_counts(office: Office) -> None:
    board = office.begun("star challenge -time=10d+1d -leave=no alice bob")
    row = office.ask("boards.get", board)
    store(office, board, "", "banks", f"2 {row.banks[0] + 60} {row.banks[1]}")
    assert "seconds, the record says" in "".join(office.check())
    as_it_was = f"2 {row.banks[0]} {row.banks[1]}"
    office.sql(f"UPDATE events SET data = '{as_it_was}' WHERE kind = 'banks'")
    assert office.check() == []
