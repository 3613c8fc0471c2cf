"""Looking up accounts, letters, boards, acts, the server's state, what came of a message; nothing changes.

This is quickly imported, unlike the acts of an operator, whose letters need half of the program.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ... import identity
from ...errors import BadInput
from ...machine.times import DAY, Epoch, Seconds
from ...machine.version import COMMIT, VERSION
from ...match import spelled_result
from ...matchmaking.rows import Invitations
from ...store import Board, Handled, Tx, User
from ...store.database import HEAD
from ...store.post.outbox import QUEUED
from ..work.work import Work

BACKED_UP = "backup"  # a fact: the time of the last backup that was written and is whole
MAILBOX = "mailbox"  # a fact: what the daemon says of the mailbox
NOBODY = "(no account)"
_LETTER = re.compile(r"letter ([0-9]{1,9})", re.IGNORECASE)
_MAIL = re.compile(r"[0-9a-f]{8,}-[0-9]+")  # an id of the log


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


def explain(work: Work, what: str) -> dict[str, Any]:
    """Return the facts about a message, a letter, a board or a userid.

    A message is named by its id or Message-ID. A letter is named by ``letter`` and its number, by its
    Message-ID, or by the id that the relay gave it. A board is named by its number.

    Times are in seconds since 1970. Raises BadInput if nothing has that name.
    """
    what = " ".join(what.split())
    if what.isdecimal() and len(what) < 10:
        return _board(work, int(what))
    if named := _LETTER.fullmatch(what):
        return _letters(work.tx, [int(named[1])])
    if letters := work.tx.outbox.named(what):
        return _letters(work.tx, letters)
    if "@" in what:
        return _mails(work.tx, what, message=identity.message_mark(what))
    if (user := work.tx.accounts.user(what.lower())) is not None:
        return {**user_facts(work, user), "mails": _list(work.tx, userid=user.userid)}
    if _MAIL.fullmatch(what):
        return _mails(work.tx, what, mail=what)
    raise BadInput(
        f"There's no user {what}. A message is named by its id in the log, like 6b0224db1a2b-7, or by its "
        "Message-ID, a board by its number, a letter like letter 17, by its Message-ID, or by the id that "
        "the mail server has queued it as.",
        "no-user",
    )


def _letters(tx: Tx, numbers: list[int]) -> dict[str, Any]:
    """Return the state of letters, and the messages that caused them. Raises BadInput."""
    facts = [letter_facts(tx, number) for number in numbers]
    if all(each["state"] == "forgotten" for each in facts):
        raise BadInput(f"There's no letter {numbers[0]}, or we've forgotten it.", "no-letter")
    mails = [mail for number in numbers for mail in _list(tx, letter=number)]
    return {"letters": facts, "mails": mails}


def user_facts(work: Work, user: User) -> dict[str, Any]:
    """Return an account's state: its last mail, its bounces, its lock, its letters that wait, and its last
    letters that took more than one try: of these a second copy may have arrived."""
    waiting = [each for each in work.tx.outbox.unsent() if each.userid == user.userid]
    return {
        "userid": user.userid,
        "address": user.address,
        "other_addresses": [
            {"address": each.address, "kind": each.kind, "bounces": each.bounces}
            for each in work.tx.accounts.others(user)
        ],
        "state": user.state,
        "since": user.made,
        "last_seen": work.tx.mails.last_seen(user.userid),
        "bounces": user.bounces,
        "locked_until": work.tx.accounts.locked_until(user.userid, work.now),
        "waiting": [letter_facts(work.tx, each.id) for each in waiting],
        "again": [letter_facts(work.tx, each) for each in work.tx.outbox.sent_again(user.userid)],
    }


def letter_facts(tx: Tx, number: int) -> dict[str, Any]:
    """Return a letter's state: ``waiting``, ``sent``, ``dead``, ``dropped``; ``forgotten`` after a month."""
    letter = tx.outbox.status(number)
    if letter is None:
        return {"letter": number, "userid": "", "state": "forgotten"}
    return {
        "letter": number,
        "userid": letter.userid,
        "state": "waiting" if letter.state == "new" else letter.state,
        "made": letter.made,
        "sent": letter.sent,
        "tries": letter.tries,
        "due": max(letter.due, letter.made),
        "trouble": "" if letter.state == "sent" else letter.trouble,
        "queued": letter.trouble.removeprefix(QUEUED) if letter.state == "sent" else "",
        "message_id": letter.message_id,
    }


def _mails(tx: Tx, what: str, **by: str) -> dict[str, Any]:
    mails = _list(tx, **by)
    if not mails:
        raise BadInput(
            f"No message {what} is known. The log alone names those that were ignored, deferred or came "
            "twice. All are forgotten after 30 days.",
            "no-mail",
        )
    return {"mails": mails}


def _list(tx: Tx, **by: Any) -> list[dict[str, Any]]:
    return [_mail(tx, mail) for mail in tx.mails.find(**by)]


def _mail(tx: Tx, mail: Handled) -> dict[str, Any]:
    outcome, _, why = mail.outcome.partition(" ")
    run = tx.ledger.run_of(mail.mail.rpartition("-")[0])
    return {
        "mail": mail.mail,
        "node": run.name if run else None,
        "message": mail.message,
        "at": mail.at,
        "userid": mail.userid,
        "proved": bool(mail.proved),
        "authentic": mail.authentic or None,
        "commands": list(mail.commands),
        "outcome": outcome,
        "why": why,
        "codes": list(mail.codes),
        "reasons": list(mail.said),
        "letters": [letter_facts(tx, number) for number in mail.letters],
    }


def _board(work: Work, number: int) -> dict[str, Any]:
    row = work.tx.boards.get(number)
    mails = _list(work.tx, board=number)
    if row is None:
        if not mails:
            raise BadInput(f"There's no board {number}.", "no-board")
        return {"board": number, "state": "removed", "mails": mails}
    return {
        "board": number,
        "state": "running" if row.to_move else "over",
        "game": row.game,
        "players": list(row.seats),
        "to_move": row.to_move or None,
        "result": spelled_result(row.result, work.tx.boards.winner(row)) or None,
        "since": row.since,
        "due": row.due,
        "reminders": [
            {"stage": stage, "at": at, **(letter_facts(work.tx, letter) if letter > 0 else {})}
            for stage, letter, at in work.tx.clocks.reminders(number, row.resets, row.length)
        ],
        "mails": mails,
    }


def suppressed(work: Work, address: str = "") -> list[dict[str, Any]]:
    """Return the addresses that get no letters, or that one if it gets none; ``mark`` is all that is kept.

    Raises BadInput for an address that cannot be one.
    """
    marks = frozenset[str]()
    if address:
        from ..proof.strangers import usable_address  # noqa: PLC0415 - the others check no address

        marks = identity.marks(usable_address(work, address))
    return [
        {
            "mark": mark,
            "since": since,
            "until": until,
            "why": "the reader wants none" if until is None else "letters came back",
        }
        for mark, since, until in work.tx.people.suppressed(work.now)
        if not address or mark in marks
    ]


def inviters(work: Work) -> list[dict[str, Any]]:
    """Return the players who invited somebody in the last week or are stopped, those with most first."""
    rows = work.tx.of(Invitations)
    counted = sorted(rows.counted(work.now, 7 * DAY).items(), key=lambda each: (-each[1], each[0]))
    return [
        {
            "userid": userid,
            "invited": count,
            "state": "stopped" if rows.is_stopped(userid) else "allowed",
        }
        for userid, count in counted
    ]
