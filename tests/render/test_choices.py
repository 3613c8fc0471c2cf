"""What a letter says that its reader can do."""

from __future__ import annotations

import pytest
from harness.common import sentence

from pbmstar.match import Act, Match, act
from pbmstar.render.board.view import Telling, view_of

from .kinds import OVER, REPLY, SETTLED, html, played, text


@pytest.mark.parametrize(
    ("match", "reader", "commands", "replies"),
    [
        (played(), "alice", ["move 17 alice password B4#1", "move 17 alice password pass#1",
                             "resign 17 alice password", "decline 17 alice password",
                             "counter 17 alice password -seat=o"],
         "pass  say  decline  try B4  score  show  help  resign"),
        (played("C3"), "bob", ["move 17 bob password B4#2", "move 17 bob password pass#2",
                               "move 17 bob password swap#2", "resign 17 bob password",
                               "decline 17 bob password", "counter 17 bob password -seat=x"],
         "pass  swap  say  decline  try B4  score  show  help  resign"),
        (played("C3"), "alice", ["undo 17 alice password", "resign 17 alice password"],
         "say  undo  plan  score  show  help  resign"),
        (OVER, "bob", ["rematch 17 bob password", "undo 17 bob password"],
         "rematch  say  undo  score  show  help"),
    ],
)  # fmt: skip
def test_what_a_player_can_do(match: Match, reader: str, commands: list[str], replies: str) -> None:
    lines = [f"  star {line}\n" for line in (*commands, "show 17", "help")]
    content = text("board", match, reader=reader, facts={"commands": True})
    assert f"\nYou can:\n{''.join(lines)}Send one of these as the Subject" in content
    assert f"\n  {replies}\n" in content or f": {replies}\n" in content
    assert (sentence("reply cell", "B4") in content) == (match.to_move == reader)
    assert "You can:" not in text("board", match, reader=reader)


def test_propose_is_a_reply_as_soon_as_it_is_offered() -> None:
    """Where the end is proved there is nothing to propose: either may claim it."""
    for reader in SETTLED.seats:
        words = " ".join(view_of(SETTLED, Telling(reader, reply_to=REPLY)).words)
        assert "claim" in words and "propose" not in words
    match = played("D2 B5 D6 F1 E3 E2 C5 A5 E5 E4 D3 F2 B4 D1 C4 D4 B6 E1 A6 A4")
    assert match.reading is not None and not match.bounds.settled
    x, o = match.reading.points
    for reader in match.seats:
        view = view_of(match, Telling(reader, reply_to=REPLY))
        assert f"propose {x}-{o}" in view.words
        assert f"star propose 17 {reader} password {x}-{o}" in view.commands
    assert f'?subject=propose%20{x}-{o}">Propose a score of {x}-{o}</a>' in html("board", match)
    asked, _ = act(match, Act("alice", "propose", f"{x} {o}"), 0.0)
    assert "accept" in view_of(asked, Telling("bob", reply_to=REPLY)).words
    for reader in asked.seats:
        assert "propose" not in " ".join(view_of(asked, Telling(reader, reply_to=REPLY)).words)
