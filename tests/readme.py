"""README.md as the tests read it: what it prints is what they run."""

from __future__ import annotations

from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
TEXT = (CHECKOUT / "README.md").read_text("utf-8")


def blocks(after: str, language: str = "") -> list[str]:
    """The code blocks in that language which come after a text, up to the next heading of its level."""
    _, there, rest = TEXT.partition(after)
    assert there, f"README.md does not say {after!r}"
    if after.startswith("#"):
        rest = rest.partition("\n" + after.split(maxsplit=1)[0] + " ")[0]
    parts = rest.split("\n```")
    return [
        body.partition("\n")[2] + "\n"
        for body in parts[1::2]
        if body.partition("\n")[0] == language
    ]
