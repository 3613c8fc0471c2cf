"""The command language: one table of verbs, from which parser, usage lines and help come.

``parse`` reads one line, ``parse_reply`` the bare line of a reply, ``split`` finds the commands of a
mail. All are pure.
"""

from .parse import Command, parse, parse_reply
from .split import is_command, is_secretive, is_whole, split
from .table import GAME_VERBS, REPLY_VERBS, SERVER_VERBS, Verb, usage, verbs
from .words import MASK, RESERVED, Secret, read_address, read_password, read_userid

COMMANDS_A_MAIL = 20

__all__ = [
    "COMMANDS_A_MAIL",
    "GAME_VERBS",
    "MASK",
    "REPLY_VERBS",
    "RESERVED",
    "SERVER_VERBS",
    "Command",
    "Secret",
    "Verb",
    "is_command",
    "is_secretive",
    "is_whole",
    "parse",
    "parse_reply",
    "read_address",
    "read_password",
    "read_userid",
    "split",
    "usage",
    "verbs",
]
