"""A season of eight people who know nothing of each other: from their first mails to the end of a cup."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from harness.office import DAY, Office

from pbmstar.features.contests.rows import OVER, Contest, Contests
from pbmstar.features.cup.commands import CUP
from pbmstar.features.cup.verbs import DAYS
from pbmstar.matchmaking import rows as offers

PEOPLE = ("ada", "ben", "cleo", "dirk", "ella", "finn", "gwen", "hans")
SIZES = {"star": ("", " -size=4", " -size=5"), "hex": ("", " -size=4")}
_WORD = "tr1angle"  # the password of each of them
MOST = 2  # games for which a player waits at once


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_eight_strangers_play_from_their_first_mails_to_the_end_of_a_cup(
    database: str, tmp_path: Path, seed: int
) -> None:
    """They write, sign up, wish at random and move at random; nobody organizes anything."""
    rng = random.Random(seed)
    office = Office(database, tmp_path / "spool", (), limits="off")
    for who in PEOPLE:
        _arrive(office, who)
    begun: set[int] = set()
    # A week of wishes: each that fits another one begins a game at once.
    for who in [each for _ in range(3) for each in rng.sample(PEOPLE, len(PEOPLE))]:
        office.now += rng.choice((600.0, 7200.0))
        waiting = [(each.userid, each.game) for each in office.ask_of(offers.Offers, "open")]
        held = Counter(who for who, _ in waiting)
        if held[who] == MOST:
            continue
        word = rng.choice(tuple(SIZES))
        letters = office.send(who, f"match {who} {_WORD} {word}{rng.choice(SIZES[word])}")
        new = _boards(office) - begun
        assert len(new) == len({each.mail["X-Pbmstar-Board"] for each in letters} - {None})
        assert len(new) <= 1
        begun |= new
        _move(office, rng)
    # Those who wait now wait for a game that nobody else wants.
    left = [(each.userid, each.game, each.options) for each in office.ask_of(offers.Offers, "open")]
    for one in left:
        for other in left:
            alike = one[1] == other[1] and "{}" in (one[2], other[2])
            assert one[0] == other[0] or not alike, (one, other)
    assert {who for board in begun for who in office.row(board).seats} == set(PEOPLE)  # type: ignore[union-attr]
    for who in PEOPLE:
        office.now += 60
        office.send(who, f"cup {who} {_WORD} star")
    office.remind()
    (cup,) = _cups(office)
    assert cup.begin is not None, "with eight it begins"
    for _ in range(DAYS + 2):
        _move(office, rng)
        office.remind(1.0)
    (cup,) = _cups(office)
    assert cup.state == OVER and cup.until is not None and cup.until <= cup.begin + DAYS * DAY  # type: ignore[operator]
    places = [each.place for each in office.ask_of(Contests, "entries", cup.id)]
    assert sorted(places) == [*range(1, len(PEOPLE) + 1)]
    assert office.check() == []
    office.close()


def _arrive(office: Office, who: str) -> None:
    """A stranger writes a word, gets a letter, and signs up by a reply to it."""
    (door,) = office.send(who, "Hello", "I would like to play.")
    (welcome,) = office.send(who, "Re: Hello", f"signup {who} {_WORD}", door.reply_to)
    assert welcome.text.startswith(f"Welcome, {who}!")


def _boards(office: Office) -> set[int]:
    return {row.board for who in PEOPLE for row in office.ask("boards.of", who)}


def _cups(office: Office) -> list[Contest]:
    return [each for each in office.ask_of(Contests, "all") if each.kind == CUP]


def _move(office: Office, rng: random.Random) -> None:
    """Everybody who is to move does so somewhere, on most of the boards."""
    for who in PEOPLE:
        for row in office.ask("boards.of", who, "next"):
            if rng.random() < 0.6:
                match = row.match(office.ask("boards.record", row.board))
                office.advance(row.board, str(rng.choice(list(match.position.moves()))))
