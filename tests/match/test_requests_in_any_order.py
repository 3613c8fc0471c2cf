"""Requests, their answers and moves in any order."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from table import WORDS, Table

from pbmstar.errors import Refusal
from pbmstar.match import Match
from pbmstar.match.happenings import Proposed, Refused

STEPS = st.lists(
    st.tuples(
        st.sampled_from(["alice", "bob"]),
        st.sampled_from(
            ["move", "move", "undo", "draw", "cancel", "score", "accept", "decline", "always"]
        ),
        st.integers(0, 400),
    ),
    min_size=12,
    max_size=40,
)


@given(st.sampled_from(sorted(WORDS)), STEPS)
def test_requests_and_answers_in_any_order(word: str, steps: list[tuple[str, str, int]]) -> None:
    """Whatever two players do: one request at most, and what becomes of it is the rule's."""
    table = Table(word)
    for who, kind, which in steps:
        before = table.match
        if before.position.over and kind == "move":
            break
        if before.request and kind in ("accept", "decline", "always") and which % 8:
            who = before.opponent(before.request.userid)
        try:
            if kind == "move":
                who = before.to_move
                move = table.move(which)
            elif kind in ("draw", "score"):
                ends = before.bounds.worst if which % 2 else before.bounds.best
                score = " ".join(map(str, ends.points))
                table.act(who, "propose", "draw" if kind == "draw" else score)
            elif kind == "always":
                table.act(who, "decline", kind)
            else:
                table.act(who, kind)
        except Refusal:
            assert table.match is before
            continue
        after, asked = table.match, before.request
        if kind == "move" and asked and asked.userid != who:
            assert after.request is None, "it lapses when the player who is asked moves"
        if kind == "move" and asked and asked.userid == who and asked.kind in ("draw", "cancel"):
            assert after.request == (None if after.position.over else asked)
        if kind == "move" and asked and asked.kind == "score" and after.request:
            assert move != "swap" and after.game.can_end(
                after.bounds, tuple(map(int, asked.data.split()))
            )
        if kind == "undo":
            assert after.request and after.record == before.record
        if kind == "accept":
            assert asked and asked.userid != who and after.request is None
            if asked.kind == "undo":
                _goes_on_as_before(before, after)
            else:
                assert after.result in ("tie", "void", *after.seats)
        if after.request:
            assert after.request.kind == "undo" or not after.position.over
        _counts(table)


def _counts(table: Table) -> None:
    """Of each kind three at most by one player, and none after ``decline always``."""
    happenings = [event.happening for event in table.events]
    asked = [(each.userid, each.kind) for each in happenings if isinstance(each, Proposed)]
    assert all(asked.count(each) <= 3 for each in asked)
    for place, each in enumerate(happenings):
        if isinstance(each, Refused) and each.reason == "always":
            later = [other for other in happenings[place:] if isinstance(other, Proposed)]
            assert all(other.userid == each.userid for other in later)


def _goes_on_as_before(before: Match, after: Match) -> None:
    """Undone and played again the position is the same, with its numbers and scores."""
    assert after.resets == before.resets + 1
    gone = before.record[len(after.record) :]
    assert 1 <= len(gone) <= 2 and after.record + gone == before.record
    again = after
    for entry in gone:
        again = again.after(entry.userid, entry.move, entry.at)
    assert again.position == before.position and again.players == before.players
    assert again.score == before.score
    assert (
        replace(again, resets=before.resets, since=before.since, request=before.request) == before
    )
