"""Plain English in documents, help pages, letters and docstrings: how a docstring begins, words to avoid."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path

import pytest
from syntax import HOUSE

CHECKOUT = HOUSE.parent
MODULES = sorted(path for path in HOUSE.rglob("*.py"))
# A reader stumbles over these: each has a plain form, which CONTRIBUTING.md names.
AVOIDED = re.compile(
    r"\b(?:whoever|but for|hang together|how many-th|as ever|come about|all the same|begun anew"
    r"|mend(?:s|ed|ing)?|puts? (?:\w+ )?off|of (?:before|now)|(?:clocks?|time) stands?|which is the most)\b",
    re.I,
)
# Over the ends of lines. Mail is a mass noun: people send messages, we send letters.
AVOIDED_IN_ALL = re.compile(
    r"(?<!there )\bis no (?!longer\b|more\b|less\b)\w+"
    r"|\ba mail\b(?! (?:program|server|address|client|system|domain|host|script|queue|provider))",
    re.I,
)
# What people write who think in another language. Each of these has a plain form, named behind it. The habits that a
# page may have in moderation are printed by tests/bench/rates.py.
FOREIGN = {
    # "waiting letters", "boards waiting for you"
    "that wait": r"\b(?:letters?|boards?|turns?|mail|offers?|work|messages?|others|rows|players?)"
    r" (?:that|which|who) waits?\b",
    "at once": r"\bat once\b",  # right away; at the same time
    "figures": r"\bfigures?\b",  # numbers, metrics
    "mail program": r"\bmail programs?\b",  # email app, mail client
    "mail me": r"\bmails? (?:you|me|him|them|both|all|where|what|who|out)\b",  # send me, show me
    "needs no": r"\bneeds? (?:not|no|nothing)\b",  # you don't need
    "from then on": r"\bfrom (?!now\b)(?:the )?(?:[A-Z0-9]\w*|bot\d+|then|there|\d+ (?!play)\w+|start|first|move"
    r"|beginning) on\b(?! your)",  # after that; starting with
    "text alone": r"\b(?:text|mail|LMTP|city|word|opponent|first|you|one|address|chains|dashes|log|DNS|reader)"
    r" alone\b",  # only, just
    "in place of": r"\bin (?:the )?place of\b",  # instead of
    "beside": r"\bbeside\b",  # next to, compared with
    "less 2": r"\bless (?:the|\d+)\b|\bfurther\b|\bone after (?:the other|another)\b",  # minus; more; in a row
    "exchange seats": r"\bexchange[sd]? (?:the )?seats\b|\bseats exchanged\b",  # swap sides
}
_FOREIGN = re.compile("|".join(FOREIGN.values()), re.I)
PAGES = [
    *CHECKOUT.glob("*.md"),
    CHECKOUT / "tests" / "README.md",
    *(CHECKOUT / ".github").rglob("*.md"),
    # Those of the reference are made from the program.
    *(path for path in (CHECKOUT / "docs").rglob("*.md") if path.parent.name != "reference"),
]
TEXTS = sorted(
    path
    for folder in ("docs", "help", "templates")
    for path in (CHECKOUT / folder).rglob("*")
    if path.suffix in (".md", ".txt", ".html")
) + sorted(path for path in CHECKOUT.glob("*.md") if path.name != "CONTRIBUTING.md")


# A docstring stands at the beginning of a line.
_QUESTION = re.compile(r'(?m)^ *r?"""\s*(?:What|Who|Whoever|Which|Where|How|Whether|When)\b.*')


def test_a_docstring_begins_with_the_actor() -> None:
    for path in MODULES:
        assert not _QUESTION.findall(path.read_text()), path


def test_texts_and_the_program_use_plain_words() -> None:
    for path in (*TEXTS, *MODULES):
        found = [line for line in path.read_text().splitlines() if AVOIDED.search(line)]
        assert not found, f"{path.relative_to(CHECKOUT)}: {found}"


def prose(path: Path) -> str:
    """Return a page without code, addresses of links, and descriptions of pictures."""
    text = re.sub(r"(?ms)^ *```.*?^ *```$|<!--.*?-->|!\[.*?\]", "", path.read_text())
    return " ".join(re.sub(r"`[^`]*`|(?<=\])\([^)]*\)", " ", text).split())


@pytest.mark.parametrize(
    "path", [*PAGES, *(CHECKOUT / "help").glob("*.txt")], ids=lambda path: path.name
)
def test_no_page_is_thought_in_another_language(path: Path) -> None:
    assert not [found[0] for found in _FOREIGN.finditer(prose(path))]


def test_each_fact_stands_on_one_page() -> None:
    """No ten words in a row stand on two pages; what a change must say in both is a link in one."""
    where = defaultdict[tuple[str, ...], set[str]](set)
    for path in PAGES:
        if path.name == "CHANGELOG.md":  # it tells what is new on the others
            continue
        words = re.findall(r"[a-z0-9']+", prose(path).lower())
        for at in range(len(words) - 9):
            where[tuple(words[at : at + 10])].add(path.relative_to(CHECKOUT).as_posix())
    twice = {" ".join(words): sorted(pages) for words, pages in where.items() if len(pages) > 1}
    assert not twice


def test_something_is_not_and_mail_is_a_mass_noun() -> None:
    for path in (*TEXTS, *MODULES):
        text = " ".join(re.sub(r"(?m)^\s*#", "", path.read_text()).split())
        assert not AVOIDED_IN_ALL.findall(text), path.relative_to(CHECKOUT)
