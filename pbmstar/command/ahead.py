"""Arguments that look ahead: plans, and moves to preview."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..errors import BadInput
from ..games.base import Game
from ..games.text import plain, shown
from ..match.plans import LIKE, LONGEST
from ..match.plans import read as read_plan
from ..match.preview import MOST as MOST_TRIED
from .arguments import (
    Argument,
    Taken,
    is_plan_word,
    like_a_move,
    show_move,
    take_move,
    take_options,
)
from .values import read_board_at

_PLAN_WORDS = frozenset(
    ("if", "then", "than", "else", "or", "and", "any", "pass", "swap", "resign")
)
_CELL = re.compile("[a-z*][0-9]", re.I)
_MARK = re.compile(r"\s*[-*\u2022\u00b7\u2023\u25aa\u25cf]+\s+")  # of a line in a list
_BROKEN_INTO = 20  # lines, that a mail program has made of a plan of the longest


def read_step(words: Sequence[str]) -> str:
    """The words of one move of a plan, if they may be one. Raises BadInput."""
    return " ".join(take_move(list(words), None).values["move"])


def is_plan(text: str) -> bool:
    """Whether all of a text is a plan by its form, so that it is no sentence: "If you like ..."."""

    def read_form(words: Sequence[str]) -> str:
        if not all(map(like_a_move, words)):
            raise BadInput("That is no move.", "no-move")
        return read_step(words)

    words = text.split(None, 1)
    try:
        return bool(words) and is_plan_word(words[0]) and bool(read_plan(text, read_form))
    except BadInput:
        return False


def _is_nearly_plan(text: str) -> bool:
    """Whether a text that is no plan has only the words of one, a cell among them: ``if G7 H8``."""
    words = re.split(r"[\s,;:()]+|->|\u2192", plain(text).lower().strip(" .!"))
    moves = [word for word in filter(None, words) if word not in _PLAN_WORDS]
    return bool(moves) and all(map(_CELL.search, moves)) and all(map(like_a_move, moves))


def plans_at(lines: Sequence[str]) -> tuple[list[str], int]:
    """The plans that some lines begin with, each whole, and how many lines they take.

    Empty lines between them do not count. What is nearly a plan is one too, and will be refused: the
    opponent is to see none.
    """
    plans, length = [], 0
    while plan := _whole_plan(lines[(start := length + _empty(lines[length:])) :]):
        plans.append(plan[0])
        length = start + plan[1]
    return plans, length


def _empty(lines: Sequence[str]) -> int:
    """How many of some lines come before the first that says something."""
    return next((at for at, line in enumerate(lines) if line.strip()), len(lines))


def _whole_plan(lines: Sequence[str]) -> tuple[str, int] | None:
    """The plan that the first of some lines is, and how many lines it takes; None if it is none.

    A mail program may have broken a long line: then it is whole with lines below it, up to an empty one.
    """
    begin = _MARK.sub("", lines[0]).strip() if lines else ""
    if not begin or not is_plan_word(begin.split(None, 1)[0]):
        return None
    text = ""
    for count, line in enumerate([begin, *lines[1:_BROKEN_INTO]], 1):
        if not line.strip() or len(text) > LONGEST:
            break
        text = f"{text} {line.strip()}".lstrip()
        if is_plan(text):
            return text, count
    return (begin, 1) if _is_nearly_plan(begin) else None


def _take_plan(words: list[str], game: type[Game] | None) -> Taken:
    """``plan``: its words, in one; or ``none``. Raises BadInput."""
    text = " ".join(words)
    if plain(text).lower().strip(".!") == "none":
        return Taken({"plan": "none"}, ["none"], [])
    try:
        read_plan(text, read_step)
    except BadInput as error:  # a word that it names may be a password in the wrong place
        raise BadInput(f"That is no plan. A plan is written like: {LIKE}.", error.code) from None
    return Taken({"plan": text}, show_move(words), [])


def _take_previewed(words: list[str], game: type[Game] | None) -> Taken:
    """``board`` and ``at``, None for the board as it is; or for "new" no board, and ``options``."""
    if plain(words[0]).lower() == "new":
        taken = take_options(words[1:], game)
        new = {"board": None, "at": None, **taken.values}
        return Taken(new, ["new", *taken.shown], taken.rest)
    board, at = read_board_at(words[0])
    return Taken({"board": board, "at": at}, [shown(words[0])], words[1:])


def _previewed_labels(game: type[Game]) -> list[str]:
    options = " ".join(f"[{option.usage()}]" for option in game.options)
    return ["board#[#moveno]", f"new {options}".strip()]


def _take_tried(words: list[str], game: type[Game] | None) -> Taken:
    """``tried``: the words of several moves. Raises BadInput."""
    bare = [word.strip("\"'`.!") for each in words for word in re.split("[,;]", plain(each))]
    bare = [word for word in bare if word]
    if not bare or not all(map(like_a_move, bare)) or len(bare) > 3 * MOST_TRIED:
        raise BadInput("Moves to preview stand one behind the other, like: F6 G7 H8", "no-move")
    return Taken({"tried": bare}, show_move(bare), [])


def _take_with_plan(words: list[str], game: type[Game] | None) -> Taken:
    """``with_plan``: the word "plan" stands there. Raises BadInput for any other."""
    if plain(words[0]).lower().strip(".!") != "plan":
        raise BadInput("There is too much on the line.", "too-much")
    return Taken({"with_plan": True}, ["plan"], words[1:])


WITH_PLAN = Argument("with_plan", "plan", _take_with_plan, optional=True)
PREVIEWED = Argument("previewed", "board#", _take_previewed, labels=_previewed_labels)
TRIED = Argument("tried", "move...", _take_tried, distinct=True)
PLAN = Argument("plan", "plan|none", _take_plan, optional=True, distinct=True)
