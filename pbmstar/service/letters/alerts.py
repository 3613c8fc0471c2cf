"""Alerts: letters to the operator about troubles that need a hand, at most one of a kind in an hour.

Events in between are counted, and the next letter of their kind gives the number. An alert raises no
alert: it has the null sender, so no bounce of it comes back, and an alert about letters leaves out
letters with a null sender.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from ...config import Config
from ...errors import BUGS, BadInput
from ...machine.times import DAY, HOUR, Epoch
from ...render.facts import AlertFacts
from ...render.recipe import Recipe
from ...store import NewLetter, Tx
from ..work.feature import Kind, features
from ..work.letter import headers

QUEUE_AGE = HOUR / 2  # seconds that a letter may wait
REMIND_AGE = 2 * DAY  # seconds that may pass without a run of ``remind``
STRANGERS_AN_HOUR = 500  # messages that did nothing, from addresses without an account
WRONG_AN_HOUR = 200  # wrong passwords, of all accounts together
STRANGERS = "strangers of "  # with a domain: the counter of such messages that name it
MUTED = "alerts muted"  # a fact: the time until which alerts are muted
REMINDED = "reminded"  # a fact: the time when ``remind`` last ran
_UNHEARD = " unheard"  # the end of a kind's state: its last alert was muted
_BEGUN = "begun"  # a fact: the time of the first look at a server without a run of ``remind``

log = logging.getLogger("pbmstar")


KINDS = {
    "quarantine": Kind(
        "mail in quarantine",
        "A message met a fault in the program, so it is in quarantine.",
        "Once you've fixed the cause, handle it again (quarantine retry).",
        "pbmstar admin quarantine list",
    ),
    "dead": Kind(
        "letters refused",
        "A letter was refused for good, given up after five days, or couldn't be written in six tries. We "
        "won't try again.",
        "See what the relay said, or what's wrong with the letter:",
        "pbmstar admin outbox list",
    ),
    "picture": Kind(
        "pictures not drawn",
        "We couldn't draw the picture of a board, and sent the letter without it.",
        "The server's log says why. Until you've fixed it, set pictures = off in the configuration.",
        "pbmstar doctor",
    ),
    "disk": Kind(
        "disk nearly full",
        "The spool's disk is nearly full. Below 64 MiB we don't accept any mail; other servers keep "
        "theirs and try again.",
        "Make room. Backups belong on another disk.",
        "pbmstar doctor",
        counted=False,
    ),
    "database": Kind(
        "database trouble",
        "We couldn't use the database, so we deferred a message. Its server will send it again.",
        "The server's log says why.",
        "pbmstar doctor",
    ),
    "commit": Kind(
        "disk failure",
        "The disk did not confirm a commit. This server stopped right away, and has started again from "
        "what is on the disk. It hasn't lost any mail it had accepted.",
        "Check the disk before it fails completely (dmesg, smartctl), and the records:",
        "pbmstar admin check",
    ),
    "tables": Kind(
        "other tables",
        "Someone changed the database's tables while this server was running. It deferred messages, stopped, "
        "and has started again. Other servers will send those messages again.",
        "Before you start a new version, stop all servers that use its database. Check the records:",
        "pbmstar admin check",
    ),
    "stuck": Kind(
        "work waits",
        "A message or other work has been waiting for the database for more than 5 seconds. Meanwhile we "
        "defer messages, and other servers will send them again.",
        "Something is holding a lock, or the disk or the database is slow. The server's log has more.",
        "pbmstar doctor",
        counted=False,
    ),
    "node": Kind(
        "a node is silent",
        "One of this server's nodes hasn't given a sign of life for about 20 seconds. The others are sending "
        "its letters and thinking for its bots.",
        "Messages waiting there go on when its daemon runs again. Its log says why it stopped.",
        "pbmstar admin node list",
    ),
    "queue": Kind(
        "letters wait",
        "A letter has been waiting for more than 30 minutes.",
        "See what the relay said:",
        "pbmstar admin outbox list",
        counted=False,
    ),
    "mailbox": Kind(
        "the mailbox is not read",
        "We haven't been able to read the mailbox for more than 5 minutes. Messages are waiting there.",
        "See what your email provider says:",
        "pbmstar doctor",
        counted=False,
    ),
    "signups": Kind(
        "too many signups",
        "More people tried to sign up within an hour than we allow. The others don't get an answer.",
        "If this isn't a wave of strangers, open the accounts yourself:",
        "pbmstar admin user add USERID ADDRESS",
    ),
    "spam": Kind(
        "wave of messages",
        "Within an hour we got very many messages without a command, from strangers or from one address.",
        "See which domains they claim to be from. Let your mail server refuse them, or ban a domain (user "
        "ban DOMAIN).",
        "pbmstar admin top --strangers",
    ),
    "passwords": Kind(
        "wrong passwords",
        f"We got more than {WRONG_AN_HOUR} wrong passwords within an hour.",
        "The server's log has the senders' domains. Let your mail server refuse them.",
        "pbmstar admin status",
    ),
    "board": Kind(
        "a damaged board",
        "A board is damaged in the database, so we left it out. All others go on.",
        "See which boards are damaged. Then restore each from a backup (restore FILE --board NUMBER), or "
        "remove it (board remove NUMBER).",
        "pbmstar admin check",
    ),
    "fault": Kind(
        "a fault of the program",
        "Part of the regular work failed because of a fault in the program. Everything else went on.",
        "The log says where. If the records are fine, please report the fault. We'll try again.",
        "pbmstar admin check",
    ),
    "remind": Kind(
        "no reminders",
        "pbmstar remind hasn't run for two days, so nobody gets reminders, and late games don't end.",
        "Let cron or a systemd timer run it every hour:",
        "pbmstar admin unit --into /etc/systemd/system",
        DAY,
        counted=False,
    ),
    "bot": Kind(
        "a bot failed",
        "A bot's process failed. We started it again, and the bot has answered.",
        "The server's log says why. It may need more memory, or pip install 'pbmstar[bot]'.",
        "pbmstar doctor",
    ),
    "bots": Kind(
        "a bot does not answer",
        "A bot hasn't answered for more than ten minutes.",
        "See what it's waiting for:",
        "pbmstar admin bot list",
        counted=False,
    ),
}


TEST = Kind(
    "a test",
    "Someone ran pbmstar admin alerts test. Nothing is wrong.",
    "Alerts reach you. To turn them off for a while:",
    "pbmstar admin alerts mute 12h",
    pause=0.0,
)


class Alert(NamedTuple):
    """An alert to be told once a transaction is open: its kind, and a detail without names."""

    kind: str
    detail: str = ""


def kinds() -> Mapping[str, Kind]:
    """Return the kinds of alerts by name, features' kinds too."""
    return KINDS | {name: kind for each in features() for name, kind in each.alerts.items()}


def tell(tx: Tx, config: Config, now: Epoch, kind: str, detail: str = "") -> None:
    """Alert the operator in ``tx``, by a letter and in the log; or count the alert, if one was sent lately.

    Without an operator's address there is only the log.
    """
    last, more = _state(tx, kind)
    if 0 <= now - last < kinds()[kind].pause and not _is_heard_again(tx, kind, now):
        _keep(tx, kind, last, more + 1, _is_unheard(tx, kind))
    else:
        _write(tx, config, now, Alert(kind, detail), more)


def test(tx: Tx, config: Config, now: Epoch) -> None:
    """Write a letter to the operator as an alert does. Raises BadInput if alerts go nowhere now."""
    if not config.operator:
        raise BadInput("Alerts go to nobody: set the key operator to your address.", "no-operator")
    if is_muted(tx, now):
        raise BadInput("Alerts are muted. See: pbmstar admin alerts unmute", "muted")
    _mail(tx, config, now, "test", AlertFacts(*TEST[:5], "", 0, True))


def damaged(tx: Tx, config: Config, now: Epoch, what: str, error: Exception) -> None:
    """Alert the operator that a round has left out ``what``, such as ``board 17``, because of an error."""
    if isinstance(error, BUGS):
        log.error("fault", exc_info=error, extra={"facts": {"what": what}})
        tell(tx, config, now, "fault", f"{what}: {type(error).__name__}")
        return
    log.warning("damaged", extra={"facts": {"what": what, "error": type(error).__name__}})
    tell(tx, config, now, "board", what)


def look(
    tx: Tx,
    config: Config,
    now: Epoch,
    noted: Sequence[Alert] = (),
    *,
    low_disk: bool = False,
    troubles: Iterable[str] = (),
) -> None:
    """Send the alerts that are due; the caller calls this about once a minute.

    These are the alerts ``noted`` outside of a transaction, states that last too long, among them
    ``troubles`` found elsewhere, and events that were counted since the last letter of their kind.
    """
    for alert in noted:
        tell(tx, config, now, *alert)
    if low_disk:
        tell(tx, config, now, "disk")
    for kind in troubles:
        tell(tx, config, now, kind)
    oldest = tx.outbox.oldest_waiting()
    if oldest is not None and now - oldest > QUEUE_AGE:
        tell(tx, config, now, "queue")
    reminded = reminded_or_begun(tx)
    if not reminded:
        tx.ledger.set_fact(_BEGUN, str(now))  # a new server: the two days begin
    elif now - reminded > REMIND_AGE:
        tell(tx, config, now, "remind")
    for kind, about in kinds().items():
        last, more = _state(tx, kind)
        if more and (not 0 <= now - last < about.pause or _is_heard_again(tx, kind, now)):
            _write(tx, config, now, Alert(kind), more, again=False)


def reminded_or_begun(tx: Tx) -> Epoch:
    """Return the time when the reminders last ran, or when the server began; 0 if neither is known."""
    return float(tx.ledger.fact(REMINDED) or tx.ledger.fact(_BEGUN) or 0)


def note_remind(tx: Tx, now: Epoch) -> None:
    """Remember that the reminders have run."""
    tx.ledger.set_fact(REMINDED, str(now))


def _write(tx: Tx, config: Config, now: Epoch, alert: Alert, more: int, again: bool = True) -> None:
    """Write the letter of an alert.

    Its event has happened ``more`` times since the last letter, and once more now if ``again`` is True.
    """
    kind, detail = alert
    about = kinds()[kind]
    more = more if about.counted else 0
    is_silent = is_muted(tx, now)
    _keep(tx, kind, now, more + (about.counted and again) if is_silent else 0, is_silent)
    if about.counted or again:
        log.error("alert", extra={"facts": {"kind": kind, "detail": detail, "more": more}})
        if config.operator and not is_silent:
            _mail(tx, config, now, kind, AlertFacts(*about[:5], detail, more, again))


def _mail(tx: Tx, config: Config, now: Epoch, kind: str, facts: AlertFacts) -> None:
    """Put the letter of an alert into the outbox."""
    # Two nodes may tell one kind in one second: the number makes two letters of them.
    reserved = tx.outbox.reserve()
    serial = f"alert.{kind}.{int(now)}.{reserved.number}"
    heads = headers(config, config.operator, serial)
    recipe = Recipe(facts.template, heads, now, serial, facts.stored())
    content, message_id = recipe.to_bytes(), heads["Message-ID"]
    tx.outbox.add(NewLetter(message_id, "", config.operator, "", content, now), reserved)


def _is_unheard(tx: Tx, kind: str) -> bool:
    """Return True if the last alert of a kind was only logged, because alerts were muted."""
    return tx.ledger.fact(f"alert {kind}").endswith(_UNHEARD)


def _is_heard_again(tx: Tx, kind: str, now: Epoch) -> bool:
    """Return True if the last alert of a kind was only logged, and alerts are mailed again."""
    return _is_unheard(tx, kind) and not is_muted(tx, now)


def is_muted(tx: Tx, now: Epoch) -> bool:
    """Return True if the operator wants no alerts now."""
    return now < float(tx.ledger.fact(MUTED) or 0)


def _state(tx: Tx, kind: str) -> tuple[float, int]:
    """Return the time of the last letter of a kind, and the number of events since."""
    last, more, *_ = *tx.ledger.fact(f"alert {kind}").split(" "), "0"
    return float(last or "-inf"), int(more)


def _keep(tx: Tx, kind: str, last: Epoch, more: int, is_unheard: bool) -> None:
    tx.ledger.set_fact(f"alert {kind}", f"{last} {more}{_UNHEARD if is_unheard else ''}")
