"""Files for programs: Atom feeds of games that have ended, the sitemap, robots.txt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from .catalogue import Catalogue, Exhibit
from .paper import Paper, day

_MOST = 50_000  # addresses of a sitemap


def atom(paper: Paper, over: Sequence[Exhibit], who: str = "") -> bytes:
    """Return the feed of games that have ended: of all players, or of one.

    The id of a game names the board and the server, so a new name of a player does not change it.
    """
    domain = paper.address.rpartition("@")[2]
    title = f"Games of {who}" if who else "Games that have ended"
    updated = f"{day(over[0].shown.since)}T00:00:00Z" if over else "2026-01-01T00:00:00Z"
    name = f"p/{who}" if who else "index"
    prefix = f"{paper.url}/" if paper.url else "../" * name.count("/")
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


def robots(paper: Paper) -> bytes:
    """Return robots.txt: programs may read all of the site."""
    lines = ["User-agent: *", "Allow: /"]
    if paper.url:
        lines.append(f"Sitemap: {paper.url}/sitemap.xml")
    return ("\n".join(lines) + "\n").encode("utf-8")


def sitemap(paper: Paper, catalogue: Catalogue, names: Iterable[str]) -> bytes:
    """Return the sitemap: the addresses of all pages except those of running games.

    If there are too many, those of the oldest games are left out.
    """
    pages = sorted(name for name in names if name.endswith(".html") and name != "404.html")
    boards = [f"g/{game.number}.html" for game in catalogue.ended(max(0, _MOST - len(pages)))]
    lines = [f"<url><loc>{escape(f'{paper.url}/{name}')}</loc></url>" for name in pages + boards]
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        + "\n".join(lines[:_MOST])
        + "\n</urlset>\n"
    ).encode("utf-8")
