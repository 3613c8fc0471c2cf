"""A relay that is a tree of maildirs, for trials and for tests."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from ..machine.files import sync
from .relay import SENT, Letter, RelayDown, Verdict

# Troubles of the disk or the process, in which no letter can be kept for any recipient.
_DOWN = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE}


class Maildir:
    """A relay with one maildir for each recipient address below ``root``; each letter is a synced file.

    A file's name follows from the letter's number and Message-ID. So a second delivery changes nothing,
    even after a reader has moved the file.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def open(self) -> None:
        """Make the root if there is none."""
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise RelayDown(f"{self.root}: {error.strerror}") from error

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``. A trouble with a recipient's folder delays only that recipient's letters."""
        for letter in letters:
            verdict = SENT
            try:
                self._deliver(letter)
            except OSError as error:
                if error.errno in _DOWN:
                    raise RelayDown(f"{self.root}: {error.strerror}", letter) from error
                verdict = Verdict("later", f"maildir: {error.strerror}", recipient=True)
            yield letter, verdict

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def abort(self) -> None:
        """Do nothing: ``send`` waits for nobody."""

    def _deliver(self, letter: Letter) -> None:
        box = self.root / folder(letter.address)
        name = file_name(letter)
        if not (box / "cur").is_dir():
            self._make(box)
        if (box / "new" / name).exists() or any(
            read.partition(":")[0] == name for read in os.listdir(box / "cur")
        ):
            return
        part = box / "tmp" / name
        with open(part, "wb") as file:
            file.write(letter.content.replace(b"\r\n", b"\n"))
            file.flush()
            os.fsync(file.fileno())
        part.rename(box / "new" / name)
        sync(box / "new")

    def _make(self, box: Path) -> None:
        for path in (box, box / "tmp", box / "new", box / "cur"):
            path.mkdir(mode=0o700, exist_ok=True)
        for path in (box, self.root):
            sync(path)


def folder(address: str) -> str:
    """Return the name of a recipient's maildir: the address in lower case, odd characters as %xx."""
    name = re.sub(r"[^a-z0-9@._+=-]", _escaped, address.lower())
    if name.startswith("."):
        name = "%2e" + name[1:]
    if len(name) > 200:
        name = f"{name[:150]}%{sha256(name.encode()).hexdigest()[:32]}"
    return name or "%"


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02x}" for byte in match[0].encode("utf-8", "surrogateescape"))


def file_name(letter: Letter) -> str:
    """Return the name of a letter's file; names sort in the order of the letters."""
    return f"{letter.id:010}.{sha256(letter.message_id.encode()).hexdigest()[:32]}"


def drop_box(relay: str, address: str) -> int:
    """Remove a recipient's maildir if the relay's URL is one; return the number of its letters."""
    if not relay.startswith("maildir:") or not address:
        return 0
    box = Path(relay.removeprefix("maildir:")) / folder(address)
    count = sum(1 for each in box.glob("*/*") if each.is_file())
    if box.is_dir():
        shutil.rmtree(box)
    return count
