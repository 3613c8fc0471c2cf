"""Steps that commands share: opening the store, working in it, sending letters, the work of features."""

from __future__ import annotations

import logging
import os
import pwd
import re
import secrets
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from ..config import Config
from ..delivery.courier import deliver_once, lock_of
from ..errors import Passing
from ..features.feature import features
from ..identity import Passwords
from ..machine.locks import hold
from ..machine.log import complain
from ..render import topics
from ..service import Context, Service
from ..service.work.work import Author, Work
from ..store import Store
from .options import configuration, named, statuses

LOGIN, _NOBODY = Path("/proc/self/loginuid"), 2**32 - 1
_PATIENCE = 10  # seconds for Postfix to tell its settings
_LOOK = 0.2  # seconds between two looks


def context(config: Config) -> Context:
    """Return the surroundings of the service: the real clock, real randomness."""
    passwords = Passwords(secrets.token_bytes(32))
    return Context(
        config,
        topics(config.templates),
        time.time,
        secrets.token_bytes,
        passwords,
    )


@contextmanager
def store(config: Config, node: str = "") -> Iterator[Store]:
    """Open the store, and close it at any end of the block, so that SQLite removes its log.

    ``node``: see ``Store``.
    """
    os.umask(0o077)
    with closing(Store(config.database, node=node)) as opened:
        yield opened


@contextmanager
def work(writes: bool = True) -> Iterator[Work]:
    """Work in a transaction; afterwards send its letters, unless a daemon sends them.

    Work that only reads does not wait for a daemon that writes.
    """
    config = configuration()
    with statuses(), store(config) as opened:
        surroundings = context(config)
        with opened.transaction(writes) as tx:
            yield Work(surroundings, tx, surroundings.clock(), Author(operator=actor()))
        if writes:
            send(config, opened)


def actor() -> str:
    """Return the name for the audit: the user who used sudo or has logged in, otherwise the Unix user."""
    name = os.environ.get("SUDO_USER", "")
    if not re.fullmatch(r"[a-z_][a-z0-9_.-]{0,31}", name):
        number = _login()
        try:
            name = pwd.getpwuid(os.getuid() if number is None else number).pw_name
        except KeyError:
            name = str(number or os.getuid())
    return f"operator {name}"


def _login() -> int | None:
    """Return the number of the user who has logged in, even if another user runs this; None as in cron."""
    try:
        number = int(LOGIN.read_text())
    except (OSError, ValueError):
        return None
    return None if number == _NOBODY else number


def write_digests(service: Service, opened: Store) -> None:
    """Write all digests that are due. Raises Passing."""
    more = True
    while more:
        with opened.transaction() as tx:
            more = service.send_digests(tx)


@contextmanager
def _perhaps_later(what: str) -> Iterator[None]:
    """Print the reason if what is done in the block must wait."""
    try:
        yield
    except Passing as error:
        complain(f"{what} wait: {error}")
    except OSError as error:
        complain(f"{what} wait: {named(error)}")


def send(config: Config, opened: Store) -> None:
    """Send the outgoing mail once, unless a daemon does that; failures are left for later."""
    service = Service(context(config))
    with _perhaps_later("letters"):
        write_digests(service, opened)
        deliver_once(config, opened, service.trouble)


def catch_up(config: Config, opened: Store) -> None:
    """Do what the daemon does alongside the mail for features; print the reason if it must wait."""
    for feature in features(config.without):
        with _perhaps_later(feature.title):
            feature.catch_up(config, opened)


def send_and_answer(config: Config, opened: Store) -> None:
    """Send letters, let features answer, and send again, unless a daemon does that."""
    send(config, opened)
    if answer(config, opened):
        send(config, opened)


def answer(config: Config, opened: Store) -> bool:
    """Do what messages have given features to do. Return True if there may be letters to send."""
    surroundings, is_done = context(config), False
    for feature in features(config.without):
        try:
            is_done |= feature.answer(surroundings, opened)
        except Passing as error:
            complain(f"{feature.title} wait: {error}")
        except Exception:  # the mail is done with: its sender must not get it back for this
            logging.getLogger("pbmstar").exception(
                "feature", extra={"facts": {"name": feature.name}}
            )
    return is_done


def mydestination() -> list[str]:
    """Return the domains whose mail the machine's Postfix delivers itself; none if there is no Postfix."""
    program = shutil.which("postconf") or shutil.which("postconf", path="/usr/sbin")
    with suppress(OSError, subprocess.SubprocessError):
        if program:
            words = [program, "-x", "-h", "mydestination"]
            done = subprocess.run(words, capture_output=True, timeout=_PATIENCE, check=True)
            return done.stdout.decode(errors="replace").replace(",", " ").lower().split()
    return []


def gone(spool: Path) -> None:
    """Wait until no daemon runs on a spool any more."""
    while True:
        with hold(lock_of(spool)) as is_free:
            if is_free:
                return
        time.sleep(_LOOK)
