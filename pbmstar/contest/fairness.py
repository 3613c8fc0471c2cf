"""Fair play: which games are rated, and why others are not."""

from __future__ import annotations

from collections import Counter

from ..match import Match
from .fold import PAIR
from .practice import STEPS

TERMS, HANDICAP, POINTS, UNMEASURED = "terms", "handicap", "points", "unmeasured"
MAILBOX, VOID, UNMOVED, EARLY = "mailbox", "void", "unmoved", "early"
TIME, MASS, OPEN = "time", "mass", "open"
RESIGNED, LATE, PLAYED = "resignation", "forfeit", "played"  # how a game ended, for ``Ended.how``

# Why a game is not rated, as a letter says it behind "Not rated: ".
REASONS = {
    TERMS: "so it was agreed",
    HANDICAP: "handicap",
    POINTS: "points are given",
    UNMEASURED: "how strong the bots are in this game is not measured",
    MAILBOX: "both accounts have the same mailbox",
    VOID: "the game has no result",
    UNMOVED: "not both players have made a move",
    OPEN: "the season ended while both could still win",
    EARLY: "it was resigned before both had made two moves",
    TIME: "the loser has lost another game on time and has not written since, and this one was not decided",
    MASS: "the loser has given up several games at once, and this one was not decided",
    PAIR: "these two have had four rated games within 30 days",
}

# What only the moment of the end shows, so that it is kept and not found out again.
OF_THE_MOMENT = frozenset((MAILBOX, TIME, MASS))


def from_the_start(match: Match, with_bot: bool, one_mailbox: bool) -> str:
    """Return why a game is not rated, as far as that is known when it begins; empty if it may be.

    with_bot     one of the players is a bot
    one_mailbox  the addresses of both bring mail to the same reader
    """
    chosen = match.game.values
    holds = {
        TERMS: not match.terms.rated,
        HANDICAP: bool(chosen.get("handicap")),
        POINTS: bool(chosen.get("points")),
        UNMEASURED: with_bot and match.game.word not in STEPS,
        MAILBOX: one_mailbox,
    }
    return next((why for why, is_so in holds.items() if is_so), "")


def at_the_end(match: Match, vanished: str) -> str:
    """Return why a game that is over, and may be rated as it began, is not; empty if it is.

    vanished  ``TIME`` or ``MASS`` if the loser does not seem to have played this game to its end, else
              empty: then a loss counts only where the board proves it
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
    """Return how a game that is over ended: ``RESIGNED``, ``LATE`` or ``PLAYED``."""
    ending = match.position.ending
    return ending.how if ending is not None and ending.how in (RESIGNED, LATE) else PLAYED


def is_move(number: int | None, move: str) -> bool:
    """Return True if an entry of a record is a move or a swap, and not the end by a word."""
    return number is not None or move == "swap"


def is_proved(match: Match) -> bool:
    """Return True if the board of a lost game shows that it was lost, however it had gone on."""
    winner = match.position.winner
    reading = match.reading
    return winner is not None and (
        match.bounds.decided == winner or (reading is not None and reading.winner == winner)
    )
