"""The games. A new game is a file of rules in one of the folders and its class in the list below."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from ..errors import UnknownGame, say
from .base import Game
from .hexagon.hex import Hex
from .hexagon.miserehex import MisereHex
from .hexagon.star import Star
from .hexagon.y import Y
from .pentagon.pentahex import PentaHex
from .pentagon.pentaline import PentaLine
from .pentagon.polyy import PolyY
from .pentagon.starstar import StarStar
from .pentagon.stary import StarY
from .puzzles.minisolitaire import MiniSolitaire
from .puzzles.queens import Queens
from .puzzles.ringsolitaire import RingSolitaire
from .puzzles.supplyline import SupplyLine

GAMES: tuple[type[Game], ...] = (
    Star, StarStar, StarY, Hex, MisereHex, Y, PolyY, PentaLine, PentaHex,
    Queens, SupplyLine, RingSolitaire, MiniSolitaire,
)  # fmt: skip
BY_WORD = {word: game for game in GAMES for word in (game.word, *game.aliases)}


def find(word: str) -> type[Game] | None:
    """Return the game called ``word`` in any case, or None."""
    return BY_WORD.get(word.lower())


def title_of(word: str) -> str:
    """Return the title of the game called ``word``; the word itself if there is none any more."""
    game = find(word)
    return game.title if game else word


def path_of(word: str) -> str:
    """Return a game's word as the name of a file or folder, and as the topic of its help page."""
    return word.replace("*", "star")


def make(word: str, values: Mapping[str, object]) -> Game:
    """Return the game called ``word`` with these options. Raises UnknownGame, BadOption."""
    kind = find(word)
    if kind is None:
        names = ", ".join(game.word for game in GAMES)
        raise UnknownGame(
            say(
                "There's no game called {word}. The games are {names}.", word=word[:20], names=names
            ),
            "no-game",
        )
    return kind(values)


@lru_cache(256)  # boards with the same options share their game, and its caches
def load(word: str, options: str) -> Game:
    """Return the game of a stored board; ``options`` is the JSON text that ``dump`` made."""
    return make(word, json.loads(options))


def dump(game: Game) -> str:
    """Return the options of a game as JSON text, defaults left out."""
    return game.dumped
