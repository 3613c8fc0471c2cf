"""What help pages may use: usage lines, option tables, drawn boards, all from the code itself."""

from __future__ import annotations

import textwrap
from typing import NamedTuple

import jinja2

from .. import command as language
from .. import games
from ..games.base import Game
from .text import WIDTH


class Page(NamedTuple):
    """A help page: the title is that of its game, else its topic."""

    title: str
    text: str


def topic(word: str) -> str:
    """The topic of the page on a game that goes by ``word``, else ``word`` itself."""
    game = games.find(word)
    return _topic_of(game) if game else word


def page(template: jinja2.Template, topic: str, address: str) -> Page:
    """A help page, filled with what follows from the tables of verbs and games."""
    game = next((game for game in games.GAMES if _topic_of(game) == topic), None)

    def usage(name: str) -> str:
        verb = next(verb for verb in language.verbs(game) if verb.name == name)
        return "\n".join(_hung(line) for line in language.usage(verb, game))

    def reference(word: str) -> str:
        kind = games.find(word)
        lines = []
        for verb in language.verbs(kind):
            for line in language.usage(verb, kind):
                lines.append(_hung(line))
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

    text = template.render(
        usage=usage,
        options=options,
        board=board_of,
        report=report,
        reference=reference,
        games=games.GAMES,
        address=address,
    )
    return Page(game.title if game else topic, text)


def _topic_of(game: type[Game]) -> str:
    return game.word.replace("*", "star")


def _hung(line: str) -> str:
    return textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="      ")


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
