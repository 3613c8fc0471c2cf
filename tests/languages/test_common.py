"""The table of the sentences that many letters share, tests/harness/common.txt."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from harness.common import common

TESTS = Path(__file__).parent.parent


def test_common_sentences_are_ours() -> None:
    catalog = " ".join((TESTS.parent / "locale" / "pbmstar.pot").read_text("utf-8").split())
    said = re.sub(r'" "', "", catalog).replace('\\"', '"')
    changed = [each for _, each in common() if each.rstrip(".") not in said]
    assert not changed, "change them in tests/harness/common.txt, too"


def test_no_two_of_them_are_shown_alike() -> None:
    """In a script, a sentence is shown by its name and its values."""
    shown = Counter((name, each.count("{")) for name, each in common())
    assert [name for name, count in shown.items() if count > 1] == []


def test_each_is_shown_by_its_name() -> None:
    """In a script, a vector, a session or a table, as ``[name]``, or in a test, as ``sentence("name")``."""
    shown = set[str]()
    for file in TESTS.rglob("*"):
        if file.suffix in (".mails", ".jsonl", ".txt") and file.name != "common.txt":
            shown.update(re.findall(r"\[([^]\[:]+)[]:]", file.read_text("utf-8")))
        elif file.suffix == ".py":
            shown.update(re.findall(r"""sentence\(\s*['"]([^'"]+)['"]""", file.read_text("utf-8")))
    assert {name for name, _ in common()} - shown == set()
