"""A private PostgreSQL server on a unix socket, that can be killed and started again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path


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
        options = f"-k {self._folder} -c listen_addresses= {self._options}"
        self._run("pg_ctl", "-w", "-l", str(self._folder / "log"), "-o", options, "start")

    def kill(self) -> None:
        """End all its processes at once: it writes nothing more."""
        self._run("pg_ctl", "-m", "immediate", "stop")

    def _run(self, program: str, *words: str) -> None:
        as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run(
            [*as_user, str(self._programs / program), "-D", str(self._folder / "data"), *words],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self._folder,
        )
