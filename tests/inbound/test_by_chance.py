"""Mails made of random pieces: what is quoted stays quoted, and a command stays whole or disappears."""

from __future__ import annotations

from harness.tables import blocks, unescape
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pbmstar.inbound import phrases, quotes
from pbmstar.inbound.lines import own

from .written import MOVE, NAMES, OLD, TABLES, lines

PREFIXES = [
    unescape(row, NAMES)
    for block in blocks(TABLES / "own_lines.txt", "body ")
    if block.title.startswith("C19: ")
    for row, _ in block.rows
]
ATTRIBUTIONS = [
    unescape(row, NAMES)
    for block in blocks(TABLES / "attributions.txt", "body ")
    for row, _ in block.rows
]
OWN = ["F6", "*30", MOVE, "nice move", "Hi Bob,", "", "pass", "star show 1", "½ – “x”"]
SPACES = ["", " ", "\u00a0", "\u200b", "\ufeff", "\t"]
TITLE = "Summary of Star Board 17"
ENDS = [
    *(f"{attribution}\n\n{TITLE}\n{OLD}" for attribution in ATTRIBUTIONS),
    f"-- \n{OLD}", f"\u2014\n{OLD}", f"-----Original Message-----\nFrom: Star\n\n{OLD}",
    f"From: Star\nSent: Tuesday\n\n{TITLE}\n{OLD}", f"*Von:* Star\n*Gesendet:* Dienstag\n\n{TITLE}\n{OLD}",
    f"Begin forwarded message:\n\n{OLD}", f"{TITLE}\n{OLD}", f"stop\n{OLD}",
]  # fmt: skip
space, prefix = st.sampled_from(SPACES), st.sampled_from(PREFIXES)
quote = st.builds(lambda space, prefix: space + prefix + OLD, space, prefix)


@settings(max_examples=2 * settings.default.max_examples, deadline=None, derandomize=True)
@given(
    told=st.lists(st.tuples(st.sampled_from(OWN), st.lists(quote, max_size=3)), max_size=6),
    blank=st.sampled_from(["", "\n", "\n\n"]),
    space=space,
    end=st.sampled_from(ENDS),
    cte=st.sampled_from(["8bit", "base64", "quoted-printable"]),
)
def test_what_is_quoted_is_never_an_own_line(told, blank, space, end, cte):
    """All own lines in their order, and nothing of what programs put around them."""
    assume(any(own for own, _ in told) or not end.startswith("stop"))  # it is an own word there
    above = "\n".join("\n".join([own, *quotes]) for own, quotes in told)
    found = lines(f"{above}\n{blank}\n{space}{end}", cte=cte)
    assert [line for line in found if line] == [own for own, _ in told if own]


FIELDS = [
    "From: a",
    "Von: b",
    "Date: 3 Nov 2026",
    "Subject: Star",
    "To\uff1a c",
    "3: F6",
    "talk",
    "",
]
PIECES = [
    "d@e.example", "%40e.example", TITLE, "Resumen de Star tablero 3", "\u00b7 Brett 4", "my board 5",
    "On 3 Nov 2026, 12:30:", "\uff1e x", "\u2502 x", *FIELDS,
]  # fmt: skip
body = st.sampled_from([FIELDS, PIECES]).flatmap(
    lambda pieces: st.lists(st.sampled_from(pieces), max_size=7)
)


@example([" " * 2_001 + "> x"])
@given(body)
def test_a_quotation_is_found_with_and_without_a_further_sign_of_one(body):
    """A text without any sign is not looked at further: nothing would be found there."""
    marked = quotes.find(["1 > 0", *[""] * 4, *body], "e.example", "a@b.example", "Star Board 17")
    found = quotes.find(body, "e.example", "a@b.example", "Star Board 17")
    assert marked == (
        found.end + 5,
        {at + 5 for at in found.around},
        found.last + 5 * (found.last >= 0),
        True,
    )
    assert found.has_marks or not any(map(quotes.QUOTED.match, body))


@example("with our all the kindest wishes", ",")
@given(
    st.from_regex("|".join(phrases.CLOSINGS), fullmatch=True), st.sampled_from(("", ",", "!", "."))
)
def test_closing_words_of_any_length(closing: str, mark: str) -> None:
    """The words that close a letter end it in each of their forms, however many words that are."""
    assert own(["A good move.", f"{closing}{mark}", "Alice"]).lines == ("A good move.",)


DECORATIONS = [
    "{}", " {}", "{} ", "\u200b{}", "{}\u00a0", "\ufeff{}", "{}\t", "> {}", "| {}", "-- \n{}", "hi\n{}",
    "{}\nbye", "{}\n-- \nAlice", "{}\n\n> x", "> x\n\n{}", "On 3 Nov 2026, x wrote:\n{}",
    "{}\nSent from my iPhone", "_____\nEXTERNAL\n_____\n{}", "----- x -----\n{}", "Thanks\n{}", "{}\r",
    "a \r\n{}", "From: a\nTo: b\n{}",
]  # fmt: skip
COMMANDS = [
    MOVE, "*star move 3 bob p*ss_w,rd *30*", "starstar move 3 bob x>y|z A1#12",
    "star challenge -size=6 a b",
]  # fmt: skip


@settings(max_examples=3 * settings.default.max_examples, deadline=None, derandomize=True)
@given(
    command=st.sampled_from(COMMANDS),
    decorations=st.lists(st.sampled_from(DECORATIONS), max_size=5),
    flowed=st.booleans(),
)
def test_a_command_survives_whole_or_disappears(command, decorations, flowed):
    """No decoration turns a command into another one."""
    body = command
    for decoration in decorations:
        body = decoration.format(body)
    kind = "text/plain; charset=utf-8" + ("; format=flowed" if flowed else "")
    for line in lines(body, kind=kind):
        if command[:9] in line:
            bare = line.strip()
            assert command in bare if flowed else bare == command
