"""The outcome of one message: it is carried out once, ignored (automatic, duplicate, flood), or passed to
the operator."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from ... import identity
from ... import inbound as reader
from ...errors import TemporaryFailure
from ...grammar.arguments import may_be_secret
from ...grammar.literals import MASK
from ...inbound import Inbound
from ...machine.times import DAY, HOUR
from ...render.wire import RETURNED
from ...store import Handled, KeptLetter, Tx
from ..admin import operator, people
from ..letters import alerts, chores
from ..proof import authentication, limits
from ..upkeep import rounds
from ..work.context import (
    Computation,
    Context,
    Envelope,
    NeedsComputation,
    Outcome,
    Precomputed,
    network,
)
from ..work.work import Sender, Source, Words, Work
from . import bounces, commands

_OPERATOR = "\0operator"  # in place of a detail
_RETURNED = 5  # letters in one message that are looked at
_KEPT = 300  # characters of a reason that are kept
_NAMED = 100  # characters of a stranger's domain that are kept
PASSED_ON_AN_HOUR = (
    60  # messages to postmaster and abuse; the sender's server sends the others again
)


class _Junk(Exception):
    """A message that the provider took for junk proves nothing: it is as if it had never come.

    guessed  the userids for which its passwords were wrong
    """

    def __init__(self, guessed: list[str]) -> None:
        super().__init__()
        self.guessed = guessed


class Service:
    """The service that takes messages. It is pure except for its ``Context`` and the transaction."""

    def __init__(self, context: Context) -> None:
        self.context = context
        config = context.config
        self._local, self._domain = config.local, config.domain

    def knows(self, address: str) -> bool:
        """Return True if mail to this address is ours; the detail after a + is not looked at."""
        local, _, domain = _decoded(address).rpartition("@")
        return domain == self._domain and (
            local.partition("+")[0] == self._local or local in ("postmaster", "abuse")
        )

    def read(self, raw: bytes) -> Inbound:
        """Read a message. Raises Unreadable."""
        config = self.context.config
        return reader.read(raw, self._domain, config.authserv_id, bool(config.mailbox))

    def execute(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, results: Precomputed
    ) -> Outcome | Computation:
        """Carry out a message once, and put the answers into the outbox; all in ``tx``.

        If that needs a result that takes long to compute and is not among ``results``, do nothing and
        return its task. Raises TemporaryFailure while the server is paused.
        """
        operator.admit_mail(tx)
        try:
            with tx.savepoint():
                return self._deal(tx, envelope, mail, raw, results)
        except NeedsComputation as missing:
            return missing.task
        except _Junk as junk:
            work = Work(self.context, tx, self.context.clock(), _sender(envelope, mail))
            for (
                userid
            ) in junk.guessed:  # otherwise nothing would bound the passwords that can be tried
                authentication.count_wrong(work, userid)
            return Outcome("ignored", "junk")

    def put_off(self, tx: Tx, envelope: Envelope, mail: Inbound, task: Computation) -> None:
        """Note that a message must come again, since there was no time for a task.

        A password that could not be looked at counts as wrong until it is found right: otherwise a
        flood of messages could try any number of them.
        """
        work = Work(self.context, tx, self.context.clock(), _sender(envelope, mail))
        if task.userid and work.limited:
            authentication.count_wrong(work, task.userid)

    def trouble(self, tx: Tx, letter: KeptLetter, what: str) -> None:
        """Tell the operator about a letter in trouble.

        ``what`` says what failed. The letter was given up, since the relay refused the "letter" or its
        "recipient" (that counts as a bounce); or it was sent without its "picture".
        """
        now = self.context.clock()
        kind = "picture" if what == "picture" else "dead"
        if letter.sender:  # a letter without one is mail to the operator, for example an alert
            alerts.tell(tx, self.context.config, now, kind, f"letter {letter.id}")
        if what == "recipient":
            bounces.refused(Work(self.context, tx, now), letter)

    def send_digests(self, tx: Tx) -> bool:
        """Send digests that are due. Return True if there are more, for another transaction."""
        return rounds.send_due(self.context, tx)

    def do_chore(self, tx: Tx) -> bool:
        """Do a piece of the work for many that waits. Return False if none waits."""
        self.context.chores.clear()
        return chores.do_some(self.context, tx)

    def keep_house(self, tx: Tx) -> bool:
        """Delete old rows, once a day; the caller calls this every hour.

        Return True if there are more, for another transaction.
        """
        now = self.context.clock()
        return rounds.is_prune_due(tx, now) and rounds.prune(tx, self.context.config, now)

    def _deal(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, results: Precomputed
    ) -> Outcome:
        if not tx.mails.fetch(envelope.marks, self.context.clock()):
            return Outcome("duplicate")
        details = [self._detail(recipient) for recipient in envelope.recipients]
        ours = [detail for detail in details if detail is not None]
        forwarded = self._for_operator(tx, mail, raw) if None in details else None
        if forwarded and not ours:
            return forwarded
        done = self._execute(tx, envelope, mail, raw, ours, results)
        if not forwarded:
            return done
        return done._replace(keep=forwarded.keep, letters=forwarded.letters + done.letters)

    def _for_operator(self, tx: Tx, mail: Inbound, raw: bytes) -> Outcome:
        """Pass on a message to postmaster or abuse; it may do something at another address of ours too.

        Raises TemporaryFailure if very many came within the hour.
        """
        now = self.context.clock()
        work = Work(self.context, tx, now)
        if work.exceeds(PASSED_ON_AN_HOUR, "passed on", HOUR):
            raise TemporaryFailure("too many mails to the operator")
        if not self.context.config.operator:
            return Outcome("kept", "mail to the operator", keep=True)
        if not tx.mails.handle(
            _digest(mail, _OPERATOR), now, None if mail.message_id else now - DAY
        ):
            return Outcome("duplicate")
        return bounces.for_operator(work, raw)._replace(letters=tuple(work.report.letters))

    def _execute(
        self,
        tx: Tx,
        envelope: Envelope,
        mail: Inbound,
        raw: bytes,
        details: list[str],
        results: Precomputed,
    ) -> Outcome:
        if envelope.direct and mail.authentic != "none":
            # No mail server of ours has checked it, even if a header says so.
            mail = replace(mail, authentic="none")
        now = self.context.clock()
        # A detail without a meaning counts as none: the same mail without it is the same mail.
        named = map(identity.detail_in, mail.answers)
        detail, address = _meant([*details, mail.proof, *named])
        if mail.author == self.context.config.address:
            return Outcome("ignored", "loop")
        if not envelope.sender and isinstance(address, identity.PlainAddress):
            detail, address = _meant(_returned(raw))
        spoken = isinstance(address, identity.ServiceAddress)
        if not spoken and (not envelope.sender or mail.automatic):
            bounces.take_hint(Work(self.context, tx, now), address, mail.automatic or "")
            return Outcome("ignored", mail.automatic or "null sender")
        digest = _digest(mail, detail)
        if not tx.mails.handle(digest, now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        words = Words(attached=mail.attached, left_out=mail.left_out, below=mail.below)
        work = Work(self.context, tx, now, _sender(envelope, mail), results=results, words=words)
        if isinstance(address, identity.ServiceAddress):
            outcome = bounces.take(work, address, raw, mail.authentic, null=not envelope.sender)
            if outcome.why == "no bounce":
                bounces.take_hint(work, address, mail.automatic or "")
        elif people.is_banned(tx, work.sender.address):
            work.report.refused("banned", "Mail of this address or its domain is banned.")
            outcome = Outcome("ignored", "banned")
        else:
            if mail.lines and not isinstance(address, identity.PlainAddress):
                mark = identity.text_mark("\n".join((mail.subject, *mail.lines)))
                work.words = work.words._replace(mark=mark)
            outcome = commands.carry_out(work, mail, address)
            if outcome.why and outcome.why == mail.looks:
                bounces.take_hint(work, address, mail.looks)
            limits.count_mail(work)
        if envelope.junk and not (outcome.name == "applied" and (work.proved or detail)):
            raise _Junk(work.report.guessed)
        if outcome.name != "applied":
            self._notice_strangers(work)
        outcome = _described(work, outcome, mail)
        tx.mails.describe(
            digest,
            Handled(
                now,
                f"{outcome.name} {outcome.reason}".strip(),
                envelope.mail,
                outcome.message,
                outcome.userid,
                int(outcome.proved),
                outcome.commands,
                outcome.codes,
                outcome.letters,
                outcome.authentic if self.context.config.authserv_id else "",
                outcome.said,
            ),
        )
        return outcome

    def _notice_strangers(self, work: Work) -> None:
        """Count a message that did nothing, if its writer has no account."""
        if not work.limited or work.proved or work.accounts():
            return
        domain = work.sender.address.rpartition("@")[2].lower()[:_NAMED]
        work.tx.ledger.count(f"{alerts.STRANGERS}{domain}", work.now, DAY)
        if work.tx.ledger.count("strangers", work.now, HOUR) == alerts.STRANGERS_AN_HOUR + 1:
            alerts.tell(work.tx, self.context.config, work.now, "spam")

    def _detail(self, recipient: str) -> str | None:
        """Return the text after the + of a recipient, maybe empty; None for another address of ours."""
        local = _decoded(recipient).rpartition("@")[0]
        name, _, detail = local.partition("+")
        return detail if name == self._local else None


def _meant(details: Iterable[str]) -> tuple[str, identity.Address]:
    """Return the first detail that has a meaning, and the address that it makes."""
    for detail in filter(None, details):
        address = identity.read(detail)
        if not isinstance(address, identity.PlainAddress):
            return detail, address
    return "", identity.PlainAddress()


def _returned(raw: bytes) -> list[str]:
    """Return the details of the letters that a message returns, if they name them in a field."""
    found = re.findall(rb"(?im)^%s: *([a-z0-9_-]+)" % RETURNED.encode("ascii"), raw)
    return [each.decode("ascii") for each in found[:_RETURNED]]


def _decoded(address: str) -> str:
    """Return an address in lower case; some mail programs leave the + of a mailto: link as %2B."""
    return address.lower().replace("%2b", "+")


def _sender(envelope: Envelope, mail: Inbound) -> Sender:
    """Return the sender of a message, with the best known mark of its origin.

    That is the sender's address if our mail server vouches for it, otherwise the machine, otherwise the
    envelope's domain. The origin of a message that is vouched for has its machine or domain too.
    """
    domain = envelope.sender.rpartition("@")[2].lower()
    way = f"from {network(envelope.peer)}" if envelope.peer else f"{mail.authentic} {domain}"
    is_vouched = mail.authentic == "pass" and bool(mail.author)
    place = identity.address_mark(f"pass {mail.author}" if is_vouched else way)
    origin = identity.address_mark(f"pass {mail.author} {way}") if is_vouched else place
    return Sender(
        mail.author or "",
        mail.message_id or "",
        Source(place, origin, is_one=bool(envelope.peer) or is_vouched),
        mail.authentic,
        quiet=(mail.quiet or mail.looks) is not None,
        looks=mail.looks is not None,
    )


def _described(work: Work, outcome: Outcome, mail: Inbound) -> Outcome:
    """Return the outcome with the details that the log and ``admin explain`` show."""
    accounts = [] if work.proved else work.accounts()
    return outcome._replace(
        commands=tuple(work.report.commands),
        letters=tuple(work.report.letters),
        codes=tuple(work.report.reasons),
        said=tuple(_kept(work, each) for each in work.report.reasons.values()),
        userid=work.proved or (accounts[0].userid if accounts else ""),
        proved=bool(work.proved),
        message=identity.message_mark(work.sender.message_id) if work.sender.message_id else "",
        limits=tuple(work.report.limits),
        authentic=mail.authentic,
    )


def _kept(work: Work, sentence: str) -> str:
    """Return a reason as it is kept: its first line, with a mask in place of what may be a password."""
    words = sentence.partition("\n")[0].split()
    for at, word in enumerate(words):
        typed = word.strip("'\"().,:;!?")
        if may_be_secret(typed) and work.tx.accounts.user(typed.lower()) is None:
            words[at] = word.replace(typed, MASK)
    return " ".join(words)[:_KEPT]


def _digest(mail: Inbound, detail: str) -> bytes:
    """Return the key of a message to that detail; a message that comes twice has the same key."""
    return sha256(mail.digest + detail.encode("utf-8", "replace")).digest()
