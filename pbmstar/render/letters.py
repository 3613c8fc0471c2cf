"""Letters: whole templates filled, Subject first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2

from ..games.base import Game
from . import pages
from .words import fill, hang, wrap

PACKAGE = Path(__file__).parent.parent


@dataclass(frozen=True)
class Comment:
    """What a player wrote to the opponent beside a command."""

    userid: str
    text: str


def folder(name: str) -> Path:
    """Where templates or help pages lie: packaged, or in the checkout of an editable install."""
    packaged = PACKAGE / name
    return packaged if packaged.is_dir() else PACKAGE.parent / name


class Renderer:
    """Fills the templates: a site's own directory is searched first, then the project's."""

    def __init__(self, site: Path | None, address: str) -> None:
        self._address = address
        self._letters = _environment([*([site] if site else []), folder("templates")])
        self._pages = _environment([*([site / "help"] if site else []), folder("help")])

    def letter(self, template: str, context: Mapping[str, Any]) -> tuple[str, str]:
        """Subject and body of a letter."""
        text = self._filled(template, context)
        subject, _, body = text.partition("\n\n")
        return subject.removeprefix("Subject: ").strip(), body

    def text(self, template: str, context: Mapping[str, Any]) -> str:
        """A part of letters, that several have in common."""
        return self._filled(template, context).rstrip("\n")

    def _filled(self, template: str, context: Mapping[str, Any]) -> str:
        """A template filled with ``context`` alone: Jinja's own globals are not copied each time."""
        found = self._letters.get_template(template)
        return "".join(found.root_render_func(found.new_context(dict(context), shared=True)))

    def help(self, topic: str, game: type[Game] | None) -> str | None:
        """A help page as text; None if there is none on that topic."""
        try:
            template = self._pages.get_template(f"{topic}.txt")
        except jinja2.TemplateNotFound:
            return None
        return template.render(pages.page(game, self._address))

    def topics(self) -> list[str]:
        """The topics that there is a page on."""
        return sorted(name.removesuffix(".txt") for name in self._pages.list_templates(["txt"]))


def _environment(folders: list[Path]) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - plain text
    )
    environment.filters["wrap"] = lambda text, indent="": "\n".join(wrap(text, indent))
    environment.filters["fill"] = fill
    environment.filters["hang"] = lambda line, indent: "\n".join(hang(line, indent))
    return environment
