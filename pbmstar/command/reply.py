"""Read replies to a board's letter: by Subject, by first line, or as whole commands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from ..errors import Sentence, UsageError, say, together
from ..games.base import Game
from ..games.spelling import plain
from ..grammar.arguments import Argument, is_plan_word, like_a_move
from ..grammar.literals import game_of
from ..grammar.plan_arguments import is_plan, plans_at
from ..match import UNDO
from .courtesy import is_courtesy
from .found import is_small_talk, named_cell, other_word, slip_of
from .further import full
from .parse import PLAIN_MOVES, Command, attempt, bare, is_reply_word, parse_reply, words_of
from .proved import NOBODY, Replier, continues, is_like_words, is_talk, read_proved
from .recognition import beginning_of_command, read, unbulleted
from .split import (
    Said,
    Split,
    open_lines,
    split,
    split_body,
    subject_command,
    subject_of_ours,
    with_plans,
    with_text,
    without,
)
from .table import reply_verbs
from .translation import as_typed, in_english, subject_in_english

_REPORT = "report"  # the words after it may begin with the number of another board
_PLACE = re.compile("-?#?[0-9]+|first|last|start|begin(?:ning)?", re.I)
_FEW_WORDS = 4  # of a line that cannot be read: a longer one is talk
# A line of a greeting and up to three names, in the languages whose mail programs are known.
_GREETINGS = (
    "hi|hiya|hey|hello|dear|greetings|good (?:morning|afternoon|evening|day)",
    "hallo|moin|servus|liebe[rs]?|grüß(?: gott|e)?|guten (?:morgen|tag|abend)",
    "bonjour|bonsoir|salut|cher|chère",
    "hola|querid[oa]|buenos días|buenas (?:tardes|noches)",
    "ciao|salve|car[oa]|buongiorno|buonasera",
    "hoi|dag|beste|goede(?:morgen|middag|navond)",
    "olá|oi|prezad[oa]|bom dia|boa (?:tarde|noite)",
    "cześć|witam|witaj|dzień dobry|dobry wieczór|drog[ai]",
    "привет|здравствуйте?|добрый (?:день|вечер)|доброе утро|уважаем(?:ый|ая)",
    "hei|hej|heisann|kjære|kære|god (?:morgen|dag|kveld|aften)",
    "hejsan|tjena|kära|käre|god (?:morgon|kväll)",
    "moi|terve|hyvää (?:huomenta|päivää|iltaa)",
    "你好|您好|嗨|こんにちは|こんばんは|おはよう(?:ございます)?",
)
_SALUTATION = re.compile(
    rf"(?:{'|'.join(_GREETINGS)})(?: [^\W\d_][^\W\d_.'-]*\.?){{0,3}} ?[,.!:;，。！]*", re.I
)


def _names_a_cell(word: str) -> bool:
    """Return True if a word may be a cell, which the answer could offer to play."""
    return bool(re.search("[0-9]", word)) and like_a_move(word)


def _whole(line: str) -> Command | None:
    """Return the command of a line that needs nothing filled in, as any message may have it; else None."""
    command = read(line)
    return command if isinstance(command, Command) else None


def is_greeting(line: str) -> bool:
    """Return True if a line is a greeting, perhaps with a name, and nothing else."""
    return _SALUTATION.fullmatch(line.strip()) is not None


@dataclass(frozen=True)
class Reply(Split):
    """A message to a reply address, divided.

    bare  its one command, or the reason that it cannot be read, speaks for the player of the address;
          otherwise the commands are in the old syntax, each with its own proof
    line  the line from which this was read
    text  that line and those below it
    is_talk  that line is neither a command that can be read nor like a move, or there is none
    """

    bare: bool = True
    line: str = ""
    text: str = ""
    is_talk: bool = False


def read_reply(
    subject: str,
    is_reply: bool,
    lines: Sequence[str],
    game: type[Game],
    writer: Replier = NOBODY,
) -> Reply:
    """Return the commands of a message to a reply address, and its comment.

    A Subject that is a move, a reply word or a whole command is the command, and the body its comment.
    Otherwise the first line that is neither a salutation nor courtesy is the command; the courtesy
    above it and the lines below it are the comment. A message without a line has the error
    ``empty-reply`` for its command. When the game is over, a line that is neither a reply word nor
    like a move is words for the opponent. The same holds while the writer waits for the opponent,
    unless it may be a plan. Raises nothing.
    If the ``writer`` is known, each verb works, without userid and password.
    """
    lines = list(lines)
    made = partial(_reply, writer=writer)
    proved = partial(_proved, writer=writer, game=game)
    if not is_reply:
        meant = subject_in_english(
            subject, partial(_is_read, game=game, writer=writer), writer.language
        )
        if isinstance(meant, UsageError):
            return replace(made(meant, lines), line=subject, text=subject)
        typed, subject = subject, meant
    old = subject_command(subject, is_reply)
    if not is_reply and not subject_of_ours(subject) and (command := proved(subject)):
        return made(command, without(subject, lines), bare=False)
    if old is not None and writer.names and _bare_subject(subject, game):
        is_whole = isinstance(old, Command) and old.args.get("userid") in writer.names
        old = old if is_whole else None  # "match star -size=8": a game, and no userid and password
    if isinstance(old, Command) and not is_reply_word(subject, game):
        whole_command, below, hidden = with_plans(old, without(subject, lines))
        return made(whole_command, below, hidden, bare=False)
    if not is_reply and _bare_subject(subject, game):
        whole, below, hidden = with_plan([subject, *lines], game)
        return made(_typed(_bare_command(whole, game), typed, subject), below, hidden)
    own = [place for place, line in enumerate(lines) if line.strip()]
    if not own:
        line = "" if is_reply else subject
        empty = UsageError(_EMPTY, "empty-reply")
        return Reply((old or empty,), bare=old is None, line=line, is_talk=old is None)
    is_talk = writer.over or writer.waits
    english = partial(_in_english, game=game, writer=writer)

    def is_command(line: str) -> bool:
        meant = english(line)
        return meant != line or is_reply_word(line, game) or bool(proved(line))

    at = _first(lines, own, is_talk, is_command)
    typed, first = lines[at], english(lines[at])
    if isinstance(first, UsageError):
        return replace(made(first, lines[at + 1 :]), line=typed, text=_text(lines[at:], writer))
    lines[at] = first
    text = _text(lines[at:], writer)
    if command := proved(lines[at]):
        planned, below, hidden = with_plans(command, lines[at + 1 :])
        is_read = isinstance(command, Command)
        reply = made(planned, below, hidden, bare=not is_read)
        return reply if is_read else replace(reply, line=lines[at], text=text)
    if _is_in_full(lines[at], game, writer.names):
        body = split_body(lines)
        return Reply(body.commands, body.said, body.too_many, bare=False)
    whole, below, hidden = with_plan(lines[at:], game)
    command = _bare_command(whole, game)
    if "say" in reply_verbs(game) and _is_talk(command, whole):
        is_words = writer.over or (writer.waits and is_small_talk(lines[at:], game))
        if is_words and not _is_meant(lines[at], game) and not writer.sees(lines[at]):
            args = {} if writer.over else {"taken": True}
            words = made(Command(reply_verbs(game)["say"], game, args, "say"), lines)
            return replace(words, is_talk=True)
        command = with_slip(command, lines[at], game)
    command = _typed(command, typed, lines[at])
    if isinstance(command, Command) and not command.verb.own_text:
        below = [*(line for line in lines[:at] if not is_greeting(line)), *below]
    if (
        isinstance(command, Command)
        and command.verb.name == "move"
        and len(game.seats) == 2
        and not _is_talk(command, whole)
    ):
        told = _with_one_move(command, below, hidden, game, writer)
        return replace(told, line=lines[at], text=text)
    is_read = isinstance(command, Command) and (
        command.verb.reply or all(map(like_a_move, command.args["move"]))
    )
    return replace(made(command, below, hidden), line=lines[at], text=text, is_talk=not is_read)


def _with_one_move(
    command: Command, below: Sequence[str], hidden: int, game: type[Game], writer: Replier
) -> Reply:
    """Return a move with the lines below it. A cell alone on one of these is told as not played: it isn't a
    word for the opponent."""
    further = [each for each in below if lone_cells([each], game)]
    told = _reply(command, [each for each in below if each not in further], hidden, writer=writer)
    errors = [UsageError(one_move(cell), "one-move", cell) for cell in lone_cells(further, game)]
    return replace(told, commands=(*told.commands, *errors))


def one_move(cell: str) -> Sentence:
    """Return the sentence on a cell that a message names below its move."""
    return say("We didn't play {cell}, because you can only make one move per turn.", cell=cell)


class FirstMove(NamedTuple):
    """A first move of a person without an account, and what else the mail says.

    cell      empty if the mail names none, or more than one in a sentence
    signs_up  it also gives a name, so that it can be carried out as a whole
    has_more  it has further commands, perhaps that one
    further   further cells, each on a line of its own
    """

    cell: str = ""
    signs_up: bool = False
    has_more: bool = False
    further: tuple[str, ...] = ()


_CELL = re.compile("[A-Z*][0-9]{1,2}|@")


def read_first_move(subject: str, is_reply: bool, lines: Sequence[str], board: Game) -> FirstMove:
    """Return the first move in a reply to a letter that shows an empty board.

    A cell that is a line of its own may be on no board. A sentence that names one cell of the board means it.
    """
    game = type(board)
    reply = read_reply(subject, is_reply, lines, game)
    more = split("", True, lines).commands
    names = [each.understood if isinstance(each, UsageError) else each.verb.name for each in more]
    signs_up = any(name.startswith("signup") for name in names)
    command = reply.commands[0]
    cell = _cell_of(command) if reply.bare and isinstance(command, Command) else ""
    alone = lone_cells(lines, game)
    if not cell and signs_up:
        cell = next(iter(alone), "")
    if not cell and not more:
        cell = named_cell([*([] if is_reply else [subject]), *lines], board)
    further = tuple(each for each in dict.fromkeys(alone) if each != cell)
    return FirstMove(cell, signs_up, bool(more), further) if cell else FirstMove()


def _cell_of(command: Command) -> str:
    """Return the one cell that a command plays; empty for any other command."""
    cell = " ".join(command["move"]) if command.verb.name == "move" else ""
    return cell if _CELL.fullmatch(cell) else ""


def lone_cells(lines: Iterable[str], game: type[Game]) -> list[str]:
    """Return the cells that are lines of their own; they may be on no board."""
    commands = (_bare_command(line, game) for line in lines if like_a_move(line.strip()))
    return [cell for each in commands if isinstance(each, Command) and (cell := _cell_of(each))]


def _in_english(line: str, game: type[Game], writer: Replier) -> str | UsageError:
    """Return a line of a reply in English, see in_english."""
    is_read = partial(_is_read, game=game, writer=writer)
    return in_english(line, is_read, writer.language, is_asked=writer.asked)


def _is_read(line: str, game: type[Game], writer: Replier) -> bool:
    """Return True if a line in English is a reply word with its arguments, another command, or a move.

    Also if it's a reply word with what is like its arguments: then the answer tells what is wrong with them.
    """
    return (
        not _is_talk(_bare_command(line, game), line)
        or _is_meant(line, game)
        or _is_in_full(line, game, writer.names)
        or isinstance(_proved(line, writer, game), Command)
    )


def _typed(command: Command | UsageError, typed: str, line: str) -> Command | UsageError:
    """Return what is read of a line in English as a letter shows it: with the word that was typed."""
    if typed == line:
        return command
    understood = as_typed(command.understood, typed, line)
    if isinstance(command, Command):
        return replace(command, understood=understood)
    return UsageError(command.said, command.code, understood, command.board)


def _first(
    lines: Sequence[str], own: Sequence[int], is_talk: bool, is_command: Callable[[str], bool]
) -> int:
    """Return the place of the line that counts, below greetings and courtesy; ``own``: the lines with words.

    Where words are passed on, ``is_talk``, courtesy begins them, unless a command follows.
    """
    greeted = next((place for place in own if not is_greeting(lines[place])), own[0])
    at = next((place for place in own if not _is_prelude(lines[place])), greeted)
    return greeted if is_talk and not is_command(lines[at]) else at


def _is_prelude(line: str) -> bool:
    """Return True if people write a line above the one that counts."""
    return is_greeting(line) or is_courtesy(line)


def _proved(line: str, writer: Replier, game: type[Game]) -> Command | UsageError | None:
    """Return the command of a line that is none about the letter's own board; None for other lines.

    While the writer waits, a line that cannot be read is words for the opponent, unless it's like a command.
    """
    words = words_of(line)
    verb = reply_verbs(game).get(bare(words[0])) if words else None
    if not words or not writer.names or other_word(line) == UNDO:  # "take back", and not an offer
        return None
    read = read_proved(line, writer.names, writer.kinds, game)
    if read is None:
        return None
    if isinstance(read, Command) and "password" in read.args:
        # In full, perhaps without the word of a game.
        is_own = read.game is not None and read.args.get("userid") in writer.names
        return read if is_own and not _whole(line) else None
    is_reported = verb is not None and verb.name == _REPORT and isinstance(read, Command)
    has_game = isinstance(read, Command) and game_of(words[0]) is not None
    if not (is_reported or has_game) and not _is_talk(_bare_command(line, game), line):
        return None
    if isinstance(read, Command):
        whole = _whole(line)
        is_same = whole is not None and whole.args == read.args
        return None if is_same or (read.game is None and is_talk(read, words[1:])) else read
    tried = attempt(words_of(unbulleted(line)))
    is_like_one = tried.verb is not None and _is_shaped(tried.rest, tried.verb.proved_args)
    if (
        ((writer.waits or writer.over) and not is_like_one)
        or verb is not None
        or continues(words[1:])
        or len(words) > _FEW_WORDS
    ):
        return None
    return None if any(map(_names_a_cell, words)) else read


def with_slip(
    command: Command | UsageError, line: str, game: type[Game], before: str = ""
) -> Command | UsageError:
    """Return the reason that a line cannot be read, with the reply word that is nearest to it.

    A command that can be read, and a move, stay as they are. ``before``: what stands before the word, as the
    number of a board.
    """
    name = slip_of(line, game) if _is_talk(command, line) else ""
    if not name:
        return command
    meant = say("Did you mean {word}?", word=f"{before}{name}")
    if isinstance(command, UsageError):
        return UsageError(together(meant, command.said), command.code, command.understood)
    return UsageError(meant, "slip", command.understood)


def _is_meant(line: str, game: type[Game]) -> bool:
    """Return True if a line that cannot be read is not for the opponent: it is a reply word, perhaps one
    letter wrong, alone or before what is like its arguments or has a mail address."""
    words = words_of(line)
    verb = reply_verbs(game).get(slip_of(line, game) or bare(words[0]))
    return verb is not None and ("@" in line or _is_shaped(words[1:], verb.reply_args))


def _is_shaped(words: Sequence[str], args: Sequence[Argument]) -> bool:
    """Return True if the words after a verb are none, or a number or the place of a move and no more than the
    verb takes: no sentence is so short."""
    return not words or (len(words) <= max(1, len(args)) and _PLACE.fullmatch(words[0]) is not None)


def _is_in_full(line: str, game: type[Game], names: Sequence[str]) -> bool:
    """Return True if a line is a command in the old syntax.

    A line that begins like a reply is one if it can be read as a reply, or not as a command: the two
    are alike if no game word begins the line, ``away alice s3cret 14`` and ``away 14``.
    """
    command = read(line)
    if command is None or is_reply_word(line, game):
        return False
    if is_like_words(attempt(words_of(unbulleted(line))), names):  # "away next week"
        return False
    if bare(words_of(line)[0]) not in reply_verbs(game):
        return True
    try:
        parse_reply(line, game)
    except UsageError:
        return isinstance(command, Command)
    return False


_EMPTY = say(
    "I couldn't find anything new in your reply. I skip quoted text, signatures, and "
    "everything below a line that says only stop, quit or end. Write your move on the first "
    "line, above the quoted text."
)


def _reply(
    command: Command | UsageError,
    below: Sequence[str],
    hidden: int = 0,
    bare: bool = True,
    *,
    writer: Replier,
) -> Reply:
    command, below = with_text(command, below)
    below, further = writer.divided(below)
    comment, withheld = open_lines(below)
    return Reply((command, *further), (Said(comment, withheld + hidden),), bare=bare)


def _text(lines: Sequence[str], writer: Replier) -> str:
    """Return the line that counts with the words below it, as far as they are about the same."""
    words, _ = writer.divided(lines[1:])
    return "\n".join([lines[0], *words])


def with_plan(lines: Sequence[str], game: type[Game]) -> tuple[str, list[str], int]:
    """Return the first line with the plan that follows it, the lines below, and the number withheld.

    Plans below a move or a plan are further alternatives.
    """
    words = words_of(lines[0])
    verb = reply_verbs(game).get(bare(words[0])) if words else None
    if verb is not None and verb.name not in ("plan", "queue", *PLAIN_MOVES):
        return lines[0], list(lines[1:]), 0
    begin = next((at for at, word in enumerate(words) if is_plan_word(word)), len(words))
    if verb is not None and verb.name == "plan" and bare(" ".join(words[1:])) != "none":
        begin = 1
    leading = plans_at(lines[1:], " ".join(words[begin:]))
    whole = " ".join([*words[:begin], "; ".join(leading.plans)]) if leading.plans else lines[0]
    hidden = 0 if leading.is_clear else full(lines[1:])
    return whole, list(lines[1 + leading.length :]), hidden


def _bare_command(line: str, game: type[Game]) -> Command | UsageError:
    command: Command | UsageError
    try:
        command = parse_reply(line, game)
    except UsageError as error:
        command = error
    # The board will refuse it as a move; the words that it repeats must be no password.
    if _is_talk(command, line) and (beginning := beginning_of_command(line)):
        if isinstance(command, Command):
            return replace(command, understood=beginning)
        return UsageError(command.said, command.code, beginning, command.board)
    return command


def _is_talk(command: Command | UsageError, line: str) -> bool:
    """Return True if a line is neither a command that can be read nor like a move."""
    if isinstance(command, UsageError):
        return True
    return not command.verb.reply and not all(map(like_a_move, words_of(line)))


def _bare_subject(subject: str, game: type[Game]) -> Command | None:
    """Return the command of a Subject that is a move or a reply word by its form, and nothing else."""
    command = _bare_command(subject, game)
    if isinstance(command, UsageError):
        return None
    words = words_of(subject)
    words = words[1:] if bare(words[0]) == "move" else words
    if plan := command.args.get("plan"):
        words = words[: len(words) - len(plan.split())]
    is_move = all(map(like_a_move, words)) and re.search(r"[\w@-]", plain(subject))
    is_whole = not plan or is_plan(plan) or plan == "none"
    return command if (command.verb.reply or is_move) and is_whole else None
