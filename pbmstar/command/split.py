"""Divide a message into its commands and its comment."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from .. import games
from ..errors import UsageError
from ..games.base import Game
from ..grammar.arguments import is_plan_word
from ..grammar.literals import game_of
from ..grammar.plan_arguments import plans_at
from ..grammar.verb import Who
from ..grammar.words import beginning
from .further import divided, full
from .parse import Command, parse
from .recognition import (
    explain,
    may_hold_command,
    may_hold_password,
    may_hold_secret,
    names_secret,
    read,
    unbulleted,
    unquoted,
    without_game,
)

COMMANDS_A_MAIL = 20
_HELP = "help"
_FEW = 2  # words of a Subject that may end with marks: Help!
# In our capitals: a player has typed "star board 17".
_OWN_SUBJECT = re.compile(
    rf"(?:New |Nag: |Reminder: )?({'|'.join(re.escape(game.title) for game in games.GAMES)}) Board ([0-9]+)"
    r"( [\w-]+)?( Error)?( \*\*)?( - .*)?"
)
_PREFIXES = re.compile(r"(?:[^\s:]{1,12}: *)+")  # Re: and its like in other languages
_OWN_PREFIXES = re.compile(rf"{_PREFIXES.pattern}(?<=\b(?:Star|Help): )")  # "Re: Star: help"


class Said(NamedTuple):
    """The writer's words to an opponent.

    withheld  the number of lines left out of them since they may hold a password or a plan
    """

    comment: str = ""
    withheld: int = 0


@dataclass(frozen=True)
class Split:
    """A message, divided.

    commands  in order; in the place of one that cannot be read, the reason
    said      the words to the opponent of each command, or only of the first
    too_many  the number of commands after the COMMANDS_A_MAIL that are among ``commands``
    """

    commands: tuple[Command | UsageError, ...]
    said: tuple[Said, ...] = (Said(),)
    too_many: int = 0


def split(subject: str, is_reply: bool, lines: Iterable[str]) -> Split:
    """Return the commands of a message and its comment.

    A Subject that is a command is the only command, and the body its comment. Otherwise each body line that
    is a command is one, and the other text below it is its comment. If there is none at all, a Subject or a
    line that begins like a command counts as one: the writer is told the words that could follow.
    """
    lines = list(lines)
    if not is_reply and (game := game_of(subject.strip(" !?."))):
        return _of_game(game, lines)
    by_subject = subject_command(subject, is_reply)
    words = subject.split()
    if by_subject is None or (len(words) == 1 and isinstance(by_subject, UsageError)):
        body = split_body(lines)
        if body.commands:
            return body
        by_subject = by_subject or _last_resort("" if is_reply else subject, lines)
    if by_subject is None:
        return Split(())
    command, below, hidden = with_plans(by_subject, without(subject, lines))
    command, below = with_text(command, below)
    below, further = divided(below)
    comment, withheld = open_lines(below)
    return Split((command, *further), (Said(comment, withheld + hidden),))


def without(subject: str, lines: Iterable[str]) -> list[str]:
    """Return the lines of a body but those that repeat a command in its Subject."""
    words = subject.rstrip(" .!").split()
    begin = words[0] if words else ""  # most lines lack it, which is found out much sooner
    return [line for line in lines if begin not in line or line.rstrip(" .!").split() != words]


def _of_game(game: type[Game], lines: Sequence[str]) -> Split:
    """Return the commands of a message whose Subject is the word of a game alone.

    The lines need not repeat it. Without a command it asks for the page of the game.
    """
    whole = [f"{game.word} {unbulleted(line)}" for line in lines]
    commands = [
        new if read(line) is None and isinstance(read(new), Command) else line
        for line, new in zip(lines, whole, strict=True)
    ]
    body = split_body(commands)
    return body if body.commands else Split((parse(f"{game.word} {_HELP}"),))


def subject_command(subject: str, is_reply: bool) -> Command | UsageError | None:
    """Return the command in a Subject; None for talk, for a Re: and for a Subject of our own letters."""
    if is_reply or subject_of_ours(subject):
        return None
    subject = unquoted(subject)  # our letters say: send the command "help" as the Subject
    if _asks_for_help(subject):
        subject = _HELP
    # "Help!": no password stands in so few words.
    return read(subject.rstrip(" !?.") if len(subject.split()) <= _FEW else subject)


def _asks_for_help(line: str) -> bool:
    """Return True if a line is the word help in another language; other words of it prove too little here."""
    found = beginning(line.rstrip(" !?."))
    return found is not None and not found.rest and found.meanings == (_HELP,)


def subject_of_ours(subject: str) -> bool:
    """Return True if a Subject belongs to one of our letters about a board."""
    return _OWN_SUBJECT.fullmatch(subject) is not None


def answered_board(subject: str) -> str:
    """Return a model of a move on the board that a Subject of our own letters names; empty for others."""
    ours = _OWN_SUBJECT.fullmatch(_PREFIXES.sub("", subject.strip()))
    if not ours:
        return ""
    game = next(game for game in games.GAMES if game.title == ours[1])
    return f"{game.word} move {ours[2]} userid password {game.written}"


def board_answered(subject: str) -> int:
    """Return the board that a Subject of our own letters, or an answer to it, names; 0 for others."""
    ours = _OWN_SUBJECT.fullmatch(_PREFIXES.sub("", subject.strip()))
    return int(ours[2]) if ours else 0


def behind_prefix(subject: str) -> Command | None:
    """Return the command that stands behind Re: or its like in a Subject, where it is not read; or None.

    A Subject of our own letters, as in "Re: Star: help", has none.
    """
    if _OWN_PREFIXES.match(subject.strip()):
        return None
    command = subject_command(_PREFIXES.sub("", subject.strip()), is_reply=False)
    return command if isinstance(command, Command) else None


def split_body(lines: Iterable[str]) -> Split:
    """Return the body lines that are commands, and the comment below each of them."""
    commands: list[Command | UsageError] = []
    rests: list[tuple[list[str], int]] = []
    lines = list(lines)
    if lines and _asks_for_help(lines[0]):
        lines[0] = _HELP
    commands_at = [read(unbulleted(line)) for line in lines]
    starts = [at for at, command in enumerate(commands_at) if command is not None]
    for start, end in itertools.pairwise([*starts, len(lines)]):
        command, below, few = commands_at[start], lines[start + 1 : end], 0
        assert command is not None
        if isinstance(command, Command):
            command, below, few = with_plans(command, below)
        elif command.code in _CUT or any(map(is_plan_word, lines[start].split())):
            below, few = [], full(below)
        command, below = with_text(command, below)
        commands.append(command)
        rests.append((below, few))
    return with_words(commands, rests)


def with_words(
    commands: Sequence[Command | UsageError], rests: Iterable[tuple[list[str], int]]
) -> Split:
    """Return a message of these commands, each with the words to its opponent.

    ``rests``: the lines below each command, and how many more of them are withheld.

    Words below a command that goes to no opponent are for the opponent of the command above it, or else
    of the next one. Those below a line that cannot be read go to nobody.
    """
    first = next((at for at, each in enumerate(commands) if _has_opponent(each)), None)
    to = first or 0
    lines: list[list[str]] = [[] for _ in commands]
    hidden = [0 for _ in commands]
    for at, (below, few) in enumerate(rests):
        if first is None or _has_opponent(commands[at]):
            to = at
        lines[to] += below
        hidden[to] += few
    opened = map(open_lines, lines)
    said = [Said(text, few + more) for (text, few), more in zip(opened, hidden, strict=True)]
    too_many = max(0, len(commands) - COMMANDS_A_MAIL)
    return Split(tuple(commands[:COMMANDS_A_MAIL]), tuple(said[:COMMANDS_A_MAIL]), too_many)


def _has_opponent(command: Command | UsageError) -> bool:
    """Return True if words may belong to a command: it's neither about the account nor a question."""
    if isinstance(command, UsageError):
        return True
    return not command.verb.setting and command.verb.who is not Who.ADDRESS


# Errors of a line whose command may go on in the next one.
_CUT = ("missing-board", "missing-userid", "missing-password", "missing-move")
WITH_PLANS = ("move", "plan", "queue")


def with_plans(
    command: Command | UsageError, lines: Sequence[str]
) -> tuple[Command | UsageError, list[str], int]:
    """Return a command with the plans below it, the lines below these, and the number of lines withheld.

    Plans are not for the opponent, and the lines below a plan that is not clear may belong to it.
    """
    if not isinstance(command, Command) or command.verb.name not in WITH_PLANS:
        return command, list(lines), 0
    begun = command.args.get("plan", "")
    if begun == "none" or command.game is None or len(command.game.seats) == 1:
        return command, list(lines), 0
    leading = plans_at(lines, begun)
    if not leading.plans:
        return command, list(lines), 0
    planned = command.knowing({"plan": "; ".join(leading.plans)})
    return planned, list(lines[leading.length :]), 0 if leading.is_clear else full(lines)


def with_text(
    command: Command | UsageError, lines: Sequence[str]
) -> tuple[Command | UsageError, list[str]]:
    """Return a command with the lines below it as ``below`` if they belong to it, and the lines left."""
    if not lines or not isinstance(command, Command) or not command.verb.own_text:
        return command, list(lines)
    return command.knowing({"below": tuple(lines)}), []


def open_lines(
    lines: Iterable[str], names: Callable[[], Collection[str]] = tuple, named: Iterable[str] = ()
) -> tuple[str, int]:
    """Return the lines that an opponent may read, and the number of the others.

    ``names`` finds the userids of their writer; it is asked only if a line may hold a password. ``named``
    are those that are known without asking.
    """
    lines = list(lines)
    text = "\n".join(lines)
    if not may_hold_command(text) and not (may_hold_secret(text) and names_secret(text, named)):
        return text.strip("\n"), 0
    userids = names()
    shown = [line for line in lines if not may_hold_password(line, userids)]
    return "\n".join(shown).strip("\n"), len(lines) - len(shown)


def _last_resort(subject: str, lines: Sequence[str]) -> UsageError | None:
    """Explain why the Subject, or the first line that begins like a command, is not a command."""
    if subject_of_ours(subject):
        subject = ""
    reasons = itertools.chain(
        [without_game(subject), explain(subject, any_word=True)],
        (explain(line, any_word=False) for line in lines),
        map(without_game, lines),
    )
    return next(filter(None, reasons), None)
