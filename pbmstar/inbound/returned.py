"""Read bounces in a process of their own, because the library for that has quadratic expressions.

``python -m pbmstar.inbound.returned`` is that process: a JSON line goes in and a JSON line comes back. It
ends when its standard input does, when nothing comes for a minute, or when one bounce takes it too long.
"""

from __future__ import annotations

import atexit
import email
import json
import logging
import select
import sys
import threading
import time
from email.policy import compat32

from ..machine.child import Child, ChildDown
from .gate import admit

# Bytes, lines, and bytes of a line that are read. A bounce has short lines.
SIZE, LINES, WIDTH = 65_536, 2_000, 1_000
PATIENCE = 10.0  # seconds; the worst known bounce takes a tenth of one
COMPLAINT, PERMANENT, PASSING = "complaint", "permanent", "passing"
_IDLE = 60.0  # seconds

_CHILD, _ONE = Child([sys.executable, "-m", __name__], {}), threading.Lock()
atexit.register(_CHILD.close)
log = logging.getLogger("pbmstar")


def read(raw: bytes) -> str:
    """Return COMPLAINT, PERMANENT or PASSING; empty if it is none of these or cannot be read in time.

    Only its beginning is read, one bounce at a time. Any thread may call this.
    """
    request, until, trouble = {"text": beginning(raw)}, time.monotonic() + PATIENCE, ""
    with _ONE:
        for _ in range(2):  # the process may just have ended, since nothing came
            try:
                return str(_CHILD.ask(request, PATIENCE)["kind"])
            except ChildDown as error:
                trouble = str(error)
                if time.monotonic() >= until:
                    break
    log.warning("bounce", extra={"facts": {"trouble": trouble}})
    return ""


def beginning(raw: bytes) -> str:
    """Return the beginning of a bounce, the part that is read. Raises Unreadable."""
    # As ASCII: a field of other bytes would be no text to the library that looks for bounces.
    lines = admit(raw)[:SIZE].split(b"\n", LINES)[:LINES]
    return b"\n".join(line[:WIDTH] for line in lines).decode("ascii", "replace")


def kind_of(text: str) -> str:
    """Return the result of ``read``, computed in this process."""
    from flufl.bounce import all_failures  # noqa: PLC0415 - most messages are no bounces

    # It logs each bounce that it stumbles over, with a trace.
    logging.getLogger("flufl.bounce").setLevel(logging.CRITICAL)
    mail = email.message_from_string(text, policy=compat32)
    report = str(mail.get_param("report-type", "")).lower()
    if mail.get_content_type() == "multipart/report" and report == "feedback-report":
        return COMPLAINT
    passing, permanent = all_failures(mail)
    return PERMANENT if permanent else PASSING if passing else ""


def main() -> None:
    """Answer one line after the other."""
    while select.select([sys.stdin], [], [], _IDLE)[0] and (line := sys.stdin.buffer.readline()):
        try:
            kind = kind_of(json.loads(line)["text"])
        except Exception:  # the libraries raise errors of any kind on texts of no mailer
            kind = ""
        print(json.dumps({"kind": kind}), flush=True)


if __name__ == "__main__":
    main()
