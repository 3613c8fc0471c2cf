"""One message without a daemon: from standard input, or out of the quarantine."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress

from ..config import Config
from ..errors import BadInput, TemporaryFailure, Unreadable
from ..service.incoming.mail import Service
from ..service.letters import alerts
from ..service.letters.alerts import Alert
from ..service.reminders import heartbeat
from ..service.work.computations import Computation, Precomputed
from ..service.work.context import Context, Envelope, Outcome
from ..store import Store
from . import quarantine
from .envelope import envelope_of
from .fate import Fate, Mail, Result, conclude, ids, stem

# A failing status for an unreadable mail would bounce it to a sender that may be forged.
_STATUS = {Fate.TAKEN: 0, Fate.UNREADABLE: 0, Fate.LATER: 75, Fate.FULL: 75}


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
