"""The cost of thinking: in all games of a Sunday the bot thinks once about a position, whoever reaches it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest
from harness import quickbot
from harness.office import Office

from pbmstar.bots import rules as manners
from pbmstar.features.sunday.rows import Sundays
from pbmstar.features.sunday.rules import BOT
from pbmstar.match import Match, begin, is_move
from pbmstar.service.work import apply

PLAYERS, TURNS = 200, 12
Think = Callable[[dict[str, Any]], dict[str, Any]]


@pytest.fixture
def crowd(another: Callable[..., Office]) -> Iterator[Office]:
    """Two hundred players, each with the board of the first Sunday game."""
    with closing(another(people=())) as office:
        names = [f"player{number}" for number in range(PLAYERS)]
        for name in names:
            office.add(name, password="tr1angle")
            office.ask_of(Sundays, "subscribe", name, 0)
        office.remind()
        yield office


def boards(office: Office) -> list[int]:
    """The boards of the first Sunday game."""
    return [each.board for each in office.ask_of(Sundays, "uncounted", 1, PLAYERS)]


def match_of(office: Office, board: int) -> Match:
    found: Match = office.at_work(apply.load, board)
    return found


def counted(asked: list[dict[str, Any]]) -> Think:
    """A bot that thinks as ``quickbot`` does, and notes what it was asked."""

    def think(request: dict[str, Any]) -> dict[str, Any]:
        asked.append(request)
        answer: dict[str, Any] = quickbot.answer(request)
        return answer

    return think


def play(office: Office, turns: int, seed: int = 1) -> list[dict[str, Any]]:
    """Let all play so many turns in a mixed order, each one of a few good moves; what the bot was asked."""
    rng, asked = random.Random(seed), list[dict[str, Any]]()
    left = [board for board in boards(office) for _ in range(turns)]
    rng.shuffle(left)
    for board in left:
        match = match_of(office, board)
        if match.position.over:
            continue
        free = list(match.game.turns(match.position))
        office.advance(board, rng.choice(free[: rng.choice((2, 4, 12))]) if free else "pass")
        office.think(counted(asked))
    return asked


def positions(office: Office) -> set[tuple[object, ...]]:
    """The different positions in which the bot had to think, counted anew from the records."""
    found = set[tuple[object, ...]]()
    for board in boards(office):
        whole = match_of(office, board)
        match = begin(board, whole.game, whole.seats, 0.0, whole.terms)
        for entry in whole.record:
            if entry.userid == BOT and manners.by_rule(match, BOT, resigns=False) is None:
                at = match.position
                found.add((at.stones, at.to_move, at.passes, at.swappable))
            if is_move(entry.number, entry.move):
                match = match.after(entry.userid, entry.move, 0.0)
    return found


@pytest.mark.slow
def test_two_hundred_players_cost_no_more_than_the_positions(crowd: Office) -> None:
    """At most 10 % more questions than different positions; in fact, none more."""
    asked = play(crowd, TURNS)
    distinct = positions(crowd)
    assert len(distinct) <= len(asked) <= 1.1 * len(distinct)
    assert len({request["seed"] for request in asked}) == 1, "the seed is that of the Sunday game"
