"""One pass over the mailbox: what is there goes through ``intake``, and to the folder of its fate.

A message is known by two marks, which are stored in the transaction of its effect: of its place (account,
folder, UIDVALIDITY and UID) and of its bytes. So whatever is cut off between the effect and the move, the
message is not carried out again: neither if it is still there, nor if the server numbers its mailbox anew,
nor if somebody copies it back. Flags mean nothing.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

from ..config import Config
from ..delivery.dispatch import Submit
from ..intake.fate import Fate, Receipt
from ..intake.pipe import envelope_of
from ..machine.times import Epoch
from ..service.incoming.mail import Service
from ..service.work.context import Envelope
from ..store import Tx
from .connection import INBOX, MailboxLine, MailFolder, NotFiled

TOGETHER = 50  # messages that are fetched, handled and moved together ...
ROOM = 2 * 1024 * 1024  # ... if they have no more bytes
_FEW = 2  # so many are fetched without asking for their sizes
_AT_ONCE = 2_000  # UIDs whose marks are looked up in one transaction
QUARANTINE, UNREADABLE = "pbmstar/quarantine", "pbmstar/unreadable"
_SINCE = "mailbox since"  # a fact: the day of the first pass; older messages are not for us
_JUNK = "mailbox junk"  # a fact: the UIDVALIDITY of the junk folder, and the last UID that was looked at

log = logging.getLogger("pbmstar")


class Fetched(NamedTuple):
    """A message of the mailbox, ready for the intake."""

    uid: int
    envelope: Envelope
    raw: bytes


def _fetched(marks: Sequence[bytes], tx: Tx) -> set[bytes]:
    return tx.mails.fetched(marks)


Take = Callable[[Sequence[Fetched]], Sequence[Receipt]]


class Reader:
    """A reader of one mailbox.

    waiting  the messages that had no effect yet, after the last pass: the intake wants them later
    trouble  why messages could not be moved in the last pass; empty if they could
    handled  the messages with a fate since it was made
    """

    def __init__(
        self,
        config: Config,
        connection: MailboxLine,
        service: Service,
        take: Take,
        submit: Submit,
        clock: Callable[[], Epoch] = time.time,
    ) -> None:
        """Make it. ``take`` hands messages to the intake, and returns a receipt for each, in their order."""
        self._config, self._connection, self._service = config, connection, service
        self._take, self._submit, self._clock = take, submit, clock
        self.waiting, self.handled, self.trouble = 0, 0, ""
        # What had its fate and is still there: the folder that did not take it, or None if it must stay.
        self._settled: dict[int, str | None] = {}
        self._folder: MailFolder | None = None

    def run_once(self, stopped: Callable[[], bool] = lambda: False) -> None:
        """Handle all that is in the inbox.

        Raises MailboxDown, and TemporaryFailure for a trouble of the database.
        """
        folder = self._connection.select(INBOX)
        if folder != self._folder:
            self._folder, self._settled = folder, {}
        self.waiting, self.trouble = 0, ""
        uids = self._connection.since(self._first_day())
        self._settled = {uid: self._settled[uid] for uid in uids if uid in self._settled}
        if known := self._known(folder, [uid for uid in uids if uid not in self._settled]):
            self._settled |= dict.fromkeys(known, self._config.mailbox_done)
            marked = [uid for uid in self._connection.uids("DELETED") if uid in known]
            self._connection.expunge(marked)
            self._settled |= dict.fromkeys(marked)
        self._settle({uid: to for uid, to in self._settled.items() if to is not None})
        for some in self._chunks([uid for uid in uids if uid not in self._settled]):
            if stopped():
                return
            self._handle(folder, some)

    def look_into_junk(self) -> None:
        """Carry out what proves its writer in the junk folder, if there is one; leave all else there.

        The inbox is not selected any more. Raises as above.
        """
        name = self._connection.junk()
        if not name:
            return
        folder = self._connection.select(name)
        validity, _, last = self._fact(_JUNK).partition(" ")
        if validity == str(folder.validity):
            uids = [u for u in self._connection.uids("UID", f"{int(last) + 1}:*") if u > int(last)]
        else:
            uids = self._connection.since(self._first_day())
        for some in self._chunks(uids):
            self._handle(folder, some, junk=True)
            self._keep(_JUNK, f"{folder.validity} {max(some)}")

    # -- one chunk

    def _chunks(self, uids: Sequence[int]) -> Iterator[list[int]]:
        """Yield the messages in their order, as many at a time as are handled together."""
        for at in range(0, len(uids), 10 * TOGETHER):
            some = uids[at : at + 10 * TOGETHER]
            sizes = self._connection.sizes(some) if len(some) > _FEW else dict.fromkeys(some, 0)
            chunk: list[int] = []
            room = ROOM
            for uid in some:
                size = sizes.get(uid, 0)
                if chunk and (len(chunk) == TOGETHER or size > room):
                    yield chunk
                    chunk, room = [], ROOM
                chunk.append(uid)
                room -= size
            if chunk:
                yield chunk

    def _handle(self, folder: MailFolder, uids: list[int], junk: bool = False) -> None:
        """Fetch messages, hand them to the intake, and move those with a fate."""
        contents = self._connection.contents(uids)
        messages = [
            self._message(folder, uid, contents[uid], junk) for uid in uids if uid in contents
        ]
        self.waiting += len(uids) - len(messages)  # the server gives them later, or they are gone
        fates = {}
        for message, receipt in zip(messages, self._take(messages), strict=True):
            if receipt.fate in (Fate.LATER, Fate.FULL):
                self.waiting += not junk
            elif not (junk and receipt.outcome in ("ignored", "unreadable")):
                fates[message.uid] = self._folder_of(receipt)
                self.handled += 1
        if junk:
            self._move(fates)
        else:
            self._settle(fates)

    def _message(self, folder: MailFolder, uid: int, raw: bytes, junk: bool) -> Fetched:
        envelope = envelope_of(self._service, raw, self._config.address)
        marks = (self._mark(folder, uid), blake2b(raw, digest_size=16).digest())
        return Fetched(uid, envelope._replace(marks=marks, junk=junk), raw)

    def _folder_of(self, receipt: Receipt) -> str:
        """Return the folder of a fate; empty: the message is deleted."""
        if receipt.fate is Fate.UNREADABLE:
            return UNREADABLE
        return QUARANTINE if receipt.outcome == "quarantined" else self._config.mailbox_done

    def _settle(self, fates: Mapping[int, str]) -> None:
        """Move messages of the inbox, and remember those that are still there by their fates."""
        self._settled |= fates
        self._settled |= dict.fromkeys(self._move(fates))

    def _move(self, fates: Mapping[int, str]) -> list[int]:
        """Move messages to the folders of their fates; return those for which nothing is left to do."""
        moved: list[int] = []
        for name in dict.fromkeys(fates.values()):
            some = [uid for uid, to in fates.items() if to == name]
            try:
                self._connection.file(some, name)
                moved += some
            except NotFiled as error:
                self.trouble = str(error)
                log.warning("mailbox", extra={"facts": {"trouble": self.trouble}})
        return moved

    # -- what is known of the mailbox

    def _mark(self, folder: MailFolder, uid: int) -> bytes:
        account = self._connection.account
        place = f"{account.user}@{account.host} {folder.mark(uid)}"
        return blake2b(place.encode("utf-8", "replace"), digest_size=16).digest()

    def _known(self, folder: MailFolder, uids: Sequence[int]) -> list[int]:
        """Return the messages that were finished with before."""
        known: list[int] = []
        for at in range(0, len(uids), _AT_ONCE):
            marks = {self._mark(folder, uid): uid for uid in uids[at : at + _AT_ONCE]}
            found = self._submit(partial(_fetched, tuple(marks))).result()
            known += [uid for mark, uid in marks.items() if mark in found]
        return known

    def _first_day(self) -> date:
        """Return the first day whose messages we read: the day before the first pass."""
        day = self._fact(_SINCE)
        if not day:
            day = str(datetime.fromtimestamp(self._clock(), UTC).date() - timedelta(days=1))
            self._keep(_SINCE, day)
        return date.fromisoformat(day)

    def _fact(self, name: str) -> str:
        return self._submit(lambda tx: tx.ledger.fact(name)).result()

    def _keep(self, name: str, value: str) -> None:
        def job(tx: Tx) -> None:
            tx.ledger.set_fact(name, value)

        self._submit(job).result()
