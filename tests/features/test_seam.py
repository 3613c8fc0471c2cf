"""The law of features: core names none of them, and works without any one of them."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from harness.common import sentence
from harness.letters import PASSWORD
from harness.office import Office
from needs import needed

from pbmstar.cli import doctor
from pbmstar.parts import FEATURES
from pbmstar.service.work.feature import Feature
from pbmstar.service.work.feature import features as every_feature

ROOT = Path(__file__).parent.parent.parent
HOUSE = ROOT / "pbmstar"
FOLDER = HOUSE / "features"
_IMPORTED = re.compile(r"(?m)^\s*(?:from|import) (\S+)(?: import ([^\n(]+|\([^)]*\)))?")


def imported(path: Path) -> set[str]:
    """Return the full names of what a module imports."""
    package = ["pbmstar", *path.relative_to(HOUSE).parent.parts]
    found = set()
    for start, names in _IMPORTED.findall(path.read_text()):
        dots = len(start) - len(start.lstrip("."))
        stem = ".".join([*package[: len(package) + 1 - dots], start[dots:]]) if dots else start
        found |= {f"{stem.rstrip('.')}.{name.strip()}" for name in names.strip("()").split(",")}
    return found


def features_in(path: Path) -> set[str]:
    """Return the features that a module imports."""
    names = {name.split(".")[2] for name in imported(path) if name.startswith("pbmstar.features.")}
    return names & set(FEATURES)


def test_each_folder_is_a_feature() -> None:
    folders = {path.parent.name for path in FOLDER.glob("*/__init__.py")}
    assert folders == set(FEATURES)
    assert all(each.title for each in every_feature())
    assert not any("name" in vars(type(each)) for each in every_feature())  # it's the folder's


def test_no_two_features_have_addresses_for_the_same() -> None:
    """Mail to one would be answered by the first of them alone."""
    purposes = [str(purpose) for each in every_feature() for purpose in each.answers]
    assert len(purposes) == len(set(purposes)) > 4


def test_a_feature_answers_only_what_core_asks() -> None:
    """An answer by a name that no question has would never be heard."""
    for each in every_feature():
        own = {name for name in vars(type(each)) if not name.startswith("_")}
        assert own <= set(vars(Feature)), each.name


CORE = [
    path
    for path in sorted(HOUSE.rglob("*.py"))
    if FOLDER not in path.parents and "migrations" not in path.parts
]


def test_core_imports_no_feature() -> None:
    for path in (*CORE, *FOLDER.glob("*.py")):
        assert not features_in(path), path


def test_a_feature_imports_only_those_that_it_needs() -> None:
    needs = {name: {name, *parts.needs} for name, parts in FEATURES.items()}
    for name in FEATURES:
        for path in (FOLDER / name).rglob("*.py"):
            assert features_in(path) <= needs[name], path
        assert not needs[name] - set(FEATURES)


def test_a_feature_that_is_switched_off_says_so_and_keeps_its_data(
    database: str, tmp_path: Path
) -> None:
    office = Office(database, tmp_path / "spool")
    office.run("admin", "ladder", "open", "star", "-size=3")
    office.send("alice", f"ladder join star alice {PASSWORD['alice']}")
    office.close()
    office = Office(database, tmp_path / "spool", (), without="ladder")
    (letter,) = office.send("alice", "ladder table star")
    assert sentence("not offered", "ladders") in letter.text
    office.close()
    office = Office(database, tmp_path / "spool", ())
    (letter,) = office.send("alice", f"ladder leave star alice {PASSWORD['alice']}")
    assert "You've left the ladder." in letter.text
    office.close()


@pytest.mark.parametrize("off", ["ladder", "contests"])
def test_the_operator_too_is_told_that_a_feature_is_off(
    database: str, tmp_path: Path, off: str
) -> None:
    """Also of one that needs another one; its help is there all the same."""
    office = Office(database, tmp_path / "spool", (), without=off)
    done = office.run("admin", "ladder", "show", "star")
    assert done.exit_code == 1
    assert "ladder is switched off here, by the key without." in done.output
    assert "Open the ladder of a game" in office.run("admin", "ladder", "open", "--help").output
    assert f"switched off: {off}" in office.run("admin", "status").output
    assert "ladder" in office.facts("admin", "status")["switched_off"]
    found = doctor.examine(office.config, lambda *_: [], office.now)
    assert any(each.what.startswith(f"switched off: {off}") for each in found)
    office.close()


def test_the_data_of_a_feature_stay_true_while_it_is_switched_off(
    database: str, tmp_path: Path
) -> None:
    """A challenge that ends then counts, and who closes the account is off the ladder."""
    office = Office(database, tmp_path / "spool", ("alice", "bob", "carol"))
    office.run("admin", "ladder", "open", "star", "-size=3")
    for who in ("alice", "bob", "carol"):
        office.send(who, f"ladder join star {who} {PASSWORD[who]}")
    office.send("bob", f"ladder challenge star bob {PASSWORD['bob']} alice")
    office.close()
    office = Office(database, tmp_path / "spool", (), without="ladder")
    office.play(1, "B3", "C3", "resign")
    office.send("carol", f"signoff carol {PASSWORD['carol']}")
    assert office.run("admin", "check").exit_code == 0
    office.close()
    office = Office(database, tmp_path / "spool", ())
    rungs = office.facts("admin", "ladder", "show", "star")
    assert [rung["userid"] for rung in rungs] == ["bob", "alice"]
    office.close()


# Parts of core that ask no feature: their tests can't notice that one is gone.
_DEAF = ("delivery", "games", "inbound")
# Tests of the others: whatever compares the whole program with a list of it, or with what was released, is not here.
_OF_CORE = (
    "command", "identity", "intake", "mails", "match", "render", "service", "store"
)  # fmt: skip
_OF_THE_WHOLE = ("render/test_documents.py", "render/test_seen.py", "store/test_migrations.py")
# What asks the rules of one feature alone: it can't notice that another one is gone. And what is slow as a whole.
_NOT_RUN = ("problem/test_rules.py", "website/test_cup_page.py")
# The pages whose examples are of several features.
_HELP = {
    **dict.fromkeys(("cup", "ladder", "league", "problem", "contests"), "contests"),
    **dict.fromkeys(("playout", "postcard", "watching"), "games"),
}


def test_parts_whose_tests_run_with_all_features_ask_none() -> None:
    asked = {"pbmstar.parts", "pbmstar.service.work.feature"}
    for path in (path for part in _DEAF for path in (HOUSE / part).rglob("*.py")):
        assert not {name.rpartition(".")[0] for name in imported(path)} & asked, path


def without(gone: set[str], copy: Path) -> None:
    """Copy the checkout without these features: without their folders, and without their names.

    What is compiled is copied, too: it is of files of the same age.
    """
    # What other tests write meanwhile may be gone before it is copied.
    passing = (".hypothesis", "*.pyc.*")
    ignored = shutil.ignore_patterns(".git", ".venv", ".*_cache", "*.egg-info", *passing)
    shutil.copytree(ROOT, copy, ignore=ignored)
    for name in gone:
        for folder in ("pbmstar/features", "tests/features", "templates"):
            shutil.rmtree(copy / folder / name, ignore_errors=True)
        (copy / "help" / f"{_HELP.get(name, name)}.txt").unlink(missing_ok=True)
    parts = copy / "pbmstar" / "parts.py"
    lines = rf"""(?ms)^    "(?:{"|".join(gone)})": _parts\(.*?\),\n(?=    "|\}})"""
    left, count = re.subn(lines, "", parts.read_text())
    assert count == len(gone)
    parts.write_text(left)


def passes(copy: Path, *tests: str) -> None:
    """Run tests in a copy, and show the end of what they print if any fails."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    ran = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.mark.slow
@pytest.mark.xdist_group("without any")
def test_core_passes_its_tests_without_any_feature(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    without(set(FEATURES), copy)
    ignored = [f"--ignore=tests/{each}" for each in _OF_THE_WHOLE]
    passes(copy, *ignored, *(f"tests/{each}" for each in _OF_CORE))


def with_needs(names: Iterable[str]) -> frozenset[str]:
    """Return features with those that they need."""
    return frozenset(names).union(*(with_needs(FEATURES[name].needs) for name in names))


def by_needs() -> dict[frozenset[str], list[str]]:
    """Return the tests and the scripts of features, by all the features that they need.

    Scripts lie with their features, and are played from another folder.
    """
    found: dict[frozenset[str], list[str]] = {}
    for path in sorted((ROOT / "tests" / "features").glob("*/*")):
        if path.suffix == ".mails":
            test = f"tests/mails/test_scripts.py::test_script[{path.stem}]"
        elif path.match("test_*.py") and not any(map(path.match, _NOT_RUN)):
            test = str(path.relative_to(ROOT))
        else:
            continue
        left = with_needs({path.parent.name, *needed(path)} & set(FEATURES))
        found.setdefault(left, []).append(test)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left", "tests"),
    [
        pytest.param(left, tests, marks=pytest.mark.xdist_group(f"only {name}"), id=name)
        for left, tests in by_needs().items()
        for name in (" ".join(sorted(left)),)
    ],
)
def test_each_feature_passes_its_tests_without_each_other(
    left: frozenset[str], tests: list[str], tmp_path: Path
) -> None:
    """Each test once, without all features but those that it needs."""
    copy = tmp_path / "copy"
    without(set(FEATURES) - left, copy)
    assert {path.parent.name for path in (copy / "pbmstar/features").glob("*/__init__.py")} == left
    passes(copy, *tests)
