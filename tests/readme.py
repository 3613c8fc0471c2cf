"""README.md and the pages of docs/ as the tests read them: they run what these print."""

from __future__ import annotations

from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
PAGES = {
    path.relative_to(CHECKOUT).as_posix(): path.read_text("utf-8")
    for path in [*sorted(CHECKOUT.glob("*.md")), *sorted((CHECKOUT / "docs").rglob("*.md"))]
}
TEXT = "\n".join(PAGES.values())


def blocks(after: str, language: str = "") -> list[str]:
    """Return the code blocks in a language that come after a text, up to the next heading of its level."""
    assert after in TEXT, f"no page says {after!r}"
    rest = TEXT[TEXT.index(after) + len(after) :]
    if after.startswith("#"):
        rest = rest.partition("\n" + after.split(maxsplit=1)[0] + " ")[0]
    parts = rest.split("\n```")
    return [
        body.partition("\n")[2] + "\n"
        for body in parts[1::2]
        if body.partition("\n")[0] == language
    ]
