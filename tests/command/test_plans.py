"""How plans are written and read, by themselves and in replies."""

from __future__ import annotations

import random
import textwrap
from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pbmstar.command import read_reply, split
from pbmstar.command.plan_arguments import is_plan
from pbmstar.command.split import Split
from pbmstar.errors import BadInput
from pbmstar.games import make
from pbmstar.games.hexagon.star import Star
from pbmstar.match.plan_grammar import ANY, DEEPEST, LONGEST, Branch, Plan, outline, read, write

STAR = Star({"size": 8})
DOUBLE = make("*star", {"rings": 4, "double": True})
LINE = make("pentaline", {})


def plan_of(text: str) -> Plan:
    return read(text, STAR.read)


# Plans, and other ways to write the same.
@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("if G7 then H8; else pass", "if G7 then H8; else pass"),
        ("if G7 then H8, J8 then K8", "if G7 then H8, if J8 then K8"),
        ("If g7: h8, if j8 -> k8; else --.", "if G7 then H8, if J8 then K8; else pass"),
        ("if G7, then H8;J8\u2192K8", "if G7 then H8; if J8 then K8"),
        (
            "if G7 then H8, (if J8 then K8; else L3); if H8 then G7",
            "if G7 then H8, (if J8 then K8; else L3); if H8 then G7",
        ),
        ("if G7 or swap or pass then resign", "if G7 or swap or pass then resign"),
        ("if any then F6", "else F6"),
        ("if any then F6, if G7 then H8", "if any then F6, if G7 then H8"),
        ("else F6, G7 then H8", "if any then F6, if G7 then H8"),
        ("IF G7#8 THEN h8 #9, J8#10 then k8#11", "if G7 then H8, if J8 then K8"),
        # Lines that share their first moves are one branch.
        (
            "if G7 then H8, J8 then K8; if G7 then H8, L9 then K9; if G7 then H8",
            "if G7 then H8, (if J8 then K8; if L9 then K9)",
        ),
        ("if swap then G7#8, H8#9 then J8", "if swap then G7, if H8 then J8"),
        ("if \uff27\uff17 then *H8* ;", "if G7 then H8"),
    ],
)
def test_ways_to_write_a_plan(text: str, canonical: str) -> None:
    plan = read(text, STAR.read, 8)
    assert write(plan) == canonical
    assert plan_of(canonical) == plan == read(write(plan, 8), STAR.read, 8)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "at its end"),
        ("if G7 then", "at: if G7 then"),
        ("if then H8", "at: if"),
        ("if G7 H8", "at: if"),
        ("if G7 then H8,", "at its end"),
        ("if G7 then H8, (if J8 then K8", "bracket"),
        ("if G7 then H8) else pass", "at: )"),
        ("if G7 then (H8)", "at: if"),
        ("else pass; if G7 then H8", "behind else or any"),
        ("if any then H8; else pass", "behind else or any"),
        ("if G7 then H8; if J8 or G7 then K8", "G7 twice"),
        ("if resign then H8", "resign"),
        ("if Z99 then H8", "Z99"),
        ("if G7 then H8#8", "meant as move 8, but would be move 9"),
        ("if G7 then good", "good"),
        ("if " + "(" * 900 + "G7 then H8", "not clear"),
        ("; ".join(f"if A{n} then F6" for n in range(31)), "A0"),
        ("if G7 then H8, " * 15 + "J8 then K8", f"{DEEPEST} moves ahead"),
        ("if G7 then H8" + " " * LONGEST, f"{LONGEST} characters"),
    ],
)
def test_what_cannot_be_read_is_named(text: str, named: str) -> None:
    with pytest.raises(BadInput, match=named.replace(")", r"\)")):
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

SENTENCES = [
    "If you like, a rematch?", "If I had seen that, I would have won.", "If only!", "If so then good.",
    "Else I am lost.", "If this is all then I resign tomorrow.", "if not, then not", "If yes: play!",
    "If you play H8 then I am done.", "If G7 then what?", "If it rains, I stay at home; else not.",
    "If 1 of us wins then 1 loses", "Wenn G7 dann H8", "Falls du willst: Revanche?",
    "Si tu veux, une revanche ?", "Sinon, tout va bien.", "Si G7 alors H8", "Else? No.",
    "If any of this is wrong, then tell me.", "if we pass then it is over", "Else pass me the salt",
]  # fmt: skip


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_that_begin_like_plans_stay_comments(sentence: str) -> None:
    assert not is_plan(sentence) or sentence.startswith("If 1 of")
    for first in ("F6", "F6 if G7 then H8", "if G7 then H8"):
        reply = read_reply("Re: board", True, [first, sentence, "if G7 then H8"], Star)
        assert reply.comment == f"{sentence}\nif G7 then H8"


@pytest.mark.parametrize(
    ("lines", "plan"),
    [
        (["F6 if G7 then H8; else pass", "Hello!"], "if G7 then H8; else pass"),
        (["F6, if G7 then H8", "Hello!"], "if G7 then H8"),
        (["F6", "if G7 then H8", "else pass", "Hello!"], "if G7 then H8; else pass"),
        (["F6 if G7 then H8", "if J8 then K8", "Hello!"], "if G7 then H8; if J8 then K8"),
        # What a mail program has made of a long line.
        (["F6 if G7 then H8, if J8 then", "K8, if L9 then L8", "Hello!"],
         "if G7 then H8, if J8 then K8, if L9 then L8"),
        (["F6", "if G7", "then H8", "", "else pass", "Hello!"], "if G7 then H8; else pass"),
        (["F6", "", "if G7 then H8", "", "Hello!"], "if G7 then H8"),
        (["F6", "- if G7 then H8", "* else pass", "Hello!"], "if G7 then H8; else pass"),
        (["F6 if G7 then H8;", "J8 then K8", "; else pass", "Hello!"],
         "if G7 then H8; J8 then K8 ; else pass"),
        (["F6 if G7 then H8", ", (if J8 then K8", "; else L3", ")", "Hello!"],
         "if G7 then H8 , (if J8 then K8 ; else L3 )"),
        (["F6 if G7 then H8;", "Hello!"], "if G7 then H8;"),
        (["queue F6 if G7", "then H8", "Hello!"], "if G7 then H8"),
        (["plan G7 then", "H8", "Hello!"], "G7 then H8"),
        (["pass if G7 then H8", "Hello!"], "if G7 then H8"),
        (["if G7 then H8", "else resign", "Hello!"], "if G7 then H8; else resign"),
        (["plan if G7 then H8", "Hello!"], "if G7 then H8"),
        (["plan", "if G7 then H8", "Hello!"], "if G7 then H8"),
        (["plan none", "Hello!"], "none"),
        (["resign", "if G7 then H8", "Hello!"], None),
    ],
)  # fmt: skip
def test_plans_in_replies(lines: list[str], plan: str | None) -> None:
    reply = read_reply("Re: board", True, lines, Star)
    (command,) = reply.commands
    assert not isinstance(command, Exception), command
    assert command.args.get("plan") == plan
    assert reply.comment.endswith("Hello!")
    first = lines[0].split()[0]
    verb = {"if": "plan"}.get(first, first if first in ("plan", "queue", "resign") else "move")
    assert command.verb.name == verb


@pytest.mark.parametrize(
    ("lines", "plan", "withheld"),
    [
        (["F6", "if G7 H8", "Hello!"], "if G7 H8 Hello!", 2),
        (["F6", "if G7 thn H8", "", "Hello!"], "if G7 thn H8", 2),
        (["F6", "if G7 then H8", "if J8 than K8", "", "else pass", "Hello!"],
         "if G7 then H8; if J8 than K8", 4),
        (["F6 if G7 then H8, if H7", "than G8; else pass"],
         "if G7 then H8, if H7 than G8; else pass", 1),
        (["if G7 then H8, if H7", "than G8; else pass"],
         "if G7 then H8, if H7 than G8; else pass", 1),
        (["S42", "T40 if S43 T41 then A40 A41"], "if S43 T41 then A40 A41", 1),
        (["F6 if you like", "Hello!"], "if you like Hello!", 1),
    ],
)  # fmt: skip
def test_what_stands_behind_a_plan_that_is_not_clear_is_no_comment(
    lines: list[str], plan: str, withheld: int
) -> None:
    """It is refused, and nobody else sees it."""
    reply = read_reply("Re: board", True, lines, Star)
    (command,) = reply.commands
    assert not isinstance(command, Exception), command
    assert (command["plan"], reply.comment, reply.withheld) == (plan, "", withheld)


MOVE = "star move 17 alice s3cret F6"


@pytest.mark.parametrize(
    "said",
    [
        read_reply("F6", False, ["if G7 then H8", "else pass", "Hello!"], Star),
        read_reply(MOVE, False, ["", "if G7 then H8", "else pass", "", "Hello!"], Star),
        read_reply("Re: board", True, [MOVE, "if G7 then H8; else pass", "Hello!"], Star),
        split(MOVE, False, ["if G7 then H8", "", "else pass", "Hello!"]),
        split(f"{MOVE} if G7 then H8", False, ["", "else pass", "Hello!"]),
        split("multiple", False, [MOVE, "if G7 then", "H8; else pass", "star games", "Hello!"]),
        split(
            "multiple", False, [f"{MOVE} if G7", "then H8; else", "pass", "star games", "Hello!"]
        ),
    ],
)
def test_a_plan_below_a_move_is_no_comment_wherever_the_move_stands(said: Split) -> None:
    """A tapped move is a Subject: what stood below it, a plan too, went to the opponent."""
    command = said.commands[0]
    assert not isinstance(command, Exception)
    assert (command["move"], command["plan"]) == (["F6"], "if G7 then H8; else pass")
    assert said.comment == "Hello!"


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
    known = said.comment.split("\n")
    assert set(known) <= {"", "Good luck!", "Hello!"}
    command = said.commands[0]
    if not (slip or said.withheld or isinstance(command, Exception)):
        assert plan_of(command["plan"]) == plan_of(text)


def test_a_plan_as_the_subject() -> None:
    (command,) = read_reply("F6 if G7 then H8", False, ["Hello!"], Star).commands
    assert not isinstance(command, Exception)
    assert (command["move"], command["plan"]) == (["F6"], "if G7 then H8")


def test_an_outline_names_how_deep_an_answer_stands() -> None:
    plan = plan_of("if H10 then J9, if J8 then I8, else K7")
    assert outline(plan, 7) == [
        "Your 1st answer: if H10#7 then J9#8",
        "  Your 2nd answer: if J8#9 then I8#10",
        "    Your 3rd answer: to anything else K7#12",
    ]
