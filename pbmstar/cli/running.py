"""The daemon and its files, as ``pbmstar doctor`` looks at them: nothing is made or changed."""

from __future__ import annotations

import fcntl
import os
import pwd
import socket
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ..config import Config
from .finding import Finding

_NAMED = 5  # files that are named; of more only how many


def running(config: Config) -> Iterator[Finding]:
    """The daemon, the socket that mail comes in by, and the owners of the spool's files."""
    yield _daemon(config.spool)
    if config.lmtp.startswith("unix:/"):
        yield _socket(Path(config.lmtp.removeprefix("unix:")))
    yield from _owners(config.spool)


def _daemon(spool: Path) -> Finding:
    """Whoever delivers holds a lock."""
    try:
        with open(spool / "deliver.lock", "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return Finding("good", "daemon: runs")
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            return Finding(
                "bad", f"{spool / 'deliver.lock'}: {error.strerror}", "Give it its owner."
            )
    return Finding(
        "bad", "daemon: does not run", "systemctl start pbmstar, then journalctl -u pbmstar."
    )


def _socket(path: Path) -> Finding:
    name = f"lmtp: {path}"
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(5)
            probe.connect(str(path))
    except FileNotFoundError:
        return Finding(
            "bad", f"{name} is not there", "The daemon makes it, in a folder of its own."
        )
    except OSError as error:
        return Finding("bad", f"{name}: {error.strerror or error}", "Does the daemon run?")
    folder = path.parent.stat()
    others = stat.S_IMODE(folder.st_mode) & (stat.S_IXGRP | stat.S_IXOTH)
    if not others:
        return Finding(
            "bad",
            f"lmtp: {path.parent} is closed to the mail server",
            "install -d -o pbmstar -g postfix -m 2710, as README says.",
        )
    return Finding("good", f"{name} answers")


def _owners(spool: Path) -> Iterator[Finding]:
    """Everything in the spool belongs to whoever the spool belongs to, and to nobody else's eyes."""
    owner = spool.stat().st_uid
    strange, open_to_others = [], []
    for path in (path for path in _files(spool) if not path.is_relative_to(spool / "mail")):
        with suppress(FileNotFoundError):  # it was sent, or checkpointed, meanwhile
            state = path.lstat()
            if state.st_uid != owner:
                strange.append(path)
            elif stat.S_ISREG(state.st_mode) and state.st_mode & 0o077:
                open_to_others.append(path)
    if strange:
        name = _name(owner)
        yield Finding(
            "bad", f"spool: not {name}'s: {_list(strange)}", f"As root: chown -R {name}: {spool}"
        )
    if open_to_others:
        yield Finding(
            "bad", f"spool: others may read {_list(open_to_others)}", f"chmod -R go-rwx {spool}"
        )
    if not strange and not open_to_others:
        yield Finding("good", f"spool: all of it is {_name(owner)}'s alone")
    if owner not in (os.getuid(), 0) and os.getuid() != 0:
        yield Finding(
            "look", f"spool: it is {_name(owner)}'s", "Run this as the user of the daemon."
        )


def _files(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder):
        yield from (Path(place) / name for name in names)


def _list(paths: list[Path]) -> str:
    shown = ", ".join(str(path) for path in sorted(paths)[:_NAMED])
    return shown if len(paths) <= _NAMED else f"{shown} and {len(paths) - _NAMED} more"


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
