"""The log: a line of JSON for each event, on standard error."""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from datetime import UTC, datetime
from typing import TextIO

_CHAIN = 10  # errors behind an error that are told of at most


def setup(stream: TextIO | None = None) -> None:
    """Have all loggers write to ``stream``, standard error if there is none: ours from INFO on.

    The SMTP library's own logger names commands and addresses, and at DEBUG whole mails: of it only
    errors are let through. A log that cannot be written is no reason to stop taking mail.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines())
    logging.raiseExceptions = False
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("pbmstar").setLevel(logging.INFO)
    logging.getLogger("mail.log").setLevel(logging.ERROR)


def complain(text: str) -> None:
    """Say something on standard error. If that cannot be written it is for nobody, and no trouble."""
    try:
        print(f"pbmstar: {text}", file=sys.stderr, flush=True)
    except OSError:
        # What stands in its buffer would fail once more at the end, and spoil the exit status.
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


class JsonLines(logging.Formatter):
    """One object a line: at, level, event, and what ``extra={"facts": {...}}`` of the call says."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, ASCII: whatever the facts hold, it stays one line."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
        told.update(getattr(record, "facts", {}))
        if record.exc_info and record.exc_info[1]:
            told["trace"] = trace(record.exc_info[1])
        return json.dumps(told, default=str)


def trace(error: BaseException) -> str:
    """Where an error came from, and those behind it: frames and classes.

    The errors' own texts are left out, since they may quote a mail and the password in it.
    """
    told: list[str] = []
    found: BaseException | None = error
    while found is not None and len(told) < _CHAIN:
        frames = "".join(traceback.format_tb(found.__traceback__))
        told.append(f"{frames}{type(found).__module__}.{type(found).__qualname__}\n")
        found = found.__cause__ or (None if found.__suppress_context__ else found.__context__)
    return "raised from:\n".join(told)
