"""Reviews in words and pictures, and what bots add to other letters and to help pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ...games.spelling import plural
from ...match import Match
from ...render.picture import attached
from . import rules


class ReviewTexts(NamedTuple):
    """A review in words.

    course  the course of the game, as running text
    lead    the expected lead in points, as running text; empty if the game has none
    before  the move before which the shown board stood; empty if no single move cost much
    """

    course: str
    lead: str
    before: str


def _texts(facts: Mapping[str, Any]) -> ReviewTexts:
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
        sentences.append(_turned(moves, players, first, has_turned=first is turn))
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
    first: Mapping[str, Any] | None = next(filter(None, (found["turn"], *found["dear"])), None)
    return first


def _turned(
    moves: Sequence[str], players: Mapping[str, str], turn: Mapping[str, Any], *, has_turned: bool
) -> str:
    """Tell of the move that the game turned at, or else of the costliest one."""
    number, cost = turn["number"], _of_100(turn)
    move = moves[number - 1]
    did = "it" if move in ("swap", "pass") else move
    # After a swap the player of the first stone plays the other colour.
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


def fill(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the findings of a review in words, for its letter."""
    return {"review": _texts(facts)} if facts.get("found") else {}


def asks(match: Match, facts: Mapping[str, Any]) -> Sequence[str]:
    """Return the word that asks for a review, if this server makes one of the game."""
    return ("review",) if facts.get("reviews") and rules.reviewed(match) else ()


def _curve(facts: Mapping[str, Any]) -> dict[str, attached.Drawn | None]:
    """Draw the curve of a review."""
    found = facts["found"]
    if not found:
        return {}
    dear = [each["number"] for each in (found["turn"], *found["dear"]) if each]
    return {"curve": attached.of_chances(found["chances"], dear)}


PICTURES = {"review": _curve}
HELP = {"has_bots": rules.plays}
