"""Plain English in documents, help pages, letters and docstrings: how a docstring begins, words to avoid."""

from __future__ import annotations

import re

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


def test_something_is_not_and_mail_is_a_mass_noun() -> None:
    for path in (*TEXTS, *MODULES):
        text = " ".join(re.sub(r"(?m)^\s*#", "", path.read_text()).split())
        assert not AVOIDED_IN_ALL.findall(text), path.relative_to(CHECKOUT)
