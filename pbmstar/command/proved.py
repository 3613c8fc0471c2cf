"""Read lines of a writer whose account is known: userid and password may be left out.

A reply proves who writes, so each verb works in it: ``limit 5``, ``star challenge ben``, ``album 17``,
``whois ben``. The number of a board says its game, and a letter about a board says it too. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from .. import games
from ..errors import UsageError, say, together
from ..games.base import Game
from ..games.spelling import plain, shown
from ..grammar.arguments import BOARD, BOARDS, may_be_secret, show_move
from ..grammar.literals import SENTENCE_WORDS
from ..grammar.plan_arguments import PREVIEWED
from ..grammar.verb import Verb
from ..grammar.words import ENGLISH, beginning
from . import recognition
from .parse import Attempt, Command, ReadArguments, attempt, bare, finish, read_args, words_of
from .recognition import goes_on, is_further, unbulleted
from .split import (
    COMMANDS_A_MAIL,
    WITH_PLANS,
    Said,
    Split,
    divided,
    open_lines,
    subject_of_ours,
    with_plans,
    with_text,
    with_words,
)
from .table import GAME_VERBS, like_this, named, usage_of
from .translation import in_english

Kinds = Mapping[int, type[Game]]
NO_KINDS: Kinds = MappingProxyType({})


class Replier(NamedTuple):
    """The writer of a reply: who it is, as far as its address proves that, and how the game is.

    names  the userids of the writer; if there are none, nobody's userid and password may be left out
    kinds  the games of boards that lines may name, see boards_named
    over   the game of the letter is over
    waits  the writer waits for the opponent
    asked  the opponent asks the writer something
    language  of the account, see words
    """

    names: Sequence[str] = ()
    kinds: Kinds = NO_KINDS
    over: bool = False
    waits: bool = False
    asked: bool = False
    language: str = ENGLISH


NOBODY = Replier()

_GAME_NAMES = frozenset(name for verb in GAME_VERBS for name in (verb.name, *verb.aliases))
_OF_A_BOARD = (BOARD, BOARDS, PREVIEWED)
_BOARD = re.compile(r"[\s\W]*([a-z]+)[*_.,:]* +#?([0-9]{1,9})\b", re.I)
_NUMBER = re.compile("-?#?[0-9]{1,9}[.,]?|first|last|start", re.I)
_SHOWN_WORDS = 8  # of a line that cannot be read


def boards_named(lines: Iterable[str]) -> list[int]:
    """Return the numbers of boards that follow a verb of games at the beginning of a line, some at most."""
    found = (_BOARD.match(plain(_with_english_word(line))) for line in lines)
    numbers = (int(each[2]) for each in found if each and each[1].lower() in _GAME_NAMES)
    return list(dict.fromkeys(numbers))[:COMMANDS_A_MAIL]


def _with_english_word(line: str) -> str:
    """Return a line with the reply word of another language that it begins with, in English."""
    found = beginning(line)
    return " ".join((found.meanings[0], *found.rest)) if found and found.rest else line


def with_game(line: str, kinds: Kinds) -> str:
    """Return a line that begins with a verb of games and the number of a board, with the game's word first.

    Any other line, and one about a board that is not among ``kinds``, comes back as it is.
    """
    match = _BOARD.match(plain(line))
    kind = kinds.get(int(match[2])) if match and match[1].lower() in _GAME_NAMES else None
    return f"{kind.word} {unbulleted(line)}" if kind else line


def read_proved(
    line: str, names: Sequence[str] = (), kinds: Kinds = NO_KINDS, game: type[Game] | None = None
) -> Command | UsageError | None:
    """Return the command of a line, or the reason that it cannot be read; None if it begins with no verb.

    names  the userids of the writer
    kinds  the games of the boards that the line may name
    game   the game of the letter that is answered
    """
    words = words_of(unbulleted(line))
    tried = attempt(words)
    read = _meant(tried, names) if tried.exact else None
    if isinstance(read, Command) or tried.game is not None or not words:
        return read
    of_game, verb = with_game(line, kinds), _game_verb(words, game)
    if of_game != line:
        found = read_proved(of_game, names)
        if verb and isinstance(found, UsageError) and found.code == "missing-days":
            return _without_board(verb, words)  # "extend 7" means seven days, whatever board 7 is
        return found
    if verb is None:
        return read
    if game is not None and _is_of_a_board(verb):  # it is about the letter's board
        is_of_another = not verb.reply_args and _BOARD.match(plain(line))  # one that isn't there
        return read_proved(f"{game.word} {unbulleted(line)}", names) if is_of_another else read
    if _is_of_a_board(verb):
        return read or _without_board(verb, words)
    if game is None:
        return read or _without_game(verb, words)
    return read_proved(f"{game.word} {' '.join(words)}", names)


def is_talk(command: Command, words: Sequence[str]) -> bool:
    """Return True if the words after the verb of a command continue a sentence, as in "whois she".

    Values that look like no other word don't, as in "language it".
    """
    return continues(words) and not all(arg.distinct for arg in command.verb.proved_args)


def continues(words: Sequence[str]) -> bool:
    """Return True if the words after a verb continue a sentence, unlike the switch of "news on"."""
    return goes_on(words) and [bare(word) for word in words] != ["on"]


def read_account_reply(
    subject: str,
    is_reply: bool,
    lines: Sequence[str],
    names: Sequence[str],
    kinds: Kinds,
    language: str = ENGLISH,
) -> Split | None:
    """Return the commands of a reply to a letter about the account, and its comment; None if it has none.

    A Subject that is a command is the only one. Otherwise the first lines that are commands are, and below
    words those that are commands without doubt. The ``language`` is the account's.
    """

    def read_line(line: str) -> Command | UsageError | None:
        meant = in_english(line, lambda text: _can_be_read(text, names, kinds), language)
        return meant if isinstance(meant, UsageError) else read_proved(meant, names, kinds)

    first = None if is_reply or subject_of_ours(subject) else read_line(subject)
    if isinstance(first, Command):
        below = [line for line in lines if line.split() != subject.split()]
        command, below, hidden = _with_below(first, below)
        below, further = divided(below)
        comment, withheld = open_lines(below)
        return Split((command, *further), (Said(comment, withheld + hidden),))
    commands: list[Command | UsageError] = []
    rests: list[tuple[list[str], int]] = []
    own, may_be_words = list(lines), False
    while own:
        line, *own = own
        may_be_command = line.strip() and (not may_be_words or is_further(line))
        found = read_line(line) if may_be_command else None
        if isinstance(found, UsageError) and commands and not may_be_words:
            found = None
        elif found is None and may_be_command and may_be_words:
            found = recognition.read(unbulleted(line))
        if isinstance(found, Command):
            may_be_words = found.verb.name in WITH_PLANS
            command, own, hidden = _with_below(found, own)
            commands.append(command)
            rests.append(([], hidden))
        elif found is not None:
            may_be_words = True
            commands.append(found)
            rests.append(([], 0))
        elif commands:
            may_be_words = may_be_words or bool(line.strip())
            rests[-1][0].append(line)
        elif line.strip():
            break
    if not commands:
        return Split((first,)) if isinstance(first, UsageError) else None
    return with_words(commands, rests)


def _can_be_read(line: str, names: Sequence[str], kinds: Kinds) -> bool:
    return isinstance(read_proved(line, names, kinds), Command)


def _with_below(command: Command, below: list[str]) -> tuple[Command | UsageError, list[str], int]:
    """Return a command with the lines below it that belong to it, the others, and the number withheld."""
    planned, below, hidden = with_plans(command, below)
    return *with_text(planned, below), hidden


def _meant(tried: Attempt, names: Sequence[str]) -> Command | UsageError:
    """Return the command of an attempt with userid and password, or without them, whichever is meant.

    With them it is if the userid is the writer's, or the password looks like one: words for an opponent
    could be read either way. "Away next week" has no userid and password.
    """
    verb = tried.verb
    assert verb is not None
    short = read_args(verb.proved_args, tried.game, tried.rest)
    is_either = short.error is not None and not is_like_words(tried, names)
    if tried.error is None and (is_either or _is_whole(tried, names)):
        return finish(tried)
    if short.error is None:
        understood = " ".join([*tried.start, *(word for _, word in short.shown)])
        return Command(verb, tried.game, short.args, understood)
    usages = like_this(usage_of(verb, tried.game, verb.proved_args))
    return UsageError(
        together(short.error.said, usages, by="\n"),
        short.error.code,
        " ".join([*tried.start, *_shown(tried, names)]),
        _board_of(short),
    )


def _is_whole(tried: Attempt, names: Sequence[str]) -> bool:
    """Return True if a line that can be read as a whole command, with a password perhaps, is one."""
    password: Any = tried.args.get("password")
    if password is None:
        return True
    return tried.args.get("userid") in names or may_be_secret(password.value)


def is_like_words(tried: Attempt, names: Sequence[str]) -> bool:
    """Return True if two words below a verb that begins sentences too are hardly a userid and a password."""
    is_short = tried.verb is not None and tried.verb.common and len(tried.rest) == 2
    return bool(names) and is_short and not _is_whole(tried, names)


def _shown(tried: Attempt, names: Sequence[str]) -> list[str]:
    """Return the words of a line that cannot be read, as a letter shows them; none if a password may be
    among them."""
    words = tried.rest
    if any(plain(word).lower().strip(".,") in names for word in words[:2]):
        return ["..."] if words else []
    return [*show_move(words[:_SHOWN_WORDS]), *(["..."] if len(words) > _SHOWN_WORDS else [])]


def _board_of(read: ReadArguments) -> int:
    board = read.args.get("board")
    return board if isinstance(board, int) else 0


def _game_verb(words: Sequence[str], game: type[Game] | None) -> Verb | None:
    """Return the verb of games that words begin with, perhaps one that a game lacks; None for other words."""
    name = bare(words[0])
    if game is not None and name in named(game):
        return named(game)[name]
    # Aliases are English words like "yes", and so are "no" and "from", unless a number follows.
    is_word = name in SENTENCE_WORDS and not (len(words) > 1 and _NUMBER.fullmatch(words[1]))
    return next((v for v in GAME_VERBS if v.name == name and not is_word), None)


def _is_of_a_board(verb: Verb) -> bool:
    return any(arg in _OF_A_BOARD for arg in verb.args)


def _without_board(verb: Verb, words: Sequence[str]) -> UsageError:
    """Return the reason that a line cannot be read that lacks the number of its board."""
    name = verb.name
    usage = " ".join([name, *(each for arg in verb.proved_args for each in arg.usages(None))])
    text = say("Which board? Write it like this, with the board's number:\n  {usage}", usage=usage)
    return UsageError(text, "missing-board", " ".join([name, *show_move(words[1:_SHOWN_WORDS])]))


def _without_game(verb: Verb, words: Sequence[str]) -> UsageError:
    """Return the reason that a line cannot be read that does not say its game, with lines that do."""
    rest = " ".join(map(shown, words[1:_SHOWN_WORDS]))
    seats = verb.seats if not rest else (2,)
    kinds = [kind for kind in games.GAMES if len(kind.seats) in seats]
    lines = "\n".join(f"  {kind.word} {verb.name} {rest}".rstrip() for kind in kinds)
    return UsageError(
        say("Which game? Reply with one of these lines:\n{lines}", lines=lines),
        "no-game-word",
        f"{verb.name} {rest}",
    )
