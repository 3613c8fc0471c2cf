"""The sentence, verb, game and feature of CONTRIBUTING.md and its pages, made in a copy as they are printed."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from readme import CHECKOUT, PAGES

from pbmstar.store.database import HEAD

CONTRIBUTING = "CONTRIBUTING.md"
# Each change: the page that prints it, and the heading above it; without one it is the whole page.
CHANGES = {
    "sentence": (CONTRIBUTING, "Change one sentence"),
    "verb": (CONTRIBUTING, "Your first verb"),
    "game": ("docs/how-to/add-a-game.md", ""),
    "feature": ("docs/how-to/add-a-feature.md", ""),
}
# What compares the whole program with a list of it, what plays each game, what shows each letter and what reads
# each command. Other tests name the verbs, games and features that they're about: one more changes none of them.
WHOLE = (
    *("cli", "command", "games", "languages", "mails", "reference", "render", "store"),
    *("features/applause", "features/test_seam.py", "features/website/test_pages.py"),
    *("service/test_accounts.py", "service/test_functions.py", "service/test_lifecycle.py"),
    "service/test_renaming.py",
)
# What other tests write meanwhile may be gone before it is copied.
PASSING = (".hypothesis", "*.pyc.*", ".*_cache")
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "build", "spool", "*.egg-info", *PASSING)


def section(change: str, newest: int = int(HEAD)) -> str:
    """Return the text that prints a change.

    It has words instead of the number of the newest migration and of the one after it: both grow.
    """
    page, heading = CHANGES[change]
    text = PAGES[page]
    if heading:
        _, there, rest = text.partition(f"\n## {heading}\n")
        assert there, heading
        text = rest.partition("\n## ")[0]
    return text.replace("NNNN", f"{newest + 1:04}").replace("MMMM", f"{newest:04}")


def patched(text: str, copy: Path, *options: str) -> str:
    """Make the changes of a section in a copy, and return what git has against that."""
    patch = "".join(re.findall(r"(?ms)^```diff\n(.*?)^```$", text))
    command = ["git", "apply", *options, "-"]
    done = subprocess.run(
        command, cwd=copy, input=patch, text=True, capture_output=True, check=False
    )
    return done.stderr if done.returncode else ""


def new_files(text: str) -> list[tuple[str, str]]:
    """Return the path and the content of each new file of a section."""
    return re.findall(r"(?ms)^New, `([^`]+)`:\n\n```\w+\n(.*?)^```$", text)


def apply(text: str, copy: Path) -> None:
    """Make each new file and each change of a section in a copy."""
    for path, content in new_files(text):
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        (copy / path).write_text(content)
    assert not patched(text, copy)


def checked(copy: Path, module: str, *words: str) -> None:
    """Run a module that looks at a copy; it finds the copy's program, whatever is installed."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    command = [sys.executable, "-m", module, *words]
    done = subprocess.run(
        command, cwd=copy, env=environment, text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def passes(copy: Path, *words: str) -> None:
    """Run tests of a copy."""
    checked(copy, "pytest", "-q", "-p", "no:cacheprovider", *words)


def _runs(copy: Path, program: str) -> None:
    """Run a program of the tests of a copy."""
    environment = {**os.environ, "PYTHONPATH": f"{copy}:{copy / 'tests'}"}
    subprocess.run(
        [sys.executable, program], cwd=copy, env=environment, check=True, capture_output=True
    )


def _as_before(copy: Path) -> list[str]:
    """Return the scripts that are in a copy as they are here."""
    scripts = list((CHECKOUT / "tests").rglob("*.mails"))
    golden = [*scripts, *(path.with_suffix(".letters") for path in scripts)]
    changed = {
        path.stem
        for path in golden
        if path.exists() and (copy / path.relative_to(CHECKOUT)).read_bytes() != path.read_bytes()
    }
    return [path.stem for path in scripts if path.stem not in changed]


@pytest.mark.slow
@pytest.mark.xdist_group("contributing")
def test_a_verb_a_game_and_a_feature_are_added_as_the_page_says(tmp_path: Path) -> None:
    """What the page says to renew is renewed; then linters, types and the tests that a new part can break pass.

    They run in one process: to load and to prepare what they share twice takes longer than waiting.
    """
    copy = tmp_path / "copy"
    shutil.copytree(CHECKOUT, copy, ignore=LEFT_OUT)
    (copy / "spool").mkdir()
    told = "".join(map(section, CHANGES))
    apply(told, copy)
    sentence, verb = re.findall(r"(?m)^\.venv/bin/python -m pytest -q (.* --renew)$", told)
    assert set(sentence.split()) <= set(verb.split())  # which renews more
    programs = ("tests/languages/catalogs.py", "tests/reference/make.py")
    places = [told.rindex(f".venv/bin/python {program}\n") for program in programs]
    assert places[0] < places[1] < told.index(verb)
    for program in programs:
        _runs(copy, program)
    passes(copy, *verb.split())
    assert "Only you can see it." in (copy / "tests/mails/notes.mails").read_text()
    assert (
        "It is alice's turn on board 1, for 2 days now."
        in (copy / "tests/mails/whose.mails").read_text()
    )
    assert (
        "bob has been applauded for 1 game now."
        in (copy / "tests/features/applause/applause.mails").read_text()
    )
    checked(copy, "ruff", "check", ".")
    checked(copy, "ruff", "format", "--check", ".")
    if (CHECKOUT / ".mypy_cache").exists():  # what it knows of all other modules is still true
        shutil.copytree(CHECKOUT / ".mypy_cache", copy / ".mypy_cache")
    checked(copy, "mypy")
    # To renew a script is to play it: one that stayed as it was would now be played again.
    script = "tests/mails/test_scripts.py::test_script"
    as_before = [f"--deselect={script}[{name}]" for name in _as_before(copy)]
    assert as_before
    passes(copy, *as_before, *(f"tests/{part}" for part in WHOLE))


@pytest.mark.parametrize("change", CHANGES)
def test_the_changes_of_the_page_fit_the_files(change: str) -> None:
    """Or they are made already, in the copy of the test above: then its newest migration is the page's."""
    trouble = patched(section(change), CHECKOUT, "--check")
    made = section(change, int(HEAD) - 1)
    assert not trouble or not patched(made, CHECKOUT, "--check", "--reverse"), trouble


def test_what_the_page_says_to_run_is_there() -> None:
    told = "".join(map(section, CHANGES))
    folders = re.findall(r"\btests/\w+(?:/\w+\.\w+)?", " ".join(told.split()))
    new = {path for path in folders if f"New, `{path}" in told}
    missing = {path for path in folders if not (CHECKOUT / path).exists()} - new
    assert "tests/command" in folders and not missing


@pytest.mark.parametrize("change", CHANGES)
def test_what_the_new_files_import_is_there(change: str) -> None:
    """What they import from files that are not new."""
    files = dict(new_files(section(change)))
    for path, content in files.items():
        if not path.startswith("pbmstar/"):
            continue
        for node in ast.walk(ast.parse(content)):
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            folder = Path(path).parents[node.level - 1]
            place = folder / (node.module or "").replace(".", "/")
            if f"{place}.py" in files or place == Path(path).parent:
                continue
            module = import_module(".".join(place.parts))
            assert all(hasattr(module, each.name) for each in node.names), ast.unparse(node)
