""".requirements.lock: what setup.cfg asks for, all that needs in turn, each with its hashes."""

from __future__ import annotations

import configparser
import importlib.metadata
import re

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from readme import CHECKOUT

TEXT = (CHECKOUT / ".requirements.lock").read_text()
LOCKED = {
    canonicalize_name(name): Version(version)
    for name, version in re.findall(r"(?m)^([A-Za-z0-9._-]+)(?:\[[a-z,]+\])?==(\S+)", TEXT)
}


def wanted() -> list[Requirement]:
    """What setup.cfg asks for, with the extras that an operator may want."""
    config = configparser.ConfigParser()
    config.read(CHECKOUT / "setup.cfg")
    extras = config["options.extras_require"]
    texts = (config["options"]["install_requires"], extras["dkim"], extras["postgresql"])
    return [Requirement(line) for text in texts for line in text.splitlines() if line.strip()]


def test_it_fits_what_is_required() -> None:
    for requirement in wanted():
        version = LOCKED.get(canonicalize_name(requirement.name))
        assert version is not None, f"{requirement.name} is not locked"
        assert requirement.specifier.contains(version), f"{requirement} but {version} is locked"


def test_nothing_that_these_need_is_missing_and_nothing_else_is_there() -> None:
    """By what the installed packages say that they need."""
    todo, seen = wanted(), set()
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        extras = requirement.extras or {""}
        if (name, *extras) in seen:
            continue
        seen.add((name, *extras))
        for text in importlib.metadata.requires(name) or []:
            needed = Requirement(text)
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
                todo.append(needed)
    assert {name for name, *_ in seen} == set(LOCKED)


def test_every_package_has_its_hashes() -> None:
    for block in re.split(r"(?m)^(?=[A-Za-z0-9])", TEXT)[1:]:
        hashes = re.findall(r"--hash=sha256:([0-9a-f]+)", block)
        assert hashes and all(len(each) == 64 for each in hashes), block[:40]
