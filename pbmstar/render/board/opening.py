"""The opening of a letter: the reader's first line, and the other lines above the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...errors import Sentence, say, say_many, together
from ...games.base import STONE, Bounds, Game
from ...match import Entry, Happening, Match, asked
from ...match import happenings as h
from ..translator import Translator
from .sentences import asked_of, has_one_stone
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
    is_narrower  the range is smaller than on the empty board
    goal      the player's goal, if the two want different things: ``joins left and right``
    """

    userid: str
    stone: str
    points: int | None
    low: int | None
    high: int | None
    goal: str
    is_narrower: bool = False


class Opening(NamedTuple):
    """The opening of a letter. All are sentences or lines for one reader.

    heading   the player to move or to answer, a swap, or the end of the game: ``Your move, alice``
    stressed  the heading, or another line, if there is more to stress than the turn; otherwise empty
    played    the moves that were played, if no notice tells them
    question  the opponent's request, if the reader must answer it; otherwise empty
    is_of_swap  the heading tells a swap, so no notice needs to
    """

    heading: str
    stressed: str
    played: str
    question: str
    is_of_swap: bool = False


def opening_of(
    match: Match,
    reader: str,
    happenings: Sequence[Happening],
    past: bool,
    translator: Translator,
) -> Opening:
    """Return the opening of a letter on a board after these happenings; ``past``: it is shown as it was."""
    question = "" if past else translator.say(asked_of(match, reader))
    heading = _heading(match, reader, past, translator)
    tells_swap = not (question or past or match.position.over)
    took = _taken_over(match, reader, happenings) if tells_swap else None
    if question:
        heading = translator.tell("Please answer, {userid}", userid=reader)
    elif took:
        heading = translator.say(took)
    stressed = heading if question or (match.position.over and not past) else ""
    if not stressed and not past and match.request and asked(match, match.opponent(reader)):
        stressed = translator.tell("{userid} has to answer", userid=match.opponent(reader))
    played = " ".join(map(translator.say, _played(match, reader, happenings)))
    return Opening(heading, stressed, played, question, took is not None)


def _heading(match: Match, reader: str, past: bool, translator: Translator) -> str:
    """Return the reader's one line: ``Your move, alice``, ``bob to move``, ``You won by 3``."""
    tell = translator.tell
    if past:
        return tell("Board {board} earlier in the game", board=match.number)
    if not match.position.over:
        if match.to_move == reader:
            return tell("Your move, {userid}", userid=reader)
        return tell("{userid} to move", userid=match.to_move)
    ending = match.position.ending
    if len(match.seats) == 1:
        return tell("Solved") if match.winner else tell("The end")
    if ending is None or ending.how == "cancelled":
        return tell("No result")
    if ending.winner is None:
        return tell("A draw")
    winner = match.players[ending.winner]
    who = "other" if reader not in match.seats else "own" if reader == winner else "lost"
    points = margin(match)
    return translator.say((_WON_BY if points else _WON)[who].given(userid=winner, count=points))


_WON = {"own": say("You won"), "lost": say("You lost"), "other": say("{userid} won")}
_WON_BY = {
    "own": say_many("You won by {count}", "You won by {count}", 0),
    "lost": say_many("You lost by {count}", "You lost by {count}", 0),
    "other": say_many("{userid} won by {count}", "{userid} won by {count}", 0),
}


def _taken_over(match: Match, reader: str, happenings: Sequence[Happening]) -> Sentence | None:
    """Return the one line of a reader who is told of a swap; None if there was none.

    ``bob took your stone and plays X now. You play O, and it's your move``.
    """
    takers = [
        each.userid
        for each in happenings
        if isinstance(each, h.Swapped) or (isinstance(each, h.Answered) and each.move == "swap")
    ]
    if not takers:
        return None
    taker, loser = takers[-1], match.opponent(takers[-1])
    who = "taker" if reader == taker else "loser" if reader == loser else "other"
    took = (_TOOK_ONE if has_one_stone(match) else _TOOK)[who]
    turn = (_TURN_OF_READER if match.to_move == reader else _TURN)[reader == loser]
    return together(
        took.given(taker=taker, loser=loser), turn.given(loser=loser, userid=match.to_move)
    )


_TOOK_ONE = {
    "taker": say("You took over {loser}'s stone and now play X."),
    "loser": say("{taker} took over your stone and now plays X."),
    "other": say("{taker} took over {loser}'s stone and now plays X."),
}
_TOOK = {
    "taker": say("You took over {loser}'s stones and now play X."),
    "loser": say("{taker} took over your stones and now plays X."),
    "other": say("{taker} took over {loser}'s stones and now plays X."),
}
# Without its end, since a heading has none; by whether the reader plays O.
_TURN_OF_READER = {
    True: say("You play O, and it's your move"),
    False: say("{loser} plays O, and it's your move"),
}
_TURN = {
    True: say("You play O, and it's {userid}'s move"),
    False: say("{loser} plays O, and it's {userid}'s move"),
}


def margin(match: Match) -> int:
    """Return the difference in points of a game that is over; 0 if it was not won by points."""
    ending = match.position.ending
    if ending is None or not ending.counted:
        return 0
    x, o = match.points
    return abs(x - o)


@lru_cache(256)  # boards with the same options share their game
def kind(game: Game) -> str:
    """Return a game with its size and the options that are not default: ``Star 7, maxi``."""
    parts = [f"{game.title} {game.value(game.scale)}" if game.scale else game.title]
    for option in game.options:
        value = game.value(option.name)
        if option.name != game.scale and value != option.default:
            parts.append(f"{option.name} {value}" if option.range else option.name)
    return ", ".join(parts)


def about(match: Match, past: bool, translator: Translator) -> str:
    """Return the game and the place in it: ``Star 7 · move 12 · board 4``."""
    tell, parts = translator.tell, [kind(match.game)]
    if match.position.over:
        parts.append(translator.tell_many("{count} move", "{count} moves", match.position.played))
    elif not past:
        parts.append(tell("move {turn}", turn=match.turn))
    parts.append(tell("board {number}", number=match.number))
    if origin := match.terms.origin:
        parts.append(tell("from move {number} of board {board}", number=match.offset, board=origin))
    return " \u00b7 ".join(parts)


# -- the moves that were played


def _played(match: Match, reader: str, happenings: Sequence[Happening]) -> list[Sentence]:
    """Return the moves that were played as sentences; none if there are none, or if notices tell them."""
    at_once = told_together(match, happenings)
    if at_once is not None:
        entries = at_once
    elif any(isinstance(each, _TELL_THE_MOVE) for each in happenings):
        entries = []
    else:
        entries = list(match.record[-1:])
    return [played_by(entry, reader) for entry in entries]


def told_together(match: Match, happenings: Iterable[Happening]) -> list[Entry] | None:
    """Return the moves that a happening of a feature tells; None if there is no such happening."""
    told = (each.told(match) for each in happenings if isinstance(each, h.Itself))
    return next((entries for entries in told if entries is not None), None)


def enclosures(match: Match, reader: str, happenings: Iterable[Happening]) -> list[Sentence]:
    """Tell of the stones that the moves of these happenings have enclosed and put elsewhere."""
    count = max(1, sum(isinstance(each, _OF_A_MOVE) for each in happenings))
    return list(filter(None, (enclosed(match, entry, reader) for entry in match.record[-count:])))


_ENCLOSED = {
    "mover": say_many(
        "You enclosed {loser}'s stone on {before}; it's now on {after}.",
        "You enclosed {loser}'s stones on {before}; they're now on {after}.",
        0,
    ),
    "loser": say_many(
        "{mover} enclosed your stone on {before}; it's now on {after}.",
        "{mover} enclosed your stones on {before}; they're now on {after}.",
        0,
    ),
    "other": say_many(
        "{mover} enclosed {loser}'s stone on {before}; it's now on {after}.",
        "{mover} enclosed {loser}'s stones on {before}; they're now on {after}.",
        0,
    ),
}


def enclosed(match: Match, entry: Entry, reader: str) -> Sentence | None:
    """Tell of the stones that a move has enclosed and put elsewhere; None for most moves."""
    if entry.number is None:
        return None
    moved = match.game.relocated(match.position, entry.number, entry.move)
    if not moved:
        return None
    mover, loser = entry.userid, match.opponent(entry.userid)
    who = "mover" if reader == mover else "loser" if reader == loser else "other"
    before, after = zip(*moved, strict=True)
    return _ENCLOSED[who].given(
        count=len(moved), mover=mover, loser=loser, before=before, after=after
    )


# -- the score


def sides_of(match: Match, possible: bool, translator: Translator) -> tuple[Side, ...]:
    """Return the score of each player, in the order of the seats; ``possible``: see ``is_possible``."""
    game = match.game
    open_ends = game.has_points and not match.position.over and not match.bounds.settled
    counted = game.has_points and possible
    # A goal that both have is told in one sentence elsewhere.
    is_own = (
        len({str(game.goal(player)) for player in match.players}) > 1 and not match.position.over
    )
    every = []
    for place, (player, userid) in enumerate(match.players.items()):
        low, high = match.bounds.of(player) if open_ends else (None, None)
        points = match.points[place] if counted else None
        goal = translator.say(game.goal(player)) if is_own else ""
        is_narrower = open_ends and (low, high) != _bounds_at_start(game).of(player)
        every.append(Side(userid, chr(STONE[player]), points, low, high, goal, is_narrower))
    return tuple(every)


@lru_cache(256)
def _bounds_at_start(game: Game) -> Bounds:
    return game.bounds(game.start().stones)


def is_possible(match: Match) -> bool:
    """Return True if the game could end with the score as it stands; with an empty board it seldom could."""
    if match.position.over or len(match.seats) == 1:
        return True
    pairs = zip(match.points, match.ends, strict=True)
    return all(low <= points <= high for points, (_, low, high) in pairs)


def own_first(sides: Sequence[Side], reader: str) -> tuple[Side, ...]:
    """Return the sides with the reader's before the other."""
    return tuple(sorted(sides, key=lambda side: side.userid != reader))
