"""The board in a letter: drawn as HTML, and with links to tap.

Styles of HTML are inline, since many mail programs drop all others. The drawn board has its own
background and colours, so that a program's dark mode cannot hide it. Stones differ in letter, weight
and slant, chains that reach the edge are underlined, the last move stands out reversed.

A board to tap is its picture with an image map, and below it the moves as rows of links. A tap opens a
message with the move as its Subject. In a game where stones are placed, a row is one of the board; where
stones move, a row is one stone with the cells that it can go to. Rows carry no colors except the color of a
border, and stones are letters, so a screen reader can speak them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup, escape

from ..errors import NOTHING, Sentence, say
from ..games.grids import EMPTY, O_STONE, X_STONE, Grid
from ..match import Match
from . import style
from .board.view import View
from .picture.shapes import LOOKS, Empty
from .translator import Translator

_LAST = "color:#fff;outline:2px solid #000"

NARROW, WIDE = 340, 640  # pixels of one of several pictures, and of a picture in a wide window
_LEAST = 20  # least pixels between cells that can be tapped on a picture
ROOM = 88_000  # characters that the HTML may have in all
_OTHERS = 9_000  # of these for all except cells and moves
MORE = "+"  # after a move that the player must complete by hand

# A large board has 500 cells, which are the same in all letters except for an address: their links are
# made once, with this in the place of the address.
ADDRESS = "\0"
Box = tuple[float, float, float, float]  # left, top, width, height, in the board's units
Words = str | tuple[str, str]  # what a button sends; or that, and what the button says
_ABREAST = 11  # cells of a row that a phone shows side by side
_PHONE = 340  # pixels of a row there
_DENSE = {13: 26, 14: 24}  # pixels of a cell in a row of at most so many, which are set close
# Between these cells, instead of cells of a table: Alpine shows each on a line of its own. A line break is
# sent as two characters, so there is one only after every second link. More of them may be longer than a line
# can be: each has an address of up to 254 characters, and in some letters a text and a detail in the Subject.
_APART = (" ", "\n")


# -- as HTML


def _mark(who: str, tag: str, colour: str, line: str, edge: bool, last: bool) -> str:
    """Return a stone: bold or italic by element, the rest by style. Short: a board may have 500."""
    style = f"color:{colour}" + (f";border-bottom:2px {line}" if edge else "")
    if last:
        style = f"background:{colour};{_LAST}"
    return f'<{tag}\nstyle="{style}">{who}</{tag}>'  # the line break keeps the mail's lines short


_MARKS = {
    (look[0], edge, last): _mark(*look, edge, last)
    for look in (("x", "b", "#1d3557", "solid"), ("o", "i", "#a04a00", "dotted"))
    for edge in (False, True)
    for last in (False, True)
}


def draw(view: View) -> Markup:
    """Return the board in the same characters as in the text, with stones and the last move marked."""
    spots, drawing = view.match.game.grid.spots, list(view.drawing)
    for cell, who, edge, last in view.stones:
        drawing[spots[cell]] = _MARKS[who, edge, last]
    label = view.translator.tell("board {number}", number=view.number)
    return Markup(  # noqa: S704 - the drawing has letters, digits and signs that need no escape
        f'<pre role="img" aria-label="{label}" style="{style.STYLES["list"]};'
        'line-height:1.25;background:#fff;color:#222;padding:8px">'
        f"{''.join(drawing)}</pre>"
    )


# -- to be tapped


class TapPicture(NamedTuple):
    """A picture that the letter carries: its Content-ID, its box in its own units, its width, its board.

    On a phone its width is half its pixels: there a pixel of a page is two of the screen.
    """

    cid: str
    box: Box
    width: int
    board: Empty | None = None


def mailto(reply_to: str, word: str) -> str:
    """Return the address of a message with that word as its Subject."""
    return _to(reply_to) + subject(word)


@lru_cache(8)  # some ten links of a letter go to one address
def _to(reply_to: str, before: str = "", text: str = "") -> str:
    """Return the beginning of such an address, up to its word; ``before``: words before that one.

    ``text``: the text of the mail.
    """
    body = f"body={quote(text)}&amp;" if text else ""
    before = subject(f"{before} ") if before else ""
    return f"mailto:{quote(reply_to, safe='@')}?{body}subject={before}"


def can_tap(view: View) -> bool:
    """Return True if it is the reader's turn and a reply can make the move."""
    return view.moving and bool(view.reply_to)


def how(view: View) -> str:
    """Return the sentences that explain a move by a tap."""
    tell, then = view.translator.tell, view.translator.tell("Then send it.")
    if places_stones(view):
        if view.pairwise:
            parts = [tell("Tap your first cell, and type the second one after the +."), then]
        else:
            opens = tell("Tap a cell, and a message opens with your move as its Subject.")
            parts = [opens, tell("Just send it.")]
    elif not _fits(view):
        parts = [
            tell("Tap a stone, and type the cell it should go to after the hyphen in the Subject."),
            then,
        ]
    else:
        opens = tell("Tap a cell below, and a message opens with that move as its Subject.")
        parts = [opens, tell("Just send it.")]
        if any(MORE in move for _, moves in movements(view.match) for move in moves):
            ends = tell("If it ends in a +, add the cells where the stones you enclose should go.")
            parts = [opens, ends, then]
    if len(view.sides) > 1:
        parts.append(tell("Anything you add below goes to your opponent."))
    return " ".join(parts)


def targets(view: View) -> Markup:
    """Return the moves to tap, as rows, for a reader who ``can_tap``."""
    return _cells(view) if places_stones(view) else _moves(view)


def is_tapped(view: View, shown: TapPicture | None, is_heard: bool = False) -> bool:
    """Return True if the picture of a phone, if there is one, has cells that are large enough to tap."""
    if shown is None or is_heard or not places_stones(view):
        return False
    return can_tap(view) and _apart(shown, shown.width // 2) >= _LEAST


def image(view: View, shown: TapPicture, is_heard: bool = False, has_rows: bool = True) -> Markup:
    """Return the picture: narrow, and if there is room for its map, wide as well.

    A picture that ``is_heard`` has no map: a screen reader would read its cells before the rows too.
    ``has_rows``: the letter has these rows.
    """
    alt = escape(_alt(view, has_rows))
    tries = bool(view.tried and view.reply_to) and not view.match.position.over
    taps = (can_tap(view) or tries) and places_stones(view) and not is_heard
    cells = free_cells(view) if taps else []
    room = _room(view) - (0 if tries else len(cells) * _size(view))
    narrow = shown.width // 2
    maps = {"n": "", "w": ""}
    for name, width in zip(maps, (narrow, WIDE), strict=True):
        if cells and _apart(shown, width) >= _LEAST:
            areas = _map(view, shown, width, name, cells)
            if len(areas) < room:
                maps[name] = areas
                room -= len(areas)

    def mapped(name: str, width: int, hidden: str = "") -> str:
        height = round(_apart(shown, width) * shown.box[3])
        uses = f' usemap="#{name}"' if maps[name] else ""
        return (
            f'<img src="cid:{shown.cid}" width="{width}" height="{height}" border="0"\n'
            f'alt="{alt}" class="{name}" style="{hidden}{style.STYLES["board"]}"{uses}>{maps[name]}'
        )

    if not any(maps.values()):
        return Markup(  # noqa: S704 - all that is not ours is escaped
            f'<img src="cid:{shown.cid}" width="{WIDE}" border="0"\nalt="{alt}" '
            f'style="width:100%;max-width:{WIDE}px;{style.STYLES["board"]};height:auto">'
        )
    return Markup(  # noqa: S704
        mapped("n", narrow)
        + "\n<!--[if !mso]><!-->"
        + mapped("w", WIDE, "display:none;max-height:0;")
        + "<!--<![endif]-->"
    )


def listed_image(view: View, shown: TapPicture, room: int) -> Markup:
    """Return one of several pictures, as wide as on a phone, with cells to tap if ``room`` suffices."""
    width, name = min(shown.width, NARROW), f"b{view.number}"
    height = round(_apart(shown, width) * shown.box[3])
    taps = bool(view.reply_to) and places_stones(view) and _apart(shown, width) >= _LEAST
    areas = _map(view, shown, width, name, free_cells(view)) if taps else ""
    areas = areas if len(areas) < room else ""
    uses = f' usemap="#{name}"' if areas else ""
    return Markup(  # noqa: S704 - all that is not ours is escaped
        f'<img src="cid:{shown.cid}" width="{width}" height="{height}" border="0"\n'
        f'alt="{escape(_alt(view, has_rows=False))}" style="{style.STYLES["board"]}"{uses}>{areas}'
    )


def places_stones(view: View) -> bool:
    """Return True if a move of the game is a cell, or begins with a cell that takes a stone."""
    return view.match.game.written.startswith("coord")


def _cells(view: View) -> Markup:
    """Return all cells in rows: ``x``, ``o``, and a link for each cell that can take a stone."""
    grid, stones = view.match.game.grid, view.match.position.stones
    cells = [_STANDS.get(stone, "<i>#</i>") for stone in stones]
    links, order, pieces = cell_links(grid, _more(view), view.translator)
    for number in free_cells(view):
        cells[number] = links[number]
    drawn = [cells[number] or f"<i>{escape(grid.names[number])}</i>" for number in order]
    text = "".join(itertools.chain.from_iterable(zip(pieces, drawn, strict=False)))
    text = text.replace(ADDRESS, _to(view.reply_to, text=view.sent_with)) + pieces[-1]
    return Markup(f'<div style="max-width:{WIDE}px">{text}</div>')  # noqa: S704


_STANDS = {X_STONE: "<b>x</b>", O_STONE: "<i>o</i>", EMPTY: ""}


def free_cells(view: View) -> list[int]:
    """Return the cells that can take a stone."""
    return _free(view.match, view.pairwise)


@lru_cache(4)  # the picture and the rows below it show the same cells
def _free(match: Match, pairwise: bool) -> list[int]:
    grid, position = match.game.grid, match.position
    if pairwise:
        return [cell for cell, stone in enumerate(position.stones) if stone == EMPTY]
    return [grid.index[move] for move in position.moves() if move in grid.index]


def _moves(view: View) -> Markup:
    """Return a row for each stone that can move: its cell, and a link for each cell that it can go to.

    If these are too many for a letter, the stone is the link, and the player must write the rest.
    """
    fits, to, rows = _fits(view), _to(view.reply_to), []
    for origin, moves in movements(view.match):
        goals = [move.removeprefix(f"{origin}-") for move in moves]
        if fits:
            stone = f"<b>{escape(origin)}</b>"
            ways = [_link(to, goal, move) for goal, move in zip(goals, moves, strict=True)]
        else:
            stone = _link(to, origin, f"{origin}-")
            ways = [str(escape(goal)) for goal in goals]
        begin = view.translator.tell("{stone} to", stone=stone)
        rows.append(f'<p class="c" style="margin:0 0 8px">{begin}\n{chr(10).join(ways)}</p>')
    return Markup(f'<div style="max-width:{WIDE}px">{chr(10).join(rows)}</div>')  # noqa: S704


@lru_cache(4)  # a letter asks about five times; without this one of Penta-Hex costs double
def movements(match: Match) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the moves of stones by their first cell; ``MORE`` stands for the words after a blank."""
    ways: dict[str, dict[str, None]] = {}
    for move in match.position.moves():
        movement, _, rest = move.partition(" ")
        origin, dash, _ = movement.partition("-")
        if dash:
            ways.setdefault(origin, {})[movement + (MORE if rest else "")] = None
    return tuple((origin, tuple(moves)) for origin, moves in ways.items())


def _fits(view: View) -> bool:
    """Return True if there is room for a link for each movement."""
    return sum(len(moves) for _, moves in movements(view.match)) * _size(view) < _room(view)


def _room(view: View) -> int:
    """Return the number of characters that links and image maps may have."""
    return ROOM - _OTHERS - len(view.moves) * 14


def _size(view: View) -> int:
    """Return about the number of characters that a link has."""
    return 90 + len(view.reply_to) + len(view.sent_with)


def _link(to: str, label: str, move: str) -> str:
    return f'<a\nhref="{to}{subject(move)}">{escape(label)}</a>'


def _more(view: View) -> str:
    """Return the sign after a cell to tap, since two cells of one turn cannot be tapped at once."""
    return MORE if view.pairwise else ""


def buttons(words: Iterable[Words], reply_to: str, wanted: bool = False) -> Markup:
    """Return buttons that send words; ``wanted``: the first of them is the letter's filled one."""
    to = _to(reply_to)
    pairs = [(each, each) if isinstance(each, str) else each for each in words]
    first = [style.filled(said, to + subject(word)) for word, said in pairs[:1] if wanted]
    further = [style.outlined(said, to + subject(word)) for word, said in pairs[len(first) :]]
    row = ['<p style="margin:0">' + "\n".join(further) + "</p>"] if further else []
    return Markup("\n".join(first + row))  # noqa: S704 - what is said is escaped


def word_links(words: Iterable[Words], reply_to: str) -> Markup:
    """Return words that are seldom needed, to tap within a line."""
    to = _to(reply_to)
    pairs = [(each, each) if isinstance(each, str) else each for each in words]
    links = [style.in_line(said, to + subject(line)) for line, said in pairs]
    return Markup(" &#183; ".join(links))  # noqa: S704 - the words are escaped


def _disc(ground: str) -> str:
    shape = (
        "display:inline-block;width:20px;height:20px;line-height:20px;border-radius:50%;text-align:center;"
        f"font-size:{style.SMALL}px;font-weight:bold;background:{ground};color:{style.ON_FILL}"
    )
    return f'<span\nstyle="{shape}">'


_DISCS = {X_STONE: _disc(LOOKS[X_STONE].stone), O_STONE: _disc(style.FILL)}


def disc(stone: str) -> Markup:
    """Return a player's stone in a line of text; a screen reader speaks its letter."""
    return Markup(f"{_DISCS[ord(stone)]}{stone}</span>")  # noqa: S704


def _apart(shown: TapPicture, width: int) -> float:
    """Return the pixels between cells of a board's picture that is shown so wide."""
    assert shown.board
    return shown.board.where.unit * width / shown.width


def _map(view: View, shown: TapPicture, width: int, name: str, cells: Sequence[int]) -> str:
    assert shown.board
    areas = circles(shown.board, _apart(shown, width), _more(view))
    text = "".join([areas[number] for number in cells]).replace(
        ADDRESS, _to(view.reply_to, view.tried, view.sent_with)
    )
    return f'<map name="{name}">{text}</map>'


def _alt(view: View, has_rows: bool = True) -> str:
    """Return a picture's text; ``has_rows``: below it each cell that can be tapped is in a row of links."""
    stones, tell = view.match.position.stones, view.translator.tell
    of = ", ".join(
        tell("{stones} of {userid}", stones=stones.count(side.stone.encode()), userid=side.userid)
        for side in view.sides
    )
    if view.number:
        said = tell("Board {number}. Stones: {stones}.", number=view.number, stones=of)
    else:
        said = tell("The board. Stones: {stones}.", stones=of)
    is_below = has_rows and can_tap(view) and places_stones(view)
    return f"{said} {tell('All cells are in the rows below.')}" if is_below else said


# -- the cells of a grid as links


_SPELLED = {"@": "star", "*star": "starstar"}  # words that are no cell with an arm


def subject(word: str) -> str:
    """Return words as the Subject of a ``mailto:`` address; ``*`` gets lost there, so ``Z`` stands for it."""
    if word.replace(" ", "").isalnum() and word.isascii():  # most words, and nearly all cells
        return word.replace(" ", "%20")
    words = (_SPELLED.get(each) or each.replace("*", "Z") for each in word.split(" "))
    return quote(" ".join(words))


class CellLinks(NamedTuple):
    """The cells of a grid as links to tap.

    links   the link of each cell
    order   the cells in the order in which they are shown
    pieces  the text before each of these, and after the last
    """

    links: list[str]
    order: list[int]
    pieces: list[str]


@lru_cache(64)
def cell_links(grid: Grid, more: str, translator: Translator) -> CellLinks:
    """Return the cells of a grid as links; ``more`` follows a cell in the Subject."""
    links = [f'<a href="{ADDRESS}{subject(name + more)}">{escape(name)}</a>' for name in grid.names]
    return CellLinks(links, *_rows(grid, translator))


@lru_cache(64)
def circles(board: Empty, unit: float, more: str) -> list[str]:
    """Return the circle of each cell on a picture; ``more`` follows a cell in the Subject.

    ``unit``: the pixels between cells.
    """
    box = board.box
    return [
        f"<area shape=circle coords={round((x - box[0]) * unit)},{round((y - box[1]) * unit)},"
        f'{round(unit / 2)} alt={escape(name)}\nhref="{ADDRESS}{subject(name + more)}">'
        for (x, y), name in zip(board.where.places, board.grid.names, strict=True)
    ]


def _rows(grid: Grid, translator: Translator) -> tuple[list[int], list[str]]:
    """Return the cells in the order in which they are shown, and the pieces of text around them."""
    order, pieces, text = [], [], ""
    leans = _leans(grid)
    for title, lines in _sections(grid):
        if title:
            text += f"{style.heading(translator.say(title), 3)}\n"
        align = "" if title else ' align="center"'
        long = max(map(len, lines))
        is_close = leans or _ABREAST < long <= max(_DENSE)
        kind = f"c l{_pitch(long)}" if is_close else "c"
        for place, row in enumerate(lines):
            parts = [row] if is_close else list(_parts(row))
            begin, end = f'<div class="{kind}"{align}>', "</div>"
            if leans:
                begin = f'<div class="{kind}" style="padding-left:{round(place * leans)}px">'
            if len(parts) > 1:  # a phone shows each part as a line of its own
                begin = f'<div class="c"{align} style="margin:0 0 8px"><span>'
                end = "</span></div>"
            for part in parts:
                for column, number in enumerate(part):
                    pieces.append(text + begin)
                    order.append(number)
                    text, begin = "", _APART[column % len(_APART)]
                begin = "</span>\n<span>"
            text = f"{end}\n"
    return order, [*pieces, text.removesuffix("\n")]


def _pitch(long: int) -> int:
    """Return the pixels of a cell in close rows, the longest of which has so many."""
    return next(pixels for most, pixels in _DENSE.items() if long <= most)


def _leans(grid: Grid) -> float:
    """Return the pixels by which each row of a leaning board begins further right, if a phone has room.

    They are fewer if the room is short; 0 if the board does not lean, or if its rows are too long.
    """
    rows = _sections(grid)[0][1]
    begins = [grid.places[row[0]][0] for row in rows]
    long = len(rows[0])
    steps = {round(right - left, 3) for left, right in itertools.pairwise(begins)}
    if steps != {0.5} or any(len(row) != long for row in rows) or long > max(_DENSE):
        return 0.0
    pitch = _pitch(long)
    return min(pitch / 2, (_PHONE - pitch * long) / (len(rows) - 1))


def _parts(row: list[int]) -> Iterator[list[int]]:
    """Yield the parts of a row, of about the same length, that a phone shows whole."""
    count = -(-len(row) // _ABREAST)
    ends = [len(row) * part // count for part in range(count + 1)]
    for begin, end in itertools.pairwise(ends):
        yield row[begin:end]


def _sections(grid: Grid) -> list[tuple[Sentence, list[list[int]]]]:
    """Return the cells in the order of reading: row by row, or arm by arm from the rim inward."""
    if any(name[0] == "*" for name in grid.names):
        arms: dict[str, dict[str, list[int]]] = {}
        for number, name in enumerate(grid.names):
            arms.setdefault(name[0], {}).setdefault(name[1:2], []).append(number)
        order = sorted(arms, key="TARS*@".index)
        return [(_arm(arm), list(arms[arm].values())[::-1]) for arm in order]
    lines: list[list[int]] = []
    level = None
    for number in sorted(
        range(len(grid)), key=lambda n: (round(grid.places[n][1], 3), grid.places[n][0])
    ):
        if level is None or grid.places[number][1] > level + 0.4:
            level = grid.places[number][1]
            lines.append([])
        lines[-1].append(number)
    return [(NOTHING, [sorted(row, key=lambda n: grid.places[n][0]) for row in lines])]


def _arm(arm: str) -> Sentence:
    if arm == "@":
        return say("The star in the middle")
    if arm == "*":
        return say("From arm * clockwise (your message will say Z for *)")
    return say("From arm {arm} clockwise", arm=arm)
