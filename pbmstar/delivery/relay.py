"""A relay: where letters are handed over.

A relay takes letters one after the other and says of each what has become of it. It keeps no
letters, decides on no retries and never changes a letter but for its line ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from ..errors import Passing
from ..store import Letter


class Verdict(NamedTuple):
    """What has become of a letter.

    kind       "sent", "later" (refused for now) or "dead" (refused for good)
    why        what the relay said, for the operator
    recipient  it is the recipient, not the letter, that the relay does not take for now
    undrawn    the letter went without its picture, which could not be drawn
    """

    kind: str
    why: str = ""
    recipient: bool = False
    undrawn: bool = False


SENT = Verdict("sent")


class RelayDown(Passing):
    """The relay cannot be used now. ``letter`` is the one that was under way, if one was."""

    def __init__(self, why: str, letter: Letter | None = None) -> None:
        super().__init__(why)
        self.letter = letter


class Relay(Protocol):
    """Takes letters. One thread uses it; only ``abort`` may be called from another."""

    def open(self) -> None:
        """Be ready to send. Raises RelayDown."""

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """Send letters, drawn one by one when their turn comes; yields a verdict on each, in order.

        Raises RelayDown when it cannot go on. A letter that was drawn and got no verdict may or may
        not have been taken: it has to be sent again. The caller must draw until the end.
        """

    def close(self) -> None:
        """Take leave. It may be opened again."""

    def abort(self) -> None:
        """Break off what ``send`` is waiting for: it raises RelayDown."""
