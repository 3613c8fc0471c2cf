"""Letters: a recipe, set in templates as text and as HTML, and the mail around both."""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from ..config import Config
from ..features import modules
from ..games.spelling import plural
from ..match import Match
from ..match.terms import NONE
from . import album, blocks, drawings, pages, roundup, style, wire
from .board import transcript
from .board.view import Telling, View, preview_steps, view_of
from .facts import defaults, kinds
from .picture import attached
from .recipe import Recipe, Replays
from .text import (
    drawing,
    drawn,
    fill,
    hang,
    in_rows,
    in_words,
    joined,
    page,
    paragraphs,
    pre,
    quoted,
    table,
    titled,
    wrap,
)
from .tongue import ENGLISH, Tongue
from .trans import COUNTED, Folding, Trans

_BOARDS = ("board", "error")  # the letters that show programs a board as it stands


class Renderer:
    """A writer of letters with the templates: it searches a site's own directory first.

    A letter NAME is set by ``NAME.txt``, its Subject first, and ``NAME.html``. Where there is no
    HTML template, or a site has one for the text alone, both parts are set from the text with its
    marked blocks (see ``blocks``), paragraph by paragraph.
    A template may use: the facts of the recipe; ``board`` (a View, or None if it shows none);
    ``comment`` (userid and text, or None); ``address``, the server's; ``help(topic)``.
    """

    def __init__(
        self,
        site: Path | None,
        address: str,
        time: str = "21d",
        url: str = "",
        without: frozenset[str] = frozenset(),
    ) -> None:
        """Begin with ``site``, the directory of a site's own templates, and ``address``, the server's.

        ``time`` is the time for a move if a challenge names none, as it is spelled; ``url`` is the
        address of the web pages, empty if there are none; ``without`` names features that are off.
        """
        self._site, self._own = pages.Site(address, time, url), site
        folders = pages.folders(site, "templates")
        folders = [each for folder in folders for each in (folder, *pages.of_features(folder))]
        self._letters, self._with_html = Environments(folders), _with_html(folders)
        self._pages = Environments(pages.folders(site, "help"))
        of_features = modules("facts")
        self._of_boards = [
            each.of_board
            for name, each in of_features
            if name not in without and hasattr(each, "of_board")
        ]
        self._goes_on = [
            each.goes_on
            for name, each in modules("rendering")
            if name not in without and hasattr(each, "goes_on")
        ]
        self._defaults = {name: defaults[kind] for name, kind in kinds().items()}
        self._replays = Replays()
        self.undrawn = False  # the last letter had to go without its picture

    @classmethod
    def of(cls, config: Config) -> Renderer:
        return cls(config.templates, config.address, config.time, config.site_url, config.without)

    def write(self, recipe: Recipe) -> bytes:
        """Return the mail, lines ended by LF: the same recipe always gives the same bytes.

        Raises ValueError for a header with control characters, KeyError for an unknown kind of
        happening, and Jinja's own errors for a template that is missing or broken.
        """
        tongue, letters = Tongue.of(recipe.language), self._letters[recipe.language]
        if not recipe.is_plain:
            recipe = replace(recipe, facts=blocks.unmarked(recipe.facts, tongue.say))
        board, facts = self._shown(recipe, tongue)
        subject, marked = _text(letters, recipe.template, facts)
        # Dates in other languages have gaps that do not break; HTML keeps them.
        text, subject = (
            each.replace("\xa0", " ") for each in (blocks.as_text(marked, tongue), subject)
        )
        headers = {**recipe.headers, **_headers(recipe, board)}
        parts = [wire.plain(text)]
        self.undrawn = False
        if recipe.html:
            drawn = _pictures(recipe, board, facts)
            figures = facts["page"].figures if recipe.template == "page" else ()
            drawn |= _figures(figures) if recipe.pictures else {}
            self.undrawn = None in drawn.values()
            domain = self._site.address.rpartition("@")[2]
            named = {f"{name}.{recipe.serial}@{domain}": name for name in drawn}
            for cid, name in named.items():
                each = drawn[name]
                facts[name] = drawings.TapPicture(cid, each.box, each.width) if each else None
            facts["shown"] = {name: facts[name] for name in drawn}
            facts["figures"] = [(each, facts.get(f"figure{n}")) for n, each in enumerate(figures)]
            if recipe.template == "digest":
                of_boards = [facts.get(f"picture{n}") for n in range(len(facts["whole"]))]
                facts["images"] = roundup.images(facts["whole"], of_boards)
            facts |= {"subject": subject, "text": text, "year": transcript.when(recipe.at)[:4]}
            facts["title"], facts["about"], facts["marked"] = blocks.title_of(marked)
            facts["title"] = facts["title"] or subject.removeprefix("Star: ")
            html = wire.html(self._html(letters, recipe.template, facts))
            # Not every template shows them.
            shown = [
                (cid, each.base64)
                for cid, name in named.items()
                if (each := drawn[name]) and cid.encode("ascii") in html
            ]
            parts.append(wire.related(html, shown, recipe.serial) if shown else html)
        files = (_record_file(board),) if board and recipe.template == "record" else ()
        return wire.mail(headers, subject, parts, recipe.at, recipe.serial, files)

    def _shown(self, recipe: Recipe, tongue: Tongue) -> tuple[View | None, dict[str, Any]]:
        """Return the view of a letter's board, and all values that fill its template."""
        board = None
        if recipe.board:
            match = self._replays.match(recipe.board)
            asks = [
                word for module in _of_features("asks") for word in module.asks(match, recipe.facts)
            ]
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
                tongue,
            )
            board = view_of(match, telling)
        facts = {
            "address": self._site.address,
            "reply_to": recipe.headers.get("Reply-To", ""),
            **self._defaults.get(recipe.template, {}),
            "shown": {},
            "goes_on": lambda number: self._played_on(board, number),
            "picture": None,
            "drawing": recipe.drawing,
            "tongue": tongue,
            "language": tongue.language,
            "help": partial(self.help, tongue=tongue),
            **recipe.facts,
            "board": board,
        }
        for module in _of_features("fill"):
            facts |= blocks.unmarked(module.fill(recipe.facts), tongue.say)
        if board and (following := facts.get("next_game")) and following["line"] == "match":
            board = facts["board"] = board.without_rematch()
        if recipe.template == "page":
            facts["page"] = facts["help"](recipe.facts["topic"])
        if board and facts.get("sent_with"):
            board = facts["board"] = board._replace(sent_with=facts["sent_with"])
        if board and facts.get("album"):
            facts["album"] = album.album(board.match, facts["album"], asks, tongue)
        if board and self._site.url:
            for of_board in self._of_boards:
                facts |= of_board(board, self._site.url, facts)
        if recipe.template == "digest":
            facts |= roundup.filled(facts, self._replays, recipe.pictures, tongue)
        if recipe.template == "preview" and board:
            facts["steps"] = preview_steps(board.match, recipe.facts["first"], tongue)
            # Only a yes to a preview plays.
            board = board._replace(moving=False, tried=recipe.facts.get("tried", ""))
            facts["board"] = board
        return board, facts

    def _played_on(self, board: View | None, number: int) -> str:
        """Return the line of a reply that plays a finished game on after that move; empty if none does."""
        if board is None or not board.reply_to:
            return ""
        return next(filter(None, (line(number) for line in self._goes_on)), "")

    def help(self, topic: str, tongue: Tongue | None = None) -> pages.Page:
        """Return the help page on a topic. Raises jinja2.TemplateNotFound if there is none."""
        to = tongue or ENGLISH
        return pages.page(self._pages[to.language], self._own, topic, self._site, to)

    def _html(self, letters: jinja2.Environment, name: str, facts: Mapping[str, Any]) -> str:
        template = f"{name}.html" if name in self._with_html else "plain.html"
        return letters.get_template(template).render(facts)


def _text(letters: jinja2.Environment, name: str, facts: Mapping[str, Any]) -> tuple[str, str]:
    filled = letters.get_template(f"{name}.txt").render(facts)
    subject, _, text = filled.partition("\n\n")
    return subject.removeprefix("Subject: ").strip(), text.rstrip("\n") + "\n"


@cache
def _of_features(what: str) -> list[ModuleType]:
    """Return the modules ``rendering`` of features that have this part."""
    return [module for _, module in modules("rendering") if hasattr(module, what)]


def _pictures(
    recipe: Recipe, board: View | None, facts: Mapping[str, Any]
) -> dict[str, attached.Drawn | None]:
    """Draw the pictures of a letter by name: its board, a curve, an album's; None for one that fails.

    Pictures of several boards are numbered; there are no more than a message may have.
    """
    if recipe.pictures and recipe.template == "digest":
        return _of_boards(facts["whole"])
    drawn: dict[str, attached.Drawn | None] = {}
    if not recipe.pictures:
        return drawn
    if board is not None:
        drawn["picture"] = attached.of_board(board)
    for module in _of_features("PICTURES"):
        if draw := module.PICTURES.get(recipe.template):
            drawn |= draw(facts)
    if board is not None and facts.get("album"):
        drawn |= album.pictures(facts["album"])
    return drawn


def _figures(figures: Sequence[pages.Figure]) -> dict[str, attached.Drawn | None]:
    """Draw the pictures of a help page by name."""
    return {
        f"figure{number}": attached.of_position(each.game, each.stones)
        if each.game
        else attached.of_pentahexes()
        for number, each in enumerate(figures)
    }


def _of_boards(whole: Sequence[roundup.BoardPart]) -> dict[str, attached.Drawn | None]:
    """Draw boards as long as there is room for their pictures."""
    drawn: dict[str, attached.Drawn | None] = {}
    room = roundup.PICTURES
    for number, part in enumerate(whole):
        each = attached.of_board(part.view, roundup.pixels(len(whole)))
        room -= len(each.base64) if each else 0
        if room < 0:
            break
        drawn[f"picture{number}"] = each
    return drawn


def _record_file(board: View) -> bytes:
    facts = transcript.facts(board.match)
    name = f"{facts['game'].replace('*', 'star')}{facts['board']}.json"
    return wire.file("application/json", name, json.dumps(facts, indent=0))


def _headers(recipe: Recipe, board: View | None) -> dict[str, str]:
    """Return the header fields that tell programs of a letter's board.

    The deadline is empty while the clock is stopped, and absent in the turn of a program.
    """
    if board is None or recipe.template not in (*_BOARDS, "preview"):
        return {}
    heads = {"X-Pbmstar-Game": board.match.game.word, "X-Pbmstar-Board": str(board.number)}
    if recipe.template == "preview":
        return heads if board.number else {}
    heads |= {
        "X-Pbmstar-Move": str(board.match.position.played),
        "X-Pbmstar-To-Move": board.to_move,
        "X-Pbmstar-Result": board.result or recipe.facts.get("result", ""),
        "X-Pbmstar-By-Plan": board.by_plan,
    }
    for module in _of_features("HEADERS"):
        heads |= {name: tell(recipe.facts) for name, tell in module.HEADERS.items()}
    if clock := recipe.clock:
        if clock.deadline is not None or clock.stands:
            deadline = "" if clock.deadline is None else transcript.when(clock.deadline)
            heads["X-Pbmstar-Deadline"] = deadline
        left = clock.left if clock.time != NONE else {}
        heads["X-Pbmstar-Clock"] = " ".join(f"{who}={seconds}" for who, seconds in left.items())
    return heads


@jinja2.pass_context
def _as_html(context: jinja2.runtime.Context, marked: str, reply_to: str, look: str = "") -> Markup:
    """Set blocks as HTML, with the pictures and the templates of the letter that ``context`` is of.

    ``look`` names the style of its paragraphs.
    """

    def template(name: str) -> str:
        template = context.environment.get_template(name)
        own = template.new_context(context.get_all(), shared=True)
        return "".join(template.root_render_func(own))

    shown, year = context.get("shown") or {}, context.get("year") or ""
    tongue = context.get("tongue") or ENGLISH
    part = blocks.HtmlPart(reply_to, style.STYLES.get(look, ""), shown, template, year, tongue)
    return blocks.as_html(marked, part) + "\n"  # as the block of a filter ends


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


_escapes = jinja2.select_autoescape(["html"])


class Loader(jinja2.FileSystemLoader):
    """A loader that compiles into a template what it includes, and its sentences in the language of
    ``tongue``: an include in a letter, or a sentence looked up for it, would cost more.
    """

    def __init__(self, folders: list[Path], tongue: Tongue) -> None:
        super().__init__(folders)
        self._folding = Folding(tongue)

    def load(
        self,
        environment: jinja2.Environment,
        name: str,
        globals: MutableMapping[str, Any] | None = None,  # noqa: A002
    ) -> jinja2.Template:
        _, file, is_current = self.get_source(environment, name)
        tree = self._folding.visit(self.tree(environment, name))
        code = environment.compile(tree, name, file)
        template = environment.template_class
        return template.from_code(environment, code, globals or {}, is_current)

    def tree(self, environment: jinja2.Environment, name: str) -> nodes.Template:
        """Return a template with all that it includes. Raises jinja2.TemplateNotFound if it is missing."""
        source, file, _ = self.get_source(environment, name)
        tree = environment.parse(source, name, file)
        whole = _Whole(self, environment, name).visit(tree)
        assert isinstance(whole, nodes.Template)
        return whole


class _Whole(NodeTransformer):
    """It puts in place of each include what the other template says, with names and escaping of its own.

    ``name`` is that of the template that includes others.
    """

    def __init__(self, loader: Loader, environment: jinja2.Environment, name: str) -> None:
        self._loader, self._environment, self._is_html = loader, environment, _escapes(name)

    def visit_Include(self, node: nodes.Include) -> nodes.Node:  # noqa: N802
        if not isinstance(node.template, nodes.Const):
            return node
        name = node.template.value
        try:
            tree = self._loader.tree(self._environment, name)
        except jinja2.TemplateNotFound:  # it is missed where it is needed
            return node
        if tree.find(nodes.Extends) or tree.find(nodes.Block):
            return node
        is_html = _escapes(name)
        if is_html == self._is_html:  # what changes nothing takes time in each letter too
            return nodes.Scope(tree.body)
        option = nodes.Keyword("autoescape", nodes.Const(is_html))
        return nodes.Scope([nodes.ScopedEvalContextModifier([option], tree.body)])


class Environments(dict[str, jinja2.Environment]):
    """The templates of some folders in each language, which are made when the language is used first."""

    def __init__(self, folders: list[Path]) -> None:
        self._folders = folders

    def __missing__(self, language: str) -> jinja2.Environment:
        environment = self[language] = _environment(self._folders, Tongue.of(language))
        return environment


def _environment(folders: list[Path], tongue: Tongue) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=Loader(folders, tongue),
        extensions=[Trans],
        undefined=jinja2.StrictUndefined,
        cache_size=-1,  # no limit: there are some seventy
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=_escapes,  # noqa: S701 - it selects what is HTML
    )
    by_name: tuple[Any, ...] = (
        wrap, fill, hang, table, drawing, drawn, in_words, in_rows, joined, plural, pre, quoted, page,
        paragraphs, titled,
        pages.illustrated, drawings.draw, drawings.buttons, drawings.word_links, drawings.disc,
        *blocks.FILTERS, style.css, style.slab, style.paper, style.title, style.unbroken,
        drawings.how, drawings.image, drawings.is_tapped, drawings.mailto, drawings.targets,
        transcript.sparkline,
        *(each for module in _of_features("FILTERS") for each in module.FILTERS),
    )  # fmt: skip
    environment.globals.clear()  # no letter uses those of Jinja, and each include would copy them
    environment.filters |= {each.__name__: each for each in by_name}
    environment.filters |= {"as_it_was": _as_it_was, "taps": drawings.can_tap, "as_html": _as_html}
    environment.filters[COUNTED] = tongue.tell_many
    environment.filters["spoken"] = partial(blocks.spoken, tongue)
    return environment
