"""Plans carried out: exactly as if the answers were played by hand."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice, pairwise
from pathlib import Path

import pytest
from games.boards_of import KINDS
from harness.common import named
from harness.tables import rows
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmstar.errors import Refusal
from pbmstar.games import make
from pbmstar.games.base import Game, Position
from pbmstar.match import DRAW, Act, Match, Planned, Request, act, begin, plan_of
from pbmstar.match import happenings as h
from pbmstar.match.plan_grammar import MOST_BRANCHES, Branch, Plan, read, write

FOR_TWO = [game for game in KINDS if len(game.seats) == 2]
STAR = make("star", {"size": 4})


def some(chance: random.Random, moves: Iterable[str], count: int) -> list[str]:
    found = list(islice(moves, 40))
    return chance.sample(found, min(count, len(found)))


def planned(chance: random.Random, position: Position, depth: int) -> Plan:
    """A plan by chance, each step of it allowed but those behind else; one too long is no example."""
    branches = []
    for trigger in some(chance, position.moves(), chance.randint(0, 3 if depth > 2 else 1)):
        after = position.play(trigger)
        answers = some(chance, after.moves(), 1)
        if answers:
            answer = "resign" if chance.random() < 0.05 else answers[0]
            deeper = after.play(answer)
            rest = planned(chance, deeper, depth - 1) if depth and not deeper.over else ()
            branches.append(Branch((trigger,), answer, rest))
    if chance.random() < 0.3:
        branches += [Branch((), answer) for answer in some(chance, position.moves(), 1)]
    plan = tuple(branches)
    assume(size(plan) <= MOST_BRANCHES)
    return plan


def size(plan: Plan) -> int:
    return sum(1 + size(branch.rest) for branch in plan)


def played(chance: random.Random, game: Game, count: int) -> Match:
    match = begin(17, game, ("alice", "bob"), 0.0)
    for _ in range(count):
        move = chance.choice(list(islice(match.position.moves(), 40)))
        after = match.after(match.to_move, move, 1.0)
        if after.position.over:
            break
        match = after
    return match


def by_hand(match: Match, plans: dict[str, Plan], at: float) -> tuple[Match, dict[str, Plan]]:
    """What the plans would have their players do, each answer an act of its own."""
    while not match.position.over:
        who = match.to_move
        plan, last = plans.pop(who, ()), match.record[-1].move
        fitting = [b for b in plan if (last in b.triggers if b.triggers else last != "swap")]
        if not fitting:
            break
        try:
            kind = "resign" if fitting[0].answer == "resign" else "move"
            match, _ = act(match, Act(who, kind, fitting[0].answer), at)
        except Refusal:
            break
        if fitting[0].rest:
            plans[who] = fitting[0].rest
    return match, {} if match.position.over else plans


@given(st.sampled_from(FOR_TWO), st.integers(0, 1 << 32))
def test_a_plan_is_its_answers_played_by_hand(game: Game, seed: int) -> None:
    """Same record but for time; what is left of the plans is for the position then."""
    chance = random.Random(seed)
    match = played(chance, game, chance.randint(0, 8))
    mover = match.to_move
    owner = match.opponent(mover)
    plan = planned(chance, match.position, 4)
    if plan:
        match, happened = act(match, Act(owner, "plan", write(plan, match.turn)), 2.0)
        assert plan_of(match, owner) == plan == read(write(plan), game.read)
        assert all(isinstance(each, h.Private) for each in happened)
    triggers = [trigger for branch in plan for trigger in branch.triggers]
    move = chance.choice(triggers or list(islice(match.position.moves(), 40)))
    after = replace(match, plans=()).after(mover, move, 3.0)
    own = () if after.position.over else planned(chance, after.position, 4)
    wanted, left = by_hand(after, {owner: plan, mover: own}, 3.0)

    match, happened = act(match, Act(mover, "move", move, plan=write(own)), 3.0)
    assert [(e.number, e.userid, e.move) for e in match.record] == [
        (e.number, e.userid, e.move) for e in wanted.record
    ]
    assert match.position == wanted.position
    assert {each.userid: each.plan for each in match.plans} == {u: p for u, p in left.items() if p}
    new = match.record[len(after.record) :]
    assert all(entry.by_plan for entry in new) and not match.record[len(after.record) - 1].by_plan
    assert [each.move for each in happened if isinstance(each, h.Answered)] == [e.move for e in new]
    assert all(one.userid != two.userid for one, two in pairwise(new))
    assert match.to_move not in dict(match.plans)


@given(st.sampled_from(FOR_TWO), st.integers(0, 1 << 32))
def test_a_plan_that_crosses_the_move_has_the_same_effect(game: Game, seed: int) -> None:
    """Or none, if it has no answer; whether the opponent has a plan or not."""
    chance = random.Random(seed)
    before = played(chance, game, chance.randint(0, 6))
    mover, owner = before.to_move, before.opponent(before.to_move)
    plan = planned(chance, before.position, 3) or (Branch((), "resign"),)
    move = chance.choice([t for b in plan for t in b.triggers] or list(before.position.moves())[:9])
    own = before.position.play(move)
    text = "" if own.over else write(planned(chance, own, 3))
    in_time = act(act(before, Act(owner, "plan", write(plan)), 1.0)[0],
                  Act(mover, "move", move, plan=text), 2.0)[0]  # fmt: skip
    moved = act(before, Act(mover, "move", move, plan=text), 2.0)[0]
    for seen in (None, len(before.record)):
        try:
            late = act(moved, Act(owner, "plan", write(plan), seen=seen), 2.0)[0]
        except Refusal:
            assert in_time.record[len(moved.record) :] == ()
            continue
        assert late == in_time


def refusal(match: Match, text: str) -> str:
    with pytest.raises(Refusal) as refused:
        act(match, Act(match.opponent(match.to_move), "plan", text), 1.0)
    return str(refused.value)


def test_the_first_wrong_step_is_named() -> None:
    match = begin(17, STAR, ("alice", "bob"), 0.0).after("alice", "C3", 0.0)
    for text, wrong in rows(Path(__file__).parent / "plans.txt", "the first wrong step"):
        told = named(refusal(match, text))
        assert told.startswith(f"We can't use your plan. {wrong}"), text


def test_many_ways_through_a_plan_are_bounded() -> None:
    """A thousand characters can say very many sequences; so many are not looked at."""
    match = begin(17, make("star", {"size": 8}), ("alice", "bob"), 0.0).after("alice", "F6", 0.0)
    names = iter(name for name in match.game.grid.names if name != "F6")
    steps = [f"{next(names)} or {next(names)} or {next(names)}: {next(names)}" for _ in range(15)]
    assert "too many possibilities" in refusal(match, "if " + ", ".join(steps))


def test_what_drops_a_plan() -> None:
    """Moves taken back, something asked with the move; a swap, unless the plan names it."""
    match = begin(17, STAR, ("alice", "bob"), 0.0).after("alice", "C3", 0.0)
    match, _ = act(match, Act("alice", "plan", "if any then B3, if any then B4"), 1.0)
    cut, happened = act(
        replace(match, request=Request("undo", "alice", "C3", 1.0)), Act("bob", "accept"), 2.0
    )
    assert (cut.plans, cut.record, happened) == (
        (),
        (),
        (h.TakenBack("bob", ("C3",)), h.PlanDropped("alice")),
    )

    asked = replace(match, request=Request(DRAW, "bob", DRAW, 1.0))
    after, happened = act(asked, Act("bob", "move", "D3"), 2.0)
    assert (after.plans, len(after.record)) == ((), 2) and isinstance(happened[-1], h.PlanSetAside)
    own = replace(match, request=Request(DRAW, "alice", DRAW, 1.0))
    assert len(act(own, Act("bob", "move", "D3"), 2.0)[0].record) == 3

    swapped, happened = act(match, Act("bob", "move", "swap"), 2.0)
    assert swapped.plans == () and isinstance(happened[-1], h.PlanSilent)
    named, _ = act(match, Act("alice", "plan", "if swap then B3"), 1.0)
    assert act(named, Act("bob", "move", "swap"), 2.0)[0].record[-1][:3] == (2, "alice", "B3")

    gone, happened = act(match, Act("alice", "plan", "none"), 2.0)
    assert gone.plans == () and isinstance(happened[0], h.PlanDropped)
    illegal, happened = act(match, Act("bob", "move", "B3"), 2.0)
    assert (illegal.plans, len(illegal.record)) == ((), 2) and isinstance(
        happened[-1], h.PlanFailed
    )


def test_a_chain_of_thirty() -> None:
    """Both plan 15 answers: one act plays them all, within the depth of both."""
    match = begin(17, make("star", {"size": 8}), ("alice", "bob"), 0.0).after("alice", "F6", 0.0)
    cells = [name for name in match.game.grid.names if name != "F6"][:31]
    pairs = [" then ".join(cells[at : at + 2]) for at in range(30)]
    match, _ = act(match, Act("alice", "plan", "if " + ", ".join(pairs[0::2])), 1.0)
    after, _ = act(match, Act("bob", "move", cells[0], plan="if " + ", ".join(pairs[1::2])), 2.0)
    assert [entry.move for entry in after.record[1:]] == cells
    assert [entry.by_plan for entry in after.record[1:]] == [0] + [1] * 30
    assert after.plans == ()
    assert plan_of(replace(after, plans=(Planned("alice", ()),)), "alice") == ()
