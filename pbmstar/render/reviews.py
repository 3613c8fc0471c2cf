"""Reviews in words and pictures, and what bots add to other letters and to help pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..bots import rules
from ..errors import NOTHING, Sentence, say, say_many, together
from ..match import Match
from .picture import attached


class ReviewTexts(NamedTuple):
    """A review in words.

    course  the course of the game, as running text
    lead    the expected lead in points, as running text; empty if the game has none
    before  the move before which the shown board stood; empty if no single move cost much
    """

    course: Sentence
    lead: Sentence
    before: Sentence


def _texts(facts: Mapping[str, Any]) -> ReviewTexts:
    """Return the findings of a review in words; ``facts`` are its letter's."""
    found, moves, players = facts["found"], facts["moves"], facts["players"]
    turn, leads, proved = found["turn"], found["leads"], found["proved"]
    if facts["result"] in players.values():
        ended = say_many(
            "{winner} won after {count} move.",
            "{winner} won after {count} moves.",
            _counted(moves),
            winner=facts["result"],
        )
    else:
        ended = say_many(
            "The game ended after {count} move, and nobody won.",
            "The game ended after {count} moves, and nobody won.",
            _counted(moves),
        )
    sentences = [ended]
    first = costliest(found)
    if first is None:
        sentences.append(say("There was no turning point: no single move was a big mistake."))
    else:
        sentences += _turned(moves, players, first, has_turned=first is turn)
    sentences += [_dear(moves, players, each) for each in found["dear"] if each is not first]
    if leads:
        place = _place(moves, leads)
        sentences.append(say("After {move}, the winner stayed ahead.", move=place))
    elif leads is not None:
        sentences.append(say("The winner was ahead from start to finish."))
    if proved is not None and proved < len(moves):
        place = _place(moves, proved) if proved else say("move {number}", number=0)
        certain = say(
            "After {move}, the result was certain (that's proven, not an estimate).", move=place
        )
        sentences.append(certain)
    before = _place(moves, first["number"]) if first else NOTHING
    return ReviewTexts(together(*sentences), _lead(players["X"], found["margins"]), before)


def costliest(found: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return the move that a review tells of first: the turn, else the costliest; None if none cost much."""
    first: Mapping[str, Any] | None = next(filter(None, (found["turn"], *found["dear"])), None)
    return first


# By whether the game turned at that move, and whether it was a stone on a cell.
_LOWERED = {
    (True, True): say(
        "The turning point was {place}: {move} lowered {userid}'s winning chances by {cost}%."
    ),
    (True, False): say(
        "The turning point was {place}: it lowered {userid}'s winning chances by {cost}%."
    ),
    (False, True): say(
        "No single move decided the game. The biggest mistake was {place}: "
        "{move} lowered {userid}'s winning chances by {cost}%."
    ),
    (False, False): say(
        "No single move decided the game. The biggest mistake was {place}: it "
        "lowered {userid}'s winning chances by {cost}%."
    ),
}


def _turned(
    moves: Sequence[str], players: Mapping[str, str], turn: Mapping[str, Any], *, has_turned: bool
) -> list[Sentence]:
    """Tell of the move that the game turned at, or else of the costliest one."""
    number, cost = turn["number"], _of_100(turn)
    move = moves[number - 1]
    mover = _mover(moves, players, number)
    form = _LOWERED[has_turned, move not in ("swap", "pass")]
    text = form.given(place=_place(moves, number), move=move, userid=mover, cost=cost)
    better = turn["better"]
    if not better:
        return [text]
    then = turn["line"][len(better.split()) :]
    if not then:
        return [text, say("{better} was better.", better=better)]
    line = ", ".join(then)
    perhaps = say(
        "{better} was better. The game might then have continued with {line}.",
        better=better,
        line=line,
    )
    return [text, perhaps]


def _mover(moves: Sequence[str], players: Mapping[str, str], number: int) -> str:
    """Return the player of a move. After a swap the player of the first stone plays the other colour."""
    return players["XO"[(number - 1 + ("swap" in moves[: number - 1])) % 2]]


def _dear(moves: Sequence[str], players: Mapping[str, str], found: Mapping[str, Any]) -> Sentence:
    """Tell of another move that cost much."""
    move, better = moves[found["number"] - 1], found["better"]
    if move == "swap":
        form = say("The swap lowered {userid}'s winning chances by {cost}%.")
        if better:
            form = say(
                "The swap lowered {userid}'s winning chances by {cost}%. {better} was better."
            )
    else:
        form = say("Move {number}, {move}, lowered {userid}'s winning chances by {cost}%.")
        if better:
            form = say(
                "Move {number}, {move}, lowered {userid}'s winning chances by {cost}%. "
                "{better} was better."
            )
    number = _counted(moves[: found["number"]])
    mover = _mover(moves, players, found["number"])
    return form.given(number=number, move=move, userid=mover, cost=_of_100(found), better=better)


def _lead(player: str, margins: Sequence[float | None]) -> Sentence:
    if all(margin is None for margin in margins):
        return NOTHING
    every = ["." if margin is None else f"{margin:+.0f}" for margin in margins[::5]]
    return say(
        "{userid}'s expected lead in points, every five moves: {leads}",
        userid=player,
        leads=" ".join(every),
    )


def _of_100(found: Mapping[str, Any]) -> int:
    return round(100 * float(found["cost"]))


def _place(moves: Sequence[str], place: int) -> Sentence:
    """Name a place in the record: a swap has one, and no number."""
    if moves[place - 1] == "swap":
        return say("the swap")
    return say("move {number}", number=_counted(moves[:place]))


def _counted(moves: Sequence[str]) -> int:
    return sum(move != "swap" for move in moves)


def fill(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the findings of a review in words, for its letter."""
    return {"review": _texts(facts)._asdict()} if facts.get("found") else {}


def asks(match: Match, facts: Mapping[str, Any]) -> Sequence[str]:
    """Return the word that asks for a review, if this server makes one of the game."""
    return ("review",) if facts.get("reviews") and rules.reviewed(match) else ()


def curve(facts: Mapping[str, Any]) -> dict[str, attached.Drawn | None]:
    """Draw the curve of a review."""
    found = facts["found"]
    if not found:
        return {}
    dear = [each["number"] for each in (found["turn"], *found["dear"]) if each]
    return {"curve": attached.of_chances(found["chances"], dear)}
