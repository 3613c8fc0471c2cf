"""What the tests of delivery share."""

from __future__ import annotations

import os

import pytest


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
