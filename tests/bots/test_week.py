"""A simulated week of people and bots, in small; ``tests/crash/week.py`` has the whole one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from crash.week import OPERATOR, Week
from harness.office import Office

from pbmstar.thinking.worker import COMMAND, IDLE, PLAIN

PEOPLE, HOURS = 15, 72.0


@pytest.mark.slow
def test_every_turn_is_answered_once_and_nobody_waits(office_of: Callable[..., Office]) -> None:
    """With a daemon and a relay that are off for a while, and processes that are killed."""
    command = (*(word for word in COMMAND if word != IDLE), PLAIN)  # other tests run beside it
    world = Week(office_of(people=(), operator=OPERATOR), PEOPLE, HOURS, 1, command)
    world.run()
    print("\n".join(world.report()))
    assert list(world.faults()) == []
    assert sum(world.answers.values()) > 5 * PEOPLE
    assert world.counts["kills"] and world.counts["alerts"] and world.outcomes["duplicate"]
