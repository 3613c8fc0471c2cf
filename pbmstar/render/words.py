"""A board in words: what every letter about it shows, as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable
from typing import Any

from ..games.adjudicate import Reading
from ..games.base import PLAYERS, STONE, Game
from ..games.boards import EMPTY
from ..match import Match

WIDTH = 72
_TABLE = 42  # columns of a table: a phone in upright position shows as many


def wrap(text: str, indent: str = "") -> list[str]:
    """Lines of at most WIDTH columns; line ends in ``text`` are kept."""
    lines: list[str] = []
    for line in text.split("\n"):
        if len(indent) + len(line) <= WIDTH:
            lines.append(f"{indent}{line}".rstrip())
            continue
        lines += textwrap.wrap(
            line, WIDTH, initial_indent=indent, subsequent_indent=indent, drop_whitespace=True
        ) or [""]
    return lines


def fill(text: str) -> str:
    """Running text set anew in lines of at most WIDTH columns; its own line ends mean nothing."""
    return textwrap.fill(
        " ".join(text.split()), WIDTH, break_long_words=False, break_on_hyphens=False
    )


def hang(line: str, indent: str) -> list[str]:
    """A line, further ones indented; a word is never broken."""
    if len(line) <= WIDTH:
        return [line]
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def table(cells: Iterable[str]) -> list[str]:
    """Short texts set in columns, row by row."""
    cells = list(cells)
    width = max((len(cell) for cell in cells), default=0) + 3
    many = max(1, _TABLE // width)
    rows = [cells[i : i + many] for i in range(0, len(cells), many)]
    return ["  " + "".join(cell.ljust(width) for cell in row).rstrip() for row in rows]


def status(match: Match) -> str:
    """The status line of a board."""
    if not match.position.over:
        return f"It is {match.to_move}'s turn."
    if match.result == "tie":
        return "Game was a tie."
    ending = match.position.ending
    assert ending is not None
    margin = abs(match.points[0] - match.points[1])
    if ending.how in ("resignation", "forfeit", "chain") or not margin:
        return f"Game won by {match.result}."
    return f"Game won by {match.result} by {margin} point{'s' if margin > 1 else ''}."


def board(match: Match) -> dict[str, Any]:
    """What every letter about a board shows, the same for both players: names and lines."""
    game, players = match.game, match.players
    scores: list[str] = []
    if game.has_points:
        points = dict(zip(PLAYERS, match.points, strict=True))
        scores.append("   ".join(f"{players[p]} ({chr(STONE[p])}): {points[p]}" for p in PLAYERS))
    else:
        scores.append("   ".join(f"{players[p]} ({chr(STONE[p])})" for p in PLAYERS))
    agreed = match.position.ending is not None and match.position.ending.points is not None
    for player, note in zip(PLAYERS, match.score.notes, strict=True):
        if note and not agreed:
            scores += _hung(f"{players[player]}: {note}")
    if not match.position.over:
        scores += _prospect(match)
    elif chain := game.winning_chain(match.position.stones):
        scores += textwrap.wrap(f"Winning chain: {' '.join(chain)}", WIDTH, subsequent_indent="  ")
    drawing = game.draw(match.position.stones).rstrip("\n")
    return {
        "match": match,
        "title": game.title,
        "number": match.number,
        "options": game.described(),
        "to_move": match.to_move,
        "status": status(match),
        "scores": "\n".join(scores),
        "moves": "\n".join(table(_said(move.number, move.move) for move in match.record)),
        "drawing": drawing,
        "last": _last(match),
    }


def _prospect(match: Match) -> list[str]:
    """What can still become of the scores; whether the game is decided or settled."""
    bounds, players, lines = match.bounds, match.players, []
    if match.game.has_points:
        ends = [f"{players[p]} {low} to {high}" for p in PLAYERS for low, high in [bounds.of(p)]]
        lines += hang(f"Still possible: {', '.join(ends)}.", "  ")
    if match.game.has_points and bounds.settled:
        lines.append("The game is settled: no stone can change the score any more.")
    elif bounds.decided:
        lines.append(f"The game is decided: {players[bounds.decided]} wins however it goes on.")
    if match.reading:
        lines += _reading_lines(match, match.reading)
    return lines


def _final(match: Match) -> tuple[int, int] | None:
    """The score that there is reason to propose: the settled one, or that of a reading.

    In a game that is only decided it is the winner's least, which nobody can keep from him.
    """
    bounds = match.bounds
    if not match.game.has_points:
        return None
    if match.reading and not bounds.settled:
        return match.reading.points
    if bounds.decided or bounds.settled:
        return (bounds.best if bounds.decided == "O" else bounds.worst).points
    return None


def _reading_lines(match: Match, read: Reading) -> list[str]:
    """What stands if both players answer in pairs; said to be a reading, not a fact."""
    players = match.players
    said = "A reading, not a fact: "
    if match.game.has_points:
        said += f"{players['X']} {read.points[0]}, {players['O']} {read.points[1]}"
    elif read.winner:
        said += f"{players[read.winner]} wins"
    said += " stands if both players answer in pairs of cells:"
    lines = textwrap.wrap(said, WIDTH)
    for player in PLAYERS:
        pairs = ", ".join(f"{a}-{b}" for a, b in read.pairs[player])
        if pairs:
            lines += _hung(f"{players[player]}: {pairs}")
    return lines


def _hung(text: str) -> list[str]:
    """Text indented, and further from the second line on."""
    if len(text) <= WIDTH - 2:
        return ["  " + text]
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")


def _said(number: int | None, move: str) -> str:
    return move if number is None else f"{number} {move}"


def _last(match: Match) -> str:
    if not match.record:
        return ""
    last = match.record[-1]
    return f"Last move: {_said(last.number, last.move)} by {last.userid}."


def _example(match: Match) -> str:
    """A move that could be made now, to show how one is written."""
    due = 1 if match.game.one_stone or not match.position.played else 2
    names, stones = match.game.grid.names, match.position.stones
    found: list[str] = []
    cell = len(stones) // 2
    while len(found) < due and EMPTY in stones[cell:]:
        cell = stones.index(EMPTY, cell)
        found.append(names[cell])
        cell += 1
    return " ".join(found or [names[stones.index(EMPTY)]])


def reply_words(match: Match, userid: str) -> str:
    """The words, but for a move, that a reply of that player may begin with, as a line of text."""
    words = ["resign", "show", "score", "help"]
    if match.to_move == userid:
        words = ["pass", *(["swap"] if match.position.swappable else []), *words]
    offer = match.row.offer.split()
    if offer and offer[0] != userid:
        words.append("accept")
    if not match.has_moved(userid):
        words.append("decline")
    return "  " + "  ".join(words)


def choices(match: Match, userid: str, address: str, words: str) -> str:
    """What a player can do now: commands to be filled in and sent, and, with ``words``, a reply.

    ``words`` is reply_words, or empty where a reply does nothing. Somebody who is no player of the
    board, or sees it as it was, is told with an empty ``userid`` what anybody can send.
    """
    word = match.game.word
    commands = _commands(match, userid) if userid else []
    lines = ["You can:"]
    lines += [f"  {line}" for line in (*commands, f"{word} show {match.number}", f"{word} help")]
    lines += ["Send one of these as the Subject of a mail to", address]
    if words:
        begin = "your move, or one of:" if match.to_move == userid else "one of:"
        lines += ["", f"or just reply to this mail; its first line is {begin}", "", words]
    return "\n".join(lines)


def _commands(match: Match, userid: str) -> list[str]:
    """The commands of a player, but for those that anybody can send."""
    word, number, me = match.game.word, match.number, userid
    seat = f"{number} {me} password"
    if match.position.over:
        options = match.game.described()
        again = " ".join(filter(None, [word, "challenge", options, me, match.opponent(me)]))
        if len(again) > WIDTH - 2:
            options = _cut_short(match.game)
            again = " ".join([word, "chall", options, me, match.opponent(me)])
        return [again]
    lines = []
    if match.to_move == me:
        lines.append(f"{word} move {seat} {_example(match)}#{match.turn}")
        lines.append(f"{word} move {seat} pass#{match.turn}")
        if match.position.swappable:
            lines.append(f"{word} move {seat} swap#{match.turn}")
    offer = match.row.offer.split()
    if offer and offer[0] != me:
        lines.append(f"{word} accept {seat}")
    elif not offer and (points := _final(match)):
        lines.append(f"{word} propose {seat} {points[0]}-{points[1]}")
    lines.append(f"{word} resign {seat}")
    if not match.has_moved(me):
        lines.append(f"{word} decline {seat}")
    return lines


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
