"""The acts of bots in a game, for its letters."""

from __future__ import annotations

from ...errors import Said, together
from ...games.spelling import plural
from ...match import RESIGN, Entry, Match
from ...match.happenings import OfFeature
from ...render.board.transcript import played_by


class BotPlayed(OfFeature, word="bot-played"):
    """The letter of a move waited for a bot's answer: the last ``moves`` moves are new to its reader.

    userid  the bot
    """

    userid: str
    moves: int

    def told(self, match: Match) -> list[Entry]:
        """Return both moves; some of the bot's have a sentence of their own.

        A stone that the bot has taken over is not told as its player's.
        """
        last = match.record[-self.moves :]
        if any(entry.move == "swap" and entry.userid == self.userid for entry in last):
            return []
        return [
            entry
            for entry in last
            if entry.userid != self.userid or entry.move not in ("pass", RESIGN)
        ]

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return the moves."""
        played = [played_by(entry) for entry in self.told(match)]
        return (together(*played),) if played else ()


class BotWaits(OfFeature, word="bot-waits"):
    """A bot does not answer now: it has given ``answers`` within an hour; None: bots are off."""

    userid: str
    answers: int | None

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return why."""
        if self.answers is None:
            return (
                f"The bots of this server are switched off: {self.userid} answers when they are on "
                "again.",
            )
        return (
            f"The bots have answered you {plural(self.answers, 'time')} this hour, which is the limit. "
            f"{self.userid} will answer later; you need not do anything.",
        )


class BotRests(OfFeature, word="bot-rests"):
    """A bot waits: bots have thought for ``minutes`` within an hour, for the player or for all players."""

    userid: str
    minutes: int
    for_all: bool

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return for whom they have thought, and when the bot answers."""
        return (
            f"The bots have thought for {'all players' if self.for_all else 'you'} for "
            f"{plural(self.minutes, 'minute')} this hour, which is the limit. {self.userid} will answer "
            "within the next hour; you need not do anything. bot1 to bot4 answer at once.",
        )


class BotThinks(OfFeature, word="bot-thinks"):
    """A bot looks for a move, which mostly takes less than ``minutes``."""

    userid: str
    minutes: int

    def sentences(self, match: Match, zone: str) -> tuple[str, ...]:
        """Return when its move comes."""
        soon = "a minute" if self.minutes == 1 else plural(self.minutes, "minute")
        return (
            f"{self.userid} is thinking: its move comes in the next letter, mostly within {soon}.",
        )


HAPPENINGS = (BotPlayed, BotWaits, BotRests, BotThinks)
