"""What a player can do on a board now: commands to be sent, and words that a reply may begin with."""

from __future__ import annotations

from ..games.base import Game
from ..games.boards import EMPTY
from ..match import Match
from .text import WIDTH


def commands(match: Match, userid: str) -> tuple[str, ...]:
    """Command lines to be filled in and sent by that player; somebody who only looks has ``""``."""
    word, number = match.game.word, match.number
    return (
        *(_own_commands(match, userid) if userid else ()),
        f"{word} show {number}",
        f"{word} help",
    )


def reply_words(match: Match, userid: str) -> tuple[str, ...]:
    """The words, except a move, that a reply of that player may begin with."""
    words = ["resign", "show", "score", "help"]
    if match.to_move == userid:
        words = ["pass", *(["swap"] if match.position.swappable else []), *words]
    if answer := _answer(match, userid):
        words.append(answer)
    elif score := _to_propose(match):
        words.append(f"propose {score}")
    if not match.has_moved(userid):
        words.append("decline")
    return tuple(words)


def _own_commands(match: Match, userid: str) -> list[str]:
    """The commands that only a player of the board can send."""
    word = match.game.word
    if match.position.over:
        return [_again(match, userid)]
    seat = f"{match.number} {userid} password"
    lines = []
    if match.to_move == userid:
        moves = [_example(match), "pass", *(["swap"] if match.position.swappable else [])]
        lines += [f"{word} move {seat} {move}#{match.turn}" for move in moves]
    if answer := _answer(match, userid):
        lines.append(f"{word} {answer} {seat}")
    elif score := _to_propose(match):
        lines.append(f"{word} propose {seat} {score}")
    lines.append(f"{word} resign {seat}")
    if not match.has_moved(userid):
        lines.append(f"{word} decline {seat}")
    return lines


def _answer(match: Match, userid: str) -> str:
    """The verb that says yes to what that player is asked; empty if nothing is asked."""
    request = match.request
    if request is None or request.userid == userid:
        return ""
    return {"score": "accept", "cancel": "cancel"}[request.kind]


def _to_propose(match: Match) -> str:
    """The score that there is reason to propose, as ``11-10``; empty if there is none.

    It is the settled score, or that of a reading. In a game that is decided but not settled it is
    the winner's guaranteed score.
    """
    bounds = match.bounds
    if match.request or not match.game.has_points:
        return ""
    if match.reading and not bounds.settled:
        x, o = match.reading.points
    elif bounds.decided or bounds.settled:
        x, o = (bounds.best if bounds.decided == "O" else bounds.worst).points
    else:
        return ""
    return f"{x}-{o}"


def _example(match: Match) -> str:
    """A move that could be made now, to show how one is written."""
    due = 1 if match.game.one_stone or not match.position.played else 2
    names, stones = match.game.grid.names, match.position.stones
    free: list[str] = []
    cell = len(stones) // 2
    while len(free) < due and EMPTY in stones[cell:]:
        cell = stones.index(EMPTY, cell)
        free.append(names[cell])
        cell += 1
    return " ".join(free or [names[stones.index(EMPTY)]])


def _again(match: Match, userid: str) -> str:
    """A challenge to the same game, cut short if it would be longer than a line."""
    word, options, opponent = match.game.word, match.game.described(), match.opponent(userid)
    line = " ".join(filter(None, [word, "challenge", options, userid, opponent]))
    if len(line) <= WIDTH - 2:
        return line
    return " ".join([word, "chall", _cut_short(match.game), userid, opponent])


def _cut_short(game: Game) -> str:
    """The options that are not default, cut as short as they may be typed."""
    names = [option.name for option in game.options]
    cut = []
    for word in game.described().split():
        name, equals, value = word.lstrip("-").partition("=")
        length = 1
        while name[:length] != name and sum(o.startswith(name[:length]) for o in names) > 1:
            length += 1
        cut.append(f"-{name[:length]}{equals}{value}")
    return " ".join(cut)
