"""Requests between players, as properties: random players who move, ask, answer, and take back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from harness.tables import rows
from hypothesis import given
from hypothesis import strategies as st
from table import DAY, WORDS, Table

from pbmstar import games
from pbmstar.errors import Refusal
from pbmstar.match import Act, Happening, Terms, act, begin, replay
from pbmstar.match.happenings import Claimed, Declined, Proposed, Retracted
from pbmstar.match.stored import kinds
from pbmstar.match.terms import USUAL

TABLES = Path(__file__).parent / "requests.txt"


def test_what_an_undo_takes_back() -> None:
    for moves, who, left, to_move in rows(TABLES, "taken back"):
        table = Table("star")
        for move in moves.split():
            table.act(table.match.to_move, "move", move)
        table.act(who, "undo")
        table.act(table.match.opponent(who), "accept")
        after = table.match
        assert " ".join(entry.move for entry in after.record) == left, (moves, who)
        assert after.to_move == to_move and not after.position.over, (moves, who)
        if not left:  # as new: both may decline it again
            assert not any(after.has_moved(userid) for userid in after.seats)
            assert act(after, Act("bob", "decline"), 9.0)[1] == (Declined("bob"),)


@pytest.mark.parametrize("word", ["resign", "undo"])
def test_a_word_typed_as_a_move_is_the_act_of_that_name(word: str) -> None:
    """In a puzzle, where both can be typed so: ``queens move 17 alice undo``."""
    start = begin(1, games.make("queens", {}), ("alice",), 0.0)
    before, _ = act(start, Act("alice", "move", "S42"), 1.0)
    assert act(before, Act("alice", "move", word), 2.0) == act(before, Act("alice", word), 2.0)


@given(
    word=st.sampled_from(sorted(WORDS)),
    moves=st.lists(st.integers(0, 400), min_size=1, max_size=8),
    how=st.sampled_from(["ask", "free", "no"]),
)
def test_an_undo_and_the_same_move_come_to_the_same(word: str, moves: list[int], how: str) -> None:
    """Position, numbers and scores; free: nobody is asked; no: nothing is taken back."""
    table = Table(word, Terms(undo=how))
    for which in moves:
        if not table.match.position.over:
            table.move(which)
    before, last = table.match, table.match.record[-1]
    who, other = last.userid, before.opponent(last.userid)
    if how == "no":
        with pytest.raises(Refusal) as refusal:
            table.act(who, "undo")
        assert (refusal.value.code, table.match) == ("no-undo", before)
        return
    if before.position.over and before.position.ending.how != "passes":  # type: ignore[union-attr]
        return
    (done,) = table.act(who, "undo")
    is_free = how == "free" and not before.position.over
    assert isinstance(done, Retracted if is_free else Proposed)
    if not is_free:
        table.act(other, "accept")
    assert table.match.record == before.record[:-1] and table.match.resets == 1
    table.act(who, "move", last.move)
    again = table.match
    assert again.position == before.position and again.score == before.score
    assert [entry[:3] for entry in again.record] == [entry[:3] for entry in before.record]


TERMS = {"usual": USUAL, "undo=free": Terms(undo="free"), "claim=no": Terms(claim=False),
         "time=none": Terms(time="none")}  # fmt: skip
KNOWN = ("undo", "resign", "propose", "accept", "decline", "unreached", "cancel", "claim")


def after(acts: str, terms: Terms = USUAL, days: float = 0.0) -> tuple[Table, list[Happening]]:
    """A table after these acts, and what came of the last one, so many days after those before.

    An act is a player and a verb, or a move: ``alice C1, bob propose 7 6``.
    """
    table, happened = Table("star", terms), []
    every = [each.split(" ") for each in acts.split(", ")]
    for number, (who, verb, *words) in enumerate(every, 1):
        table.now += days * DAY * (number == len(every))
        act = (verb, " ".join(words)) if verb in KNOWN else ("move", verb)
        happened = list(table.act(who, *act))
    return table, happened


def test_what_is_asked_and_what_is_refused() -> None:
    for terms, acts, days, wanted in rows(TABLES, "asked"):
        try:
            _, (happening, *_) = after(acts, TERMS[terms], float(days))
        except Refusal as refusal:
            assert refusal.code == wanted, acts
        else:
            assert isinstance(happening, kinds().get(wanted, ())), acts


def test_an_end_by_two_passes_can_be_taken_back_for_two_days() -> None:
    for late in (False, True):
        table, _ = after("alice C1, bob pass, alice pass")
        table.now += 2 * DAY - (0 if late else 3600)
        if late:
            with pytest.raises(Refusal, match="over"):
                table.act("bob", "undo")
        else:
            assert table.act("bob", "undo")[0].request.moves == ("pass", "pass")


@given(
    st.sampled_from(["star", "*star", "stary", "y", "polyy"]),
    st.lists(st.integers(0, 400), min_size=8),
)
def test_a_claim_is_what_every_way_to_go_on_proves(word: str, steps: list[int]) -> None:
    """The winner of a decided board may claim it, both a settled one, nobody any other; however the
    empty cells are filled, the result is the one that was claimed."""
    table = Table(word)
    for step in steps:
        if table.match.position.over or table.match.bounds.decided:
            break
        moves = [move for move in table.match.position.moves() if move != "pass"]
        table.act(table.match.to_move, "move", moves[step % len(moves)])
    before = table.match
    if before.position.over:
        return
    bounds, ends = before.bounds, []
    for who in before.seats:
        table.match = before
        try:
            (happening,) = table.act(who, "claim")
        except Refusal as refusal:
            assert refusal.code == ("not-yours-to-claim" if bounds.decided else "too-early")
            continue
        assert isinstance(happening, Claimed)
        assert replay(begin(17, before.game, before.seats, 0.0), table.match.record) == replace(
            table.match, request=None
        )
        ends.append((table.match.result, table.match.position.ending))
        assert bounds.is_certain or before.player(who) == bounds.decided
    assert len(ends) == (
        2 if bounds.is_certain and before.game.has_points else bool(bounds.decided)
    )
    for stone in (b"x", b"o"):
        full = before.game.score(before.position.stones.replace(b".", stone))
        for result, ending in ends:
            assert result == (before.players[full.winner] if full.winner else "tie")
            assert ending and ending.points in (None, full.points)


def test_who_asks_for_what_is_asked_agrees() -> None:
    for asked, result in (("propose draw", "tie"), ("cancel", "void")):
        table, _ = after(f"alice C1, alice {asked}, bob {asked}")
        assert table.match.result == result


@pytest.mark.parametrize("word", ["hex", "pentaline"])
def test_no_score_is_asked_for_where_there_is_none(word: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Table(word).act("alice", "propose", "8 5")
    assert refusal.value.code == "no-score"


def test_when_the_askers_own_move_leaves_a_request_open() -> None:
    """Not if that score is impossible now, or if another player is X."""
    for acts, open_still in rows(TABLES, "open still"):
        table, _ = after(acts)
        assert str(bool(table.match.request)) == open_still, acts
