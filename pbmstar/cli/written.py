"""A letter or a board as an operator reads it, which needs what writes letters."""

from __future__ import annotations

import email
import email.policy
import re
from typing import Any

from ..machine.times import when
from ..match import Match
from ..match.plan_grammar import write
from ..render import Recipe, Renderer
from ..render.board import transcript
from ..render.board.clock_face import ClockFace

_HEADS = ("From", "To", "Reply-To", "Subject", "Message-ID")
_TOKEN = re.compile(r"\b[a-z2-7]{32}\b")  # a one-time token
_DETAIL = re.compile(r"\+[a-z0-9_-]{20,64}@")  # of a reply address


def board_facts(match: Match, clock: ClockFace | None) -> dict[str, Any]:
    """Return a board as its documented JSON object; ``clock``: the players' time, if it is limited."""
    deadline = clock and clock.deadline
    return {
        **transcript.facts(match),
        "requests": [
            {"kind": r.kind, "userid": r.userid, "data": r.data} for r in (match.request,) if r
        ],
        "clock": dict(clock.left) if clock else None,
        "deadline": when(deadline) if deadline else None,
    }


def plans(match: Match) -> dict[str, str]:
    """Return the players' plans by userid."""
    return {userid: write(plan) for userid, plan in match.plans}


def letter_text(renderer: Renderer, content: bytes) -> str:
    """Return the text of a letter as mailed, with the tokens that act for its reader masked."""
    mail = renderer.write(Recipe.from_bytes(content)) if content.startswith(b"{") else content
    part = email.message_from_bytes(mail, policy=email.policy.default)
    body = part.get_body(("plain",))
    text = body.get_content() if body else "[no plain text]"
    heads = [f"{name}: {part[name]}" for name in _HEADS if part[name]]
    whole = "\n".join([*heads, "", text.rstrip("\n")])
    return _DETAIL.sub("+TOKEN@", _TOKEN.sub("TOKEN", whole))
