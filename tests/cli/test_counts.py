"""The report of counts: it tells what differs, and judges nothing."""

from __future__ import annotations

import json

import counts
import pytest


def test_a_count_is_told_beside_what_it_was() -> None:
    now = {"modules": 281.0, "caches": 30.0, "new": 4.0}
    told = counts.report(now, "0.2.0", {"modules": 279, "caches": 30, "gone": 1}).splitlines()
    assert [line.split() for line in told] == [
        ["now", "0.2.0"],
        ["modules", "281", "279", "+2"],
        ["caches", "30", "30"],
        ["new", "4", "-"],
    ]


def test_the_processor_time_is_that_of_the_children() -> None:
    assert counts.processor_seconds("0m9.00s 0m9.00s\n1m2.50s 0m3.00s\n") == 66


def test_a_mention_is_a_word_in_a_file_that_is_not_the_features_own() -> None:
    texts = {
        "contest/ladder.py": "the ladder",
        "service/placing.py": "a ladder",
        "cli/top.py": "LADDERS = 3",
        "cli/bar.py": "bladder",
    }
    assert counts.mentions(texts, counts.FEATURES["ladder"]) == ["cli/top.py"]


@pytest.mark.slow
def test_everything_that_is_kept_is_counted() -> None:
    kept = json.loads(counts.KEPT.read_text())
    found = counts.counts()
    assert kept["counts"].keys() - {counts.SECONDS} == found.keys()
    assert all(count >= 0 for count in found.values())
    assert found["stays of a move in service/"] > found["returns of a move in service/"] > 0
