"""Blocks of a letter, from which both of its parts are set: headings, tables, words to reply, pictures.

A template writes a block as lines that begin with a mark; all other lines are text. ``as_text`` sets
tables as columns and replies as words, ``as_html`` sets tables and buttons. A block can hold others, and
can be for one of the parts alone. The marks are control characters: no mail that we read keeps them, and
``unmarked`` takes them from all that a letter is made from.

A letter whose two parts differ in order has a template for each of them. What both say is in a template
of its own, which the HTML includes in ``{% filter as_html(reply_to) %}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from ..errors import SAID, Said, say
from ..features import modules
from . import style
from .board.dates import DAY, DAY_OF_YEAR, MONTHS
from .drawings import WIDE, TapPicture, Words, buttons, mailto, word_links
from .text import WIDTH, drawing, hang, paragraphs
from .tongue import ENGLISH, Tongue

_ROW, _CELL, _WORD, _INNER = MARKS = "\x1e", "\x1f", "\x1d", "\x1c"
_OWN = _ROW + _ROW  # the reader's row
_TITLE = _WORD + _WORD
_BUTTONS, _ROWS, _LINKS, _PAGE = "brlp"  # forms of words to reply
_MARKS = str.maketrans(dict.fromkeys(MARKS, " "))
_MARK = re.compile(f"[{''.join(MARKS)}]")
# Lines that begin with one mark and follow one another. It looks for a mark first, then for the line's begin.
_RUN = re.compile(f"({_MARK.pattern})(?<![^\n].).*\n(?:\\1.*\n)*")
_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]*\??")  # it may be uncertain: 1500?
_GAP = "..."  # some rows are left out here
_SAID = re.compile(f"{_ROW}[^{_CELL}]*")  # what a button says in place of its line
_SENT = re.compile(f"{_WORD}[^{_CELL}]*")  # what a tap on a cell sends
_COLUMNS = 4  # columns of a table; one with more is set smaller, for a phone
_HEADLINE = 60  # characters of a title that a notice gives
_CLAUSE, _CLAUSE_OF_YOU = re.compile(r"[:;] | \("), re.compile(r"[:;,] | \(")
_BUTTONS_OF_CORE = {
    "forgot ": say("Choose a new password for {name}"),
    "games": say("My games"),
    "help": say("All help pages"),
    "help letters": say("Get fewer letters"),
    "help playing": say("How to play by mail"),
    "signoff": say("Close my account"),
    "star help": say("The rules of Star"),
    "who": say("Who plays here"),
    "yes": say("Yes, play it"),
    "yes plan": say("Yes, and plan the rest"),
}
_OR = say(", or ")  # between lines of which one is to be sent
_SHORT = 20  # characters of a cell that does not break
_DATE = re.compile(r"(20\d\d)-(\d\d)-(\d\d)")

# -- filters, by which a template marks its blocks


def heading(title: str, level: int = 1, told: bool | None = None, about: str = "") -> str:
    """Mark a heading, with a soft line ``about`` it in HTML.

    That of level 1 is the letter's title, which says what happened; the HTML begins with it, on the slab.
    A text has none of level 1, since its Subject says it, unless it is ``told``.
    """
    is_told = level > 1 if told is None else told
    return f"{_TITLE}{level}{_CELL * is_told}{_clean(title)}" + (
        _ROW + _clean(about) if about else ""
    )


def grid(
    rows: Sequence[Mapping[str, Any]],
    heads: Mapping[str, str],
    reader: str = "",
    steps: str = "",
    taps: Mapping[str, str] | None = None,
) -> str:
    """Mark a table with a column for each key of ``heads``, and its head; empty without rows.

    Key ``#`` counts the rows; one with braces, like ``{won}-{lost}``, joins values. A value
    True is set as its key, a list as so many cells, and one that an
    earlier version did not know as nothing. Columns with nothing in them are left out. The row of the
    userid ``reader`` stands out. A row of dots stands where the whole numbers of column ``steps`` leave
    some out. In HTML a cell of a column in ``taps`` is a link: it sends the words given there and what
    the cell says; without words before it is a button.
    """
    if not rows:
        return ""
    lines = []
    for number, row in enumerate(rows, 1):
        if steps and number > 1 and row[steps] > rows[number - 2][steps] + 1:
            lines.append((_ROW, {next(iter(heads)): [_GAP]}))
        own = reader and row.get("userid") == reader
        cells = {key: _cells(key, _value(key, number, row)) for key in heads}
        for key, words in (taps or {}).items():
            cells[key] = [
                f"{cell}{_WORD}{_clean(f'{words} {cell}').lstrip()}" for cell in cells[key]
            ]
        lines.append((_OWN if own else _ROW, cells))
    lines.insert(0, (_ROW, {key: [head] for key, head in heads.items()}))
    wide = {key: max(len(cells.get(key, ())) for _, cells in lines) for key in heads}
    even = [
        [cell for key in heads for cell in _even(cells.get(key, []), wide[key])]
        for _, cells in lines
    ]
    kept = zip(*(column for column in zip(*even, strict=True) if any(column)), strict=True)
    return "\n".join(mark + _CELL.join(cells) for (mark, _), cells in zip(lines, kept, strict=True))


def offers(
    replies: Iterable[Words],
    how: str = "",
    before: str = "",
    rows: bool = False,
    wanted: bool = False,
) -> str:
    """Mark lines that the reader can send as they are, and ``how`` to send them; empty without lines.

    Each line begins with ``before``; one of a pair is the line with what its button says. A text has them
    in one sentence, unless that would be too long. With ``rows``, and without ``how``, it has a line for
    each of them. The first that is ``wanted`` is the letter's one filled button.
    """
    pairs = [(each, each) if isinstance(each, str) else tuple(each) for each in replies]
    lines = [
        _clean(f"{before} {line}".lstrip()) + (f"{_ROW}{_clean(said)}" if said != line else "")
        for line, said in pairs
    ]
    form = _ROWS if rows or not how else _BUTTONS
    form = form.upper() if wanted else form
    return _WORD + form + _CELL.join((_clean(how), *lines)) if lines else ""


def spoken(tongue: Tongue, lines: Iterable[str]) -> list[Words]:
    """Return lines for buttons that say in people's words what they do, as far as there are words for it."""
    return [(line, _spoken(line, tongue)) for line in lines]


@cache
def _said_by_buttons() -> Mapping[str, Said]:
    """Return what buttons say, by their line or, up to a space, by its beginning."""
    found = dict(_BUTTONS_OF_CORE)
    for _, module in modules("rendering"):
        found |= getattr(module, "BUTTONS", {})
    return found


def _spoken(line: str, tongue: Tongue) -> str:
    for begin, said in _said_by_buttons().items():
        if line == begin.strip() or (begin.endswith(" ") and line.startswith(begin)):
            return tongue.tell(said.text, name=line[len(begin) :])
    return line


def headed(notice: str) -> tuple[str, str]:
    """Return a title for a notice, and what is left to say below it.

    The title is its first sentence if that is short; or the beginning of that sentence, which is then
    repeated below it; or empty. What stands before a comma is a title only if it tells what "you" are or do.
    """
    first, _, rest = notice.partition("\n")
    sentence, dot, more = first.partition(". ")
    sentence = sentence.removesuffix(".")
    if len(sentence) <= _HEADLINE:
        return sentence.removesuffix(":"), f"{more}\n{rest}".strip("\n") if dot or rest else ""
    clauses = _CLAUSE_OF_YOU if sentence.startswith("You ") else _CLAUSE
    begins = (sentence[: end.start()] for end in clauses.finditer(sentence))
    titles = [each for each in begins if len(each) <= _HEADLINE and each.count(" ") > 1]
    return titles[-1] if titles else "", notice


def pairs(values: Mapping[str, str] | Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    """Return pairs, which may be those of a mapping, as rows of a table: each ``name`` and ``value``."""
    each = values.items() if isinstance(values, Mapping) else values
    return [{"name": name, "value": value} for name, value in each]


def links(how: str, replies: Iterable[str]) -> str:
    """Mark a paragraph that ends with words to reply; in HTML each of them is a link in its line.

    ``how`` ends as it shall stand before the words; line ends in it mean nothing.
    """
    end = "\n" if how.endswith("\n") else ""
    words = (_clean(" ".join(how.split())), *map(_clean, replies))
    return _WORD + _LINKS + _CELL.join(words) + end


def page_link(address: str, said: str, wanted: bool = False) -> str:
    """Mark a line with the address of a page, which a text never breaks; in HTML ``said`` is the link.

    One that is ``wanted`` is the letter's one filled button.
    """
    form = _PAGE.upper() if wanted else _PAGE
    return _WORD + form + _CELL.join((_clean(said), _clean(address)))


def only_text(block: str) -> str:
    """Mark lines, and the blocks in them, that the HTML part leaves out."""
    return _within("text", block)


def only_html(block: str) -> str:
    """Mark lines, and the blocks in them, that the text part leaves out."""
    return _within("html", block)


def boxed(block: str) -> str:
    """Mark lines that stand out in HTML, such as a reason why something was not done."""
    return _within("box", block)


def quote(block: str) -> str:
    """Mark lines that a player wrote: in HTML these alone are in another type."""
    return _within("quote", block)


def small(block: str) -> str:
    """Mark lines that are small in HTML, such as those at the end that every letter has."""
    return _within("small", block)


def lines(block: str) -> str:
    """Mark lines that must not break."""
    return _within("lines", block)


def pictured(block: str, name: str, alt: str, width: int = WIDE) -> str:
    """Mark lines in whose place the HTML shows the letter's picture of that name, if there is one.

    ``alt`` is the picture in words, ``width`` the most pixels that it is shown with.
    """
    return _within(_CELL.join(("picture", _clean(name), str(width), _clean(alt))), block)


def instead(block: str, template: str) -> str:
    """Mark lines in whose place the HTML has a template of its own, such as the board to tap."""
    return _within(_CELL.join(("template", template)), block)


def _within(kind: str, block: str) -> str:
    """Mark each line of a block; one without lines is one mark, of which the text shows nothing."""
    if not block:
        return _INNER + kind
    end = "\n" if block.endswith("\n") else ""
    begin = _INNER + kind + _INNER
    return "\n".join(begin + line for line in block.removesuffix("\n").split("\n")) + end


def _clean(value: object) -> str:
    return str(value).translate(_MARKS).replace("\n", " ")


def _value(key: str, number: int, row: Mapping[str, Any]) -> object:
    if "{" in key:
        return key.format_map(row)
    return number if key == "#" else row.get(key, "")


def _cells(key: str, value: object) -> list[str]:
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    if isinstance(value, bool):
        return [key if value else ""]
    return [_clean(value)]


def _even(cells: list[str], count: int) -> list[str]:
    return cells + [""] * (count - len(cells))


FILTERS = (
    heading, headed, grid, pairs, offers, links, page_link, only_text, only_html, boxed, quote, small,
    lines, pictured, instead,
)  # fmt: skip

# -- the two parts


class HtmlPart(NamedTuple):
    """The needs of the HTML part of a letter, besides its blocks.

    reply_to  the address that its buttons and links write to
    look      the style of its paragraphs
    pictures  those that the letter carries, by name; None for one that could not be drawn
    template  sets the template of that name, for ``instead``
    year      of the letter: a date in a table names another one only
    tongue    the reader's language
    """

    reply_to: str
    look: str = ""
    pictures: Mapping[str, TapPicture | None] = {}
    template: Callable[[str], str] = str
    year: str = ""
    tongue: Tongue = ENGLISH


def unmarked(value: Any, tell: Callable[[Said], str] = str) -> Any:
    """Return a fact of a letter, a text or what holds texts, with blanks in place of marks.

    ``tell`` turns each sentence in it into a text.
    """
    if isinstance(value, str):
        return value.translate(_MARKS) if _MARK.search(value) else value
    if isinstance(value, Said):
        return unmarked(tell(value))
    if isinstance(value, dict):
        if SAID in value:
            return unmarked(tell(Said.of(value)))
        return {key: unmarked(each, tell) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [unmarked(each, tell) for each in value]
    return value


def as_text(marked: str, tongue: Tongue = ENGLISH) -> str:
    """Return the text part: lines of at most 72 columns."""
    if not _MARK.search(marked):
        return marked
    return "\n".join(_as_lines(marked, tongue))


def _as_lines(marked: str, tongue: Tongue) -> list[str]:
    def as_lines(run: re.Match[str]) -> str:
        lines = _TEXT[run[1]](_lines_of(run), tongue)
        return "\n".join(lines) + "\n" if lines else ""

    return _RUN.sub(as_lines, marked + "\n").split("\n")[:-1]


def _lines_of(run: re.Match[str]) -> list[str]:
    return run[0].split("\n")[:-1]


def title_of(marked: str) -> tuple[str, str, str]:
    """Return the title that is marked in a letter, the line about it, and the rest of the letter.

    Title and line are empty if none is marked.
    """
    before, mark, rest = f"\n{marked}".partition(f"\n{_TITLE}1")
    if not mark:
        return "", "", marked
    line, _, after = rest.partition("\n")
    said, _, about = line.lstrip(_CELL).partition(_ROW)
    return said, about, f"{before}\n{after}"[1:]


def as_html(marked: str, part: HtmlPart) -> Markup:
    """Return what the HTML part shows. All that ``marked`` has from others is escaped here."""
    # A template that a page of HTML has included is Markup, although nothing in it is escaped.
    lines, parts, done = f"{marked}\n", [], 0
    for run in _RUN.finditer(lines):
        parts += [
            _text_as_html(lines[done : run.start()], part),
            _HTML[run[1]](_lines_of(run), part),
        ]
        done = run.end()
    parts.append(_text_as_html(lines[done:], part))
    return Markup("\n".join(filter(None, parts)))  # noqa: S704


def _table(run: list[str]) -> tuple[list[tuple[bool, list[str]]], list[bool]]:
    """Return the rows of a table, each with True for the reader's, and True for each column of numbers."""
    rows = [(line.startswith(_OWN), line.lstrip(_ROW).split(_CELL)) for line in run]
    columns = zip(*(cells for _, cells in rows[1:]), strict=True)
    are_numbers = [
        all(_NUMBER.fullmatch(cell) or cell == _GAP for cell in column) for column in columns
    ]
    return rows, are_numbers


def _table_as_text(run: list[str], tongue: Tongue) -> list[str]:
    rows, are_numbers = _table([_SENT.sub("", line) for line in run])
    widths = [max(map(len, column)) for column in zip(*(cells for _, cells in rows), strict=True)]
    lines = []
    for _, cells in rows:
        columns = zip(cells, widths, are_numbers, strict=True)
        padded = [cell.rjust(width) if is_number else cell.ljust(width)
                  for cell, width, is_number in columns]  # fmt: skip
        lines.append(hang(f"  {'  '.join(padded)}".rstrip(), "", "      "))
    return lines if any(rows[0][1]) else lines[1:]


def _tapped(cell: str, part: HtmlPart) -> str:
    said, _, words = cell.partition(_WORD)
    if not words:
        told, dates = _DATE.subn(lambda date: _day(date, part), said)
        return style.unbroken(escape(told)) if dates or len(told) > _SHORT else escape(told)
    as_link = style.outlined if said == words else style.in_line
    return as_link(said, mailto(part.reply_to, words))


def _day(date: re.Match[str], part: HtmlPart) -> str:
    """Return a date as people write it, with the year if it is not that of the letter."""
    form = DAY if date[1] == part.year else DAY_OF_YEAR
    return part.tongue.say(
        form.given(day=int(date[3]), month=MONTHS[int(date[2]) - 1], year=date[1])
    )


def _table_as_html(run: list[str], part: HtmlPart) -> str:
    rows, are_numbers = _table(run)
    size = style.TEXT if len(are_numbers) <= _COLUMNS else style.SMALL
    lines = []
    for number, (is_own, cells) in enumerate(rows):
        tag, cell_size = ("td", size) if number else ('th scope="col"', style.SMALL)
        weight = "bold" if is_own else "normal"
        line = "".join(
            f'<{tag} align="{"right" if is_number else "left"}"\nstyle="{style.STYLES["cell"]};'
            f"font-size:{cell_size}px;font-weight:{weight}"
            f'{";white-space:nowrap" if len(cell) <= _SHORT else ""}">'
            f"{_tapped(cell, part)}</{tag[:2]}>"
            for cell, is_number in zip(cells, are_numbers, strict=True)
        )
        lines.append(f"<tr>{line}</tr>")
    shown = "\n".join(lines if any(rows[0][1]) else lines[1:])
    table = '<table cellpadding="0" cellspacing="0" style="border-collapse:collapse;min-width:50%">'
    return f'<div style="overflow-x:auto;margin:0 0 12px">{table}\n{shown}\n</table></div>'


def _words_as_text(run: list[str], tongue: Tongue) -> list[str]:
    lines = []
    for line in run:
        if line.startswith(_TITLE):
            title = line[3:].partition(_ROW)[0]
            lines += hang(title[1:]).split("\n") if title.startswith(_CELL) else []
            continue
        form, how, replies = _words(_SAID.sub("", line))
        form, said = form.lower(), tongue.tell(_OR.text).join(replies)
        if form == _LINKS:
            lines += hang(f"{how} {said}".strip()).split("\n")
            continue
        short = f"{how}: {said}"
        if form == _PAGE or (form == _BUTTONS and len(short) <= WIDTH):
            lines.append(short)
            continue
        lines += [hang(f"{how}:")] if how else []
        lines += [f"  {reply}" for reply in replies]
    return lines


def _words(line: str) -> tuple[str, str, list[str]]:
    """Return the form of words to reply, the words before them, and them."""
    how, *replies = line[2:].split(_CELL)
    return line[1], how, replies


def _words_as_html(run: list[str], part: HtmlPart) -> str:
    parts: list[str] = []
    for line in run:
        if line.startswith(_TITLE):
            said, _, about = line[3:].lstrip(_CELL).partition(_ROW)
            level = int(line[2])
            parts.append(style.title(said, about) if level == 1 else style.heading(said, level))
            continue
        form, how, replies = _words(line)
        if form == _LINKS:
            links = word_links(replies, part.reply_to)
            said = f"{style.unbroken(escape(how))} {links}".strip()
            parts.append(f"{_paragraph(part)}{said}</p>")
        elif form == _PAGE.upper():
            parts.append(style.filled(how, escape(replies[0])))
        elif form == _PAGE:
            parts.append(f"{_paragraph(part)}{style.in_line(how, escape(replies[0]))}</p>")
        else:
            if how:
                parts.append(f"<p>{escape(how)}:</p>")
            pairs = [(line, said or line) for line, _, said in (r.partition(_ROW) for r in replies)]
            parts.append(buttons(pairs, part.reply_to, wanted=form.isupper()))
    return "\n".join(parts)


def _paragraph(part: HtmlPart) -> str:
    return f'<p style="{part.look}">' if part.look else "<p>"


def _text_as_html(text: str, part: HtmlPart) -> str:
    return paragraphs(text, part.look) if text.strip("\n") else ""


def _blocks(run: list[str]) -> Iterable[tuple[list[str], list[str]]]:
    """Yield the kind of a block that holds others, with what it needs, and its lines."""
    at = 0
    while at < len(run):
        kind = run[at][1:].partition(_INNER)[0]
        begin, end = f"{_INNER}{kind}{_INNER}", at
        while end < len(run) and run[end].startswith(begin):
            end += 1
        block = [line[len(begin) :] for line in run[at:end]]
        yield kind.split(_CELL), block
        at = max(end, at + 1)  # a block without lines is one mark


def _inner_as_text(run: list[str], tongue: Tongue) -> list[str]:
    lines: list[str] = []
    for (kind, *_), block in _blocks(run):
        if kind != "html":
            inner = "\n".join(block)
            lines += _as_lines(inner, tongue) if _MARK.search(inner) else block
    return lines


def _inner_as_html(run: list[str], part: HtmlPart) -> str:
    parts = []
    for (kind, *needs), block in _blocks(run):
        parts.append(_INSIDE[kind]("\n".join(block), part, *needs))
    return "\n".join(filter(None, parts))


def _box(block: str, part: HtmlPart) -> str:
    return f'<div style="{style.STYLES["notice"]}">\n{as_html(block, part)}\n</div>'


def _quote(block: str, part: HtmlPart) -> str:
    said = as_html(block, part._replace(look=style.STYLES["line"]))
    return f'<div style="{style.STYLES["quote"]}">\n{said}\n</div>'


def _picture(block: str, part: HtmlPart, name: str, width: str, alt: str) -> str:
    shown = part.pictures.get(name)
    if shown is None:
        return drawing(as_text(block, part.tongue)) if block else ""
    return (
        f'<img src="cid:{shown.cid}" width="{width}" border="0" alt="{escape(alt)}"\n'
        f'style="width:100%;max-width:{width}px;{style.STYLES["picture"]}">'
    )


_INSIDE: Mapping[str, Callable[..., str]] = {
    "text": lambda _block, _setting: "",
    "html": as_html,
    "box": _box,
    "quote": _quote,
    "small": lambda block, part: as_html(block, part._replace(look=style.STYLES["last"])),
    "lines": lambda block, _setting: drawing(block),
    "picture": _picture,
    "template": lambda _block, part, name: part.template(name),
}
_TEXT: Mapping[str, Callable[[list[str], Tongue], list[str]]] = {
    _ROW: _table_as_text,
    _WORD: _words_as_text,
    _INNER: _inner_as_text,
}
_HTML: Mapping[str, Callable[[list[str], HtmlPart], str]] = {
    _ROW: _table_as_html,
    _WORD: _words_as_html,
    _INNER: _inner_as_html,
}
