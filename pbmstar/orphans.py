"""A process that ends with its parent, even if the parent is killed.

On Linux the kernel kills it, when the *thread* that started it has ended: that one has to stay as long
as the process. Elsewhere a thread of the process looks whose child it is.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence

_PARENT = "--parent="
_PR_SET_PDEATHSIG = 1
_PERIOD = 1.0  # seconds between two looks


def child_of_ours() -> str:
    """Return the word of a command that tells the process who starts it."""
    return f"{_PARENT}{os.getpid()}"


def end_with_parent(words: Sequence[str]) -> None:
    """End this process with the one that is named in the words of its command, if one is."""
    parent = next((int(w.removeprefix(_PARENT)) for w in words if w.startswith(_PARENT)), None)
    if parent is None:
        return
    if not _killed_by_the_kernel():
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
    if os.getppid() != parent:  # it had ended before the kernel was asked
        os._exit(0)


def _killed_by_the_kernel() -> bool:
    """Ask the kernel; False if it cannot be asked."""
    if sys.platform != "linux":
        return False
    try:
        done: int = ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    except (OSError, AttributeError):
        return False
    return done == 0


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_PERIOD)
    os._exit(0)
