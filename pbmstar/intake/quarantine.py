"""The quarantine: files in the spool for messages that we could not handle because of a fault of ours.

An entry is ``ID.eml``, the mail as it came, and ``ID.json``: its envelope, time and error. It exists once
``ID.json`` does. The quarantine needs no database, because the database may be broken. It is bounded, for
each sender and in all, so that nobody can fill the disk by a fault that they can cause at will.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ..config import Config
from ..errors import BadInput, TemporaryFailure
from ..identity import mailbox
from ..machine.files import sync, write_whole
from ..machine.log import trace
from ..machine.times import DAY, HOUR, Epoch
from ..service.work.context import Envelope, network

_ID = re.compile(r"[0-9]{8}T[0-9]{6}-[0-9a-f]{8}")
FOLDER = "quarantine"
_PART = 10  # of the free room: one tenth is for the quarantine
MOST = 10_000  # messages in all
OF_ONE, BYTES_OF_ONE = (
    20,
    8 * 2**20,
)  # ... and of one sender, reply address or place within an hour


class Quarantined(NamedTuple):
    """One message of the quarantine. ``at`` is in seconds since 1970, ``raw`` the mail as it came, empty
    if it is no longer kept; ``place`` the network that it came from, empty if that is not known."""

    id: str
    at: Epoch
    sender: str
    recipients: list[str]
    error: str
    trace: str
    raw: bytes
    place: str

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


class NoRoom(TemporaryFailure):
    """The quarantine has enough messages, of one sender or in all."""


def keep(spool: Path, envelope: Envelope, raw: bytes, error: Exception, now: Epoch) -> str:
    """Keep a message on stable storage; return its id. Raises OSError, NoRoom."""
    folder = spool / FOLDER
    folder.mkdir(mode=0o700, exist_ok=True)
    sender, recipients, place = envelope.sender, envelope.recipients, network(envelope.peer)
    _require_room(spool, _parties(sender, recipients, place), len(raw), now)
    ident = f"{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
    about = {
        "at": now,
        "sender": sender,
        "recipients": list(recipients),
        "place": place,
        "error": type(error).__name__,
        "trace": trace(error),
    }
    write_whole(folder / f"{ident}.eml", raw)
    write_whole(folder / f"{ident}.json", json.dumps(about, indent=1).encode())
    for path in (folder, spool):
        sync(path)
    return ident


def _require_room(spool: Path, parties: set[str], size: int, now: Epoch) -> None:
    """Raise NoRoom if a message of so many bytes and of these senders is too much."""
    count, stored = size_of(spool)
    room = (shutil.disk_usage(spool).free + stored) // _PART
    if count >= MOST or stored + size > room:
        raise NoRoom("the quarantine is full")
    since = f"{datetime.fromtimestamp(now - HOUR, UTC):%Y%m%dT%H%M%S}"
    recent = (path.stem for path in (spool / FOLDER).glob("*.json") if path.stem > since)
    theirs = [
        len(each.raw)
        for each in map(partial(read, spool), recent)
        if each and parties & _parties(each.sender, each.recipients, each.place)
    ]
    if len(theirs) >= OF_ONE or sum(theirs) + size > BYTES_OF_ONE:
        raise NoRoom("the quarantine has enough of this sender")


def _parties(sender: str, recipients: Sequence[str], place: str) -> set[str]:
    """Return what a message has in common with others of the same person.

    An address with a detail is a reply address, which one person has; the others are known to everybody.
    """
    named = {each.lower() for each in recipients if "+" in each}
    return named | {each for each in (sender and mailbox(sender), place) if each}


def size_of(spool: Path) -> tuple[int, int]:
    """Return the number of messages in the quarantine, and of its bytes."""
    sizes = list(_sizes(spool))
    return sum(name.endswith(".json") for name, _ in sizes), sum(size for _, size in sizes)


def _sizes(spool: Path) -> Iterator[tuple[str, int]]:
    with suppress(FileNotFoundError), os.scandir(spool / FOLDER) as files:
        for each in files:
            with suppress(FileNotFoundError):
                yield each.name, each.stat().st_size


def prune(config: Config, now: Epoch) -> None:
    """Throw away the texts of old messages, and the whole entries some days later."""
    folder = config.spool / FOLDER
    for entry in entries(config.spool):
        age = (now - entry.at) / DAY
        if age > config.keep_rows:
            drop(config.spool, entry.id)
        elif age > config.keep_texts:
            (folder / f"{entry.id}.eml").unlink(missing_ok=True)


def entries(spool: Path) -> list[Quarantined]:
    """Return all messages of the quarantine, oldest first; skip files that are not part of an entry."""
    read_all = (read(spool, path.stem) for path in (spool / FOLDER).glob("*.json"))
    return sorted((each for each in read_all if each is not None), key=lambda each: each.at)


def read(spool: Path, ident: str) -> Quarantined | None:
    """Return the mail of that id; None if there is none."""
    if not _ID.fullmatch(ident):
        return None
    folder = spool / FOLDER
    try:
        about = json.loads((folder / f"{ident}.json").read_bytes())
        text = folder / f"{ident}.eml"
        raw = text.read_bytes() if text.exists() else b""
        words = (about["sender"], list(about["recipients"]), about["error"], about["trace"])
        return Quarantined(ident, float(about["at"]), *words, raw, about.get("place", ""))
    except (FileNotFoundError, KeyError, TypeError, ValueError):
        return None


def drop(spool: Path, ident: str) -> None:
    """Throw a message away. Raises BadInput if there is none of that id."""
    if read(spool, ident) is None:
        raise BadInput(f"There's no mail {ident} in the quarantine.")
    folder = spool / FOLDER
    (folder / f"{ident}.json").unlink()  # first: without it there is no entry
    (folder / f"{ident}.eml").unlink(missing_ok=True)
    sync(folder)


def drop_of(spool: Path, address: str) -> int:
    """Throw away all messages that name an address; return their number."""
    from ..inbound import names  # noqa: PLC0415 - nothing else here reads a message

    named = [
        entry.id
        for entry in entries(spool)
        if address.lower() == entry.sender.lower() or names(entry.raw, address)
    ]
    for ident in named:
        drop(spool, ident)
    return len(named)
