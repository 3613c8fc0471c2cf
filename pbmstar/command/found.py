"""Find the meaning of a line of talk: one cell, or one word of the game. This plays nothing.

"I play C12" names one cell that could be played now, and "undo please" one word. Such a line is
answered with an offer. For two cells, a cell that is taken, or a doubt, as in "should I resign?", there
is no offer. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ..errors import Refusal
from ..games.base import Game
from ..games.spelling import is_one_slip, plain
from ..match import RESIGN, UNDO, Act, Event, Match, act
from .arguments import is_plan_word, may_be_secret
from .parse import PLAIN_MOVES, bare, words_of
from .recognition import beginning_of_command
from .table import reply_verbs

_WORDS = frozenset((*PLAIN_MOVES, RESIGN, UNDO))
_LONGEST = 15  # words of a line that is looked at
# A letter and a number; phones set a blank between them, and some people a dash.
_CELL = re.compile(r"(?<![\w*@#-])([A-Z*@])[ -]?([0-9]{1,3})(?![\w#-])", re.I)
_LONE = re.compile(r"(?<!\w)[ai] (?=[0-9])", re.I)  # "I 7" and "a 7" are seldom cells
_DOUBTS = frozenset((  # they ask, deny, or tell of other moves
    "after", "against", "ago", "before", "board", "but", "cannot", "could", "either", "else", "except", "how",
    "if", "instead", "last", "maybe", "might", "never", "nicht", "no", "nor", "not", "once", "or",
    "perhaps", "previous", "should", "since", "than", "think", "until", "was", "were", "what", "when",
    "where", "who", "why", "would", "you", "your", "yours",
))  # fmt: skip
_PRIVATE = ("plan", "queue", "note", "notes", "preview", "try", "move")


def offered(line: str, match: Match, userid: str, events: Sequence[Event] = ()) -> str:
    """Return the one move or word that a line of talk names and that a player could do now; else empty.

    A line that is that word or move alone was refused for a reason. ``events`` are those of the match.
    """
    words = [bare(word) for word in words_of(plain(line))]
    if not words or len(words) > _LONGEST or _is_doubtful(line, words, type(match.game)):
        return ""
    if beginning_of_command(line):
        return ""  # it has a board, a userid and a password of its own
    meanings = {*_cells(line, match.game), *(word for word in words if word in _WORDS)}
    if not meanings and len(words) == 1:
        meanings = {word for word in _WORDS if is_one_slip(words[0], word)}
    if len(meanings) != 1:
        return ""
    (meant,) = meanings
    if words == [meant.lower()]:
        return ""
    act = wanted(userid, meant)._replace(events=tuple(events))
    return meant if _is_possible(match, act) else ""


def candidates(match: Match, userid: str) -> Iterable[str]:
    """Return all moves and words that could have been offered to a player on a board."""
    return (*_WORDS, *(match.game.grid.names if match.to_move == userid else ()))


def wanted(userid: str, meant: str) -> Act:
    """Return the act of a player that a move or a word stands for."""
    return Act(userid, meant) if meant in (RESIGN, UNDO) else Act(userid, "move", meant)


def slip_of(line: str, game: type[Game]) -> str:
    """Return the reply word that a line is one letter from; empty if it is no such slip."""
    words = [bare(word).strip("?;\"'()") for word in words_of(plain(line))]
    known = reply_verbs(game)
    if not words or words[0] in (*known, "move"):
        return ""
    return next((name for name in known if is_one_slip(words[0], name)), "")


def is_small_talk(lines: Sequence[str], game: type[Game]) -> bool:
    """Return True if lines are words for the opponent: none of them may be a plan, a move or a reply word.

    A plan or a password that is written wrongly must not be passed on to the opponent.
    """
    spoken = [line for line in map(plain, lines) if line.strip()]
    first = [words_of(line)[:1] for line in spoken]
    if not spoken or any(_CELL.search(line) or beginning_of_command(line) for line in spoken):
        return False
    if any(map(may_be_secret, " ".join(spoken).split())):
        return False
    if any(is_plan_word(bare(word)) or bare(word) in _PRIVATE for words in first for word in words):
        return False
    opening = [bare(word) for word in words_of(spoken[0])]
    if not opening or opening[0] in reply_verbs(game) or slip_of(spoken[0], game):
        return False
    return _is_doubtful(spoken[0], opening, game) or _WORDS.isdisjoint(opening)


def _is_doubtful(line: str, words: Sequence[str], game: type[Game]) -> bool:
    first = words[0]
    is_other = first in reply_verbs(game) and first not in _WORDS
    return (
        is_other
        or "?" in line
        or "#" in line
        or not _DOUBTS.isdisjoint(words)
        or any(word.endswith(("n't", "nt")) for word in words if len(word) > 3)
    )


def _cells(line: str, game: Game) -> set[str]:
    """Return the cells of the board that a line names; the name of any other cell stays as it is typed."""
    cells = set()
    for letter, number in _CELL.findall(_LONE.sub("- ", plain(line))):
        try:
            cells.add(game.read([f"{letter}{number}"]))
        except Refusal:
            cells.add(f"{letter}{number}")
    return cells


def _is_possible(match: Match, wanted: Act) -> bool:
    try:
        act(match, wanted, match.since)
    except Refusal:
        return False
    return True
