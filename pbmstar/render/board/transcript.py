"""A board's record for programs: as text that ``pbmstar analyse`` reads, as JSON values, and as SGF."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ...errors import Sentence, literal, say
from ...games import sgf
from ...machine.times import when
from ...match import (
    AGREE,
    FORFEIT,
    JUDGED,
    RESIGN,
    UNFINISHED,
    Entry,
    Match,
    is_move,
    spelled_result,
)  # fmt: skip

_T = TypeVar("_T")
_MARKS = "_.-~=+*#@"  # from no chance to certain
_LINE = 40  # marks of a line: as many as a phone shows
_GIVEN_UP = (RESIGN, FORFEIT)
_RESULTS = {"tie": "0", "void": "Void"}
AT_THE_END = {
    JUDGED: say("We decided the result of this game when its season or cup ended."),
    UNFINISHED: say(
        "The game wasn't finished in time, so it counts as the worst result that "
        "was still possible."
    ),
}


def facts(match: Match) -> dict[str, Any]:
    """Return all public facts of a board, as the JSON object that is promised."""
    return {
        "board": match.number,
        "game": match.game.word,
        "options": _options(match),
        "players": match.players,
        "seats": match.seats,
        "moves": [
            {"number": e.number, "userid": e.userid, "move": e.move, "at": when(e.at)}
            for e in match.whole
        ],
        "terms": match.terms._asdict(),
        "to_move": match.to_move or None,
        "over": match.position.over,
        "result": spelled_result(match.result, match.winner) or None,
    }


def text(match: Match) -> str:
    """Return a board as text: facts, then the moves as ``pbmstar analyse`` takes them, and the drawing."""
    words = [match.game.word, match.game.described(), _played(match)]
    lines = [
        f"Board {match.number}: {match.game.title}, {' against '.join(match.seats)}",
        f"Begun {when(match.made)}; {_state(match)}",
        "pbmstar analyse " + " ".join(_quoted(word) for word in " ".join(words).split()),
    ]
    for entry in match.whole:
        number = "-" if entry.number is None else str(entry.number)
        lines.append(f"{number:>5} {when(entry.at)} {entry.userid:<16} {entry.move}")
    return "\n".join(lines) + "\n" + match.game.draw(match.position.stones)


def as_sgf(match: Match) -> str:
    """Return a board as SGF; empty if its game has none. Times and words are not in it."""
    if not sgf.has(match.game):
        return ""
    moves = tuple(
        e.move for e in match.whole if is_move(e.number, e.move) and e.move not in _GIVEN_UP
    )
    first, second = match.seats
    record = sgf.Record(match.game, moves, (first, second), date=when(match.made)[:10])
    if match.whole and match.whole[-1].move in _GIVEN_UP:
        _, userid, ending, *_ = match.whole[-1]
        record = replace(record, ending=ending, loser=match.seats.index(userid))
    elif match.position.over:
        wins = {first: "B+", second: "W+"}
        record = replace(record, result=wins.get(match.winner, _RESULTS.get(match.result, "")))
    return sgf.write(record)


def _played(match: Match) -> str:
    """Return the moves as ``analyse`` reads them, without an end that the board does not show."""
    record = (e.move for e in match.whole if e.number is not None or e.move == "swap")
    return " ".join(move.replace(" ", ",") for move in record)


def _quoted(word: str) -> str:
    return f"'{word}'" if "*" in word else word


def _state(match: Match) -> str:
    if not match.position.over:
        return f"{match.to_move} is to move"
    return f"over, result {spelled_result(match.result, match.winner)}"


def _options(match: Match) -> dict[str, Any]:
    return {
        option.name: match.game.value(option.name)
        if option.range
        else bool(match.game.value(option.name))
        for option in match.game.options
    }


# -- in words


_BY_OTHERS = {
    AGREE: say("{userid} accepted {offer}."),
    "pass": say("{userid} passed."),
    "swap": say("{userid} swapped."),
    "resign": say("{userid} resigned."),
    "forfeit": say("{userid} lost on time."),
    "cancel": say("{userid} ended the game."),
    "claim": say("{userid} claimed the win."),
    "": say("{userid} played {move}."),
}
_BY_READER = {
    AGREE: say("You accepted {offer}."),
    "pass": say("You passed."),
    "swap": say("You swapped."),
    "resign": say("You resigned."),
    "forfeit": say("You lost on time."),
    "cancel": say("You ended the game."),
    "claim": say("You claimed the win."),
    "": say("You played {move}."),
}


def played_by(entry: Entry, reader: str = "") -> Sentence:
    """Return a move as a sentence, for that reader."""
    if entry.move in AT_THE_END:
        return AT_THE_END[entry.move]
    sentences = _BY_READER if entry.userid == reader else _BY_OTHERS
    if entry.move.startswith(AGREE):
        return sentences[AGREE].given(userid=entry.userid, offer=offer(entry.agreed))
    return sentences.get(entry.move, sentences[""]).given(userid=entry.userid, move=entry.move)


def offer(points: tuple[int, int] | None) -> Sentence:
    """Return an agreed or proposed end: a score, or a draw."""
    return say("a draw") if points is None else literal(f"{points[0]}-{points[1]}")


# -- a course of numbers as one line


def sparkline(chances: Sequence[float]) -> list[str]:
    """Return a mark for each chance, in lines."""
    marks = spark(chances)
    return [marks[at : at + _LINE] for at in range(0, len(marks), _LINE)]


def spark(heights: Iterable[float], marks: str = _MARKS) -> str:
    """Return a mark for each height, which is 0 to 1; ``marks``: from the lowest to the highest."""
    return "".join(marks[min(len(marks) - 1, int(each * len(marks)))] for each in heights)


def thinned(values: Sequence[_T], count: int) -> list[_T]:
    """Return at most ``count`` of some values: the last one of each part of them."""
    parts = min(count, len(values))
    return [values[(at + 1) * len(values) // parts - 1] for at in range(parts)]
