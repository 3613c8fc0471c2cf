"""The ids and files that tests name are there for a reader to look up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
TESTS = [
    path
    for kind in ("*.py", "*.mails", "*.txt")
    for path in sorted((ROOT / "tests").rglob(kind))
    if path.name != "conftest.py"
]
ID = r"(?:CP|[A-Z])\d{1,2}"
IDS = rf"{ID}(?:(?:,? and|,| to)? {ID})*"
# At the beginning of a docstring, comment or title, or in brackets at the end of a comment.
NAMED = re.compile(rf'(?:"""|# |## |#   )({IDS}):|^#.*\(({IDS})\)', re.M)


def named(text: str) -> Iterator[str]:
    """Yield the ids that a text names as rows of the catalogue."""
    for found in NAMED.finditer(text):
        yield from re.findall(ID, found[1] or found[2])


def test_each_id_is_defined_once() -> None:
    rows = re.findall(rf"^\| ({ID}) \|", (ROOT / "tests/CATALOGUE.md").read_text(), re.M)
    assert len(rows) == len(set(rows))
    unknown = {
        f"{path.relative_to(ROOT)}: {each}"
        for path in TESTS
        for each in named(path.read_text())
        if each not in rows
    }
    assert not unknown


def test_no_test_names_a_page_that_is_not_here() -> None:
    pages = {path.name for path in ROOT.rglob("*.md")}
    for path in TESTS:
        text = path.read_text()
        for name in re.findall(r"\b[\w/-]+\.md\b", text):
            assert Path(name).name in pages, f"{path}: {name}"
        assert "\u00a7" not in text, path
        assert not re.search(r"def test_(?:player_)?[A-Z]?\d+_", text), path
