"""What ``admin explain`` tells: what came, what was done, which letters came of it, where each is."""

from __future__ import annotations

import re
from typing import Any

from .. import identity
from ..errors import BadInput
from ..store import Handled, Tx, User
from .work import Work

_MAIL = re.compile(r"[0-9a-f]{8,}-[0-9]+")  # an id of the log


def explain(work: Work, what: str) -> dict[str, Any]:
    """The facts about a mail (its id or Message-ID), a board (its number) or a userid. Times are in
    seconds since 1970.

    Raises BadInput if there is nothing of that name.
    """
    what = what.strip()
    if what.isdecimal() and len(what) < 10:
        return _board(work, int(what))
    if "@" in what:
        return _mails(work.tx, what, message=identity.message_mark(what))
    if (user := work.tx.user(what.lower())) is not None:
        return {**user_facts(work, user), "mails": _list(work.tx, userid=user.userid)}
    if _MAIL.fullmatch(what):
        return _mails(work.tx, what, mail=what)
    raise BadInput(
        f"There is no user {what}. A mail is named by its id in the log, like 6b0224db1a2b-7, or by its "
        "Message-ID, a board by its number.",
        "no-user",
    )


def user_facts(work: Work, user: User) -> dict[str, Any]:
    """An account's state beside its boards: when it last wrote, bounces, locks, letters that wait."""
    waiting = [each for each in work.tx.letters() if each.userid == user.userid]
    return {
        "userid": user.userid,
        "address": user.address,
        "state": user.state,
        "since": user.made,
        "last_seen": work.tx.last_seen(user.userid),
        "bounces": user.bounces,
        "locked_until": work.tx.locked_until(user.userid, work.now),
        "waiting": [letter_facts(work.tx, each.id) for each in waiting],
    }


def letter_facts(tx: Tx, number: int) -> dict[str, Any]:
    """Where a letter is: ``waiting``, ``sent``, ``dead``, ``dropped``, or ``forgotten`` after a month."""
    letter = tx.letter(number)
    if letter is None:
        return {"letter": number, "userid": "", "state": "forgotten"}
    return {
        "letter": number,
        "userid": letter.userid,
        "state": "waiting" if letter.state == "new" else letter.state,
        "made": letter.made,
        "sent": letter.sent,
        "tries": letter.tries,
        "due": letter.due,
        "trouble": letter.trouble,
    }


def _mails(tx: Tx, what: str, **by: str) -> dict[str, Any]:
    mails = _list(tx, **by)
    if not mails:
        raise BadInput(
            f"No mail {what} is known. One that was ignored as automatic, was a duplicate or was put "
            "off stands in the log only, and any is forgotten after 30 days.",
            "no-mail",
        )
    return {"mails": mails}


def _list(tx: Tx, **by: Any) -> list[dict[str, Any]]:
    return [_mail(tx, mail) for mail in tx.mails(**by)]


def _mail(tx: Tx, mail: Handled) -> dict[str, Any]:
    outcome, _, why = mail.outcome.partition(" ")
    return {
        "mail": mail.mail,
        "message": mail.message,
        "at": mail.at,
        "userid": mail.userid,
        "proved": bool(mail.proved),
        "authentic": mail.authentic or None,
        "commands": list(mail.commands),
        "outcome": outcome,
        "why": why,
        "codes": list(mail.codes),
        "letters": [letter_facts(tx, number) for number in mail.letters],
    }


def _board(work: Work, number: int) -> dict[str, Any]:
    row = work.tx.board(number)
    mails = _list(work.tx, board=number)
    if row is None:
        if not mails:
            raise BadInput(f"There is no board {number}.", "no-board")
        return {"board": number, "state": "removed", "mails": mails}
    return {
        "board": number,
        "state": "running" if row.to_move else "over",
        "game": row.game,
        "players": list(row.seats),
        "to_move": row.to_move or None,
        "result": row.result or None,
        "since": row.since,
        "due": row.due,
        "reminders": [
            {"stage": stage, "at": at, **(letter_facts(work.tx, letter) if letter > 0 else {})}
            for stage, letter, at in work.tx.reminded(number, row.resets, row.length)
        ],
        "mails": mails,
    }
