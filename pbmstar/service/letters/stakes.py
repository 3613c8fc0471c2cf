"""The standing of a board for its letters: what is at stake, titles, and a next game after the end."""

from __future__ import annotations

from dataclasses import replace

from ...errors import Said
from ...features.feature import features, opponents
from ...match import Match
from ...render.facts import BoardFacts, NextGame
from ...store import Tx, User
from ..work.work import Work

_ANOTHER = NextGame("match")  # if the opponent takes no games any more
_AGAIN = NextGame("rematch")


def of(work: Work, match: Match, reader: str, has_left: bool = False) -> BoardFacts:
    """Return what a letter tells ``reader`` about a new or a finished game; nothing for a puzzle.

    ``reader``: a userid; empty for a watcher. ``has_left``: the opponent leaves the server just now.
    """
    if len(match.seats) == 1:
        return BoardFacts()
    told = (feature.stakes(work, match, reader) for feature in work.context.features)
    facts = BoardFacts(more=tuple(filter(None, told)))
    if not match.position.over:
        titles = {who: won for who in match.seats if (won := titles_of(work.tx, who))}
        return replace(facts, titles=titles or None)
    if reader:
        return replace(facts, next_game=_ANOTHER if has_left else _next(work, match, reader))
    return facts


def titles_of(tx: Tx, userid: str) -> list[Said]:
    """Return a player's titles, as each feature words what the player has won there."""
    return [title for feature in features() for title in feature.titles(tx, userid)]


def _next(work: Work, match: Match, reader: str) -> NextGame:
    """Return one proposal for a next game.

    It is what a feature proposes, otherwise the same opponent again. If that opponent takes no games any
    more, it is a search for another one.
    """
    opponent = work.tx.accounts.user(match.opponent(reader))
    if opponent is None or not (opponent.state == "active" or _plays(work, match, opponent)):
        return _ANOTHER
    proposed = (each.next_game(work, match, reader) for each in work.context.features)
    return next(filter(None, proposed), _AGAIN)


def _plays(work: Work, match: Match, opponent: User) -> bool:
    """Return True if the opponent is a program that plays such a game again."""
    return opponent.is_program and opponent.userid in opponents(work, match.game)
