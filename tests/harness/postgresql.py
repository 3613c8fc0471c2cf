"""A private PostgreSQL server on a unix socket, that can be killed and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from harness.server import PATIENCE, until

# It ends at once with the process of the tests, however that ends: as the user postgres, if we are root.
_RUN = """
import ctypes, os, pwd, sys
if os.getuid() == 0:
    user = pwd.getpwnam("postgres")
    os.setgroups([])
    os.setgid(user.pw_gid)
    os.setuid(user.pw_uid)
ctypes.CDLL(None).prctl(1, 3, 0, 0, 0)  # PR_SET_PDEATHSIG, SIGQUIT
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""


class Postgresql:
    """Use it in a with statement. It has a folder of its own: pytest closes its temporary ones to
    other users whenever it starts, and PostgreSQL refuses to run as root."""

    def __init__(self, fsync: bool = False) -> None:
        """``fsync``: what is committed outlives the machine too; tests kill processes only."""
        self._options = f"-c fsync={'on' if fsync else 'off'} -c max_connections=50"
        self._folder = Path(tempfile.mkdtemp(prefix="pbmstar-postgresql-"))
        self._programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
        self.url = f"postgresql+psycopg://pbmstar@/postgres?host={self._folder}"
        if os.getuid() == 0:
            shutil.chown(self._folder, "postgres")
        self._run("initdb", "-A", "trust", "-U", "pbmstar", "--no-sync")

    def __enter__(self) -> Postgresql:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        shutil.rmtree(self._folder)

    def start(self) -> None:
        """Start, and recover what a kill has left; returns when it answers."""
        options = f"-k {self._folder} -c listen_addresses= {self._options}".split()
        server = [str(self._programs / "postgres"), "-D", str(self._folder / "data"), *options]
        with open(self._folder / "log", "ab") as log:
            self._server = subprocess.Popen(
                [sys.executable, "-c", _RUN, str(os.getpid()), *server],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
            )
        until(self._answers, "PostgreSQL")

    def _answers(self) -> bool:
        assert self._server.poll() is None, (self._folder / "log").read_text()
        asks = [str(self._programs / "pg_isready"), "-q", "-h", str(self._folder)]
        return subprocess.run(asks, check=False).returncode == 0

    def kill(self) -> None:
        """End all its processes at once: it writes nothing more."""
        self._run("pg_ctl", "-m", "immediate", "stop")
        self._server.wait(PATIENCE)

    def _run(self, program: str, *words: str) -> None:
        as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run(
            [*as_user, str(self._programs / program), "-D", str(self._folder / "data"), *words],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._folder,
        )
