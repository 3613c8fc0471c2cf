"""Progress of long work, told to someone who watches it."""

from __future__ import annotations

from collections.abc import Callable

Show = Callable[[int, int], None]  # told how many steps are done, and how many there are


def unseen(done: int, due: int) -> None:
    """Show nothing: nobody watches."""
