"""The log: one line of JSON for each event, on standard error; and the progress of long work."""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TextIO

_ENCODER = json.JSONEncoder(default=str)  # json.dumps would make one for each line
_CHAIN = 10  # the most errors of a chain of causes that are shown
Show = Callable[[int, int], None]  # told how many steps are done, and how many there are


def setup(stream: TextIO | None = None, least: int = logging.INFO, node: str = "") -> None:
    """Let all loggers write records of level ``least`` or above to ``stream``, by default standard error.

    Each line names the ``node`` if there is one.

    The SMTP library's logger names commands and addresses, and at DEBUG whole messages. So only its
    errors pass. A log that cannot be written does not stop the intake of mail.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines(node))
    handler.setLevel(least)
    logging.raiseExceptions = False
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("pbmstar").setLevel(logging.INFO)
    logging.getLogger("mail.log").setLevel(logging.ERROR)


def complain(text: str) -> None:
    """Print a line for a person on standard error. It is not an error if standard error cannot be written."""
    try:
        print(f"pbmstar: {text}", file=sys.stderr, flush=True)
    except OSError:
        # The rest in its buffer would fail again at the end of Python, and change the exit status.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


class JsonLines(logging.Formatter):
    """A format of one object a line: at, level, event, the facts in the call's ``extra``, the node."""

    def __init__(self, node: str = "") -> None:
        super().__init__()
        self._node = {"node": node} if node else {}

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of ASCII, with facts of any kind."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        line.update(getattr(record, "facts", {}))
        if record.exc_info and record.exc_info[1]:
            line["trace"] = trace(record.exc_info[1])
        line.update(self._node)
        return _ENCODER.encode(line)


def trace(error: BaseException) -> str:
    """Return the frames and classes of an error and of its causes.

    The texts of errors are left out, because they may quote a message and the password in it.
    """
    parts: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(parts) < _CHAIN:
        frames = "".join(traceback.format_tb(cause.__traceback__))
        parts.append(f"{frames}{type(cause).__module__}.{type(cause).__qualname__}\n")
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return "raised from:\n".join(parts)


def unseen(done: int, due: int) -> None:
    """Show nothing: nobody watches."""
