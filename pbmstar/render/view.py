"""The view of a board: all that a letter shows of it, as values; text, HTML and pictures draw it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ..games.base import STONE
from ..games.boards import EMPTY
from ..match import AGREE, UNDO, Entry, Happening, Match
from ..match.zones import HERE
from . import choices, clocks, headings, prospects
from .asking import offer, waiting
from .happenings import PAST, PREFIXES, notices


class Stone(NamedTuple):
    """A stone on the board.

    cell   its cell's number in the grid
    stone  ``x`` or ``o``
    edge   its chain reaches the edge
    last   it was placed by the last move
    """

    cell: int
    stone: str
    edge: bool
    last: bool


class View(NamedTuple):
    """One board as one reader sees it. Lines are not wrapped and have no line ends.

    heading   the reader's first line: ``Your move, alice``; ``played`` what came before it
    sides     each player's score, and what it can still be
    match     what is shown; for what only one kind of letter needs (``report``)
    title     of the game; ``options`` those that are not default, as a challenge spells them
    prefix    what stands before the title in the Subject: ``New ``, ``Nag: `` or nothing
    to_move   whose turn it is; empty when the game is over, or for a board as it was
    result    the winner's userid, ``tie``, or empty
    status    whose turn it is, or how the game ended, as a sentence
    verdict   what ended the game, and how good an end it is of a puzzle, a sentence each
    players   who plays what, a sentence
    scores    the players and, in a game that has points, their scores: one line; a board that
              cannot come to what it counts now, as an empty one, is not counted; of a puzzle what
              is reached so far
    notes     for each player what the score is made of
    prospect  what the players want, and what can still become of it, a sentence each
    reading   what happens if both answer in pairs, a sentence or empty; ``pairs`` for each player
    chain     the cells of the chain that won the game
    moves     the record, an entry each: ``5 F6``, ``swap``
    drawing   the board as text, its lines joined
    stones    the stones on it
    last      the last move, as a sentence; empty before the first
    clocks    the players' time, a line each
    request   what one player asks of the other; ``notices`` what has happened, a paragraph each
    plan      the reader's plan, as it is written; ``by_plan`` the numbers of the moves that plans
              have made just now
    commands  what the reader can send; ``words`` are what a reply may begin with, empty if a reply
              does nothing; ``moving``: the reader is to move; ``reply_to``: where replies go
    """

    match: Match
    title: str
    number: int
    options: str
    to_move: str
    result: str
    status: str
    verdict: tuple[str, ...]
    players: str
    scores: str
    notes: tuple[str, ...]
    prospect: tuple[str, ...]
    reading: str
    pairs: tuple[str, ...]
    chain: tuple[str, ...]
    moves: tuple[str, ...]
    drawing: str
    stones: tuple[Stone, ...]
    last: str
    request: str
    played: str
    sides: tuple[headings.Side, ...]
    heading: str = ""
    prefix: str = ""
    clocks: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    plan: str = ""
    by_plan: str = ""
    commands: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    moving: bool = False
    reply_to: str = ""

    @property
    def example(self) -> str:
        """A move that could be made now."""
        return choices.example(self.match)

    @property
    def pairwise(self) -> bool:
        """Whether the turn is two cells."""
        return len(self.example.split()) == 2

    @property
    def report(self) -> tuple[str, ...]:
        """The board counted in detail, as lines; a score that was agreed on is not that of the board."""
        ending = self.match.position.ending
        counted = self.match.game.report(self.match.position.stones)
        is_agreed = ending is not None and ending.how == "agreement"
        return (f"{self.last} The board as it stood:", "", *counted) if is_agreed else counted


def view_of(
    match: Match,
    reader: str = "",
    happenings: Iterable[Happening] = (),
    reply_to: str = "",
    plan: str = "",
    clock: clocks.Shown | None = None,
    zone: str = HERE,
    reviews: bool = False,
) -> View:
    """The view of a board after ``happenings``.

    reader    the player who is shown what to do next; empty for somebody who only looks
    reply_to  the address at which a reply does something; empty if it does nothing
    plan      the reader's plan
    clock     the players' time; ``zone``: by which times are named
    reviews   games that are over are reviewed here
    """
    happenings = tuple(happenings)
    kinds = [each.kind for each in happenings]
    words = choices.reply_words(match, reader, reviews) if reply_to else ()
    # What was declined is not asked twice in a turn; what it was is not known here, mostly an undo.
    spent = {UNDO for each in happenings if each.kind == "refused" and each.userid != reader}
    return _board(match, PAST in kinds)._replace(
        heading=headings.heading(match, reader, PAST in kinds),
        prefix=next((PREFIXES[kind] for kind in kinds if kind in PREFIXES), ""),
        clocks=clocks.lines(clock, match.to_move, zone) if clock else (),
        notices=notices(match, happenings, reader, zone),
        plan=plan,
        by_plan=_by_plan(match, kinds.count("answered")) if "answered" in kinds else "",
        commands=tuple(c for c in choices.commands(match, reader) if c.split()[1] not in spent),
        words=tuple(word for word in words if word not in spent),
        moving=bool(reader) and match.to_move == reader,
        reply_to=reply_to,
    )


@lru_cache(64)  # the players of a board get their letters one after the other
def _board(match: Match, past: bool) -> View:
    """What all readers see."""
    game, over = match.game, match.position.over
    read = None if over else match.reading
    return View(
        match=match,
        title=game.title,
        number=match.number,
        options=match.options,
        to_move="" if past else match.to_move,
        result=match.result,
        status=_status(match, past),
        verdict=_verdict(match),
        players=", ".join(f"{player} is {who}" for player, who in match.players.items()) + ".",
        scores=_scores(match),
        notes=_notes(match),
        prospect=() if over else (*prospects.wants(match), *prospects.prospect(match)),
        reading=prospects.reading(match, read) if read else "",
        pairs=prospects.pairs(match, read) if read else (),
        chain=game.winning_chain(match.position.stones) if over else (),
        moves=tuple(_entry(e, over) for e in match.record if not e.move.startswith(AGREE)),
        drawing=game.draw(match.position.stones).rstrip("\n"),
        stones=_stones(match),
        last=_last(match),
        request="" if past else waiting(match),
        played=headings.played(match),
        sides=headings.sides(match),
    )


def _status(match: Match, past: bool) -> str:
    ending = match.position.ending
    if ending is None:
        return f"It {'was' if past else 'is'} {match.to_move}'s turn."
    if ending.how == "cancelled":
        return "The game has ended without result."
    if len(match.seats) == 1:
        (player,) = match.seats
        if ending.how != "finished":
            return f"Game given up by {player}."
        return f"Game solved by {player}." if match.result == player else "Game is over."
    if ending.winner is None:
        return "Game was a tie."
    margin = headings.margin(match)
    if not margin:
        return f"Game won by {match.result}."
    return f"Game won by {match.result} by {margin} point{'s' if margin > 1 else ''}."


def _verdict(match: Match) -> tuple[str, ...]:
    clause = match.game.verdict(match.position)
    reached = (f"{clause[0].upper()}{clause[1:]}.",) if clause else ()
    if match.rank is None:
        return reached
    best = "as good as can be" if match.rank == 0 else "0 is as good as can be"
    return (*reached, f"Rank {match.rank}: {best}.")


def _scores(match: Match) -> str:
    names = [f"{who} ({chr(STONE[player])})" for player, who in match.players.items()]
    if match.game.has_points and headings.stands(match):
        names = [f"{name}: {points}" for name, points in zip(names, match.points, strict=True)]
    elif len(names) == 1:
        names = [f"{names[0]}: {match.score.notes[0]}"]
    return "   ".join(names)


def _notes(match: Match) -> tuple[str, ...]:
    if len(match.seats) == 1 or not headings.stands(match):
        return ()
    notes = zip(match.players.values(), match.score.notes, strict=True)
    return tuple(f"{who}: {note}" for who, note in notes if note)


def _by_plan(match: Match, count: int) -> str:
    """The numbers of the last moves, so many as plans have made."""
    entries = [entry for entry in match.record[-count:] if entry.by_plan]
    return " ".join(str(entry.number) for entry in entries if entry.number is not None)


def _entry(entry: Entry, over: bool = False) -> str:
    """A move with its number; when the game is over one by plan has a mark."""
    move = entry.move + "*" * (over and entry.by_plan)
    return move if entry.number is None else f"{entry.number} {move}"


def _last(match: Match) -> str:
    if not match.record:
        return ""
    last = match.record[-1]
    if last.move.startswith(AGREE):
        return f"{last.userid} accepts {offer(last.move.partition(' ')[2])}."
    return f"Last move: {_entry(last)} by {last.userid}."


def _stones(match: Match) -> tuple[Stone, ...]:
    """The stones in the order of their cells."""
    game, stones = match.game, match.position.stones
    edge: set[int] = set()
    for stone in STONE.values():
        for chain in game.grid.chains(stones, stone):
            if any(game.edges[cell] for cell in chain):
                edge.update(chain)
    last = re.split("[ -]", match.record[-1].move) if match.record else []
    placed = {game.grid.index.get(name) for name in last}  # of cells that were left none is a stone
    return tuple(
        Stone(cell, chr(stone), cell in edge, cell in placed)
        for cell, stone in enumerate(stones)
        if stone != EMPTY
    )
