"""The things that all pages have in common: templates, languages, names of files, days, shared files."""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from markupsafe import Markup

from .... import games
from ....config import Config
from ....errors import Sentence, say
from ....games.grids import O_STONE, X_STONE
from ....machine.times import Epoch
from ....machine.version import VERSION
from ....match.dates import DAY, DAY_OF_YEAR, MONTHS
from ....render import pages
from ....render import translator as catalogs
from ....render.letters import Loader
from ....render.picture import shapes
from ....render.trans import COUNTED, Trans, in_language
from ....render.translator import Translator
from .svg import UNIT

_STATIC = Path(__file__).parents[1] / "s"
_ENGLISH = Translator.of("en")
# What browsers do not need: comments, space before lines, ends of lines after a mark, and in stylesheets all
# space around marks, except before a colon: it may be part of a selector.
_SPARE = {
    ".js": re.compile(r"/\*[^*]*\*/\n?|\s+//.*|^\s+|(?<=[{,;])\n", re.MULTILINE),
    ".css": re.compile(r"/\*[^*]*\*/|(?<=[{};:,])\s+|\s+(?=[{}])"),
}
# The languages in their own words; one that is not here is called by its code.
_NAMES = {
    "en": "English", "de": "Deutsch", "fr": "Français", "es": "Español", "it": "Italiano", "nl": "Nederlands",
    "pt": "Português", "pl": "Polski",
}  # fmt: skip


class Language(NamedTuple):
    """A language that a page is in: its code, its name in that language, the way there."""

    code: str
    name: str
    path: str


class PageTemplates:
    """The templates of the pages, and the facts that all templates get.

    They lie in ``templates/<feature>/pages``. An operator's own templates come first, in folders of the
    same names. Pages in another language than English
    lie in a folder of that language.

    translators  the languages of the pages, English first
    static   the files that all pages share, by name
    made     a mark of all that pages are made with: if it changes, all pages are written again
    """

    def __init__(self, config: Config) -> None:
        self.address, self.url = config.address, config.site_url
        self.translators = tuple(map(Translator.of, Translator.offered()))
        self._folders = [
            place
            for each in pages.folders(config.templates, "templates")
            for place in (of / "pages" for of in pages.of_features(each))
        ]
        self._templates = {each.language: self._environment(each) for each in self.translators}
        self.static = self._static()
        self.made = self._mark()

    def page(
        self, template: str, name: str, translator: Translator = _ENGLISH, **facts: Any
    ) -> bytes:
        """Return the page with that name, which its English version has. It names its other languages,
        except the page to choose a move on, whose address would be lost there.

        ``root`` in a template is the way from the page to the site's folder, ``home`` that to the folder of
        its language, and ``tail`` stands before the ending of scripts in that language.
        """
        return self._filled(template, name, translator, facts).encode("utf-8")

    def part(
        self, template: str, name: str, translator: Translator = _ENGLISH, **facts: Any
    ) -> Markup:
        """Return a template that is a part of the page of that name, for the template of the page."""
        filled = self._filled(template, name, translator, facts)
        return Markup(filled)  # noqa: S704 - its own template escapes

    def _filled(
        self, template: str, name: str, translator: Translator, facts: dict[str, Any]
    ) -> str:
        root = "../" * placed(name, translator).count("/")
        languages = [
            Language(
                each.language, _NAMES.get(each.language, each.language), root + placed(name, each)
            )
            for each in self.translators
            if len(self.translators) > 1 and is_translated(name) and not name.startswith("play/")
        ]
        return (
            self._templates[translator.language]
            .get_template(template)
            .render(
                root=root,
                home=root + placed("", translator),
                tail=_tail(translator),
                here=name,
                language=translator.language,
                languages=languages,
                **facts,
            )
        )

    def _environment(self, translator: Translator) -> jinja2.Environment:
        environment = jinja2.Environment(
            loader=Loader(self._folders, translator),
            extensions=[Trans],
            undefined=jinja2.StrictUndefined,
            auto_reload=False,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=True,
        )
        environment.globals |= {"address": self.address, "url": self.url, "games": games.GAMES}
        environment.filters |= {"day": day, "path": games.path_of, "say": translator.say}
        environment.filters |= {
            each.__name__: lambda *values, told=each: translator.say(told(*values))
            for each in (date, date_before, month)
        }
        environment.filters[COUNTED] = translator.tell_many
        return environment

    def _static(self) -> dict[str, bytes]:
        found = {path.name: path.read_text("utf-8") for path in sorted(_STATIC.iterdir())}
        style = jinja2.Environment(autoescape=True).from_string(found.pop("style.css"))
        made = {"style.css": style.render(
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
        )}  # fmt: skip
        for name, text in found.items():
            stem, ending = name.split(".")
            spoken = self.translators if ending == "js" else self.translators[:1]
            made |= {f"{stem}{_tail(each)}.{ending}": in_language(text, each) for each in spoken}
        return {f"s/{name}": lean(name, text).encode("utf-8") for name, text in made.items()}

    def _mark(self) -> str:
        environment = self._templates[_ENGLISH.language]
        loader = environment.loader
        assert loader is not None
        parts = [VERSION, self.address, self.url]
        parts += [
            loader.get_source(environment, name)[0] for name in sorted(loader.list_templates())
        ]
        parts += [path.read_text("utf-8") for path in sorted(_STATIC.iterdir())]
        parts += [f"{each.language} {_mark_of(each)}" for each in self.translators]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def placed(name: str, translator: Translator) -> str:
    """Return the name of a page in a language, from the English page's name."""
    return name if translator.is_english else f"{translator.language}/{name}"


def is_translated(name: str) -> bool:
    """Return True if the page of that name is written in each language."""
    return name.endswith(".html") and name != "404.html"


def _mark_of(translator: Translator) -> str:
    """Return a mark of the sentences of a language; English ones stand in the templates."""
    path = catalogs.CATALOGS / translator.language / "LC_MESSAGES" / "pbmstar.mo"
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _tail(translator: Translator) -> str:
    return "" if translator.is_english else f".{translator.language}"


def lean(name: str, text: str) -> str:
    """Return the text of a file without what browsers do not need."""
    spare = _SPARE.get(Path(name).suffix)
    return spare.sub("", text) if spare else text


def day(at: Epoch) -> str:
    """Return the day of a time in UTC: nobody needs to know the hour of a move."""
    return f"{datetime.fromtimestamp(at, UTC):%Y-%m-%d}"


def date(at: Epoch) -> Sentence:
    """Return the day of a time in UTC as people write it: ``9 Dec 2026``."""
    moment = datetime.fromtimestamp(at, UTC)
    return DAY_OF_YEAR.given(day=moment.day, month=MONTHS[moment.month - 1], year=moment.year)


def date_before(at: Epoch, end: Epoch) -> Sentence:
    """Return the day of a time in UTC, without the year if a later time has the same one: ``9 Dec``."""
    moment = datetime.fromtimestamp(at, UTC)
    if moment.year != datetime.fromtimestamp(end, UTC).year:
        return date(at)
    return DAY.given(day=moment.day, month=MONTHS[moment.month - 1])


def month(name: str) -> Sentence:
    """Return a month as people write it: ``2026-12`` is ``Dec 2026``."""
    year, number = map(int, name.split("-"))
    return say("{month} {year}", month=MONTHS[number - 1], year=year)
