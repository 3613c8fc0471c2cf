"""Letters: from what is to be told to the bytes of a mail.

``board`` puts a match into lines of text once for both players; ``Renderer`` fills templates and
writes the mail around them. Nothing here knows the store or decides anything.
"""

from __future__ import annotations

import binascii
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.header import Header
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import jinja2

from . import command as language
from . import games
from .games.adjudicate import Reading, reading
from .games.base import PLAYERS, STONE, Game
from .games.boards import EMPTY
from .match import Match

WIDTH = 72
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Comment:
    """What a player wrote to the opponent beside a command."""

    userid: str
    text: str


def folder(name: str) -> Path:
    """Where templates or help pages lie: packaged, or in the checkout of an editable install."""
    packaged = HERE / name
    return packaged if packaged.is_dir() else HERE.parent / name


def wrap(text: str, indent: str = "") -> list[str]:
    """Lines of at most WIDTH columns; line ends in ``text`` are kept."""
    lines: list[str] = []
    for line in text.split("\n"):
        lines += textwrap.wrap(
            line, WIDTH, initial_indent=indent, subsequent_indent=indent, drop_whitespace=True
        ) or [""]
    return lines


def table(cells: Iterable[str]) -> list[str]:
    """Short texts set in columns, row by row."""
    cells = list(cells)
    width = max((len(cell) for cell in cells), default=0) + 3
    many = max(1, (WIDTH - 2) // width)
    rows = [cells[i : i + many] for i in range(0, len(cells), many)]
    return ["  " + "".join(cell.ljust(width) for cell in row).rstrip() for row in rows]


# -- a board in words


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
    for player, note in zip(PLAYERS, match.score.notes, strict=True):
        if note:
            scores += textwrap.wrap(
                f"{players[player]}: {note}", WIDTH, initial_indent="  ", subsequent_indent="    "
            )
    if not match.position.over:
        scores += _prospect(match)
    return {
        "match": match,
        "title": game.title,
        "number": match.number,
        "options": game.described(),
        "to_move": match.to_move,
        "status": status(match),
        "scores": scores,
        "moves": table(_said(move.number, move.move) for move in match.record),
        "drawing": game.draw(match.position.stones).rstrip("\n"),
        "last": _last(match),
    }


def _prospect(match: Match) -> list[str]:
    """What can still become of the scores; whether the game is decided or settled."""
    bounds, players, lines = match.bounds, match.players, []
    if match.game.has_points:
        ends = [f"{players[p]} {low} to {high}" for p in PLAYERS for low, high in [bounds.of(p)]]
        lines.append(f"Still possible: {', '.join(ends)}.")
    if match.game.has_points and bounds.settled:
        lines.append("The game is settled: no stone can change the score any more.")
    elif bounds.decided:
        lines.append(f"The game is decided: {players[bounds.decided]} wins however it goes on.")
    read = reading(match.game, match.position.stones, bounds)
    if read:
        lines += _reading_lines(match, read)
    return lines


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
            lines += textwrap.wrap(
                f"{players[player]}: {pairs}", WIDTH, initial_indent="  ", subsequent_indent="    "
            )
    return lines


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
    empty = [
        name
        for name, stone in zip(match.game.grid.names, match.position.stones, strict=True)
        if stone == EMPTY
    ]
    return " ".join(empty[len(empty) // 2 :][:due])


def can(match: Match, userid: str) -> list[str]:
    """The commands that a player can send about a board now, ready to be filled in and sent."""
    word, number, me = match.game.word, match.number, userid
    seat = f"{number} {me} password"
    if match.position.over:
        options = match.game.described()
        again = " ".join(filter(None, [word, "challenge", options, me, match.opponent(me)]))
        return [again, f"{word} show {number}", f"{word} help"]
    lines = []
    if match.to_move == me:
        lines.append(f"{word} move {seat} {_example(match)}#{match.turn}")
        lines.append(f"{word} move {seat} pass#{match.turn}")
        if match.position.swappable:
            lines.append(f"{word} move {seat} swap#{match.turn}")
    offer = match.row.offer.split()
    if offer and offer[0] != me:
        lines.append(f"{word} accept {seat}")
    elif not offer and match.game.has_points and match.bounds.decided:
        lines.append(f"{word} propose {seat} {match.score.points[0]}-{match.score.points[1]}")
    lines.append(f"{word} resign {seat}")
    if not match.has_moved(me):
        lines.append(f"{word} decline {seat}")
    return [*lines, f"{word} show {number}", f"{word} help"]


# -- mails


class Renderer:
    """Fills the templates: a site's own directory is searched first, then the project's."""

    def __init__(self, site: Path | None, address: str) -> None:
        self._address = address
        self._letters = _environment([*([site] if site else []), folder("templates")])
        self._pages = _environment([*([site / "help"] if site else []), folder("help")])

    def letter(self, template: str, context: Mapping[str, Any]) -> tuple[str, str]:
        """Subject and body of a letter."""
        text = self._letters.get_template(template).render(context)
        subject, _, body = text.partition("\n\n")
        return subject.removeprefix("Subject: ").strip(), body

    def help(self, topic: str, game: type[Game] | None) -> str | None:
        """A help page as text; None if there is none on that topic."""
        try:
            template = self._pages.get_template(f"{topic}.txt")
        except jinja2.TemplateNotFound:
            return None
        return template.render(_page(game, self._address))

    def topics(self) -> list[str]:
        """The topics that there is a page on."""
        return sorted(name.removesuffix(".txt") for name in self._pages.list_templates(["txt"]))


def _environment(folders: list[Path]) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - plain text
    )
    environment.filters["wrap"] = lambda text, indent="": "\n".join(wrap(text, indent))
    return environment


def mail(headers: Mapping[str, str], subject: str, body: str, at: float) -> bytes:
    """The bytes of a mail, lines ended by LF; the body as it is if it is ASCII, else quoted-printable."""
    plain = body.isascii()
    lines = [
        f"Date: {format_datetime(datetime.fromtimestamp(at, UTC))}",
        *(f"{name}: {_header(value)}" for name, value in headers.items() if value),
        f"Subject: {_header(subject)}",
        "MIME-Version: 1.0",
        f"Content-Type: text/plain; charset={'us-ascii' if plain else 'utf-8'}",
        f"Content-Transfer-Encoding: {'7bit' if plain else 'quoted-printable'}",
        "",
        "",
    ]
    content = body.encode("ascii") if plain else _quoted_printable(body)
    return "\n".join(lines).encode("ascii") + content


def _quoted_printable(body: str) -> bytes:
    return binascii.b2a_qp(body.encode("utf-8", "replace"), istext=True)


def _header(value: str) -> str:
    """A header's value as it may be written. Raises ValueError for what could start another header."""
    if not value.isprintable():
        raise ValueError("a header with control characters")
    return value if value.isascii() else Header(value, "utf-8").encode()


def _page(game: type[Game] | None, address: str) -> dict[str, Any]:
    """What a help page may use."""

    def usage(name: str) -> str:
        verb = next(verb for verb in language.verbs(game) if verb.name == name)
        return "\n".join(f"  {line}" for line in language.usage(verb, game))

    def reference(word: str) -> str:
        kind = games.find(word)
        lines = []
        for verb in language.verbs(kind):
            for line in language.usage(verb, kind):
                lines += textwrap.wrap(line, WIDTH, initial_indent="  ", subsequent_indent="    ")
            lines += textwrap.wrap(
                verb.doc, WIDTH, initial_indent="      ", subsequent_indent="      "
            )
        return "\n".join(lines)

    def options() -> str:
        assert game is not None
        return "\n".join(_option_lines(game))

    def board_of(options: str, moves: str) -> str:
        drawn = _played(game, options, moves)
        return "\n".join(f"  {line}".rstrip() for line in drawn[0].draw(drawn[1]).splitlines())

    def report(options: str, moves: str) -> str:
        played = _played(game, options, moves)
        return "\n".join(f"  {line}".rstrip() for line in played[0].report(played[1]))

    return {
        "usage": usage,
        "options": options,
        "board": board_of,
        "report": report,
        "reference": reference,
        "games": games.GAMES,
        "address": address,
    }


def _option_lines(game: type[Game]) -> list[str]:
    width = max(len(option.usage()) for option in game.options) + 2
    lines = []
    for option in game.options:
        doc = option.doc
        if option.range:
            doc += f" ({option.limits()})"
        lines += textwrap.wrap(
            f"{option.usage():{width}}{doc}",
            WIDTH,
            initial_indent="  ",
            subsequent_indent=" " * (width + 2),
        )
    return lines


def _played(kind: type[Game] | None, options: str, moves: str) -> tuple[Game, bytes]:
    assert kind is not None
    words = [word.lstrip("-").partition("=") for word in options.split()]
    game = kind({name: value for name, _, value in words})
    position = game.start()
    for move in moves.split():
        position = position.play(game.read([move]))
    return game, position.stones
