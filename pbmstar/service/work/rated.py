"""A game that ends is rated, or says why it is not; one that goes on after all is not rated any more."""

from __future__ import annotations

from ... import identity
from ...contest import fairness
from ...contest.fairness import LATE, MASS, RESIGNED, TIME
from ...contest.fold import Ended
from ...contest.practice import of_bot
from ...match import Match
from ...match.terms import DAY
from ...store import Tx, User
from .bot_budget import bot_of

_WINDOW = 30 * DAY  # in which a player who lost on time has to write for another such loss to count


def barred(tx: Tx, match: Match) -> str:
    """Return why a game is not rated, as far as its beginning tells; empty if it may be."""
    with_bot = bool(bot_of(tx, match.seats))
    return fairness.from_the_start(match, with_bot, not with_bot and has_one_mailbox(tx, match))


def has_one_mailbox(tx: Tx, match: Match) -> bool:
    """Return True if letters to both players of a board can go to the same mailbox."""
    users = [user for userid in match.seats if (user := tx.accounts.user(userid))]
    first, *others = (mailboxes(tx, user) for user in users) if users else [frozenset[str]()]
    return any(not first.isdisjoint(other) for other in others)


def mailboxes(tx: Tx, user: User) -> frozenset[str]:
    """Return the mailboxes of an account: what all spellings of each of its addresses have in common."""
    return frozenset(map(identity.mailbox, tx.accounts.addresses(user)))


def follow(tx: Tx, match: Match) -> None:
    """Rate a game for two that has just ended; forget one that goes on after its end was taken back."""
    if len(match.seats) == 1:
        return
    if match.position.over:
        tx.ratings.keep(ended(tx, match))
    else:
        tx.ratings.drop(match.number)


def ended(tx: Tx, match: Match, known: str | None = None) -> Ended:
    """Return a game that is over as the fold knows it.

    ``known``: why it is not rated, if that was found out when it ended; None if it ends now.
    """
    bot = bot_of(tx, match.seats)
    first, second = match.seats if match.seats[0] != bot else match.seats[::-1]
    how, measured = fairness.how(match), of_bot(match.game.word, bot)
    why = barred(tx, match)
    if not why:
        vanished = _vanished(tx, match, how) if known is None else ""
        why = fairness.at_the_end(match, vanished)
    return Ended(
        board=match.number,
        game=match.game.word,
        practice=int(bool(bot)),
        measure=measured.rating if measured else 0.0,
        at=match.since,
        first=first,
        second=second,
        score=0.5 if not match.winner else float(match.winner == first),
        how=how,
        barred=why if known is None or known not in fairness.OF_THE_MOMENT else known,
    )


def _vanished(tx: Tx, match: Match, how: str) -> str:
    """Return ``TIME`` if the loser has lost another game on time lately and has not written since,
    ``MASS`` if the loser resigns several games in one moment, empty for any other end."""
    loser = match.opponent(match.winner) if match.winner else ""
    if not loser:
        return ""
    if how == RESIGNED:
        at_once = tx.ratings.lost(loser, RESIGNED, match.since, match.since, match.number)
        return MASS if at_once else ""
    if how == LATE:
        seen = tx.mails.last_seen(loser) or 0.0
        since = max(seen, match.since - _WINDOW)
        return TIME if tx.ratings.lost(loser, LATE, since, match.since, match.number) else ""
    return ""
