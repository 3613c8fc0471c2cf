"""The commands of watchers."""

from __future__ import annotations

from ...grammar import arguments as a
from ...grammar import literals
from ...grammar.verb import ACCOUNT, Commands, Verb, Who

EACH, END, DIGEST = "each", "end", "digest"  # the ways in which a watcher is told
_BOARD = a.one_word("watched", literals.read_board, "board#")
_HOW = a.choice("how", (EACH, END, DIGEST), optional=True)

# fmt: off
COMMANDS = Commands(
    game_verbs=(
        Verb("watch", (_BOARD, *ACCOUNT, _HOW),
             "be told of a board of others: of each move, of the end, or in a letter a day",
             "feature.watch", Who.ACCOUNT, "watch 17 carol s3cret end", seats=(2,), unlisted=True),
        Verb("unwatch", (_BOARD, *ACCOUNT), "watch a board no more",
             "feature.unwatch", Who.ACCOUNT, "unwatch 17 carol s3cret", seats=(2,), unlisted=True),
    ),
    verbs=(
        Verb("watch", (_BOARD, *ACCOUNT, _HOW),
             "be told of a board of others: of each move, of the end, or in a letter a day",
             "feature.watch", Who.ACCOUNT, "watch 17 carol s3cret end", common=True, setting=True),
        Verb("unwatch", (_BOARD, *ACCOUNT), "watch a board no more",
             "feature.unwatch", Who.ACCOUNT, "unwatch 17 carol s3cret", setting=True, unlisted=True),
        Verb("watch player", (a.USERID2, *ACCOUNT, _HOW), "watch each game that a player begins",
             "feature.watch_player", Who.ACCOUNT, "watch player bob carol s3cret", setting=True),
        Verb("unwatch player", (a.USERID2, *ACCOUNT), "watch no new games of a player",
             "feature.unwatch_player", Who.ACCOUNT, "unwatch player bob carol s3cret", setting=True,
             unlisted=True),
        Verb("watches", ACCOUNT, "mail me what I watch",
             "feature.list_watches", Who.ACCOUNT, "watches carol s3cret", common=True, setting=True,
             unlisted=True),
    ),
)
# fmt: on
