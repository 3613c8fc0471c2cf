"""``pbmstar setup``: a server for a mailbox at a provider. Each thing is tried once, and said as it goes."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, urlsplit

from ..config import Config
from ..delivery.configured import relay
from ..delivery.relay import Letter, Relay
from ..delivery.smtp import Smarthost
from ..errors import BadInput, TemporaryFailure
from ..games.spelling import plural
from ..mailbox.connection import INBOX, MailboxLine, account_of

PATIENCE = 180.0  # seconds until a letter to itself must have come back
_LOOK = 5.0  # seconds between two looks where there is no IDLE
Resolver = Callable[[str, str], list[str]]

# Servers of large providers, by the domain of an address: IMAP, submission. Others say so in DNS.
_KNOWN = {
    "gmail.com": ("imaps://{}@imap.gmail.com", "smtps://{}@smtp.gmail.com"),
    "googlemail.com": ("imaps://{}@imap.gmail.com", "smtps://{}@smtp.gmail.com"),
    "outlook.com": ("imaps://{}@outlook.office365.com", "smtp+starttls://{}@smtp-mail.outlook.com"),
    "hotmail.com": ("imaps://{}@outlook.office365.com", "smtp+starttls://{}@smtp-mail.outlook.com"),
    "yahoo.com": ("imaps://{}@imap.mail.yahoo.com", "smtps://{}@smtp.mail.yahoo.com"),
    "icloud.com": ("imaps://{}@imap.mail.me.com", "smtp+starttls://{}@smtp.mail.me.com"),
    "gmx.net": ("imaps://{}@imap.gmx.net", "smtps://{}@mail.gmx.net"),
    "gmx.de": ("imaps://{}@imap.gmx.net", "smtps://{}@mail.gmx.net"),
    "web.de": ("imaps://{}@imap.web.de", "smtps://{}@smtp.web.de"),
    "fastmail.com": ("imaps://{}@imap.fastmail.com", "smtps://{}@smtp.fastmail.com"),
    "posteo.de": ("imaps://{}@posteo.de", "smtps://{}@posteo.de"),
    "mailbox.org": ("imaps://{}@imap.mailbox.org", "smtps://{}@smtp.mailbox.org"),
}
_MAILBOXES = (("_imaps._tcp", "imaps"), ("_imap._tcp", "imap"))
_RELAYS = (("_submissions._tcp", "smtps"), ("_submission._tcp", "smtp+starttls"))


class Servers(NamedTuple):
    """The URLs of mailbox and relay, without a password; empty if they are not known."""

    mailbox: str
    relay: str


def find(address: str, resolve: Resolver) -> Servers:
    """Return the servers of an address: what DNS says (RFC 6186), else what is known of its provider."""
    domain = address.rpartition("@")[2]
    known = [url.format(quote(address, safe="")) for url in _KNOWN.get(domain, ("", ""))]
    return Servers(
        _from_dns(address, _MAILBOXES, resolve) or known[0],
        _from_dns(address, _RELAYS, resolve) or known[1],
    )


def _from_dns(address: str, services: tuple[tuple[str, str], ...], resolve: Resolver) -> str:
    domain = address.rpartition("@")[2]
    for service, scheme in services:
        try:
            records = [each.split() for each in resolve(f"{service}.{domain}", "SRV")]
        except OSError:  # no DNS: the table, or the person, may know
            return ""
        for record in sorted(records, key=lambda each: (int(each[0]), -int(each[1]))):
            host = record[3].rstrip(".").lower()
            if re.fullmatch(r"[a-z0-9.-]+", host):  # a lone dot: the provider has no such service
                return f"{scheme}://{quote(address, safe='')}@{host}:{record[2]}"
    return ""


def with_password(url: str, password: str) -> str:
    """Return a URL with the password in it, if it names a user and has none."""
    parts = urlsplit(url)
    if not password or parts.username is None or parts.password is not None:
        return url
    return url.replace("@", f":{quote(password, safe='')}@", 1)


class Trial:
    """The trial of a configuration: each step yields a sentence.

    detail  what ``Config.detail`` must be, once the letters have come back
    """

    def __init__(self, config: Config) -> None:
        """Make it. Raises BadInput for servers that cannot be."""
        self._config = config
        self._line = MailboxLine(account_of(config), config.auth)
        command = config.relay_password_command or config.mailbox_password_command
        self._relay: Relay = relay(config.relay, config.domain, command, config.auth)
        if not isinstance(self._relay, Smarthost):
            raise BadInput("relay: the server to send with, like smtps://USER@HOST.")
        self.detail = "none"

    def run(self) -> Iterator[str]:
        """Try everything once. Raises TemporaryFailure when a step fails."""
        with closing(self._line):
            self._line.open()
            yield f"Signed in at {self._line.account.host}."
            self._line.select(INBOX)
            new = len(self._line.since(date.today() - timedelta(days=1)))
            yield (
                f"Read the inbox: the server will handle {plural(new, 'message')} that arrived since "
                f"yesterday; {len(self._line.uids()) - new} older ones stay as they are."
            )
            abilities = [name for name in ("IDLE", "MOVE", "UIDPLUS") if self._line.can(name)]
            yield f"The server can {' and '.join(abilities) or 'neither wait nor move'}."
            yield from self._letters()

    def _letters(self) -> Iterator[str]:
        """Send two letters to ourselves, one with a detail, and find them again."""
        config, name = self._config, secrets.token_hex(8)
        sent = {}
        for number, detail in enumerate(("", f"+setup{name}"), 1):
            subject = f"pbmstar setup {name}{number}"
            to = f"{config.local}{detail}@{config.domain}"
            content = (
                f"From: <{config.address}>\nTo: <{to}>\nSubject: {subject}\n"
                f"Message-ID: <pbmstar.{name}.{number}@{config.domain}>\n"
                f"Date: {time.strftime('%a, %d %b %Y %H:%M:%S +0000', time.gmtime())}\n\n"
                "A letter of pbmstar setup to itself.\n"
            ).encode("ascii")
            self._relay.open()
            letter = Letter(number, "", to, config.address, content)
            (verdict,) = [verdict for _, verdict in self._relay.send(iter([letter]))]
            if verdict.kind == "sent":
                sent[number] = subject
            elif number == 1:
                raise TemporaryFailure(f"the relay refuses a letter to {to}: {verdict.why}")
            yield f"Sent a letter to {to}." if verdict.kind == "sent" else f"{to} is refused."
        self._relay.close()
        found = self._await(sent)
        if 1 not in found:
            raise TemporaryFailure(f"the letter to {config.address} hasn't come back yet")
        yield "It came back."
        if f"<pbmstar.{name}.1@{config.domain}>".encode() not in found[1]:
            yield (
                "Your provider changes Message-IDs, so we recognize replies only by Reply-To, or "
                "ask again."
            )
        self.detail = "plus" if 2 in found and f"+setup{name}@".encode() in found[2] else "none"
        if self.detail == "plus":
            yield (
                "The letter to the address with a + came back, too, so replies will go to "
                "addresses like that."
            )
        else:
            yield (
                "The letter to the address with a + didn't come back, so we'll recognize "
                "replies by In-Reply-To."
            )

    def _await(self, sent: dict[int, str]) -> dict[int, bytes]:
        """Return the letters that arrive in time, and move them out of the way."""
        until, found = time.monotonic() + PATIENCE, dict[int, bytes]()
        folder = self._config.mailbox_done
        while len(found) < len(sent) and (left := until - time.monotonic()) > 0:
            self._line.select(INBOX)
            for number, subject in sent.items():
                if number not in found and (uids := self._line.uids("SUBJECT", subject)):
                    found[number] = self._line.contents(uids).get(uids[0], b"")
                    self._line.file(uids, folder)
                    until = min(until, time.monotonic() + PATIENCE / 3)
            if len(found) < len(sent) and not self._line.wait(min(left, _LOOK)):
                time.sleep(min(left, _LOOK))
        return found


def write(file: Path, config: Config, detail: str, password: str) -> None:
    """Write the configuration for the owner's eyes alone, and close the spool to others.

    Raises BadInput if there is a file, OSError.
    """
    values = {
        "address": config.address,
        "mailbox": with_password(config.mailbox, password),
        "relay": with_password(config.relay, password),
        "detail": detail,
        "listen": "",
        "spool": str(config.spool),
    }
    for name in ("mailbox_password_command", "relay_password_command", "operator"):
        values |= {name: value} if (value := getattr(config, name)) else {}
    values |= {"auth": config.auth} if config.auth != "password" else {}
    lines = [f"{name} = {_quoted(value)}\n" for name, value in values.items()]
    try:
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise BadInput(f"{file} already exists. Move it away first.") from None
    with open(descriptor, "w") as opened:
        opened.write(
            "# Written by pbmstar setup. All keys: pbmstar config --help\n" + "".join(lines)
        )
    config.spool.mkdir(mode=0o700, parents=True, exist_ok=True)
    config.spool.chmod(0o700)  # in a clone it is open to others


def _quoted(value: str) -> str:
    """Return a value as TOML writes it."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
