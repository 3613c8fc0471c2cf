"""The quarantine: files in the spool for messages that we could not handle because of a fault of ours.

An entry is ``ID.eml``, the mail as it came, and ``ID.json``: its envelope, time and error. It exists once
``ID.json`` does. The quarantine needs no database, because the database may be broken.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from .. import games
from ..command import MASK, SERVER_VERBS
from ..config import Config
from ..errors import BadInput
from ..inbound import names
from ..machine.files import sync, write_whole
from ..machine.log import trace
from ..machine.times import Epoch
from ..match.terms import DAY

_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{8}")
_FOLDER = "quarantine"


class Quarantined(NamedTuple):
    """One message of the quarantine. ``at`` is in seconds since 1970, ``raw`` the mail as it came, empty
    if it is no longer kept."""

    id: str
    at: Epoch
    sender: str
    recipients: list[str]
    error: str
    trace: str
    raw: bytes

    def line(self) -> dict[str, Any]:
        """Return the line of this message in a listing."""
        return {
            "id": self.id,
            "at": datetime.fromtimestamp(self.at, UTC).isoformat(timespec="seconds"),
            "sender": self.sender,
            "recipients": self.recipients,
            "bytes": len(self.raw),
            "error": self.error,
        }


class ForOperator(Exception):
    """The reason for a message without a fault: it is for the operator, whose address is not configured."""


def keep(
    spool: Path, sender: str, recipients: Sequence[str], raw: bytes, error: Exception, now: Epoch
) -> str:
    """Keep a message on stable storage; return its id. Raises OSError."""
    folder = spool / _FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    ident = f"{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    about = {
        "at": now,
        "sender": sender,
        "recipients": list(recipients),
        "error": type(error).__name__,
        "trace": trace(error),
    }
    write_whole(folder / f"{ident}.eml", raw)
    write_whole(folder / f"{ident}.json", json.dumps(about, indent=1).encode())
    for path in (folder, spool):
        sync(path)
    return ident


def prune(config: Config, now: Epoch) -> None:
    """Throw away the texts of old messages, and the whole entries some days later."""
    folder = config.spool / _FOLDER
    for entry in entries(config.spool):
        age = (now - entry.at) / DAY
        if age > config.keep_rows:
            drop(config.spool, entry.id)
        elif age > config.keep_texts:
            (folder / f"{entry.id}.eml").unlink(missing_ok=True)


def entries(spool: Path) -> list[Quarantined]:
    """Return all messages of the quarantine, oldest first; skip files that are not part of an entry."""
    read_all = (read(spool, path.stem) for path in (spool / _FOLDER).glob("*.json"))
    return sorted((each for each in read_all if each is not None), key=lambda each: each.at)


def count(spool: Path) -> int:
    """Return the number of messages in the quarantine."""
    return sum(1 for _ in (spool / _FOLDER).glob("*.json"))


def read(spool: Path, ident: str) -> Quarantined | None:
    """Return the mail of that id; None if there is none."""
    if not _ID.fullmatch(ident):
        return None
    folder = spool / _FOLDER
    try:
        about = json.loads((folder / f"{ident}.json").read_bytes())
        text = folder / f"{ident}.eml"
        raw = text.read_bytes() if text.exists() else b""
        words = (about["sender"], list(about["recipients"]), about["error"], about["trace"])
        return Quarantined(ident, float(about["at"]), *words, raw)
    except (FileNotFoundError, KeyError, TypeError, ValueError):
        return None


def drop(spool: Path, ident: str) -> None:
    """Throw a message away. Raises BadInput if there is none of that id."""
    if read(spool, ident) is None:
        raise BadInput(f"There is no quarantined mail {ident}.")
    folder = spool / _FOLDER
    (folder / f"{ident}.json").unlink()  # first: without it there is no entry
    (folder / f"{ident}.eml").unlink(missing_ok=True)
    sync(folder)


def drop_of(spool: Path, address: str) -> int:
    """Throw away all messages that name an address; return their number."""
    named = [
        entry.id
        for entry in entries(spool)
        if address.lower() == entry.sender.lower() or names(entry.raw, address)
    ]
    for ident in named:
        drop(spool, ident)
    return len(named)


def shown(spool: Path, ident: str) -> str:
    """Return a message and its fault as text for the operator, with possible passwords masked.

    Raises BadInput if there is none of that id. Passwords are recognised only in plain text. So only the
    header of a message with an encoded text is shown; the file has the whole mail.
    """
    entry = read(spool, ident)
    if entry is None:
        raise BadInput(f"There is no quarantined mail {ident}.")
    facts = [f"{name}: {value}" for name, value in entry.line().items()]
    file = spool / _FOLDER / f"{ident}.eml"
    return "\n".join([*facts, entry.trace, *_masked(entry.raw), f"[the whole mail: {file}]", ""])


# -- hiding passwords

_WORDS = {word.strip("*") for game in games.GAMES for word in (game.word, *game.aliases)}
_WORDS |= {verb.name.split()[0] for verb in SERVER_VERBS if verb.name != "help"}
_COMMAND = re.compile(rf"(?<![a-z0-9])(?:{'|'.join(sorted(filter(None, _WORDS)))})(?![a-z])", re.I)
_PLAIN_FIELDS = ("from", "to", "cc", "date", "message-id", "mime-version", "content-type")
_ENCODED = re.compile(rb"^content-transfer-encoding:\s*base64|^begin [0-7]{3}", re.I | re.M)


def _masked(raw: bytes) -> list[str]:
    """Return the mail's lines up to its first command; a password may follow that."""
    text = raw.decode("ascii", "replace").replace("\r", "")
    header, _, body = text.partition("\n\n")
    lines = []
    for field in re.split(r"\n(?![ \t])", header):
        name = field.partition(":")[0].lower()
        if name == "subject":
            lines.append(f"Subject: {MASK}" if "=?" in field else _hide(field)[0])
        elif name in _PLAIN_FIELDS:
            lines.append(_printable(field))
    if _ENCODED.search(raw):
        return [*lines, "", "[the text is encoded]"]
    lines.append("")
    for line in body.split("\n")[:100]:
        line, hidden = _hide(line)
        lines.append(line)
        if hidden:
            lines.append("[what follows is not shown]")
            break
    return lines


def _hide(line: str) -> tuple[str, bool]:
    """Return the line, masked after a command's first word, and True if there was a command."""
    command = _COMMAND.search(line)
    if command is None:
        return _printable(line), False
    return _printable(line[: command.end()]) + f" {MASK}", True


def _printable(text: str) -> str:
    return "".join(c if " " <= c <= "~" or c == "\n" else "?" for c in text)
