"""The pages of a game: its board to step through, its record, its picture; and its score in lists."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from markupsafe import Markup

from ....errors import DAMAGE
from ....games.base import Bounds, Player, Position
from ....match import AGREE, CANCEL, CLAIM, FORFEIT, JUDGED, RESIGN, Entry, Match
from ....render import album
from ....render.board import clock_face, transcript
from ....render.board.opening import margin
from ....render.board.view import status, verdict
from ....render.picture import shapes
from ....render.translator import Translator
from ....store import Store
from .catalogue import Catalogue, ListedGame, mark
from .fragment import packed, surface
from .svg import small, svg
from .templates import PageTemplates, placed

_ENDS = frozenset((RESIGN, FORFEIT, AGREE, CANCEL, CLAIM, JUDGED))  # entries that are no step
_KNOWN = re.compile(rb' data-ranges="([^"]*)".*<ol class="moves">\n([^\n]*)', re.DOTALL)
_ITEM = "<li"  # begins each step in the list of moves
_CLASSES = {"x": "", "o": " class=o"}  # of a step by its stone


class Course(NamedTuple):
    """A game at each step, in the words of the page's script.

    moves   the steps as items of a list, each marked with the stone that it puts on the board
    others  what the other steps change, by number: ``2:- 7:*03.,*53x``, see ``_change``
    ranges  the results that are still possible, before the first step and after each step: X's and O's
            points at X's worst, the same at X's best, and the certain winner if there is one
    """

    moves: Markup
    others: str
    ranges: list[str]

    @property
    def changes(self) -> str:
        """Return the ranges, each empty if it is the same as the one before; empty if nothing is known."""
        if not any(each != "-" for each in self.ranges):
            return ""
        pairs = zip(["", *self.ranges], self.ranges, strict=False)
        return " ".join("" if now == before else now for before, now in pairs).rstrip()


def game_pages(
    templates: PageTemplates,
    match: Match,
    each: Sequence[Position],
    exhibit: ListedGame,
    known: bytes,
) -> dict[str, bytes]:
    """Return the pages of a match.

    each   its positions; the first one is before the first entry of the record
    known  the former page: its ranges need not be found again
    """
    game, stones, number = match.game, match.position.stones, match.number
    entries = [entry for entry in match.record if entry.move.split(" ")[0] not in _ENDS]
    over = match.position.over
    course = _course(entries, each[: len(entries) + 1], over, known)
    facts = {
        "match": match,
        "options": in_words(game.described()),
        "closed": exhibit.closed,
        "numbers": dict(zip(exhibit.players, exhibit.shown.numbers, strict=True)),
        "over": over,
        "surface": surface(game.grid),
        "course": course,
        "start": packed(each[0].stones),
        "owned": packed(shapes.areas(game, stones)) if over else "",
        "swap": next((at for at, each in enumerate(entries, 1) if each.move == "swap"), None),
        "who": "".join(str(match.seats.index(entry.userid)) for entry in entries),
        "curve": curve(course.ranges),
        "points": dict(zip(match.players.values(), match.points, strict=True))
        if score_of(match)
        else {},
    }
    name = f"g/{number}.html"
    drawn = shapes.picture(game, stones, _last(match), over)
    return {
        **{
            placed(name, translator): templates.page(
                "game.html", name, translator, **facts, **_told(match, course, translator)
            )
            for translator in templates.translators
        },
        f"g/{number}.json": _json(match),
        f"g/{number}.svg": svg(
            drawn, f"{game.title} board {number}: {' against '.join(match.seats)}"
        ).encode("utf-8"),
        f"g/{number}.small.svg": small(drawn).encode("ascii"),
    }


def _told(match: Match, course: Course, translator: Translator) -> dict[str, Any]:
    """Return the facts of a page that its language has."""
    headline, over = headline_of(match, translator), match.position.over
    used = {
        who: translator.say(clock_face.length(seconds)) for who, seconds in _used(match).items()
    }
    return {
        "title": f"{headline}, {match.game.title} {match.number}",
        "headline": headline,
        "standing": " ".join((status(match, False, translator), *verdict(match, translator))),
        "turns": _turns(match, course.ranges, translator) if over else (),
        "used": defaultdict(str, used),
    }


def headline_of(match: Match, translator: Translator) -> str:
    """Return what happened, for the top of the page: ``anna beat ben by 1``; the names while it runs."""
    names, title, tell = " – ".join(match.seats), match.game.title, translator.tell
    if not match.position.over:
        return names
    if len(match.seats) == 1:
        solved = tell("{userid} solved {title}", userid=names, title=title)
        return solved if match.winner else f"{names}: {title}"
    if match.winner:
        winner, loser, points = match.winner, match.opponent(match.winner), margin(match)
        if points:
            return tell(
                "{winner} beat {loser} by {points}", winner=winner, loser=loser, points=points
            )
        return tell("{winner} beat {loser}", winner=winner, loser=loser)
    if match.result == "tie":
        return tell("{names}: a tie", names=names)
    return tell("{names}: no result", names=names)


def score_of(match: Match) -> str:
    """Return the points of a game that points have decided, in the order of the seats: ``16–15``."""
    ending = match.position.ending
    if ending is None or not ending.counted or not match.game.has_points or len(match.seats) != 2:
        return ""
    points = dict(zip(match.players.values(), match.points, strict=True))
    return "–".join(str(points[who]) for who in match.seats)


def in_words(options: str) -> str:
    """Return options as people say them: ``-size=4 -maxi`` is ``size 4, maxi``."""
    return ", ".join(word.lstrip("-").replace("=", " ") for word in options.split())


def _turns(
    match: Match, ranges: Sequence[str], translator: Translator
) -> list[tuple[int, str, str]]:
    """Return the turning points of a game with points: step, title and text of each."""
    spans = []
    for word in ranges:
        ends, winner = word.rstrip("xo").split(","), word[-1:].upper()
        if len(ends) != 4:
            return []
        low_x, low_o, high_x, high_o = map(int, ends)
        decided: Player | None = "X" if winner == "X" else "O" if winner == "O" else None
        spans.append(album.Span(low_x - low_o, high_x - high_o, decided))
    return [
        (place, *album.turning(match, place, loser, spans, translator))
        for place, loser in album.turns(match, spans)
    ]


def _text(entry: Entry, over: bool) -> str:
    """Return the text of a step in the list of moves; after the game a move by plan has a ``*``."""
    move = entry.move + "*" * (over and entry.by_plan)
    return move if entry.number is None else f"{entry.number} {move}"


def _last(match: Match) -> frozenset[int]:
    """Return the cells of the last move."""
    index = match.game.grid.index
    words = re.split("[ -]", match.record[-1].move) if match.record else []
    return frozenset(index[word] for word in words if word in index)


# -- the changes of each step


def _course(entries: Sequence[Entry], each: Sequence[Position], over: bool, known: bytes) -> Course:
    changes = [_change(now, before.stones) for before, now in pairwise(each)]
    steps = list(zip(entries, changes, strict=True))
    moves = "".join(
        f"{_ITEM}{_CLASSES.get(change[-1:], ' class=n')}>{_text(entry, over)}"
        for entry, change in steps
    )
    others = (
        f"{number}:{change}"
        for number, (entry, change) in enumerate(steps, 1)
        if change[:-1] != entry.move
    )
    found = _KNOWN.search(known)
    ranges: list[str] = []
    if found and found[1] and f"{moves}{_ITEM}".startswith(f"{found[2].decode()}{_ITEM}"):
        for word in found[1].decode().split(" "):
            ranges.append(word or ranges[-1])
        count = found[2].count(_ITEM.encode()) + 1
        ranges += [ranges[-1]] * (count - len(ranges))
    return Course(
        Markup(moves),  # noqa: S704 - names of cells and words need no escape
        " ".join(others),
        [*ranges, *_ranges(each[len(ranges) :])],
    )


def _change(position: Position, before: bytes) -> str:
    """Return the cells that have changed, each with its stone: ``F6x``, ``*03.,*53x``; a dash if none has."""
    stones = position.stones
    if stones == before:
        return "-"
    names = position.game.grid.names
    changed = (cell for cell, stone in enumerate(stones) if stone != before[cell])
    return ",".join(f"{names[cell]}{chr(stones[cell])}" for cell in changed)


def _ranges(each: Sequence[Position]) -> Iterator[str]:
    """Yield the range of each position; a range that cannot change any more is not found again."""
    bounds: Bounds | None = None
    for position in each:
        game = position.game
        if len(game.seats) == 1:
            yield "-"
            continue
        if bounds is None or not (bounds.settled and bounds.decided) or not game.has_points:
            bounds = game.bounds(position.stones)
        worst, best = bounds.worst.points, bounds.best.points
        ends = ",".join(map(str, (*worst, *best))) if game.has_points else ""
        yield f"{ends}{(bounds.decided or '').lower()}" or "-"


def curve(ranges: Sequence[str]) -> dict[str, Any] | None:
    """Return the leads that X, and that O, could still reach at each step, as paths of two areas.

    Return None if points do not decide the game.
    """
    words = [word.rstrip("xo").split(",") for word in ranges]
    ends = [tuple(map(int, word)) for word in words if len(word) == 4]
    if len(ends) < 2 or len(ends) != len(words):
        return None
    low = [x - o for x, o, _, _ in ends]
    high = [x - o for _, _, x, o in ends]
    most = max(1, *map(abs, low), *map(abs, high))
    return {
        "for_x": f"M0 0{_area([max(0, lead) for lead in high])}z",
        "for_o": f"M0 0{_area([min(0, lead) for lead in low])}z",
        "steps": len(ends),
        "most": most,
    }


def _area(values: Sequence[int]) -> str:
    """Return the path of an area between the middle and values side by side, from its left end on."""
    return f"v{-values[0]}{_stairs(values, 1)}V0"


def _stairs(values: Sequence[int], width: int) -> str:
    """Return the path of values side by side, each of that width; greater values are higher."""
    path, wide, at = "", 0, values[0]
    for value in values:
        if value != at:
            path += f"h{wide}v{at - value}"
            wide, at = 0, value
        wide += width
    return f"{path}h{wide}"


def _used(match: Match) -> dict[str, int]:
    """Return the seconds that each player has used, if they were counted."""
    used: dict[str, float] = {}
    for entry in match.record:
        if entry.began is not None and not entry.by_plan:
            used[entry.userid] = used.get(entry.userid, 0.0) + max(0.0, entry.at - entry.began)
    return {who: int(seconds) for who, seconds in used.items()}


def _json(match: Match) -> bytes:
    """Return the record as its letter has it, except that times are shortened to days."""
    facts = transcript.facts(match)
    for move in facts["moves"]:
        move["at"] = move["at"][:10]
    return (json.dumps(facts, separators=(",", ":")) + "\n").encode("ascii")


class FinalScore(NamedTuple):
    """The score of a game, ``16–15`` or empty, and a mark of the board that it was found on."""

    mark: str
    text: str

    @classmethod
    def of(cls, line: str, match: Match) -> FinalScore:
        """Return the score of a match; ``line``: its board's, see ``PublicBoards.lines``."""
        return cls(mark(line), score_of(match))


class FinalScores:
    """The scores of boards by number; ``known`` are those found before, and takes in the new ones."""

    def __init__(self, store: Store, catalogue: Catalogue, known: dict[int, FinalScore]) -> None:
        self._store, self._catalogue, self._known = store, catalogue, known

    def __getitem__(self, number: int) -> str:
        """Return the score of a game; empty while it runs, or if points have not decided it."""
        line = self._catalogue.lines[number]
        known = self._known.get(number)
        if known is None or known.mark != mark(line):
            known = self._known[number] = self._found(number, line)
        return known.text

    def _found(self, number: int, line: str) -> FinalScore:
        if not self._catalogue.game(number).shown.over:
            return FinalScore(mark(line), "")
        try:
            with self._store.transaction(writes=False) as tx:
                row = tx.boards.get(number)
                if row is None:
                    return FinalScore("", "")
                return FinalScore.of(line, row.match(tx.boards.record(number)))
        except DAMAGE:
            return FinalScore(mark(line), "")
