"""What the tests of delivery share."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from letters import Outbox


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The paths of what has been synced, in order."""
    paths: list[str] = []
    sync = os.fsync

    def note(handle: int) -> None:
        paths.append(os.readlink(f"/proc/self/fd/{handle}"))
        sync(handle)

    monkeypatch.setattr(os, "fsync", note)
    return paths


@pytest.fixture
def outbox(database: str) -> Iterator[Outbox]:
    made = Outbox(database)
    yield made
    made.close()
