"""Games of Hex and Y as SGF, the files that Little Golem, HexWiki's editors and PlayHex exchange.

The form is FF[4] with GM[11] for Hex (https://www.red-bean.com/sgf/hex.html). A cell is its column's letter
and its row's number, and the first player is Black and joins top and bottom. After ``swap-pieces`` the stone
belongs to the other player and, in Hex, lies on the mirrored cell. We let the players change sides instead,
and leave the stone where it is, so each later cell is mirrored on its way out and in. ``swap-sides`` mirrors
nothing; we only read it.

Little Golem leaves GM out. It writes a cell as two letters, its column and its row, a swap as ``swap``, and
the first move as White's, though PB made it. Y has no number in FF[4], so we write ``GM[Y]``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase, ascii_uppercase

from ..errors import BadInput, Refusal
from .base import Game, How, Position
from .hexagon.hex import Hex
from .hexagon.y import Y

LONGEST = 100_000  # characters of a file
_KINDS: dict[str, type[Game]] = {"11": Hex, "hex": Hex, "y": Y}
_NUMBER: dict[type[Game], str] = {Hex: "11", Y: "Y"}
_VALUE_END = re.compile(r"\s*(?:[\[;()]|[A-Za-z]+\s*\[|$)")
_ENDS = ("resign", "forfeit")
_COLORS = ("B", "W")
_LINE = 10  # moves in a line of a file


@dataclass(frozen=True)
class Record:
    """A game of two players, the first of whom made the first move.

    moves   canonical texts of ``Game.read``: cells, ``swap``, ``pass``
    names   of the first and of the second player; empty if they are not known
    ending  ``resign`` or ``forfeit`` if a player's word or time ended the game, otherwise empty
    loser   who did that: 0 for the first player, 1 for the second; None if nobody did
    date    the day of the game, as 2026-12-06; empty if it is not known
    event   the tournament or the server; empty if it is not known
    result  how the game ended, as RE says it, if neither the board nor ``ending`` shows it
    """

    game: Game
    moves: tuple[str, ...]
    names: tuple[str, str] = ("", "")
    ending: str = ""
    loser: int | None = None
    date: str = ""
    event: str = ""
    result: str = ""

    def positions(self) -> Iterator[Position]:
        """Yield the position before the first move, and after each. Raises IllegalMove."""
        position = self.game.start()
        yield position
        for move in self.moves:
            position = position.play(move)
            yield position
        if self.loser is not None and not position.over:
            seats = self.game.seats[::-1] if position.swapped else self.game.seats
            how: How = "forfeit" if self.ending == "forfeit" else "resignation"
            yield position.resign(seats[self.loser], how)


def has(game: Game) -> bool:
    """Tell if games with these rules and options can be written as SGF."""
    return type(game) is Hex or (type(game) is Y and not game.value("bent"))


def write(record: Record) -> str:
    """Return a game as SGF, in lines of ASCII. ``has`` must be true of its rules; raises IllegalMove."""
    game = record.game
    *_, last = record.positions()
    head = [
        ("FF", "4"),
        ("CA", "UTF-8"),
        ("GM", _NUMBER[type(game)]),
        ("SZ", str(game.value("size"))),
    ]
    head += zip(("PB", "PW", "EV", "DT"), (*record.names, record.event, record.date), strict=True)
    head.append(("RE", _result(record, last)))
    lines = ["(;" + "".join(f"{name}[{_escaped(value)}]" for name, value in head if value)]
    nodes, swapped, turn = list[str](), False, 0
    for move in record.moves:
        text = _mirrored(game, move) if swapped else move
        nodes.append(f";{_COLORS[turn % 2]}[{'swap-pieces' if move == 'swap' else text.lower()}]")
        swapped, turn = swapped or move == "swap", turn + 1
    if record.loser is not None:
        nodes.append(f";{_COLORS[record.loser]}[{record.ending}]")
    lines += ["".join(nodes[at : at + _LINE]) for at in range(0, len(nodes), _LINE)]
    return "\n".join(lines) + ")\n"


def read(text: str) -> Record:
    """Return the game of an SGF file: its main line, without comments. Raises Refusal if there is none."""
    if len(text) > LONGEST:
        raise BadInput(f"The file has more than {LONGEST:,} characters.", "bad-sgf")
    root, *nodes = _nodes(text) or [{}]
    moves = [
        (color, node[color].strip())
        for node in (root, *nodes)
        for color in _COLORS
        if color in node
    ]
    if any(name in node for node in (root, *nodes) for name in ("AB", "AW", "AE")):
        raise BadInput("The file sets stones up without moves, which can't be read.", "bad-sgf")
    game = _game(root, [value for _, value in moves])
    # Little Golem's colors say nothing about the players; otherwise a file may begin with White.
    golem = "GM" not in root and not any(re.fullmatch(r"[A-Za-z]\d+", value) for _, value in moves)
    white_first = bool(moves) and moves[0][0] == "W" and not golem
    names = (root.get("PB", ""), root.get("PW", ""))
    names = names[::-1] if white_first else names
    played, ending, loser = _played(game, moves, mirrored=white_first)
    event = root.get("EV", "")
    event = "" if event == "null" else event  # Little Golem's word for none
    record = Record(game, tuple(played), names, ending, loser, root.get("DT", "")[:10], event)
    try:
        *_, last = record.positions()
    except Refusal as error:
        raise BadInput(f"The moves are not a game of {game.title}: {error}", "bad-sgf") from None
    if last.over or not (lost := _lost(root.get("RE", ""))):
        return record
    loser = "BW".index(lost[0])
    loser = 1 - loser if white_first else loser
    ending = "resign" if lost[1] == "R" else "forfeit"
    return replace(record, ending=ending, loser=loser)


def _played(
    game: Game, moves: Sequence[tuple[str, str]], mirrored: bool
) -> tuple[list[str], str, int | None]:
    """Return the moves as canonical texts; and how and by whom the game was given up."""
    played = list[str]()
    due = moves[0][0] if moves else "B"
    turn = 0  # whose turn it is: 0 is the first player
    for number, (color, value) in enumerate(moves, 1):
        word = value.lower()
        if word in _ENDS:
            return played, word, turn if color == due else 1 - turn
        if color != due:
            raise BadInput(f"Move {number} is by the same player as the move before.", "bad-sgf")
        if word in ("swap", "swap-pieces", "swap-sides"):
            played.append("swap")
            mirrored ^= word != "swap-sides" and type(game) is Hex
        else:
            played.append(_move(game, word, mirrored))
        turn = 1 - turn
        # With swap-sides the next move is by the other player, who has that color now.
        due = color if word == "swap-sides" else "W" if color == "B" else "B"
    return played, "", None


def _move(game: Game, word: str, mirrored: bool) -> str:
    """Return the canonical text of a pass or a cell. Raises BadInput."""
    if word in ("", "pass"):
        return "pass"
    if re.fullmatch("[a-z]{2}", word):
        word = f"{word[0]}{ascii_lowercase.index(word[1]) + 1}"
    try:
        move = game.read([word])
    except Refusal as error:
        raise BadInput(str(error), "bad-sgf") from None
    return _mirrored(game, move) if mirrored else move


def _mirrored(game: Game, move: str) -> str:
    """Return a cell of Hex with its column and row exchanged; any other move as it is."""
    if type(game) is not Hex or move not in game.grid.index:
        return move
    return f"{ascii_uppercase[int(move[1:]) - 1]}{ascii_uppercase.index(move[0]) + 1}"


def _game(root: dict[str, str], moves: Sequence[str]) -> Game:
    """Return the rules that the first node names, Hex by default. Raises Refusal."""
    word = root.get("GM", "").strip().lower() or root.get("EV", "").partition(".")[0].lower()
    kind = _KINDS.get(word)
    if kind is None and "GM" in root:
        raise BadInput(f"GM[{root['GM'][:20]}] is neither Hex (GM[11]) nor Y (GM[Y]).", "bad-sgf")
    if not moves and "SZ" not in root:
        raise BadInput("That is not a game in SGF.", "bad-sgf")
    columns, _, rows = root.get("SZ", "11").partition(":")
    if rows and rows != columns:
        raise BadInput("The board has more columns than rows, or fewer.", "bad-sgf")
    return (kind or Hex)({"size": columns.strip()})


def _result(record: Record, last: Position) -> str:
    """Return how the game ended, as RE says it; empty while it runs."""
    if record.loser is not None:
        how = "R" if record.ending == "resign" else "T"
        return f"{_COLORS[1 - record.loser]}+{how}"
    if record.result:
        return record.result
    if last.winner is None:
        return "0" if last.over else ""
    return f"{_COLORS[(last.winner == 'X') == last.swapped]}+"


def _lost(result: str) -> str:
    """Return the color that lost by RE, and R for a resignation; empty if it names no winner."""
    found = re.match(r"(B|W)(?:lack|hite)?(?:\+(R)?)?", result.strip(), re.I)
    if not found:
        return ""
    return f"{'W' if found[1].upper() == 'B' else 'B'}{(found[2] or ' ').upper()}"


def _escaped(value: str) -> str:
    return re.sub(r"([\]\\:])", r"\\\1", value).encode("ascii", "replace").decode()


def _nodes(text: str) -> list[dict[str, str]]:
    """Return the nodes of the main line, each with the first value of its properties. Raises BadInput.

    The first ``)`` ends the main line. Little Golem doesn't escape a ``]`` in a name, so a bracket only ends
    a value if something follows that can follow a value.
    """
    nodes, name, at = list[dict[str, str]](), "", text.find("(")
    while 0 <= at < len(text):
        char = text[at]
        if char == ")":
            return nodes
        if char == ";":
            nodes.append({})
            name = ""
        elif char == "[":
            end = _value_end(text, at + 1)
            if nodes and name:
                nodes[-1].setdefault(name, re.sub(r"(?s)\\(.)", r"\1", text[at + 1 : end]))
            at = end
        elif char.isalpha():
            start = at
            while at < len(text) and text[at].isalpha():
                at += 1
            # Lower-case letters only explain a name in older files: Black, SiZe.
            name = "".join(each for each in text[start:at] if each.isupper())
            continue
        at += 1
    raise BadInput("That is not a game in SGF.", "bad-sgf")


def _value_end(text: str, at: int) -> int:
    """Return the place of the bracket that ends a value. Raises BadInput."""
    while at < len(text):
        if text[at] == "\\":
            at += 1
        elif text[at] == "]" and _VALUE_END.match(text, at + 1):
            return at
        at += 1
    raise BadInput("That is not a game in SGF.", "bad-sgf")
