"""One Postfix and one pbmstar for all tests here."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness.postfix import is_possible
from house import House


@pytest.fixture(scope="session")
def running() -> Iterator[House]:
    """Both, running."""
    if not is_possible():
        pytest.skip("only root can start a Postfix, and there must be one")
    # Not below pytest's folder, where only its owner may look.
    folder = Path(tempfile.mkdtemp(prefix="pbmstar-postfix-", dir="/tmp"))
    folder.chmod(0o755)
    try:
        house = House(folder)
        try:
            house.start()
            yield house
        finally:
            house.stop()
    finally:
        assert not list(house.postfix.pids())
        shutil.rmtree(folder)


@pytest.fixture
def house(running: House) -> House:
    """Both, with nothing under way."""
    running.rest()
    running.refused.clear()
    return running
