"""What listings and exports show of boards, accounts and letters, for people and programs."""

from __future__ import annotations

import email
import email.policy
import json
import re
from math import inf
from typing import TYPE_CHECKING, Any

from ..match import Match
from ..match.plans import write
from ..render import exported
from ..render.clocks import Shown
from ..render.exported import when
from ..store import Board, Outage, User, Waiting

if TYPE_CHECKING:
    from ..render import Renderer

_HEADS = ("From", "To", "Reply-To", "Subject", "Message-ID")
_TOKEN = re.compile(r"\b[a-z2-7]{32}\b")  # a one-time token
_DETAIL = re.compile(r"\+[a-z0-9_-]{20,64}@")  # of a reply address


def times(facts: dict[str, Any]) -> dict[str, Any]:
    """Facts with their times as text."""
    names = ("at", "since", "last_seen", "locked_until", "made", "sent", "due")
    return {
        name: when(value)
        if name in names and value is not None
        else [times(each) if isinstance(each, dict) else each for each in value]
        if isinstance(value, list)
        else value
        for name, value in facts.items()
    }


def board_facts(match: Match, clock: Shown | None) -> dict[str, Any]:
    """One board as the JSON object that is promised; ``clock``: its players' time, if it is limited."""
    deadline = clock and clock.deadline
    return {
        **exported.facts(match),
        "requests": [
            {"kind": r.kind, "userid": r.userid, "data": r.data} for r in (match.request,) if r
        ],
        "clock": dict(clock.left) if clock else None,
        "deadline": when(deadline) if deadline else None,
    }


def plans(match: Match) -> dict[str, str]:
    """What players plan, by userid."""
    return {userid: write(plan) for userid, plan in match.plans}


def board_line(row: Board) -> dict[str, Any]:
    """One board in a listing."""
    first, *others = row.seats
    return {
        "board": row.board,
        "game": row.game,
        "options": json.loads(row.options),
        "first": first,
        "second": others[0] if others else None,
        "to_move": row.to_move or None,
        "over": not row.to_move,
        "result": row.result or None,
        "since": when(row.since),
    }


def outage_line(outage: Outage) -> dict[str, Any]:
    """One outage in a listing; without an end while it lasts."""
    return {
        "id": outage.id,
        "begin": when(outage.begin),
        "until": None if outage.until == inf else when(outage.until),
        "why": outage.why,
    }


def user_line(user: User) -> dict[str, Any]:
    """One account in a listing."""
    return {
        "userid": user.userid,
        "address": user.address,
        "state": user.state,
        "since": when(user.made),
    }


def letter_line(letter: Waiting) -> dict[str, Any]:
    """One letter in a listing."""
    return {
        "letter": letter.id,
        "state": letter.state,
        "userid": letter.userid,
        "message_id": letter.message_id,
        "tries": letter.tries,
        "due": when(letter.due),
        "made": when(letter.made),
        "trouble": letter.trouble,
    }


def letter_text(renderer: Renderer, content: bytes) -> str:
    """What a letter says, as the mail that it is sent as; what speaks for its reader is masked."""
    from ..render import Recipe

    mail = renderer.write(Recipe.from_bytes(content)) if content.startswith(b"{") else content
    part = email.message_from_bytes(mail, policy=email.policy.default)
    body = part.get_body(("plain",))
    text = body.get_content() if body else "[no plain text]"
    heads = [f"{name}: {part[name]}" for name in _HEADS if part[name]]
    whole = "\n".join([*heads, "", text.rstrip("\n")])
    return _DETAIL.sub("+TOKEN@", _TOKEN.sub("TOKEN", whole))


def audit_line(number: int, at: float, actor: str, act: str) -> dict[str, Any]:
    """One act in a listing."""
    return {"id": number, "at": when(at), "actor": actor, "act": act}
