"""The relay fails at each step of its conversation while games go on, and comes back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from harness.server import PATIENCE, until
from harness.sink import Sink, Taken
from running import (
    Players,
    asked,
    is_exactly,
    letter_place,
    letters_came,
    moves,
    server_of,
    world_of,
)

pytestmark = pytest.mark.slow


class Fragile:
    """Rules that come one after the other: at the n-th of a step, give this answer once."""

    def __init__(self, plan: list[tuple[str, int, str]]) -> None:
        self._plan = plan
        self._seen = 0
        self.done = 0
        self.take: Callable[[Taken], None] = lambda _letter: None

    def rule(self, step: str, _number: int, letter: Taken) -> str | None:
        if self.done == len(self._plan):
            return None
        where, number, answer = self._plan[self.done]
        if step != where:
            return None
        self._seen += 1
        if self._seen < number:
            return None
        self.done, self._seen = self.done + 1, 0
        if answer == "take and cut":
            self.take(letter)
            return "cut"
        return answer


# Whatever follows a failure of the whole relay is tried again in two seconds; so the plans are few.
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
def test_failing_relay(plan: str, database: str, tmp_path: Path) -> None:
    """CP14, CP15, CP16, O1: both letters of every move arrive, each time the same bytes, those to
    one player about one board in order where nothing but the line was cut."""
    sessions = [moves(board, 15) for board in (1, 2, 3)]
    world_of(database, 3)
    fragile = Fragile(PLANS[plan])
    with Sink(fragile.rule) as sink, server_of(tmp_path, database, sink.url) as server:
        fragile.take = sink.take
        server.start()
        Players([server.port], sessions).join()

        def all_sent() -> bool:
            waiting = asked(database, lambda tx: tx.letters())
            if plan == "later" and waiting:
                server.says("admin", "outbox", "retry")
            return not waiting

        until(all_sent, "delivery", 2 * PATIENCE)
        assert fragile.done == len(PLANS[plan])
        assert server.stop() == 0
        is_exactly(database, sessions)
        letters_came(sink, sessions)
        if plan != "later":
            last: dict[tuple[int, str], int] = {}
            for letter in sink.letters:
                board, number, who = letter_place(letter.content, letter.recipients[0])
                assert last.get((board, who), 0) in (number - 1, number)
                last[board, who] = number
