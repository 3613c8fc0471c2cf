"""``pbmstar fetch``: the messages of the mailbox, without a daemon."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import closing, suppress

from ..config import Config
from ..delivery.courier import at_once
from ..errors import BadInput, TemporaryFailure
from ..games.spelling import plural
from ..intake.fate import Mail, Receipt, conclude, ids, stem
from ..intake.pipe import execute
from ..machine.files import hold
from ..mailbox.connection import MailboxLine, account_of
from ..mailbox.reader import Fetched, Reader
from ..mailbox.watcher import PEER, lock_of
from ..service.incoming.mail import Service
from ..service.letters import alerts
from ..service.letters.alerts import Alert
from ..service.reminders import heartbeat
from ..service.work.context import Context
from ..store import Store


def read_mailbox(config: Config, context: Context, store: Store) -> tuple[str, bool]:
    """Handle what waits in the mailbox; return a sentence about it, and False if something must wait.

    Raises BadInput without a mailbox, TemporaryFailure if it cannot be read.
    """
    if not config.mailbox:
        raise BadInput(
            "mailbox: it isn't set, so there's nothing to fetch. See: pbmstar setup --help"
        )
    with hold(lock_of(config.spool)) as is_ours:
        if not is_ours:
            return "Another process is reading this mailbox.", True
        return _read(config, context, store)


def _read(config: Config, context: Context, store: Store) -> tuple[str, bool]:
    service, now = Service(context), context.clock()
    noted: list[Alert] = []
    numbers = ids(stem(now))

    def take(messages: Sequence[Fetched]) -> list[Receipt]:
        receipts = []
        for message in messages:
            ident = next(numbers)
            envelope = message.envelope._replace(mail=ident)
            mail = Mail(ident, PEER, envelope, message.raw, time.perf_counter())
            result = execute(service, store, mail)
            receipts.append(conclude(mail, result, config.spool, time.time(), noted.append))
        return receipts

    with suppress(TemporaryFailure), store.transaction() as tx:
        heartbeat.notice_silence(tx, now)
    with closing(MailboxLine(account_of(config), config.auth)) as connection:
        reader = Reader(config, connection, service, take, at_once(store), context.clock)
        connection.open()
        reader.look_into_junk()
        reader.run_once()
    if noted:
        with suppress(TemporaryFailure), store.transaction() as tx:
            alerts.look(tx, config, now, noted)
    done = f"{plural(reader.handled, 'message').capitalize()} from the mailbox handled"
    waits = f", {reader.waiting} to be tried again" if reader.waiting else ""
    trouble = f" {reader.trouble[0].upper()}{reader.trouble[1:]}." if reader.trouble else ""
    return f"{done}{waits}.{trouble}", not (reader.waiting or reader.trouble)
