"""Looking up accounts, bans, letters, boards, acts, the server's state. Nothing is changed.

This is quickly imported, unlike the acts of an operator, whose letters need half of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ... import identity
from ...errors import BadInput
from ...machine.times import Epoch, Seconds
from ...machine.version import COMMIT, VERSION
from ...store import Board, Tx, User
from ...store.database import HEAD
from ..work.work import Work

BACKED_UP = "backup"  # a fact: the time of the last backup that was written and is whole
MAILBOX = "mailbox"  # a fact: what the daemon says of the mailbox
NOBODY = "(no account)"


def user(tx: Tx, userid: str) -> User:
    """Return the account of a userid. Raises BadInput if there is none."""
    row = tx.accounts.user(userid)
    if row is None:
        raise BadInput(f"There's no user {userid}.", "no-user")
    return row


def idle(work: Work, seconds: Seconds) -> list[tuple[User, float]]:
    """Return the open accounts of people not seen for so long, each with the last time, the oldest first."""
    seen = work.tx.accounts.seen()
    found = [
        (user, max(user.made, seen.get(user.userid, 0.0)))
        for user in work.tx.accounts.users()
        if user.state in ("active", "suspended")
    ]
    late = [(user, at) for user, at in found if work.now - at >= seconds]
    return sorted(late, key=lambda each: (each[1], each[0].userid))


def on_leave(work: Work) -> list[dict[str, Any]]:
    """Return the leaves that have not ended, those that run first: ``begin`` and ``until`` are times."""
    return [
        {
            "userid": each.userid,
            "state": "away" if each.begin <= work.now else "booked",
            "begin": each.begin,
            "until": each.until,
            "kind": each.kind,
        }
        for each in work.tx.clocks.leaves(work.now)
    ]


def addresses(tx: Tx) -> list[tuple[str, str]]:
    """Return each address of an open account, with the userid."""
    return [
        (row.userid, each) for row in tx.accounts.users() for each in tx.accounts.addresses(row)
    ]


def of_mark(addresses: Iterable[tuple[str, str]], mark: str) -> list[str]:
    """Return the userids of the addresses that a mark is of, or that are of a domain like @x.example."""
    below = f".{mark[1:]}" if mark.startswith("@") else ""
    found = (
        userid
        for userid, each in addresses
        if (
            f".{each.rpartition('@')[2]}".endswith(below)
            if below
            else identity.address_mark(each) == mark
        )
    )
    return list(dict.fromkeys(found))


def bans(work: Work) -> list[dict[str, Any]]:
    """Return the bans, the oldest first: a domain or the mark of an address, and the accounts it is about."""
    known = addresses(work.tx)
    return [
        {
            "banned": mark.removeprefix("@"),
            "kind": "domain" if mark.startswith("@") else "address",
            "since": since,
            "accounts": " ".join(of_mark(known, mark)),
        }
        for mark, since in work.tx.people.bans()
    ]


def acts(work: Work, by: str = "") -> list[dict[str, Any]]:
    """Return the operator's acts, or one person's, the oldest first.

    ``accounts`` are the accounts of the address whose mark an act names.
    """
    known = {mark: userid for userid, each in addresses(work.tx) for mark in identity.marks(each)}
    return [
        {
            "id": number,
            "at": at,
            "actor": actor,
            "act": act,
            "accounts": " ".join(known[word] for word in act.split(" ") if word in known),
        }
        for number, at, actor, act in work.tx.ledger.acts()
        if by in ("", actor.rpartition(" ")[2])
    ]


def last_backup(tx: Tx) -> Epoch | None:
    """Return the time of the last good backup; None if there was none."""
    return float(tx.ledger.fact(BACKED_UP) or 0) or None


def status(work: Work) -> dict[str, Any]:
    """Return the server's state for a person or a monitoring program; times are in seconds since 1970."""
    run = work.tx.ledger.newest_run(work.context.config.node)
    backup = last_backup(work.tx)
    users, boards = work.tx.accounts.states(), work.tx.boards.states()
    letters = work.tx.outbox.unsent()
    waiting = [letter for letter in letters if letter.state == "new"]
    return {
        "version": VERSION,
        "commit": COMMIT or None,
        "started": run.began if run else None,
        "users": users.get("active", 0),
        "suspended": users.get("suspended", 0),
        "boards": sum(boards.values()),
        "running": boards["running"],
        "letters_waiting": len(waiting),
        "oldest_letter_seconds": int(max((work.now - each.made for each in waiting), default=0)),
        "letters_refused": len(letters) - len(waiting),
        "database_bytes": work.tx.ledger.database_bytes(),
        "mailbox": (work.context.config.mailbox and work.tx.ledger.fact(MAILBOX)) or None,
        "revision": HEAD,
        "backup_seconds": None if backup is None else max(0, int(work.now - backup)),
    }


def all_boards(tx: Tx) -> Iterator[Board]:
    """Yield every board, in the order of numbers."""
    after = 0
    while page := tx.boards.page(after):
        yield from page
        after = page[-1].board


def by_domain(tx: Tx, now: Epoch) -> list[dict[str, Any]]:
    """Return for each domain the numbers of letters that wait or were refused, and the last trouble."""
    domains: dict[str, dict[str, Any]] = {}
    for letter in sorted(tx.outbox.unsent(), key=lambda each: each.made):
        domain = letter.address.rpartition("@")[2].lower() or NOBODY
        row = domains.setdefault(
            domain,
            {"domain": domain, "waiting": 0, "refused": 0, "oldest_seconds": 0, "trouble": ""},
        )
        row["waiting" if letter.state == "new" else "refused"] += 1
        if letter.state == "new":
            row["oldest_seconds"] = max(row["oldest_seconds"], int(now - letter.made))
        row["trouble"] = letter.trouble or row["trouble"]
    return sorted(domains.values(), key=lambda row: row["waiting"] + row["refused"], reverse=True)
