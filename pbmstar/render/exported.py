"""A board's record for programs: as text that ``pbmstar analyse`` reads, and as the values of its JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from ..match import Match


@lru_cache(64)  # the players of a board get their letters one after the other
def when(at: float) -> str:
    """A time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def facts(match: Match) -> dict[str, Any]:
    """What anybody may know of a board, as the JSON object that is promised."""
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
        "terms": match.terms._asdict(),
        "to_move": match.to_move or None,
        "over": match.position.over,
        "result": match.result or None,
    }


def text(match: Match) -> str:
    """One board as text: facts, then the moves as ``pbmstar analyse`` takes them, and the drawing."""
    words = [match.game.word, match.game.described(), _played(match)]
    lines = [
        f"Board {match.number}: {match.game.title}, {' against '.join(match.seats)}",
        f"Begun {when(match.made)}; {_state(match)}",
        "pbmstar analyse " + " ".join(_quoted(word) for word in " ".join(words).split()),
    ]
    for entry in match.record:
        number = "-" if entry.number is None else str(entry.number)
        lines.append(f"{number:>5} {when(entry.at)} {entry.userid:<16} {entry.move}")
    return "\n".join(lines) + "\n" + match.game.draw(match.position.stones)


def _played(match: Match) -> str:
    """The moves in one line, as ``analyse`` reads them, without an end that the board does not show."""
    record = (e.move for e in match.record if e.number is not None or e.move == "swap")
    return " ".join(move.replace(" ", ",") for move in record)


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
