"""The source archive: one command, the same bytes each time, and signed if a key is named."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from readme import CHECKOUT

pytestmark = pytest.mark.slow
SCRIPT = CHECKOUT / "pbmstar" / "packaging" / "build-source"


def run(*words: str | Path, cwd: Path = CHECKOUT) -> str:
    return subprocess.run(
        [str(word) for word in words],
        cwd=cwd,
        check=True,
        capture_output=True,
        text=True,
        timeout=600,
    ).stdout


def test_the_same_commit_gives_the_same_bytes(tmp_path: Path) -> None:
    names = [run(SCRIPT, tmp_path / folder).split() for folder in ("one", "two")]
    name, checksum = names[0]
    assert names[1] == [name, checksum]
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert f"{name}: OK" in run("sha256sum", "-c", checksum, cwd=tmp_path / "one")
    with tarfile.open(tmp_path / "one" / name) as archive:
        inside = set(archive.getnames())
    root = name.removesuffix(".tar.gz")
    assert {f"{root}/{part}" for part in ("setup.cfg", "README.md", ".requirements.lock")} <= inside
    assert {each.split("/")[0] for each in inside} == {root}


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder for gpg's keys with a short name: the path of its agent's socket has at most 107 characters."""
    with tempfile.TemporaryDirectory(prefix="keys") as home:
        monkeypatch.setenv("GNUPGHOME", home)
        yield


@pytest.mark.usefixtures("keys")
def test_signed_by_the_key_that_is_named(tmp_path: Path) -> None:
    if not shutil.which("gpg"):
        pytest.skip("there is no gpg")
    key = ("--quick-generate-key", "Release <release@star.example>", "ed25519", "sign", "1d")
    run("gpg", "--batch", "--passphrase", "", *key)
    try:
        made = run(SCRIPT, "--key", "release@star.example", tmp_path / "dist").split()
        assert [Path(name).suffix for name in made] == [".gz", ".asc", ".sha256"]
        run("gpg", "--verify", made[1], made[0], cwd=tmp_path / "dist")
    finally:
        run("gpgconf", "--kill", "gpg-agent")
