"""The build of packages: that of setuptools, which names in each the commit that it is built from."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path

import setuptools
from setuptools.build_meta import *  # noqa: F403 - the hooks that pip and build call
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

CHECKOUT = Path(__file__).parents[2]


def name_commit(folder: Path) -> None:
    """Write the commit of this clone into that folder of a package; outside a clone leave it as it is."""
    if not (CHECKOUT / ".git").exists():
        return
    words = ["git", "-C", str(CHECKOUT), "rev-parse", "HEAD"]
    try:
        commit = subprocess.run(words, capture_output=True, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return
    file = folder / "commit"
    file.unlink()  # it may be a link to the file of the clone
    file.write_text(commit)


class Build(build_py):
    """Name the commit in what is installed."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            name_commit(Path(self.build_lib, "pbmstar", "machine"))


class Archive(sdist):
    """Name the commit in the source archive, which can be built as the clone can."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        own = str(Path(__file__).relative_to(CHECKOUT))
        super().make_release_tree(base_dir, [*files, own])
        name_commit(Path(base_dir, "pbmstar", "machine"))


# setup.cfg has no key for commands of one's own.
setuptools.setup = partial(setuptools.setup, cmdclass={"build_py": Build, "sdist": Archive})
