"""A release: what it is called, what its changelog is like, and that a script makes one in a copy."""

from __future__ import annotations

import configparser
import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]
from fresh import RELEASES
from readme import CHECKOUT

SETUP = configparser.ConfigParser()
SETUP.read(CHECKOUT / "setup.cfg")
VERSION = SETUP["metadata"]["version"]
SCRIPT = CHECKOUT / "pbmstar" / "packaging" / "release"
CHANGELOG = (CHECKOUT / "CHANGELOG.md").read_text()
NEWEST = re.split(r"(?m)^## ", CHANGELOG)[1]
PARTS = ["You must do this", "Added", "Changed", "Fixed"]


def test_the_version_is_said_once() -> None:
    """In ``setup.cfg``; the changelog names it, unless it is under way, and the program asks its package."""
    assert NEWEST.partition("\n")[0] in (VERSION, "Unreleased")
    for path in (CHECKOUT / "pbmstar").rglob("*"):
        if path.is_file() and path.suffix in (".py", "", ".toml", ".yaml"):
            assert f'"{VERSION}"' not in path.read_text(errors="replace"), path


def test_the_changelog_has_one_fact_a_bullet() -> None:
    """Grouped for a reader who upgrades tonight: what must be done comes first."""
    found = re.findall(r"(?m)^### (.*)$", NEWEST)
    assert found == [part for part in PARTS if part in found] and found
    must, _, others = NEWEST.partition("### Added")
    for part, longest in ((must, 500), (others, 240)):
        for bullet in re.split(r"(?m)^- ", part)[1:]:
            text = " ".join(re.split(r"\n\n|\n(?=#)", bullet)[0].split())
            assert text.endswith((".", ":", '"')), text
            assert len(text) <= longest and "**" not in text, text
    assert all(len(line) <= 120 for line in NEWEST.splitlines())


def test_the_ten_steps_are_those_of_the_script() -> None:
    page = (CHECKOUT / "docs" / "releasing.md").read_text()
    steps = re.findall(r"(?m)^(\d+)\. \*\*", page)
    assert steps == [str(number) for number in range(1, 11)]
    done = re.findall(r'(?m)^(?:say "|== )(\d+)\. ', SCRIPT.read_text())
    assert done == steps[1:]


def test_a_tag_builds_all_that_a_release_publishes() -> None:
    """The packages of each release that is tested, and both images; nobody is named who did not say so."""
    workflow = yaml.safe_load((CHECKOUT / ".github" / "workflows" / "release.yml").read_text())
    steps = workflow["jobs"]["release"]["steps"]
    (build,) = (step for step in steps if "build-all" in step.get("run", ""))
    words = build["run"].split()
    named = [after for word, after in itertools.pairwise(words) if word == "--debian"]
    assert named == list(RELEASES) and "--image" in words
    assert build["env"]["MAINTAINER"] == "${{ vars.MAINTAINER }}"
    assert workflow[True]["push"] == {"tags": ["v[0-9]*"]}  # YAML reads "on" as true
    assert "dist/*" in steps[-1]["run"]


def released(*words: str | Path, status: int = 0, **around: str) -> str:
    """What the script says; its Python is named from here, as docs/releasing.md does."""
    git = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "maintainers"), ("EMAIL", "maintainers@star.example"))
    }
    done = subprocess.run(
        [str(SCRIPT), *map(str, words)],
        env={**os.environ, **git, "PYTHON": os.path.relpath(sys.executable), **around},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == status, done.stdout
    return done.stdout


@pytest.mark.parametrize("version", ["1.0", "v1.0.0", "1.0.0.dev0", "1.0.0.0", "1..0"])
def test_what_is_no_version(version: str, tmp_path: Path) -> None:
    assert "is written like 1.2.3" in released(version, tmp_path / "new", status=2)


@pytest.mark.slow
def test_a_release_in_a_copy(tmp_path: Path) -> None:
    """All but the publishing; the checks, which are these tests, are one that only looks."""
    check = f"{sys.executable} -m pytest -q -p no:cacheprovider tests/install/test_release.py -k changelog"
    said = released(VERSION, tmp_path, CHECK=check)
    copy = tmp_path / "pbmstar"
    git = ("git", "-C", str(copy))
    commit = subprocess.check_output([*git, "rev-parse", f"v{VERSION}^{{}}"], text=True).strip()
    assert (
        subprocess.check_output([*git, "log", "-1", "--format=%s"], text=True)
        == f"release: {VERSION}\n"
    )
    for what in ("the wheel", "the source archive"):
        assert f"{what}: pbmstar {VERSION} (commit {commit[:12]})\n" in said
    assert f"pbmstar-{VERSION}.tar.gz: OK" in said
    made = sorted(path.name for path in (tmp_path / "dist").iterdir())
    assert made == [
        f"pbmstar-{VERSION}-py3-none-any.whl",
        f"pbmstar-{VERSION}.tar.gz",
        f"pbmstar-{VERSION}.tar.gz.sha256",
    ]
    assert not subprocess.check_output([*git, "status", "--porcelain"], text=True)


@pytest.mark.slow
def test_a_check_that_fails_ends_a_release(tmp_path: Path) -> None:
    """Nothing that it makes before that is looked at, so no Python makes it."""
    said = released(VERSION, tmp_path, status=1, CHECK="false", PYTHON="/bin/true")
    assert "7. Every check" in said and "8. " not in said


@pytest.mark.slow
def test_a_release_of_a_version_that_the_changelog_does_not_name(tmp_path: Path) -> None:
    said = released("9.8.7", tmp_path, status=1, CHECK="true")
    assert "the first heading of CHANGELOG.md is neither Unreleased nor 9.8.7" in said
