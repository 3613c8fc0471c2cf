"""Read replies to a digest: lines that begin with a board's number, each with its comment."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ..errors import UsageError, say, together
from ..games import GAMES
from ..games.base import Game
from ..grammar.arguments import is_plan_word, like_a_move
from ..grammar.verb import Verb, Who
from .courtesy import is_courtesy
from .further import not_first
from .parse import Command, bare, parse_reply, words_of
from .proved import NO_KINDS, NOBODY, Replier, continues, read_proved
from .reply import is_greeting, with_plan, with_slip
from .split import open_lines, with_plans, with_text
from .table import SERVER_VERBS, reply_verbs
from .translation import as_typed, in_english

# A board's number, and what is said there; but no time or date: "12:30 is fine".
_LINE = re.compile(
    r"[\s>*-]*(?:board\s*)?#?([0-9]{1,9})(?![.:,][0-9])(?:[\s.:,)]+(\S.*)|[\s.:,)]*)", re.I
)
_ALL_GONE = say("None of the boards in that letter exist anymore.")
_HOW = say("Start each line with the board's number, for example: 17 F6, or 23 pass")


class DigestLine(NamedTuple):
    """One line of a reply to a digest.

    board     the number of its board; 0 if it names none that was in the digest
    command   its command, or the reason that it cannot be read
    comment   the words below it, for that board's opponent
    withheld  the number of lines left out of these since they may hold a password or a plan
    """

    board: int
    command: Command | UsageError
    comment: str = ""
    withheld: int = 0


def read_digest_reply(
    subject: str,
    is_reply: bool,
    lines: Sequence[str],
    games: Mapping[int, type[Game]],
    writer: Replier = NOBODY,
) -> list[DigestLine]:
    """Return the lines of a reply to a digest; ``games`` maps its boards, as far as they are still there.

    A Subject of that form is the first line. A number that was in the digest begins a line, whatever
    follows; another one does so if a move or a reply word follows. If only one board was in it, or the
    line is about the account, it needs no number. Below words, a command that begins with no number isn't
    carried out. Raises nothing.
    """
    language = writer.language
    if not games and not any(map(_of_account, lines)):
        return [DigestLine(0, UsageError(_ALL_GONE, "other-board"), *open_lines(lines))]
    if not is_reply and _begun(subject, games, language):
        lines = [subject, *lines]
    begun: list[tuple[_Begun, list[str]]] = []
    above: list[str] = []
    for text in lines:
        if not begun and not all(map(is_courtesy, above)) and writer.sees(text):
            begun.append((_Begun(0, not_first(text), text), []))  # who asks may quote a command
        elif line := _begun(text, games, language, alone=not begun):
            begun.append((line, above if not begun else []))
        elif begun and writer.sees(text):
            is_next = not any(map(_is_words, begun[-1][1]))
            own = _of_account(text, games) if is_next else None
            is_safe = own is not None and "password" not in own.args
            begun.append((_Begun(0, text if is_safe else not_first(text), text), []))
        elif begun:
            begun[-1][1].append(text)
        elif text.strip() and not is_greeting(text):
            above.append(text)
    if not begun:
        first = above[0].split()[0] if above else ""
        why = together(say("Which board do you mean?"), _HOW)
        words = in_english(above[0], lambda line: _answers(line, games), language) if above else ""
        is_answer = isinstance(words, str) and _answers(words, games)
        read = first if is_answer or like_a_move(first) else ""
        return [DigestLine(0, UsageError(why, "no-line", read))]
    return [_line(line, below, games) for line, below in begun]


def _is_words(line: str) -> bool:
    """Return True if a line says something, and begins no plan for the move above it."""
    words = words_of(line)
    return bool(words) and not is_plan_word(bare(words[0]))


class _Begun(NamedTuple):
    """The beginning of a line: its board, 0 for the account; its words in English, or why they are not
    done at once; and as they were typed."""

    board: int
    words: str | UsageError
    typed: str


def _begun(
    text: str, games: Mapping[int, type[Game]], language: str, alone: bool = True
) -> _Begun | None:
    """Return what a line is about; None for other text."""
    if match := _LINE.fullmatch(text):
        number, typed = int(match[1]), match[2] or ""
        if game := games.get(number):
            return _Begun(number, _in_english(typed, game, language, f"{number} "), typed)
        if _is_meant(typed, None):
            return _Begun(number, typed, typed)
    whole = in_english(text, lambda line: _of_account(line, games) is not None, language)
    if isinstance(whole, str) and (
        _is_setting(whole, games) or (alone and _of_account(whole, games))
    ):
        return _Begun(0, whole, text)
    if alone and text.strip() and games:
        board, game = next(iter(games.items()))
        words = _in_english(text, game, language, f"{board} ")
        if isinstance(words, UsageError):
            return _Begun(board, words, text) if len(games) == 1 else None
        if _is_of_account(words, game) or (len(games) == 1 and _is_meant(words, game)):
            return _Begun(board, words, text)
    return None


def _in_english(text: str, game: type[Game], language: str, before: str) -> str | UsageError:
    return in_english(text, partial(_is_reply, game=game), language, before=before)


def _is_reply(line: str, game: type[Game]) -> bool:
    """Return True if a line is a reply word with its arguments, in a reply about a board."""
    return _reply_verb(line, game) is not None


def _reply_verb(line: str, game: type[Game]) -> Verb | None:
    try:
        verb = parse_reply(line, game).verb
    except UsageError:
        return None
    return verb if verb.reply else None


def _answers(line: str, games: Mapping[int, type[Game]]) -> bool:
    """Return True if a line is said about one of these boards: of several, only what its player says there.

    "Help" is about the only board, but about none of several.
    """
    verbs = (_reply_verb(line, game) for game in games.values())
    return any(verb and (len(games) == 1 or verb.who is Who.PLAYER) for verb in verbs)


def _of_account(text: str, games: Mapping[int, type[Game]] = NO_KINDS) -> Command | None:
    """Return the command of a line that a reply to a letter about the account may say, like "take 12".

    A line that is also a reply about a board, like "accept", is about the board.
    """
    words = words_of(text)
    if not words or continues(words[1:]) or _answers(text, games):
        return None
    command = read_proved(text, kinds=games)
    return command if isinstance(command, Command) and not command.verb.reply else None


def _is_setting(text: str, games: Mapping[int, type[Game]]) -> bool:
    command = _of_account(text, games)
    return command is not None and command.verb.setting and "password" not in command.args


def _is_of_account(text: str, game: type[Game]) -> bool:
    """Return True if a line is about no board, like "letters each", which any board's player may say."""
    try:
        return parse_reply(text, game).verb in SERVER_VERBS
    except UsageError:
        return False


def _is_meant(text: str, game: type[Game] | None) -> bool:
    """Return True if a text begins with a move or a reply word. If the board is not known, it must begin with
    a move or be a reply word alone, since "4 no doubt" would be words to an opponent."""
    first, *more = words_of(text) or [""]
    if game is not None and _unmarked(first) in (*reply_verbs(game), "move", "if"):
        return True
    if game is None and not more and _begins_replies(first):
        return True
    return (
        any(c.isalnum() or c == "@" for c in first) and not first.isdigit() and like_a_move(first)
    )


def _begins_replies(word: str) -> bool:
    """Return True if replies about a board of any game may begin with a word."""
    first = _unmarked(word)
    return any(first in reply_verbs(kind) for kind in GAMES)


def _unmarked(word: str) -> str:
    return word.lower().strip("\"'`.,;!*_")


def _line(begun: _Begun, below: Sequence[str], games: Mapping[int, type[Game]]) -> DigestLine:
    board, words, typed = begun
    if isinstance(words, UsageError):
        return DigestLine(board, words, *open_lines(below))
    if not board and (own := _of_account(words, games)):
        command, below, hidden = with_plans(own, below)
        command, below = with_text(command, below)
        comment, withheld = open_lines(below)
        return DigestLine(0, command, comment, withheld + hidden)
    if board not in games:
        gone = say("Board {number} wasn't in that letter, or doesn't exist anymore.", number=board)
        why = together(gone, _HOW)
        return DigestLine(0, UsageError(why, "other-board", f"{board} ..."), *open_lines(below))
    whole, below, hidden = with_plan([words, *below], games[board])
    read: Command | UsageError
    try:
        read = parse_reply(whole, games[board])
    except UsageError as error:
        read = error
    read = with_slip(read, whole, games[board], f"{board} ")
    understood = f"{board} {as_typed(read.understood, typed, words)}".strip()
    if isinstance(read, UsageError):
        return DigestLine(board, UsageError(read.said, read.code, understood), *open_lines(below))
    read = replace(read, understood=understood)
    command, below = with_text(read, below)
    comment, withheld = open_lines(below)
    return DigestLine(board, command, comment, withheld + hidden)
