"""Read lines of a writer whose account is known: userid and password may be left out.

A reply proves who writes, so each verb works in it: ``limit 5``, ``star challenge ben``, ``album 17``,
``whois ben``. The number of a board says its game, and a letter about a board says it too. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple

from .. import games
from ..errors import UsageError, say, together
from ..games.base import Game
from ..games.spelling import plain, shown
from ..grammar.arguments import BOARD, BOARDS, is_plan_word, may_be_secret, show_move
from ..grammar.literals import SENTENCE_WORDS
from ..grammar.plan_arguments import PREVIEWED
from ..grammar.verb import Verb
from ..grammar.words import ENGLISH, beginning
from .further import OF_GAMES, behind_game, divided, is_further
from .parse import (
    PLAIN_MOVES,
    Attempt,
    Command,
    ReadArguments,
    attempt,
    bare,
    finish,
    read_args,
    words_of,
)
from .recognition import goes_on, unbulleted
from .split import (
    COMMANDS_A_MAIL,
    WITH_PLANS,
    Split,
    subject_of_ours,
    with_plans,
    with_text,
    with_words,
    without,
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
    boards   of the kinds, those that the writer plays
    players  the userids that lines may name, see players_named
    """

    names: Sequence[str] = ()
    kinds: Kinds = NO_KINDS
    over: bool = False
    waits: bool = False
    asked: bool = False
    language: str = ENGLISH
    boards: Container[int] = ()
    players: Sequence[str] = ()

    def sees(self, line: str) -> bool:
        """Return True if a line among words is a command of this writer without doubt."""
        if is_further(line, self.names, self.players):
            return True
        text = _behind_game(unbulleted(line))
        named = _BOARD.match(plain(text)) if self.boards else None
        if not named or int(named[2]) not in self.boards or named[1].lower() not in OF_GAMES:
            return False
        return not _is_talk(named[1].lower(), words_of(text[named.end() :]))

    def divided(self, lines: Iterable[str]) -> tuple[list[str], list[UsageError]]:
        """Return the words in the lines below a command, and why commands among them aren't carried out."""
        return divided(lines, self.sees, may_be_any=bool(self.boards))


_POLITE = ("please", "thanks", "thank", "you", "bitte", "danke", "merci", "gracias")
_TOLD = ("say", "note", "report")  # verbs whose arguments are any words


def _is_talk(verb: str, rest: Sequence[str]) -> bool:
    """Return True if words behind a verb and a board's number make it talk: "move 2 surprised me".

    What may be a cell, a password or a plan doesn't, even if it's misspelt, and neither does a please.
    """
    words = [word for word in rest if bare(word)]
    if not words or verb in _TOLD or is_plan_word(words[0]):
        return False
    if goes_on(words):
        return True
    is_moved = any(bare(word) in PLAIN_MOVES or any(map(str.isdigit, word)) for word in words)
    return not is_moved and not all(bare(word) in _POLITE for word in words)


NOBODY = Replier()

_OF_A_BOARD = (BOARD, BOARDS, PREVIEWED)
_BOARD = re.compile(r"[\s\W]*([a-z]+)[*_.,:]* +#?([0-9]{1,9})\b", re.I)
_NUMBER = re.compile("-?#?[0-9]{1,9}[.,]?|first|last|start", re.I)
_SHOWN_WORDS = 8  # of a line that cannot be read


def boards_named(lines: Iterable[str]) -> list[int]:
    """Return the numbers of boards that follow a verb of games at the beginning of a line, some at most."""
    found = (_BOARD.match(plain(_behind_game(line))) for line in lines)
    numbers = (int(each[2]) for each in found if each and each[1].lower() in OF_GAMES)
    return list(dict.fromkeys(numbers))[:COMMANDS_A_MAIL]


def _behind_game(line: str) -> str:
    """Return a line without the word of its game, and a reply word of another language in English."""
    return _with_english_word(" ".join(behind_game(words_of(line))))


def _with_english_word(line: str) -> str:
    """Return a line with the reply word of another language that it begins with, in English."""
    found = beginning(line)
    return " ".join((found.meanings[0], *found.rest)) if found and found.rest else line


def with_game(line: str, kinds: Kinds) -> str:
    """Return a line that begins with a verb of games and the number of a board, with the game's word first.

    Any other line, and one about a board that is not among ``kinds``, comes back as it is.
    """
    match = _BOARD.match(plain(line))
    kind = kinds.get(int(match[2])) if match and match[1].lower() in OF_GAMES else None
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
    subject: str, is_reply: bool, lines: Sequence[str], writer: Replier
) -> Split | None:
    """Return the commands of a reply to a letter about the account, and its comment; None if it has none.

    A Subject that is a command is the only one. Otherwise the first lines that are commands are: words end
    them, and those below a move or a plan are words unless they are commands without doubt.
    """
    names, kinds = writer.names, writer.kinds

    def read_line(line: str) -> Command | UsageError | None:
        meant = in_english(line, lambda text: _can_be_read(text, names, kinds), writer.language)
        return meant if isinstance(meant, UsageError) else read_proved(meant, names, kinds)

    first = None if is_reply or subject_of_ours(subject) else read_line(subject)
    if isinstance(first, Command):
        below = without(subject, lines)
        command, below, hidden = _with_below(first, below)
        return _with_words([command], below, hidden, writer)
    commands: list[Command | UsageError] = []
    own, hidden = list(lines), 0
    while own:
        line, *below = own
        if commands and _name(commands[-1]) == "help" and writer.sees(line):
            break  # who asks may quote a command
        is_moved = bool(commands) and _name(commands[-1]) in WITH_PLANS
        read = read_line(line) if line.strip() and (not is_moved or writer.sees(line)) else None
        if isinstance(read, Command):
            command, own, hidden = _with_below(read, below)
            commands.append(command)
        elif line.strip():
            if isinstance(read, UsageError) and not commands:
                return Split((read,))
            break
        else:
            own = below
    if not commands:
        return Split((first,)) if isinstance(first, UsageError) else None
    return _with_words(commands, own, hidden, writer)


def _name(command: Command | UsageError) -> str:
    return command.verb.name if isinstance(command, Command) else ""


def _can_be_read(line: str, names: Sequence[str], kinds: Kinds) -> bool:
    return isinstance(read_proved(line, names, kinds), Command)


def _with_below(command: Command, below: list[str]) -> tuple[Command | UsageError, list[str], int]:
    """Return a command with the lines below it that belong to it, the others, and the number withheld."""
    planned, below, hidden = with_plans(command, below)
    return *with_text(planned, below), hidden


def _with_words(
    commands: Sequence[Command | UsageError], below: list[str], hidden: int, writer: Replier
) -> Split:
    """Return a message of these commands, with the lines below the last of them."""
    words, further = writer.divided(below)
    read = with_words(commands, [*([([], 0)] * (len(commands) - 1)), (words, hidden)])
    return replace(read, commands=(*read.commands, *further))


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
