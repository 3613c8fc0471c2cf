"""Find the meaning of a line of talk: one cell, or one word of the game. This plays nothing.

"I play C12" names one cell that could be played now, and "undo please" one word. Such a line is
answered with an offer. For two cells, a cell that is taken, or a doubt, as in "should I resign?", there
is not an offer. Below a line that names nothing, the one line that names a cell counts: a move below talk is
never lost. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress

from ..errors import Refusal
from ..games.base import Game
from ..games.grids import EMPTY
from ..games.spelling import is_one_slip, plain
from ..grammar.arguments import is_plan_word, may_be_secret
from ..grammar.words import beginning, folded, meanings_in
from ..match import CANCEL, CLAIM, DRAW, RESIGN, UNDO, Act, Event, Match, act
from .parse import PLAIN_MOVES, bare, words_of
from .recognition import beginning_of_command
from .table import reply_verbs

_WORDS = frozenset((*PLAIN_MOVES, RESIGN, UNDO))
_DEEDS = (*_WORDS, DRAW, CANCEL, CLAIM)  # that a yes can do, besides a move
_SAID_OTHERWISE = {
    "give up": RESIGN, "giving up": RESIGN, "surrender": RESIGN, DRAW: DRAW, "take back": UNDO,
    "take it back": UNDO, "take that back": UNDO, "take my move back": UNDO,
    "unsubscribe": "letters", "stop": "letters",
    "delete my account": "signoff", "close my account": "signoff", "remove my account": "signoff",
}  # fmt: skip
_ASKS_FOR_A_DRAW = re.compile(
    r"(?:how|what) about (?:a )?draw|(?:shall|should|can) we (?:call it|agree (?:on|to)|say|take) a draw"
    r"|(?:would you (?:like|take|accept)|do you want|care for|fancy|i (?:offer|propose|suggest)) a draw",
    re.I,
)
_AGREED = ("accept", "yes", "ok", "okay")  # "ok, D8" agrees to nothing
_NUMBERED = re.compile(r"\s*#[0-9]{1,5}[.:)]*\s+")  # of the move
_LONGEST = 15  # words of a line that is looked at
_LINES = 40  # of a message
# A letter and a number; phones set a blank between them, and some people a dash.
_CELL = re.compile(r"(?<![\w*@#-])([A-Z*@])[ -]?([0-9]{1,3})(?![\w#-])", re.I)
# Words that are no doubt, and other ways to write a move, alone on a line: 2a, W[bb] and b[a2] of SGF.
_FAREWELL = re.compile(r"\b(?:see|thank|love|bless) you\b", re.I)
_WISH = re.compile(
    r"\bi (?:would|should) (?:like|love|prefer)\b|\b(?:could|would) you (?:please |kindly )?(?:put|place)\b"
    r"|\b(?:move|choice|answer) would be\b|\bi would (?:play|go|choose|take|say)\b|\bwürde (?:ich )?gerne?\b",
    re.I,
)
_TURNED = re.compile("([0-9]{1,2})([A-Z])", re.I)
_SGF = re.compile(r";?[BW]\[([A-Z])(?:([A-Z])|([0-9]{1,2}))\]", re.I)
_SWAPS = re.compile(
    "switch|steal|(?:swap|switch|exchange|change)[ -](?:pieces|sides|seats|stones|colou?rs)", re.I
)
_NOT = re.compile(
    ".*n't|(?:ai|are|ca|could|did|do|does|had|has|have|is|must|need|should|was|were|wo|would)nt"
)
_LONE = re.compile(r"(?<!\w)[ai] (?=[0-9])", re.I)  # "I 7" and "a 7" are seldom cells
DOUBTS = frozenset((  # they ask, deny, or tell of other moves
    "after", "against", "ago", "avoid", "bad", "before", "board", "but", "cannot", "could", "either", "else",
    "except", "free", "how",
    "if", "instead", "last", "maybe", "might", "never", "nicht", "no", "nor", "not", "once", "or",
    "perhaps", "previous", "should", "since", "than", "until", "was", "were", "what", "when",
    "where", "who", "why", "without", "would", "you", "your", "yours",
    # de
    "aber", "anstatt", "falls", "frei", "hatte", "kein", "keine", "keinen", "konnte", "nie", "niemals", "ob",
    "oder", "ohne",
    "schlecht", "soll", "sollte", "statt", "vermeide", "vermeiden", "vielleicht", "wann", "warum", "wenn",
    "wer", "wie", "wieso", "wo", "wurde",
    # fr
    "comment", "devrais", "dois", "est-ce", "evite", "eviter", "jamais", "libre", "lieu", "mais", "mauvais",
    "mauvaise", "ne", "non", "ou", "pas", "peut-etre", "pourquoi",
    "pourrais", "quand", "qui", "sans",
    # es
    "cuando", "deberia", "debo", "donde", "evitar", "evito", "jamas", "mala", "malo", "ni", "nunca", "pero",
    "podria", "porque", "quien", "quiza",
    "quizas", "sin", "tampoco", "vez",
    # it
    "chi", "devo", "dovrei", "forse", "mai", "oppure", "perche", "pero", "potrei", "quando", "se",
    # nl
    "als", "geen", "hoe", "maar", "misschien", "moet", "niet", "nooit", "waar", "waarom", "wanneer", "zou",
    # pt
    "deveria", "mas", "nao", "nem", "onde", "poderia", "quem", "talvez",
    # pl
    "ale", "albo", "chyba", "czy", "dlaczego", "gdzie", "jak", "jesli", "jezeli", "kiedy", "kto", "lub",
    "moze", "nie", "nigdy",
))  # fmt: skip
_PRIVATE = ("plan", "queue", "note", "notes", "preview", "try", "move")


def offered(
    text: str, match: Match, userid: str, events: Sequence[Event] = (), alone: bool = False
) -> str:
    """Return the one move or word that a line of talk, or one below it, names and that a player could do now.

    Empty if there is none. A line that is that word or move alone was refused for a reason if it is the
    first, except with ``alone``: then nothing was tried yet. ``events`` of the match.
    """
    lines = _spoken(text)
    if not lines:
        return ""
    if meant := _meant(lines[0], match):
        is_alone = [bare(word) for word in words_of(plain(lines[0]))] == [meant.lower()]
        return (
            ""
            if (is_alone and not alone) or not _is_possible(match, userid, meant, events)
            else meant
        )
    cell = _cell_of(lines, match)
    return cell if cell and _is_possible(match, userid, cell, events) else ""


def barred(line: str, match: Match, userid: str, events: Sequence[Event]) -> Refusal | None:
    """Return why the one word that a line of talk names can't be done now: "undo please" in a new game."""
    meant = _meant(line, match)
    return _refusal(match, userid, meant, events) if is_deed(meant) else None


def taken(text: str, match: Match) -> str:
    """Return the one cell that lines of talk name, if a stone stands on it; otherwise empty."""
    cell = _cell_of(_spoken(text), match)
    grid, stones = match.game.grid, match.position.stones
    return cell if cell in grid.index and stones[grid.index[cell]] != EMPTY else ""


def other_word(text: str) -> str:
    """Return the reply word that lines of talk say in other words, such as resign; empty if there is none."""
    first = " ".join(bare(word).strip("?") for word in words_of(plain(text))[:_LONGEST])
    return next((word for said, word in _SAID_OTHERWISE.items() if _has_words(said, first)), "")


def _has_words(said: str, text: str) -> bool:
    return f" {said} " in f" {text} "


def _spoken(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()][:_LINES]


def _meant(line: str, match: Match) -> str:
    """Return the one cell of the board or word that a line names without a doubt; otherwise empty."""
    line = _plainly_meant(_NUMBERED.sub("", plain(line), 1))
    words = [bare(word) for word in words_of(line)]
    if words[:1] and (words[0] in _AGREED or _agrees(line)):
        line, words = line.split(None, 1)[1] if len(words) > 1 else "", words[1:]
    asked = line.strip().lstrip("\u00bf").rstrip("? ")
    asked = _written_otherwise(asked) or asked
    if len(words) == 1 or _CELL.fullmatch(asked) or asked == "swap":  # "D8?" and "draw?"
        line = asked
        words = [bare(word) for word in words_of(line)]
    if word := _of_another_language(asked, match):
        return word
    if _ASKS_FOR_A_DRAW.fullmatch(asked) and DRAW in reply_verbs(type(match.game)):
        return DRAW
    if not words or len(words) > _LONGEST or _is_doubtful(line, words, type(match.game)):
        return ""
    if (
        beginning_of_command(line) and other_word(line) != UNDO
    ):  # "take back" isn't an offer of a game
        return ""  # it has a board, a userid and a password of its own
    meanings = {*_cells(line, match.game), *(word for word in words if word in _WORDS)}
    meanings |= meanings_in(line).intersection(_WORDS)
    if (other := other_word(line)) in (RESIGN, DRAW, UNDO) and other in reply_verbs(
        type(match.game)
    ):
        meanings.add(other)
    if not meanings and len(words) == 1:
        meanings = {word for word in _WORDS if is_one_slip(words[0], word)}
    return meanings.pop() if len(meanings) == 1 else ""


def _plainly_meant(line: str) -> str:
    """Return a line without phrases whose words may be a doubt elsewhere, as in "I would like C3"."""
    return _WISH.sub("", _FAREWELL.sub("", line))


def _written_otherwise(text: str) -> str:
    """Return the cell or word that a text is another way to write; empty if it is none."""
    text = text.strip(".,:;! ")
    if _SWAPS.fullmatch(text):
        return "swap"
    if turned := _TURNED.fullmatch(text):
        return turned[2] + turned[1]
    if sgf := _SGF.fullmatch(text):
        return sgf[1] + (sgf[3] or str(ord(sgf[2].lower()) - ord("a") + 1))
    return ""


def _agrees(line: str) -> bool:
    found = beginning(line)
    return found is not None and found.meanings == ("yes",)


def _of_another_language(line: str, match: Match) -> str:
    """Return the word in English for a line that is a reply word of another language, and nothing else."""
    found = beginning(line)
    if found is None or found.rest or len(found.meanings) > 1:
        return ""
    (word,) = found.meanings
    return word if word in _DEEDS and word in reply_verbs(type(match.game)) else ""


def _cell_of(lines: Sequence[str], match: Match) -> str:
    """Return the one cell of all lines, if the line that names it does so without a doubt; else empty."""
    if not lines or any(map(beginning_of_command, lines)) or _is_of_a_verb(lines[0], match):
        return ""
    naming = [line for line in lines if _cells(line, match.game)]
    if len(naming) != 1:
        return ""
    meant = _meant(naming[0], match)
    return meant if meant in match.game.grid.index else ""


def named_cell(lines: Iterable[str], board: Game) -> str:
    """Return the one cell of a board that lines of talk name, without a doubt; empty for none or more."""
    spoken = [line for line in lines if line.strip()][:_LINES]
    naming = [line for line in spoken if _cells(line, board)]
    if len(naming) != 1:
        return ""
    line = _plainly_meant(plain(naming[0]))
    cells, words = _cells(line, board), [bare(word) for word in words_of(line)]
    is_doubtful = len(words) > _LONGEST or _is_doubtful(line, words, type(board))
    cell = cells.pop() if len(cells) == 1 and not is_doubtful else ""
    return cell if cell in board.grid.index else ""


def _is_of_a_verb(line: str, match: Match) -> bool:
    """Return True if a line begins with a reply word, so that what follows may be its argument.

    A no to nothing has none: "No había visto tu jugada".
    """
    first = bare(next(iter(words_of(plain(line))), ""))
    return first in reply_verbs(type(match.game)) and first not in (*_WORDS, *_AGREED, "no")


def candidates(match: Match, userid: str) -> Iterable[str]:
    """Return all moves and words that could have been offered to a player on a board."""
    return (*_DEEDS, *(match.game.grid.names if match.to_move == userid else ()))


def wanted(userid: str, meant: str) -> Act:
    """Return the act of a player that a move or a word stands for."""
    if meant == DRAW:
        return Act(userid, "propose", DRAW)
    return Act(userid, meant) if is_deed(meant) else Act(userid, "move", meant)


def is_deed(meant: str) -> bool:
    """Return True if a word is an act that is not a move."""
    return meant in _DEEDS and meant not in PLAIN_MOVES


# Words that begin sentences, and are one letter from a reply word: "Black is ahead", "Gute Partie!"
_NO_SLIPS = frozenset((
    "bank", "batch", "black", "catch", "core", "design", "extent", "form", "hack", "held", "lack", "letter",
    "math", "none", "pack", "past", "patch", "plain", "review", "scope", "setting", "shot", "shown", "slow",
    "store",
    "dass", "dran", "gute", "lass", "mach", "passt",
    "nota", "pasa", "pase", "paso", "quede", "unido",
    "courbe", "cours", "courte", "notre", "pars", "passe",
    "noite",
))  # fmt: skip


def slip_of(line: str, game: type[Game]) -> str:
    """Return the reply word that a line is one letter from; empty if it is not such a slip."""
    typed = [bare(word).strip("?;\"'()") for word in words_of(plain(line))]
    words, known = [word for word in typed if word.strip("!.")], reply_verbs(game)
    if not words or words[0] in (*known, "move", "play"):
        return ""
    if words[0] in _NO_SLIPS and words[1:] and not any(map(str.isdigit, line)):
        return ""
    return next((name for name in known if is_one_slip(words[0], name)), "")


def is_misspelled(line: str, meant: str) -> bool:
    """Return True if a line has the word that it means in a misspelling alone."""
    words = [bare(word).strip("?") for word in words_of(plain(line))]
    return meant not in words and any(is_one_slip(word, meant) for word in words)


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
    if not meanings_in(spoken[0]).isdisjoint((RESIGN, UNDO)):
        return _is_doubtful(spoken[0], opening, game)
    return _is_doubtful(spoken[0], opening, game) or _WORDS.isdisjoint(opening)


def may_hide(text: str) -> bool:
    """Return True if a text may hold a password: a letter must not repeat it."""
    return bool(beginning_of_command(text)) or any(map(may_be_secret, text.split()))


def _is_doubtful(line: str, words: Sequence[str], game: type[Game]) -> bool:
    first = words[0]
    is_other = first in reply_verbs(game) and first not in (*_WORDS, DRAW)
    return (
        is_other
        or "?" in line
        or "#" in line
        or not DOUBTS.isdisjoint(words)
        or (not line.isascii() and not DOUBTS.isdisjoint(folded(line).split()))
        or any(map(_NOT.fullmatch, words))
    )


def _cells(line: str, game: Game) -> set[str]:
    """Return the cells of the board that a line names; the name of any other cell stays as it is typed."""
    cells = set()
    for letter, number in _CELL.findall(_LONE.sub("- ", plain(line))):
        for name in (f"{letter}{number}", f"{letter}{int(number)}"):  # "D04"
            with suppress(Refusal):
                cells.add(game.read([name]))
                break
        else:
            cells.add(f"{letter}{number}")
    return cells


def _is_possible(match: Match, userid: str, meant: str, events: Sequence[Event]) -> bool:
    return _refusal(match, userid, meant, events) is None


def _refusal(match: Match, userid: str, meant: str, events: Sequence[Event]) -> Refusal | None:
    try:
        act(match, wanted(userid, meant)._replace(events=tuple(events)), match.since)
    except Refusal as error:
        return error
    return None
