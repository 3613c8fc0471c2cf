"""The beginning of a game: the terms of its players, and the first letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ... import games
from ...games.base import Game
from ...match import Act, Change, Happening, Match, Terms, begin, terms
from ...match.happenings import Away, Began, Itself
from ...match.terms import NONE, NORMAL
from ...store import Board
from ..letters.tell import tell
from ..reminders import leave
from ..work import timekeeping
from ..work.apply import apply
from ..work.feature import Feature, that_answer
from ..work.work import Work

PUZZLE = Terms(time=NONE)  # there is nobody to wait


def agreed_on(
    work: Work,
    seats: Sequence[str],
    chosen: Mapping[str, Any] | None = None,
    before: Terms | None = None,
) -> Terms:
    """Return the terms of a new game: the ``chosen`` ones, and the others as ``before``, or as usual.

    Weekends follow the present time zone of each player.
    """
    if len(seats) == 1:
        return PUZZLE
    chosen = dict(chosen or {})
    base = (before or Terms(time=work.context.time))._replace(contest="")
    users = map(work.tx.accounts.user, seats) if chosen.pop("weekends", bool(base.weekends)) else ()
    zones = tuple(user.zone if user else "" for user in users)
    if chosen.get("time") == NORMAL:
        chosen["time"] = work.context.time
    return base._replace(**chosen, weekends=zones)


def start(
    work: Work,
    game: Game,
    seats: tuple[str, ...],
    challenger: str,
    *because: Happening,
    agreed: Terms,
    is_proved: bool,
) -> int:
    """Start a game and tell its players why, with the happenings in ``because``; return the board's number.

    ``is_proved``: the mail proves that the challenger wrote it.
    """
    match = _begun(work, game, seats, agreed, is_proved)
    reasons = _reasons(work, match, because, challenger)
    tell(work, Change(match, match, reasons), challenger)
    return match.number


def start_untold(
    work: Work, game: Game, seats: tuple[str, ...], *because: Happening, agreed: Terms
) -> int:
    """Start a game of which another letter tells its players; return the board's number."""
    match = _begun(work, game, seats, agreed, is_proved=True)
    tell(work, Change(match, match, _reasons(work, match, because, "")), to=())
    return match.number


def start_with(
    work: Work, game: Game, seats: tuple[str, str], move: str, *because: Happening
) -> int:
    """Start a game of a proved player with a first move; return the board's number.

    One letter tells why it began, with the happenings in ``because``, and tells of the move.
    """
    player, _ = seats
    match = _begun(work, game, seats, agreed_on(work, seats), is_proved=True)
    reasons = _reasons(work, match, because, player)
    moved = apply(work, match, Act(player, "move", move))
    tell(work, moved._replace(happenings=(*reasons, *moved.happenings)), player)
    return match.number


def _reasons(
    work: Work, match: Match, because: Sequence[Happening], challenger: str
) -> tuple[Happening, ...]:
    """Return the happenings of the first letter: why the game began, and who is away. Events are kept."""
    # Nobody waits in a puzzle.
    waited_for = match.seats if match.terms.leave and len(match.seats) > 1 else ()
    absent = [
        Away(userid, until)
        for userid in waited_for
        if (until := leave.away_until(work, userid)) is not None
    ]
    is_met = any(isinstance(each, Itself) and each.is_met for each in because)
    for each in because:
        if each.is_event:
            work.tx.boards.add_event(match.number, work.now, each)
    return (*because, *absent, Began("" if is_met else challenger))


def _begun(work: Work, game: Game, seats: tuple[str, ...], agreed: Terms, is_proved: bool) -> Match:
    """Store a new game, and return it."""
    match = begin(0, game, seats, work.now, agreed)
    row = Board(
        board=0,
        game=game.word,
        options=games.dump(game),
        made=work.now,
        resets=0,
        length=0,
        to_move=match.to_move,
        result="",
        since=work.now,
        due=work.now,
        terms=terms.dump(agreed),
        told=None,
        clock_from=None,
        proved=int(is_proved),
        seats=seats,
        banks=match.clock.banks,
    )
    match = replace(match, number=work.tx.boards.add(row))
    match = replace(match, clock=timekeeping.fresh(work, match, match.clock.banks))
    work.tx.boards.set_clock(match.number, match.clock.announced_by, match.clock.began)
    counts = (
        feature.on_game_start(work, match)
        for feature in that_answer(Feature.on_game_start, work.context.config.without)
    )
    return replace(match, counts=tuple(each for count in counts for each in count.items()))
