"""A board's record for programs: as text that ``pbmstar analyse`` reads, and as the values of its JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

from ...games.spelling import plural
from ...match import AGREE, JUDGED, Entry, Match, spelled_result

_T = TypeVar("_T")
_MARKS = "_.-~=+*#@"  # from no chance to certain
_LINE = 40  # marks of a line: as many as a phone shows


def when(at: float) -> str:
    """Return a time as ISO 8601 in UTC, to the second."""
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


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
            for e in match.record
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
    for entry in match.record:
        number = "-" if entry.number is None else str(entry.number)
        lines.append(f"{number:>5} {when(entry.at)} {entry.userid:<16} {entry.move}")
    return "\n".join(lines) + "\n" + match.game.draw(match.position.stones)


def _played(match: Match) -> str:
    """Return the moves as ``analyse`` reads them, without an end that the board does not show."""
    record = (e.move for e in match.record if e.number is not None or e.move == "swap")
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


def played_by(entry: Entry, reader: str = "") -> str:
    """Return a move as a sentence, for that reader."""
    who = "You" if entry.userid == reader else entry.userid
    if entry.move.startswith(AGREE):
        return f"{who} accepted {offer(entry.agreed)}."
    if entry.move == JUDGED:
        return "Judged at the end of the season."
    words = {
        "pass": "passed", "swap": "swapped", "resign": "resigned", "forfeit": "forfeited",
        "cancel": "ended the game", "claim": "claimed the end",
    }  # fmt: skip
    return f"{who} {words.get(entry.move, f'played {entry.move}')}."


def offer(points: tuple[int, int] | None) -> str:
    """Return an agreed or proposed end: a score, or a draw."""
    return "a draw" if points is None else f"{points[0]}-{points[1]}"


# -- a review


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


class ReviewTexts(NamedTuple):
    """A review in words.

    course  the course of the game, as running text
    lead    the expected lead in points, as running text; empty if the game has none
    before  the move before which the shown board stood; empty if no single move cost much
    """

    course: str
    lead: str
    before: str


def review(facts: Mapping[str, Any]) -> ReviewTexts:
    """Return the findings of a review in words; ``facts`` are those of its letter."""
    found, moves, players = facts["found"], facts["moves"], facts["players"]
    turn, leads, proved = found["turn"], found["leads"], found["proved"]
    winner = facts["result"] if facts["result"] in players.values() else ""
    ended = f"{winner} won" if winner else "The game ended without a winner"
    sentences = [f"{ended} after {plural(_counted(moves), 'move')}."]
    first = costliest(found)
    if first is None:
        sentences.append("There was no turning point: no single move cost much.")
    else:
        sentences.append(_turned(moves, players, first, bool(turn)))
    for each in found["dear"]:
        if each is first:
            continue
        move = moves[each["number"] - 1]
        name = "" if move == "swap" else f", {move},"
        better = f"; better was {each['better']}" if each["better"] else ""
        place = _place(moves, each["number"]).capitalize()
        sentences.append(f"{place}{name} cost {_of_100(each)} %{better}.")
    if leads is not None:
        since = f"From {_place(moves, leads)} on" if leads else "From the beginning"
        sentences.append(f"{since} the winner was always ahead.")
    if proved is not None and proved < len(moves):
        place = _place(moves, proved) if proved else "move 0"
        sentences.append(f"After {place} the result was certain (proved, not estimated).")
    before = _place(moves, first["number"]) if first else ""
    return ReviewTexts(" ".join(sentences), _lead(players["X"], found["margins"]), before)


def costliest(found: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the move that a review tells of first: the turn, else the costliest; None if none cost much."""
    first: Mapping[str, Any] | None = next(
        iter([*filter(None, [found["turn"]]), *found["dear"]]), None
    )
    return first


def _turned(
    moves: Sequence[str], players: Mapping[str, str], turn: Mapping[str, Any], has_turned: bool
) -> str:
    """Tell of the move that the game turned at, or else of the costliest one."""
    number, cost = turn["number"], _of_100(turn)
    move = moves[number - 1]
    did = "it" if move in ("swap", "pass") else move
    # After a swap whoever put the first stone plays the other colour.
    mover = players["XO"[(number - 1 + ("swap" in moves[: number - 1])) % 2]]
    what = "The turning point" if has_turned else "No single move changed who led; the costliest"
    text = f"{what} was {_place(moves, number)}: {did} lowered {mover}'s chances by {cost} %."
    if not turn["better"]:
        return text
    then = turn["line"][len(turn["better"].split()) :]
    perhaps = f"; play might have gone on {', '.join(then)}" if then else ""
    return f"{text} {turn['better']} was better{perhaps}."


def _lead(player: str, margins: Sequence[float | None]) -> str:
    if all(margin is None for margin in margins):
        return ""
    every = ["." if margin is None else f"{margin:+.0f}" for margin in margins[::5]]
    return f"{player}'s expected lead in points, every five moves: {' '.join(every)}"


def _of_100(found: Mapping[str, Any]) -> int:
    return round(100 * float(found["cost"]))


def _place(moves: Sequence[str], place: int) -> str:
    """Name a place in the record: a swap has one, and no number."""
    if moves[place - 1] == "swap":
        return "the swap"
    return f"move {_counted(moves[:place])}"


def _counted(moves: Sequence[str]) -> int:
    return sum(move != "swap" for move in moves)
