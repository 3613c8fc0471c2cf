"""What has become of plans and notes. ``Happening.userid`` is whose they are; its text is

| ``answered``        | the move that the plan has made                       |
| ``planned``         | the plan, an alternative a line; may be empty         |
| ``passing``         | ; it may answer a pass with a pass                    |
| ``unplanned``       | ; it is dropped                                       |
| ``misplanned``      | why it is refused                                     |
| ``unanswered``      | the move that it does not answer                      |
| ``unplayable``      | its answer, and why that cannot be played             |
| ``set_aside``       | what the opponent asks: ``undo``, ``draw``            |
| ``noted``           | the most notes of a board, if one is gone by that     |
| ``unnoted``         | ; all notes are gone                                  |
"""

from __future__ import annotations

from collections.abc import Callable

from ..match import RESIGN, Happening, Match
from . import choices
from .turns import exchanged, second_pass


def answered(match: Match, happening: Happening, before: Happening | None, reader: str) -> str:
    """What a plan has played; its player is told what it answers."""
    how = {"pass": "with a pass", "swap": "with a swap", RESIGN: "that you resign"}
    move = happening.text
    if happening.userid != reader:
        if move == RESIGN:
            return f"{happening.userid} resigns at once."
        return f"{happening.userid} answers {how.get(move, move)} at once." + _meaning(match, move)
    played = ""
    if before and before.kind in ("moved", "passed"):
        plays = "passes" if before.kind == "passed" else f"plays {before.text}"
        played = f"{before.userid} {plays}. "
    return f"{played}Your plan answers {how.get(move, move)}." + _meaning(match, move)


def _meaning(match: Match, move: str) -> str:
    """What a planned pass or swap has led to."""
    if move == "swap":
        return f" {exchanged(match)}"
    if move == "pass" and match.position.over:
        return " The game is over."
    return f" {second_pass(match)}" if move == "pass" and match.record[-1].move == "pass" else ""


def _planned(match: Match, happening: Happening) -> tuple[str, ...]:
    opponent = match.opponent(happening.userid)
    if not happening.text:
        return ("You have no plan on this board.", *_how(match, opponent))
    return (
        f"This is your plan. It is carried out as soon as {opponent} moves, and {opponent} is not "
        "told of it before. To drop it: plan none",
        *(f"  {line}" for line in happening.text.split("\n")),
    )


def _how(match: Match, opponent: str) -> tuple[str, ...]:
    """How a plan for the opponent's move is written, with moves that could be made."""
    if match.to_move != opponent:
        return ()
    move = choices.example(match)
    after = match.position.play(move)
    if after.over:
        return ()
    return (
        f"To have one reply with what you will answer, like: if {move} then {next(after.moves())}. More "
        "about it: help plans",
    )


def _passing(match: Match, happening: Happening) -> tuple[str, ...]:
    opponent = match.opponent(happening.userid)
    return (f"If {opponent} passes and your plan passes too, the game is over.",)


def _set_aside(match: Match, happening: Happening) -> tuple[str, ...]:
    opponent = match.opponent(happening.userid)
    return (
        f"{opponent} asks you something ({happening.text}), so your plan was not carried out. It is "
        "dropped.",
    )


NOTICES: dict[str, Callable[[Match, Happening], tuple[str, ...]]] = {
    "planned": _planned,
    "passing": _passing,
    "unplanned": lambda _, __: ("Your plan is dropped.",),
    "misplanned": lambda _, happening: (f"Your move is played. {happening.text}",),
    "unanswered": lambda _, happening: (
        f"Your plan had no answer to {happening.text}. It is dropped.",
    ),
    "unplayable": lambda _, happening: (
        f"Your plan's answer was not played. {happening.text} The plan is dropped.",
    ),
    "set_aside": _set_aside,
    "noted": lambda _, happening: (
        f"Your note is kept. {happening.text} are kept, so the oldest one is gone."
        if happening.text
        else "Your note is kept.",
    ),
    "unnoted": lambda _, __: ("You have no notes on this board any more.",),
}
