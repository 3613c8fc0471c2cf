"""What help pages may use: usage lines, option tables, drawn boards, all from the code itself."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

import jinja2

from .. import command as language
from .. import games
from ..games.base import Game
from ..match import REASONS, manners
from .text import WIDTH, hang

_PACKAGE = Path(__file__).parent.parent  # or beside it, in the checkout of an editable install


class Site(NamedTuple):
    """What help pages and letters say of the server: its address, and the time for a move."""

    address: str
    time: str = "21d"


class Page(NamedTuple):
    """A help page: the title is that of its game, else its topic."""

    title: str
    text: str


def folders(site: Path | None, name: str) -> list[Path]:
    """Where the ``templates`` or the ``help`` pages lie, a site's own directory first."""
    packaged = _PACKAGE / name
    own = site / "help" if site and name == "help" else site
    return [*([own] if own else []), packaged if packaged.is_dir() else _PACKAGE.parent / name]


def page(template: jinja2.Template, topic: str, site: Site) -> Page:
    """A help page, filled with what follows from the tables of verbs and games."""
    game = next((game for game in games.GAMES if game.word.replace("*", "star") == topic), None)

    def usage(name: str) -> str:
        verb = next(verb for verb in language.verbs(game) if verb.name == name)
        return "\n".join(_hung(line) for line in language.usage(verb, game))

    def reference(word: str, beside: str = "") -> str:
        kind = games.find(word)
        known = language.verbs(games.find(beside)) if beside else ()
        lines = []
        for verb in language.verbs(kind):
            if verb in known:
                continue
            lines += [_hung(line) for line in language.usage(verb, kind)]
            lines.append(hang(verb.doc, "      ", "      "))
        return "\n".join(lines)

    def lacking(word: str, beside: str) -> str:
        has = language.verbs(games.find(word))
        return ", ".join(v.name for v in language.verbs(games.find(beside)) if v not in has)

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
        lacking=lacking,
        games=games.GAMES,
        has_bots=manners.plays,
        reasons=tuple(REASONS),
        replies=_replies,
        address=site.address,
        time=site.time,
    )
    return Page(game.title if game else topic, text)


def _replies(word: str) -> str:
    """The words that a reply may begin with in a game, and what each does."""
    kind = games.find(word)
    assert kind is not None
    has = {"pass": kind.has_pass, "swap": kind.has_swap}
    lines = []
    for verb in language.verbs(kind):
        if verb.reply and has.get(verb.name, True):
            lines += _beside(verb.name, verb.doc, _COLUMN)
    return "\n".join(lines)


_COLUMN = 10


def _beside(name: str, doc: str, width: int) -> list[str]:
    """A name in a column so wide, and beside it what it means."""
    indent = " " * (width + 2)
    return textwrap.wrap(f"  {name:{width}}{doc}", WIDTH, subsequent_indent=indent)


def _hung(line: str) -> str:
    return hang(line, "  ", "      ")


def _option_lines(game: type[Game]) -> list[str]:
    width = max(len(option.usage()) for option in game.options) + 2
    lines = []
    for option in game.options:
        doc = option.doc
        if option.range:
            doc += f" ({option.limits()})"
        lines += _beside(option.usage(), doc, width)
    return lines


def _played(kind: type[Game] | None, options: str, moves: str) -> tuple[Game, bytes]:
    assert kind is not None
    words = [word.lstrip("-").partition("=") for word in options.split()]
    game = kind({name: value for name, _, value in words})
    position = game.start()
    for move in moves.split():
        position = position.play(game.read([move]))
    return game, position.stones
