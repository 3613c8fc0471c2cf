"""The engine processes of one thread: one gives way to all others, another does not and is for late answers.

Both answer alike: the same seed grows the same tree, compiled or not. A process cannot raise its own
priority again without privileges, so a late request goes to the other one from the beginning.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..bot.levels import SOON
from ..child import Child, ChildLate

IDLE, PLAIN = "--idle", "--interpreted"
_REVIEW = 60.0  # seconds after which a review is late
_COLD = 30.0  # seconds more for the first answer: numba may have to compile


class Mind:
    """The processes of one thread. Another thread may call ``stop`` only."""

    def __init__(self, command: Sequence[str], cache: Path, patience: float) -> None:
        """``patience``: seconds for an answer; ``cache``: numba's folder for compiled code."""
        environment = {"NUMBA_CACHE_DIR": str(cache)}
        urgent = [word for word in command if word != IDLE]
        self._child = Child(command, environment)
        self._urgent = Child(urgent, environment)
        self._plain = Child([*urgent, PLAIN], environment)
        self._patience = patience
        self._cold = 0.0 if PLAIN in command else _COLD

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a request. Raises ChildDown."""
        soon = SOON.get(request.get("level", 0), _REVIEW) + self._cold
        self._cold = 0.0
        try:
            return self._child.ask(request, min(soon, self._patience))
        except ChildLate:
            return self._once(self._urgent, request)

    def ask_plainly(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer of a process without numba, which may be the trouble. Raises ChildDown."""
        return self._once(self._plain, request)

    def stop(self) -> None:
        """End all waiting, now and later, with ChildDown. Any thread may call this."""
        for child in (self._child, self._urgent, self._plain):
            child.stop()

    def close(self) -> None:
        """End the processes."""
        for child in (self._child, self._urgent, self._plain):
            child.close()

    def _once(self, child: Child, request: Mapping[str, Any]) -> dict[str, Any]:
        """Ask a process that is seldom needed, and end it."""
        try:
            return child.ask(request, self._patience)
        finally:
            child.close()
