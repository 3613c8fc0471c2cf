"""The bots, players whose moves this server finds, and what their acts add to a game's letters."""

from __future__ import annotations

from ..errors import Sentence, say, say_many, together
from .happenings import Itself
from .match import Match
from .record import RESIGN, Entry


class BotPlayed(Itself, word="bot-played"):
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


class BotWaits(Itself, word="bot-waits"):
    """A bot does not answer now: it has given ``answers`` within an hour; None: bots are off."""

    userid: str
    answers: int | None

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return why."""
        if self.answers is None:
            return (
                say(
                    "The bots on this server are off right now. {bot} will answer "
                    "when they're back on.",
                    bot=self.userid,
                ),
            )
        return (
            together(
                say_many(
                    "The bots have answered you {count} time this hour, which is the limit.",
                    "The bots have answered you {count} times this hour, which is the limit.",
                    self.answers,
                ),
                say("{bot} will answer later. You don't have to do anything.", bot=self.userid),
            ),
        )


class BotRests(Itself, word="bot-rests"):
    """A bot waits: bots have thought for ``minutes`` within an hour, for the player or for all players."""

    userid: str
    minutes: int
    for_all: bool

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return for whom they have thought, and when the bot answers."""
        if self.for_all:
            limit = say_many(
                "The bots have already spent {count} minute on everyone's games this "
                "hour, which is the limit.",
                "The bots have already spent {count} minutes on everyone's games this"
                " hour, which is the limit.",
                self.minutes,
            )
        else:
            limit = say_many(
                "The bots have already spent {count} minute on your games this hour, "
                "which is the limit.",
                "The bots have already spent {count} minutes on your games this hour,"
                " which is the limit.",
                self.minutes,
            )
        return (
            together(
                limit,
                say(
                    "{bot} will answer within the next hour. You don't have to do "
                    "anything. If you'd rather not wait, play bot1, bot2, bot3 or "
                    "bot4: they still answer right away.",
                    bot=self.userid,
                ),
            ),
        )


class BotThinks(Itself, word="bot-thinks"):
    """A bot looks for a move, which mostly takes less than ``minutes``; 0 if nobody knows how long."""

    userid: str
    minutes: int

    def sentences(self, match: Match, zone: str, reader: str) -> tuple[Sentence, ...]:
        """Return when its move comes."""
        if not self.minutes:
            return (
                say(
                    "{bot} is getting ready. You'll get its first move in the next letter.",
                    bot=self.userid,
                ),
            )
        return (
            say_many(
                "{bot} is thinking. You'll get its move in the next letter, usually within "
                "{count} minute.",
                "{bot} is thinking. You'll get its move in the next letter, usually within "
                "{count} minutes.",
                self.minutes,
                bot=self.userid,
            ),
        )
