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
             "follow someone else's game: every move, only the end, or one letter a day",
             "feature.watch", Who.ACCOUNT, "watch 17 carol s3cret end", seats=(2,), unlisted=True),
        Verb("unwatch", (_BOARD, *ACCOUNT), "stop following a board",
             "feature.unwatch", Who.ACCOUNT, "unwatch 17 carol s3cret", seats=(2,), unlisted=True),
    ),
    verbs=(
        Verb("watch", (_BOARD, *ACCOUNT, _HOW),
             "follow someone else's game: every move, only the end, or one letter a day",
             "feature.watch", Who.ACCOUNT, "watch 17 carol s3cret end", common=True, setting=True),
        Verb("unwatch", (_BOARD, *ACCOUNT), "stop following a board",
             "feature.unwatch", Who.ACCOUNT, "unwatch 17 carol s3cret", setting=True, unlisted=True),
        Verb("watch player", (a.USERID2, *ACCOUNT, _HOW), "follow every game a player starts",
             "feature.watch_player", Who.ACCOUNT, "watch player bob carol s3cret", setting=True),
        Verb("unwatch player", (a.USERID2, *ACCOUNT), "stop following a player's new games",
             "feature.unwatch_player", Who.ACCOUNT, "unwatch player bob carol s3cret", setting=True,
             unlisted=True),
        Verb("watches", ACCOUNT, "show what you're following",
             "feature.list_watches", Who.ACCOUNT, "watches carol s3cret", common=True, setting=True,
             unlisted=True),
    ),
)
# fmt: on
