"""The things that all pages have in common: templates, names of files, days, files that pages load."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from ... import games
from ...config import Config
from ...games.grids import O_STONE, X_STONE
from ...machine.version import VERSION
from ...render import pages
from ...render.picture import shapes
from .svg import UNIT

_FORMER = "site"  # the operator's folder of earlier versions
_STATIC = Path(__file__).parent / "s"
# What browsers do not need: comments, space before lines, ends of lines after a mark, and in stylesheets all
# space around marks, except before a colon: it may be part of a selector.
_SPARE = {
    ".js": re.compile(r"/\*[^*]*\*/\n?|\s+//.*|^\s+|(?<=[{,;])\n", re.MULTILINE),
    ".css": re.compile(r"/\*[^*]*\*/|(?<=[{};:,])\s+|\s+(?=[{}])"),
}


class Paper:
    """The templates of the pages, and the facts that all templates get.

    They lie in ``templates/<feature>/pages``. An operator's own templates come first, in folders of the
    same names, or all in the folder ``site``, as in earlier versions.

    static  the files that all pages share, by name
    made    a mark of all that pages are made with: if it changes, all pages are written again
    """

    def __init__(self, config: Config) -> None:
        self.address, self.url = config.address, config.site_url
        folders = [
            place
            for each in pages.folders(config.templates, "templates")
            for place in (each / _FORMER, *(of / "pages" for of in pages.of_features(each)))
        ]
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(folders),
            undefined=jinja2.StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=True,
        )
        self._templates.globals |= {"address": self.address, "url": self.url, "games": games.GAMES}
        self._templates.filters |= {
            "day": day,
            "date": date,
            "date_before": date_before,
            "month": month,
            "path": games.path_of,
        }
        self.static = self._static()
        self.made = self._mark()

    def page(self, template: str, name: str, **facts: Any) -> bytes:
        """Return the page of that name. ``root`` in a template is the way from there to the site's folder."""
        return self._filled(template, name, **facts).encode("utf-8")

    def part(self, template: str, name: str, **facts: Any) -> Markup:
        """Return a template that is a part of the page of that name, for the template of the page."""
        return Markup(self._filled(template, name, **facts))  # noqa: S704 - its own template escapes

    def _filled(self, template: str, name: str, **facts: Any) -> str:
        root = "../" * name.count("/")
        return self._templates.get_template(template).render(root=root, here=name, **facts)

    def _static(self) -> dict[str, bytes]:
        found = {path.name: path.read_text("utf-8") for path in sorted(_STATIC.iterdir())}
        found["style.css"] = self._templates.from_string(found["style.css"]).render(
            unit=UNIT,
            card=shapes.CARD,
            label=shapes.LABEL,
            rim=shapes.RIM,
            cells=shapes.CELLS,
            edge=shapes.EDGE,
            name=shapes.NAME,
            bridge=shapes.BRIDGE,
            bridge_edge=shapes.BRIDGE_EDGE,
            x=shapes.LOOKS[X_STONE],
            o=shapes.LOOKS[O_STONE],
        )
        return {f"s/{name}": lean(name, text).encode("utf-8") for name, text in found.items()}

    def _mark(self) -> str:
        loader = self._templates.loader
        assert loader is not None
        parts = [VERSION, self.address, self.url]
        parts += [
            loader.get_source(self._templates, name)[0] for name in sorted(loader.list_templates())
        ]
        parts += [path.read_text("utf-8") for path in sorted(_STATIC.iterdir())]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def lean(name: str, text: str) -> str:
    """Return the text of a file without what browsers do not need."""
    spare = _SPARE.get(Path(name).suffix)
    return spare.sub("", text) if spare else text


def day(at: float) -> str:
    """Return the day of a time in UTC: nobody needs to know the hour of a move."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def date(at: float) -> str:
    """Return the day of a time in UTC as people write it: ``9 Dec 2026``."""
    moment = datetime.fromtimestamp(at, UTC)
    return f"{moment.day} {moment:%b %Y}"


def date_before(at: float, end: float) -> str:
    """Return the day of a time in UTC without what the day of a later time says again: ``9``, ``9 Dec``."""
    first, last = date(at).split(" "), date(end).split(" ")
    while len(first) > 1 and first[-1] == last[-1]:
        first.pop()
        last.pop()
    return " ".join(first)


def month(name: str) -> str:
    """Return a month as people write it: ``2026-12`` is ``December 2026``."""
    return f"{datetime.strptime(name, '%Y-%m').replace(tzinfo=UTC):%B %Y}"
