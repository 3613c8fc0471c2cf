"""Probes: letters that an operator sends to see if an address gets them, and if a reply comes back."""

from __future__ import annotations

import json
from typing import Any

from ... import games, identity
from ...errors import BadInput
from ...identity import Purpose
from ...machine.times import DAY
from ...match import BOTS, begin
from ...render.facts import ProbeFacts
from ...store import Tx
from ..letters.post import send
from ..proof.strangers import usable_address
from ..work.letter import PlainLetter, signed
from ..work.work import Work
from .lookup import letter_facts

_A_DAY = 20  # probes
_KEPT = 20  # the most probes that are remembered
_PROBES = "probes"  # a fact: a JSON list, the newest last
_SHOWN = {"size": 4}


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
    work.note(f"probe {mark}")
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
