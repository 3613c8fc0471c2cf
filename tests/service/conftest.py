"""Every letter that comes out in these tests is looked at, whatever the test is about."""

from __future__ import annotations

import pytest
from harness.every_letter import examine
from harness.office import Got, Office


@pytest.fixture(autouse=True)
def _look_at_all_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    taken_out = Office.letters
    owners: dict[str, str] = {}

    def letters(self: Office) -> list[Got]:
        found = taken_out(self)
        for letter in found:
            examine(letter, owners)
        return found

    monkeypatch.setattr(Office, "letters", letters)
