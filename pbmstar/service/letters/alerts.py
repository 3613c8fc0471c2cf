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
from ...errors import BadInput
from ...features.feature import features
from ...machine.times import Epoch, Seconds
from ...match.terms import DAY, HOUR
from ...render.facts import AlertFacts
from ...render.recipe import Recipe
from ...store import NewLetter, Tx
from .headers import headers

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


class Kind(NamedTuple):
    """A kind of alert: its title, a sentence about the trouble, advice, and the command to run first.

    pause    seconds between two letters; 0 if each is wanted
    counted  it is an event, not a state that lasts
    """

    title: str
    sentence: str
    advice: str
    command: str
    pause: Seconds = HOUR
    counted: bool = True


KINDS = {
    "quarantine": Kind(
        "mail in quarantine",
        "A message could not be handled and was put into the quarantine.",
        "Once the cause is fixed it can be handled after all (quarantine retry).",
        "pbmstar admin quarantine list",
    ),
    "dead": Kind(
        "letters refused",
        "A letter was refused for good, or given up after five days; it will not be tried again.",
        "See what the relay said:",
        "pbmstar admin outbox list",
    ),
    "picture": Kind(
        "pictures not drawn",
        "The picture of a board could not be drawn; its letter was sent without it.",
        "The log of this server says why. Until it is fixed, pictures = off in the configuration "
        "does without.",
        "pbmstar doctor",
    ),
    "disk": Kind(
        "disk nearly full",
        "The disk of the spool is nearly full. Below 64 MiB no mail is taken: other servers keep "
        "theirs and try again.",
        "Make room. Backups belong on another disk.",
        "pbmstar doctor",
        counted=False,
    ),
    "database": Kind(
        "database trouble",
        "The database could not be used, so a message was deferred; its server sends it again.",
        "The log of this server says why.",
        "pbmstar doctor",
    ),
    "commit": Kind(
        "disk failure",
        "The disk did not confirm a commit. This server ended at once, and has started again from what "
        "is on the disk. No mail that it had accepted is lost.",
        "Look at the disk before it fails altogether (dmesg, smartctl), and at the records:",
        "pbmstar admin check",
    ),
    "tables": Kind(
        "other tables",
        "The tables of the database were changed while this server ran. It deferred messages, ended, and has "
        "started again; other servers send those messages again.",
        "Before a new version starts, stop all servers of its database. Look at the records:",
        "pbmstar admin check",
    ),
    "stuck": Kind(
        "work waits",
        "A message or other work has waited for more than 5 seconds for the database. Messages are deferred "
        "meanwhile; other servers send them again.",
        "Something holds a lock, or the disk or the database is slow. The log of this server says more.",
        "pbmstar doctor",
        counted=False,
    ),
    "node": Kind(
        "a node is silent",
        "A node of this server has given no sign of life for some 20 seconds. The others send its letters "
        "and think for its bots.",
        "Messages that wait there go on when its daemon runs again. Its log says why it ended.",
        "pbmstar admin node list",
    ),
    "queue": Kind(
        "letters wait",
        "A letter has waited for more than 30 minutes.",
        "See what the relay said:",
        "pbmstar admin outbox list",
        counted=False,
    ),
    "signups": Kind(
        "too many signups",
        "More accounts were asked for within an hour than are allowed; the others get no answer.",
        "If it is not a wave of strangers' messages, open the accounts by hand:",
        "pbmstar admin user add USERID ADDRESS",
    ),
    "spam": Kind(
        "wave of messages",
        "Very many messages came within an hour that did nothing: from strangers, or from one address.",
        "This names the domains that they say they are from. Let the mail server in front refuse them, or "
        "ban a domain (user ban DOMAIN).",
        "pbmstar admin top --strangers",
    ),
    "passwords": Kind(
        "wrong passwords",
        f"More than {WRONG_AN_HOUR} wrong passwords came within an hour.",
        "The log of this server has the sender domains. Let the mail server in front refuse them.",
        "pbmstar admin status",
    ),
    "board": Kind(
        "a damaged board",
        "What is stored of a board is damaged, so the board was left out. All others go on.",
        "This names every damaged board. Then restore it from a backup (restore FILE --board NUMBER), or "
        "remove it (board remove NUMBER).",
        "pbmstar admin check",
    ),
    "remind": Kind(
        "no reminders",
        "pbmstar remind has not run for two days: no player is reminded, and no late game ends.",
        "Let cron or a systemd timer run it every hour:",
        "pbmstar admin unit --into /etc/systemd/system",
        DAY,
        counted=False,
    ),
}


TEST = Kind(
    "a test",
    "Somebody asked for this letter by pbmstar admin alerts test. Nothing is wrong.",
    "Alerts reach you. To send none for a while:",
    "pbmstar admin alerts mute 12h",
    pause=0.0,
)


class Alert(NamedTuple):
    """An alert to be told once a transaction is open: its kind, and a detail without names."""

    kind: str
    detail: str = ""


def kinds() -> Mapping[str, Kind]:
    """Return the kinds of alerts by name, those of features among them."""
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

    These are the alerts ``noted`` outside of a transaction, states that last too long, among them the
    ``troubles`` of features, and events that were counted since the last letter of their kind.
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
