"""What a reply to a board's letter says: in its Subject or in its first line, or in the old syntax."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import UsageError
from ..games.base import Game
from ..games.text import plain
from .ahead import is_plan, plans_at
from .arguments import is_plan_word, like_a_move
from .meant import beginning_of_command, read
from .parse import PLAIN_MOVES, Command, bare, is_reply_word, parse_reply, words_of
from .split import Split, keep_plans, keep_text, open_lines, split_body, subject_command
from .table import reply_verbs

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


def is_greeting(line: str) -> bool:
    """Whether a line is a greeting, perhaps with a name, and nothing else."""
    return _SALUTATION.fullmatch(line.strip()) is not None


@dataclass(frozen=True)
class Reply(Split):
    """What a mail to a reply address says.

    bare  its one command, or why it cannot be read, speaks for the player of the address; else the
          commands are in the old syntax, each with its own proof
    """

    bare: bool = True


def read_reply(
    subject: str, is_reply: bool, lines: Sequence[str], game: type[Game], *, over: bool = False
) -> Reply:
    """The commands of a mail to a reply address, and its comment.

    A Subject that is a move, a reply word or a whole command is what is meant, the body its comment.
    Else it is the first line that is no salutation, and the comment is what follows it. A mail
    without a line has the error ``empty-reply`` for its command. When the game is ``over``, what is
    neither a reply word nor like a move is words for the opponent. Raises nothing.
    """
    lines = list(lines)
    old = subject_command(subject, is_reply)
    if isinstance(old, Command) and not is_reply_word(subject, game):
        return _reply(old, lines[keep_plans(old, lines) :], bare=False)
    if not is_reply and _bare_subject(subject, game):
        whole, length = with_plan([subject, *lines], game)
        return _reply(_bare_command(whole, game), lines[length - 1 :])
    own = [place for place, line in enumerate(lines) if line.strip()]
    if not own:
        return Reply((old or UsageError(_EMPTY, "empty-reply"),), bare=old is None)
    at = next((place for place in own if not is_greeting(lines[place])), own[0])
    if _is_in_full(lines[at], game):
        body = split_body(lines)
        return Reply(body.commands, body.comment, body.withheld, body.too_many, bare=False)
    whole, length = with_plan(lines[at:], game)
    command = _bare_command(whole, game)
    if over and "say" in reply_verbs(game) and _is_talk(command, whole):
        return _reply(Command(reply_verbs(game)["say"], game, {}, "say"), lines)
    return _reply(command, lines[at + length :])


def _is_in_full(line: str, game: type[Game]) -> bool:
    """Whether a line is a command in the old syntax.

    What begins like a reply is one if it can be read as a reply, or not as a command: the two are
    alike where no game word begins the line, ``away alice s3cret 14`` and ``away 14``.
    """
    command = read(line)
    if command is None or is_reply_word(line, game):
        return False
    if bare(words_of(line)[0]) not in reply_verbs(game):
        return True
    try:
        parse_reply(line, game)
    except UsageError:
        return isinstance(command, Command)
    return False


_EMPTY = (
    "Your reply has no line of its own: what it quotes and signatures are not read, nor a line with "
    "only stop, quit or end and what follows it. A Subject is your move if it says nothing else."
)


def _reply(command: Command | UsageError, below: Sequence[str], bare: bool = True) -> Reply:
    if keep_text(command, below):
        return Reply((command,), bare=bare)
    comment, withheld = open_lines(below)
    return Reply((command,), comment, withheld, bare=bare)


def with_plan(lines: Sequence[str], game: type[Game]) -> tuple[str, int]:
    """The first line with the plan that follows it, and how many lines these are.

    Plans below a move or a plan are further alternatives.
    """
    words = words_of(lines[0])
    verb = reply_verbs(game).get(bare(words[0])) if words else None
    if verb is not None and verb.name not in ("plan", *PLAIN_MOVES):
        return lines[0], 1
    begin = next((at for at, word in enumerate(words) if is_plan_word(word)), len(words))
    first = [" ".join(words[begin:])] if begin < len(words) else []
    plans, length = plans_at([*first, *lines[1:]])
    if not plans:
        return lines[0], 1
    return " ".join([*words[:begin], "; ".join(plans)]), length + 1 - len(first)


def _bare_command(line: str, game: type[Game]) -> Command | UsageError:
    command: Command | UsageError
    try:
        command = parse_reply(line, game)
    except UsageError as error:
        command = error
    # The board will know that it is no move; what it repeats of it is to be no password.
    if _is_talk(command, line) and (beginning := beginning_of_command(line)):
        if isinstance(command, Command):
            return replace(command, understood=beginning)
        command.understood = beginning
    return command


def _is_talk(command: Command | UsageError, line: str) -> bool:
    """Whether a line is neither a command that can be read nor like a move."""
    if isinstance(command, UsageError):
        return True
    return not command.verb.reply and not all(map(like_a_move, words_of(line)))


def _bare_subject(subject: str, game: type[Game]) -> Command | None:
    """The command of a Subject that is a move or a reply word by its form, and nothing else."""
    command = _bare_command(subject, game)
    if isinstance(command, UsageError):
        return None
    words = words_of(subject)
    if plan := command.args.get("plan"):
        words = words[: len(words) - len(plan.split())]
    is_move = all(map(like_a_move, words)) and re.search(r"[\w@-]", plain(subject))
    is_whole = not plan or is_plan(plan) or plan == "none"
    return command if (command.verb.reply or is_move) and is_whole else None
