"""Penta-Hex: form five groups of five stones, each of another shape.

The 22 shapes of five joined hexagons, and the shape of a group on the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar

from ...errors import IllegalMove, Sentence, say, say_many
from ..base import PLAYERS, STONE, Ending, Option, Player, Position, Score, other, taken
from ..grids import EMPTY, once
from ..values import ReportLine, ReportRow
from .board import ARMS
from .movement import RINGS, Movement, remembered, shifted
from .straights import OFF, STAR, lines

_WINNING = 5
_Hexes = dict[Player, dict[tuple[int, ...], int]]  # each player's pentahexes, and their shapes
FIVE = 5
Axial = tuple[int, int]
Shape = tuple[Axial, ...]
# The six directions of a flat lattice in cyclic order; opposite ones are three apart.
_DIRECTIONS: tuple[Axial, ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


class PentaHex(Movement):
    """A pentahex is a chain of exactly five stones off the star, of a shape that no other has."""

    word = "pentahex"
    aliases = ("penta-hex",)
    title = "Penta-Hex"
    aim = say("forms five pentahexes")
    brief = say(
        "Players take turns moving one of their own stones along a row of empty cells, as far as "
        "they like. A chain of exactly five stones is a pentahex. There can only be one pentahex "
        "of each shape on the board, and the first player to form five pentahexes wins. If the "
        "stone you move and two of your others end up on every other cell around an enemy stone, "
        "it's enclosed, and you put it on an empty cell of the outermost ring."
    )
    written = "from-to [coord...]"
    options = (Option("separate", "one player's pentahexes can't touch the other's"),)
    begin: ClassVar = {
        player: tuple(f"{ARMS[k // RINGS]}0{k % RINGS}" for k in range(i, 5 * RINGS, 2))
        for i, player in enumerate(PLAYERS)
    }
    verdicts: ClassVar = {"pentahexes": say("{winner} has five pentahexes"), **Movement.verdicts}
    own_verdicts: ClassVar = {
        "pentahexes": say("you have five pentahexes"),
        **Movement.own_verdicts,
    }

    def example(self) -> str:
        """Return a movement with a cell for an enclosed stone."""
        return "*00-*50, or *50-*20 T00 where a stone is enclosed"

    def read_rest(self, names: list[str]) -> list[str]:
        """Return the cells for the stones that the movement encloses, in board order."""
        return sorted(names, key=self.grid.index.__getitem__)

    # -- moves

    def completions(self, stones: bytes, player: Player, here: int, there: int) -> Iterator[str]:
        """Return the movement, with each allowed choice of cells for the stones that it encloses."""
        names = self.grid.names
        text = f"{names[here]}-{names[there]}"
        board = shifted(stones, here, there)
        enclosed = self.enclosed(board, player, there)
        if not enclosed:
            mine = self._hexes_after(stones, board, player, here, there)
            if not self._trouble(
                {player: mine, other(player): self._hexes_of(stones, other(player))}
            ):
                yield text
            return
        lifted = self._relocated(board, player, enclosed, ())
        hexes = self.hexes(lifted)
        if len(set(hexes[player].values())) < len(hexes[player]):
            return  # no stone of the other player can change that
        helping = set(self.lines.rim)
        if self._trouble(hexes):  # only a stone that joins a pentahex of its own player can fix it
            helping = {c for cells in hexes[other(player)] for c in self._around(cells)}
        free = [cell for cell in self.lines.rim if board[cell] == EMPTY]
        for cells in combinations(free, len(enclosed)):
            if helping.isdisjoint(cells):
                continue
            if not self._trouble(self.hexes(self._relocated(lifted, player, (), cells))):
                yield " ".join([text, *(names[cell] for cell in cells)])

    def complete(self, stones: bytes, player: Player, move: str, here: int, there: int) -> bytes:
        """Return the board after the movement and the relocations. Raises IllegalMove."""
        movement, *rest = move.split(" ")
        board = shifted(stones, here, there)
        enclosed = self.enclosed(board, player, there)
        cells = [self.grid.index[name] for name in rest]
        if len(cells) != len(enclosed):
            raise self._wrong_number(stones, player, movement, enclosed)
        for i, cell in enumerate(cells):
            name = self.grid.names[cell]
            if cell not in self.lines.rim:
                raise IllegalMove(
                    say(
                        "Enclosed stones go on the outermost ring, and {name} isn't on it.",
                        name=name,
                    ),
                    "not-on-rim",
                )
            if board[cell] != EMPTY or cell in cells[:i]:
                raise taken(name)
        board = self._relocated(board, player, enclosed, cells)
        if trouble := self._trouble(self.hexes(board)):
            raise trouble
        return board

    def relocated(self, position: Position, number: int, move: str) -> tuple[tuple[str, str], ...]:
        """Return the enclosed stones and the cells for them, in board order."""
        movement, *cells = move.split(" ")
        stones, player = remembered(position.history[number - 1])
        here, there = (self.grid.index[name] for name in movement.split("-"))
        enclosed = self.enclosed(shifted(stones, here, there), player, there) if cells else []
        return tuple(zip((self.grid.names[cell] for cell in enclosed), cells, strict=True))

    def enclosed(self, board: bytes, player: Player, there: int) -> list[int]:
        """Return the enemy stones that a stone just moved to ``there`` encloses, in board order.

        The moved stone and two others enclose a stone if they stand on every second of its six
        neighbours. Stones on the star and in the outermost ring have no such six neighbours, and
        stones of a pentahex are safe.
        """
        mine, theirs = STONE[player], STONE[other(player)]
        enclosed = []
        for cell in self.grid.neighbours[there]:
            if board[cell] != theirs or cell == STAR:
                continue
            slots = self.lines.slots[cell]
            i = slots.index(there)
            two = slots[(i + 2) % 6], slots[(i + 4) % 6]
            if OFF not in two and board[two[0]] == mine == board[two[1]]:
                enclosed.append(cell)
        if enclosed:
            safe = {cell for cells in self._hexes_of(board, other(player)) for cell in cells}
            enclosed = [cell for cell in enclosed if cell not in safe]
        return enclosed

    def _relocated(
        self, board: bytes, player: Player, enclosed: Iterable[int], cells: Iterable[int]
    ) -> bytes:
        after = bytearray(board)
        for cell in enclosed:
            after[cell] = EMPTY
        for cell in cells:
            after[cell] = STONE[other(player)]
        return bytes(after)

    def _wrong_number(
        self, stones: bytes, player: Player, movement: str, enclosed: list[int]
    ) -> IllegalMove:
        """Return the refusal of a move with too few or too many cells for the stones that it encloses."""
        if not enclosed:
            return IllegalMove(
                say(
                    "{move} doesn't enclose a stone, so leave out the cells after it.",
                    move=movement,
                ),
                "relocate",
            )
        names = [self.grid.names[cell] for cell in enclosed]
        here, there = (self.grid.index[name] for name in movement.split("-"))
        like = next(self.completions(stones, player, here, there), "")
        if not like:
            return IllegalMove(
                say(
                    "{move} isn't allowed, no matter where you put the enclosed stones.",
                    move=movement,
                ),
                "shape-taken",
            )
        text = say_many(
            "{move} encloses your opponent's stone on {cells}. After your move, write {count} "
            "empty cell on the outermost ring for it to go to, like {example}.",
            "{move} encloses your opponent's stones on {cells}. After your move, write {count} "
            "empty cells on the outermost ring for them to go to, like {example}.",
            len(names),
            move=movement,
            cells=" ".join(names),
            example=like,
        )
        return IllegalMove(text, "relocate")

    # -- pentahexes

    def hexes(self, stones: bytes) -> _Hexes:
        """Return both players' pentahexes and the numbers of their shapes."""
        return {player: self._hexes_of(stones, player) for player in PLAYERS}

    @lru_cache(50)  # noqa: B019 - games are few and live as long as the process
    def _hexes_of(self, stones: bytes, player: Player) -> dict[tuple[int, ...], int]:
        hexes = {}
        for chain in self.grid.chains(stones, STONE[player]):
            if len(chain) == FIVE:
                cells = tuple(sorted(chain))
                number = shape_number(RINGS, cells)
                if number:
                    hexes[cells] = number
        return hexes

    def _hexes_after(
        self, stones: bytes, board: bytes, player: Player, here: int, there: int
    ) -> dict[tuple[int, ...], int]:
        """Return ``_hexes_of`` the board after a movement, found much faster from those before it."""
        near = (there, *self.grid.neighbours[here])
        chains = self.grid.chains(board, STONE[player], near)
        hexes = {
            cells: number
            for cells, number in self._hexes_of(stones, player).items()
            if here not in cells and cells[0] not in chains[0]
        }
        for chain in chains:
            if len(chain) == FIVE:
                cells = tuple(sorted(chain))
                if number := shape_number(RINGS, cells):
                    hexes[cells] = number
        return hexes

    def _around(self, cells: Iterable[int]) -> set[int]:
        return {near for cell in cells for near in self.grid.neighbours[cell]}

    def _trouble(self, hexes: _Hexes) -> IllegalMove | None:
        """Return the refusal of a move that leaves these pentahexes; None if they are allowed."""
        standing = [number for numbers in hexes.values() for number in numbers.values()]
        if len(set(standing)) < len(standing):
            twice = next(number for number in standing if standing.count(number) > 1)
            return IllegalMove(
                say(
                    "That would make two pentahexes of shape {number}, and only one of each "
                    "shape is allowed.",
                    number=twice,
                ),
                "shape-taken",
            )
        if hexes["X"] and hexes["O"] and self.value("separate"):
            around = {cell for cells in hexes["O"] for cell in self._around(cells)}
            if any(not around.isdisjoint(cells) for cells in hexes["X"]):
                return IllegalMove(
                    say(
                        "That would make one of X's pentahexes touch one of O's, which isn't "
                        "allowed in this game."
                    ),
                    "touching",
                )
        return None

    def setup(self, x: Iterable[str], o: Iterable[str], to_move: Player = "X") -> Position:
        """Return the position with these stones. Raises IllegalMove, also if a shape stands twice."""
        position = super().setup(x, o, to_move)
        if trouble := self._trouble(self.hexes(position.stones)):
            raise trouble
        return position

    def won(
        self, stones: bytes, players: tuple[Player, Player], cells: Iterable[int]
    ) -> Ending | None:
        """Return the end by five pentahexes; None if nobody has them."""
        for player in players:
            if len(self._hexes_of(stones, player)) >= _WINNING:
                return Ending("pentahexes", player)
        return None

    # -- counting

    def score(self, stones: bytes) -> Score:
        """Return each player's number of pentahexes, and their shapes."""
        numbers = {player: sorted(own.values()) for player, own in self.hexes(stones).items()}
        points = tuple(len(own) for own in numbers.values())
        notes = tuple(_note(own) for own in numbers.values())
        return Score(points, points, {"shapes": numbers}, notes)

    def facts(self, position: Position) -> dict[str, Any]:
        """Return the number of movements, and each player's number of pentahexes and their shapes."""
        score = self.score(position.stones)
        return {
            "legal": self.legal(position),
            "scores": dict(zip(PLAYERS, score.points, strict=True)),
            **score.detail,
        }

    def counted(self, stones: bytes) -> Iterator[ReportLine | ReportRow]:
        """Yield the pentahexes with their cells and shapes, and the shapes that are free."""
        hexes = self.hexes(stones)
        for player, own in hexes.items():
            note = _note(sorted(own.values()))
            yield ReportLine(say("{player} has {pentahexes}.", player=player, pentahexes=note))
            for cells, number in sorted(own.items(), key=lambda item: item[1]):
                names = tuple(self.grid.names[cell] for cell in cells)
                yield ReportLine(say("shape {number}:", number=f"{number:2}"), names, 2)
        held = {number for own in hexes.values() for number in own.values()}
        numbers = range(1, len(shapes()) + 1)
        yield ReportLine(
            say("Shapes not on the board:"), tuple(str(i) for i in numbers if i not in held)
        )


def _note(numbers: list[int]) -> Sentence:
    if not numbers:
        return say_many("{count} pentahex", "{count} pentahexes", 0)
    return say_many(
        "{count} pentahex ({shapes})",
        "{count} pentahexes ({shapes})",
        len(numbers),
        shapes=", ".join(map(str, numbers)),
    )


def shapes() -> dict[Shape, int]:
    """Return the number of each shape, from 1, in the order of touching pairs of cells, then of cells."""
    return once(_shapes)


def _shapes() -> dict[Shape, int]:
    grown: set[Shape] = {((0, 0),)}
    for _ in range(FIVE - 1):
        grown = {
            canonical([*shape, (q + a, r + b)])
            for shape in grown
            for q, r in shape
            for a, b in _DIRECTIONS
            if (q + a, r + b) not in shape
        }
    ordered = sorted(grown, key=lambda shape: (_contacts(shape), shape))
    return {shape: number for number, shape in enumerate(ordered, 1)}


def canonical(cells: Iterable[Axial]) -> Shape:
    """Return the least of the twelve turned and mirrored images, moved as far up and left as it can be."""
    images = []
    image = list(cells)
    for _ in range(2):
        for _ in range(6):
            image = [(-r, q + r) for q, r in image]
            left, top = min(q for q, _ in image), min(r for _, r in image)
            images.append(tuple(sorted((q - left, r - top) for q, r in image)))
        image = [(r, q) for q, r in image]
    return min(images)


def _contacts(shape: Shape) -> int:
    return sum(
        (a[0] - b[0], a[1] - b[1]) in _DIRECTIONS for i, a in enumerate(shape) for b in shape[:i]
    )


@lru_cache(5000)  # for an enclosed stone the same chains come again with each cell of the rim
def shape_number(rings: int, cells: tuple[int, ...]) -> int | None:
    """Return the number of the shape of five joined cells; None if they have no shape.

    A group with the star cannot be laid flat in only one way, because the star has five neighbours;
    nor can the closed ring round it.
    """
    if STAR in cells or cells == (1, 2, 3, 4, 5):
        return None
    slots = lines(rings).slots
    start = cells[0]
    flat: dict[int, Axial] = {start: (0, 0)}
    turned = {start: 0}  # for each cell the slot that lies in direction 0
    walk = [start]
    for cell in walk:
        for slot, near in enumerate(slots[cell]):
            if near == OFF or near not in cells or near in flat:
                continue
            direction = (slot - turned[cell]) % 6
            q, r = flat[cell]
            a, b = _DIRECTIONS[direction]
            flat[near] = q + a, r + b
            turned[near] = (slots[near].index(cell) - direction - 3) % 6
            walk.append(near)
    return shapes()[canonical(flat.values())]


def pictures(wanted: Sequence[int]) -> str:
    """Return the shapes with these numbers side by side as text, each under its number."""
    columns = []
    known = tuple(shapes())
    for number_ in wanted:
        shape = known[number_ - 1]
        rows = [[" "] * 8 for _ in range(1 + max(r for _, r in shape))]
        left = min(2 * q + r for q, r in shape)
        for q, r in shape:
            rows[r][2 * q + r - left] = "o"
        columns.append([str(number_), *("".join(row).rstrip() for row in rows)])
    deepest = max(map(len, columns))
    return "\n".join(
        "".join(column[i].ljust(12) if i < len(column) else " " * 12 for column in columns).rstrip()
        for i in range(deepest)
    )
