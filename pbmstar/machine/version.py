"""The version of the program, which ``setup.cfg`` has, and the commit that it was built from."""

from __future__ import annotations

import re
from importlib.metadata import version
from pathlib import Path

_DIGITS = 12  # of a commit that are shown


def _commit() -> str:
    """Return the beginning of the commit of the source archive that we come from; empty in a clone."""
    text = Path(__file__).with_name("commit").read_text().strip()
    return text[:_DIGITS] if re.fullmatch("[0-9a-f]{40}", text) else ""


VERSION, COMMIT = version("pbmstar"), _commit()
BUILD = f"{VERSION}+{COMMIT}" if COMMIT else VERSION  # both, as one word
