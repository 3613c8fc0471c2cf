"""``pbmstar doctor``: faults of an installation, and advice. It changes nothing."""

from __future__ import annotations

import fcntl
import json
import os
import pwd
import shutil
import socket
import stat
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import date, timedelta
from pathlib import Path

from dns import exception, resolver, reversename

from ..config import Config
from ..delivery.configured import relay, relay_of
from ..delivery.dispatch import lock_of
from ..delivery.relay import UNWRITTEN, RelayDown
from ..delivery.smtp import Smarthost
from ..errors import BadInput, CorruptDatabase, TemporaryFailure
from ..games.spelling import plural
from ..grammar.literals import read_address
from ..intake import quarantine
from ..machine.times import DAY, HOUR, Epoch
from ..mailbox.connection import INBOX, MailboxLine, account_of
from ..parts import switched_off
from ..service.admin import bots, lookup
from ..service.letters.alerts import REMIND_AGE, REMINDED, reminded_or_begun
from ..service.work.feature import FAIL, OK, WARN, Finding, workers
from ..smtp import exporter, sockets
from ..store import Store, Tx
from .listings import in_bytes
from .shared import mydestination

MEBIBYTE = 1 << 20
LATE = 300.0  # seconds in the queue of Postfix: while a move waits there, its player's clock runs
_PATIENCE = 10  # seconds
_BACKED_UP = 7 * DAY  # the oldest that the last backup may be
_RIGHT = 2.0  # seconds by which the clocks of the nodes and the database may differ
_NAMED = 5  # files that are named; the others are only counted
# (name, type) -> answers as text, empty if there are none; raises OSError if DNS does not answer.
Resolver = Callable[[str, str], list[str]]


def _ok(what: str) -> Finding:
    return Finding(OK, what)


def _warn(what: str, advice: str) -> Finding:
    return Finding(WARN, what, advice)


def _fail(what: str, advice: str) -> Finding:
    return Finding(FAIL, what, advice)


def _judge(is_right: bool, what: str, advice: str) -> Finding:
    return _ok(what) if is_right else _fail(what, advice)


def examine(config: Config, resolve: Resolver, now: Epoch) -> Iterator[Finding]:
    """Yield all findings."""
    yield from _values(config)
    yield from _configuration(config)
    if os.path.isdir(config.spool):  # unlike Path.is_dir it raises nothing
        yield from _disk(config)
        yield _daemon(config.spool)
        if config.lmtp.startswith("unix:/"):
            yield _socket(Path(config.lmtp.removeprefix("unix:")))
        yield from _owners(config.spool)
        yield from _store(config, now)
    else:
        yield _fail(
            f"spool: this user can't see a folder {config.spool}",
            "The daemon creates it, if its user is allowed to.",
        )
    yield from _relay(config)
    yield from _mailbox(config)
    yield from _destinations(config)
    if off := switched_off(config.without):
        yield _warn(
            f"switched off: {', '.join(off)}",
            "The key without switches them off. We keep their data.",
        )
    yield from bots.examine(config, now)
    for worker in workers(config).values():
        yield from worker.examine(now)
    yield from _waiting(config, now)
    if config.mailbox and not (config.listen or config.lmtp):
        yield _ok("DNS: the provider's")
    elif config.domain == "localhost" or "." not in config.domain:
        yield _warn("DNS: not checked", "The address isn't on the Internet.")
    else:
        yield from _records(config, resolve)


def _values(config: Config) -> Iterator[Finding]:
    """Report each key with a value that the daemon cannot use; the advice names a right one."""
    checks: list[Callable[[], object]] = [
        lambda: sockets.endpoints(config),
        lambda: sockets.tls(config),
        lambda: relay_of(config),
        lambda: account_of(config) if config.mailbox else None,
        lambda: exporter.target_of(config.metrics),
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
        yield _fail(what, advice)
    if not wrong:
        yield _ok("configuration: every key has a usable value")


def _address(key: str, value: str) -> None:
    try:
        if value:
            read_address(value)
    except BadInput:
        raise BadInput(f"{key}: a mail address, like you@example.org.") from None


def _folder(key: str, value: str) -> None:
    if value and not os.path.isdir(value):
        raise BadInput(f"{key}: there's no folder {value}.")


def _configuration(config: Config) -> Iterator[Finding]:
    if config.operator:
        yield _ok("operator: mail to postmaster and abuse is passed on")
    else:
        yield _warn(
            "operator: not set",
            "Set operator to your own address: mail to postmaster and abuse stays in quarantine.",
        )
    if config.relay.startswith("maildir:"):
        yield _warn(
            "relay: letters go into maildirs on this machine",
            'To really send them, set relay = "smtp://127.0.0.1:25".',
        )
    if config.site_url and config.site is None:
        yield _warn("site: no folder", "site_url is of no use where the key site is not set.")
    if not config.limits:
        yield _fail("limits: off", "Do this only for tests: anyone can flood the server.")


def _disk(config: Config) -> Iterator[Finding]:
    mode = config.spool.stat().st_mode & 0o077
    if mode:
        yield _fail("spool: other users can look into the folder", "chmod 700 the spool.")
    if not os.access(config.spool, os.W_OK):
        yield _fail("spool: not writable", "Run this as the daemon's user.")
    free = shutil.disk_usage(config.spool).free // MEBIBYTE
    if free < 64:
        yield _fail(f"disk: {free} MiB free", "Below 64 MiB, we refuse mail. Make room.")
    elif free < 1024:
        yield _warn(f"disk: {free} MiB free", "Below 64 MiB, we refuse mail.")
    else:
        yield _ok(f"disk: {free} MiB free")


def _store(config: Config, now: Epoch) -> Iterator[Finding]:
    try:
        with closing(Store(config.database, read_only=True)) as store, store.transaction() as tx:
            yield _ok("database: opens, tables are up to date")
            yield from _contents(tx, now)
    except CorruptDatabase as error:
        yield _fail("database: damaged", str(error).removeprefix("database: "))
    except (TemporaryFailure, BadInput) as error:
        yield _fail("database: can't be opened", str(error))
    quarantined, size = quarantine.size_of(config.spool)
    if quarantined:
        yield _warn(
            f"quarantine: {plural(quarantined, 'message')}, {in_bytes(size)}",
            "See pbmstar admin quarantine list. Once it fills a tenth of the free disk space, it's full.",
        )


def _contents(tx: Tx, now: Epoch) -> Iterator[Finding]:
    waiting, newest = tx.outbox.unsent(), tx.outbox.last_written()
    if abs(ahead := tx.ledger.ahead(time.time())) > _RIGHT:
        which = "ahead of" if ahead > 0 else "behind"
        yield _fail(
            f"clock: {abs(ahead):.0f} seconds {which} the database's",
            "Set both clocks. An NTP service does it for you.",
        )
    elif newest > now + 60:
        yield _fail(
            f"clock: {newest - now:.0f} seconds behind the newest time we've stored",
            "Set the clock, and use an NTP service. Until the clock has caught up, deadlines come late.",
        )
    else:
        yield _ok(f"clock: {time.strftime('%Y-%m-%d %H:%M:%S', time.gmtime(now))} UTC")
    late = [
        letter
        for letter in waiting
        if letter.state == "new"
        and now - letter.made > HOUR
        and (letter.tries or letter.due <= now)  # otherwise its time has not come
    ]
    dead = [letter for letter in waiting if letter.state == "dead"]
    faulty = [each for each in waiting if each.state == "new" and UNWRITTEN in each.trouble]
    if late:
        age = int(max(now - letter.made for letter in late) / HOUR)
        yield _fail(
            f"outbox: {plural(len(late), 'letter')} late, the oldest by {plural(age, 'hour')}",
            "Is the daemon running? pbmstar admin outbox list shows what the relay says.",
        )
    elif not faulty:
        yield _ok(f"outbox: waiting letters: {len(waiting) - len(dead)}, none for long")
    if faulty:
        yield _fail(
            f"outbox: {plural(len(faulty), 'letter')} can't be written",
            "See pbmstar admin outbox list for the reasons. We give up after six tries; outbox "
            "retry tries again.",
        )
    if dead:
        yield _warn(f"outbox: {plural(len(dead), 'letter')} refused", "See admin outbox list.")
    advice = "systemctl enable --now pbmstar-remind.timer, or cron: see docs/installing.md."
    since = reminded_or_begun(tx)
    if since and now - since >= REMIND_AGE:
        yield _fail("reminders: pbmstar remind hasn't run for two days", advice)
    elif not tx.ledger.fact(REMINDED) and _is_timer_on():
        yield _ok("reminders: the timer is on, and runs pbmstar remind within the hour")
    elif not tx.ledger.fact(REMINDED):
        yield _warn("reminders: pbmstar remind hasn't run yet", advice)
    else:
        yield _ok("reminders: pbmstar remind has run in the last two days")
    backup = lookup.last_backup(tx)
    if backup is None or now - backup > _BACKED_UP:
        days = "" if backup is None else f"the last is {int((now - backup) / DAY)} days old"
        yield _warn(
            f"backup: {days or 'none is known'}",
            "Have cron run pbmstar admin backup FILE every day.",
        )
    else:
        yield _ok("backup: there's a good one from the past week")
    if tx.clocks.paused() is not None:
        yield _warn("paused: we don't take mail", "To resume: pbmstar admin resume")


def _is_timer_on() -> bool:
    """Return True if systemd waits for the next run of the reminders."""
    with suppress(OSError, subprocess.SubprocessError):
        words = ["systemctl", "is-active", "--quiet", "pbmstar-remind.timer"]
        return subprocess.call(words, stderr=subprocess.DEVNULL, timeout=_PATIENCE) == 0
    return False


def _destinations(config: Config) -> Iterator[Finding]:
    """Report it if the machine's Postfix takes mail for our domain as its own, and passes none on to us."""
    if config.domain in mydestination():
        yield _fail(
            f"mail server: {config.domain} is in mydestination of Postfix",
            "Then Postfix keeps our mail. Take the domain out: pbmstar admin postfix prints the line.",
        )


def _relay(config: Config) -> Iterator[Finding]:
    """Open the relay as the daemon does, with TLS and the password if it has them."""
    command = config.relay_password_command or config.mailbox_password_command
    try:
        found = relay(config.relay, config.domain, command, config.auth)
    except BadInput:  # _values has said so
        return
    if not isinstance(found, Smarthost):
        return
    try:
        found.open()
    except RelayDown as error:
        why = str(error).partition(": ")[2]
        yield _fail(f"relay: doesn't answer ({why})", "Is Postfix running? Is the port right?")
        return
    found.close()
    yield _ok("relay: answers")


def _mailbox(config: Config) -> Iterator[Finding]:
    """Sign in to the mailbox, look into it, and change nothing."""
    if not config.mailbox:
        return
    try:
        account = account_of(config)
    except BadInput:  # _values has said so
        return
    try:
        with closing(MailboxLine(account, config.auth)) as line:
            line.open()
            line.select(INBOX, to_look=True)
            waiting = len(line.since(date.today() - timedelta(days=1)))
            yield _ok(
                f"mailbox: signed in; {plural(waiting, 'message')} of the last two days in the inbox"
            )
            if not line.can("IDLE"):
                yield _warn("mailbox: no IDLE", "We check once a minute instead.")
            if not line.can("MOVE") and not line.can("UIDPLUS"):
                yield _warn(
                    "mailbox: no MOVE and no UIDPLUS",
                    "Handled messages stay in the inbox, marked as deleted, until you remove them.",
                )
            yield from _details(config, line)
    except TemporaryFailure as error:
        what, _, why = str(error).partition(": ")
        yield _fail(f"{what}: {why}", "See docs/how-to/any-mailbox.md.")


def _details(config: Config, line: MailboxLine) -> Iterator[Finding]:
    """Look among handled messages for one to an address with a detail."""
    if config.detail == "none" or not config.mailbox_done:
        return
    try:
        line.select(config.mailbox_done, to_look=True)
    except TemporaryFailure:  # there is no such folder before the first message
        return
    if line.uids("TO", f"{config.local}+"):
        yield _ok("mailbox: replies to addresses with a + arrive")
    else:
        yield _warn(
            "mailbox: no reply to an address with a + has come yet",
            'If none ever does, set detail = "none"; pbmstar setup tries it out.',
        )


# -- the daemon and its files


def _daemon(spool: Path) -> Finding:
    """Check the lock that a process holds while it delivers."""
    try:
        with open(lock_of(spool), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return _ok("daemon: running")
    except OSError as error:
        if not isinstance(error, FileNotFoundError):
            return _fail(f"{lock_of(spool)}: {error.strerror}", "Give it to the daemon's user.")
    return _fail("daemon: not running", "systemctl start pbmstar, then journalctl -u pbmstar.")


def _socket(path: Path) -> Finding:
    name = f"lmtp: {path}"
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(5)
            probe.connect(str(path))
    except FileNotFoundError:
        return _fail(f"{name} is not there", "The daemon creates it, in a folder of its own.")
    except OSError as error:
        return _fail(f"{name}: {error.strerror or error}", "Is the daemon running?")
    folder = path.parent.stat()
    others = stat.S_IMODE(folder.st_mode) & (stat.S_IXGRP | stat.S_IXOTH)
    if not others:
        return _fail(
            f"lmtp: {path.parent} is closed to the mail server",
            "install -d -o pbmstar -g postfix -m 2710, as docs/installing.md says.",
        )
    return _ok(f"{name} answers")


def _owners(spool: Path) -> Iterator[Finding]:
    """Check that each file belongs to the owner of the spool, and that no other user can read it."""
    owner = spool.stat().st_uid
    strange, open_to_others = [], []
    paths = (
        Path(place) / name
        for place, _, names in os.walk(spool)
        for name in names
        if name != ".gitignore"  # of a clone, and no secret
    )
    for path in (path for path in paths if not path.is_relative_to(spool / "mail")):
        with suppress(FileNotFoundError):  # meanwhile it was sent, or checkpointed
            state = path.lstat()
            if state.st_uid != owner:
                strange.append(path)
            elif stat.S_ISREG(state.st_mode) and state.st_mode & 0o077:
                open_to_others.append(path)
    if strange:
        name = _name(owner)
        yield _fail(
            f"spool: not all files belong to {name}: {_list(strange)}",
            f"As root: chown -R {name}: {spool}",
        )
    if open_to_others:
        yield _fail(f"spool: others may read {_list(open_to_others)}", f"chmod -R go-rwx {spool}")
    if not strange and not open_to_others:
        yield _ok(f"spool: all its files belong to {_name(owner)}, and nobody else can read them")
    if owner not in (os.getuid(), 0) and os.getuid() != 0:
        yield _warn(f"spool: it belongs to {_name(owner)}", "Run this as the daemon's user.")


def _list(paths: list[Path]) -> str:
    shown = ", ".join(str(path) for path in sorted(paths)[:_NAMED])
    return shown if len(paths) <= _NAMED else f"{shown} and {len(paths) - _NAMED} more"


def _name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


# -- the queue of the machine's Postfix


def _waiting(config: Config, now: Epoch) -> Iterator[Finding]:
    """Check the age of the oldest mail for our domain. Without a Postfix on this machine yield nothing."""
    program = shutil.which("postqueue") or shutil.which("postqueue", path="/usr/sbin")
    if not program:
        return
    try:
        done = subprocess.run([program, "-j"], capture_output=True, timeout=_PATIENCE, check=True)
        ages = [now - at for at in _arrivals(done.stdout, config.domain)]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        if config.lmtp:
            advice = "Is Postfix running? postqueue -p says more."
            yield _warn("mail queue: Postfix doesn't show it", advice)
        return
    late = [age for age in ages if age > LATE]
    yield _judge(
        not late,
        f"mail queue: {len(ages)} messages are waiting for us, the oldest for "
        f"{int(max(ages, default=0) / 60)} minutes",
        "A player's clock runs until the move reaches us. postqueue -p shows why it's waiting; "
        "then run postqueue -f. To give the lost time back: pbmstar admin outage add",
    )


def _arrivals(listed: bytes, domain: str) -> Iterator[float]:
    """Yield the time of arrival of each message for the domain."""
    for line in listed.splitlines():
        mail = json.loads(line)
        if any(each["address"].lower().endswith(f"@{domain}") for each in mail["recipients"]):
            yield float(mail["arrival_time"])


# -- the DNS records of a mail server


def dns(name: str, kind: str) -> list[str]:
    """Return the answers of DNS as text. Raises OSError if no server answers."""
    try:
        answers = resolver.resolve(name, kind, lifetime=5.0)
    except (resolver.NXDOMAIN, resolver.NoAnswer):
        return []
    except exception.DNSException as error:
        raise OSError(type(error).__name__) from None
    return [str(answer).strip('"').replace('" "', "") for answer in answers]


def _records(config: Config, resolve: Resolver) -> Iterator[Finding]:
    """Check the records that other mail servers look up."""
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
                f"{name}. TXT, see docs/installing.md.",
            )
        else:
            yield _warn(
                "DKIM: pbmstar doesn't sign",
                "Large providers refuse unsigned mail: let opendkim sign for "
                f"{domain} (Domain, Selector, KeyFile, Mode sv), or set dkim_key and dkim_selector. "
                "Does it sign already? To find out: pbmstar admin probe YOUR-OTHER-ADDRESS.",
            )
    except OSError as error:
        yield _fail(f"DNS: doesn't answer ({error})", "Does this machine have a resolver?")


def _routes(domain: str, resolve: Resolver) -> Iterator[Finding]:
    hosts = [text.split()[-1].rstrip(".") for text in resolve(domain, "MX")] or [domain]
    for host in hosts:
        addresses = resolve(host, "A") + resolve(host, "AAAA")
        yield _judge(bool(addresses), f"mail host {host}", f"{host}. needs an A or AAAA record.")
        for address in addresses:
            back = [
                name.rstrip(".") for name in resolve(str(reversename.from_address(address)), "PTR")
            ]
            yield _judge(host in back, f"reverse lookup of {address}", f"Its PTR should be {host}.")
