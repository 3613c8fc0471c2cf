"""The time that bots may think within an hour: a budget for each player, and one for all players.

The weak bots cost next to nothing, so they answer even if a budget is used up; the strong ones wait.
The time is processor time, so a large board costs more.
"""

from __future__ import annotations

import importlib.util
from collections import defaultdict

from ..config import Config
from ..games.base import Game
from ..games.placement import Placement
from ..machine.times import HOUR, Epoch, Seconds
from ..match.bots import BotRests, BotWaits
from ..store import Tx
from .engine.levels import NUMBERS
from .engine.levels import level as strength
from .rows import Bots

WEAK, STRONG = range(1, 5), range(5, 11)  # levels
ANSWERS = 60  # by all bots together, to one player
FOR_ONE = 120  # seconds for one player, after which the strong bots wait
FOR_ALL = 1800  # seconds for all players together, times the processes that think; after them ...
LITTLE = 20  # ... the strong bots answer only who has used fewer seconds: a few cannot use up all
LONGEST = 60.0  # seconds; without numba, a bot that would take longer is not offered
TOO_OLD = 600.0  # seconds after which a bot's turn is an alarm
CRASHES = "bot crashes"  # the counter of failures of the process that thinks, kept for a day
LOOKED_AT = 500  # the most turns that are compared to find the next one
_RATE = 400_000  # cells that playouts fill in a second without numba, on a slow machine
_ALL = "bot milliseconds"
_BY_HOUR = "bot hour "  # with the number of an hour since 1970 and a userid: for the operator


def level(bot: str) -> int:
    """Return the level of a bot, from 1 to 10."""
    return int(bot.removeprefix("bot"))


def is_compiled() -> bool:
    """Return True if numba is installed."""
    return importlib.util.find_spec("numba") is not None


def quick_bots(game: Game) -> list[str]:
    """Return the bots that answer soon enough on a board, the weakest first."""
    if not isinstance(game, Placement):
        return []
    return [f"bot{at}" for at in NUMBERS if is_compiled() or interpreted(at, game) <= LONGEST]


def interpreted(at: int, game: Placement) -> Seconds:
    """Return how long the bot of a level thinks about a move without numba, on a slow machine."""
    return len(game.grid) * strength(at, game).playouts / _RATE


def charge(tx: Tx, now: Epoch, person: str, seconds: Seconds) -> None:
    """Count the processor time that bots have used for a player."""
    for what in (_ALL, f"{_ALL} {person}"):
        tx.ledger.count(what, now, HOUR, round(1000 * seconds))
    tx.ledger.count(f"{_BY_HOUR}{int(now // HOUR)} {person}", now, HOUR, round(1000 * seconds))


def used(tx: Tx, now: Epoch, person: str = "") -> Seconds:
    """Return the seconds counted in this hour for a player, or for all players if ``person`` is empty."""
    return tx.ledger.counted(f"{_ALL} {person}".rstrip(), now, HOUR) / 1000


def used_since(tx: Tx, since: Epoch) -> dict[str, float]:
    """Return the seconds counted for each player in the hours from ``since`` on, at most of two days."""
    sums: dict[str, float] = defaultdict(float)
    for name, count in tx.ledger.counted_each(_BY_HOUR, since - HOUR).items():
        hour, _, person = name.partition(" ")
        if (int(hour) + 1) * HOUR > since:
            sums[person] += count / 1000
    return sums


def count_answer(tx: Tx, now: Epoch, person: str) -> None:
    """Count a bot's answer to a player."""
    tx.ledger.count(f"bot answers {person}", now, HOUR)


def rests(tx: Tx, config: Config, now: Epoch, bot: str, person: str) -> BotWaits | BotRests | None:
    """Return the reason why a bot does not answer a player within this hour; None if it does."""
    if not config.limits:
        return None
    if tx.ledger.counted(f"bot answers {person}", now, HOUR) >= ANSWERS:
        return BotWaits(bot, ANSWERS)
    if level(bot) in WEAK:
        return None
    own = used(tx, now, person)
    if own >= FOR_ONE:
        return BotRests(bot, FOR_ONE // 60, False)
    most = FOR_ALL * max(1, config.bots)
    return BotRests(bot, most // 60, True) if own >= LITTLE and used(tx, now) >= most else None


def is_late(tx: Tx, config: Config, now: Epoch, since: Epoch) -> bool:
    """Return True if a bot's turn has waited for more than ten minutes after ``since``.

    Bots could think from ``since`` on. A turn does not count while the budget of its player is used up.
    """
    turns = tx.of(Bots).turns(LOOKED_AT)
    due = (t.since for t in turns if not rests(tx, config, now, t.bot, t.person))
    return now - max(min(due, default=now), since) > TOO_OLD
