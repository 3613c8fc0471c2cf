"""A relay whose letters a test takes out."""

from __future__ import annotations

from collections.abc import Iterator

from pbmstar.delivery.relay import SENT, Letter, RelayDown, Verdict


class Tray:
    """A relay that keeps every letter; ``verdict`` is what it says of each, ``down`` why it cannot be reached.

    Letters to the addresses of ``refused`` are refused for good, and not kept.
    """

    def __init__(self) -> None:
        self.verdict = SENT
        self.down = ""
        self.refused: set[str] = set()
        self.tried: list[Letter] = []

    def open(self) -> None:
        """Raises RelayDown if it is down."""
        if self.down:
            raise RelayDown(self.down)

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """Take them, or not."""
        for letter in letters:
            if letter.address in self.refused:
                yield letter, Verdict("dead", "550 5.1.1 unknown", recipient=True)
                continue
            self.tried.append(letter)
            yield letter, self.verdict

    def close(self) -> None:
        """Nothing to close."""

    def abort(self) -> None:
        """Nothing to break off."""
