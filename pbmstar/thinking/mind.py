"""What thinks for one thread: a process with numba, and one without for as long as the first compiles.

Both answer alike: the same seed grows the same tree. To compile takes ten seconds and more, once for a
version of the program on a spool; the weaker bots answer in two without it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from .child import Child, ChildDown

PLAIN = ("--interpreted",)
_WEAK = 4  # the strongest level that answers soon enough without numba
_WARMING = {
    "game": "star", "options": '{"size": 3}', "moves": ["B2"], "level": 1, "seed": 1,
}  # fmt: skip


class Mind:
    """See above. To be used by one thread, but for ``stop``."""

    def __init__(self, command: Sequence[str], cache: Path, patience: float) -> None:
        """``patience``: seconds that an answer may take; ``cache``: where numba keeps what it compiled."""
        environment = {"NUMBA_CACHE_DIR": str(cache)}
        self._child = Child(command, environment)
        self._plain = Child([*command, *PLAIN], environment)
        self._patience = patience
        self._warming: threading.Thread | None = None

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request. Raises ChildDown."""
        if self._warming is None:
            self._warming = threading.Thread(target=self._warm, name="warming")
            self._warming.start()
        if self._warming.is_alive():
            if request.get("level", _WEAK + 1) <= _WEAK:
                return self.ask_plainly(request)
            self._warming.join()
        self._plain.close()
        return self._child.ask(request, self._patience)

    def ask_plainly(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The same without numba, which may be what is wrong. Raises ChildDown."""
        return self._plain.ask(request, self._patience)

    def stop(self) -> None:
        """Let whoever waits for an answer, now or later, get ChildDown. To be called by any thread."""
        self._child.stop()
        self._plain.stop()

    def close(self) -> None:
        """End the processes."""
        self.stop()
        if self._warming is not None:
            self._warming.join()
        self._child.close()
        self._plain.close()

    def _warm(self) -> None:
        with suppress(ChildDown):  # who asks next will see
            self._child.ask(_WARMING, self._patience)
