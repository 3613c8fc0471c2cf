"""The outcome of one message: it is carried out once, ignored (automatic, duplicate, flood), or passed to
the operator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from ... import identity
from ... import inbound as reader
from ...command import MASK
from ...command.arguments import may_be_secret
from ...errors import Passing
from ...inbound import Inbound
from ...match.terms import DAY, HOUR
from ...store import Handled, KeptLetter, Tx
from ..admin import interruptions, people
from ..letters import alerts
from ..proof import authentication, rations
from ..upkeep import daily, rounds
from ..work.context import Context, Envelope, Outcome
from ..work.tasks import Missing, Results, Task
from ..work.work import Author, Work
from . import bounces, commands

_OPERATOR = "\0operator"  # in place of a detail
_KEPT = 300  # characters of a reason that are kept
_NAMED = 100  # characters of a stranger's domain that are kept
PASSED_ON_AN_HOUR = (
    60  # messages to postmaster and abuse; the sender's server sends the others again
)


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
        return reader.read(raw, self._domain, self.context.config.authserv_id)

    def execute(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, results: Results
    ) -> Outcome | Task:
        """Carry out a message once, and put the answers into the outbox; all in ``tx``.

        If that needs a result that takes long to compute and is not among ``results``, do nothing and
        return its task. Raises Passing while the server is paused.
        """
        interruptions.admit_mail(tx)
        try:
            with tx.savepoint():
                return self._deal(tx, envelope, mail, raw, results)
        except Missing as missing:
            return missing.task

    def put_off(self, tx: Tx, envelope: Envelope, mail: Inbound, task: Task) -> None:
        """Note that a message must come again, since there was no time for a task.

        A password that could not be looked at counts as wrong until it is found right: otherwise a
        flood of messages could try any number of them.
        """
        work = Work(self.context, tx, self.context.clock(), _author(envelope, mail))
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
        return daily.send_due(self.context, tx)

    def keep_house(self, tx: Tx) -> bool:
        """Delete old rows, once a day; the caller calls this every hour.

        Return True if there are more, for another transaction.
        """
        now = self.context.clock()
        return rounds.is_prune_due(tx, now) and rounds.prune(tx, self.context.config, now)

    def _deal(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, results: Results
    ) -> Outcome:
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

        Raises Passing if very many came within the hour.
        """
        now = self.context.clock()
        work = Work(self.context, tx, now)
        if work.exceeds(PASSED_ON_AN_HOUR, "passed on", HOUR):
            raise Passing("too many mails to the operator")
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
        results: Results,
    ) -> Outcome:
        if envelope.direct and mail.authentic != "none":
            # No mail server of ours has checked it, even if a header says so.
            mail = replace(mail, authentic="none")
        now = self.context.clock()
        # A detail without a meaning counts as none: the same mail without it is the same mail.
        detail, address = _meant(details)
        spoken = isinstance(address, identity.ServiceAddress)
        if not spoken and (not envelope.sender or mail.automatic):
            bounces.take_hint(Work(self.context, tx, now), address, mail.automatic or "")
            return Outcome("ignored", mail.automatic or "null sender")
        digest = _digest(mail, detail)
        if not tx.mails.handle(digest, now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        work = Work(self.context, tx, now, _author(envelope, mail), results=results)
        if isinstance(address, identity.ServiceAddress):
            outcome = bounces.take(work, address, raw, mail.authentic)
            if outcome.why == "no bounce":
                bounces.take_hint(work, address, mail.automatic or "")
        elif people.is_banned(tx, work.author.address):
            work.report.refused("banned", "Mail of this address or its domain is banned.")
            outcome = Outcome("ignored", "banned")
        else:
            outcome = commands.carry_out(work, mail, address)
            rations.count_mail(work)
        if outcome.name != "applied":
            self._notice_strangers(work)
        outcome = _described(work, outcome)._replace(
            limits=tuple(work.report.limits), authentic=mail.authentic
        )
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
        if not work.limited or work.author.proved or work.accounts():
            return
        domain = work.author.address.rpartition("@")[2].lower()[:_NAMED]
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


def _decoded(address: str) -> str:
    """Return an address in lower case; some mail programs leave the + of a mailto: link as %2B."""
    return address.lower().replace("%2b", "+")


def _author(envelope: Envelope, mail: Inbound) -> Author:
    """Return the author of a message, with the best known mark of its origin.

    That is the author's address if our mail server vouches for it, otherwise the machine, otherwise the
    envelope's domain. The origin of a message that is vouched for has its machine or domain too.
    """
    domain = envelope.sender.rpartition("@")[2].lower()
    way = f"from {network(envelope.peer)}" if envelope.peer else f"{mail.authentic} {domain}"
    is_vouched = mail.authentic == "pass" and bool(mail.author)
    place = identity.address_mark(f"pass {mail.author}" if is_vouched else way)
    return Author(
        mail.author or "",
        mail.message_id or "",
        place,
        identity.address_mark(f"pass {mail.author} {way}") if is_vouched else place,
        bool(envelope.peer) or is_vouched,
        mail.authentic,
        mail.quiet is not None,
        attached=mail.attached,
    )


def network(peer: str) -> str:
    """Return the network of one machine or household: an IPv4 address, or the first half of an IPv6 one."""
    try:
        address = ip_address(peer)
    except ValueError:
        return peer
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(IPv6Address(int(address) >> 64 << 64))
    return str(address)


def _described(work: Work, outcome: Outcome) -> Outcome:
    """Return the outcome with the details that the log and ``admin explain`` show."""
    author = work.author
    accounts = [] if author.proved else work.accounts()
    return outcome._replace(
        commands=tuple(work.report.commands),
        letters=tuple(work.report.letters),
        codes=tuple(work.report.reasons),
        said=tuple(_kept(work, each) for each in work.report.reasons.values()),
        userid=author.proved or (accounts[0].userid if accounts else ""),
        proved=bool(author.proved),
        message=identity.message_mark(author.message_id) if author.message_id else "",
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
