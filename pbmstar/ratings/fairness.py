"""Fair play: the reasons why a game is not rated."""

from __future__ import annotations

from collections import Counter

from ..errors import say
from ..match import Match, is_move
from .fold import PAIR
from .practice import fixed

TERMS, HANDICAP, POINTS, UNMEASURED = "terms", "handicap", "points", "unmeasured"
MAILBOX, VOID, UNMOVED, EARLY = "mailbox", "void", "unmoved", "early"
TIME, MASS, OPEN = "time", "mass", "open"
PLAYED_ON = "played-on"
RESIGNED, LATE, PLAYED = "resignation", "forfeit", "played"  # the ways to end, for ``Ended.how``

# The reasons why a game is not rated, as a letter says them after "Not rated: ".
REASONS = {
    TERMS: say("it was started as an unrated game"),
    PLAYED_ON: say("it continues another game"),
    HANDICAP: say("handicap"),
    POINTS: say("one player got extra points"),
    UNMEASURED: say("we don't know how strong the bots are at this game"),
    MAILBOX: say("both accounts use the same mailbox"),
    VOID: say("the game has no result"),
    UNMOVED: say("one of the players never moved"),
    OPEN: say("the season or cup ended while either player could still win"),
    EARLY: say("someone resigned before both players had made two moves"),
    TIME: say(
        "it was still undecided when the loser ran out of time in this game and "
        "another one, without writing to us again"
    ),
    MASS: say("it was still undecided when the loser gave it up along with several other games"),
    PAIR: say("these two players have already played four rated games in 30 days"),
}

# The reasons that only the moment of the end shows: they are kept, and not found out again.
OF_THE_MOMENT = frozenset((MAILBOX, TIME, MASS))


def from_the_start(match: Match, practice: bool, one_mailbox: bool) -> str:
    """Return the reason, known at its beginning, why a game is not rated; empty if it may be rated.

    practice     one of the players is a program
    one_mailbox  mail to the addresses of both players reaches the same reader
    """
    chosen = match.game.values
    holds = {
        TERMS: not match.terms.rated,
        HANDICAP: bool(chosen.get("handicap")),
        POINTS: bool(chosen.get("points")),
        UNMEASURED: practice and not fixed(match.game.word),
        MAILBOX: one_mailbox,
    }
    return next((why for why, is_so in holds.items() if is_so), "")


def as_told(match: Match, why: str) -> str:
    """Return the reason that a letter gives for a kept one.

    It's ``PLAYED_ON`` for a game that began with the moves of another: it's kept as ``TERMS``, but nobody
    agreed to that.
    """
    return PLAYED_ON if why == TERMS and match.terms.setup else why


def at_the_end(match: Match, vanished: str) -> str:
    """Return the reason, known at its end, why a game is not rated; empty if it is rated.

    The game is over, and nothing known at its beginning bars it.

    vanished  ``TIME`` or ``MASS`` if the loser does not seem to have played this game to its end: then
              the loss counts only if the board proves it; otherwise empty
    """
    if match.result == "void":
        return VOID
    ending = match.position.ending
    if ending and (ending.how, ending.winner, ending.points) == ("judged", None, None):
        return OPEN
    made = Counter(each.userid for each in match.record if is_move(each.number, each.move))
    if len(made) < 2:
        return UNMOVED
    if how(match) == RESIGNED and min(made.values()) < 2:
        return EARLY
    return "" if not vanished or is_proved(match) else vanished


def how(match: Match) -> str:
    """Return the way in which a finished game ended: ``RESIGNED``, ``LATE`` or ``PLAYED``."""
    ending = match.position.ending
    return ending.how if ending is not None and ending.how in (RESIGNED, LATE) else PLAYED


def is_proved(match: Match) -> bool:
    """Return True if the board of a lost game shows that no further play could have saved it."""
    winner = match.position.winner
    reading = match.reading
    return winner is not None and (
        match.bounds.decided == winner or (reading is not None and reading.winner == winner)
    )
