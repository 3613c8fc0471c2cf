"""A match in play, for the tests of requests."""

from __future__ import annotations

from pbmstar import games
from pbmstar.match import ASKING, Act, Event, Happening, Terms, act, begin
from pbmstar.match.terms import USUAL

DAY = 86400.0
WORDS: dict[str, dict[str, str]] = {
    "star": {"size": "3"}, "*star": {"rings": "3"}, "hex": {"size": "3"}, "pentaline": {},
}  # fmt: skip
SMALL = {**WORDS, "stary": {"rings": "3"}, "y": {"size": "4"}, "polyy": {"rings": "3"}}


class Table:
    """A match in play with its events, as the service keeps them, and a clock that goes on."""

    def __init__(self, word: str, terms: Terms = USUAL) -> None:
        self.match = begin(17, games.make(word, SMALL[word]), ("alice", "bob"), 0.0, terms)
        self.events: tuple[Event, ...] = ()
        self.now = 0.0

    def act(self, who: str, kind: str, text: str = "") -> tuple[Happening, ...]:
        """An act a while later; a refused one leaves all as it is. Raises Refusal."""
        self.now += 3600.0
        events = self.events if kind in ASKING else ()
        self.match, happened = act(self.match, Act(who, kind, text, None, events), self.now)
        for each in happened:
            if each.is_event:
                self.events += (Event(len(self.events), self.now, each),)
        return happened

    def move(self, which: int) -> str:
        """A legal move by whoever is to move; which of them is arbitrary."""
        moves = list(self.match.position.moves())
        self.act(self.match.to_move, "move", moves[which % len(moves)])
        return self.match.record[-1].move
