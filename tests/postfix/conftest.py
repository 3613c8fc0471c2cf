"""One Postfix and one pbmstar for all tests here."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from house import House


@pytest.fixture(scope="session")
def running() -> Iterator[House]:
    """Both, running."""
    if os.getuid() != 0:
        pytest.skip("only root can start a Postfix")
    if not Path("/usr/sbin/postfix").exists():
        pytest.skip("there is no Postfix")
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
