"""The command language: one table of verbs, from which parser, usage lines, help and handlers come.

Its verbs, arguments and words come from ``grammar``; features' rows are gathered here.

``table``      all verbs, and the words that no userid can be
``parse``      reads one line; ``recognition`` tells commands from talk, and lines with passwords
``split``      the commands and the comment of a message; ``reply`` does it for a reply to a letter,
               ``digest_reply`` for one to a digest, ``proved`` for replies in which userid and password
               are left out
``further``    the commands among the words of a message

All are pure, and raise nothing except UsageError and BadInput.
"""

from . import found
from .courtesy import is_courtesy
from .digest_reply import DigestLine, read_digest_reply
from .further import full, not_passed_on, players_named
from .parse import PLAIN_MOVES, Command, parse, parse_reply
from .proved import Replier, boards_named, read_account_reply, read_proved, with_game
from .reply import FirstMove, Reply, is_greeting, one_move, read_first_move, read_reply
from .split import (
    COMMANDS_A_MAIL,
    Said,
    Split,
    answered_board,
    behind_prefix,
    board_answered,
    open_lines,
    split,
)
from .table import GAME_VERBS, RESERVED, SERVER_VERBS, named, usage, usage_text, verbs

__all__ = [
    "COMMANDS_A_MAIL", "GAME_VERBS", "PLAIN_MOVES", "RESERVED", "SERVER_VERBS", "Command", "DigestLine",
    "FirstMove", "Replier", "Reply", "Said", "Split", "answered_board", "behind_prefix", "board_answered",
    "boards_named", "found", "full", "is_courtesy", "is_greeting", "named", "not_passed_on", "one_move",
    "open_lines", "parse", "parse_reply", "players_named", "read_account_reply", "read_digest_reply",
    "read_first_move", "read_proved", "read_reply", "split", "usage", "usage_text", "verbs", "with_game",
]  # fmt: skip
