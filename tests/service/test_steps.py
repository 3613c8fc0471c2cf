"""A move is cheap: what it asks of the database and of the processor is counted, not timed."""

from __future__ import annotations

from pathlib import Path

from bench.steps import steps


def test_a_move_asks_little_of_the_database_and_the_processor(tmp_path: Path) -> None:
    """To read it with some talk, carry it out and commit it, with nine others.

    It was 9.3 statements and 667 calls, and has grown to 9.6 and 790: one statement finds what else waits for
    the player who has moved, which letters tell in the reader's language. What asks more is a change that
    somebody should know of; a new feature may ask a little.
    """
    for cost in steps(tmp_path):
        assert cost.statements <= 9.7, cost
        assert cost.calls <= 820, cost
