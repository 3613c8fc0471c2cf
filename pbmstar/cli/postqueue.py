"""Mail for us that waits in the queue of the machine's Postfix, as ``pbmstar doctor`` looks at it."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator

from ..config import Config
from .finding import Finding, judge

LATE = 300.0  # seconds: while a move waits there its player's clock runs
_PATIENCE = 10  # seconds


def waiting(config: Config, now: float) -> Iterator[Finding]:
    """How long the oldest mail for our domain has waited; nothing where there is no Postfix to ask."""
    program = shutil.which("postqueue") or shutil.which("postqueue", path="/usr/sbin")
    if not program:
        return
    try:
        done = subprocess.run([program, "-j"], capture_output=True, timeout=_PATIENCE, check=True)
        ages = [now - at for at in _arrivals(done.stdout, config.domain)]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        if config.lmtp:
            advice = "Is Postfix running? postqueue -p says more."
            yield Finding("look", "mail queue: Postfix does not show it", advice)
        return
    late = [age for age in ages if age > LATE]
    yield judge(
        not late,
        f"mail queue: {len(ages)} mails for us wait, the oldest for {int(max(ages, default=0) / 60)} minutes",
        "Time runs until a move reaches us. postqueue -p says why; then postqueue -f. What nobody could "
        "help is given back by pbmstar admin outage add.",
    )


def _arrivals(listed: bytes, domain: str) -> Iterator[float]:
    """When each mail for the domain came into the queue."""
    for line in listed.splitlines():
        mail = json.loads(line)
        if any(each["address"].lower().endswith(f"@{domain}") for each in mail["recipients"]):
            yield float(mail["arrival_time"])
