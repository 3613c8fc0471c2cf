"""An office that reads a mailbox."""

from __future__ import annotations

from dataclasses import replace

from harness.imap import Imap
from harness.letters import Got
from harness.office import Office

from pbmstar.cli.fetch import read_mailbox


class House:
    """An office that reads a mailbox when it is told to, as ``pbmstar fetch`` does."""

    def __init__(self, office: Office, imap: Imap) -> None:
        self.office, self.imap = office, imap

    def set(self, **keys: str) -> None:
        """Let keys of the configuration have other values from now on."""
        self.office.config = replace(self.office.config, **keys)  # type: ignore[arg-type]

    def arrive(self, sender: str, subject: str, folder: str = "INBOX", **more: str) -> bytes:
        """A message arrives in the mailbox; returns its bytes."""
        raw = self.office.write(sender, subject, **more)
        self.imap.add(raw, folder)
        return raw

    def fetch(self) -> tuple[str, bool]:
        """What the server says when it has read the mailbox."""
        return read_mailbox(self.office.config, self.office.context, self.office.store)

    def letters(self) -> list[Got]:
        """The letters that came of it."""
        self.fetch()
        return self.office.letters()
