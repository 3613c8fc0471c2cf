"""One message without a daemon: from standard input, or out of the quarantine; and its envelope."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from ..config import Config
from ..errors import BadInput, TemporaryFailure, Unreadable
from ..inbound.gate import ADDRESS
from ..service.incoming.mail import Service
from ..service.letters import alerts
from ..service.letters.alerts import Alert
from ..service.reminders import heartbeat
from ..service.work.context import Computation, Context, Envelope, Outcome, Precomputed
from ..store import Store
from . import quarantine
from .fate import Fate, Mail, Result, conclude, ids, stem

# A failing status for an unreadable mail would bounce it to a sender that may be forged.
_STATUS = {Fate.TAKEN: 0, Fate.UNREADABLE: 0, Fate.LATER: 75, Fate.FULL: 75}
_HEADERS = ("Delivered-To", "X-Original-To", "To", "Cc")


def receive_one(
    config: Config,
    context: Context,
    store: Store,
    raw: bytes,
    sender: str | None,
    recipients: Sequence[str],
) -> int:
    """Handle one message; return an exit status: 0 if it is done, 75 if it must be sent again later."""
    service, now, began = Service(context), context.clock(), time.perf_counter()
    envelope = envelope_of(service, raw, config.address, sender, tuple(recipients), os.environ)
    ident = next(ids(stem(now)))
    mail = Mail(ident, "pipe", envelope._replace(mail=ident), raw, began)
    with suppress(TemporaryFailure), store.transaction() as tx:
        heartbeat.notice_silence(tx, now)
    noted: list[Alert] = []
    receipt = conclude(mail, execute(service, store, mail), config.spool, now, noted.append)
    if noted:
        with suppress(TemporaryFailure), store.transaction() as tx:
            alerts.look(tx, config, now, noted)
    return _STATUS[receipt.fate]


def retry(config: Config, context: Context, store: Store, ident: str) -> str:
    """Handle a message of the quarantine as if it came now; return its outcome as text.

    The mail leaves the quarantine if it is carried out, refused, ignored or a duplicate. Otherwise it stays:
    raises BadInput, or TemporaryFailure for a trouble that will pass.
    """
    entry = quarantine.read(config.spool, ident)
    if entry is None:
        raise BadInput(f"There's no mail {ident} in the quarantine.")
    if not entry.raw:
        raise BadInput(f"The text of {ident} is no longer kept.")
    now, began = context.clock(), time.perf_counter()
    again = next(ids(stem(now)))
    envelope = Envelope(entry.sender, tuple(entry.recipients), mail=again)
    mail = Mail(again, "quarantine", envelope, entry.raw, began, ident)
    result = execute(Service(context), store, mail)
    conclude(mail, result, config.spool, now, lambda _alert: None)  # the operator is looking
    if isinstance(result, Outcome) and not result.keep:
        quarantine.drop(config.spool, ident)
        return f"{ident}: {result.name} {result.reason}".strip()
    if isinstance(result, Outcome):
        raise BadInput("It is mail to the operator: set the key operator, then retry.")
    if isinstance(result, TemporaryFailure):
        raise result
    if isinstance(result, Unreadable):
        raise BadInput(f"{ident} stays: {result}. Drop it, or answer its sender yourself.")
    raise BadInput(
        f"{ident} stays: it ran into a fault of the program again, {type(result).__name__}."
    )


def execute(service: Service, store: Store, mail: Mail) -> Result:
    """Return the result of a message, in a transaction of its own, or the error that it met."""
    try:
        inbound, results = service.read(mail.raw), Precomputed()
        while True:
            with store.transaction() as tx:
                outcome = service.execute(tx, mail.envelope, inbound, mail.raw, results)
            if not isinstance(outcome, Computation):
                return outcome
            results.known[outcome.key] = outcome.compute()
    except Exception as error:
        return error


def envelope_of(
    service: Service,
    raw: bytes,
    address: str,
    sender: str | None = None,
    recipients: tuple[str, ...] = (),
    environment: Mapping[str, str] | None = None,
) -> Envelope:
    """Return the envelope: what is given, else what the environment says, else the header.

    Without any recipient of ours it is for the server's ``address``.
    """
    head = re.split(rb"\r?\n\r?\n", raw[:65536], maxsplit=1)[0].decode("ascii", "replace")
    told = environment or {}
    return Envelope(
        sender_of(told.get("SENDER") if sender is None else sender, head),
        recipients or _recipients(service, head, told) or (address,),
    )


def sender_of(told: str | None, head: str) -> str:
    """Return the envelope sender: as told, else from Return-Path, else from From."""
    if told is None:
        field = re.search(rf"^(?:Return-Path|From):(.{{0,{ADDRESS}}})$", head, re.M | re.I)
        words = re.split(r"[<>\s]+", field[1].strip(" >\r")) if field else [""]
        told = words[-1]
    return told.strip("<>")


def _recipients(service: Service, head: str, environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return our addresses in the environment and the header."""
    texts = [environment.get("ORIGINAL_RECIPIENT", ""), environment.get("RECIPIENT", "")]
    for name in _HEADERS:
        texts += re.findall(rf"^{name}:(.*(?:\n[ \t].*)*)", head, re.M | re.I)
    addresses = re.findall(r"[^\s<>,;\"@]{1,64}@[^\s<>,;\"@]{1,255}", " ".join(texts))
    return tuple(dict.fromkeys(each for each in addresses if service.knows(each)))
