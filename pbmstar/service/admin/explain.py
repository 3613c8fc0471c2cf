"""The facts of ``admin explain``: messages, commands, letters, and the state of each letter."""

from __future__ import annotations

import re
from typing import Any

from ... import identity
from ...errors import BadInput
from ...match import spelled_result
from ...store import Handled, Tx, User
from ...store.post.outbox import QUEUED
from ..work.work import Work

_LETTER = re.compile(r"letter ([0-9]{1,9})", re.IGNORECASE)
_MAIL = re.compile(r"[0-9a-f]{8,}-[0-9]+")  # an id of the log


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
