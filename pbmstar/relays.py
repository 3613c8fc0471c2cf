"""Where letters are handed over: a tree of maildirs, or (in ``smarthost``) a mail server.

A relay takes letters one after the other and says of each what has become of it. It keeps no
letters, decides on no retries and never changes a letter but for its line ends.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, Protocol
from urllib.parse import SplitResult, unquote, urlsplit

from .config import Config
from .errors import BadInput, Passing
from .store import Letter


class Verdict(NamedTuple):
    """What has become of a letter.

    kind       "sent", "later" (refused for now) or "dead" (refused for good)
    why        what the relay said, for the operator
    recipient  it is the recipient, not the letter, that the relay does not take for now
    """

    kind: str
    why: str = ""
    recipient: bool = False


SENT = Verdict("sent")


class RelayDown(Passing):
    """The relay cannot be used now. ``letter`` is the one that was under way, if one was."""

    def __init__(self, why: str, letter: Letter | None = None) -> None:
        super().__init__(why)
        self.letter = letter


class Relay(Protocol):
    """Takes letters. One thread uses it; only ``abort`` may be called from another."""

    def open(self) -> None:
        """Be ready to send. Raises RelayDown."""

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """Send letters, drawn one by one when their turn comes; yields a verdict on each, in order.

        Raises RelayDown when it cannot go on. A letter that was drawn and got no verdict may or may
        not have been taken: it has to be sent again. The caller must draw until the end.
        """

    def close(self) -> None:
        """Take leave. It may be opened again."""

    def abort(self) -> None:
        """Break off what ``send`` is waiting for: it raises RelayDown."""


def relay(url: str, hostname: str) -> Relay:
    """The relay of that URL; ``hostname`` is how we introduce ourselves to it.

    Raises BadInput, with a text that has no password in it. Nothing is opened yet.
    """
    if url.startswith("maildir:") and len(url) > len("maildir:"):
        return Maildir(Path(url.removeprefix("maildir:")))
    parts = urlsplit(url)
    if parts.scheme in ("smtp", "smtp+starttls"):
        from .smarthost import Smarthost

        starttls = parts.scheme == "smtp+starttls"
        host, port = _host(parts, 587 if starttls else 25)
        login = None
        if parts.username is not None:
            login = (unquote(parts.username), unquote(parts.password or ""))
            if not starttls:
                raise BadInput("relay: a user and password are sent by smtp+starttls only.")
        return Smarthost(host, port, hostname, starttls=starttls, login=login)
    raise BadInput(
        "relay: maildir:PATH, smtp://HOST:PORT or smtp+starttls://USER:PASSWORD@HOST:PORT."
    )


def relay_of(config: Config) -> Relay:
    """The relay of a configuration; its letters are signed if there is a key. Raises BadInput."""
    found = relay(config.relay, config.domain)
    if config.dkim_key is None:
        return found
    if not config.dkim_selector:
        raise BadInput("dkim_selector: the selector that the key's DNS record stands under.")
    from .signing import Signer

    return Signed(found, Signer(config.dkim_key, config.dkim_selector, config.domain).sign)


class Signed:
    """A relay whose letters are signed on their way; the same letter always gets the same bytes."""

    def __init__(self, relay: Relay, sign: Callable[[bytes], bytes]) -> None:
        self._relay, self._sign = relay, sign
        self.open, self.close, self.abort = relay.open, relay.close, relay.abort

    def send(self, letters: Iterator[Letter]) -> Iterator[tuple[Letter, Verdict]]:
        """See ``Relay``."""
        return self._relay.send(
            letter._replace(content=self._sign(letter.content)) for letter in letters
        )


def _host(parts: SplitResult, default: int) -> tuple[str, int]:
    try:
        port = parts.port or default
    except ValueError:
        port = 0
    if not parts.hostname or not port or parts.path not in ("", "/") or parts.query:
        raise BadInput("relay: after the scheme comes HOST or HOST:PORT and nothing else.")
    return parts.hostname, port


# -- maildirs

# Troubles of the disk or the process: no letter can be kept, whoever it is for.
_DOWN = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE}


class Maildir:
    """One maildir for each recipient address below ``root``; each letter is a file on stable storage.

    A file's name follows from the letter's number and Message-ID: to deliver a letter again changes
    nothing, even after a reader has moved it.
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
        """See ``Relay``. What is wrong with one recipient's folder holds up that recipient alone."""
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
        """Nothing is open."""

    def abort(self) -> None:
        """Nothing is waited for."""

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
        _sync(box / "new")

    def _make(self, box: Path) -> None:
        for path in (box, box / "tmp", box / "new", box / "cur"):
            path.mkdir(mode=0o700, exist_ok=True)
        for path in (box, self.root):
            _sync(path)


def folder(address: str) -> str:
    """The name of a recipient's maildir: the address in lower case, odd characters as %xx."""
    name = re.sub(r"[^a-z0-9@._+=-]", _escaped, address.lower())
    if name.startswith("."):
        name = "%2e" + name[1:]
    if len(name) > 200:
        name = f"{name[:150]}%{sha256(name.encode()).hexdigest()[:32]}"
    return name or "%"


def _escaped(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02x}" for byte in match[0].encode("utf-8", "surrogateescape"))


def file_name(letter: Letter) -> str:
    """The name of a letter's file; names sort as the letters were written."""
    return f"{letter.id:010}.{sha256(letter.message_id.encode()).hexdigest()[:32]}"


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
