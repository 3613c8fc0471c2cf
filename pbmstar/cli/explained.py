"""The facts of ``admin explain`` and ``admin user show`` as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..render.exported import when

Facts = Mapping[str, Any]
_AUTHENTIC = {
    "pass": "Our mail server vouches for its From address.",
    "fail": "Our mail server says that its From address is forged.",
    "none": "Our mail server said nothing of its From address.",
}


def sentences(facts: Facts) -> Iterator[str]:
    """One sentence a line, what belongs together indented."""
    if "board" in facts:
        yield from _board(facts)
    elif "userid" in facts:
        yield from user(facts)
    for mail in facts["mails"]:
        yield from _mail(mail)


def user(facts: Facts) -> Iterator[str]:
    """The state of an account."""
    address = f", address {facts['address']}" if facts["address"] else ""
    yield f"The account {facts['userid']} was opened {when(facts['since'])}: {facts['state']}{address}."
    seen = facts["last_seen"]
    yield (
        f"  It last wrote {when(seen)}."
        if seen
        else "  No password or reply of it came in the last 30 days."
    )
    if facts["bounces"]:
        yield f"  Mail to it has come back, score {facts['bounces']:g} (3 suspends it)."
    if facts["locked_until"]:
        yield f"  Wrong passwords: some mails are not looked at until {when(facts['locked_until'])}."
    yield from (f"  {letter(each)}" for each in facts["waiting"])


def _board(facts: Facts) -> Iterator[str]:
    name = f"Board {facts['board']}"
    if facts["state"] == "removed":
        yield f"{name} has been removed."
        return
    players = " and ".join(facts["players"])
    yield f"{name} is a game of {facts['game']}, played by {players}."
    if facts["state"] == "over":
        yield f"  It ended {when(facts['since'])}, result {facts['result']}."
        return
    yield f"  It has been {facts['to_move']}'s turn since {when(facts['since'])}."
    for each in facts["reminders"]:
        where = f": {letter(each)}" if "letter" in each else "; no letter was sent."
        yield f"  Reminder ({each['stage']}) {when(each['at'])}{where}"
    if facts["due"]:
        yield f"  The next reminder or end is looked for at {when(facts['due'])}."


def _mail(mail: Facts) -> Iterator[str]:
    who = "from no account"
    if mail["userid"]:
        proof = "proved to be" if mail["proved"] else "said without proof to be"
        who = f"{proof} from {mail['userid']}"
    yield f"Mail {mail['mail'] or '(without an id)'} came {when(mail['at'])}, {who}."
    if mail["authentic"]:
        yield f"  {_AUTHENTIC[mail['authentic']]}"
    if mail["commands"]:
        yield f"  It asked for: {', '.join(mail['commands'])}."
    why = f" ({mail['why']})" if mail["why"] else ""
    codes = f" Reasons: {', '.join(mail['codes'])}." if mail["codes"] else ""
    yield f"  It was {mail['outcome']}{why}.{codes}"
    yield from (f"  {letter(each)}" for each in mail["letters"])
    if not mail["letters"]:
        yield "  No letter came of it."


def letter(facts: Facts) -> str:
    """Where one letter is."""
    to = f" to {facts['userid']}" if facts["userid"] else ""
    name = f"Letter {facts['letter']}{to}"
    state = facts["state"]
    if state == "forgotten":
        return f"{name} is forgotten, after 30 days or with its reader."
    if state == "sent":
        return f"{name} was sent {when(facts['sent'])}."
    relay = f" The relay said: {facts['trouble']}" if facts["trouble"] else ""
    if state == "waiting":
        return (
            f"{name} waits since {when(facts['made'])}, tried {facts['tries']} times, next "
            f"{when(facts['due'])}.{relay}"
        )
    if state == "dropped":
        return f"{name} was dropped by the operator."
    return f"{name} was refused for good after {facts['tries']} tries.{relay}"
