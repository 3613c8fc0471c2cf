"""Decides what becomes of one mail: carried out once, ignored (automatic, duplicate, flood), or passed
to the operator."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from ipaddress import IPv6Address, ip_address

from .. import identity
from .. import inbound as reader
from ..errors import Passing
from ..inbound import Inbound
from ..match.terms import DAY, HOUR
from ..store import Handled, Letter, Tx
from . import absent, alerts, bounces, commands, digests, lifecycle, proof, rations, upkeep
from .context import Context, Envelope, Outcome
from .results import Missing, Results, Task
from .work import Author, Work

_OPERATOR = "\0operator"  # in place of a detail
PASSED_ON_AN_HOUR = 60  # mails to postmaster and abuse; others come again, from the sender's server


class Service:
    """All that can be done by mail. Pure but for what ``Context`` and the transaction bring."""

    def __init__(self, context: Context) -> None:
        self.context = context
        config = context.config
        self._local, self._domain = config.local, config.domain

    def knows(self, address: str) -> bool:
        """Whether mail to this address is ours; the detail after a + is not looked at."""
        local, _, domain = _decoded(address).rpartition("@")
        return domain == self._domain and (
            local.partition("+")[0] == self._local or local in ("postmaster", "abuse")
        )

    def read(self, raw: bytes) -> Inbound:
        """What a mail says. Raises Unreadable."""
        return reader.read(raw, self._domain, self.context.config.authserv_id)

    def execute(
        self, tx: Tx, envelope: Envelope, mail: Inbound, raw: bytes, results: Results
    ) -> Outcome | Task:
        """Do what a mail asks, once, and put the answers into the outbox; all in ``tx``.

        If that needs a result that takes long to compute and is not among ``results``, nothing is
        done, and the task is returned. Raises Passing while the server is paused.
        """
        lifecycle.admit_mail(tx)
        try:
            with tx.savepoint():
                return self._deal(tx, envelope, mail, raw, results)
        except Missing as missing:
            return missing.task

    def put_off(self, tx: Tx, envelope: Envelope, mail: Inbound, task: Task) -> None:
        """Note that a mail has to come again, since there was no time for a task.

        A password that could not be looked at counts as wrong until it is found right: else a flood
        could try as many as it likes.
        """
        work = Work(self.context, tx, self.context.clock(), _author(envelope, mail))
        if task.userid and work.limited:
            proof.count_wrong(work, task.userid)

    def trouble(self, tx: Tx, letter: Letter, what: str) -> None:
        """All is not well with a letter, and the operator is told.

        It was given up, since the relay does not take the "letter" or its "recipient", which counts
        as a bounce; or it was sent without its "picture".
        """
        now = self.context.clock()
        kind = "picture" if what == "picture" else "dead"
        if letter.sender:  # else it is mail to the operator: alerts among them
            alerts.tell(tx, self.context.config, now, kind, f"letter {letter.id}")
        if what == "recipient":
            bounces.refused(Work(self.context, tx, now), letter)

    def send_digests(self, tx: Tx) -> bool:
        """What is to be done every minute. True if there is more to do, in another transaction."""
        return digests.send_due(self.context, tx)

    def keep_house(self, tx: Tx) -> bool:
        """What is to be done every hour: once a day old things are forgotten.

        True if there is more to forget, in another transaction.
        """
        now = self.context.clock()
        return upkeep.is_prune_due(tx, now) and upkeep.prune(tx, self.context.config, now)

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
        """What becomes of a mail to postmaster or abuse, whatever it does at another address of ours.

        Raises Passing if very many came within the hour.
        """
        now = self.context.clock()
        work = Work(self.context, tx, now)
        if work.limited and tx.count("passed on", now, HOUR) > PASSED_ON_AN_HOUR:
            raise Passing("too many mails to the operator")
        if not self.context.config.operator:
            return Outcome("kept", "mail to the operator", keep=True)
        if not tx.handle(_digest(mail, _OPERATOR), now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        return bounces.for_operator(work, raw)._replace(letters=tuple(work.letters))

    def _execute(
        self,
        tx: Tx,
        envelope: Envelope,
        mail: Inbound,
        raw: bytes,
        details: list[str],
        results: Results,
    ) -> Outcome:
        if envelope.direct:  # no mail server of ours has looked at it, whatever it says
            mail = replace(mail, authentic="none")
        now = self.context.clock()
        # A detail that means nothing is none: the same mail without it is the same mail.
        detail = next((each for each in details if each and identity.is_detail(each)), "")
        spoken = identity.read_account(detail) is not None
        if not spoken and (not envelope.sender or mail.automatic):
            absent.take_hint(Work(self.context, tx, now), detail, mail.automatic or "")
            return Outcome("ignored", mail.automatic or "null sender")
        digest = _digest(mail, detail)
        if not tx.handle(digest, now, None if mail.message_id else now - DAY):
            return Outcome("duplicate")
        work = Work(self.context, tx, now, _author(envelope, mail), results=results)
        if spoken:
            outcome = bounces.take(work, detail, raw)
            if outcome.why == "no bounce":
                absent.take_hint(work, detail, mail.automatic or "")
        elif lifecycle.is_banned(tx, work.author.address):
            work.codes.append("banned")
            outcome = Outcome("ignored", "banned")
        else:
            outcome = commands.carry_out(work, mail, detail)
            rations.count_mail(work)
        if outcome.name != "applied":
            self._notice_strangers(work)
        outcome = _described(work, outcome)._replace(
            limits=tuple(work.limits), authentic=mail.authentic
        )
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
                outcome.authentic if self.context.config.authserv_id else "",
            ),
        )
        return outcome

    def _notice_strangers(self, work: Work) -> None:
        """Count a mail that did nothing if nobody we know wrote it."""
        if not work.limited or work.author.proved or work.accounts():
            return
        if work.tx.count("strangers", work.now, HOUR) == alerts.STRANGERS_AN_HOUR + 1:
            alerts.tell(work.tx, self.context.config, work.now, "spam")

    def _detail(self, recipient: str) -> str | None:
        """What stands after the + of a recipient, empty if nothing; None for another address of ours."""
        local = _decoded(recipient).rpartition("@")[0]
        name, _, detail = local.partition("+")
        return detail if name == self._local else None


def _decoded(address: str) -> str:
    """An address of ours in lower case; some mail programs leave the + of a mailto: link as %2B."""
    return address.lower().replace("%2b", "+")


def _author(envelope: Envelope, mail: Inbound) -> Author:
    """Who wrote a mail, and where it came from: the best of what is known of that.

    An address that our mail server vouches for, else the machine, else the envelope's domain.
    """
    domain = envelope.sender.rpartition("@")[2].lower()
    if mail.authentic == "pass" and mail.author:
        place = f"pass {mail.author}"
    elif envelope.peer:
        place = f"from {network(envelope.peer)}"
    else:
        place = f"{mail.authentic} {domain}"
    return Author(
        mail.author or "",
        mail.message_id or "",
        identity.address_mark(place),
        bool(envelope.peer) or mail.authentic == "pass",
        mail.authentic,
        mail.quiet is not None,
    )


def network(peer: str) -> str:
    """The network that one machine or household has: an IPv4 address, the first half of an IPv6 one."""
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
