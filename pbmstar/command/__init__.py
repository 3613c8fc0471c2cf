"""The command language: one table of verbs, from which parser, usage lines, help and handlers come.

``table``      the verbs; ``arguments`` what they take, ``values`` one word of it
``parse``      reads one line; ``meant`` tells commands from talk, and lines with passwords
``split``      the commands and the comment of a mail; ``reply`` those of a reply to a letter,
               ``digest`` to a digest

All are pure, and nothing but UsageError and BadInput comes out of them.
"""

from .arguments import Argument
from .digest import Line, read_digest_reply
from .parse import PLAIN_MOVES, Command, parse, parse_reply
from .reply import Reply, is_greeting, read_reply
from .split import COMMANDS_A_MAIL, Split, answered_board, open_lines, split
from .table import GAME_VERBS, SERVER_VERBS, Verb, Who, usage, usage_text, verbs
from .values import MASK, RESERVED, Filters, Secret, read_address, read_password, read_userid

__all__ = [
    "COMMANDS_A_MAIL",
    "GAME_VERBS",
    "MASK",
    "PLAIN_MOVES",
    "RESERVED",
    "SERVER_VERBS",
    "Argument",
    "Command",
    "Filters",
    "Line",
    "Reply",
    "Secret",
    "Split",
    "Verb",
    "Who",
    "answered_board",
    "is_greeting",
    "open_lines",
    "parse",
    "parse_reply",
    "read_address",
    "read_digest_reply",
    "read_password",
    "read_reply",
    "read_userid",
    "split",
    "usage",
    "usage_text",
    "verbs",
]
