"""The contest that a command is about."""

from __future__ import annotations

from ... import games
from ...errors import Refusal, say, together
from ...store import Tx
from .rows import CLOSED, Contest, Contests

_NONE = {
    "ladder": say("There's no {game} ladder on this server."),
    "league": say("There's no {game} league on this server."),
}


def the_open(tx: Tx, kind: str, word: str) -> Contest:
    """Return the ladder of a game, or the newest season of its league; ``kind``: a key of ``_NONE``.

    Raises Refusal if there is none, or if it's closed.
    """
    newest = tx.of(Contests).newest(kind, word)
    if not newest or newest[0].state == CLOSED:
        alive = tx.of(Contests).all(alive=True)
        there = sorted({each.game for each in alive if each.kind == kind})
        known = (
            say("There's one for {words}.", words=tuple(there))
            if there
            else say("There isn't one for any other game, either.")
        )
        missing = _NONE[kind].given(game=games.title_of(word))
        raise Refusal(together(missing, known), "no-contest")
    return newest[0]
