"""The rules of the Sunday game: its weeks, its boards, the opening, its places, and the season. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ...machine.times import DAY, Epoch
from ...match import Match, Terms
from ...match.terms import NONE

SUNDAY = "sunday"
BOT = "bot3"
# The boards in turn: the game, its options, and the seat of the person. A game takes about a week of taps.
BOARDS: tuple[tuple[str, Mapping[str, str], int], ...] = (
    ("star", {"size": "5"}, 0),
    ("*star", {"rings": "4"}, 1),
    ("star", {"size": "6"}, 0),
    ("star", {"size": "5"}, 1),
    ("*star", {"rings": "4"}, 0),
    ("star", {"size": "6"}, 1),
)
# Six moves that both might have made, or seven if the bot moves first: so the games of all have something in
# common, and the first letter asks for a move. Chances are about even; by the game and its size.
_OPENINGS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("star", "5"): (
        "F6 H5 H1 E1 A5 A8 E8", "E4 C7 H5 E1 E8 A8 A5", "F5 G5 A8 E1 H1 A5 H5",
        "H2 E1 A5 A8 H1 H5 E8", "D2 H4 E8 A5 H5 H1 A8", "F1 C3 H5 H1 A8 E1 E8",
    ),
    ("*star", "4"): (
        "R32 *32 S31 R30 R20 A32 A21", "R43 A30 T30 R31 R41 R42 *20", "T42 R20 R32 R41 A41 S30 *31",
        "T43 A31 A41 A42 R32 *31 T41", "R30 S31 T41 A30 *30 *42 T43", "*32 *41 A30 R30 T41 T32 T43",
    ),
    ("star", "6"): (
        "E5 H8 J6 F10 A6 F1 J1", "C8 J2 F10 A10 J1 A6 F1", "G5 I2 F1 J6 A10 F10 J1",
        "D6 H6 J6 A6 A10 F1 J1", "B8 C10 A6 F10 A10 J1 F1", "G5 G6 A6 A10 F1 J1 J6",
    ),
}  # fmt: skip
_OPENED = 6
SEASON = 13  # Sundays
# No clock, and no move taken back: all have the same game. It is played to its end, since the margin counts.
TERMS = Terms(NONE, undo="no", claim=False, private=True, rated=False, contest=SUNDAY)
IDLE = 3  # boards in a row that a player has not played: then no more are sent
_LEAST = (
    3 * DAY
)  # what is left of the week when somebody joins: with less, the first board is the next one
_TO_SUNDAY = 4  # days: the first of January 1970 was a Thursday


def opening(number: int) -> tuple[str, ...]:
    """Return the moves with which all games of a Sunday begin; then the person is to move."""
    word, options, seat = BOARDS[(number - 1) % len(BOARDS)]
    (size,) = options.values()
    lines = _OPENINGS[word, size]
    line = lines[(number - 1) // (len(BOARDS) // 2) % len(lines)]
    return tuple(line.split()[: _OPENED + seat])


def week_of(at: Epoch) -> int:
    """Return the number of the week that a time is in; weeks begin on Sunday, in UTC."""
    return int(at // DAY + _TO_SUNDAY) // 7


def end_of(week: int) -> Epoch:
    """Return the time at which a week ends, in seconds since 1970."""
    return float(((week + 1) * 7 - _TO_SUNDAY) * DAY)


def is_short(at: Epoch) -> bool:
    """Return True if too little of a week is left to join its game."""
    return end_of(week_of(at)) - at < _LEAST


def series(number: int) -> str:
    """Return the name of the games of a Sunday, in which the bot answers alike."""
    return f"{SUNDAY} {number}"


def margin(match: Match, userid: str) -> int:
    """Return by how many points a player has won, below 0 if lost.

    A game that no points have ended counts as the worst that could still have come.
    """
    ending = match.position.ending
    if ending and ending.counted:
        x, o = match.points
    else:
        bounds = match.bounds
        x, o = (bounds.worst if match.player(userid) == "X" else bounds.best).points
    return x - o if match.player(userid) == "X" else o - x


class Finisher(NamedTuple):
    """A player's place; those with equal margins share it."""

    place: int
    userid: str
    board: int
    margin: int
    is_unfinished: bool


def places(results: Iterable[tuple[str, int, int, bool]]) -> list[Finisher]:
    """Return the places of players, the best first, from what ``Sundays.results`` returns."""
    ordered = sorted(results, key=lambda each: (-each[2], each[0]))
    margins = [margin for _, _, margin, _ in ordered]
    return [Finisher(margins.index(each[2]) + 1, *each) for each in ordered]


class Place(NamedTuple):
    """A player's place in a season: the points, and the Sundays that the player has played."""

    place: int
    userid: str
    points: int
    sundays: int


def season(number: int) -> tuple[int, int, int]:
    """Return the number of the season of a Sunday, and its first and last Sunday."""
    count = (number - 1) // SEASON
    return count + 1, count * SEASON + 1, (count + 1) * SEASON


def standing(results: Iterable[tuple[int, str, int]]) -> list[Place]:
    """Return the places of a season, the best first.

    A Sunday brings one point for playing, and one for each player whose margin was worse. Equal points share
    a place.

    results  of each player on each Sunday: its number, the userid, and the margin
    """
    by_sunday: dict[int, list[tuple[str, int]]] = {}
    for number, userid, margin_ in results:
        by_sunday.setdefault(number, []).append((userid, margin_))
    points, sundays = Counter[str](), Counter[str]()
    for played in by_sunday.values():
        for userid, margin_ in played:
            points[userid] += 1 + sum(other < margin_ for _, other in played)
            sundays[userid] += 1
    ordered = sorted(points, key=lambda each: (-points[each], each))
    ranks = [points[each] for each in ordered]
    return [Place(ranks.index(points[who]) + 1, who, points[who], sundays[who]) for who in ordered]
