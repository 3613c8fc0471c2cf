"""The commands of watchers."""

from __future__ import annotations

from ...command import arguments as a
from ...command import literals
from ...command.verb import ACCOUNT, Verb, Who

EACH, END, DIGEST = "each", "end", "digest"  # the ways in which a watcher is told
_BOARD = a.one_word("watched", literals.read_board, "board#")
_HOW = a.choice("how", (EACH, END, DIGEST), optional=True)

# fmt: off
GAME_VERBS = (
    Verb("watch", (_BOARD, *ACCOUNT, _HOW),
         "be told of a board of others: of each move, of the end, or in a letter a day",
         "verbs.watch", Who.ACCOUNT, "watch 17 carol s3cret end", seats=(2,)),
    Verb("unwatch", (_BOARD, *ACCOUNT), "watch a board no more",
         "verbs.unwatch", Who.ACCOUNT, "unwatch 17 carol s3cret", seats=(2,)),
)
VERBS = (
    Verb("watch", (_BOARD, *ACCOUNT, _HOW),
         "be told of a board of others: of each move, of the end, or in a letter a day",
         "verbs.watch", Who.ACCOUNT, "watch 17 carol s3cret end", common=True, setting=True),
    Verb("unwatch", (_BOARD, *ACCOUNT), "watch a board no more",
         "verbs.unwatch", Who.ACCOUNT, "unwatch 17 carol s3cret", setting=True),
    Verb("watch player", (a.USERID2, *ACCOUNT, _HOW), "watch each game that a player begins",
         "verbs.watch_player", Who.ACCOUNT, "watch player bob carol s3cret", setting=True),
    Verb("unwatch player", (a.USERID2, *ACCOUNT), "watch no new games of a player",
         "verbs.unwatch_player", Who.ACCOUNT, "unwatch player bob carol s3cret", setting=True),
    Verb("watches", ACCOUNT, "mail me what I watch",
         "verbs.watches", Who.ACCOUNT, "watches carol s3cret", common=True, setting=True),
)
# fmt: on
