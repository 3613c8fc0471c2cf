"""The end of one message: the answer to its bringer, and its line in the log."""

from __future__ import annotations

import itertools
import logging
import secrets
import time
from collections.abc import Callable, Iterator
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import TemporaryFailure, Unreadable
from ..machine.files import says_full
from ..machine.times import Epoch
from ..service.letters.alerts import Alert
from ..service.work.context import Envelope, Outcome
from . import quarantine

Result = Outcome | Exception  # the result of reading and executing a message

log = logging.getLogger("pbmstar")


class Fate(Enum):
    """The answer to the bringer of a message."""

    TAKEN = "taken"  # its effect, or the mail itself in the quarantine, is on stable storage
    LATER = "later"  # it had no effect: bring it again
    FULL = "full"  # like LATER, because the disk is full
    UNREADABLE = "unreadable"  # it had no effect, and will never have one


class Receipt(NamedTuple):
    """The receipt that the bringer of a message gets; the log has the same id and outcome."""

    id: str
    fate: Fate
    outcome: str = ""


class Mail(NamedTuple):
    """A message as it arrived.

    id           unique among all messages
    peer         its bringer: a network address, ``local``, ``pipe`` or ``quarantine``
    began        its time of arrival, by ``time.perf_counter``
    quarantined  its id in the quarantine, if it comes from there
    """

    id: str
    peer: str
    envelope: Envelope
    raw: bytes
    began: Epoch
    quarantined: str = ""


def stem(now: Epoch) -> str:
    """Return the beginning of the ids of a process's messages; each process has another one."""
    return f"{int(now):x}{secrets.token_hex(2)}"


def ids(stem: str) -> Iterator[str]:
    """Yield ids for the messages of a process."""
    return (f"{stem}-{number}" for number in itertools.count(1))


def fault(result: Result) -> Exception | None:
    """Return the reason to keep the mail for the operator, or None if there is no such reason."""
    if isinstance(result, Outcome):
        return quarantine.ForOperator(result.why) if result.keep else None
    return None if isinstance(result, (Unreadable, TemporaryFailure, MemoryError)) else result


def conclude(
    mail: Mail, result: Result, spool: Path, now: Epoch, note: Callable[[Alert], object]
) -> Receipt:
    """Decide a message's fate and write its line in the log: the only place where either is done.

    A message that has a ``fault`` goes into the quarantine of ``spool``, if it is not there already. If that
    fails, it must come again. ``now`` is in seconds since 1970. ``note`` gets alerts for the operator, and
    any thread may call it.
    """
    (sender, recipients, client), ident = mail.envelope[:3], mail.quarantined
    facts: dict[str, Any] = {
        "id": mail.id,
        "peer": mail.peer,
        "sender_domain": sender.rpartition("@")[2],
        "recipients": len(recipients),
        "bytes": len(mail.raw),
    }
    if client and client != mail.peer:
        facts["client"] = client
    if ident:
        facts["quarantine"] = ident
    fate, level = Fate.TAKEN, logging.INFO
    if isinstance(result, Outcome):
        facts |= result.facts()
    elif isinstance(result, Unreadable):
        fate = Fate.UNREADABLE
        facts |= {"outcome": "unreadable", "why": str(result)}
    elif isinstance(result, (TemporaryFailure, MemoryError)):
        fate, level = _later(result), logging.WARNING
        facts |= {"outcome": "deferred", "why": str(result)}
        kind = result.kind if isinstance(result, TemporaryFailure) else ""
        if fate is Fate.FULL:
            kind = "disk"
        if kind:
            note(Alert(kind))
    else:
        level = logging.ERROR
    if (reason := fault(result)) is not None:
        why = type(reason).__name__
        try:
            if not ident:
                ident = quarantine.keep(spool, mail.envelope, mail.raw, reason, now)
                if not isinstance(reason, quarantine.ForOperator):
                    note(Alert("quarantine", f"{ident}: {why}"))
            facts |= {"outcome": "quarantined", "why": why, "quarantine": ident}
        except Exception as error:  # the last resort: the peer keeps the mail and sends it again
            fate, level = _later(error), logging.ERROR
            facts |= {"outcome": "deferred", "why": f"{why}, not quarantined"}
            if isinstance(error, quarantine.NoRoom):
                note(Alert("quarantine", f"deferred, since {error}: {why}"))
    facts["ms"] = round((time.perf_counter() - mail.began) * 1000, 2)
    log.log(level, "mail", extra={"facts": facts})
    return Receipt(mail.id, fate, facts["outcome"])


def _later(error: Exception) -> Fate:
    return Fate.FULL if says_full(error) else Fate.LATER
