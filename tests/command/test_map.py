"""The order in which a line is read is as docs/design.md shows it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbmstar import games
from pbmstar.command import Command
from pbmstar.command.proved import Replier
from pbmstar.command.reply import read_reply

PAGE = Path(__file__).parents[2] / "docs" / "design.md"
ROWS = re.findall(r"(?m)^\| (\d+) \| .* \| `([^`]+)` \| `([^`]+)` \|$", PAGE.read_text())


@pytest.mark.parametrize(("step", "line", "read"), ROWS)
def test_a_line_is_read_as_the_page_says(step: str, line: str, read: str) -> None:
    star = games.find("star")
    assert star is not None
    over = step == "10"
    alice = Replier(names=("alice",), over=over, language="es")
    (command, *_) = read_reply("Re: Star Board 17 alice", True, [line], star, alice).commands
    assert (command.verb.name if isinstance(command, Command) else command.code) == read


def test_the_page_has_an_example_of_each_step_that_reads_a_line() -> None:
    assert [int(step) for step, _, _ in ROWS] == list(range(3, 11))
