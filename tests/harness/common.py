"""Sentences that stand in many letters, by their names: in common.txt each stands once, in its own words.

Scripts, vectors and other tests show ``[taken: F6]`` for the sentence that says that F6 is taken. So a word that is
changed in such a sentence changes none of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

# What stands in the place of braces. It may go on in the next line, but holds no end of a sentence.
_VALUE = r"((?:(?!\n\n|[.?!]\s+[A-Z])[\s\S])+?)"


@cache
def common() -> tuple[tuple[str, str], ...]:
    """Return the sentences that many letters share, each behind its name."""
    rows = (Path(__file__).parent / "common.txt").read_text("utf-8").splitlines()
    return tuple((name, said) for name, _, said in (row.partition(": ") for row in rows[1:]))


@cache
def _by_name() -> dict[tuple[str, int], str]:
    """Return the sentences by their names and the number of their values."""
    return {(name, said.count("{")): said for name, said in common()}


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    def fixed(text: str) -> str:
        return re.escape(text).replace(r"\ ", r"\s+")

    def pattern(said: str) -> str:
        first, *more = re.split(r"\{\w+\}", said)
        start = fixed(first) if first else r"(?<![^\s\"(])([^\s\"(]+)" + fixed(more.pop(0))
        return start + "".join(_VALUE + fixed(each) if each else r"(\S*\w)" for each in more)

    return tuple((name, re.compile(pattern(said))) for name, said in common())


def named(text: str) -> str:
    """Return a text with the name of each common sentence, and its values, in its place."""
    for name, pattern in _patterns():
        text = pattern.sub(
            lambda found: f"[{': '.join(filter(None, (name, _values(found))))}]", text
        )
    return text


def sentence(name: str, *values: object) -> str:
    """Return the common sentence of this name in its own words, with these values."""
    said = _by_name()[name, len(values)]
    words = iter(map(str, values))
    return re.sub(r"\{\w+\}", lambda _: next(words), said)


def _values(found: re.Match[str]) -> str:
    return "; ".join(" ".join(each.split()) for each in found.groups())
