"""The command language: one table of verbs, from which parser, usage lines, help and handlers come.

``table``      the verbs, and the words that no userid can be; ``arguments``, ``plan_arguments`` and
               ``offer_arguments`` the arguments of verbs, ``literals`` their single words
``parse``      reads one line; ``recognition`` tells commands from talk, and lines with passwords
``split``      the commands and the comment of a mail; ``reply`` those of a reply to a letter,
               ``digest_reply`` to a digest

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
    Ranking,
    Secret,
    read_address,
    read_password,
    read_userid,
)
from .offer_arguments import Sought
from .parse import PLAIN_MOVES, Command, parse, parse_reply, parse_setting
from .reply import Reply, is_greeting, read_reply
from .split import COMMANDS_A_MAIL, Split, answered_board, open_lines, split
from .table import GAME_VERBS, RESERVED, SERVER_VERBS, Verb, Who, named, usage, usage_text, verbs

__all__ = [
    "COMMANDS_A_MAIL", "COPYING", "GAME_VERBS", "MASK", "PLAIN_MOVES", "RESERVED", "SENTENCE_WORDS",
    "SERVER_VERBS", "Argument", "Command", "DigestLine", "Filters", "Ranking", "Reply", "Secret",
    "Sought", "Split", "Verb", "Who", "answered_board", "found", "is_courtesy", "is_greeting", "named",
    "open_lines", "parse", "parse_reply", "parse_setting", "read_address", "read_digest_reply",
    "read_password", "read_reply", "read_userid", "split", "usage", "usage_text", "verbs",
]  # fmt: skip
