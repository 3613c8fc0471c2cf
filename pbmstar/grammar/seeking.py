"""The arguments of players who look for an opponent: an offer, its wishes, the one to take; a ranking."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from ..errors import BadInput, say
from ..games.base import Game
from ..games.spelling import plain, shown
from .arguments import (
    OPTIONS,
    Argument,
    Taken,
    is_option,
    one_word,
    option_labels,
    rest,
    take_options,
)
from .literals import game_of, read_address, read_board, unknown_game

MOST_WANTED = 5  # games that one offer begins
LONGEST = 30  # days that an offer stands


@dataclass(frozen=True)
class Sought:
    """The wishes of a player for an opponent, beside the game and its terms.

    seat    the seat that the player wants, X or O; empty for either
    low, high, within  ratings, see rules.Offer
    count   the number of games; 0 for any number
    days    the number of days for which the offer stands
    is_new  only players whom the player has not met yet
    """

    seat: str = ""
    low: int | None = None
    high: int | None = None
    within: int | None = None
    count: int = 1
    days: int = LONGEST
    is_new: bool = False


def _seat(text: str) -> dict[str, Any]:
    if text not in ("x", "o", "any"):
        raise BadInput(
            say("Write -seat=x to go first, -seat=o to go second, or -seat=any."), "bad-seat"
        )
    return {"seat": "" if text == "any" else text.upper()}


def _rating(text: str) -> dict[str, Any]:
    ends = re.fullmatch(r"([0-9]{1,4})(?:-([0-9]{1,4}))?", text)
    if not ends or (ends[2] and int(ends[1]) > int(ends[2])):
        raise BadInput(
            say("Write -rating=1400-1700, or -rating=200 for ratings within 200 points of yours."),
            "bad-rating",
        )
    if ends[2]:
        return {"low": int(ends[1]), "high": int(ends[2])}
    return {"within": int(ends[1])}


def _number(name: str, least: int, most: int) -> Callable[[str], dict[str, Any]]:
    def read(text: str) -> dict[str, Any]:
        if not re.fullmatch("[0-9]{1,3}", text) or not least <= int(text) <= most:
            raise BadInput(
                say(
                    "{option} is a number from {least} to {most}.",
                    option=f"-{name}",
                    least=least,
                    most=most,
                ),
                "bad-number",
            )
        return {name: int(text)}

    return read


def _is_new(text: str) -> dict[str, Any]:
    if text:
        raise BadInput(say("The option -{name} doesn't take a value.", name="new"), "bad-option")
    return {"is_new": True}


# Each must be written out, while a game's option, or a term, may be cut short.
_SOUGHT: Mapping[str, Callable[[str], dict[str, Any]]] = {
    "seat": _seat,
    "rating": _rating,
    "count": _number("count", 0, MOST_WANTED),
    "days": _number("days", 1, LONGEST),
    "new": _is_new,
}
_USAGE = "[-seat=x|o|any] [-rating=range] [-count=number] [-days=number] [-new]"


def _take_sought(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``options`` and ``terms`` as of a challenge, and ``sought``. Raises BadInput."""
    words, password = _without_password(words, game)
    own = [word for word in words if _name(word) in _SOUGHT]
    taken = take_options([word for word in words if word not in own], game)
    asked: dict[str, Any] = {}
    for word in own:
        read = _SOUGHT[_name(word)](plain(word).lower().partition("=")[2])
        if asked.keys() & read.keys():
            raise BadInput(
                say("You gave the option -{name} twice.", name=_name(word)), "double-option"
            )
        asked |= read
    values = {**taken.values, "sought": Sought(**asked)}
    return Taken(values, [*taken.shown, *map(shown, own)], [*taken.rest, *password])


def _without_password(words: list[str], game: type[Game] | None) -> tuple[list[str], list[str]]:
    """Return the words, and a password that begins with a dash like an option, by itself.

    It is the last word, after the userid, and no option has its name.
    """
    dashed = [plain(word).startswith("-") for word in words]
    if dashed[-1:] != [True] or dashed.count(False) != 1:
        return words, []
    name = _name(words[-1])
    is_known = name in _SOUGHT or is_option(name, game)
    return (words, []) if is_known else (words[:-1], words[-1:])


def _name(word: str) -> str:
    """Return the name of an option without its dash and its value; empty for other words."""
    typed = plain(word).lower()
    return typed.lstrip("-").partition("=")[0] if typed.startswith("-") else ""


# Words of a wish that leave the opponent and the game open: "match me with anybody please!"
_ANY = frozenset((
    "a", "against", "an", "any", "anybody", "anyone", "anything", "game", "me", "now", "opponent",
    "player", "please", "somebody", "someone", "thanks", "with",
))  # fmt: skip


def _take_wish(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``kind``, the game, and its ``options`` and ``terms``; nothing if any game will do.

    A reply to a letter about a board may leave the game out: the board's is meant. Raises BadInput.
    """
    said = list(map(shown, words))
    words = [word for word in words if plain(word).lower().strip("*_.,:!") not in _ANY]
    if not words:
        return Taken({}, said, [])
    named = game_of(words[0])
    kind, rest = (named, words[1:]) if named else (game, words)
    if kind is None:
        raise unknown_game()
    if len(kind.seats) == 1:
        raise BadInput(say("{game} is a puzzle for one player.", game=kind.title), "one-player")
    taken = take_options(rest, kind)
    values = {"kind": kind, **taken.values}
    named_by = [*map(shown, words[: len(words) - len(rest)])]
    return Taken(values, [*named_by, *taken.shown], taken.rest)


def _take_offer(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``offer``, its number; take nothing before a userid, which is for the next argument."""
    is_number = plain(words[0]).strip("#*.,:").isdigit()
    return OFFER.take(words, game) if is_number else Taken({}, [], words)


def read_offer(word: str) -> int:
    """Return the number of an offer. Raises BadInput."""
    try:
        return read_board(word)
    except BadInput:
        raise BadInput(
            say("That isn't the number of an offer. To see the offers, send: seeks"), "bad-offer"
        ) from None


def _take_seat(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``seat``, X or O. Raises BadInput."""
    typed = plain(words[0]).strip("\"'.,-").lower().removeprefix("seat=")
    if typed not in ("x", "o"):
        raise BadInput(say("Write x to go first, or o to go second."), "bad-seat")
    return Taken({"seat": typed.upper()}, [typed], words[1:])


def _take_friend(words: list[str], game: type[Game] | None) -> Taken:
    """Take ``address``, perhaps after "to"; no letter repeats it, since it belongs to somebody else.

    Raises BadInput.
    """
    if len(words) > 1 and plain(words[0]).lower() == "to":
        words = words[1:]
    return Taken({"address": read_address(words[0])}, ["..."], words[1:])


FRIEND = Argument("address", "address", _take_friend, distinct=True)
SEEKING = replace(OPTIONS, take=_take_sought, labels=partial(option_labels, more=_USAGE))
WISH = Argument("wish", "game options", _take_wish, optional=True)
OFFER = one_word("offer", read_offer, "number")
ANY_OFFER = Argument("offer", "number", _take_offer, optional=True)
SEAT = Argument("seat", "x|o", _take_seat, optional=True, distinct=True)


class Ranking(NamedTuple):
    """A part of a list of ratings.

    which     ``top``: the best ``number`` players; ``near``: those around the reader; ``all``: also
              players who are not established
    practice  the ratings from games against bots
    """

    which: str = "top"
    number: int = 50
    practice: bool = False


def _read_ranking(words: Sequence[str]) -> Ranking:
    """Return the part of a list of ratings that words ask for, in any order. Raises BadInput."""
    ranking, rest = Ranking(), [plain(word).lower().strip(",.") for word in words]
    while rest:
        word = rest.pop(0)
        if word == "practice":
            ranking = ranking._replace(practice=True)
        elif word in ("near", "all", "top"):
            ranking = ranking._replace(which=word)
        elif re.fullmatch(r"[1-9][0-9]{0,2}", word) and ranking.which == "top":
            ranking = ranking._replace(number=int(word))
        else:
            raise BadInput(
                say("You can ask for any of these: top 20, near, all, practice."), "bad-ranking"
            )
    return ranking


RANKING = rest("ranking", _read_ranking, "top n|near|all|practice", optional=True)
