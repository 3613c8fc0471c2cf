"""Alerts: letters to the operator about what needs a hand. At most one of a kind in an hour.

What happens in between is counted, and the next letter of its kind says how often. Nothing here is
told about an alert itself: it has the null sender, so that no bounce of it comes back, and whoever
raises an alert about letters leaves out those with a null sender.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import NamedTuple

from ..config import Config
from ..match.terms import DAY, HOUR
from ..render.recipe import Recipe
from ..store import Tx
from .post import headers

QUEUE_AGE = HOUR / 2  # seconds that a letter may wait
REMIND_AGE = 2 * DAY  # ... and seconds without a run of ``remind``
STRANGERS_AN_HOUR = 500  # mails that did nothing, from addresses without an account
WRONG_AN_HOUR = 200  # wrong passwords, of all accounts together
REMINDED = "reminded"  # the fact: when ``remind`` last ran
_BEGUN = "begun"  # ... and when a server on which it has not run yet was first looked at

log = logging.getLogger("pbmstar")


class Kind(NamedTuple):
    """A kind of alert: what it is called, what has happened, what to do, and where to look first.

    pause    seconds between two letters
    counted  it is an event, and not a state that lasts
    """

    title: str
    sentence: str
    advice: str
    command: str
    pause: float = HOUR
    counted: bool = True


KINDS = {
    "quarantine": Kind(
        "mail in quarantine",
        "A mail could not be handled and was put into the quarantine.",
        "Once the cause is mended it can be handled after all (quarantine retry).",
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
        "The log of this server says why. Until it is mended, pictures = off in the configuration "
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
        "The database could not be used, so a mail was put off; its server sends it again.",
        "The log of this server says why.",
        "pbmstar doctor",
    ),
    "commit": Kind(
        "disk failure",
        "The disk did not confirm a commit. This server ended at once, and has begun anew from what "
        "is on the disk. No mail that it had accepted is lost.",
        "Look at the disk before it fails altogether (dmesg, smartctl), and at the records:",
        "pbmstar admin check",
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
        "If it is no wave of strangers' mails, open the accounts by hand:",
        "pbmstar admin user add USERID ADDRESS",
    ),
    "spam": Kind(
        "wave of mails",
        "Very many mails came within an hour that did nothing: from strangers, or from one address.",
        "The log of this server has their sender domains. Let the mail server in front refuse them.",
        "pbmstar admin status",
    ),
    "passwords": Kind(
        "wrong passwords",
        f"More than {WRONG_AN_HOUR} wrong passwords came within an hour.",
        "The log of this server has the sender domains. Let the mail server in front refuse them.",
        "pbmstar admin status",
    ),
    "bot": Kind(
        "a bot failed",
        "The process that finds moves for bots failed. It was begun anew, and the bot has answered.",
        "The log of this server says why. It may need more memory, or pip install 'pbmstar[bot]'.",
        "pbmstar doctor",
    ),
    "bots": Kind(
        "a bot does not answer",
        "A bot's turn is older than ten minutes.",
        "See what it waits for:",
        "pbmstar admin bot list",
        counted=False,
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


class Alert(NamedTuple):
    """Something to tell once a transaction is open: a kind, and a detail without names."""

    kind: str
    detail: str = ""


def tell(tx: Tx, config: Config, now: float, kind: str, detail: str = "") -> None:
    """Tell the operator in ``tx``, by a letter and in the log; or count it, if one went out just now.

    Without an operator's address there is only the log.
    """
    last, more = _state(tx, kind)
    if 0 <= now - last < KINDS[kind].pause:
        _keep(tx, kind, last, more + 1)
    else:
        _write(tx, config, now, kind, detail, more)


def look(
    tx: Tx,
    config: Config,
    now: float,
    noted: Sequence[Alert] = (),
    *,
    low_disk: bool = False,
    late_bot: bool = False,
) -> None:
    """Tell what was ``noted`` outside of a transaction, what has lasted too long, and what was
    counted since the last letter of its kind. To be called about once a minute."""
    for alert in noted:
        tell(tx, config, now, *alert)
    if low_disk:
        tell(tx, config, now, "disk")
    if late_bot:
        tell(tx, config, now, "bots")
    oldest = tx.oldest_letter()
    if oldest is not None and now - oldest > QUEUE_AGE:
        tell(tx, config, now, "queue")
    reminded = reminded_or_begun(tx)
    if not reminded:
        tx.set_fact(_BEGUN, str(now))  # a new server: the two days begin
    elif now - reminded > REMIND_AGE:
        tell(tx, config, now, "remind")
    for kind, about in KINDS.items():
        last, more = _state(tx, kind)
        if more and not 0 <= now - last < about.pause:
            _write(tx, config, now, kind, "", more, again=False)


def reminded_or_begun(tx: Tx) -> float:
    """When the reminders last ran, or else when the server was begun; 0 if neither is known."""
    return float(tx.fact(REMINDED) or tx.fact(_BEGUN) or 0)


def note_remind(tx: Tx, now: float) -> None:
    """Remember that the reminders have run."""
    tx.set_fact(REMINDED, str(now))


def _write(
    tx: Tx, config: Config, now: float, kind: str, detail: str, more: int, again: bool = True
) -> None:
    """``more``: how often it happened since the last letter, besides now if it happened ``again``."""
    about = KINDS[kind]
    more = more if about.counted else 0
    _keep(tx, kind, now, 0)
    if about.counted or again:
        log.error("alert", extra={"facts": {"kind": kind, "detail": detail, "more": more}})
        if config.operator:
            serial = f"alert.{kind}.{int(now)}"  # one of a kind in an hour
            facts = {**about._asdict(), "detail": detail, "more": more, "again": again}
            heads = headers(config, config.operator, serial)
            recipe = Recipe("alert", heads, now, serial, facts)
            tx.add_letter(heads["Message-ID"], "", config.operator, "", recipe.to_bytes(), now)


def _state(tx: Tx, kind: str) -> tuple[float, int]:
    """When the last letter of a kind was written, and how often it has happened since."""
    last, _, more = tx.fact(f"alert {kind}").partition(" ")
    return float(last or "-inf"), int(more or 0)


def _keep(tx: Tx, kind: str, last: float, more: int) -> None:
    tx.set_fact(f"alert {kind}", f"{last} {more}")
