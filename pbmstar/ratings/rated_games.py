"""Games and ratings: a finished game is rated, or kept with the reason why it is not.

The strength of players, for those who choose opponents for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..identity import mailbox
from ..machine.times import DAY, Epoch
from ..match import Match
from ..store import Tx
from . import fairness, practice
from .fairness import LATE, MASS, RESIGNED, TIME
from .fold import Ended
from .practice import of_program
from .rating import Strength
from .rows import Ratings

# A second loss on time within it counts only if the loser has written since the first.
_WINDOW = 30 * DAY
_AT_ONCE = (
    60.0  # seconds: games that end at the same time are kept as ending shortly after one another
)
_PEAK, _BELOW_PEAK = 365 * DAY, 150  # a highest rating counts for so long, less so many points


def barred(tx: Tx, match: Match) -> str:
    """Return the reason, known from its beginning, why a game is not rated; empty if it may be rated."""
    practice = bool(match.program)
    return fairness.from_the_start(match, practice, not practice and has_one_mailbox(tx, match))


def has_one_mailbox(tx: Tx, match: Match) -> bool:
    """Return True if letters to both players of a board can go to the same mailbox."""
    users = [user for userid in match.seats if (user := tx.accounts.user(userid))]
    boxes = [set(map(mailbox, tx.accounts.addresses(user))) for user in users]
    return len(boxes) == 2 and not boxes[0].isdisjoint(boxes[1])


def follow(tx: Tx, match: Match, ended_now: bool = True) -> None:
    """Rate a game for two that has ended; drop the rating of one whose end was taken back.

    ``ended_now``: the game ends in this transaction, so no rating that was told before changes by it.
    """
    if len(match.seats) == 1:
        return
    if match.position.over:
        rows = tx.of(Ratings)
        (rows.append if ended_now else rows.keep)(ended(tx, match))
    else:
        tx.of(Ratings).drop(match.number)


def ended(tx: Tx, match: Match, known: str | None = None, at: Epoch = 0.0) -> Ended:
    """Return a finished game in the form that the fold of ratings takes.

    ``known``: the reason, found at its end, why it is not rated, or empty; None if the game ends now.
    ``at``: the time at which its end is kept, which counts if it is not before its end.
    """
    program = match.program
    first, second = match.seats if match.seats[0] != program else match.seats[::-1]
    how, measured = fairness.how(match), of_program(match.game.word, program)
    why = barred(tx, match)
    if not why:
        vanished = _vanished(tx, match, how) if known is None else ""
        why = fairness.at_the_end(match, vanished)
    return Ended(
        board=match.number,
        game=match.game.word,
        practice=int(bool(program)),
        measure=measured.rating if measured else 0.0,
        at=max(match.since, at),
        first=first,
        second=second,
        score=0.5 if not match.winner else float(match.winner == first),
        how=how,
        barred=why if known is None or known not in fairness.OF_THE_MOMENT else known,
    )


def _vanished(tx: Tx, match: Match, how: str) -> str:
    """Return the reason why the loser seems to have left; empty for any other end.

    ``TIME``: the loser has lately lost another game on time and has not written since. ``MASS``: the loser
    resigns several games in one moment.
    """
    loser = match.opponent(match.winner) if match.winner else ""
    until = match.since + _AT_ONCE
    if not loser:
        return ""
    if how == RESIGNED:
        at_once = tx.of(Ratings).lost(loser, RESIGNED, match.since, until, match.number)
        return MASS if at_once else ""
    if how == LATE:
        seen = tx.mails.last_seen(loser) or 0.0
        since = max(seen, match.since - _WINDOW)
        return TIME if tx.of(Ratings).lost(loser, LATE, since, until, match.number) else ""
    return ""


def strengths(tx: Tx, now: Epoch, userids: Sequence[str]) -> dict[str, dict[str, Strength]]:
    """Return the ratings of players among people, by userid and word of a game.

    A player counts as not far below the highest rating of the last year.
    """
    found: dict[str, dict[str, Strength]] = {}
    for userid, game, tally, peak in tx.of(Ratings).many(userids, now - _PEAK):
        rating = tally.as_of(now)
        least = 0 if peak is None else round(peak) - _BELOW_PEAK
        own = found.setdefault(userid, {})
        own[game] = Strength(rating.points, rating.is_provisional, least)
    return found


def rival(tx: Tx, userid: str, word: str) -> str:
    """Return the program that is nearest to a player in a game.

    The practice rating counts, or else the rating among people. A player who has neither gets the weakest.
    """
    of = tx.of(Ratings).of
    tally = of(userid, word, practice=True) or of(userid, word, practice=False)
    return practice.nearest(word, tally.rating if tally else practice.NEW)
