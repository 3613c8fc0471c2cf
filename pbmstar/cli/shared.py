"""Steps that commands share: opening the store, working in it, sending letters, the work of features.

Each imports what it needs when it runs, so that a command that reads one thing is quick.
"""

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
from typing import TYPE_CHECKING

from ..config import Config
from ..delivery.dispatch import lock_of
from ..errors import TemporaryFailure
from ..identity import Passwords
from ..machine.files import hold
from ..machine.log import complain
from ..service.work.context import Context, in_steps
from ..service.work.work import Work
from ..store import Store
from .options import configuration, named, statuses

if TYPE_CHECKING:
    from ..service.incoming.mail import Service

LOGIN, _NOBODY = Path("/proc/self/loginuid"), 2**32 - 1
_PATIENCE = 10  # seconds for Postfix to tell its settings
_LOOK = 0.2  # seconds between two looks


def context(config: Config) -> Context:
    """Return the surroundings of the service: the real clock, real randomness."""
    passwords = Passwords(secrets.token_bytes(32))
    return Context(
        config,
        time.time,
        secrets.token_bytes,
        passwords,
    )


@contextmanager
def store(config: Config, node: str = "", make: bool = True) -> Iterator[Store]:
    """Open the store, and close it at any end of the block, so that SQLite removes its log.

    ``node``, ``make``: see ``Store``.
    """
    os.umask(0o077)
    with closing(Store(config.database, node=node, make=make)) as opened:
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
            yield Work(surroundings, tx, surroundings.clock(), operator=actor())
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
    """Write all digests that are due. Raises TemporaryFailure."""
    more = True
    while more:
        with opened.transaction() as tx:
            more = service.send_digests(tx)


@contextmanager
def _perhaps_later(what: str) -> Iterator[None]:
    """Print the reason if what is done in the block must wait."""
    try:
        yield
    except TemporaryFailure as error:
        complain(f"{what} wait: {error}")
    except OSError as error:
        complain(f"{what} wait: {named(error)}")


def send(config: Config, opened: Store) -> None:
    """Send the outgoing mail once, unless a daemon does that; failures are left for later."""
    from ..delivery.courier import deliver_once
    from ..service.incoming.mail import Service

    service = Service(context(config))
    with _perhaps_later("letters"):
        in_steps(opened, service.do_chore)
        write_digests(service, opened)
        deliver_once(config, opened, service.trouble)


def catch_up(config: Config, opened: Store) -> None:
    """Do what the daemon does alongside the mail for features; print the reason if it must wait."""
    from ..service.work.feature import workers

    for title, worker in workers(config).items():
        with _perhaps_later(title):
            worker.catch_up(opened)


def send_and_answer(config: Config, opened: Store) -> None:
    """Send letters, let bots answer, and send again, unless a daemon does that."""
    send(config, opened)
    if answer(config, opened):
        send(config, opened)


def answer(config: Config, opened: Store) -> bool:
    """Let the bots answer whose turns are due. Return True if there may be letters to send."""
    from ..thinking import worker

    try:
        return worker.answer(context(config), opened)
    except TemporaryFailure as error:
        complain(f"bots wait: {error}")
    except Exception:  # the mail is done with: its sender must not get it back for this
        logging.getLogger("pbmstar").exception("bots")
    return False


def mydestination() -> list[str]:
    """Return the domains whose mail the machine's Postfix delivers itself; none if there is no Postfix."""
    return postconf("mydestination").replace(",", " ").lower().split()


def postconf(name: str) -> str:
    """Return a value of the configuration of the machine's Postfix; empty if there is no Postfix."""
    program = shutil.which("postconf") or shutil.which("postconf", path="/usr/sbin")
    with suppress(OSError, subprocess.SubprocessError):
        if program:
            words = [program, "-x", "-h", name]
            done = subprocess.run(words, capture_output=True, timeout=_PATIENCE, check=True)
            return done.stdout.decode(errors="replace").strip()
    return ""


def gone(spool: Path) -> None:
    """Wait until no daemon runs on a spool any more."""
    while True:
        with hold(lock_of(spool)) as is_free:
            if is_free:
                return
        time.sleep(_LOOK)
