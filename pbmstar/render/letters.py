"""Letters: a recipe, set in templates as text and as HTML, and the mail around both."""

from __future__ import annotations

import json
from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import jinja2
from jinja2 import nodes
from jinja2.visitor import NodeTransformer
from markupsafe import Markup

from ..config import Config
from ..games.spelling import plural
from ..machine.times import when
from ..match import Match
from ..match.terms import NONE, unrated
from . import album, drawings, kit, pages, replies, reviews, roundup, style, wire
from .added import of_features
from .board import transcript
from .board.view import Telling, View, preview_steps, view_of
from .facts import defaults, kinds
from .picture import attached
from .ratings import curve, moved_far, rating_curve, rating_header, rating_line
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
    quoted,
    table,
    titled,
    wrap,
)
from .tongue import ENGLISH, Tongue
from .trans import COUNTED, Folding, Trans


class Renderer:
    """A writer of letters with the templates: it searches a site's own directory first.

    A letter NAME is set by ``NAME.txt``, its Subject first, and ``NAME.html``. Where there is no HTML
    template, or a site has one for the text alone, both parts are set from ``NAME.txt``: it calls macros
    of ``ui``, which are those of ``kit.txt`` for the text and those of ``kit.html`` for HTML, in which
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
        self._defaults = {name: defaults[kind] for name, kind in kinds().items()}
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
        tongue = Tongue.of(recipe.language)
        if not recipe.is_plain:
            recipe = replace(recipe, facts=tongue.told(recipe.facts))
        board, facts = self._shown(recipe, tongue)
        written = self._text(recipe, facts)
        # Dates in other languages have gaps that do not break; HTML keeps them.
        text, subject = (each.replace("\xa0", " ") for each in (written.content, written.subject))
        headers = replies.carried({**recipe.headers, **_headers(recipe, board)}, self._plain)
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
            content = self._html(recipe, facts, written._replace(subject=subject, content=text))
            html = wire.html(replies.tagged_links(content) if self._plain else content)
            # Not every template shows them.
            shown = [
                (cid, each.base64)
                for cid, name in named.items()
                if (each := drawn[name]) and cid.encode("ascii") in html
            ]
            parts.append(wire.related(html, shown, recipe.serial) if shown else html)
        files = _record_files(board) if board and recipe.template == "record" else ()
        return wire.mail(headers, subject, parts, recipe.at, recipe.serial, files)

    def _shown(self, recipe: Recipe, tongue: Tongue) -> tuple[View | None, dict[str, Any]]:
        """Return the view of a letter's board, and all values that fill its template."""
        board = None
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
            "html": False,
            "tongue": tongue,
            "language": tongue.language,
            "help": cache(partial(self.help, tongue=tongue)),
            **recipe.facts,
            "board": board,
        }
        if rating := facts.get("rating"):
            apart = unrated(board.match.terms.contest) if board else None
            lines = (apart or rating_line(rating), "" if apart else moved_far(rating))
            facts["stakes"] = tuple(tongue.say(line) for line in lines if line)
        facts |= tongue.told(reviews.fill(recipe.facts))
        if board and (following := facts.get("next_game")) and following["line"] == "match":
            board = facts["board"] = board.without_rematch()
        if recipe.template == "page":
            facts["page"] = facts["help"](recipe.facts["topic"])
        if board and facts.get("sent_with"):
            board = facts["board"] = board._replace(sent_with=facts["sent_with"])
        if board and facts.get("album"):
            facts["album"] = album.album(board.match, facts["album"], asks, tongue)
        if board and self._site.url:
            to = replies.tagged(board.reply_to) if self._plain else board.reply_to
            for of_board in self._of_boards:
                facts |= of_board(board._replace(reply_to=to), self._site.url, facts)
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

    NAMES = ("address", "reply_to", "shown", "tongue", "year")

    def __init__(self, letters: jinja2.Environment) -> None:
        self.letter: dict[str, Any] = {}
        self.macros = letters.get_template("kit.html").make_module(self.letter, shared=True)


class _Written(NamedTuple):
    """The text part of a letter, its Subject, and the title that its HTML begins with."""

    subject: str
    content: str
    headline: str
    subline: str


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
    if recipe.template == "history":
        drawn |= curve(facts)
    if recipe.template == "review":
        drawn |= reviews.curve(facts)
    for each in of_features().values():
        if draw := each.pictures.get(recipe.template):
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


def _record_files(board: View) -> tuple[bytes, ...]:
    """Return the record for programs: as JSON, and as SGF if its game has that."""
    facts = transcript.facts(board.match)
    name = f"{facts['game'].replace('*', 'star')}{facts['board']}"
    files = [wire.file("application/json", f"{name}.json", json.dumps(facts, indent=0))]
    if text := transcript.as_sgf(board.match):
        files.append(wire.file("application/x-go-sgf", f"{name}.sgf", text))
    return tuple(files)


def _headers(recipe: Recipe, board: View | None) -> dict[str, str]:
    """Return the header fields that tell programs of a letter's board.

    The deadline is empty while the clock is stopped, and absent in the turn of a program.
    """
    if board is None or not board.number:
        return {}
    kind = kinds()[recipe.template]
    if not kind.names_board:
        return {}
    heads = {"X-Pbmstar-Game": board.match.game.word, "X-Pbmstar-Board": str(board.number)}
    if not kind.tells_board:
        return heads
    heads |= {
        "X-Pbmstar-Move": str(board.match.position.played),
        "X-Pbmstar-To-Move": board.to_move,
        "X-Pbmstar-Result": board.result or recipe.facts.get("result", ""),
        "X-Pbmstar-By-Plan": board.by_plan,
    }
    heads["X-Pbmstar-Rating"] = rating_header(recipe.facts.get("rating"))
    if clock := recipe.clock:
        if clock.deadline is not None or clock.stands:
            deadline = "" if clock.deadline is None else when(clock.deadline)
            heads["X-Pbmstar-Deadline"] = deadline
        left = clock.left if clock.time != NONE else {}
        heads["X-Pbmstar-Clock"] = " ".join(f"{who}={seconds}" for who, seconds in left.items())
    return heads


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
        whole = _Whole(self, environment).visit(tree)
        assert isinstance(whole, nodes.Template)
        return whole


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
        tongue = Tongue.of(language)
        environment = self[language] = _environment(self._folders, tongue, self._is_html)
        return environment


def _environment(folders: list[Path], tongue: Tongue, is_html: bool) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=Loader(folders, tongue),
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
        paragraphs, titled,
        pages.illustrated, drawings.draw, drawings.buttons, drawings.word_links, drawings.disc,
        *kit.FILTERS, style.css, style.fold, style.slab, style.paper, style.title, style.unbroken,
        style.filled,
        drawings.how, drawings.image, drawings.is_tapped, drawings.mailto, drawings.targets,
        transcript.sparkline, rating_curve,
        *(each for of in of_features().values() for each in of.filters),
    )  # fmt: skip
    environment.globals.clear()  # no letter uses those of Jinja, and each include would copy them
    environment.filters |= {each.__name__: each for each in by_name}
    environment.filters |= {"as_it_was": _as_it_was, "taps": drawings.can_tap}
    environment.filters[COUNTED] = tongue.tell_many
    environment.filters["spoken"] = partial(kit.spoken, tongue)
    return environment
