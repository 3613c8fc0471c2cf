"""Help pages, and the usage lines, option tables and drawn boards in them, taken from the code itself."""

from __future__ import annotations

import textwrap
from collections.abc import Container, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

import jinja2
from markupsafe import Markup, escape

from .. import command as language
from .. import games
from ..bots import rules
from ..errors import say
from ..games.base import Game
from ..games.grids import EMPTY, O_STONE
from ..games.pentagon import pentahex
from ..machine.times import DAY
from ..match import REASONS
from ..match.terms import Terms
from ..parts import FEATURES
from .drawings import TapPicture
from .style import STYLES
from .text import WIDTH, body, drawing, hang, wrap
from .translator import ENGLISH, Translator

_PACKAGE = Path(__file__).parent.parent  # or beside it, in the checkout of an editable install


class Site(NamedTuple):
    """The server as help pages and letters name it: its address, the time for a move, its pages."""

    address: str
    time: str = "21d"
    url: str = ""


class Figure(NamedTuple):
    """A drawing in a help page, and the picture in its place: a board, or the shapes of pentahexes.

    text  its lines in the page
    game  the game of the board; None for the shapes
    """

    text: str
    game: Game | None = None
    stones: bytes = b""

    @property
    def alt(self) -> str:
        """Return the picture in words."""
        if not self.game:
            return "The 22 shapes, numbered"
        on = [
            f"{'XO'[stone == O_STONE]} {name}"
            for name, stone in zip(self.game.grid.names, self.stones, strict=True)
            if stone != EMPTY
        ]
        return f"A board{': ' + ', '.join(on) if len(on) <= _TOLD else ''}"


class Page(NamedTuple):
    """A help page: its title is its game's, or its topic if it is about no game."""

    title: str
    text: str
    figures: tuple[Figure, ...] = ()
    word: str = ""  # of its game


def folders(site: Path | None, name: str) -> list[Path]:
    """Return the directories of the ``templates`` or ``help`` pages, a site's own first."""
    packaged = _PACKAGE / name
    own = site / "help" if site and name == "help" else site
    return [*([own] if own else []), packaged if packaged.is_dir() else _PACKAGE.parent / name]


def of_features(folder: Path) -> list[Path]:
    """Return the folders of features in a directory of letters; no two letters share a name."""
    return [folder / name for name in FEATURES if (folder / name).is_dir()]


def topics(site: Path | None) -> list[str]:
    """Return the topics of the help pages, of which a site may have its own."""
    found = (path.stem for folder in folders(site, "help") for path in folder.glob("*.txt"))
    return sorted(set(found))


# The page on which a former topic is found, or a game that shares its page with others.
_FOUND_ON = {
    "cells": "starstar", "counting": "starstar", "stary": "y", "miserehex": "hex", "pentaline": "pentahex",
    "queens": "puzzles", "supplyline": "puzzles", "ringsolitaire": "puzzles", "minisolitaire": "puzzles",
    "cup": "contests", "ladder": "contests", "league": "contests", "problem": "contests",
    "sunday": "contests", "course": "bots", "levels": "bots", "ratings": "bots", "leave": "time",
    "requests": "playing", "notes": "games", "playout": "games", "postcard": "games", "review": "games",
    "watching": "games",
}  # fmt: skip


def found_on(topic: str, pages: Container[str]) -> str:
    """Return the one of these pages that is about a topic, or about a game; empty if there is none."""
    page = topic if topic in pages else _FOUND_ON.get(topic, "")
    return page if page in pages else ""


def names_of(pages: Container[str]) -> list[str]:
    """Return the former topics, and the games, that are found on these pages."""
    return [name for name, page in _FOUND_ON.items() if page in pages]


_UNTRANSLATED = say("This page hasn't been translated yet, so here it is in English.")


def page(
    pages: jinja2.Environment, own: Path | None, topic: str, site: Site, to: Translator
) -> Page:
    """Return a help page for a reader, filled from the tables of verbs and games.

    ``own`` is the directory of a site's own pages, which win over ours in any language. A page that
    nobody has translated is in English, and says so below its title.
    """
    name = found_on(topic, topics(own)) or topic
    translated = f"{to.language}/{name}.txt"
    has_it = next(
        (
            (folder / translated).is_file()
            for folder in folders(own, "help")
            if (folder / translated).is_file() or (folder / f"{name}.txt").is_file()
        ),
        False,
    )
    template = pages.get_template(translated if has_it else f"{name}.txt")
    # What stands within a sentence, and below a board, is in the language of the page.
    own_tongue = to if has_it else ENGLISH
    time = _spoken(site.time, own_tongue)
    shown = _page(template, topic, name, site._replace(time=time), to, own_tongue)
    if has_it or to.is_english:
        return shown
    title, gap, rest = shown.text.partition("\n\n")
    note = wrap(to.say(_UNTRANSLATED))
    return shown._replace(text=f"{title}\n\n{note}{gap}{rest}")


def _page(
    template: jinja2.Template,
    topic: str,
    name: str,
    site: Site,
    to: Translator,
    own_tongue: Translator,
) -> Page:
    by_path = {games.path_of(game.word): game for game in games.GAMES}
    game = by_path.get(topic) or by_path.get(name)

    def usage(name: str) -> str:
        verb = next(verb for verb in language.verbs(game) if verb.name == name)
        return "\n".join(_hung(line) for line in language.usage(verb, game))

    def reference(word: str, beside: str = "") -> str:
        kind = games.find(word)
        known = language.verbs(games.find(beside)) if beside else ()
        lines = []
        for verb in language.verbs(kind):
            if verb in known or verb.unlisted:
                continue
            lines += [_hung(line) for line in language.usage(verb, kind)]
            lines.append(hang(to.text(verb.doc), "      ", "      "))
        return "\n".join(lines)

    def lacking(word: str, beside: str) -> str:
        has = language.verbs(games.find(word))
        return ", ".join(
            v.name for v in language.verbs(games.find(beside)) if not v.unlisted and v not in has
        )

    def options(word: str = "") -> str:
        kind = games.find(word) or game
        assert kind is not None
        return "\n".join(_option_lines(kind, to))

    figures = _Figures(game)

    def report(options: str, moves: str, word: str = "") -> str:
        kind, stones = _played(games.find(word) or game, options, moves)
        return "\n".join(f"  {line}".rstrip() for line in kind.report(stones, own_tongue.say))

    text = template.render(
        usage=usage,
        verbs=[verb.name for verb in language.verbs(game)],  # a feature's may be missing
        options=options,
        board=figures.board,
        shapes=figures.shapes,
        report=report,
        reference=reference,
        lacking=lacking,
        games=games.GAMES,
        has_bots=rules.plays,
        reasons=tuple(REASONS),
        replies=partial(_replies, to),
        address=site.address,
        time=site.time,
    )
    return Page(game.title if game else name, text, tuple(figures.drawn), game.word if game else "")


def _spoken(time: str, to: Translator) -> str:
    """Return the time of a player in words: ``21 days for each move``; as it is if it isn't of that kind."""
    pace = Terms(time=time).pace
    if pace is None:
        return to.tell("without a time limit")
    if pace.increment is not None or pace.bank % DAY:
        return time
    return to.tell_many("{count} day for each move", "{count} days for each move", pace.bank // DAY)


class _Figures:
    """The figures of a page, in the order in which its template asks for them."""

    def __init__(self, game: type[Game] | None) -> None:
        self.drawn: list[Figure] = []
        self._game = game

    def board(self, options: str, moves: str, word: str = "") -> str:
        """Return a board after moves as text; ``word`` names its game, if it is not the page's."""
        kind, stones = _played(games.find(word) if word else self._game, options, moves)
        return self._added(kind.draw(stones), kind, stones)

    def shapes(self) -> str:
        numbers = range(1, 1 + len(pentahex.shapes()))
        starts = range(0, len(numbers), _ABREAST)
        rows = (pentahex.pictures(numbers[at : at + _ABREAST]) for at in starts)
        return self._added("\n\n".join(rows))

    def _added(self, text: str, game: Game | None = None, stones: bytes = b"") -> str:
        lines = "\n".join(f"  {each}".rstrip() for each in text.splitlines())
        self.drawn.append(Figure(lines, game, stones))
        return lines


def _replies(to: Translator, word: str) -> str:
    """Return the words that a reply may begin with in a game, each with its effect."""
    kind = games.find(word)
    assert kind is not None
    has = {"pass": kind.has_pass, "swap": kind.has_swap}
    lines = []
    for verb in language.verbs(kind):
        if verb.reply and not verb.unlisted and has.get(verb.name, True):
            lines += _beside(verb.name, to.text(verb.doc), _COLUMN)
    return "\n".join(lines)


_COLUMN = 10
_TOLD = 40  # stones of a board in a help page that are named in words at most
_ABREAST = 5  # shapes in a row


def _beside(name: str, doc: str, width: int) -> list[str]:
    """Return lines of a name in a column of that width, and its meaning beside it."""
    indent = " " * (width + 2)
    return textwrap.wrap(f"  {name:{width}}{doc}", WIDTH, subsequent_indent=indent)


def _hung(line: str) -> str:
    return hang(line, "  ", "      ")


def _option_lines(game: type[Game], to: Translator) -> list[str]:
    width = max(len(option.usage()) for option in game.options) + 2
    lines = []
    for option in game.options:
        doc = to.text(option.doc)
        if limits := option.limits():
            doc += f" ({to.say(limits)})"
        lines += _beside(option.usage(), doc, width)
    return lines


@lru_cache(128)  # a page is made anew for each letter, and its boards are the same
def _played(kind: type[Game] | None, options: str, moves: str) -> tuple[Game, bytes]:
    assert kind is not None
    words = [word.lstrip("-").partition("=") for word in options.split()]
    named = kind({name: value for name, _, value in words})
    game = games.load(named.word, games.dump(named))  # that of boards with these options
    position = game.start()
    for move in moves.split():
        position = position.play(game.read([move]))
    return game, position.stones


# -- as HTML


def illustrated(text: str, figures: Iterable[tuple[Figure, TapPicture | None]]) -> Markup:
    """Return a help page below its title as a letter, with pictures in the place of its drawings."""
    return with_images(
        text, ((f, _illustration(f, shown) if shown else "") for f, shown in figures)
    )


def with_images(text: str, images: Iterable[tuple[Figure, str]]) -> Markup:
    """Return a help page below its title with elements in place of drawings; an empty one leaves it."""
    elements: list[str] = []
    for figure, element in images:
        text = text.replace(figure.text, f"\0{len(elements)}\0")
        elements.append(element or drawing(figure.text))
    content = str(body(text))
    for number, each in enumerate(elements):
        content = content.replace(f"<p>\0{number}\0</p>", each)
    return Markup(content)  # noqa: S704 - the page is escaped, the pictures are ours


def _illustration(figure: Figure, shown: TapPicture) -> str:
    return (
        f'<p><img src="cid:{shown.cid}" width="{shown.width // 2}" border="0"\nalt="{escape(figure.alt)}" '
        f'style="width:100%;max-width:{shown.width // 2 * 5 // 4}px;{STYLES["picture"]}"></p>'
    )
