"""The reference pages say what the program is: each was made from it, and everything in it has a meaning."""

from __future__ import annotations

import doctest
import json
import re
from pathlib import Path

import pytest
from reference import found, keys, make, meanings, sample

from pbmstar import games
from pbmstar.match import begin
from pbmstar.match.terms import TERMS
from pbmstar.render.board.view import status

TESTS = Path(__file__).parents[1]
pytestmark = pytest.mark.usefixtures("queue")


@pytest.mark.parametrize("name", make.PAGES)
def test_a_page_is_what_the_program_is(name: str, request: pytest.FixtureRequest) -> None:
    """After a change of the program: pytest tests/reference --renew, and read the difference."""
    if request.config.getoption("--renew"):
        (make.FOLDER / f"{name}.md").write_text(make.page(name))
    assert (make.FOLDER / f"{name}.md").read_text() == make.page(name)


def test_the_example_of_the_library_says_what_it_says() -> None:
    text = (make.FOLDER / "games.md").read_text()
    examples = "\n".join(re.findall(r"(?ms)^```pycon\n(.*?)^```$", text))
    test = doctest.DocTestParser().get_doctest(examples, {}, "games.md", None, 0)
    assert len(test.examples) > 15
    runner, told = doctest.DocTestRunner(), list[str]()
    runner.run(test, out=told.append)
    assert not told, "".join(told)


def test_there_is_no_other_page() -> None:
    assert {path.stem for path in make.FOLDER.iterdir()} == make.PAGES.keys()


def test_every_event_of_the_log_has_a_meaning() -> None:
    logged = found.logged()
    assert {each.event for each in logged} | meanings.NAMED_BY_A_VALUE == meanings.EVENTS.keys()
    for each in logged:
        assert each.facts <= meanings.EVENTS[each.event].facts.keys(), each


def test_every_outcome_of_a_message_has_a_meaning() -> None:
    outcomes = found.outcomes()
    assert outcomes.keys() <= meanings.OUTCOMES.keys()
    for outcome, reasons in outcomes.items():
        assert reasons <= meanings.REASONS.get(outcome, {}).keys(), outcome
    program = {reason for reasons in outcomes.values() for reason in reasons}
    told = {reason for reasons in meanings.REASONS.values() for reason in reasons}
    made = {"no cell", "null sender", "a feature's name", "no and a feature's name"}
    made |= {"report and its type"}
    assert told == program | made | (found.automatic() - meanings.QUIET)
    assert found.limits() == meanings.LIMITS.keys()


def test_every_header_of_ours_has_a_meaning() -> None:
    assert found.headers() == meanings.HEADERS.keys()


def test_each_code_has_a_sentence() -> None:
    codes = found.codes()
    assert all(re.fullmatch(r"[a-z0-9-]+|[a-z-]+-\{\w+\}|\{\w+\}-[a-z-]+", name) for name in codes)
    assert {name for name, sentence in codes.items() if not sentence} <= meanings.CODES.keys()
    assert meanings.CODES.keys() <= codes.keys()


def test_a_code_that_is_not_on_the_page_is_noticed() -> None:
    """By every test that hands in a message: see ``Office.deliver_to``."""
    assert meanings.unknown_codes(("no-board", "missing-move", "no-such-code", "cup-game")) == [
        "no-such-code"
    ]


def test_terms_of_a_challenge_have_a_meaning() -> None:
    assert TERMS.keys() == meanings.TERMS.keys()


def subjects() -> set[str]:
    """All Subjects in the scripts of the tests."""
    told = set()
    for path in TESTS.rglob("*.mails"):
        for line in path.read_text().splitlines():
            if line.startswith("< ") and ": " in line:
                told.add(line.partition(": ")[2].partition(" | ")[0].strip())
    return told


# No script shows these.
SEEN_ELSEWHERE = {
    "Star news: WORDS",
    "Star: for invited players",
    "Star: no account yet",
    "Star: no more mail",
    "Star: probe",
}


def test_every_subject_is_on_the_page() -> None:
    """Each that a script of the tests shows is in a row, and each row is one that a script shows."""
    seen = set()
    for subject in subjects():
        rows = meanings.is_subject(subject)
        assert rows, subject
        seen |= rows
    assert meanings.SUBJECTS.keys() - seen == SEEN_ELSEWHERE


def test_the_text_part_has_its_parts_in_order() -> None:
    letters = make.sent()
    lines = letters["move"].text.splitlines()
    at = 0
    for name, part, _ in meanings.PARTS:
        places = [n for n, line in enumerate(lines) if re.fullmatch(part, line) and n >= at]
        if name != "options" or places:
            assert places, name
            at = places[0]


def test_each_status_is_like_its_pattern() -> None:
    (pattern,) = (part for name, part, _ in meanings.PARTS if name == "the status")
    game, solved = games.make("star", {"size": 3}), games.make("minisolitaire", {})
    match = begin(1, game, ("anna", "carl"), 0.0)
    alone = begin(2, solved, ("anna",), 0.0)
    over = [
        match.after("anna", each, 0.0) for each in ("resign", "agree 7 6", "agree draw", "cancel")
    ]
    for each in (match, *over, alone, alone.after("anna", "resign", 0.0)):
        assert re.fullmatch(pattern, status(each, past=False)), status(each, past=False)


def test_json_has_keys_with_a_meaning() -> None:
    """Each command with --json is on the page, and each key that is described is one that is printed."""
    asking = {
        name
        for name, command in make.leaves(make.main)
        if any("--json" in option.opts for option in command.params)
    }
    assert asking == keys.PRINTS.keys() == make.printed().keys()
    printed = {(command, path) for command, types in make.printed().items() for path in types}
    assert not {each for each in keys.OWN if each[0] != "admin twins"} - printed
    used = {path.rpartition(".")[2].removesuffix("[]") for _, path in printed}
    assert keys.SHARED.keys() - used == set()
    analysed = {key for told in sample.analysed().values() for key in told}
    assert analysed == keys.ANALYSE.keys()


def test_a_key_that_is_not_described_is_noticed() -> None:
    with pytest.raises(LookupError, match="colour of config: write in"):
        make.meaning("config", "colour")
    assert json.dumps(sample.analysed())
