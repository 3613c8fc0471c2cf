"""Arguments that look ahead: plans, and moves to preview."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ..errors import BadInput, say
from ..games.base import Game
from ..games.spelling import plain, shown
from ..match.plan_grammar import LIKE, LONGEST
from ..match.plan_grammar import read as read_plan
from ..match.plans import MOST_TRIED
from .arguments import (
    Argument,
    Taken,
    is_plan_word,
    like_a_move,
    option_labels,
    show_move,
    take_move,
    take_options,
)
from .literals import read_board_at

PLAN_WORDS = frozenset(("if", "then", "than", "else", "or", "and", "any", "pass", "swap", "resign"))
_MOVES = re.compile("[a-z*@][0-9]|@|#[0-9]|(pass|swap|resign)$", re.I)
_JOINING = frozenset(("if", "then", "than", "else"))
_MARKS = ";,()"
_MARK = re.compile(r"\s*[-*\u2022\u00b7\u2023\u25aa\u25cf]+\s+")  # of a line in a list
_BROKEN_INTO = 100  # lines that a mail program has made of the longest plan, at most


class LeadingPlans(NamedTuple):
    """The plans that some lines begin with.

    plans     each plan as one text
    length    the number of lines that they take: all, if one of the plans is not clear
    is_clear  the lines below may be words for the opponent
    """

    plans: tuple[str, ...]
    length: int
    is_clear: bool = True


def read_step(words: Sequence[str]) -> str:
    """Return the words of one move of a plan, if they may be a move. Raises BadInput."""
    return " ".join(take_move(list(words), None).values["move"])


def is_plan(text: str) -> bool:
    """Return True if all of a text is a plan by its form, unlike a sentence: "If you like ..."."""
    words = text.split(None, 1)
    return bool(words) and is_plan_word(words[0]) and _has_form(text)


def _has_form(text: str) -> bool:
    """Return True if all of a text has the form of a plan, which may begin without "if"."""

    def read_form(words: Sequence[str]) -> str:
        if not all(map(like_a_move, words)):
            raise BadInput(say("That isn't a move."), "no-move")
        return read_step(words)

    try:
        return bool(read_plan(text, read_form))
    except BadInput:
        return False


def _is_nearly_plan(text: str) -> bool:
    """Return True if a text has mostly words of a plan, with moves: ``if G7 H8``, ``if G7 thn H8``."""
    words = [word for word in _words(text) if not _is_of_plan(word)]
    of_plan = [word for word in _words(text) if _is_of_plan(word)]
    moves = sum(map(_is_move, of_plan))
    return len(words) < len(of_plan) and moves > bool(words)


def _words(text: str) -> list[str]:
    parts = re.split(r"[\s,;:()]+|->|\u2192", plain(text).lower().strip(" .!"))
    return [part for part in parts if part]


def _is_of_plan(word: str) -> bool:
    return word in PLAN_WORDS or (like_a_move(word) and any(map(str.isalnum, word)))


def _is_move(word: str) -> bool:
    return bool(_MOVES.search(word)) and like_a_move(word)


def plans_at(lines: Sequence[str], begun: str = "") -> LeadingPlans:
    """Return the plans that some lines begin with; ``begun``: the one that the line above them begins.

    Empty lines between them do not count. A text that is nearly a plan counts as one, and will be
    refused. The lines after a plan that is not clear may be a part of it: the opponent must see none.
    """
    plans: list[str] = []
    at = 0
    while True:
        start = at if begun else at + _empty(lines[at:])
        begin = begun or (_MARK.sub("", lines[start]).strip() if start < len(lines) else "")
        if not begun and not _may_begin_plan(begin):
            break
        start += not begun
        text, length = _whole_plan(begin, lines[start:])
        if not _has_form(text):
            if begun or _is_nearly_plan(begin):
                return LeadingPlans((*plans, text), len(lines), is_clear=False)
            break
        plans.append(text)
        at, begun = start + length, ""
    return LeadingPlans(tuple(plans), at)


def _empty(lines: Sequence[str]) -> int:
    """Count the lines before the first that says something."""
    return next((at for at, line in enumerate(lines) if line.strip()), len(lines))


def _may_begin_plan(line: str) -> bool:
    """Return True if a plan may begin with a line, perhaps after the rest of a move."""
    if not line or is_plan_word(line.split(None, 1)[0]):
        return bool(line)
    return not _JOINING.isdisjoint(_words(line)[1:]) and _is_nearly_plan(line)


def _whole_plan(text: str, lines: Sequence[str]) -> tuple[str, int]:
    """Return a plan that goes on in the lines below it, up to an empty one; and the number of these."""
    count = 0
    for line in lines[:_BROKEN_INTO]:
        if (
            not line.strip()
            or len(text) > LONGEST
            or (_has_form(text) and not _goes_on(text, line))
        ):
            break
        text, count = f"{text} {line.strip()}", count + 1
    return text, count


def _goes_on(text: str, line: str) -> bool:
    """Return True if a line belongs to a plan that is whole without it."""
    if text.rstrip()[-1] in _MARKS or line.lstrip()[0] in _MARKS:
        return any(map(_is_move, _words(line))) or not line.strip(_MARKS + " ")
    return _is_nearly_plan(line) and not is_plan_word(line.split(None, 1)[0])


def _take_plan(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``plan``: its words, as one text; or ``none``. Raises BadInput.

    The board names the faults of a plan once the writer's identity is proved: a word may be a password.
    """
    text = " ".join(words)
    if plain(text).lower().strip(".!") == "none":
        return Taken({"plan": "none"}, ["none"], [])
    try:
        read_plan(text, read_step)
    except BadInput as error:
        if error.code != "long-plan" and not is_plan_word(words[0]):
            raise BadInput(
                say("I can't read that plan. Write it like this: {example}", example=LIKE),
                error.code,
            ) from None
    return Taken({"plan": text}, show_move(words), [])


def _take_previewed(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``board`` and ``at``, None for the board as it is; or for "new" no board, and ``options``."""
    if plain(words[0]).lower() == "new":
        taken = take_options(words[1:], game)
        new = {"board": None, "at": None, **taken.values}
        return Taken(new, ["new", *taken.shown], taken.rest)
    board, at = read_board_at(words[0])
    return Taken({"board": board, "at": at}, [shown(words[0])], words[1:])


def _previewed_labels(game: type[Game]) -> list[str]:
    return ["board#[#moveno]", f"new {option_labels(game)[0]}".strip()]


def _take_tried(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``tried``: the words of several moves. Raises BadInput."""
    bare = [word.strip("\"'`.!") for each in words for word in re.split("[,;]", plain(each))]
    bare = [word for word in bare if word]
    if len(bare) > 3 * MOST_TRIED:
        raise BadInput(
            say("A preview can have at most {most} moves.", most=MOST_TRIED),
            "too-many-moves",
        )
    if not bare or not all(map(like_a_move, bare)):
        raise BadInput(
            say(
                "Write only the moves you want to try, without a name or a password, like: F6 G7 H8"
            ),
            "no-move",
        )
    return Taken({"tried": bare}, show_move(bare), [])


def _take_with_plan(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``with_plan``: the word "plan" stands there. Raises BadInput for any other."""
    if plain(words[0]).lower().strip(".!") != "plan":
        raise BadInput(say("There's something extra on that line."), "too-much")
    return Taken({"with_plan": True}, ["plan"], words[1:])


WITH_PLAN = Argument("with_plan", "plan", _take_with_plan, optional=True)
PREVIEWED = Argument("previewed", "board#", _take_previewed, labels=_previewed_labels)
TRIED = Argument("tried", "move...", _take_tried, distinct=True)
PLAN = Argument("plan", "plan|none", _take_plan, optional=True, distinct=True)
