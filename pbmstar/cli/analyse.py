"""The rules without a server: JSON lines or SGF in, JSON lines out; drawn boards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from .. import games
from ..errors import BadInput, Refusal
from ..games import sgf
from ..games.base import PLAYERS, Game, Player, Position

_KINDS = (
    "InvalidMove",
    "IllegalMove",
    "UnknownGame",
    "BadOption",
)  # of errors; any other: BadInput


def answer(line: str) -> str:
    """Return the answer to one line: a line with the position's facts, or with an error."""
    try:
        asked = _read(line)
        if "sgf" in asked:
            path = list(sgf.read(asked["sgf"]).positions())
        else:
            game = games.make(asked["game"], asked.get("options", {}))
            moves = asked.get("moves", [])
            path = list(play(game, asked.get("setup"), asked.get("to_move"), moves))
        known = facts(path[-1])
        if asked.get("preview"):
            steps = (position.game.facts(position) for position in path[1:])
            wanted = ("scores", "bounds")  # if the game has them
            known["steps"] = [{key: at[key] for key in wanted if key in at} for at in steps]
        return json.dumps(known)
    except Refusal as error:
        kind = type(error).__name__
        return json.dumps({"error": kind if kind in _KINDS else "BadInput", "message": str(error)})


def play(
    game: Game, setup: Mapping[str, Any] | None, to_move: object, moves: Iterable[str]
) -> Iterator[Position]:
    """Yield the position before ``moves``, and after each. Raises InvalidMove, IllegalMove, BadInput."""
    first = _seat(game, to_move)
    if setup is None:
        position = replace(game.start(), to_move=first)
    else:
        position = game.setup(setup.get("X", ()), setup.get("O", ()), first)
    yield position
    for move in moves:
        position = position.play(game.read(move.split()))
        yield position


def facts(position: Position) -> dict[str, Any]:
    """Return the facts of a position: the state of the game, and the facts of its rules."""
    return {
        "over": position.over,
        "to_move": position.to_move,
        "winner": position.winner,
        **position.game.facts(position),
    }


def _read(line: str) -> dict[str, Any]:
    """Return the object of a line, with all types checked. Raises BadInput."""
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        raise BadInput("The line isn't JSON.", "bad-line") from None
    if not isinstance(asked, dict):
        raise BadInput("The line isn't a JSON object.", "bad-line")
    if "sgf" in asked:
        if not isinstance(asked["sgf"], str) or set(asked) - {"sgf", "preview"}:
            raise BadInput("sgf: a game as text, and nothing else but preview.", "bad-line")
    elif not isinstance(asked.get("game"), str):
        raise BadInput("game: the name of a game is missing.", "bad-line")
    setup = asked.get("setup")
    if setup is not None and (
        not isinstance(setup, dict)
        or set(setup) - set(PLAYERS)
        or not all(_is_words(stones) for stones in setup.values())
    ):
        raise BadInput('setup: lists of coordinates, {"X": [...], "O": [...]}.', "bad-line")
    if not _is_words(asked.get("moves", [])):
        raise BadInput("moves: a list of moves.", "bad-line")
    if not isinstance(asked.get("preview", False), bool):
        raise BadInput("preview: true or false.", "bad-line")
    if not isinstance(asked.get("options", {}), dict):
        raise BadInput("options: an object of option names and values.", "bad-line")
    return asked


def _is_words(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(word, str) for word in value)


def _seat(game: Game, value: object) -> Player:
    for player in game.seats:
        if value in (player, None):
            return player
    raise BadInput(f"to_move: {' or '.join(game.seats)}.", "bad-line")


def draw(words: Sequence[str]) -> str:
    """Draw the board after ``GAME [options] MOVES...``, with its scores. Raises Refusal."""
    options = [word for word in words[1:] if word.startswith("-") and word.strip("-")]
    values = [word.lstrip("-").partition("=") for word in options]
    game = games.make(words[0], {name: value for name, _, value in values})
    moves = [word.replace(",", " ") for word in words[1:] if word not in options]
    *_, position = play(game, None, None, moves)
    return _drawn(position)


def draw_sgf(text: str) -> str:
    """Draw the last board of a game as SGF, with its scores. Raises Refusal."""
    *_, position = sgf.read(text).positions()
    return _drawn(position)


def _drawn(position: Position) -> str:
    """Return a board as a picture, with its scores and the player to move, or the end of the game."""
    game = position.game
    score, bounds = game.score(position.stones), game.bounds(position.stones)
    lines = [game.draw(position.stones)]
    if not position.over:
        lines.append(f"{position.to_move} is to move.")
    elif len(game.seats) == 1:
        lines.append(f"Over: {game.verdict(position)}.")
    else:
        why = game.verdict(position)
        lines.append(f"Over: {position.winner or 'nobody'} wins{f' ({why})' if why else ''}.")
    for player, points, note in zip(game.seats, score.points, score.notes, strict=True):
        parts = [str(note)] if note else []
        if game.has_points:
            parts.append("still possible: {} to {}".format(*bounds.of(player)))
        if parts:
            lines.append(f"{player}{f' {points}' if game.has_points else ''}: {'; '.join(parts)}")
    return "\n".join([*lines, "", *game.report(position.stones)]) + "\n"
