"""Apply an act to a match: the one place where a match changes and is stored. Nothing is mailed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .. import games
from ..errors import BadInput, Refusal
from ..games.base import Game
from ..match import ASKING, Act, Happening, Match, Terms, act
from ..store import Best, User
from . import clocks
from .work import BoardRefusal, Work

# What is worth keeping beside the moves; the rest is in the record itself.
_EVENTS = frozenset(
    (clocks.GIVEN, "undone", "retracted", "proposed", "refused", "reset", "unreached")
)


class Change(NamedTuple):
    """What an act has made of a match, and what happened to it."""

    before: Match
    after: Match
    happenings: tuple[Happening, ...]


def load(work: Work, number: int, kind: type[Game] | None = None) -> Match:
    """The match of a board. Raises BadInput if there is none of that number.

    ``kind`` is the game that was asked for, if one was.
    """
    row = work.tx.board(number)
    if row is None:
        word = kind.word if kind else "star"
        raise BadInput(
            f"There is no board {number}. To see which there are: {word} games", "no-board"
        )
    return work.context.matches.match(work.tx, row)


def look(work: Work, number: int, reader: User, kind: type[Game] | None = None) -> Match:
    """The match of a board that an account asks to see, as ``load``. Raises Refusal if it may not."""
    match = load(work, number, kind)
    if not may_see(match.terms, match.seats, names_of(work, reader)):
        text = f"That board is private: board {number} is shown to its players only."
        raise Refusal(text, "private")
    return match


def names_of(work: Work, reader: User) -> frozenset[str]:
    """The userids of all accounts at a reader's address."""
    return frozenset(user.userid for user in work.tx.users_at(reader.address))


def may_see(agreed: Terms, seats: Sequence[str], names: frozenset[str]) -> bool:
    """Whether who reads mail by these ``names`` is shown a board: a private one only to its players."""
    return not agreed.private or not names.isdisjoint(seats)


def apply(work: Work, match: Match, wanted: Act) -> Change:
    """Carry out an act: store the match that comes of it, with all that follows.

    Raises BoardRefusal, and then nothing has changed.
    """
    if wanted.kind in ASKING and len(match.seats) > 1:
        wanted = wanted._replace(events=tuple(work.tx.events(match.number)))
    try:
        after, happenings = act(match, wanted, work.now)
    except Refusal as error:
        raise BoardRefusal(str(error), error.code, match) from None
    change = Change(match, clocks.turned(work, match, after), happenings)
    if any(happening.kind == "declined" for happening in happenings):
        work.tx.drop_board(match.number)
        return change
    store(work, change)
    return change


def store(work: Work, change: Change) -> None:
    """Keep what has become of a match."""
    work.tx.save(change.before, change.after)
    for happening in change.happenings:
        if happening.kind in _EVENTS:
            work.tx.add_event(
                change.after.number, work.now, happening.userid, happening.kind, happening.text
            )
    if change.after.rank is not None:
        _keep_best(work, change.after, change.after.rank)
    work.context.matches.keep(change.after, games.dump(change.after.game))


def _keep_best(work: Work, match: Match, rank: int) -> None:
    """Keep the end of a puzzle among the best, if its player has reached nothing better before."""
    game = match.game
    (userid,) = match.seats
    (note,) = match.score.notes
    best = Best(
        game.word, games.dump(game), userid, rank, match.turns, match.since, match.number, note
    )
    work.tx.keep_best(best)
