"""Decides what becomes of one mail: carried out once, ignored (automatic, duplicate, flood), or passed
to the operator."""

from __future__ import annotations

from hashlib import sha256

from .. import identity
from .. import inbound as reader
from ..inbound import Inbound
from ..store import Handled, Tx
from . import alerts, bounces, commands, lifecycle
from .context import Context, Envelope, Outcome
from .work import Author, Work

DAY = 86400.0
_MAILS_AN_HOUR = 300  # from one address
_OPERATOR = "\0operator"  # in place of a detail


class Service:
    """All that can be done by mail. Pure but for what ``Context`` and the transaction bring."""

    def __init__(self, context: Context) -> None:
        self.context = context
        config = context.config
        self._local, self._domain = config.local, config.domain

    def knows(self, address: str) -> bool:
        """Whether mail to this address is ours; the detail after a + is not looked at."""
        local, _, domain = address.lower().rpartition("@")
        return domain == self._domain and (
            local.partition("+")[0] == self._local or local in ("postmaster", "abuse")
        )

    def read(self, raw: bytes) -> Inbound:
        """What a mail says. Raises Unreadable."""
        return reader.read(raw, self._domain)

    def execute(self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes) -> Outcome:
        """Do what a mail asks, once, and put the answers into the outbox; all in ``tx``.

        Raises Passing while the server is paused.
        """
        lifecycle.admit_mail(tx)
        details = [self._detail(recipient) for recipient in envelope.recipients]
        ours = [detail for detail in details if detail is not None]
        kept = self._for_operator(tx, mail, raw) if None in details else None
        if kept and not ours:
            return kept
        done = self._execute(tx, envelope, mail, raw, ours)
        return done._replace(keep=kept.keep, letters=kept.letters + done.letters) if kept else done

    def _for_operator(self, tx: Tx, mail: Inbound, raw: bytes) -> Outcome:
        """What becomes of a mail to postmaster or abuse, whatever it does at another address of ours."""
        if not self.context.config.operator:
            return Outcome("kept", "mail to the operator", keep=True)
        now = self.context.clock()
        if not tx.handle(_digest(mail, _OPERATOR), now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        work = Work(self.context, tx, now)
        return bounces.for_operator(work, raw)._replace(letters=tuple(work.letters))

    def _execute(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, details: list[str]
    ) -> Outcome:
        now = self.context.clock()
        # A detail that means nothing is none: the same mail without it is the same mail.
        detail = next((told for told in details if told and identity.is_detail(told)), "")
        spoken = identity.read_account(detail) is not None
        if not spoken and (not envelope.sender or mail.automatic):
            return Outcome("ignored", mail.automatic or "null sender")
        digest = _digest(mail, detail)
        if not tx.handle(digest, now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        quiet = mail.quiet is not None
        author = Author(mail.author or "", mail.message_id or "", envelope.peer, quiet)
        work = Work(self.context, tx, now, author)
        if spoken:
            outcome = bounces.take(work, detail, raw)
        elif lifecycle.is_banned(tx, work.author.address):
            work.codes.append("banned")
            outcome = Outcome("ignored", "banned")
        elif self._is_flood(work):
            outcome = Outcome("ignored", "too many mails")
        else:
            outcome = commands.carry_out(work, mail, detail)
        if outcome.name != "applied":
            self._notice_strangers(work)
        outcome = _described(work, outcome)
        tx.describe(
            digest,
            Handled(
                now,
                f"{outcome.name} {outcome.why}".strip(),
                envelope.mail,
                outcome.message,
                outcome.userid,
                int(outcome.proved),
                outcome.commands,
                outcome.codes,
                outcome.letters,
            ),
        )
        return outcome

    def _is_flood(self, work: Work) -> bool:
        """Whether more mails come from one address than anybody writes."""
        if not self.context.config.limits or not work.author.address:
            return False
        count = work.tx.count(f"mails {work.author.address}", work.now, 3600)
        if count == _MAILS_AN_HOUR + 1:
            alerts.tell(work.tx, self.context.config, work.now, "spam")
        return count > _MAILS_AN_HOUR

    def _notice_strangers(self, work: Work) -> None:
        """Count a mail that did nothing if nobody we know wrote it."""
        if not work.limited or work.author.proved or work.accounts():
            return
        if work.tx.count("strangers", work.now, 3600) == alerts.STRANGERS_AN_HOUR + 1:
            alerts.tell(work.tx, self.context.config, work.now, "spam")

    def _detail(self, recipient: str) -> str | None:
        """What stands after the + of a recipient, empty if nothing; None for another address of ours."""
        local = recipient.lower().rpartition("@")[0]
        name, _, detail = local.partition("+")
        return detail if name == self._local else None


def _described(work: Work, outcome: Outcome) -> Outcome:
    """The outcome with all that the log and ``admin explain`` tell of it."""
    author = work.author
    accounts = [] if author.proved else work.accounts()
    return outcome._replace(
        commands=tuple(work.commands),
        letters=tuple(work.letters),
        codes=tuple(dict.fromkeys(work.codes)),
        userid=author.proved or (accounts[0].userid if accounts else ""),
        proved=bool(author.proved),
        message=identity.message_mark(author.message_id) if author.message_id else "",
    )


def _digest(mail: Inbound, detail: str) -> bytes:
    """What tells a mail with its effect at that detail from all others."""
    return sha256(mail.digest + detail.encode("utf-8", "replace")).digest()
