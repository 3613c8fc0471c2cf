"""Which tests of features are there: those of features that are left out are not."""

from __future__ import annotations

import re
from pathlib import Path

from pbmstar.parts import FEATURES

_FEATURE = re.compile(r"pbmstar\.features\.(\w+)\.|\"admin\", \"(ladder|league)\"")


def needed(path: Path) -> set[str]:
    """Return the features that a test imports, or whose commands of the operator it gives."""
    return {name for found in _FEATURE.findall(path.read_text()) for name in found if name}


collect_ignore = [
    str(path)
    for path in Path(__file__).parent.glob("*/test_*.py")
    if not needed(path) <= {*FEATURES, "feature"}
]
