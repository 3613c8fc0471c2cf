"""Drawings, reports, notes, verdicts and hints: to the letter in ``vectors/shown.txt``, for all sizes by properties."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator

import pytest
from games.boards_of import VECTORS, names_of, random_board, read_drawing, set_up, sizes, vectors
from harness.common import sentence

from pbmstar import games
from pbmstar.games.base import Game, Position

SHOWN = dict(
    piece.split("\n", 1)
    for piece in re.split(r"^## ", (VECTORS / "shown.txt").read_text(), flags=re.M)[1:]
)


def position_of(words: str) -> Position:
    """Return the position that a title names: a line of the vectors, or options and stones."""
    name, rest = words.split(" ", 1)
    if line := re.fullmatch(r"line (\d+)", rest):
        return set_up(vectors(name)[int(line[1]) - 1])
    options, end = json.JSONDecoder().raw_decode(rest)
    game = games.make(name, options)
    stones = json.loads(rest[end:]) if rest[end:] else {"X": [], "O": []}
    return game.setup(stones["X"], stones["O"])


@pytest.mark.parametrize("title", SHOWN)
def test_what_is_shown(title: str) -> None:
    kind, words = title.split(" ", 1)
    position = position_of(words)
    game, stones = position.game, position.stones
    found = {
        "draw": lambda: game.draw(stones),
        "report": lambda: "\n".join(game.report(stones)),
        "notes": lambda: "\n".join(map(str, game.score(stones).notes)),
        "verdict": lambda: str(game.verdict(position)),
        "hint": lambda: position.hint() or "none",
    }[kind]()
    assert found.strip("\n") == SHOWN[title].strip("\n")


def test_a_playable_star_is_drawn_like_a_cell() -> None:
    empty = SHOWN['draw *star {"rings": 10}'].strip("\n")
    for word, options in (("*star", {"nobridge": True}), ("stary", {})):
        game = games.make(word, options)
        played = game.start().play(game.read(["@"])).stones
        for stones, cell in ((game.start().stones, "."), (played, "x")):
            shown = empty.replace(".    *    .", f".    {cell}    .")
            assert game.draw(stones).strip("\n") == shown


def test_points_given_and_equal_scores() -> None:
    game = games.make("*star", {"rings": 3, "points": 4})
    full = game.start().stones.replace(b".", b"x")
    assert "points given       -4   +4" in game.report(full)
    scores = (vector["expect"].get("scores", {0: 0, 1: 1}) for vector in vectors("starstar"))
    tied = next(line for line, each in enumerate(scores, 1) if len(set(each.values())) == 1)
    position = position_of(f"starstar line {tied}")
    assert position.game.report(position.stones)[-1] == sentence("quarks ahead")


def of_every_size(seed: int, *shares: float) -> Iterator[tuple[str, Game, bytes]]:
    """Yield the name of each board, the board, and stones by chance with such shares of it empty."""
    for game in sizes():
        rng = random.Random(seed)
        for empty in shares:
            name = f"{game.word} {game.described()}, {empty} empty"
            yield name, game, random_board(rng, game, empty)


def test_reports_fit_in_a_mail() -> None:
    for name, game, stones in of_every_size(5, 1.0, 0.3, 0.0):
        for line in game.report(stones):
            assert len(line) <= 72, name
            assert line.isascii(), name
            assert line == line.rstrip(), name
        score = game.score(stones)
        assert all(len(note) <= 250 and note.isascii() for note in map(str, score.notes)), name


def test_a_drawing_read_back_is_the_board() -> None:
    for name, game, stones in of_every_size(1, 1.0, 0.5, 0.0):
        drawing = game.draw(stones)
        found = read_drawing(game, drawing)
        assert found == (names_of(game, stones, "x"), names_of(game, stones, "o")), name
        assert "\n--" not in drawing, name
        assert not any(line.startswith(">") for line in drawing.splitlines()), name
