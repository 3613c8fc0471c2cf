"""The beginning of a game: if it may begin, the terms of its players, and the first letters.

The decision if a game may begin; every verb that begins a game asks here.

The game of a newcomer with the player who sent the invitation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ... import games, identity
from ...errors import Refusal, say
from ...games.base import Game
from ...games.hexagon.star import Star
from ...match import Act, Change, Happening, Match, Terms, begin, terms
from ...match.happenings import Away, Began, Invited, Itself
from ...match.terms import NONE, NORMAL
from ...matchmaking.offers import Party
from ...matchmaking.rows import Invitations
from ...store import Board, User
from ..letters.post import tell_account
from ..letters.tell import tell
from ..reminders import leave
from ..work import bots, timekeeping
from ..work.apply import apply
from ..work.feature import Feature, features
from ..work.work import Work

PUZZLE = Terms(time=NONE)  # there is nobody to wait
FRESH_OF_PAIR, FRESH_OF_PLAYER = 5, 20  # games in which not all players have moved yet
INVITATION = "invitation"  # the question of the letter: which move is the first?
INVITED_TO = Star({})


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
        for feature in features(Feature.on_game_start, work.context.config.without)
    )
    return replace(match, counts=tuple(each for count in counts for each in count.items()))


def require_consent(
    work: Work, challenger: User, players: Sequence[User], game: Game, is_proved: bool
) -> None:
    """Raise Refusal if one of the players does not take such a game from the challenger.

    The challenger is not told the player's reason.
    """
    program = next((user for user in players if user.is_program), None)
    if program is not None:
        bots.require_game(work, challenger, program, game, is_proved)
        return
    own = party(work, challenger)
    for other in players:
        if other != challenger and not party(work, other).takes(own, game.word):
            raise Refusal(
                say("{userid} isn't accepting this challenge right now.", userid=other.userid),
                "challenge-not-taken",
            )
    if work.limited:
        _require_begun(work, challenger, players)


def _require_begun(work: Work, challenger: User, players: Sequence[User]) -> None:
    """Raise Refusal if too many games of the challenger wait for the first moves."""
    userids = {user.userid for user in players}
    running = work.tx.boards.of(challenger.userid, "active")
    fresh = [row for row in running if row.length < len(row.seats)]
    between = [row for row in fresh if userids == set(row.seats)]
    if len(between) >= FRESH_OF_PAIR or len(fresh) >= FRESH_OF_PLAYER:
        raise Refusal(
            say(
                "Too many of your new games are still waiting for a first move. Please wait "
                "until some of them have started."
            ),
            "too-many-fresh",
        )


def party(work: Work, user: User) -> Party:
    """Return the facts about a player that decide if others may play with the player, except the strength."""
    running = len(work.tx.boards.of(user.userid, "active"))
    return party_of(work, user, running, work.tx.accounts.blocked_by(user.userid))


def party_of(work: Work, user: User, running: int, blocks: frozenset[str]) -> Party:
    """Return the same about a player with so many ``running`` games who blocks these players."""
    return Party(
        user.userid,
        user.state,
        frozenset(map(identity.reader_mark, work.tx.accounts.addresses(user))),
        frozenset(user.refuses.split()),
        blocks,
        user.most,
        running,
        leave.away_until(work, user.userid) is not None,
    )


def follow_invitation(work: Work, newcomer: User) -> bool:
    """Begin a game of a newcomer with the player who invited the newcomer; return False if none begins.

    It begins with the move that the newcomer has chosen on the board of the invitation, if any.
    """
    invitations, mark = work.tx.of(Invitations), identity.reader_mark(newcomer.address)
    inviter = work.tx.accounts.user(invitations.inviter(mark))
    if inviter is None:
        return False
    try:
        require_consent(work, newcomer, [newcomer, inviter], INVITED_TO, is_proved=True)
    except Refusal:
        invitations.set_begun(mark, 0)
        notice = say(
            "{userid} isn't taking new games right now, so your game hasn't started.",
            userid=inviter.userid,
        )
        tell_account(work, newcomer, say("invitation"), notice, ("match", "who"))
        return False
    seats = (newcomer.userid, inviter.userid)
    because = Invited(inviter.userid, newcomer.userid)
    first = work.guest.first if work.guest.question == INVITATION else ""
    if first:
        board = start_with(work, INVITED_TO, seats, first, because)
    else:
        agreed = agreed_on(work, seats)
        board = start(
            work, INVITED_TO, seats, inviter.userid, because, agreed=agreed, is_proved=True
        )
    invitations.set_begun(mark, board)
    return True
