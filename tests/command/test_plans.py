"""How plans are written and read, by themselves and in replies."""

from __future__ import annotations

import random
import re
import textwrap
from collections.abc import Sequence
from pathlib import Path

import pytest
from harness.tables import blocks, rows
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmstar.command import read_reply, split
from pbmstar.errors import BadInput
from pbmstar.games import make
from pbmstar.games.hexagon.star import Star
from pbmstar.grammar.plan_arguments import is_plan
from pbmstar.match.plan_grammar import ANY, LIKE, LONGEST, Branch, Plan, outline, read, write

HERE = Path(__file__).parent
LINES, SAID = HERE / "lines.txt", HERE / "said" / "plans.txt"
STAR = Star({"size": 8})
DOUBLE = make("*star", {"rings": 4, "double": True})
LINE = make("pentaline", {})


def plan_of(text: str) -> Plan:
    return read(text, STAR.read)


def test_ways_to_write_a_plan() -> None:
    for text, canonical in rows(LINES, "plans"):
        plan = read(text, STAR.read, 8)
        assert write(plan) == canonical, text
        assert plan_of(canonical) == plan == read(write(plan, 8), STAR.read, 8), text


def test_what_cannot_be_read_is_named() -> None:
    for text, named in rows(LINES, "plans that cannot be read"):
        with pytest.raises(BadInput, match=re.escape(named)):
            read(text, STAR.read, 8)


def test_limits() -> None:
    """30 branches, 30 moves deep."""
    names = STAR.grid.names
    flat = "; ".join(f"if {name} then {names[-1]}" for name in names[:31])
    assert len(plan_of(flat.rpartition(";")[0])) == 30
    with pytest.raises(BadInput, match="30 branches"):
        plan_of(flat)
    assert plan_of(", ".join(["G7 then H8"] * 15))


def test_moves_of_two_cells_and_of_stones_that_move() -> None:
    plan = read("if *40 S31 then A30 R40", DOUBLE.read)
    assert plan[0].fits("S31 *40") and not plan[0].fits("*40 T31")
    for text in ("if *03-*53 then T20-T21", "if *03 -> *53 then t20 to t21", "*03-*53: T20>T21"):
        assert write(read(text, LINE.read)) == "if *03-*53 then T20-T21"


@st.composite
def plans(draw: st.DrawFn, depth: int = 3) -> Plan:
    """Plans as ``read`` makes them, of any form; the moves need not be possible."""
    chance = random.Random(draw(st.integers(0, 1 << 32)))

    def made(depth: int, game: object) -> Plan:
        words = [*names, "pass", "swap"]
        chance.shuffle(words)
        branches = []
        for _ in range(chance.randint(1, 3)):
            triggers = tuple(words.pop() for _ in range(chance.randint(1, 2)))
            rest = made(depth - 1, game) if depth and chance.random() < 0.5 else ()
            branches.append(Branch(triggers, chance.choice([*names, "pass", "resign"]), rest))
        if chance.random() < 0.4:
            rest = made(depth - 1, game) if depth and chance.random() < 0.3 else ()
            branches.append(Branch((), chance.choice(names), rest))
        return tuple(branches)

    names: Sequence[str] = STAR.grid.names[:12]
    return made(depth, STAR)


@given(plans(), st.integers(1, 90))
def test_a_plan_written_is_read_back(plan: Plan, turn: int) -> None:
    text = write(plan, turn)
    try:
        assert read(text, STAR.read, turn) == plan
        assert plan_of(write(plan)) == plan
    except BadInput as error:
        assert error.code == "long-plan"
    assert ANY not in write(plan[-1:]) or plan[-1].rest or "any" in write(plan[-1].rest)


# -- in replies


def test_sentences_do_not_look_like_plans() -> None:
    (block,) = (b for b in blocks(SAID, "reply: ") if b.title.startswith("Sentences"))
    assert not [line for line, _ in block.rows if is_plan(line)]


MOVE = "star move 17 alice s3cret F6"


@given(plans(), st.integers(20, 76), st.booleans(), st.integers(0, 9))
def test_no_part_of_a_wrapped_plan_is_a_comment(
    plan: Plan, width: int, slip: bool, form: int
) -> None:
    """However a mail program breaks its lines: it is the same plan, or it is withheld."""
    text = write(plan)
    assume(len(text) <= LONGEST)
    if slip:
        text = text.replace("then", "than", 1)
    line, *more = [(f"{MOVE} {text}",), ("F6 " + text,), ("F6", text), (text,)][form % 4]
    lines = [part for each in (line, *more) for part in textwrap.wrap(each, width)]
    words = ["", "Good luck!"] if form > 4 else []
    said = (
        split("Many", False, [*lines, *words, "star say 18 alice s3cret", "Hello!"])
        if form % 4 == 0
        else read_reply("Re: board", True, [*lines, *words], Star)
    )
    known = [line for each in said.said for line in each.comment.split("\n")]
    assert set(known) <= {"", "Good luck!", "Hello!"}
    command = said.commands[0]
    if not (slip or said.said[0].withheld or isinstance(command, Exception)):
        assert plan_of(command["plan"]) == plan_of(text)


def test_an_outline_names_how_deep_an_answer_stands() -> None:
    plan = plan_of("if H10 then J9, if J8 then I8, else K7")
    assert list(map(str, outline(plan, 7))) == [
        "Answer 1: if H10#7 then J9#8",
        "  Answer 2: if J8#9 then I8#10",
        "    Answer 3: K7#12, if anything else is played",
    ]


def test_the_examples_are_possible_on_the_usual_board() -> None:
    """A player may try them as they are printed."""
    home = HERE.parents[1]
    printed = [LIKE, (home / "help/plans.txt").read_text(), (home / "docs/playing.md").read_text()]
    plans = [
        found for text in printed for found in re.findall(r"\bif [A-Z][0-9].*?(?=[`\n]|$)", text)
    ]
    cells = set(re.findall(r"\b[A-Z][0-9]+\b", " ".join(plans)))
    assert len(plans) > 4 and cells <= set(make("star", {}).grid.names)
