"""kill -9 while a mailbox is read: nothing is lost, and nothing is done twice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from harness import kills
from harness.dovecot import Dovecot, dovecot, is_possible

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def provider() -> Iterator[Dovecot]:
    if not is_possible():
        pytest.skip("only root can start a Dovecot, and there must be one")
    with dovecot() as running:
        yield running


@pytest.mark.parametrize("meddles", [False, True])
def test_each_message_once(provider: Dovecot, tmp_path: Path, meddles: bool) -> None:
    """Also with another program that flags and moves messages in the mailbox meanwhile."""
    boards, _, done = kills.run(tmp_path / "x", provider, f"star{int(meddles)}", 60, 12, meddles)
    assert (boards, done) == (60, 60)


def test_each_message_once_if_it_is_deleted(provider: Dovecot, tmp_path: Path) -> None:
    """Marked as deleted and then expunged: a kill may come between the two."""
    found = kills.run(tmp_path / "x", provider, "gone", 60, 12, words=("--mailbox-done=",))
    assert (found[0], found[2]) == (60, 0)
