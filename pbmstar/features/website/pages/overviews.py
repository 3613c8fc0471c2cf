"""The files that are not of single games: front page, lists, players, rules, feeds, sitemap, robots.txt."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from copy import copy
from html import escape
from itertools import takewhile
from typing import Any

from markupsafe import Markup

from .... import games
from ....errors import say
from ....render import pages
from ....render.letters import Renderer
from ....render.picture import shapes
from ....render.style import FIXED
from ....render.text import titled
from ....render.translator import Translator
from ....store import Store
from .catalogue import FEED, TABLES, Catalogue, ListedGame, Standings, profile, split
from .gamepage import FinalScores
from .svg import Sheet, svg
from .templates import PageTemplates, day, is_translated, placed
from .templates import month as month_name

_SEEN = 40  # games that a list names one by one; the pages of the months have all games
_RIVALS = 20
_FRONT = 10
_LARGEST = 150  # cells of the board on the front page: its names can be read on a phone
_ADDRESSES = 50_000  # of a sitemap
KINDS = {games.path_of(kind.word): kind for kind in games.GAMES}
_STYLE = re.compile(r' style="[^"]*"')
_SHOWN = ("star", "F6 G7 E5 F7 G5 H6 E7 F8 D6")  # the board of the front page


class Overviews:
    """All pages but the games' own. Each follows from the catalogue and the store alone.

    translator   the language of the pages
    """

    def __init__(
        self,
        templates: PageTemplates,
        catalogue: Catalogue,
        standings: Standings,
        renderer: Renderer,
        store: Store,
        scores: FinalScores,
    ) -> None:
        self.catalogue, self.standings, self._scores = catalogue, standings, scores
        self._templates, self._renderer, self._store = templates, renderer, store
        self.translator = templates.translators[0]

    def _fill(self, template: str, name: str, **facts: Any) -> bytes:
        return self._templates.page(template, name, self.translator, **facts)

    def _in(self, translator: Translator) -> Overviews:
        """Return the same pages in a language."""
        same = copy(self)
        same.translator = translator
        return same

    def pages(self, name: str) -> dict[str, bytes | None]:
        """Return the page of that name in each language, by its own name; None if there is none."""
        if not is_translated(name):
            return {name: self.page(name)}
        return {
            placed(name, each): self._in(each).page(name) for each in self._templates.translators
        }

    def names(self) -> set[str]:
        """Return the names of all these pages in English."""
        catalogue = self.catalogue
        names = {"index.html", "404.html", "robots.txt", "feed.xml", "start.svg"}
        names |= {"games/index.html", "play/index.html", "rules/index.html"}
        names |= {TABLES, *self.standings.pages}
        names |= {f"rules/{path}.html" for path in KINDS}
        for path in catalogue.paths():
            names.add(f"games/{path}/index.html")
            names |= {f"games/{path}/{month}.html" for month in catalogue.months(path)}
        for who in catalogue.players():
            names |= {f"p/{who}.html", f"p/{who}.xml"}
        if self._templates.url:
            names.add("sitemap.xml")
        return names

    def page(self, name: str) -> bytes | None:
        """Return the page of that name in the language; None if there is none."""
        tell = self.translator.say
        if table := self.standings.pages.get(name):
            players = self.catalogue.players()
            facts = {"seen": players, "title": tell(table.title), "whole": True, **table.facts}
            return self._fill(table.template, name, **facts)
        if name in _PLAIN:
            template, title = _PLAIN[name]
            return self._fill(template, name, title=tell(title), kinds=KINDS)
        for pattern, make in _PAGES:
            if found := re.fullmatch(pattern, name):
                return make(self, name, *found.groups())
        return None

    def _front(self, name: str) -> bytes:
        ended, running = self.catalogue.ended(_FRONT), self.catalogue.running(_FRONT)
        title = self.translator.tell("Star and related games, by email")
        tops = self.standings.tops
        seen = self.catalogue.players()
        facts: dict[str, Any] = {"ended": ended, "running": running, "tops": tops, "seen": seen}
        live = (game for game in running if len(game.players) == 2 and game.cells <= _LARGEST)
        facts["live"] = next(live, None)
        facts |= {"joinable": self.standings.joinable, "played": self.catalogue.count}
        return self._fill("index.html", name, title=title, scores=self._scores, **facts)

    def _start(self, _name: str) -> bytes:
        word, moves = _SHOWN
        position = games.make(word, {}).start()
        for move in moves.split():
            position = position.play(move)
        drawn = shapes.picture(position.game, position.stones)
        return svg(drawn, "A board of Star after some moves").encode("utf-8")

    def _kinds(self, name: str) -> bytes:
        paths = self.catalogue.paths()
        counts = {path: len(self.catalogue.of("games", path)) for path in KINDS if path in paths}
        ended, running = self.catalogue.ended(_FRONT), self.catalogue.running(_FRONT)
        facts = {"counts": counts, "kinds": KINDS, "ended": ended, "running": running}
        title = self.translator.tell("Games")
        return self._fill("kinds.html", name, title=title, scores=self._scores, **facts)

    def _kind(self, name: str, path: str) -> bytes | None:
        every = self.catalogue.of("games", path)
        if not every:
            return None
        over, running = split(every)
        return self._fill(
            "kind.html",
            name,
            title=self.translator.tell("{title} games", title=KINDS[path].title),
            path=path,
            over=over[:_SEEN],
            running=running[:_SEEN],
            more=max(0, len(running) - _SEEN),
            months=self.catalogue.months(path),
            scores=self._scores,
        )

    def _month(self, name: str, path: str, month: str) -> bytes | None:
        every = self.catalogue.of(path, month)
        if not every:
            return None
        when = self.translator.say(month_name(month))
        title = self.translator.tell("{title} in {month}", title=KINDS[path].title, month=when)
        facts = {"kinds": KINDS, "path": path, "over": every, "scores": self._scores}
        return self._fill("month.html", name, title=title, **facts)

    def _player(self, name: str, who: str) -> bytes | None:
        every = self.catalogue.of("p", who)
        if not every:
            return None
        over, running = split(every)
        return self._fill(
            "player.html",
            name,
            title=who,
            who=who,
            over=over[:_SEEN],
            more=max(0, len(over) - _SEEN),
            running=running[:_SEEN],
            rivals=_rivals(who, every),
            titles=[self.translator.say(each) for each in self.standings.titles.get(who, ())],
            scores=self._scores,
            **_record(who, over, running),
            **self._profile(who),
        )

    def _profile(self, who: str) -> dict[str, Any]:
        """Return a player's ratings with their curves."""
        if who not in self.standings.of:
            return {}
        with self._store.transaction(writes=False) as tx:
            return profile(tx, who)

    def _tables(self, name: str) -> bytes:
        tables, seen = [], self.catalogue.players()
        for path, title in self.standings.paths:
            page = self.standings.pages[path]
            part = page.template.replace(".html", ".table.html")
            told = self.translator.say(title)
            facts = {"seen": seen, "title": told, "whole": False, **page.facts}
            tables.append((path, told, self._templates.part(part, name, self.translator, **facts)))
        title = self.translator.tell("Ratings and tables")
        return self._fill("tables.html", name, title=title, tables=tables)

    def _feed(self, _name: str, who: str = "") -> bytes | None:
        over = split(self.catalogue.of("p", who))[0][:FEED] if who else self.catalogue.ended(FEED)
        if who and not self.catalogue.of("p", who):
            return None
        return atom(self._templates, over, who)

    def _rule(self, name: str, path: str) -> bytes | None:
        kind = KINDS.get(path)
        if kind is None:
            return None
        page = self._renderer.help(path, self.translator)
        sheet = Sheet()
        content = pages.with_images(
            titled(page.text)[1], ((each, _drawn(sheet, each)) for each in page.figures)
        )
        facts = {"word": kind.word, "content": _classed(content)}
        return self._fill("rule.html", name, title=kind.title, **facts)

    def _robots(self, _name: str) -> bytes:
        """Return robots.txt: programs may read all of the site."""
        url = self._templates.url
        where = f"Sitemap: {url}/sitemap.xml\n" if url else ""
        return f"User-agent: *\nAllow: /\n{where}".encode()

    def _sitemap(self, _name: str) -> bytes | None:
        """Return the addresses of all pages, without running games.

        If there are too many, the oldest games are left out.
        """
        url = self._templates.url
        if not url:
            return None
        names = sorted(filter(is_translated, self.names()))
        translators = self._templates.translators
        ended = self.catalogue.ended(max(0, _ADDRESSES // len(translators) - len(names)))
        names += [f"g/{game.number}.html" for game in ended]
        names = [placed(name, translator) for name in names for translator in translators]
        lines = [f"<url><loc>{escape(f'{url}/{name}')}</loc></url>" for name in names]
        return (
            '<?xml version="1.0" encoding="utf-8"?>\n'
            '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
            + "\n".join(lines[:_ADDRESSES])
            + "\n</urlset>\n"
        ).encode()


def atom(templates: PageTemplates, over: Sequence[ListedGame], who: str) -> bytes:
    """Return the feed of games that have ended: of all players, or of one.

    The id of a game names the board and the server, so a new name of a player does not change it.
    """
    domain = templates.address.rpartition("@")[2]
    title = f"{who}'s games" if who else "Games that have ended"
    updated = f"{day(over[0].shown.since)}T00:00:00Z" if over else "2026-01-01T00:00:00Z"
    name = f"p/{who}" if who else "index"
    prefix = f"{templates.url}/" if templates.url else "../" * name.count("/")
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        f"<title>{title}</title>",
        f"<id>tag:{domain},2026:{f'player/{who}' if who else 'games'}</id>",
        f"<author><name>{escape(domain)}</name></author>",
        f"<updated>{updated}</updated>",
        f'<link href="{escape(prefix)}{name}.html"/>',
    ]
    for game in over:
        lines += [
            "<entry>",
            f"<title>{game.title}: {' against '.join(game.players)}, {game.outcome}</title>",
            f"<id>tag:{domain},2026:board/{game.number}</id>",
            f"<updated>{day(game.shown.since)}T00:00:00Z</updated>",
            f'<link href="{escape(prefix)}g/{game.number}.html"/>',
            "</entry>",
        ]
    return ("\n".join([*lines, "</feed>"]) + "\n").encode("utf-8")


def _classed(content: str) -> Markup:
    """Return text that is set for a letter without the styles of its elements, which pages do not allow."""

    def name(style: re.Match[str]) -> str:
        return ' class="typed"' if FIXED in style[0] else ""

    return Markup(_STYLE.sub(name, content))  # noqa: S704 - no text is changed


def _drawn(sheet: Sheet, figure: pages.Figure) -> str:
    """Return a figure of a help page as a picture within the page."""
    if figure.game is None:
        return sheet.pentahexes(figure.alt)
    return sheet.svg(shapes.picture(figure.game, figure.stones), figure.alt)


def _rivals(
    who: str, every: Sequence[ListedGame]
) -> list[tuple[str, bool, int, int, int, int, int]]:
    """Return the opponents whom a player has met most often: the userid, True if the opponent has no page,
    games, games won, lost, tied, and running; a game that ended without result is only among the games."""
    met, won, lost, closed = Counter[str](), Counter[str](), Counter[str](), set[str]()
    tied, running = Counter[str](), Counter[str]()
    for game in every:
        for rival in game.players:
            if rival != who:
                met[rival] += 1
                won[rival] += game.shown.result == who
                lost[rival] += game.shown.result == rival
                tied[rival] += game.shown.result == "tie"
                running[rival] += not game.shown.over
                if rival in game.closed:
                    closed.add(rival)
    return [
        (rival, rival in closed, count, won[rival], lost[rival], tied[rival], running[rival])
        for rival, count in met.most_common(_RIVALS)
    ]


def _record(who: str, over: Sequence[ListedGame], running: Sequence[ListedGame]) -> dict[str, Any]:
    """Return what a player has won: the counts, the best wins, and a challenge to the usual game."""
    for_two = [game for game in over if len(game.players) == 2]
    wins = [game for game in for_two if game.shown.result == who]
    usual = Counter(game.shown.game for game in [*for_two, *running] if len(game.players) == 2)
    best = sorted(wins, key=lambda game: -_strength_beaten(game))
    return {
        "finished": len(for_two),
        "won": len(wins),
        "streak": len(list(takewhile(lambda game: game.shown.result == who, for_two))),
        "best": [game for game in best if _strength_beaten(game)][:3],
        "challenge": f"{usual.most_common(1)[0][0] if usual else 'star'} challenge {who}",
    }


def _strength_beaten(game: ListedGame) -> int:
    """Return the number shown beside the loser of a game; 0 if there is none."""
    numbers = dict(zip(game.players, game.shown.numbers, strict=True))
    numbers.pop(game.shown.result, None)
    return max((int(number.rstrip("?")) for number in numbers.values() if number), default=0)


# Pages that show nothing of the store: the template and the title.
_PLAIN = {
    "404.html": ("404.html", say("No such page")),
    "play/index.html": ("play.html", say("Choose a move")),
    "rules/index.html": ("rules.html", say("Rules")),
}
_PAGES: tuple[tuple[str, Callable[..., bytes | None]], ...] = (
    (r"index\.html", Overviews._front),
    (r"start\.svg", Overviews._start),
    (r"robots\.txt", Overviews._robots),
    (r"sitemap\.xml", Overviews._sitemap),
    (r"feed\.xml", Overviews._feed),
    (r"p/([a-z0-9_-]+)\.xml", Overviews._feed),
    (r"p/([a-z0-9_-]+)\.html", Overviews._player),
    (r"games/index\.html", Overviews._kinds),
    (r"games/([a-z]+)/index\.html", Overviews._kind),
    (r"games/([a-z]+)/([0-9-]+)\.html", Overviews._month),
    (re.escape(TABLES), Overviews._tables),
    (r"rules/([a-z]+)\.html", Overviews._rule),
)
