"""Plans by mail: private, kept, put out of use; the rest is tests/mails/plans.mails."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import closing

from harness.letters import Got
from harness.office import Office

PLAN = "star plan 1 alice s3cret if D3 then B3, if B4 then C4; if pass then resign"


def parts(letter: Got) -> str:
    """A letter but for what each letter has of its own."""
    text = letter.raw.decode()
    text = re.sub(r"(?m)^(Message-ID|References|In-Reply-To|Date): .*\n( .*\n)*", "", text)
    return re.sub(r"=_[0-9a-f]+", "BOUNDARY", text)


def test_nothing_but_the_own_letters_depends_on_a_plan(another: Callable[..., Office]) -> None:
    """Letters to the opponent and listings are the same with and without an unused plan."""
    seen = []
    for plan in ("", PLAN):
        with closing(another(people=("alice", "bob", "carol"))) as office:
            office.game("star challenge -size=4 alice bob")
            office.play(1, "C3")
            own = office.send("alice", plan) if plan else []
            letters = [
                *office.send("bob", "star show 1"),
                *office.send("carol", "star show 1"),
                *office.send("bob", "star games alice"),
                *office.send("bob", "star games"),
                *office.play_as("bob", 1, "E1", "Good luck!"),
            ]
            listed = [
                office.run("admin", *words.split()).output
                for words in ("board list", "board show 1", "board show 1 --json", "export 1")
            ]
            assert "D3" not in office.run("admin", "user", "export", "bob").output
            seen.append([parts(each) for each in letters if "alice" not in each.to] + listed)
            assert ["Your plan: if D3" in letter.text for letter in own] == ([True] if plan else [])
            assert office.ask("boards.plans", 1) == []
    assert seen[0] == seen[1]


def test_a_plan_is_kept_and_the_operator_leaves_a_trace_of_looking(office: Office) -> None:
    office.game("star challenge -size=4 alice bob")
    office.play(1, "C3")
    office.send("alice", PLAN)
    office.restart()
    shown = office.run("admin", "board", "show", "1", "--plans").output
    assert shown.endswith("Plan of alice: if D3 then B3, if B4 then C4; if pass then resign\n")
    assert [act for *_, act in office.ask("ledger.acts")][-1] == "board show --plans 1"
    letters = office.play_as("bob", 1, "D3")
    assert {letter.mail["X-Pbmstar-By-Plan"] for letter in letters} == {"3"}
    assert office.record(1) == ["C3", "D3", "B3"]
    (row,) = office.ask("boards.plans", 1)
    assert (row.userid, row.length, row.plan) == ("alice", 3, "if B4 then C4")
    assert office.check() == []
    office.run("admin", "board", "reset", "1", "--to-move", "2")
    told = ["We've dropped your plan." in letter.text for letter in office.letters()]
    assert told == [True, False], "alice"
    assert office.ask("boards.plans", 1) == []


def test_a_plan_that_there_is_not_cannot_be_dropped(office: Office) -> None:
    office.begun("star challenge alice bob")
    office.send("bob", "star plan 1 bob hunter2 if F7 then F8")
    (first,) = office.send("bob", "star plan 1 bob hunter2 none")
    (second,) = office.send("bob", "star plan 1 bob hunter2 none ")
    assert "We've dropped your plan." in first.text
    assert "You don't have a plan on this board." in second.text
