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
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from .drawings import WIDE, TapPicture, buttons, mailto, word_links
from .text import WIDTH, drawing, hang, paragraphs

_ROW, _CELL, _WORD, _INNER = MARKS = "\x1e", "\x1f", "\x1d", "\x1c"
_OWN = _ROW + _ROW  # the reader's row
_TITLE = _WORD + _WORD
_BUTTONS, _ROWS, _LINKS, _PAGE = "brlp"  # forms of words to reply
_MARKS = str.maketrans(dict.fromkeys(MARKS, " "))
_MARK = re.compile(f"[{''.join(MARKS)}]")
_RUN = re.compile(
    f"^({_MARK.pattern}).*\n(?:\\1.*\n)*", re.M
)  # lines with one mark that follow one another
_NUMBER = re.compile(r"[-+]?[0-9]*\.?[0-9]*\??")  # it may be uncertain: 1500?
_GAP = "..."  # some rows are left out here
_SENT = re.compile(f"{_WORD}[^{_CELL}]*")  # what a tap on a cell sends
_SIZES = {"1": "20px;margin:0 0 8px", "2": "17px;margin:14px 0 4px"}
_BOX = "border-left:3px solid #b4620a;padding-left:10px;margin:8px 0 12px"
_SMALL = "font-size:13px;margin:14px 0 0"
_COLUMNS = 6  # columns of a table; one with more is set smaller, for a phone

# -- filters, by which a template marks its blocks


def heading(title: str, level: int = 1, told: bool | None = None) -> str:
    """Mark a heading. A text has no heading of level 1, since its Subject says it, unless it is ``told``."""
    is_told = level > 1 if told is None else told
    return f"{_TITLE}{level}{_CELL * is_told}{_clean(title)}"


def grid(
    rows: Sequence[Mapping[str, Any]],
    heads: Mapping[str, str],
    reader: str = "",
    steps: str = "",
    taps: Mapping[str, str] | None = None,
) -> str:
    """Mark a table with a column for each key of ``heads``, and its head; empty without rows.

    Key ``#`` counts the rows. A value True is set as its key, a list as so many cells, and one that an
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
        cells = {key: _cells(key, number if key == "#" else row.get(key, "")) for key in heads}
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


def offers(replies: Iterable[str], how: str = "", before: str = "", rows: bool = False) -> str:
    """Mark lines that the reader can send as they are, and ``how`` to send them; empty without lines.

    Each line begins with ``before``. A text has them in one sentence, unless that would be too long. With
    ``rows``, and without ``how``, it has a line for each of them.
    """
    lines = [_clean(f"{before} {line}".lstrip()) for line in replies]
    form = _ROWS if rows or not how else _BUTTONS
    return _WORD + form + _CELL.join((_clean(how), *lines)) if lines else ""


def links(how: str, replies: Iterable[str]) -> str:
    """Mark a paragraph that ends with words to reply; in HTML each of them is a link in its line.

    ``how`` ends as it shall stand before the words; line ends in it mean nothing.
    """
    end = "\n" if how.endswith("\n") else ""
    words = (_clean(" ".join(how.split())), *map(_clean, replies))
    return _WORD + _LINKS + _CELL.join(words) + end


def page_link(address: str, said: str) -> str:
    """Mark a line with the address of a page, which a text never breaks; in HTML ``said`` is the link."""
    return _WORD + _PAGE + _CELL.join((_clean(said), _clean(address)))


def only_text(block: str) -> str:
    """Mark lines, and the blocks in them, that the HTML part leaves out."""
    return _within("text", block)


def only_html(block: str) -> str:
    """Mark lines, and the blocks in them, that the text part leaves out."""
    return _within("html", block)


def boxed(block: str) -> str:
    """Mark lines that stand out in HTML, such as what a player wrote."""
    return _within("box", block)


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


def _cells(key: str, value: object) -> list[str]:
    if isinstance(value, list | tuple):
        return [_clean(each) for each in value]
    if isinstance(value, bool):
        return [key if value else ""]
    return [_clean(value)]


def _even(cells: list[str], count: int) -> list[str]:
    return cells + [""] * (count - len(cells))


FILTERS = (
    heading, grid, offers, links, page_link, only_text, only_html, boxed, small, lines, pictured, instead,
)  # fmt: skip

# -- the two parts


class HtmlPart(NamedTuple):
    """The needs of the HTML part of a letter, besides its blocks.

    reply_to  the address that its buttons and links write to
    style     of its paragraphs
    pictures  those that the letter carries, by name; None for one that could not be drawn
    template  sets the template of that name, for ``instead``
    """

    reply_to: str
    style: str = ""
    pictures: Mapping[str, TapPicture | None] = {}
    template: Callable[[str], str] = str


def unmarked(value: Any) -> Any:
    """Return a fact of a letter, a text or what holds texts, with blanks in place of marks."""
    if isinstance(value, str):
        return value.translate(_MARKS) if _MARK.search(value) else value
    if isinstance(value, dict):
        return {key: unmarked(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [unmarked(each) for each in value]
    return value


def as_text(marked: str) -> str:
    """Return the text part: lines of at most 72 columns."""
    if not _MARK.search(marked):
        return marked
    return "\n".join(_as_lines(marked))


def _as_lines(marked: str) -> list[str]:
    text = _RUN.sub(_run_as_text, marked + "\n")
    return text.split("\n")[:-1]


def _run_as_text(run: re.Match[str]) -> str:
    return "".join(f"{line}\n" for line in _TEXT[run[1]](_lines_of(run)))


def _lines_of(run: re.Match[str]) -> list[str]:
    return run[0].split("\n")[:-1]


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


def _table_as_text(run: list[str]) -> list[str]:
    rows, are_numbers = _table([_SENT.sub("", line) for line in run])
    widths = [max(map(len, column)) for column in zip(*(cells for _, cells in rows), strict=True)]
    lines = []
    for _, cells in rows:
        columns = zip(cells, widths, are_numbers, strict=True)
        padded = [cell.rjust(width) if is_number else cell.ljust(width)
                  for cell, width, is_number in columns]  # fmt: skip
        lines.append(hang(f"  {'  '.join(padded)}".rstrip(), "", "      "))
    return lines if any(rows[0][1]) else lines[1:]


def _tapped(cell: str, reply_to: str) -> str:
    said, _, words = cell.partition(_WORD)
    if said == words:
        return buttons([said], reply_to)
    link = f'<a style="padding:6px 0"\nhref="{mailto(reply_to, words)}">' if words else ""
    return f"{link}{escape(said)}{'</a>' if words else ''}"


def _table_as_html(run: list[str], part: HtmlPart) -> str:
    rows, are_numbers = _table(run)
    size, padding = (15, "3px 5px") if len(are_numbers) <= _COLUMNS else (13, "3px")
    lines = []
    for number, (is_own, cells) in enumerate(rows):
        tag = "td" if number else 'th scope="col"'
        bold = ";font-weight:bold" if is_own else ""
        line = "".join(
            f'<{tag} align="{"right" if is_number else "left"}"\nstyle="padding:{padding}{bold}">'
            f"{_tapped(cell, part.reply_to)}</{tag[:2]}>"
            for cell, is_number in zip(cells, are_numbers, strict=True)
        )
        lines.append(f"<tr>{line}</tr>")
    shown = "\n".join(lines if any(rows[0][1]) else lines[1:])
    style = f"border-collapse:collapse;font-size:{size}px"
    return f'<div style="overflow-x:auto;margin:0 0 12px"><table style="{style}">\n{shown}\n</table></div>'


def _words_as_text(run: list[str]) -> list[str]:
    lines = []
    for line in run:
        if line.startswith(_TITLE):
            title = line[3:]
            lines += hang(title[1:]).split("\n") if title.startswith(_CELL) else []
            continue
        form, how, replies = _words(line)
        said = ", or ".join(replies)
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
    parts = []
    for line in run:
        if line.startswith(_TITLE):
            level, title = line[2], line[3:].lstrip(_CELL)
            parts.append(f'<h{level} style="font-size:{_SIZES[level]}">{escape(title)}</h{level}>')
            continue
        form, how, replies = _words(line)
        if form == _LINKS:
            style = f' style="{part.style}"' if part.style else ""
            said = f"{escape(how)} {word_links(replies, part.reply_to)}".strip()
            parts.append(f"<p{style}>{said}</p>")
        elif form == _PAGE:
            link = f'<a href="{escape(replies[0])}">{escape(how)}</a>'
            parts.append(f'<p style="margin:0 0 10px">{link}</p>')
        else:
            if how:
                parts.append(f'<p style="margin:14px 0 6px">{escape(how)}:</p>')
            parts.append(f'<p style="margin:0">{buttons(replies, part.reply_to)}</p>')
    return "\n".join(parts)


def _text_as_html(text: str, part: HtmlPart) -> str:
    return paragraphs(text, part.style) if text.strip("\n") else ""


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


def _inner_as_text(run: list[str]) -> list[str]:
    lines: list[str] = []
    for (kind, *_), block in _blocks(run):
        lines += _as_lines("\n".join(block)) if block and kind != "html" else []
    return lines


def _inner_as_html(run: list[str], part: HtmlPart) -> str:
    parts = []
    for (kind, *needs), block in _blocks(run):
        parts.append(_INSIDE[kind]("\n".join(block), part, *needs))
    return "\n".join(filter(None, parts))


def _box(block: str, part: HtmlPart) -> str:
    return f'<div style="{_BOX}">\n{as_html(block, part)}\n</div>'


def _picture(block: str, part: HtmlPart, name: str, width: str, alt: str) -> str:
    shown = part.pictures.get(name)
    if shown is None:
        return drawing(as_text(block)) if block else ""
    return (
        f'<img src="cid:{shown.cid}" width="{width}" border="0" alt="{escape(alt)}"\n'
        f'style="width:100%;max-width:{width}px;height:auto;border-radius:8px">'
    )


_INSIDE: Mapping[str, Callable[..., str]] = {
    "text": lambda _block, _setting: "",
    "html": as_html,
    "box": _box,
    "small": lambda block, part: as_html(block, part._replace(style=_SMALL)),
    "lines": lambda block, _setting: drawing(block),
    "picture": _picture,
    "template": lambda _block, part, name: part.template(name),
}
_TEXT: Mapping[str, Callable[[list[str]], list[str]]] = {
    _ROW: _table_as_text,
    _WORD: _words_as_text,
    _INNER: _inner_as_text,
}
_HTML: Mapping[str, Callable[[list[str], HtmlPart], str]] = {
    _ROW: _table_as_html,
    _WORD: _words_as_html,
    _INNER: _inner_as_html,
}
