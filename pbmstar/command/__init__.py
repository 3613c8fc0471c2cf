"""The command language: one table of verbs, from which parser, usage lines, help and handlers come.

``verb``       a verb; ``table`` all of them, and the words that no userid can be
``arguments``  the arguments of verbs, with ``plan_arguments``; ``literals`` their single words
``parse``      reads one line; ``recognition`` tells commands from talk, and lines with passwords
``split``      the commands and the comment of a message; ``reply`` those of a reply to a letter,
               ``digest_reply`` to a digest, ``proved`` of replies in which userid and password
               are left out

All are pure, and raise nothing except UsageError and BadInput.
"""

from . import found
from .arguments import Argument
from .courtesy import is_courtesy
from .digest_reply import DigestLine, read_digest_reply
from .literals import (
    COPYING,
    MASK,
    SENTENCE_WORDS,
    Filters,
    Secret,
    read_address,
    read_password,
    read_userid,
)
from .parse import PLAIN_MOVES, Command, parse, parse_reply
from .proved import Replier, boards_named, read_account_reply, read_proved, with_game
from .reply import FirstMove, Reply, is_greeting, read_first_move, read_reply
from .split import COMMANDS_A_MAIL, Split, answered_board, open_lines, split
from .table import GAME_VERBS, RESERVED, SERVER_VERBS, named, usage, usage_text, verbs
from .verb import Verb, Who

__all__ = [
    "COMMANDS_A_MAIL", "COPYING", "GAME_VERBS", "MASK", "PLAIN_MOVES", "RESERVED", "SENTENCE_WORDS",
    "SERVER_VERBS", "Argument", "Command", "DigestLine", "Filters", "FirstMove", "Replier", "Reply",
    "Secret", "Split", "Verb", "Who", "answered_board", "boards_named", "found", "is_courtesy", "is_greeting",
    "named", "open_lines", "parse", "parse_reply", "read_account_reply", "read_address", "read_digest_reply",
    "read_first_move", "read_password", "read_proved", "read_reply", "read_userid", "split", "usage",
    "usage_text", "verbs", "with_game",
]  # fmt: skip
