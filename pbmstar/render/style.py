"""The look of letters, defined once: docs/design-system.md has the reasons and the contrasts.

A letter is a slab, which says what happened, and paper below it. The slab names its ground and the
colors on it, the same in light and dark. Text on paper has no color of its own, so that it follows the
mail program in light, in dark, and where the program inverts colors. Styles are inline, since many
programs drop all others; templates name them: ``style="{{ "note" | css }}"``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup, escape

SLAB, CREAM, MIST, AMBER = "#33424d", "#f7f1e3", "#c6d1d9", "#f0a63a"
FILL, ON_FILL, EDGE = "#b05f08", "#ffffff", "#79838b"
SMALL, TEXT, TITLE = 13, 16, 22  # pixels: what may be skipped, text and headings, the title
FIXED = "font-family:Consolas,Menlo,'DejaVu Sans Mono','Courier New',monospace"
_SANS = "-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
_SERIF = "'Iowan Old Style',Palatino,Georgia,serif"

STYLES: Mapping[str, str] = {
    "body": f"margin:0;font-family:{_SANS};font-size:{TEXT}px;line-height:1.4",
    "letter": "max-width:660px;table-layout:fixed",
    "slab": f"background:{SLAB};color:{CREAM};padding:12px 10px",
    "paper": "padding:8px 10px 20px",
    "title": f"margin:0 0 2px;font-size:{TITLE}px;line-height:28px;color:{CREAM}",
    "about": f"margin:0 0 4px;font-size:{SMALL}px;color:{MIST}",
    "heading": f"margin:20px 0 6px;font-size:{TEXT}px",
    "line": "margin:0 0 6px",
    "note": f"margin:4px 0 6px;font-size:{SMALL}px",
    "last": f"margin:14px 0 0;font-size:{SMALL}px",
    "figure": f"font-size:{TITLE}px;line-height:28px",
    "small": f"font-size:{SMALL}px",
    "quote": f"border-left:3px solid {AMBER};padding-left:10px;margin:8px 0;"
    f"font-family:{_SERIF};font-style:italic",
    "notice": f"border:1px solid {EDGE};border-radius:8px;padding:0 12px;margin:10px 0",
    "button": f"display:inline-block;padding:10px 14px;margin:0 6px 8px 0;border:1px solid {EDGE};"
    "border-radius:8px;color:inherit;text-decoration:none",
    "link": "padding:6px 0",
    "fold": "padding:6px 0;font-weight:bold;cursor:pointer",
    "list": f"{FIXED};font-size:{SMALL}px;white-space:pre;overflow-x:auto",
    "wrapped": f"{FIXED};font-size:{SMALL}px;white-space:pre-wrap",
    "row": f"{FIXED};font-size:{SMALL}px;margin:0 0 4px 28px;text-indent:-14px",
    "item": "margin:0 0 6px 14px;text-indent:-14px",
    "cell": f"padding:8px 10px 8px 0;border-bottom:1px solid {EDGE}",
    "stamp": "height:auto;border-radius:6px;margin:0 0 12px;vertical-align:top",
    "entry": "display:block;margin:0 0 12px;color:inherit;text-decoration:none",
    "picture": "height:auto;border-radius:8px",
    "board": f"vertical-align:top;background:{SLAB};color:{CREAM};font-size:{SMALL}px;border-radius:8px",
}
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_MONTH = f"(?:{'|'.join(MONTHS)})"
# The gaps in a date: ``Mon 14 Dec``, ``14 December 2027``, ``Mon 2027-12-14``. Most gaps are seen to be in
# none at once.
_BREAKS = re.compile(
    rf"[ \n](?=[\dADFJMNOS])(?:(?=\d)(?<=(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[ \n])|(?={_MONTH})(?<=\d[ \n])"
    r"|(?=20\d\d\b)(?<=[a-z][ \n]))"
)
_DIGIT = re.compile("[0-9]")  # each date has one
# Chromium breaks it after a hyphen. In other languages the catalogs have gaps that do not break.
_DATE = re.compile(r"(?:&nbsp;|\xa0)(20\d\d-\d\d-\d\d)")
_FILLED = f"display:block;padding:11px;color:{ON_FILL};font-weight:bold;text-decoration:none"


def css(name: str) -> Markup:
    """Return the style of that name, for an attribute."""
    return Markup(STYLES[name])  # noqa: S704


def unbroken(content: str) -> Markup:
    """Return running text as HTML, with dates that do not break at the end of a line."""
    escaped = escape(content)
    if not _DIGIT.search(escaped):
        return escaped
    content = _BREAKS.sub("&nbsp;", escaped)
    if "&nbsp;20" in content or "\xa020" in content:  # most dates have no year
        content = _DATE.sub(r'&nbsp;<span\nstyle="white-space:nowrap">\1</span>', content)
    return Markup(content)  # noqa: S704


def slab(content: str) -> Markup:
    """Return the row of a letter's table that holds the slab."""
    return _row("slab", f'bgcolor="{SLAB}" ', content)


def paper(content: str) -> Markup:
    """Return the row of a letter's table below the slab; empty without content."""
    return _row("paper", "", content) if content and not content.isspace() else Markup()


def _row(name: str, more: str, content: str) -> Markup:
    return Markup(f'<tr><td {more}style="{STYLES[name]}">\n{content}\n</td></tr>\n')  # noqa: S704


def title(said: str, about: str = "", level: int = 1) -> Markup:
    """Return the title of a letter, what happened, and a soft line about it."""
    # A letter of ASCII is encoded in a third of the time.
    about = str(unbroken(about)).replace("\xb7", "&#183;")
    line = f'\n<p style="{STYLES["about"]}">{about}</p>' if about else ""
    return Markup(f'<h{level} style="{STYLES["title"]}">{unbroken(said)}</h{level}>{line}')  # noqa: S704


def fold(content: str, said: str) -> Markup:
    """Return what few readers need: a program that can hides it until they tap on what is ``said``."""
    if not content or content.isspace():
        return Markup()
    summary = f'<summary style="{STYLES["fold"]}">{escape(said)}</summary>'
    return Markup(f"<details>{summary}\n{content}\n</details>\n")  # noqa: S704


def heading(said: str, level: int = 2) -> Markup:
    """Return a heading on paper."""
    return Markup(f'<h{level} style="{STYLES["heading"]}">{unbroken(said)}</h{level}>')  # noqa: S704


# -- parts of HTML, to be joined


def filled(said: str, address: str) -> Markup:
    """Return the one filled button of a letter: a cell with a ground of its own, which Outlook shows too."""
    return Markup(  # noqa: S704
        '<table role="presentation" cellpadding="0" cellspacing="0" width="100%"\n'
        'style="margin:8px 0;max-width:400px">'
        f'<tr><td bgcolor="{FILL}" align="center"\nstyle="background:{FILL};border-radius:8px">'
        f'<a style="{_FILLED}"\nhref="{escape(address)}">{escape(said)}</a></td></tr></table>'
    )


def outlined(said: str, address: str) -> str:
    """Return a button for what may be wanted besides."""
    return f'<a style="{STYLES["button"]}"\nhref="{address}">{escape(said)}</a>'


def in_line(said: str, address: str) -> str:
    """Return a link within a line."""
    return f'<a style="{STYLES["link"]}"\nhref="{address}">{escape(said)}</a>'
