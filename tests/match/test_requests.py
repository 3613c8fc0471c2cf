"""Requests between players, as properties: random players who move, ask, answer, and take back."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from table import DAY, WORDS, Table

from pbmstar import games
from pbmstar.errors import Refusal
from pbmstar.match import Act, Match, Terms, act, begin, replay
from pbmstar.match.happenings import Claimed, Declined, Proposed, Retracted
from pbmstar.match.stored import KINDS
from pbmstar.match.terms import USUAL


def undone(moves: str, who: str) -> Match:
    """The match after those moves, when that player's undo was accepted."""
    table = Table("star")
    for move in moves.split():
        table.act(table.match.to_move, "move", move)
    table.act(who, "undo")
    table.act(table.match.opponent(who), "accept")
    return table.match


@pytest.mark.parametrize(
    ("moves", "who", "left", "to_move"),
    [
        ("C1", "alice", "", "alice"),  # as new: both may decline it again
        ("C1 D1", "bob", "C1", "bob"),
        ("C1 D1", "alice", "", "alice"),  # and bob's answer
        ("C1 swap", "bob", "C1", "bob"),
        ("C1 swap", "alice", "", "alice"),
        ("C1 swap D1", "alice", "C1 swap", "alice"),
        ("C1 swap D1", "bob", "C1", "bob"),
        ("C1 pass pass", "bob", "C1", "bob"),
        ("C1 pass pass", "alice", "C1 pass", "alice"),
    ],
)
def test_what_an_undo_takes_back(moves: str, who: str, left: str, to_move: str) -> None:
    after = undone(moves, who)
    assert " ".join(entry.move for entry in after.record) == left
    assert after.to_move == to_move and not after.position.over
    if not left:
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


def after(*acts: tuple[str, str, str], word: str = "star", terms: Terms = USUAL) -> Table:
    """A table after these acts."""
    table = Table(word, terms)
    for each in acts:
        table.act(*each)
    return table


C1, D1 = ("alice", "move", "C1"), ("bob", "move", "D1")


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        ([("bob", "undo", "")], "nothing-to-undo"),
        ([C1, ("bob", "undo", "")], "nothing-to-undo"),
        ([C1, D1, ("alice", "resign", ""), ("alice", "undo", "")], "game-over"),
        ([C1, ("alice", "propose", "draw"), ("bob", "propose", "7 6")], "request-open"),
        ([C1, D1, ("alice", "undo", ""), ("bob", "undo", "")], "request-open"),
        ([C1, ("alice", "propose", "draw"), ("alice", "accept", "")], "no-request"),
        ([C1, ("alice", "propose", "draw"), D1, ("bob", "accept", "")], "no-request"),
        ([C1, ("alice", "undo", ""), ("alice", "undo", "")], "asked-already"),
        ([C1, ("alice", "propose", "draw"), ("bob", "decline", "always"), D1,
          ("alice", "undo", "")], "no-more-requests"),
        ([C1, *(("alice", "propose", score) for score in ("8 5", "7 6", "8 5"))], "asked-already"),
        ([C1, *(("alice", "propose", f"{x} {13 - x}") for x in range(4, 8))], "asked-too-often"),
        ([C1, ("bob", "unreached", "14"), ("alice", "propose", "draw")], "unreached"),
        ([C1, ("bob", "unreached", "14"), ("alice", "accept", "")], "no-request"),
        ([C1, ("bob", "unreached", "14"), ("bob", "cancel", "")], "unreached"),
        ([C1, ("alice", "decline", "")], "moved-already"),
    ],
)  # fmt: skip
def test_what_is_refused(acts: list[tuple[str, str, str]], code: str) -> None:
    *before, last = acts
    table = after(*before)
    with pytest.raises(Refusal) as refusal:
        table.act(*last)
    assert refusal.value.code == code


FREE, MARGIN, ENDLESS = Terms(undo="free"), Terms(claim=False), Terms(time="none")
UNDO = ("alice", "undo", "")


@pytest.mark.parametrize(
    ("terms", "acts", "days", "code"),
    [
        (FREE, [C1, UNDO] * 3 + [C1, UNDO], 0.0, "asked-too-often"),
        (FREE, [C1, ("bob", "propose", "draw"), UNDO], 0.0, "request-open"),
        (FREE, [C1, ("alice", "propose", "draw"), ("bob", "decline", "always"), UNDO], 0.0, ""),
        (FREE, [C1, D1, UNDO], 0.0, "proposed"),
        (MARGIN, [C1, ("alice", "claim", "")], 0.0, "no-claim"),
        (ENDLESS, [C1, D1, ("alice", "cancel", "")], 119.9, "proposed"),
        (ENDLESS, [C1, D1, ("alice", "cancel", "")], 120.0, "abandoned"),
        (ENDLESS, [C1, D1, ("bob", "cancel", "")], 120.0, "abandoned"),
        (ENDLESS, [C1, ("bob", "cancel", "")], 120.0, "abandoned"),
        (USUAL, [C1, D1, ("alice", "cancel", "")], 300.0, "proposed"),
    ],
)  # fmt: skip
def test_what_other_terms_allow(
    terms: Terms, acts: list[tuple[str, str, str]], days: float, code: str
) -> None:
    """So many days after the move before."""
    *before, last = acts
    table = after(*before, terms=terms)
    table.now += days * DAY
    try:
        (happening, *_) = table.act(*last)
    except Refusal as refusal:
        assert refusal.code == code
    else:
        assert isinstance(happening, KINDS[code or "retracted"])


def test_an_end_by_two_passes_can_be_taken_back_for_two_days() -> None:
    for late in (False, True):
        table = after(C1, ("bob", "move", "pass"), ("alice", "move", "pass"))
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
    for kind, text, result in (("propose", "draw", "tie"), ("cancel", "", "void")):
        table = after(C1, ("alice", kind, text), ("bob", kind, text))
        assert table.match.result == result


@pytest.mark.parametrize("word", ["hex", "pentaline"])
def test_no_score_is_asked_for_where_there_is_none(word: str) -> None:
    with pytest.raises(Refusal) as refusal:
        Table(word).act("alice", "propose", "8 5")
    assert refusal.value.code == "no-score"


@pytest.mark.parametrize(
    ("acts", "open_still"),
    [
        ([("alice", "propose", "7 6"), C1], True),
        ([("alice", "propose", "0 13"), C1], False),  # alice has 1 at least now
        ([C1, ("bob", "propose", "7 6"), ("bob", "move", "swap")], False),  # X is bob now
        ([C1, ("bob", "propose", "draw"), ("bob", "move", "swap")], True),
        ([C1, ("bob", "propose", "draw"), D1, ("alice", "move", "pass")], False),
    ],
)
def test_when_the_askers_own_move_leaves_a_request_open(
    acts: list[tuple[str, str, str]], open_still: bool
) -> None:
    assert bool(after(*acts).match.request) == open_still
