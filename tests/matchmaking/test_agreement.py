"""Whoever waits for a game gets it as soon as two wishes agree, whichever came first."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from harness.letters import PASSWORD
from harness.office import DAY, Office
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmstar import games
from pbmstar.match import terms
from pbmstar.matchmaking.offers import AT_ONCE
from pbmstar.matchmaking.rows import Offers
from pbmstar.service.incoming.mail import Service

SIZES = {"star": (None, 4, 5, 10), "hex": (None, 4, 11)}
TIMES = (None, "3d", "21d", "normal")
UNDO = (None, "ask", "free")
EIGHT = ("alice", "bob", "carol", "dave", "erin", "frank", "gina", "hugo")


@dataclass(frozen=True)
class Wish:
    """What a player would play; a ``match`` leaves open what it does not name, a ``seek`` leaves nothing."""

    verb: str
    word: str
    size: int | None = None
    maxi: bool = False
    named: dict[str, str] = field(default_factory=dict)

    def line(self, userid: str, password: str) -> str:
        options = [f"-size={self.size}"] * (self.size is not None) + ["-maxi"] * self.maxi
        options += [f"-{name}={value}" for name, value in self.named.items()]
        if self.verb == "match":
            return " ".join(["match", userid, password, self.word, *options])
        return " ".join([self.word, "seek", *options, userid, password])

    def allows(self) -> dict[str, Any]:
        """By name the one value that will do; a name that is missing may have any."""
        game = games.make(self.word, {} if self.size is None else {"size": self.size})
        known: dict[str, Any] = {} if self.size is None else {"size": self.size}
        known |= {"maxi": True} if self.maxi else {}
        known |= {name: value.replace("normal", "21d") for name, value in self.named.items()}
        if self.verb == "seek":
            usual = {"size": game.value("size"), "maxi": False, "time": "21d", "undo": "ask"}
            return usual | known
        return known


def agree(one: Wish, other: Wish) -> bool:
    """Two agree if nothing that the one asks for contradicts the other; one of them waits to be paired."""
    asked, wanted = one.allows(), other.allows()
    same = all(asked.get(name, value) == value for name, value in wanted.items())
    return one.word == other.word and "match" in (one.verb, other.verb) and same


@st.composite
def wishes(draw: st.DrawFn, verbs: tuple[str, ...] = ("match", "match", "seek")) -> Wish:
    word = draw(st.sampled_from(tuple(SIZES)))
    named = {"time": draw(st.sampled_from(TIMES)), "undo": draw(st.sampled_from(UNDO))}
    return Wish(
        draw(st.sampled_from(verbs)),
        word,
        draw(st.sampled_from(SIZES[word])),
        word == "star" and draw(st.sampled_from((False, False, True))),
        {name: value for name, value in named.items() if value},
    )


def running(office: Office, *people: str) -> set[int]:
    return {row.board for who in people for row in office.ask("boards.of", who)}


@pytest.mark.slow
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(one=wishes(), other=wishes())
def test_two_wishes_that_agree_are_paired_in_either_order(
    free: Office, one: Wish, other: Wish
) -> None:
    """The game is what both allow, whoever came first; wishes that do not agree both wait."""
    games_of = []
    for first, second in ((one, other), (other, one)):
        before = running(free, "alice", "bob")
        for who, wish in (("alice", first), ("bob", second)):
            line = wish.line(who, PASSWORD[who])
            assert free.deliver(free.write(who, line)).name == "applied"
        begun = running(free, "alice", "bob") - before
        assert bool(begun) == agree(one, other)
        for number in begun:
            row = free.row(number)
            assert row is not None
            agreed = terms.load(row.terms)
            games_of.append((row.game, row.options, agreed.time, agreed.undo))
        assert len(free.ask_of(Offers, "open")) == 2 * (not begun)
        for offer in free.ask_of(Offers, "open"):
            free.deliver(
                free.write(offer.userid, f"unseek {offer.userid} {PASSWORD[offer.userid]}")
            )
        free.now += 60
    assert len(set(games_of)) <= 1
    free.letters()


@pytest.fixture
def free(database: str, tmp_path: Path) -> Iterator[Office]:
    """An office for two without limits, which never runs out of random numbers."""
    office = Office(database, tmp_path / "spool", limits="off")
    office.context = replace(office.context, random=random.Random(1).randbytes)
    office.service = Service(office.context)
    yield office
    office.close()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_eight_who_know_nothing_of_each_other_all_find_an_opponent(
    database: str, tmp_path: Path, seed: int
) -> None:
    """They wish at random for weeks; never do two wait whose wishes agree, and each letter names who waits."""
    rng = random.Random(seed)
    office = Office(database, tmp_path / "spool", (), limits="off")
    for who in EIGHT:
        office.add(who, password=f"pw{who}")
    begun = 0
    for _ in range(40):
        waiting = _open(office)
        held = Counter(who for who, _ in waiting)
        who = rng.choice([each for each in EIGHT if held[each] < AT_ONCE])
        word = rng.choice(("star", "star", "hex"))
        time = rng.choice((None, None, "3d"))
        wish = Wish(
            rng.choice(("match", "match", "match", "seek")),
            word,
            rng.choice(SIZES[word]),
            named={"time": time} if time else {},
        )
        before = running(office, *EIGHT)
        (letter, *_) = office.send(who, wish.line(who, f"pw{who}"))
        new = running(office, *EIGHT) - before
        partners = {other for other, held in waiting if other != who and agree(wish, held)}
        assert len(new) == bool(partners)
        for number in new:
            row = office.row(number)
            assert row is not None and who in row.seats and partners & set(row.seats)
        if not new and (others := [other for other, _ in waiting if other != who]):
            assert f"by {others[0]}" in letter.text and "take " in letter.html
        begun += len(new)
        _nobody_waits_in_vain(_open(office))
        office.now += rng.choice((60.0, 3600.0, DAY / 2))
    assert begun >= 8
    assert office.check() == []
    office.close()


def _open(office: Office) -> list[tuple[str, Wish]]:
    """The wishes that wait, as the store has them."""
    found = []
    for offer in office.ask_of(Offers, "open"):
        options, named = json.loads(offer.options), json.loads(offer.terms)
        verb = "match" if offer.is_match else "seek"
        found.append((offer.userid, Wish(verb, offer.game, options.get("size"), named=named)))
    return found


def _nobody_waits_in_vain(waiting: list[tuple[str, Wish]]) -> None:
    for number, (who, wish) in enumerate(waiting):
        for other, held in waiting[number + 1 :]:
            assert who == other or not agree(wish, held)
