"""Fresh roots: a minimal Debian in a folder, and programs in it that see nothing of this machine."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from readme import CHECKOUT

PACKAGING = CHECKOUT / "pbmstar" / "packaging"
NEEDS_ROOT = [
    pytest.mark.slow,
    pytest.mark.timeout(1500),
    pytest.mark.skipif(os.getuid() != 0, reason="only root can make a root"),
    pytest.mark.skipif(not shutil.which("mmdebstrap"), reason="there is no mmdebstrap"),
]
RELEASES = ("bookworm", "trixie")  # of Debian, for which there are packages
LATER = "/var/later"  # where a bare Debian has packages that a test installs
# A network of its own: loopback, and 192.0.2.1 for a client from outside.
_NETWORK = "ip link set lo up; ip address add 192.0.2.1/32 dev lo; exec "
ALONE = ("unshare", "--net", "--mount", "--pid", "--fork", "--kill-child")


def alone(*words: str | Path, proc: Path) -> list[str | Path]:
    """Return the command that runs another one in a network and with processes of its own."""
    shell = ["sh", "-c", f'{_NETWORK}"$@"', "sh"]
    return [*ALONE, f"--mount-proc={proc}", *shell, *words]


def run(*words: str | Path, status: int = 0) -> str:
    """Run a program; returns what it prints, of both kinds."""
    done = subprocess.run(
        [str(word) for word in words],
        check=False,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=1200,
        env={
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root",
            "LANG": "C.UTF-8",
            "COMPRESS": "none",
            # The certificates of this machine, which pip asks for.
            **{key: value for key, value in os.environ.items() if key.startswith("PIP_")},
        },
    )
    assert done.returncode == status, done.stdout
    return done.stdout


def once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a folder that is made once for all processes that run these tests, since that takes minutes."""
    place = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        place = place.parent
    folder = place / name
    with (place / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "made").exists():
            folder.mkdir()
            make(folder)
            (folder / "made").touch()
    return folder


def before_a_release() -> None:
    """Skip a test that takes minutes, except before a release."""
    if not os.environ.get("PBMSTAR_TEST_RELEASE"):
        pytest.skip("a Debian takes minutes: set PBMSTAR_TEST_RELEASE")


def bare_debian(factory: pytest.TempPathFactory, release: str = RELEASES[0]) -> Root:
    """A minimal Debian with what the package needs; only copies of it may be changed. Made before a release."""
    before_a_release()
    folder = once(factory, release, lambda folder: debian(release, folder / "root"))
    return Root(folder / "root")


def debian(release: str, path: Path) -> None:
    """Make a minimal Debian of a release."""
    options = (
        *("--mode=root", "--format=directory", "--variant=apt"),
        "--include=adduser,python3,tzdata",
        f"--customize-hook=mkdir $1{LATER}",
        f"--customize-hook=chroot $1 apt-get install -qy --no-install-recommends --download-only "
        f"-o Dir::Cache::archives={LATER} postfix",
    )
    run("mmdebstrap", *options, release, path)


class Root:
    """The folder of a Debian system. Processes in it end with the command that began them."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def sh(self, script: str, *, status: int = 0) -> str:
        """Run a shell script in it, as root; the network of this machine is out of reach."""
        script = f"set -e\nexport DEBIAN_FRONTEND=noninteractive\n{script}"
        words = ("chroot", self.path, "/bin/sh", "-c", script)
        return run(*alone(*words, proc=self.path / "proc"), status=status)

    def install(self, package: Path, *, status: int = 0) -> str:
        """Install a package file with dpkg; a configuration that was edited stays."""
        shutil.copy(package, self.path / "tmp")
        return self.sh(f"dpkg --force-confold -i /tmp/{package.name}", status=status)

    def stat(self, file: str) -> str:
        """Return mode, owner and group of a file."""
        return self.sh(f"stat -c '%a %U %G' /{file}").strip()

    @contextmanager
    def copied(self, folder: Path) -> Iterator[Root]:
        """Lend a copy: it holds in memory what is changed in it, and forgets that in the end."""
        lower, upper, work, root = self.path, *(folder / name for name in ("upper", "work", "root"))
        run("mount", "-t", "tmpfs", "copy", folder)
        try:
            for each in (upper, work, root):
                each.mkdir()
            layers = f"lowerdir={lower},upperdir={upper},workdir={work}"
            run("mount", "-t", "overlay", "-o", layers, "copy", root)
            yield Root(root)
        finally:
            run("umount", "--recursive", folder)
