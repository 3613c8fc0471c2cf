"""Sentences that stand in many letters, by their names: in common.txt each stands once, in its own words.

Scripts, vectors and other tests show ``[taken: F6]`` for the sentence that says that F6 is taken. So a word that is
changed in such a sentence changes none of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path


@cache
def common() -> tuple[tuple[str, str], ...]:
    """Return the sentences that many letters share, each behind its name."""
    rows = (Path(__file__).parent / "common.txt").read_text("utf-8").splitlines()
    return tuple((name, said) for name, _, said in (row.partition(": ") for row in rows[1:]))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    def pattern(said: str) -> str:
        first, *more = re.split(r"\{\w+\}", said)
        start = re.escape(first) if first else r"(?<!\S)(\S+)" + re.escape(more.pop(0))
        return start + "".join(f"(.+?){re.escape(each)}" for each in more)

    return tuple((name, re.compile(pattern(said))) for name, said in common())


def named(text: str) -> str:
    """Return a text with the name of each common sentence, and its values, in its place."""
    for name, pattern in _patterns():
        text = pattern.sub(
            lambda found: f"[{': '.join(filter(None, (name, '; '.join(found.groups()))))}]", text
        )
    return text
