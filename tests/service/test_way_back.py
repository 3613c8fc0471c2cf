"""The way back: the letter that confirms a choice says how to change it, in its text and to tap."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from harness.office import Office

PW = "tr1angle"


@pytest.mark.parametrize(
    ("before", "line", "replies"),
    [
        ((), f"watch 1 carol {PW}", ("unwatch 1", "watches")),
        ((f"watch 1 carol {PW}",), f"unwatch 1 carol {PW}", ("watches",)),
        ((), f"watch player bob carol {PW}", ("unwatch player bob", "watches")),
        ((f"watch player bob carol {PW}",), f"unwatch player bob carol {PW}", ("watches",)),
        (
            (f"watch 1 carol {PW}", f"watch player bob carol {PW}"),
            f"watches carol {PW}",
            ("unwatch 1", "unwatch player bob"),
        ),
        ((), f"lobby carol {PW} on", ("lobby off", "seeks")),
        ((), f"league join star carol {PW}", ("league leave star",)),
        ((f"league join star carol {PW}",), f"league leave star carol {PW}", ("league join star",)),
    ],
)
def test_a_choice_can_be_changed_by_reply_and_by_a_tap(
    office: Office, before: tuple[str, ...], line: str, replies: tuple[str, ...]
) -> None:
    office.game("star challenge -size=4 alice bob")
    office.add("carol")
    office.run("admin", "league", "open", "star", "--days", "30", "-size=3")
    for each in before:
        office.send("carol", each)
    (letter,) = office.send("carol", line)
    below = letter.text.partition("\nTo change that, reply with one of these lines:\n")[2]
    assert tuple(map(str.strip, below.strip().split("\n"))) == replies
    for reply in replies:
        assert f"?subject={quote(reply)}" in letter.html
