"""The lock files: what setup.cfg and its extras ask for, all that needs in turn, each with its hashes."""

from __future__ import annotations

import configparser
import importlib.metadata
import re

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from readme import CHECKOUT

EXTRAS = ("bot", "dkim", "postgresql")


def text(extra: str) -> str:
    """The lock file of an extra; without one that of pbmstar itself."""
    return (CHECKOUT / f".requirements{'-' * bool(extra)}{extra}.lock").read_text()


def locked(*extras: str) -> dict[str, Version]:
    """What the files of these extras lock; that of pbmstar itself is the extra of no name."""
    pairs = re.findall(
        r"(?m)^([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==(\S+)", "\n".join(map(text, extras))
    )
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def wanted(extra: str) -> list[Requirement]:
    """What setup.cfg asks for, of itself or for an extra."""
    config = configparser.ConfigParser()
    config.read(CHECKOUT / "setup.cfg")
    options = config["options.extras_require"][extra] if extra else None
    lines = (options or config["options"]["install_requires"]).splitlines()
    return [Requirement(line) for line in lines if line.strip()]


def needed(todo: list[Requirement]) -> set[str]:
    """All packages that these need, by what the installed ones say."""
    seen = set()
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        extras = requirement.extras or {""}
        if (name, *extras) in seen:
            continue
        seen.add((name, *extras))
        for line in importlib.metadata.requires(name) or []:
            marker = (further := Requirement(line)).marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
                todo.append(further)
    return {name for name, *_ in seen}


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_it_fits_what_is_required(extra: str) -> None:
    for requirement in wanted(extra):
        version = locked("", extra).get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not locked"
        assert requirement.specifier.contains(version), f"{requirement} but {version} is locked"


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_nothing_is_missing_nothing_else_is_there_and_nothing_twice(extra: str) -> None:
    own = needed(wanted(""))
    assert set(locked(extra)) == (needed(wanted(extra)) - own if extra else own)


@pytest.mark.parametrize("extra", ["", *EXTRAS])
def test_every_package_has_its_hashes(extra: str) -> None:
    for block in re.split(r"(?m)^(?=[A-Za-z0-9])", text(extra))[1:]:
        hashes = re.findall(r"--hash=sha256:([0-9a-f]+)", block)
        assert hashes and all(len(each) == 64 for each in hashes), block[:40]
