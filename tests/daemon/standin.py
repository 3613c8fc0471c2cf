"""A stand-in for the service: does what the daemon can see of it, and what a mail's words ask for."""

from __future__ import annotations

import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbmstar import config
from pbmstar.errors import TemporaryFailure, Unreadable
from pbmstar.service.work.context import Computation, Envelope, Outcome, Precomputed
from pbmstar.store import KeptLetter, NewLetter, Tx

SERVER = "star@pbm.example"
PATIENCE = 240.0  # seconds until something must have happened, on a busy machine too
_FAULTS = {
    b"bug": (RuntimeError, "with s3cret in its text"),
    b"deep": (RecursionError, ""),
    b"memory": (MemoryError, ""),
    b"passing": (TemporaryFailure, "database: database is locked"),
    b"diskfull": (TemporaryFailure, "database: database or disk is full"),
}


def configured(spool: Path | str, **options: str) -> config.Config:
    """The configuration of a daemon on a port of its choice."""
    options = {"spool": str(spool), "address": SERVER, "listen": "127.0.0.1:0", **options}
    return config.load(options, {})


class Standin:
    """Marks each mail as handled and makes one letter of it, unless a word in it says otherwise."""

    def __init__(self) -> None:
        self.seen: list[tuple[Envelope, bytes]] = []  # what was executed and not a duplicate
        self.entered, self.gate = threading.Event(), threading.Event()
        self.reads = 0  # mails, also those that cannot be read

    def knows(self, address: str) -> bool:
        local, _, domain = address.lower().rpartition("@")
        known = local.partition("+")[0] == "star" or local in ("postmaster", "abuse")
        return known and domain == "pbm.example"

    def read(self, raw: bytes) -> Any:
        self.reads += 1
        if b"unreadable" in raw:
            raise Unreadable("this is a constant text")
        if b"ponder" in raw:
            self._wait()
        return raw

    def execute(
        self, tx: Tx, envelope: Envelope, _mail: Any, raw: bytes, _results: Precomputed
    ) -> Outcome:
        digest = sha256(raw).digest()
        if not tx.mails.handle(digest, 1.0, None):
            return Outcome("duplicate")
        content = b"\r\n" + raw
        tx.outbox.add(NewLetter(f"<{digest.hex()}@x>", "u", "p@q.example", SERVER, content, 1.0))
        if b"wait" in raw:
            self._wait()
        for word, (kind, text) in _FAULTS.items():
            if word in raw:
                raise kind(text)
        self.seen.append((envelope, raw))
        return Outcome("applied", keep=b"operator" in raw)

    def put_off(self, tx: Tx, envelope: Envelope, mail: Any, task: Computation) -> None:
        """Never called: no task is asked for."""

    def send_digests(self, tx: Tx) -> bool:
        """Nobody wants one."""
        return False

    def keep_house(self, tx: Tx) -> bool:
        """Nothing is old."""
        return False

    def trouble(self, tx: Tx, letter: KeptLetter, what: str) -> None:
        """Nobody is told."""

    def _wait(self) -> None:
        self.entered.set()
        assert self.gate.wait(PATIENCE)
