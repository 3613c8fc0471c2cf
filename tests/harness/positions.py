"""Positions to look at: a game played by chance, always the same."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from pbmstar.games import GAMES, make
from pbmstar.games.base import Game
from pbmstar.match import Match, begin


def game_of(text: str) -> Game:
    """Return a game as a challenge spells it: ``star -size=4 -maxi``."""
    word, *options = text.split()
    pairs = (option.lstrip("-").partition("=") for option in options)
    return make(word, {name: value for name, _, value in pairs})


def some_games(*words: str) -> list[Any]:
    """Return parameters of a test of every game: those of these words every day, the others with --slow."""
    return [
        pytest.param(game, marks=() if game.word in words else pytest.mark.slow, id=game.word)
        for game in GAMES
    ]


def largest(kind: type[Game]) -> dict[str, int]:
    """Return the options of the largest board of a game."""
    sizes = {option.name: option.range for option in kind.options if option.range}
    return {name: sizes[name][1] for name in ("size", "rings") if name in sizes}


def match_of(word: str, options: Any, moves: int, seed: int = 1) -> Match:
    """Board 17 after so many moves of stones, each any of those allowed, or at the game's end."""
    game = make(word, options)
    match, chosen = begin(17, game, ("alice", "bob")[: len(game.seats)], 0.0), random.Random(seed)
    for _ in range(moves):
        legal = [m for m in islice(match.position.moves(), 600) if m not in ("pass", "swap")]
        if match.position.over or not legal:
            break
        match = match.after(match.to_move, chosen.choice(legal), 0.0)
    return match
