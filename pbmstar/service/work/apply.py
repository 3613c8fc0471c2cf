"""Apply an act to a match: the one place where a match changes and is stored. Nothing is mailed."""

from __future__ import annotations

from collections.abc import Sequence

from ... import games
from ...errors import BadInput, Refusal, say
from ...games.base import Game
from ...match import ASKING, Act, Change, Happening, Match, Terms, act
from ...match.happenings import Declined, Hinted, Unlisted
from ...ratings import rated_games
from ...store import Best, Tx, User
from . import timekeeping
from .feature import Feature, features, group_of
from .work import BoardRefusal, Work


def load(work: Work, number: int, kind: type[Game] | None = None) -> Match:
    """Return the match of a board. Raise BadInput if there is no board with that number.

    ``kind``: the game that was asked for, if any, for the text of that error.
    """
    row = work.tx.boards.get(number)
    if row is None:
        word = kind.word if kind else "star"
        raise BadInput(
            say(
                "There's no board {number}. To see your games, reply: {command}",
                number=number,
                command=f"{word} games",
            ),
            "no-board",
        )
    return work.context.matches.match(work.tx, row)


def look(work: Work, number: int, reader: User, kind: type[Game] | None = None) -> Match:
    """Return the match of a board that an account asks to see. Raise Refusal if it may not see it."""
    match = load(work, number, kind)
    names = names_of(work, reader)
    if not may_see(match.terms, match.seats, names):
        group = group_of(work, match)
        if group is None or not group.opens(names):
            text = say("Board {number} is private, so only its players can see it.", number=number)
            raise Refusal(text, "private")
    return match


def as_it_was(match: Match, at: int) -> Match:
    """Return a match as it stood after move ``at``. Raise BoardRefusal if that was not made yet."""
    if at > match.position.played:
        raise BoardRefusal(
            say(
                "The game on board {number} hasn't reached move {move} yet.",
                number=match.number,
                move=at,
            ),
            "no-move",
            match,
        )
    return match.at_move(at)


def names_of(work: Work, reader: User) -> frozenset[str]:
    """Return the userids of all accounts at a reader's address."""
    return frozenset(user.userid for user in work.tx.accounts.users_at(reader.address))


def may_see(agreed: Terms, seats: Sequence[str], names: frozenset[str]) -> bool:
    """Return True if a reader with these ``names`` may see a board: a private one is only for its players."""
    return not agreed.private or not names.isdisjoint(seats)


def apply(work: Work, match: Match, wanted: Act) -> Change:
    """Carry out an act, and store the changed match and its consequences.

    Raise BoardRefusal if the act is not allowed; then nothing has changed.
    """
    if wanted.kind in ASKING and len(match.seats) > 1:
        wanted = wanted._replace(events=tuple(work.tx.boards.events(match.number)))
    try:
        after, happenings = act(match, wanted, work.now)
    except Refusal as error:
        raise BoardRefusal(error.said, error.code, match) from None
    if after.rank is not None and is_hinted(work.tx, after.number):
        happenings += (Unlisted(wanted.userid),)
    change = Change(match, timekeeping.turned(work, match, after), happenings)
    if any(isinstance(each, Declined) for each in happenings):
        work.tx.boards.drop(match.number)
        return change
    follows = store(work, change)
    return change._replace(happenings=(*happenings, *follows)) if follows else change


def store(work: Work, change: Change) -> tuple[Happening, ...]:
    """Store a changed match, and what follows from its end. Return the happenings that follow from it."""
    work.tx.boards.save(change.before, change.after)
    follows: tuple[Happening, ...] = ()
    if change.before.position.over != change.after.position.over:
        rated_games.follow(work.tx, change.after)
        follows = tuple(
            each
            for feature in features(Feature.on_game_end)
            for each in feature.on_game_end(work, change.after)
        )
    for happening in change.happenings:
        if happening.is_event:
            work.tx.boards.add_event(change.after.number, work.now, happening)
    if change.after.rank is not None and not is_hinted(work.tx, change.after.number):
        keep_best(work, change.after, change.after.rank)
    work.context.matches.keep(change.after, games.dump(change.after.game))
    return follows


def is_hinted(tx: Tx, board: int) -> bool:
    """Return True if a hint was asked for on a board: its end is then not the player's own."""
    return any(isinstance(event.happening, Hinted) for event in tx.boards.events(board))


def keep_best(work: Work, match: Match, rank: int) -> None:
    """Keep the end of a puzzle as its player's best, unless an earlier one is better."""
    game = match.game
    (userid,) = match.seats
    (note,) = match.score.notes
    best = Best(
        game.word, games.dump(game), userid, rank, match.turns, match.since, match.number, str(note)
    )
    work.tx.notebook.keep_best(best)
