"""Letters: a recipe, set in templates as text and as HTML, and the mail around both."""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from jinja2 import nodes
from jinja2.runtime import Context
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from ..config import Config
from ..games.spelling import plural
from ..machine.times import when
from ..match import Match
from . import drawings, kit, pages, reviews, style, wire
from .board import transcript
from .board.view import Telling, View, view_of
from .facts import kinds
from .letter import Facts, Sheet, of_features, unsaid
from .ratings import rating_curve
from .recipe import Recipe, Replays
from .text import (
    drawing,
    drawn,
    fill,
    fitted,
    hang,
    in_rows,
    in_words,
    joined,
    page,
    paragraphs,
    pre,
    quotation,
    quoted,
    table,
    titled,
    wrap,
)
from .trans import COUNTED, Folding, Trans
from .translator import ENGLISH, Translator

_TO_ESCAPE = re.compile("[&<>'\"]")


class Renderer:
    """A writer of letters with the templates: it searches a site's own directory first.

    A letter NAME is set by ``NAME.txt``, its Subject first, and ``NAME.html``. Where there is no HTML
    template, or a site has one for the text alone, both parts are set from ``NAME.txt``: it calls macros
    of ``ui``, which come from ``kit.txt`` for the text and from ``kit.html`` for HTML, in which
    all values are escaped. If it calls none, HTML has its text, paragraph by paragraph.
    A template may use: the facts of the recipe; ``board`` (a View, or None if it shows none);
    ``comment`` (userid and text, or None); ``address``, the server's; ``help(topic)``; ``html``, True
    while HTML is set. It may set ``headline``, which says what happened, and a ``subline`` about it.
    """

    def __init__(
        self,
        site: Path | None,
        address: str,
        time: str = "21d",
        url: str = "",
        without: frozenset[str] = frozenset(),
        plain: bool = False,
    ) -> None:
        """Begin with ``site``, the directory of a site's own templates, and ``address``, the server's.

        ``time`` is the time for a move if a challenge names none, as it is spelled; ``url`` is the
        address of the web pages, empty if there are none; ``without`` names features that are off.
        ``plain``: our addresses take no details, see ``replies``.
        """
        self._plain = plain
        self._site, self._own = pages.Site(address, time, url), site
        folders = pages.folders(site, "templates")
        folders = [each for folder in folders for each in (folder, *pages.of_features(folder))]
        self._texts, self._htmls = Environments(folders), Environments(folders, is_html=True)
        self._with_html, self._bare = _with_html(folders), _bare(site)
        self._kits = dict[str, Kit]()
        self._pages = Environments(pages.folders(site, "help"))
        on = [each for name, each in of_features().items() if name not in without]
        self._of_boards = [each.of_board for each in on if each.of_board]
        self._goes_on = [each.goes_on for each in on if each.goes_on]
        every: Sequence[type[Facts]] = (Facts, *kinds().values())
        self._defaults = {kind: unsaid(kind) for kind in every}
        self._replays = Replays()
        self.undrawn = False  # the last letter had to go without its picture

    @classmethod
    def of(cls, config: Config) -> Renderer:
        plain = config.detail == "none"
        return cls(
            config.templates, config.address, config.time, config.site_url, config.without, plain
        )

    def write(self, recipe: Recipe) -> bytes:
        """Return the mail, lines ended by LF: the same recipe always gives the same bytes.

        Raises ValueError for a header with control characters, KeyError for an unknown kind of
        happening, and Jinja's own errors for a template that is missing or broken.
        """
        translator = Translator.of(recipe.language)
        if not recipe.is_plain:
            recipe = replace(recipe, facts=translator.told(recipe.facts))
        sheet = self._sheet(recipe, translator)
        kind, facts = _kind(recipe), sheet.facts
        written = self._text(recipe, facts)
        # Dates in other languages have gaps that do not break; HTML keeps them.
        text, subject = (each.replace("\xa0", " ") for each in (written.content, written.subject))
        headers = wire.carried({**recipe.headers, **kind.headers(sheet)}, self._plain)
        parts = [wire.plain(text)]
        self.undrawn = False
        if recipe.html:
            drawn = kind.pictures(sheet) if recipe.pictures else {}
            self.undrawn = None in drawn.values()
            domain = self._site.address.rpartition("@")[2]
            named = {f"{name}.{recipe.serial}@{domain}": name for name in drawn}
            for cid, name in named.items():
                each = drawn[name]
                facts[name] = drawings.TapPicture(cid, *each[1:]) if each else None
            facts["shown"] = {name: facts[name] for name in drawn}
            facts |= kind.illustrated(sheet)
            content = self._html(recipe, facts, written._replace(subject=subject, content=text))
            html = wire.html(wire.tagged_links(content) if self._plain else content)
            # Not every template shows them.
            shown = [
                (cid, each.base64)
                for cid, name in named.items()
                if (each := drawn[name]) and cid.encode("ascii") in html
            ]
            parts.append(wire.related(html, shown, recipe.serial) if shown else html)
        return wire.mail(headers, subject, parts, recipe.at, recipe.serial, kind.files(sheet))

    def _sheet(self, recipe: Recipe, translator: Translator) -> Sheet:
        """Return a letter with all values that fill its template."""
        kind, board = _kind(recipe), None
        asks: Sequence[str] = ()
        if recipe.board:
            match = self._replays.match(recipe.board)
            asks = reviews.asks(match, recipe.facts)
            telling = Telling(
                recipe.reader,
                recipe.happenings,
                # A reply to a letter about others' board speaks for the account, not on the board.
                "" if recipe.facts.get("of_account") else recipe.headers.get("Reply-To", ""),
                recipe.plan,
                recipe.clock,
                recipe.zone,
                asks,
                recipe.facts.get("used_up", ()),
                translator,
            )
            board = view_of(match, telling)
        help_on = partial(self.help, translator=translator)
        facts = {
            "address": self._site.address,
            "reply_to": recipe.headers.get("Reply-To", ""),
            **self._defaults[kind],
            "shown": {},
            "goes_on": lambda number: self._played_on(board, number),
            "picture": None,
            "drawing": recipe.drawing,
            "html": False,
            "translator": translator,
            "language": translator.language,
            "help": help_on,
            **recipe.facts,
            "board": board,
        }
        sheet = Sheet(recipe, facts, board, translator, asks, self._replays, help_on)
        facts |= kind.filled(sheet)
        sheet.board = board = facts["board"]
        if board and self._site.url:
            to = wire.tagged(board.reply_to) if self._plain else board.reply_to
            for of_board in self._of_boards:
                facts |= of_board(board._replace(reply_to=to), self._site.url, facts)
        return sheet

    def _played_on(self, board: View | None, number: int) -> str:
        """Return the line of a reply that plays a finished game on after that move; empty if none does."""
        if board is None or not board.reply_to:
            return ""
        return next(filter(None, (line(number) for line in self._goes_on)), "")

    def help(self, topic: str, translator: Translator | None = None) -> pages.Page:
        """Return the help page on a topic. Raises jinja2.TemplateNotFound if there is none."""
        to = translator or ENGLISH
        return pages.page(self._pages[to.language], self._own, topic, self._site, to)

    def _text(self, recipe: Recipe, facts: Mapping[str, Any]) -> _Written:
        """Return the text part of a letter."""
        letters = self._texts[recipe.language]
        kit = letters.get_template("kit.txt").module
        filled = letters.get_template(f"{recipe.template}.txt").make_module({**facts, "ui": kit})
        subject, _, text = str(filled).partition("\n\n")
        told = (getattr(filled, each, "") for each in ("headline", "subline"))
        return _Written(subject.removeprefix("Subject: ").strip(), text.rstrip("\n") + "\n", *told)

    def _html(self, recipe: Recipe, facts: dict[str, Any], written: _Written) -> str:
        """Return the HTML part of a letter whose text part is ``written``."""
        letters, name, language = self._htmls[recipe.language], recipe.template, recipe.language
        facts["html"] = True
        # A letter may have a fact of one of these names, which its own template asks for.
        around = {
            **facts,
            "subject": written.subject,
            "text": written.content,
            "headline": written.headline or written.subject.removeprefix("Star: "),
            "subline": written.subline,
            "year": when(recipe.at)[:4],
        }
        kit = self._kits.get(language) or self._kits.setdefault(language, Kit(letters))
        kit.letter.update({each: around[each] for each in Kit.NAMES})
        if name in self._with_html:
            return letters.get_template(f"{name}.html").render(around, ui=kit.macros)
        _, _, content = (
            letters.get_template(f"{name}.txt").render(facts, ui=kit.macros).partition("\n\n")
        )
        # Jinja has escaped all values.
        around["content"] = (
            paragraphs(written.content) if name in self._bare else Markup(content)  # noqa: S704
        )
        return letters.get_template("plain.html").render(around, ui=kit.macros)


class Kit:
    """The macros of ``kit.html`` in one language: they are made once, since that takes a tenth of a letter.

    ``letter`` has the values of the letter that is written which they ask for, ``NAMES``.
    """

    NAMES = ("address", "reply_to", "shown", "translator", "year")

    def __init__(self, letters: jinja2.Environment) -> None:
        self.letter: dict[str, Any] = {}
        self.macros = letters.get_template("kit.html").make_module(self.letter, shared=True)


class _Written(NamedTuple):
    """The text part of a letter, its Subject, and the title that its HTML begins with."""

    subject: str
    content: str
    headline: str
    subline: str


def _kind(recipe: Recipe) -> type[Facts]:
    """Return the class of a letter's facts; the base class if the letter's kind is gone."""
    return kinds().get(recipe.template, Facts)


def _as_it_was(match: Match, move: int | None) -> str:
    """Return a board as text, as it was after that move; None for the board as it is."""
    shown = match if move is None else match.at_move(move)
    return shown.game.draw(shown.position.stones).rstrip("\n")


def _with_html(folders: list[Path]) -> set[str]:
    """Return the names of the letters whose text and HTML are found in the same one of the folders."""
    first = {each.name: each for folder in reversed(folders) for each in folder.glob("*.*")}
    return {
        each.stem
        for each in first.values()
        if each.suffix == ".html" and first.get(f"{each.stem}.txt", each).parent == each.parent
    }


def _bare(site: Path | None) -> set[str]:
    """Return the names of a site's own letters that are texts without macros."""
    files = site.glob("*.txt") if site else ()
    return {each.stem for each in files if "ui." not in each.read_text("utf-8", "replace")}


class Loader(jinja2.FileSystemLoader):
    """A loader that compiles into a template what it includes, and its sentences in the language of
    ``translator``: an include in a letter, or a sentence looked up for it, would cost more.
    """

    def __init__(self, folders: list[Path], translator: Translator) -> None:
        super().__init__(folders)
        self._folding = Folding(translator)

    def load(
        self,
        environment: jinja2.Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    ) -> jinja2.Template:
        _, file, is_current = self.get_source(environment, name)
        tree = self._folding.visit(self.tree(environment, name))
        code = environment.compile(tree, name, file)
        template = environment.template_class.from_code(
            environment, code, globals or {}, is_current
        )
        # Its code escapes each value by this name.
        template.root_render_func.__globals__["escape"] = _escaped
        return template

    def tree(self, environment: jinja2.Environment, name: str) -> nodes.Template:
        """Return a template with all that it includes. Raises jinja2.TemplateNotFound if it is missing."""
        source, file, _ = self.get_source(environment, name)
        tree = environment.parse(source, name, file)
        whole = _Whole(self, environment).visit(tree)
        assert isinstance(whole, nodes.Template)
        return whole


def _escaped(value: object) -> str:
    """Return a value as it stands in HTML, sooner than ``escape`` does, which makes each text Markup anew."""
    kind = type(value)
    if kind is Markup or (kind is str and not _TO_ESCAPE.search(value)):  # type: ignore[call-overload]
        return value  # type: ignore[return-value]
    return escape(value)


class _Context(Context):
    """The values of a template.

    Jinja would first ask whether a function wants the context. None of ours does, and a macro escapes values
    as its template does.
    """

    def call(
        self,
        called: Any,
        /,
        *args: Any,
        _block_vars: object = None,
        _loop_vars: object = None,
        **kwargs: Any,
    ) -> Any:
        """Return what a call returns; no function asks for the variables of a block or loop."""
        return called(*args, **kwargs)


class _Whole(NodeTransformer):
    """It puts in place of each include what the other template says, with names of its own."""

    def __init__(self, loader: Loader, environment: jinja2.Environment) -> None:
        self._loader, self._environment = loader, environment

    def visit_Include(self, node: nodes.Include) -> nodes.Node:  # noqa: N802
        if not isinstance(node.template, nodes.Const):
            return node
        try:
            tree = self._loader.tree(self._environment, node.template.value)
        except jinja2.TemplateNotFound:  # it is missed where it is needed
            return node
        if tree.find(nodes.Extends) or tree.find(nodes.Block):
            return node
        return nodes.Scope(tree.body)


class Environments(dict[str, jinja2.Environment]):
    """The templates of some folders in each language, which are made when the language is used first.

    Those that set HTML escape all values, whatever a template is called; those that set text escape none.
    """

    def __init__(self, folders: list[Path], is_html: bool = False) -> None:
        self._folders, self._is_html = folders, is_html

    def __missing__(self, language: str) -> jinja2.Environment:
        translator = Translator.of(language)
        environment = self[language] = _environment(self._folders, translator, self._is_html)
        return environment


def _environment(folders: list[Path], translator: Translator, is_html: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=Loader(folders, translator),
        extensions=[Trans],
        undefined=jinja2.StrictUndefined,
        cache_size=-1,  # no limit: there are some seventy
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=is_html,  # noqa: S701 - a text has no markup
    )
    by_name: tuple[Any, ...] = (
        wrap, fill, fitted, hang, table, drawing, drawn, in_words, in_rows, joined, plural, pre, quoted, page,
        quotation, paragraphs, titled,
        pages.illustrated, drawings.draw, drawings.buttons, drawings.word_links, drawings.disc,
        *kit.FILTERS, style.css, style.fold, style.slab, style.paper, style.title, style.unbroken,
        style.filled,
        drawings.how, drawings.image, drawings.is_tapped, drawings.mailto, drawings.targets,
        transcript.sparkline, rating_curve,
        *(each for of in of_features().values() for each in of.filters),
    )  # fmt: skip
    environment.context_class = _Context
    environment.globals.clear()  # no letter uses Jinja's globals, and each include would copy them
    environment.filters |= {each.__name__: each for each in by_name}
    environment.filters |= {"as_it_was": _as_it_was, "taps": drawings.can_tap}
    environment.filters[COUNTED] = translator.tell_many
    environment.filters["spoken"] = partial(kit.spoken, translator)
    environment.filters["tapped"] = partial(kit.tapped, translator)
    return environment
