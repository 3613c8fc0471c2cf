"""The acts of bots in a game, for its letters."""

from __future__ import annotations

from ...errors import Said, say, say_many, together
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

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return why."""
        if self.answers is None:
            return (
                say(
                    "The bots of this server are switched off: {bot} answers when they are on again.",
                    bot=self.userid,
                ),
            )
        return (
            together(
                say_many(
                    "The bots have answered you 1 time this hour, which is the limit.",
                    "The bots have answered you {count} times this hour, which is the limit.",
                    self.answers,
                ),
                say("{bot} will answer later; you need not do anything.", bot=self.userid),
            ),
        )


class BotRests(OfFeature, word="bot-rests"):
    """A bot waits: bots have thought for ``minutes`` within an hour, for the player or for all players."""

    userid: str
    minutes: int
    for_all: bool

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return for whom they have thought, and when the bot answers."""
        if self.for_all:
            limit = say_many(
                "The bots have thought for all players for 1 minute this hour, which is the limit.",
                "The bots have thought for all players for {count} minutes this hour, which is the limit.",
                self.minutes,
            )
        else:
            limit = say_many(
                "The bots have thought for you for 1 minute this hour, which is the limit.",
                "The bots have thought for you for {count} minutes this hour, which is the limit.",
                self.minutes,
            )
        return (
            together(
                limit,
                say(
                    "{bot} will answer within the next hour; you need not do anything. bot1 to bot4 "
                    "answer at once.",
                    bot=self.userid,
                ),
            ),
        )


class BotThinks(OfFeature, word="bot-thinks"):
    """A bot looks for a move, which mostly takes less than ``minutes``."""

    userid: str
    minutes: int

    def sentences(self, match: Match, zone: str) -> tuple[Said, ...]:
        """Return when its move comes."""
        return (
            say_many(
                "{bot} is thinking: its move comes in the next letter, mostly within a minute.",
                "{bot} is thinking: its move comes in the next letter, mostly within {count} minutes.",
                self.minutes,
                bot=self.userid,
            ),
        )


HAPPENINGS = (BotPlayed, BotWaits, BotRests, BotThinks)
