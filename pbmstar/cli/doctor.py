"""``pbmstar doctor``: what an operator has overlooked, and what to do about it. Changes nothing."""

from __future__ import annotations

import os
import shutil
import smtplib
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import NamedTuple
from urllib.parse import urlsplit

from ..config import Config
from ..errors import Passing
from ..intake import quarantine
from ..store import Store

HOUR, MEBIBYTE = 3600.0, 1 << 20
# (name, type) -> answers as text, empty if there are none; raises OSError if DNS does not answer.
Resolver = Callable[[str, str], list[str]]


class Finding(NamedTuple):
    """One check. verdict: good, look (may be meant so) or bad; advice is empty if it is good."""

    verdict: str
    what: str
    advice: str = ""

    def __str__(self) -> str:
        told = f"{self.verdict:<5} {self.what}"
        return f"{told}\n      {self.advice}" if self.advice else told


def examine(config: Config, resolve: Resolver, now: float) -> Iterator[Finding]:
    """All findings, one by one."""
    yield from _configuration(config)
    yield from _disk(config)
    yield from _store(config, now)
    yield from _relay(config)
    if config.domain == "localhost" or "." not in config.domain:
        yield Finding("look", "DNS: not looked at", "The address is not one of the Internet.")
    else:
        yield from _dns(config, resolve)


def dns(name: str, kind: str) -> list[str]:
    """The answers of DNS, as text. Raises OSError if no server answers."""
    from dns import exception, resolver

    try:
        answers = resolver.resolve(name, kind, lifetime=5.0)
    except (resolver.NXDOMAIN, resolver.NoAnswer):
        return []
    except exception.DNSException as error:
        raise OSError(type(error).__name__) from None
    return [str(answer).strip('"').replace('" "', "") for answer in answers]


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
    if config.forfeit_days < config.nag_days + 2:
        yield Finding(
            "look",
            "forfeit_days leaves less than two days after the first reminder",
            "A forfeit waits for a last warning two days before, so it comes later than it says.",
        )


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
        with closing(Store(config.database)) as store, store.transaction() as tx:
            waiting, newest = tx.letters(), tx.newest()
    except Passing as error:
        yield Finding("bad", "database: cannot be opened", str(error))
        return
    yield Finding("good", "database: opens, tables are up to date")
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
    kept = quarantine.entries(config.spool)
    if kept:
        yield Finding(
            "look", f"quarantine: {len(kept)} mails", "See pbmstar admin quarantine list."
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


def _dns(config: Config, resolve: Resolver) -> Iterator[Finding]:
    domain = config.domain
    try:
        yield from _routes(domain, resolve)
        records = [text for text in resolve(domain, "TXT") if text.lower().startswith("v=spf1")]
        yield _judge(
            len(records) == 1, "SPF", f'{domain}. TXT "v=spf1 mx -all", and no second such record.'
        )
        policy = resolve(f"_dmarc.{domain}", "TXT")
        yield _judge(
            any(text.lower().startswith("v=dmarc1") for text in policy),
            "DMARC",
            f'_dmarc.{domain}. TXT "v=DMARC1; p=quarantine; rua=mailto:postmaster@{domain}".',
        )
        if config.dkim_selector:
            name = f"{config.dkim_selector}._domainkey.{domain}"
            yield _judge(
                any("p=" in text for text in resolve(name, "TXT")),
                "DKIM",
                f"{name}. TXT, see README.",
            )
        else:
            yield Finding(
                "look", "DKIM: not ours", "Let a milter of Postfix sign, or set dkim_key."
            )
    except OSError as error:
        yield Finding("bad", f"DNS: does not answer ({error})", "Is there a resolver?")


def _routes(domain: str, resolve: Resolver) -> Iterator[Finding]:
    hosts = [text.split()[-1].rstrip(".") for text in resolve(domain, "MX")] or [domain]
    for host in hosts:
        addresses = resolve(host, "A") + resolve(host, "AAAA")
        yield _judge(bool(addresses), f"mail host {host}", f"{host}. needs an A or AAAA record.")
        for address in addresses:
            from dns import reversename

            back = [
                name.rstrip(".") for name in resolve(str(reversename.from_address(address)), "PTR")
            ]
            yield _judge(host in back, f"reverse lookup of {address}", f"Its PTR should be {host}.")


def _judge(good: bool, what: str, advice: str) -> Finding:
    return Finding("good", what) if good else Finding("bad", what, advice)
