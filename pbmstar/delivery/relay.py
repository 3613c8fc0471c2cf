"""A relay: it takes letters one after the other and returns a verdict on each.

It keeps no letters, decides on no retries, and changes a letter only at its line ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, Protocol

from ..errors import TemporaryFailure
from ..machine.times import HOUR, MINUTE

UNWRITTEN = "cannot be written"


class Letter(NamedTuple):
    """A letter as a relay knows it. ``content`` is a whole mail, or for ``configured.Written`` a recipe.

    It is not a row of the store: the relay's process loads no database.
    """

    id: int
    message_id: str
    address: str
    sender: str
    content: bytes


class Verdict(NamedTuple):
    """The fate of a letter at the relay.

    kind       "sent", "later" (refused for now) or "dead" (refused for good)
    why        the relay's words, for the operator; of a sent letter the id that the relay gave it, if known
    recipient  True if the relay refuses the recipient, not the letter
    undrawn    True if the letter went without its picture, which could not be drawn
    unwritten  True if the letter itself cannot be written: ``why`` begins with UNWRITTEN
    """

    kind: Literal["sent", "later", "dead"]
    why: str = ""
    recipient: bool = False
    undrawn: bool = False
    unwritten: bool = False


SENT = Verdict("sent")


FULL = "takes no more letters for now"  # in the reason, when the provider's limit is reached
_WAITS = (MINUTE, HOUR)  # the first pause then, and the longest


class RelayDown(TemporaryFailure):
    """The relay cannot be used now. ``letter`` is the one under way, if there is one.

    is_full  it takes no more letters of ours for now, and no letter is to blame
    """

    def __init__(self, why: str, letter: Letter | None = None) -> None:
        super().__init__(why, pauses=_WAITS if FULL in why else None)
        self.letter, self.is_full = letter, FULL in why


class Relay(Protocol):
    """A taker of letters. One thread uses it; only ``abort`` may be called from another one."""

    def open(self) -> None:
        """Get ready to send. Raises RelayDown."""

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """Send letters, drawn one by one when their turn comes; yield a verdict on each, in order.

        Raises RelayDown when it cannot go on. A letter that was drawn and got no verdict may or may
        not have been taken: it must be sent again. The caller must draw all verdicts.
        """

    def close(self) -> None:
        """Close the connection. It may be opened again."""

    def abort(self) -> None:
        """End the waiting of ``send``, which raises RelayDown."""


class Observed:
    """A relay that also tells an observer the address and the kind of each verdict."""

    def __init__(self, relay: Relay, note: Callable[[str, str], object]) -> None:
        self._relay, self._note = relay, note
        self.open, self.close, self.abort = relay.open, relay.close, relay.abort

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        for letter, verdict in self._relay.send(letters):
            self._note(letter.address, verdict.kind)
            yield letter, verdict
