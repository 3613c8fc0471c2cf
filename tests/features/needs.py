"""Which features a test or a script needs."""

from __future__ import annotations

import re
from pathlib import Path

_FEATURE = re.compile(r"pbmstar\.features\.(\w+)\.|\"admin\", \"(ladder|league)\"")
_TOLD = re.compile(r"(?m)^! needs (.*)$")


def needed(path: Path) -> set[str]:
    """Return the features that a script names, that a test imports, or whose commands of the operator it gives."""
    text = path.read_text("utf-8")
    if path.suffix == ".mails":
        return set(_TOLD.findall(text))
    return {name for found in _FEATURE.findall(text) for name in found if name}
