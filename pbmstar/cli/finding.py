"""What an examination finds."""

from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One check. verdict: good, look (may be meant so) or bad; advice is empty if it is good."""

    verdict: str
    what: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.verdict:<5} {self.what}"
        return f"{line}\n      {self.advice}" if self.advice else line


def judge(good: bool, what: str, advice: str) -> Finding:
    """Good, or bad with advice."""
    return Finding("good", what) if good else Finding("bad", what, advice)
