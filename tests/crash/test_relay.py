"""The relay fails at each step of its conversation while games go on, and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest
from crash.plan import Plan
from crash.running import (
    Players,
    asked,
    is_exactly,
    letter_place,
    letters_came,
    moves,
    served,
)
from harness.server import PATIENCE, until
from harness.sink import Taken

pytestmark = pytest.mark.slow


# Whatever follows a failure of the whole relay is tried again in two seconds; so the plans are few.
# What is to be taken, and then cut, is written as "take and cut".
PLANS = {
    "cut": [("mail", 9, "cut"), ("rcpt", 9, "cut"), ("data", 9, "cut"), ("content", 9, "cut")],
    "dot": [("dot", 9, "cut"), ("dot", 9, "take and cut"), ("dot", 5, "421 4.3.2 going down")],
    "connect": [("ehlo", 1, "cut"), ("connect", 1, "421 4.3.2 not now")],
    "later": [
        ("mail", 9, "451 4.3.0 not now"),
        ("rcpt", 5, "450 4.2.0 greylisted"),
        ("data", 5, "451 4.3.0 not now"),
        ("dot", 5, "452 4.3.1 full"),
    ],
}


@pytest.mark.parametrize("plan", PLANS)
def test_failing_relay(plan: str, tmp_path: Path) -> None:
    """CP14, CP15, CP16, O1: both letters of every move arrive, each time the same bytes, those to
    one player about one board in order where nothing but the line was cut."""
    sessions = [moves(board, 15) for board in (1, 2, 3)]
    steps = Plan()
    with served(tmp_path, 3, steps.rule) as (server, sink):

        def take_and_cut(letter: Taken) -> str:
            sink.take(letter)
            return "cut"

        for step, number, answer in PLANS[plan]:
            steps.add(step, number, take_and_cut if answer == "take and cut" else answer)
        Players([server.port], sessions).join()

        def all_sent() -> bool:
            waiting = asked(server.database, lambda tx: tx.outbox.unsent())
            if plan == "later" and waiting:
                server.says("admin", "outbox", "retry")
            return not waiting

        until(all_sent, "delivery", 2 * PATIENCE)
        assert steps.done
        assert server.stop() == 0
        is_exactly(server.database, sessions)
        letters_came(sink, sessions)
        if plan != "later":
            last: dict[tuple[int, str], int] = {}
            for letter in sink.letters:
                board, number, who = letter_place(letter.content, letter.recipients[0])
                assert last.get((board, who), 0) in (number - 1, number)
                last[board, who] = number
