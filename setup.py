"""The part of the build that ``setup.cfg`` cannot say: packages name the commit that they are built from."""

from __future__ import annotations

import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).parent


def name_commit(folder: Path) -> None:
    """Write the commit of this clone into that folder of a package; outside a clone leave it as it is."""
    if not (HERE / ".git").exists():
        return
    words = ["git", "-C", str(HERE), "rev-parse", "HEAD"]
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
    """Name the commit in the source archive."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        name_commit(Path(base_dir, "pbmstar", "machine"))


setup(cmdclass={"build_py": Build, "sdist": Archive})
