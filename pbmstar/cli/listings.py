"""What listings and exports show of boards, accounts and letters, for people and programs."""

from __future__ import annotations

import email
import email.policy
import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ..match import Match
from ..match.plans import write
from ..store import Board, User, Waiting

if TYPE_CHECKING:
    from ..render import Renderer

_HEADS = ("From", "To", "Reply-To", "Subject", "Message-ID")
_TOKEN = re.compile(r"\b[a-z2-7]{32}\b")  # a one-time token
_DETAIL = re.compile(r"\+[a-z0-9_-]{20,64}@")  # of a reply address


def when(at: float) -> str:
    """A time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


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


def board_facts(match: Match) -> dict[str, Any]:
    """One board as the JSON object that is promised."""
    return {
        "board": match.number,
        "game": match.game.word,
        "options": _options(match),
        "players": match.players,
        "seats": match.seats,
        "moves": [
            {"number": e.number, "userid": e.userid, "move": e.move, "at": when(e.at)}
            for e in match.record
        ],
        "requests": [
            {"kind": r.kind, "userid": r.userid, "data": r.data} for r in (match.request,) if r
        ],
        "to_move": match.to_move or None,
        "over": match.position.over,
        "result": match.result or None,
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


def export(match: Match) -> str:
    """One board as text: facts, then the moves as ``pbmstar analyse`` takes them, and the drawing."""
    words = [match.game.word, match.game.described(), played_text(match)]
    lines = [
        f"Board {match.number}: {match.game.title}, {' against '.join(match.seats)}",
        f"Begun {when(match.made)}; {_state(match)}",
        "pbmstar analyse " + " ".join(_quoted(word) for word in " ".join(words).split()),
    ]
    for entry in match.record:
        number = "-" if entry.number is None else str(entry.number)
        lines.append(f"{number:>5} {when(entry.at)} {entry.userid:<16} {entry.move}")
    return "\n".join(lines) + "\n" + match.game.draw(match.position.stones)


def played_text(match: Match) -> str:
    """The moves in one line, as ``analyse`` reads them, without an end that the board does not show."""
    record = (e.move for e in match.record if e.number is not None or e.move == "swap")
    return " ".join(move.replace(" ", ",") for move in record)


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


def _quoted(word: str) -> str:
    return f"'{word}'" if "*" in word else word


def _state(match: Match) -> str:
    return f"over, result {match.result}" if match.position.over else f"{match.to_move} is to move"


def _options(match: Match) -> dict[str, Any]:
    return {
        option.name: match.game.value(option.name)
        if option.range
        else bool(match.game.value(option.name))
        for option in match.game.options
    }
