"""The album of a game: the lead, the moves that changed most, the players' words, and the time taken.

The lead follows from the exact bounds: the scores after the empty cells are filled for one player, and
after they are filled for the other. A stone never hurts its owner, so a move can only reduce the score that
the opponent could still reach; the moves that reduced it most are the swings of the game.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from ..games.base import Bounds, Player
from ..match import Match
from ..match.happenings import AsItWas
from ..match.match import begin, positions
from .board.clock_face import length
from .board.transcript import thinned
from .board.view import Telling, View, view_of
from .picture.attached import Drawn, of_board, of_leads
from .translator import ENGLISH, Translator

_SWINGS = 3  # swings that are shown at most
_COLUMNS = 40  # marks in the line of the lead: as many as a phone shows
_PIXELS = 264  # the width of the picture of a swing; a phone shows it half as wide
_TOGETHER = 10  # marks of the line of the lead that do not break, in a sentence


class Span(NamedTuple):
    """The least and the most points by which X can be ahead at the end; and the player who wins for
    certain, if one does."""

    low: int
    high: int
    decided: Player | None

    @property
    def mark(self) -> str:
        """Return ``x`` or ``o`` for the player who leads, in upper case once that is certain, or ``=``."""
        if self.decided:
            return self.decided
        lead = self.low + self.high
        return "x" if lead > 0 else "o" if lead < 0 else "="

    def hope(self, player: Player) -> int:
        """Return the points by which a player can still win; 0 or less if no win by points is possible."""
        return self.high if player == "X" else -self.low


class Swing(NamedTuple):
    """A move that took much from the opponent, and the board after it.

    name   the name of its picture
    place  the place of its entry in the record, the first being 1
    number the number of the move
    """

    name: str
    place: int
    number: int
    title: str
    text: str
    view: View


class Words(NamedTuple):
    """A text that a player wrote to the other, after the entry of the record at that place."""

    place: int
    title: str
    text: str


class Album(NamedTuple):
    """The album of a game.

    lead   the leader after each move, as marks; empty for a game without points
    led    who led, the sentence before these marks; empty for a game without points
    ends   the spans before the first move, and after each entry of the record
    stops  the swings, and the players' words, in the order of the game
    more   the number of texts of the players that are left out
    time   the time that the players took, a sentence; empty if they took no time
    next   the commands that mail more about the game; empty if the reader has not asked for the album
    """

    lead: str
    led: str
    ends: tuple[Span, ...]
    stops: tuple[Swing | Words, ...]
    more: int
    time: str
    next: tuple[str, ...] = ()

    @property
    def swings(self) -> tuple[Swing, ...]:
        """Return the swings alone."""
        return tuple(stop for stop in self.stops if isinstance(stop, Swing))

    @property
    def words(self) -> tuple[Words, ...]:
        """Return the players' words alone."""
        return tuple(stop for stop in self.stops if isinstance(stop, Words))

    @property
    def marks(self) -> str:
        """Return the leader after each move in groups, between which a line can break."""
        return in_groups(self.lead)


def album(
    match: Match,
    facts: Mapping[str, Any],
    asks: Sequence[str] = (),
    translator: Translator = ENGLISH,
) -> Album:
    """Return the album of a game for two that is over; ``facts`` come from ``letters.words.album``.

    ``asks``: verbs of features that mail something about such a game.
    """
    ends, tell = spans(match), translator.tell
    stops: list[Swing | Words] = [
        Words(n, _said(match, n, who, translator), text) for n, who, text in facts["words"]
    ]
    # The words up to a move stand before the board after it. The last letter leaves the moves out: a narrow
    # range does not make a turning point; a review names those.
    stops += _swings(match, ends, translator) if facts.get("is_asked") else []
    stops.sort(key=lambda stop: (stop.place, isinstance(stop, Swing)))
    has_points, players = match.game.has_points, match.players
    verbs = ("record", *asks) if facts.get("is_asked") else ()
    took = ", ".join(f"{who} {translator.say(length(time))}" for who, time in facts["time"].items())
    led = ""
    if has_points:
        led = tell(
            "Who was ahead after each move? x is {x}, o is {o}, and = means even. A "
            "capital X or O means the win was certain:",
            x=players["X"],
            o=players["O"],
        )
    return Album(
        leads(match, ends) if has_points else "",
        led,
        ends if has_points else (),
        tuple(stops),
        facts["more"],
        tell("Time used: {times}.", times=took) if took else "",
        tuple(f"{match.game.word} {verb} {match.number}" for verb in verbs),
    )


def pictures(shown: Album) -> dict[str, Drawn | None]:
    """Draw the pictures of an album by name: what was still possible when, and the boards of its swings."""
    drawn = {swing.name: of_board(swing.view, _PIXELS) for swing in shown.swings}
    if shown.ends:
        places = [swing.place for swing in shown.swings]
        drawn["lead"] = of_leads([each[:2] for each in shown.ends], places)
    return drawn


def leads(match: Match, ends: Sequence[Span]) -> str:
    """Return the leader after each move, as marks; in a long game only after some moves."""
    marks = [ends[place].mark for place, each in enumerate(match.record, 1) if each.number]
    return "".join(thinned(marks, _COLUMNS))


def in_groups(marks: str) -> str:
    """Return the marks of ``leads`` in groups, between which a line can break."""
    return " ".join(marks[at : at + _TOGETHER] for at in range(0, len(marks), _TOGETHER))


@lru_cache(4)  # both players get a last letter
def spans(match: Match) -> tuple[Span, ...]:
    """Return the spans before the first move, and after each entry of the record."""
    start = begin(match.number, match.game, match.seats, match.made, match.terms)
    boards = (start.position, *positions(start, match.record))
    return tuple(_span_of(match.game.bounds(each.stones)) for each in boards)


def _span_of(bounds: Bounds) -> Span:
    (low_x, low_o), (high_x, high_o) = bounds.worst.points, bounds.best.points
    return Span(low_x - low_o, high_x - high_o, bounds.decided)


def _swings(match: Match, ends: Sequence[Span], translator: Translator) -> list[Swing]:
    """Return the moves that took most, in their order, each with its board."""
    found = []
    for n, (place, loser) in enumerate(turns(match, ends)):
        title, text = turning(match, place, loser, ends, translator)
        number = match.record[place - 1].number or 0
        view = view_of(
            match.at_move(number), Telling("", (AsItWas(number),), translator=translator)
        )
        found.append(Swing(f"swing{n}", place, number, title, text, view))
    return found


def turns(match: Match, ends: Sequence[Span]) -> list[tuple[int, Player]]:
    """Return the moves that took most: the place of each in the record, and the player who lost by it.

    They are in their order; of moves that took the same, the first are there. The last stone is none of
    them: the letter shows its board. Nor is a move of a game that was decided.
    """
    found = []
    boards = [place for place, entry in enumerate(match.record, 1) if entry.number]
    for place in boards[:-1]:
        before, after = ends[place - 1], ends[place]
        loser: Player = "X" if after.high < before.high else "O"
        took = before.hope(loser) - after.hope(loser)
        is_won = before.decided or before.hope(loser) <= 0
        if took > 0 and not is_won and match.players[loser] != match.record[place - 1].userid:
            found.append((-took, place, loser))
    return sorted((place, loser) for _, place, loser in sorted(found)[:_SWINGS])


def turning(
    match: Match, place: int, loser: Player, ends: Sequence[Span], translator: Translator
) -> tuple[str, str]:
    """Return the title of a turning point, and the sentence that says what it took from a player."""
    entry, who, tell = match.record[place - 1], match.players[loser], translator.tell
    before, after = ends[place - 1].hope(loser), ends[place].hope(loser)
    title = tell(
        "Move {number}, {move} by {userid}",
        number=entry.number or 0,
        move=entry.move,
        userid=entry.userid,
    )
    if not match.game.has_points:
        return title, tell(
            "Before this move, {who} could still win. After it, {who} couldn't.", who=who
        )
    if after > 0:
        return title, tell(
            "Before this move, {who} could still win by up to {before}. After it, "
            "{who} could only win by up to {after}.",
            who=who,
            before=before,
            after=after,
        )
    return title, tell(
        "Before this move, {who} could still win by up to {before}. After it, {who} "
        "couldn't win anymore.",
        who=who,
        before=before,
    )


def _said(match: Match, place: int, userid: str, translator: Translator) -> str:
    """Name a player and the move after which this player said something."""
    if place >= len(match.record):
        return translator.tell("{userid}, after the game:", userid=userid)
    played = [entry.number for entry in match.record[:place] if entry.number]
    if not played:
        return translator.tell("{userid}, before the first move:", userid=userid)
    return translator.tell("{userid}, after move {number}:", userid=userid, number=played[-1])
