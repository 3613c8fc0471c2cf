"""``pbmstar doctor``: what an operator has overlooked, and what to do about it. Changes nothing."""

from __future__ import annotations

import importlib.util
import os
import shutil
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from urllib.parse import urlsplit

from ..command import read_address
from ..config import Config
from ..delivery.configured import relay_of
from ..errors import BadInput, Passing
from ..intake import quarantine
from ..service import bots
from ..service.alerts import REMIND_AGE, REMINDED, reminded_or_begun
from ..smtp import exporter, sockets
from ..store import Store, Tx
from . import postqueue
from .finding import Finding
from .records import Resolver, dns, records
from .running import running

__all__ = ["Finding", "dns", "examine"]

HOUR, MEBIBYTE = 3600.0, 1 << 20


def examine(config: Config, resolve: Resolver, now: float) -> Iterator[Finding]:
    """All findings, one by one."""
    yield from _values(config)
    yield from _configuration(config)
    if os.path.isdir(config.spool):  # unlike Path.is_dir it raises nothing
        yield from _disk(config)
        yield from running(config)
        yield from _store(config, now)
    else:
        yield Finding(
            "bad",
            f"spool: there is no folder {config.spool} that this user can see",
            "The daemon makes it, where its user may.",
        )
    yield from _relay(config)
    yield from postqueue.waiting(config, now)
    if config.domain == "localhost" or "." not in config.domain:
        yield Finding("look", "DNS: not looked at", "The address is not one of the Internet.")
    else:
        yield from records(config, resolve)


def _values(config: Config) -> Iterator[Finding]:
    """Each key whose value the daemon could not use; the advice says what it should be."""
    checks: list[Callable[[], object]] = [
        lambda: sockets.places(config),
        lambda: sockets.tls(config),
        lambda: relay_of(config),
        lambda: exporter.place(config.metrics),
        lambda: _address("operator", config.operator),
        lambda: _folder("templates", str(config.templates or "")),
    ]
    wrong = []
    for check in checks:
        try:
            check()
        except BadInput as error:
            wrong.append(error)
    for each in wrong:
        what, _, advice = str(each).partition(": ")
        yield Finding("bad", what, advice)
    if not wrong:
        yield Finding("good", "configuration: every key has a value that can be used")


def _address(key: str, value: str) -> None:
    try:
        if value:
            read_address(value)
    except BadInput:
        raise BadInput(f"{key}: a mail address, like you@example.org.") from None


def _folder(key: str, value: str) -> None:
    if value and not os.path.isdir(value):
        raise BadInput(f"{key}: there is no folder {value}.")


def _configuration(config: Config) -> Iterator[Finding]:
    if config.operator:
        yield Finding("good", "operator: mail to postmaster and abuse is passed on")
    else:
        yield Finding(
            "look",
            "operator: not set",
            "Set operator to your own address: mail to postmaster and abuse stays in quarantine.",
        )
    if config.relay.startswith("maildir:"):
        yield Finding(
            "look",
            "relay: letters go into maildirs of this machine",
            'Set relay = "smtp://127.0.0.1:25" to send them into the world.',
        )
    if not config.limits:
        yield Finding("bad", "limits: off", "Only for tests: anybody may flood the server.")


def _disk(config: Config) -> Iterator[Finding]:
    mode = config.spool.stat().st_mode & 0o077
    if mode:
        yield Finding("bad", "spool: others may look into it", "chmod 700 the spool.")
    if not os.access(config.spool, os.W_OK):
        yield Finding("bad", "spool: not writable", "Run as the user of the daemon.")
    free = shutil.disk_usage(config.spool).free // MEBIBYTE
    if free < 64:
        yield Finding("bad", f"disk: {free} MiB free", "Below 64 MiB mail is refused. Make room.")
    elif free < 1024:
        yield Finding("look", f"disk: {free} MiB free", "Below 64 MiB mail is refused.")
    else:
        yield Finding("good", f"disk: {free} MiB free")


def _store(config: Config, now: float) -> Iterator[Finding]:
    try:
        with (
            closing(Store(config.database, read_only=True)) as store,
            store.transaction() as tx,
        ):
            yield Finding("good", "database: opens, tables are up to date")
            yield from _contents(tx, now)
            yield from _bots(config, tx, now)
    except (Passing, BadInput) as error:
        yield Finding("bad", "database: cannot be opened", str(error))
    quarantined = quarantine.count(config.spool)
    if quarantined:
        yield Finding(
            "look", f"quarantine: {quarantined} mails", "See pbmstar admin quarantine list."
        )


def _contents(tx: Tx, now: float) -> Iterator[Finding]:
    waiting, newest = tx.letters(), tx.newest()
    if newest > now + 60:
        yield Finding("bad", "clock: behind what is stored", "Set the clock; use an NTP service.")
    else:
        yield Finding("good", f"clock: {time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(now))} UTC")
    late = [letter for letter in waiting if letter.state == "new" and now - letter.made > HOUR]
    dead = [letter for letter in waiting if letter.state == "dead"]
    if late:
        age = int(max(now - letter.made for letter in late) / HOUR)
        yield Finding(
            "bad",
            f"outbox: {len(late)} letters wait, the oldest for {age} hours",
            "Does the daemon run? See pbmstar admin outbox list for what the relay says.",
        )
    else:
        yield Finding("good", f"outbox: {len(waiting) - len(dead)} letters wait, none for long")
    if dead:
        yield Finding("look", f"outbox: {len(dead)} letters were refused", "See admin outbox list.")
    advice = "systemctl enable --now pbmstar-remind.timer, or cron: see README."
    since = reminded_or_begun(tx)
    if since and now - since >= REMIND_AGE:
        yield Finding("bad", "reminders: pbmstar remind has not run for two days", advice)
    elif not tx.fact(REMINDED):
        yield Finding("look", "reminders: pbmstar remind has not run yet", advice)
    else:
        yield Finding("good", "reminders: pbmstar remind has run in the last two days")
    if tx.paused() is not None:
        yield Finding("look", "paused: no mail is taken", "pbmstar admin resume.")


def _bots(config: Config, tx: Tx, now: float) -> Iterator[Finding]:
    waiting = len(tx.bot_turns(10_000))
    if not config.bots:
        advice = f"{waiting} players wait for one." if waiting else ""
        yield Finding("look" if waiting else "good", "bots: switched off", advice)
        return
    if bots.is_late(tx, now, 0.0):
        yield Finding(
            "bad",
            "bots: a turn is older than ten minutes",
            "Does the daemon run? See its log. Where there is none: pbmstar deliver.",
        )
    else:
        yield Finding("good", f"bots: {waiting} turns wait, none for long")
    if crashes := tx.counted(bots.CRASHES, now, bots.DAY):
        yield Finding(
            "look",
            f"bots: the process that thinks failed {crashes} times in a day",
            "The log says why; its memory may be too small.",
        )
    if importlib.util.find_spec("numba") is None:
        yield Finding(
            "look", "bots: numba is not installed", "pip install 'pbmstar[bot]' makes them fast."
        )


def _relay(config: Config) -> Iterator[Finding]:
    parts = urlsplit(config.relay)
    if not parts.scheme.startswith("smtp"):
        return
    try:
        with smtplib.SMTP(parts.hostname or "", parts.port or 25, timeout=5) as smtp:
            smtp.ehlo()
    except (OSError, smtplib.SMTPException):
        yield Finding("bad", "relay: does not answer", "Is Postfix running? Is the port right?")
        return
    yield Finding("good", "relay: answers")
