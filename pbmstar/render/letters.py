"""Letters: a recipe, set in templates as text and as HTML, and the mail around both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import jinja2

from ..config import Config
from ..match import Match
from . import (
    clocks,
    curve,
    digests,
    drawings,
    exported,
    hypertext,
    pages,
    pictures,
    previews,
    taps,
    wire,
)
from .recipe import Recipe
from .text import fill, hang, table, wrap
from .view import View, view_of

_BOARDS = ("board", "error")  # the letters that show programs a board as it stands


class Renderer:
    """Writes letters with the templates: a site's own directory is searched first.

    A letter NAME is set by ``NAME.txt``, its Subject first, and ``NAME.html``. Where there is no
    HTML template, or a site has one for the text alone, the text is set paragraph by paragraph.
    A template may use: the facts of the recipe; ``board`` (a View, or None if it shows none);
    ``comment`` (userid and text, or None); ``address``, the server's; ``help(topic)``.
    """

    def __init__(self, site: Path | None, address: str, time: str = "21d") -> None:
        """``site`` is the directory of a site's own templates, ``address`` the server's.

        ``time`` is what a player has for a move where a challenge does not say, as it is spelled.
        """
        self._site = pages.Site(address, time)
        self._letters = _environment(pages.folders(site, "templates"))
        self._pages = _environment(pages.folders(site, "help"))
        self._drawn: dict[str, jinja2.Template] = {}  # a letter's HTML template
        self.undrawn = False  # the last letter had to go without its picture

    @classmethod
    def of(cls, config: Config) -> Renderer:
        """The renderer of a configuration."""
        return cls(config.templates, config.address, config.time)

    def write(self, recipe: Recipe) -> bytes:
        """The mail, lines ended by LF: the same recipe always gives the same bytes.

        Raises ValueError for a header with control characters, KeyError for an unknown kind of
        happening, and what Jinja raises for a template that is missing or broken.
        """
        reply_to = recipe.headers.get("Reply-To", "")
        board = recipe.match and view_of(
            recipe.match,
            recipe.reader,
            recipe.happenings,
            reply_to,
            recipe.plan,
            recipe.clock,
            recipe.zone,
            recipe.facts.get("reviews", False),
        )
        facts = {
            "address": self._site.address,
            "comment": None,
            "note": None,
            "withheld": 0,
            "picture": None,
            "drawing": recipe.drawing,
            "help": self.help,
            **recipe.facts,
            "board": board,
        }
        self.undrawn = False
        if recipe.template == "digest":
            facts |= digests.facts(recipe.facts)
        if recipe.template == "preview" and recipe.match:
            facts["steps"] = previews.lines(recipe.match, recipe.facts["first"])
        subject, text = self._text(recipe.template, facts)
        headers = dict(recipe.headers)
        if board and recipe.template in _BOARDS:
            headers |= _headers(board)
            headers |= clocks.headers(recipe.clock) if recipe.clock else {}
        parts = [wire.plain(text)]
        if recipe.html:
            drawn = _picture(recipe, board)
            self.undrawn = bool(board and recipe.pictures and drawn is None)
            cid = f"{recipe.serial}@{self._site.address.rpartition('@')[2]}"
            facts["picture"] = taps.Shown(cid, drawn.box, drawn.width) if drawn else None
            html = wire.html(self._html(recipe.template, facts, text))
            if drawn and cid.encode("ascii") in html:  # not every template shows it
                html = wire.related(html, drawn.base64, cid, recipe.serial)
            parts.append(html)
        files = _files(recipe) if recipe.template == "record" else ()
        return wire.mail(headers, subject, parts, recipe.at, recipe.serial, files)

    def help(self, topic: str) -> pages.Page:
        """The help page on a topic. Raises jinja2.TemplateNotFound if there is none."""
        return pages.page(self._pages.get_template(f"{topic}.txt"), topic, self._site)

    def topics(self) -> list[str]:
        """The topics that there is a help page on."""
        return sorted(name.removesuffix(".txt") for name in self._pages.list_templates(["txt"]))

    def _text(self, name: str, facts: Mapping[str, Any]) -> tuple[str, str]:
        """Subject and text of a letter."""
        filled = _filled(self._letters.get_template(f"{name}.txt"), facts)
        subject, _, text = filled.partition("\n\n")
        return subject.removeprefix("Subject: ").strip(), text.rstrip("\n") + "\n"

    def _html(self, name: str, facts: Mapping[str, Any], text: str) -> str:
        if name not in self._drawn:
            own = self._letters.get_template(f"{name}.txt")
            drawn = self._letters.select_template([f"{name}.html", "plain.html"])
            if Path(drawn.filename or "").parent != Path(own.filename or "").parent:
                drawn = self._letters.get_template("plain.html")
            self._drawn[name] = drawn
        return _filled(self._drawn[name], {**facts, "text": text})


def _picture(recipe: Recipe, board: Any) -> pictures.Drawn | None:
    """The picture of a letter: its board, or the curve of a review."""
    if board is None or not recipe.pictures:
        return None
    found = recipe.facts.get("found")
    if recipe.template != "review" or not found:
        return pictures.of(board)
    dear = [each["number"] for each in (found["turn"], *found["dear"]) if each]
    return pictures.of_curve(found["chances"], dear)


def _files(recipe: Recipe) -> tuple[bytes, ...]:
    """The record of a board for programs."""
    assert recipe.match is not None
    facts = exported.facts(recipe.match)
    name = f"{facts['game'].replace('*', 'star')}{facts['board']}.json"
    return (wire.file("application/json", name, json.dumps(facts, indent=0)),)


def _headers(board: View) -> dict[str, str]:
    """What programs want to know of a board."""
    match = board.match
    return {
        "X-Pbmstar-Game": match.game.word,
        "X-Pbmstar-Board": str(match.number),
        "X-Pbmstar-Move": str(match.position.played),
        "X-Pbmstar-To-Move": board.to_move,
        "X-Pbmstar-Result": board.result,
        "X-Pbmstar-By-Plan": board.by_plan,
    }


def _filled(template: jinja2.Template, facts: Mapping[str, Any]) -> str:
    """A template filled with ``facts`` alone: Jinja's own globals are not copied each time."""
    pieces: Iterator[str] = template.root_render_func(
        template.new_context(dict(facts), shared=True)
    )
    return "".join(pieces)


def _as_it_was(match: Match, move: int | None) -> str:
    """A board as text, as it was after that move; None: as it is."""
    shown = match if move is None else match.at_move(move)
    return shown.game.draw(shown.position.stones).rstrip("\n")


class _Loader(jinja2.FileSystemLoader):
    """Loads templates; into one of ours those of ours that it includes are written.

    To include a template when a letter is set costs more than to fill it. A site's templates stay as
    they are, so that what is wrong with one is told by its own name and lines.
    """

    def get_source(
        self, environment: jinja2.Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        source, file, is_current = super().get_source(environment, template)

        def written(include: re.Match[str]) -> str:
            text, path, _ = self.get_source(environment, include[1])
            # How a value is escaped goes by the ending.
            alike = Path(include[1]).suffix == Path(template).suffix
            return text if alike and self._is_ours(path) else include[0]

        if self._is_ours(file):
            source = _INCLUDE.sub(written, source)
        return source, file, is_current

    def _is_ours(self, file: str) -> bool:
        return str(Path(file).parent) == self.searchpath[-1]


_INCLUDE = re.compile(r'^{% include "([a-z.]+)" %}\n', re.M)


def _environment(folders: list[Path]) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=_Loader(folders),
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=jinja2.select_autoescape(["html"]),
    )
    environment.filters |= {
        "wrap": wrap,
        "fill": fill,
        "hang": hang,
        "table": table,
        "as_it_was": _as_it_was,
        "draw": hypertext.draw,
        "drawn": drawings.drawn,
        "in_words": drawings.in_words,
        "joined": hypertext.joined,
        "pre": hypertext.pre,
        "buttons": taps.buttons,
        "how": taps.how,
        "image": taps.image,
        "sparkline": curve.sparkline,
        "mailto": taps.mailto,
        "targets": taps.targets,
        "taps": taps.can_tap,
        "page": hypertext.page,
        "paragraphs": hypertext.paragraphs,
    }
    return environment
