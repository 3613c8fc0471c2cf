"""Every sentence of a letter is written once, in one template or in Python."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pbmstar

TEMPLATES = Path(pbmstar.__file__).parents[1] / "templates"
CODE = Path(pbmstar.__file__).parent
JINJA = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}", re.DOTALL)
TAG = re.compile(r"<style>.*?</style>|<[^>{}]*>", re.DOTALL)
TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
WORD = re.compile(r"[A-Za-z][\w'@.-]*")
STYLE = re.compile(r"[a-z-]+:\S*\d")
SUBJECT = re.compile(r"\ASubject: .*\n")
ENDS = re.compile(r"[.!?](?=\s|$)|\0|\n\s*\n")
LONG = 4  # words of a run that counts as a sentence, or as its part between two values


def runs(prose: str) -> Iterator[str]:
    """Yield the runs of words between ends of sentences, in lower case."""
    for run in ENDS.split(prose):
        words = WORD.findall(run.lower())
        if len(words) >= LONG:
            yield " ".join(words)


def of_template(text: str) -> Iterator[str]:
    """Yield the runs of a template below its Subject: prose without tags, and texts within its Jinja."""
    text = SUBJECT.sub("", text)
    for code in JINJA.findall(text):
        for said in TEXT.findall(code):
            if not STYLE.match(said):
                yield from runs(TAG.sub("\0", said))
    yield from runs(TAG.sub("\0", JINJA.sub("\0", text)))


def of_module(text: str) -> Iterator[str]:
    """Yield the runs of the texts of a module, which are no docstrings."""
    tree = ast.parse(text)
    docstrings = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and isinstance(each.value, str):
            yield from () if id(each) in docstrings else runs(each.value)


def modules() -> Iterator[Path]:
    """Yield the modules with sentences of letters."""
    yield from (CODE / "render").rglob("*.py")
    for name in ("happenings", "facts", "letters"):
        yield from (CODE / "features").rglob(f"{name}.py")


def test_no_sentence_of_a_letter_is_written_twice() -> None:
    """Neither in two templates, such as those of its text and its HTML, nor in one and in Python."""
    where = defaultdict(set)
    for path in TEMPLATES.rglob("*.*"):
        if "pages" not in path.parts:  # those are of the website
            for run in of_template(path.read_text()):
                where[run].add(path.relative_to(TEMPLATES).as_posix())
    for path in modules():
        for run in of_module(path.read_text()):
            where[run].add(path.relative_to(CODE).as_posix())
    twice = {run: sorted(files) for run, files in where.items() if len(files) > 1}
    assert not {run: f for run, f in twice.items() if any(each[-3:] != ".py" for each in f)}
