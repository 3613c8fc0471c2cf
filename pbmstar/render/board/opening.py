"""The opening of a letter: the reader's first line, and the other lines above the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ...games.base import STONE
from ...games.spelling import plural
from ...match import Entry, Happening, Match, asked
from ...match import happenings as h
from .sentences import asked_of, owned_stones
from .transcript import played_by

_OF_A_MOVE = h.Moved | h.Passed | h.Swapped | h.Answered
# These tell everything about the last move, or about the end.
_TELL_THE_MOVE = (
    h.Began | h.Passed | h.Swapped | h.Resigned | h.Left | h.Forfeited | h.Agreed | h.Cancelled
    | h.Abandoned | h.Claimed | h.Judged | h.Answered | h.TakenBack | h.Retracted | h.Reset
)  # fmt: skip


class Side(NamedTuple):
    """One player's part of the score.

    stone     ``x`` or ``o``
    points    as the board stands, or as it ended; None if the game has none, or if it cannot end
              with the score as the board stands
    low, high  the least and most points still possible; None once that is known or if it means nothing
    goal      the player's goal, if the two want different things: ``joins left and right``
    """

    userid: str
    stone: str
    points: int | None
    low: int | None
    high: int | None
    goal: str


class Opening(NamedTuple):
    """The opening of a letter. All are sentences or lines for one reader.

    heading   the player to move or to answer, a swap, or the end of the game: ``Your move, alice``
    stressed  the heading, or another line, if there is more to stress than the turn; else empty
    about     opponent, game and place in it: ``against bob · Star, size 7 · move 12 · board 4``
    played    the moves that were played, if no notice tells them; with the stones enclosed
    question  the opponent's request, if the reader must answer it; else empty
    """

    heading: str
    stressed: str
    about: str
    played: str
    question: str


def opening_of(
    match: Match,
    reader: str,
    happenings: Sequence[Happening],
    past: bool,
    told: Sequence[str],
    options: str,
) -> Opening:
    """Return the opening of a letter on a board after these happenings.

    past     the board is shown as it was
    told     the sentences of ``enclosures``
    options  those of the match
    """
    question = "" if past else asked_of(match, reader)
    heading = _heading(match, reader, past)
    if question:
        heading = f"Your answer, {reader}"
    elif not past and not match.position.over:
        heading = _taken_over(match, reader, happenings) or heading
    stressed = heading if question or (match.position.over and not past) else ""
    if not stressed and not past and match.request and asked(match, match.opponent(reader)):
        stressed = f"{match.opponent(reader)} is asked"
    played = _played(match, reader, happenings, told)
    return Opening(heading, stressed, _about(match, reader, past, options), played, question)


def _heading(match: Match, reader: str, past: bool) -> str:
    """Return the reader's one line: ``Your move, alice``, ``bob to move``, ``You won by 3``."""
    if past:
        return f"Board {match.number} as it was"
    if not match.position.over:
        return f"Your move, {reader}" if match.to_move == reader else f"{match.to_move} to move"
    ending = match.position.ending
    if len(match.seats) == 1:
        return "Solved" if match.winner else "The end"
    if ending is None or ending.how == "cancelled":
        return "No result"
    if ending.winner is None:
        return "A draw"
    winner = match.players[ending.winner]
    by = f" by {points}" if (points := margin(match)) else ""
    if reader in match.seats:
        return f"You {'won' if reader == winner else 'lost'}{by}"
    return f"{winner} won{by}"


def _taken_over(match: Match, reader: str, happenings: Sequence[Happening]) -> str:
    """Return the one line of a reader who is told of a swap; empty if there was none.

    ``bob took your stone and plays X now. You play O, and it's your move``.
    """
    takers = [
        each.userid
        for each in happenings
        if isinstance(each, h.Swapped) or (isinstance(each, h.Answered) and each.move == "swap")
    ]
    if not takers:
        return ""
    taker, loser = takers[-1], match.opponent(takers[-1])
    whose = "your" if reader == loser else f"{loser}'s"
    what = f"{whose} {owned_stones(match)}"
    took = f"You took {what} and play" if reader == taker else f"{taker} took {what} and plays"
    other = "You play" if reader == loser else f"{loser} plays"
    move = "your" if match.to_move == reader else f"{match.to_move}'s"
    return f"{took} X now. {other} O, and it's {move} move"


def margin(match: Match) -> int:
    """Return the difference in points of a game that is over; 0 if it was not won by points."""
    ending = match.position.ending
    if ending is None or not ending.counted:
        return 0
    x, o = match.points
    return abs(x - o)


def _about(match: Match, reader: str, past: bool, options: str) -> str:
    options = options.replace("=", " ").replace(" -", ", ").removeprefix("-")
    parts = [", ".join(filter(None, (match.game.title, options)))]
    if reader in match.seats and len(match.seats) > 1:
        parts.insert(0, f"against {match.opponent(reader)}")
    elif len(match.seats) > 1:
        parts.insert(0, " against ".join(match.players.values()))
    if match.position.over:
        parts.append(plural(match.position.played, "move"))
    elif not past:
        parts.append(f"move {match.turn}")
    return " \u00b7 ".join((*parts, f"board {match.number}"))


# -- the moves that were played


def _played(match: Match, reader: str, happenings: Sequence[Happening], told: Sequence[str]) -> str:
    """Return the moves that were played as sentences; empty if there are none, or if notices tell them."""
    together = told_together(match, happenings)
    if together is not None:
        entries = together
    elif any(isinstance(each, _TELL_THE_MOVE) for each in happenings):
        entries = []
    else:
        entries = list(match.record[-1:])
    moves = [played_by(entry, reader) for entry in entries]
    return " ".join((*moves, *told))


def told_together(match: Match, happenings: Iterable[Happening]) -> list[Entry] | None:
    """Return the moves that a happening of a feature tells; None if there is no such happening."""
    told = (each.told(match) for each in happenings if isinstance(each, h.OfFeature))
    return next((entries for entries in told if entries is not None), None)


def enclosures(match: Match, reader: str, happenings: Iterable[Happening]) -> list[str]:
    """Tell of the stones that the moves of these happenings have enclosed and put elsewhere."""
    count = max(1, sum(isinstance(each, _OF_A_MOVE) for each in happenings))
    return list(filter(None, (enclosed(match, entry, reader) for entry in match.record[-count:])))


def enclosed(match: Match, entry: Entry, reader: str) -> str:
    """Tell of the stones that a move has enclosed and put elsewhere; empty for most moves."""
    if entry.number is None:
        return ""
    moved = match.game.relocated(match.position, entry.number, entry.move)
    if not moved:
        return ""
    loser = match.opponent(entry.userid)
    who = "You" if reader == entry.userid else entry.userid
    whose = "your" if reader == loser else f"{loser}'s"
    stood, stands_on = (_listed(cells) for cells in zip(*moved, strict=True))
    what = "stone" if len(moved) == 1 else "stones"
    now = "it now stands" if len(moved) == 1 else "they now stand"
    return f"{who} enclosed {whose} {what} on {stood}; {now} on {stands_on}."


def _listed(words: Sequence[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


# -- the score


def sides_of(match: Match) -> tuple[Side, ...]:
    """Return the score of each player, in the order of the seats."""
    game = match.game
    open_ends = game.has_points and not match.position.over and not match.bounds.settled
    counted = game.has_points and is_possible(match)
    # A goal that both have is told in one sentence elsewhere.
    is_own = len({game.goal(player) for player in match.players}) > 1 and not match.position.over
    every = []
    for place, (player, userid) in enumerate(match.players.items()):
        low, high = match.bounds.of(player) if open_ends else (None, None)
        points = match.points[place] if counted else None
        goal = game.goal(player) if is_own else ""
        every.append(Side(userid, chr(STONE[player]), points, low, high, goal))
    return tuple(every)


def is_possible(match: Match) -> bool:
    """Return True if the game could end with the score as it stands; with an empty board it seldom could."""
    if match.position.over or len(match.seats) == 1:
        return True
    pairs = zip(match.points, match.ends, strict=True)
    return all(low <= points <= high for points, (_, low, high) in pairs)


def own_first(sides: Sequence[Side], reader: str) -> tuple[Side, ...]:
    """Return the sides with the reader's before the other."""
    return tuple(sorted(sides, key=lambda side: side.userid != reader))
