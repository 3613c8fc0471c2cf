"""One mail without a daemon: from a pipe, or out of the quarantine."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from ..config import Config
from ..errors import BadInput, Passing, Unreadable
from ..log import complain
from ..service import Context, Envelope, Outcome, Service
from ..store import Store
from . import quarantine

_HEADERS = ("Delivered-To", "X-Original-To", "To", "Cc")


def receive_one(
    config: Config,
    context: Context,
    store: Store,
    raw: bytes,
    sender: str | None,
    recipients: Sequence[str],
) -> int:
    """Handle one mail; returns an exit status: 0 it is done with, 75 send it again later.

    Raises OSError if a mail cannot even be quarantined.
    """
    service = Service(context)
    head = re.split(rb"\r?\n\r?\n", raw[:65536], maxsplit=1)[0].decode("ascii", "replace")
    envelope = Envelope(
        _sender(sender, head), tuple(recipients) or _recipients(service, head, config.address)
    )
    trouble: Exception | None = None
    try:
        outcome = _execute(service, store, envelope, raw)
        if outcome.keep:
            trouble = quarantine.ForOperator(outcome.why)
    except Unreadable as error:  # a failing exit status would bounce it to a forged sender
        complain(f"mail dropped: {error}")
    except Passing as error:
        complain(f"try again later: {error}")
        return 75
    except Exception as error:  # a fault of ours: the mail is kept for the operator
        trouble = error
    if trouble is not None:
        now = context.clock()
        quarantine.keep(config.spool, envelope.sender, envelope.recipients, raw, trouble, now)
    return 0


def retry(config: Config, context: Context, store: Store, ident: str) -> str:
    """Handle a mail of the quarantine again, and drop it from there. Raises BadInput, Passing, Unreadable."""
    entry = quarantine.read(config.spool, ident)
    if entry is None:
        raise BadInput(f"There is no quarantined mail {ident}.")
    envelope = Envelope(entry.sender, tuple(entry.recipients))
    outcome = _execute(Service(context), store, envelope, entry.raw)
    if outcome.keep:
        raise BadInput("It is mail to the operator: set the key operator, then retry.")
    quarantine.drop(config.spool, ident)
    return f"{ident}: {outcome.name} {outcome.why}".strip()


def _execute(service: Service, store: Store, envelope: Envelope, raw: bytes) -> Outcome:
    mail = service.read(raw)
    with store.transaction() as tx:
        return service.execute(tx, envelope, mail, raw)


def _sender(given: str | None, head: str) -> str:
    """The envelope sender: given, from the environment, the Return-Path, or at last the From."""
    if given is None:
        given = os.environ.get("SENDER")
    if given is None:
        found = re.search(r"^(?:Return-Path|From):.*?<?([^<>\s]*)>?\s*$", head, re.M | re.I)
        given = found[1] if found else ""
    return given.strip("<>")


def _recipients(service: Service, head: str, address: str) -> tuple[str, ...]:
    """The recipients of ours that the environment or the headers name; else the server's address."""
    said = [os.environ.get("ORIGINAL_RECIPIENT", ""), os.environ.get("RECIPIENT", "")]
    for name in _HEADERS:
        said += re.findall(rf"^{name}:(.*(?:\n[ \t].*)*)", head, re.M | re.I)
    words = re.findall(r"[^\s<>,;\"]+@[^\s<>,;\"]+", " ".join(said))
    found = tuple(dict.fromkeys(word for word in words if service.knows(word)))
    return found or (address,)
