"""Which lines of a mail are commands, and which are the comment."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .. import games
from ..errors import UsageError
from ..games.text import plain
from .ahead import plans_at
from .meant import (
    explain,
    may_hold_command,
    may_hold_password,
    read,
    unbulleted,
    without_game,
)
from .parse import Command

COMMANDS_A_MAIL = 20
_FEW = 2  # words of a Subject that may be called out
# In our capitals: "star board 17" is what a player has typed.
_OWN_SUBJECT = re.compile(
    rf"(?:New |Nag: )?({'|'.join(re.escape(game.title) for game in games.GAMES)}) Board ([0-9]+)"
    r"( [\w-]+)?( Error)?( \*\*)?"
)
_QUOTED = re.compile(r"""(["'`])([^"'`]+)\1[!?.]?""")
_PREFIXES = re.compile(r"(?:[^\s:]{1,12}: *)+")  # Re: and its like in other languages


@dataclass(frozen=True)
class Split:
    """What a mail says.

    commands  in order; in the place of one that cannot be read, why not
    comment   the writer's words to the opponent
    withheld  how many lines are left out of the comment because they may hold a password
    too_many  how many commands came after the COMMANDS_A_MAIL that are among ``commands``
    """

    commands: tuple[Command | UsageError, ...]
    comment: str = ""
    withheld: int = 0
    too_many: int = 0


def split(subject: str, is_reply: bool, lines: Iterable[str]) -> Split:
    """The commands of a mail and its comment.

    A Subject that is a command is the only one, the body its comment; else the commands are those
    body lines that are one, and the comment is what other text follows the first of them. Where
    there is none at all, a Subject or a line that begins like one is taken for one after all: its
    writer is told what could follow.
    """
    lines = list(lines)
    by_subject = subject_command(subject, is_reply)
    words = subject.split()
    if by_subject is None or (len(words) == 1 and isinstance(by_subject, UsageError)):
        body = split_body(lines)
        if body.commands:
            return body
        by_subject = by_subject or _last_resort("" if is_reply else subject, lines)
    if by_subject is None:
        return Split(())
    below = [line for line in lines if line.split() != words]
    below = below[keep_plans(by_subject, below) :]
    if keep_text(by_subject, below):
        return Split((by_subject,))
    comment, withheld = open_lines(below)
    return Split((by_subject,), comment, withheld)


def subject_command(subject: str, is_reply: bool) -> Command | UsageError | None:
    """The command that a Subject is; None for talk, for a Re: and for a Subject of our own letters."""
    if is_reply or _OWN_SUBJECT.fullmatch(subject):
        return None
    if quoted := _QUOTED.fullmatch(plain(subject).strip()):
        subject = quoted[2]  # as our letters write it: Send the command "help" as the Subject
    # "Help!": no password stands in so few words.
    return read(subject.rstrip(" !?.") if len(subject.split()) <= _FEW else subject)


def answered_board(subject: str) -> str:
    """How a move is written on the board that a Subject of our own letters names; empty for others."""
    ours = _OWN_SUBJECT.fullmatch(_PREFIXES.sub("", subject.strip()))
    if not ours:
        return ""
    game = next(game for game in games.GAMES if game.title == ours[1])
    return f"{game.word} move {ours[2]} userid password {game.written}"


def split_body(lines: Iterable[str]) -> Split:
    """The body lines that are commands, and the comment below the first of them."""
    commands: list[Command | UsageError] = []
    rest: list[str] = []
    lines, at = list(lines), 0
    while at < len(lines):
        line, at = lines[at], at + 1
        command = read(unbulleted(line))
        if command is not None:
            commands.append(command)
            at += keep_plans(command, lines[at:])
        elif commands and not keep_text(commands[-1], [line]):
            rest.append(line)
    comment, withheld = open_lines(rest)
    too_many = max(0, len(commands) - COMMANDS_A_MAIL)
    return Split(tuple(commands[:COMMANDS_A_MAIL]), comment, withheld, too_many)


def keep_plans(command: Command | UsageError, lines: Sequence[str]) -> int:
    """Add the plans below a move to it, which are not for the opponent; returns how many lines that takes."""
    if not isinstance(command, Command) or command.verb.name != "move":
        return 0
    if command.game is None or len(command.game.seats) == 1:
        return 0
    plans, length = plans_at(lines)
    command.args["plan"] = "; ".join(filter(None, [command["plan"], *plans]))
    return length


def keep_text(command: Command | UsageError, lines: Sequence[str]) -> bool:
    """Whether the lines below a command are its own, and no comment: then it has them, as ``below``."""
    if not isinstance(command, Command) or not command.verb.own_text:
        return False
    command.args.setdefault("below", []).extend(lines)
    return True


def open_lines(lines: Iterable[str]) -> tuple[str, int]:
    """The lines that an opponent may read, and how many others there were."""
    lines = list(lines)
    text = "\n".join(lines)
    if not may_hold_command(text):
        return text.strip("\n"), 0
    shown = [line for line in lines if not may_hold_password(line)]
    return "\n".join(shown).strip("\n"), len(lines) - len(shown)


def _last_resort(subject: str, lines: Sequence[str]) -> UsageError | None:
    """Why the Subject, or the first line that begins like a command, is none."""
    if _OWN_SUBJECT.fullmatch(subject):
        subject = ""
    reasons = itertools.chain(
        [without_game(subject), explain(subject, any_word=True)],
        (explain(line, any_word=False) for line in lines),
        map(without_game, lines),
    )
    return next(filter(None, reasons), None)
