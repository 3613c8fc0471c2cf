"""The facts of the letters about ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...errors import Said
from ...render.facts import AddedFacts, Facts


@dataclass(frozen=True)
class RatingsFacts(Facts):
    """Lists of ratings: in ``practice`` against bots or not, of ``all`` players or those ``near`` the reader.

    word  the game of the lists, or any
    """

    template = "ratings"
    lists: Sequence[RatingList]
    practice: bool
    all: bool
    near: bool
    word: str


@dataclass(frozen=True)
class RatingList:
    """The players of a game; ``provisional``: nobody has a place yet."""

    title: str
    lines: Sequence[RatedPlayer]
    provisional: bool


@dataclass(frozen=True)
class RatedPlayer:
    """A rating and the games behind it, the last at ``date``.

    place   its place in the list; a dash if it has none
    rating  as it is shown: 1543, or 1491? while it is uncertain
    title   of the game; empty in a list of one game
    """

    place: int | str
    userid: str
    rating: str
    deviation: int
    games: int
    won: int
    lost: int
    tied: int
    date: str
    title: str = ""


@dataclass(frozen=True)
class WhoisFacts(Facts):
    """A player.

    bot      the fixed ratings of a bot, by game; None of a person
    beaten   the results against bots, by game
    won      games against people, rated or not; ``lost``, ``tied``
    in_time  so many of the last ``turns`` were in time
    reader   the userid of the reader
    """

    template = "whois"
    userid: str
    since: str
    bot: Sequence[BotRating] | None
    ratings: Sequence[RatedPlayer]
    practice: Sequence[RatedPlayer]
    beaten: Sequence[BeatenBots]
    won: int
    lost: int
    tied: int
    turns: int
    in_time: int
    titles: Sequence[Said | str]
    reader: str
    away: bool = False


@dataclass(frozen=True)
class BotRating:
    """The rating of a bot in a game."""

    title: str
    rating: str


@dataclass(frozen=True)
class BeatenBots:
    """The results against bots in a game, in words."""

    title: str
    beaten: str


@dataclass(frozen=True)
class HistoryFacts(Facts):
    """The rated games of a player in one game, the last first, and the ratings after each, in order."""

    template = "history"
    userid: str
    title: str
    games: Sequence[RatedGame]
    points: Sequence[int]


@dataclass(frozen=True)
class RatedGame:
    """A rated game: its result, alone and ``told`` with the opponent, and the rating before and after it."""

    board: int
    date: str
    opponent: str
    result: Said
    told: Said
    before: int
    rating: str


@dataclass(frozen=True)
class StakesPart(AddedFacts):
    """The ratings in the letter of a board; for its keys see ``rendering.rating_line``."""

    rating: Mapping[str, str | int | Mapping[str, str]]
