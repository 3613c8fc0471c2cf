"""The program run in the process of a test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from pbmstar.cli import main

DONE, REFUSED, USAGE, TRY_AGAIN = 0, 1, 2, 75


class Program:
    """The program with a spool and a database of its own, run in this process."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder, self.spool, self.database = folder, folder / "spool", database

    def run(self, *words: str, status: int = DONE, mail: str = "", **environment: str) -> Result:
        """Run it, and see to its exit status."""
        told = {"PBMSTAR_SPOOL": str(self.spool), "PBMSTAR_DATABASE": self.database, **environment}
        result = CliRunner(catch_exceptions=False).invoke(main, words, input=mail, env=told)
        assert result.exit_code == status, result.output
        assert "Traceback" not in result.output
        return result

    def json(self, *words: str) -> Any:
        """What it says with --json."""
        return json.loads(self.run(*words, "--json").stdout)

    def mail(self, author: str, subject: str, number: int) -> None:
        """A mail through the pipe."""
        told = (
            f"From: {author}\nTo: star@localhost\nSubject: {subject}\nMessage-ID: <{number}@x>\n\n"
        )
        self.run("receive", mail=told)
