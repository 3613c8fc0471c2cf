"""Which tests of features are there: those of features that are left out are not."""

from __future__ import annotations

from pathlib import Path

from needs import needed

from pbmstar.parts import FEATURES

collect_ignore = [
    str(path)
    for path in Path(__file__).parent.glob("*/test_*.py")
    if not needed(path) <= {*FEATURES, "feature"}
]
