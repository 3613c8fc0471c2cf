"""Trace a message, a letter, a board; and send probes: letters to see if an address gets them."""

from __future__ import annotations

import json
import re
from typing import Any

from ... import games, identity
from ...errors import BadInput
from ...identity import Purpose
from ...machine.times import DAY
from ...match import BOTS, begin, spelled_result
from ...render.facts import ProbeFacts
from ...store import Handled, Tx, User
from ...store.post.outbox import QUEUED
from ..letters.post import send
from ..proof.strangers import usable_address
from ..work.letter import PlainLetter, signed
from ..work.work import Work
from .operator import note

_LETTER = re.compile(r"letter ([0-9]{1,9})", re.IGNORECASE)
_MAIL = re.compile(r"[0-9a-f]{8,}-[0-9]+")  # an id of the log
_A_DAY = 20  # probes
_KEPT = 20  # the most probes that are remembered
_PROBES = "probes"  # a fact: a JSON list, the newest last
_SHOWN = {"size": 4}


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


def probe(work: Work, address: str) -> int:
    """Send a letter with a picture and a reply address; return its number. Raises BadInput.

    Bounces and replies both come to the reply address, and are only noted with the probe.
    """
    address = usable_address(work, address)
    if work.tx.ledger.count("probes", work.now, DAY) > _A_DAY:
        raise BadInput(f"{_A_DAY} probes a day are the most.", "too-many-probes")
    mark = identity.address_mark(address)
    ours = signed(work, Purpose.PROBE, mark, "")
    game = games.make("star", _SHOWN)
    match = begin(0, game, ("you", BOTS[0]), work.now)
    heads = {"Reply-To": ours}
    letter = PlainLetter(ProbeFacts(), "", address, heads, False, ours, shows=match)
    send(work, letter)
    number = work.report.letters[-1]
    known = [each for each in _known(work.tx) if each["mark"] != mark]
    sent = {"mark": mark, "letter": number, "at": work.now, "back": []}
    work.tx.ledger.set_fact(_PROBES, json.dumps([*known, sent][-_KEPT:]))
    note(work, f"probe {mark}")
    return number


def probes(work: Work) -> list[dict[str, Any]]:
    """Return the remembered probes: the state of each letter, and the messages that came back."""
    rows = []
    for each in _known(work.tx):
        facts = letter_facts(work.tx, each["letter"])
        state = {name: facts.get(name) for name in _STATE}
        rows.append({"at": each["at"], **state, "back": "; ".join(each["back"]) or None})
    return rows


_STATE = ("letter", "state", "queued", "trouble")


def came_back(work: Work, mark: str, what: str) -> bool:
    """Note a message that came to the address of a probe; return False if that probe is not known."""
    known = _known(work.tx)
    for each in known:
        if each["mark"] == mark:
            seconds = int(work.now - each["at"])
            each["back"] = [*each["back"], f"{what} after {seconds} s"][-5:]
            work.tx.ledger.set_fact(_PROBES, json.dumps(known))
            return True
    return False


def _known(tx: Tx) -> list[dict[str, Any]]:
    return list(json.loads(tx.ledger.fact(_PROBES) or "[]"))
