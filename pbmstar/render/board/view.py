"""The view of a board: all that a letter shows of it, as values; text, HTML and pictures draw it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from types import MappingProxyType
from typing import NamedTuple

from ...errors import say
from ...games.adjudicate import Reading
from ...games.base import PLAYERS, STONE, game_over
from ...games.grids import EMPTY
from ...match import (
    AGREE,
    CANCEL,
    CLAIM,
    FORFEIT,
    RESIGN,
    UNDO,
    Entry,
    Happening,
    Match,
    spelled_result,
)
from ...match import happenings as h
from ...match.dates import HERE
from ...match.plans import steps
from ...match.terms import unrated
from ..translator import ENGLISH, Tell, Translator
from . import choices, clock_face
from .opening import (
    Side,
    about,
    enclosures,
    is_possible,
    margin,
    opening_of,
    own_first,
    sides_of,
    told_together,
)  # fmt: skip
from .sentences import notices, waiting
from .transcript import AT_THE_END, played_by

# Moves without a cell, as the last line of a board names them.
_NAMED = {
    "pass": say("pass"),
    "swap": say("swap"),
}
_ENDS = (RESIGN, FORFEIT, CANCEL, CLAIM)
# The first words of replies that change nothing; and of all replies that aren't among the main ones.
_ASIDE = frozenset((choices.TRY, *choices.ASIDE))
_NOT_MAIN = _ASIDE | {RESIGN}


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


class Telling(NamedTuple):
    """The part of a letter that is not the board: its reader, the news, and the choices.

    reader      the player whose choices the letter lists; empty for a reader who only looks on
    happenings  the happenings that the letter tells
    reply_to    the address at which a reply does something; empty if a reply does nothing
    plan        the reader's plan
    clock       the players' time; ``zone``: the time zone in which times are given
    asks        words that a reply may begin with besides the usual ones
    used_up     the kinds of requests that the reader cannot make any more
    translator      the language of the reader
    """

    reader: str = ""
    happenings: Iterable[Happening] = ()
    reply_to: str = ""
    plan: str = ""
    clock: clock_face.ClockFace | None = None
    zone: str = HERE
    asks: Sequence[str] = ()
    used_up: Iterable[str] = ()
    translator: Translator = ENGLISH


NOTHING_TOLD = Telling()


class View(NamedTuple):
    """One board as one reader sees it, in the reader's language. Lines are not wrapped and have no line ends.

    heading, stressed, played, question   the lines of its ``Opening``, with the stones enclosed
    about     game and place in it: ``Star 7 · move 12 · board 4``
    reader    the player it is for, empty for a reader who only looks on
    sides     each player's score and the scores still possible, the reader's own first
    match     the board; for facts that only one kind of letter needs (``report``)
    title     the game's; ``options`` those that are not default, as a challenge spells them
    prefix    the words before the title in the Subject: ``New ``, ``Reminder: `` or nothing
    to_move   the player to move; empty when the game is over, or for a board as it was
    result    the winner's userid, ``tie`` or the like, or empty; in the form for programs
    status    the player to move, or the end of the game, as a sentence
    verdict   the reason that the game ended, and the rank of a puzzle's end, a sentence each
    opened    what was played, with the reason of an end, and the heading, as lines; none of a board as it was
    scores    the players and, in a game that has points, their scores: one line; a score that the
              game cannot end with, as on an empty board, is left out; in a puzzle the result so far
    notes     for each player the parts of the score; in a puzzle the free cells, if some are closed
    goals     the goals of the players, a sentence each; ``possible`` the scores still possible, a
              sentence or empty; ``fate`` a sentence if the score or the winner is certain, or empty
    reading   the result if both answer in pairs, a sentence or empty; ``pairs`` for each player
    chain     the cells of the chain that won the game, as a line; otherwise empty
    moves     ``Match.whole``, an entry each: ``5 F6``, ``swap``
    example   a move that could be made now, empty when the game is over
    drawing   the board as text, its lines joined
    stones    the stones on it
    last      the last move, and the stones enclosed, as sentences; empty before the first move
    clocks    the players' time, a line each; ``due`` the same for HTML; ``time`` the time of the player to
              move, as a sentence for the reader; ``left`` the seconds of each
    request   one player's request to the other; ``notices`` the happenings, a paragraph each;
              ``news`` those that nothing else in its letter tells
    plan      the reader's plan, as it is written; ``by_plan`` the numbers of the moves that plans
              have just made
    commands  the commands that the reader can send; ``words`` those that a reply may begin with,
              empty if a reply does nothing; ``answers`` the ones that answer ``question``;
              ``moving``: the reader is to move; ``reply_to``: the address for replies
    tried     the words before a cell that is tapped: in a preview the moves that come first, in a
              digest the number of the board
    sent_with the text of the mail that a tap on a cell opens
    translator    the language of the reader
    """

    match: Match
    title: str
    number: int
    options: str
    to_move: str
    result: str
    status: str
    scores: str
    notes: tuple[str, ...]
    goals: tuple[str, ...]
    possible: str
    fate: str
    reading: str
    pairs: tuple[str, ...]
    chain: str
    moves: tuple[str, ...]
    example: str
    drawing: str
    stones: tuple[Stone, ...]
    last: str
    sides: tuple[Side, ...]
    about: str
    heading: str = ""
    stressed: str = ""
    verdict: tuple[str, ...] = ()
    played: str = ""
    opened: tuple[str, ...] = ()
    question: str = ""
    request: str = ""
    reader: str = ""
    prefix: str = ""
    clocks: tuple[str, ...] = ()
    due: tuple[clock_face.Due, ...] = ()
    time: str = ""
    left: Mapping[str, int] = MappingProxyType({})
    notices: tuple[str, ...] = ()
    news: tuple[str, ...] = ()
    plan: str = ""
    by_plan: str = ""
    commands: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    moving: bool = False
    reply_to: str = ""
    tried: str = ""
    sent_with: str = ""
    translator: Translator = ENGLISH

    @property
    def standing(self) -> str:
        """Return the scores, the goals, the scores still possible, and the fate of the game, as sentences."""
        return " ".join(filter(None, (f"{self.scores}.", *self.goals, self.possible, self.fate)))

    @property
    def main_words(self) -> tuple[str, ...]:
        """Return the words that a reader mostly needs, except those that answer a question."""
        return tuple(
            word
            for word in self.words
            if word.partition(" ")[0] not in _NOT_MAIN and word not in self.answers
        )

    @property
    def side_words(self) -> tuple[str, ...]:
        """Return the words that change nothing."""
        return tuple(word for word in self.words if word.partition(" ")[0] in _ASIDE)

    def without_rematch(self) -> View:
        """Return the view with a search for another opponent in place of a rematch."""
        words = tuple("match" if word == "rematch" else word for word in self.words)
        commands = tuple(each for each in self.commands if each.split()[1] != "rematch")
        return self._replace(words=words, commands=(f"match {self.reader} password", *commands))

    @property
    def players(self) -> str:
        """Return the seats of the players as a sentence."""
        x, *o = self.match.players.values()
        if o:
            return self.translator.tell("X is {x}, O is {o}.", x=x, o=o[0])
        return self.translator.tell("X is {x}.", x=x)

    @property
    def so_far(self) -> str:
        """Return the result of a puzzle so far as a sentence."""
        note = self.translator.say(self.match.score.notes[0])
        return f"{note[0].upper()}{note[1:]}."

    @property
    def brief(self) -> str:
        """Return the rules in three sentences."""
        return self.translator.say(self.match.game.brief)

    @property
    def pairwise(self) -> bool:
        """Return True if the turn is two cells."""
        return len(self.example.split()) == 2

    @property
    def report(self) -> tuple[str, ...]:
        """Return the detailed count of the board, as lines.

        An agreed end is told before them, since its score is not the board's.
        """
        counted, ending = _report(self.match, self.translator), self.match.position.ending
        if ending is None or ending.how != "agreement":
            return counted
        stood = self.translator.tell("The board at that point:")
        return (f"{self.last} {stood}", "", *counted)


def view_of(match: Match, telling: Telling = NOTHING_TOLD) -> View:
    """Return the view of a board after the happenings that its letter tells."""
    reader, happenings = telling.reader, tuple(telling.happenings)
    past = any(isinstance(each, h.AsItWas) for each in happenings)
    answers = sum(isinstance(each, h.Answered) for each in happenings)
    # A declined request is not made twice in a turn; its kind is not known here, mostly an undo.
    spent = {UNDO for each in happenings if isinstance(each, h.Refused) and each.userid != reader}
    spent.update(map(choices.proposal, telling.used_up))
    translator, clock, zone = telling.translator, telling.clock, telling.zone
    tell, board = translator.say, _board(match, past, translator)
    can = choices.Choices.of(match, reader, board.example)
    words, commands = can.reply_words(telling.asks) if telling.reply_to else (), can.commands()
    if spent:
        words = tuple(word for word in words if choices.asks(word.split()) not in spent)
        commands = tuple(c for c in commands if choices.asks(c.split()[1:]) not in spent)
    taken = [*map(tell, enclosures(match, reader, happenings))]
    opening = opening_of(match, reader, happenings, past, translator)
    # While a request waits, its own line tells of it.
    happened = tuple(e for e in happenings if not (match.request and isinstance(e, h.Proposed)))
    # The terms of a contest stand below those who play.
    happened = tuple(sorted(happened, key=lambda each: not isinstance(each, h.Began)))
    unseen = tuple(
        each
        for each in happened
        if not is_shown_in_html(match, each)
        and not (opening.is_of_swap and isinstance(each, h.Swapped))
    )
    sentences = tuple(map(tell, notices(match, happened, reader, zone)))
    news = sentences
    if unseen != happened:
        news = tuple(map(tell, notices(match, unseen, reader, zone)))
    played = " ".join(filter(None, (opening.played, *taken)))
    why = verdict(match, translator, reader)
    told = " ".join(filter(None, (played, *why)))
    due = partial(clock_face.due, clock, match.to_move, reader, zone, translator) if clock else None
    return board._replace(
        heading=opening.heading,
        stressed=opening.stressed,
        played=played,
        verdict=why,
        opened=() if past else (*filter(None, (told,)), f"{opening.heading}."),
        question=opening.question,
        request="" if past or opening.question else tell(waiting(match, reader)),
        last=" ".join(filter(None, (board.last, *taken))),
        reader=reader,
        sides=own_first(board.sides, reader),
        prefix=next(filter(None, map(_prefix, happenings)), ""),
        clocks=clock_face.lines(clock, match.to_move, zone, translator) if clock else (),
        due=tuple(due()) if due else (),
        time=next((each.text for each in due(is_exact=True)), "") if due else "",
        left=clock.left if clock else {},
        notices=sentences,
        news=news,
        plan=telling.plan,
        by_plan=_by_plan(match, answers) if answers else "",
        commands=commands,
        words=words,
        answers=tuple(word for word in words if opening.question and word in ("accept", "decline")),
        moving=bool(reader) and match.to_move == reader,
        reply_to=telling.reply_to,
    )


def is_shown_in_html(match: Match, happening: Happening) -> bool:
    """Return True for words, and for moves told together: HTML shows them elsewhere."""
    return isinstance(happening, h.Talked) or told_together(match, [happening]) is not None


_NAGS = h.Overdue | h.Warned


def _prefix(happening: Happening) -> str:
    """Return the prefix of the title in the Subject of a letter that tells of this happening."""
    if isinstance(happening, h.Began):
        return "New "
    return "Reminder: " if isinstance(happening, _NAGS) else ""


@lru_cache(64)  # the players of a board get their letters one after the other
def _board(match: Match, past: bool, translator: Translator) -> View:
    """Return the part of a view that is the same for all readers of a language."""
    game, over, tell = match.game, match.position.over, translator.tell
    read = None if over else match.reading
    possible = is_possible(match)
    return View(
        match=match,
        title=game.title,
        number=match.number,
        options="" if unrated(match.terms.contest) else match.options,
        to_move="" if past else match.to_move,
        result=spelled_result(match.result, match.winner),
        status=status(match, past, translator),
        scores=_scores(match, possible, translator),
        notes=_notes(match, translator) if possible else (),
        goals=() if over else _wants(match, translator),
        possible="" if over else _possible(match, past, tell),
        fate="" if over else _fate(match, tell),
        reading=_reading(match, read, tell) if read else "",
        pairs=_pairs(match, read) if read else (),
        chain=_chain(match, tell) if over else "",
        moves=tuple(_entry(e, over) for e in match.whole if not e.move.startswith(AGREE)),
        example="" if over else choices.example(match),
        drawing=game.draw(match.position.stones).rstrip("\n"),
        stones=_stones(match),
        last=_last(match, translator),
        sides=sides_of(match, possible, translator),
        about=about(match, past, translator),
        translator=translator,
    )


@lru_cache(4)  # both parts of a letter tell it
def _report(match: Match, translator: Translator) -> tuple[str, ...]:
    return match.game.report(match.position.stones, translator.say)


def status(match: Match, past: bool, translator: Translator = ENGLISH) -> str:
    """Return the player to move, or the end of the game, as a sentence."""
    tell, ending = translator.tell, match.position.ending
    if ending is None:
        if past:
            return tell("It was {userid}'s turn.", userid=match.to_move)
        return tell("It is {userid}'s turn.", userid=match.to_move)
    if ending.how == "cancelled":
        return tell("The game ended without a result.")
    if len(match.seats) == 1:
        (player,) = match.seats
        if ending.how != "finished":
            return tell("{userid} gave up.", userid=player)
        return (
            tell("{userid} solved the puzzle.", userid=player)
            if match.winner
            else translator.say(game_over().told)
        )
    if ending.winner is None:
        return tell("The game was a tie.")
    points = margin(match)
    if not points:
        return tell("{winner} won the game.", winner=match.winner)
    return translator.tell_many(
        "{winner} won by {count} point.",
        "{winner} won by {count} points.",
        points,
        winner=match.winner,
    )


def verdict(match: Match, translator: Translator = ENGLISH, reader: str = "") -> tuple[str, ...]:
    """Return the reason that the game ended, and the rank of a puzzle's end, a sentence each."""
    if not match.position.over:
        return ()
    own = next((player for player, userid in match.players.items() if userid == reader), None)
    clause = translator.say(match.game.verdict(match.position, match.players, own))
    names = match.seats if len(match.seats) > 1 else ()
    if clause and not clause.startswith(names):
        clause = clause[0].upper() + clause[1:]
    reached = (f"{clause}.",) if clause else ()
    if match.rank is None:
        return reached
    if match.rank == 0:
        return (*reached, translator.tell("That's a perfect result (rank 0)."))
    return (
        *reached,
        translator.tell("Rank {rank} (the best known result is rank 0).", rank=match.rank),
    )


def _scores(match: Match, possible: bool, translator: Translator) -> str:
    names = [f"{who} ({chr(STONE[player])})" for player, who in match.players.items()]
    if match.game.has_points and possible:
        names = [f"{name} {points}" for name, points in zip(names, match.points, strict=True)]
    elif len(names) == 1:
        names = [f"{names[0]}: {translator.say(match.score.notes[0])}"]
    return ", ".join(names)


def _notes(match: Match, translator: Translator) -> tuple[str, ...]:
    if len(match.seats) == 1:
        return _free(match, translator.tell)
    notes = zip(match.players.values(), match.score.notes, strict=True)
    return tuple(f"{who}: {translator.say(note)}" for who, note in notes if note)


def _free(match: Match, tell: Tell) -> tuple[str, ...]:
    """Return a line of the cells that can still take a stone, if some of the empty ones are closed."""
    stones, names = match.position.stones, match.game.grid.names
    closed = set(match.game.closed(stones))
    free = (c for c, stone in enumerate(stones) if stone == EMPTY and c not in closed)
    named = " ".join(names[cell] for cell in free) if closed else ""
    return (tell("free cells: {cells}", cells=named),) if named else ()


def _chain(match: Match, tell: Tell) -> str:
    cells = match.game.winning_chain(match.position.stones)
    return tell("Winning chain: {cells}", cells=" ".join(cells)) if cells else ""


def _by_plan(match: Match, count: int) -> str:
    """Return the numbers of the last ``count`` moves that plans have made."""
    entries = [entry for entry in match.record[-count:] if entry.by_plan]
    return " ".join(str(entry.number) for entry in entries if entry.number is not None)


def _entry(entry: Entry, over: bool = False) -> str:
    """Return a move with its number; once the game is over, a move by plan has a mark."""
    move = entry.move + "*" * (over and entry.by_plan)
    return move if entry.number is None else f"{entry.number} {move}"


def _last(match: Match, translator: Translator) -> str:
    if not match.record:
        return ""
    last = match.record[-1]
    if last.move in AT_THE_END:
        return translator.say(AT_THE_END[last.move])
    if last.move in _ENDS or last.move.startswith(AGREE):
        return translator.tell("Last move: {ended}", ended=translator.say(played_by(last)))
    named = last._replace(move=translator.say(_NAMED[last.move])) if last.move in _NAMED else last
    return translator.tell("Last move: {move} by {userid}.", move=_entry(named), userid=last.userid)


def _stones(match: Match) -> tuple[Stone, ...]:
    """Return the stones in the order of their cells."""
    game, stones = match.game, match.position.stones
    rim = [cell for cell, bits in enumerate(game.edges) if bits]
    chains = [chain for stone in STONE.values() for chain in game.grid.chains(stones, stone, rim)]
    edge = {cell for chain in chains for cell in chain}
    last = match.record[-1].move.replace("-", " ").split(" ") if match.record else []
    placed = {game.grid.index.get(name) for name in last}  # a cell that a stone has left is empty
    return tuple(
        Stone(cell, chr(stone), cell in edge, cell in placed)
        for cell, stone in enumerate(stones)
        if stone != EMPTY
    )


# -- the score, and the scores still possible


def _wants(match: Match, translator: Translator) -> tuple[str, ...]:
    """Return the goals of the players."""
    game, tell = match.game, translator.tell
    goals = {who: translator.say(game.goal(player)) for player, who in match.players.items()}
    if not all(goals.values()):
        return ()
    if len(goals) > 1 and len(set(goals.values())) == 1:
        return (tell("The winner is the player who {goal}.", goal=goals[match.seats[0]]),)
    if len(goals) == 1:
        return (tell("Goal: {goal}.", goal=goals[match.seats[0]]),)
    return tuple(tell("{who} {goal}.", who=who, goal=goal) for who, goal in goals.items())


def _possible(match: Match, past: bool, tell: Tell) -> str:
    """Return the scores that are still possible, or that were possible on a board as it was."""
    if not match.game.has_points:
        return ""
    ends = ", ".join(
        tell("{who} {low} to {high}", who=who, low=low, high=high) for who, low, high in match.ends
    )
    if past:
        return tell("Still possible at that point: {scores}.", scores=ends)
    return tell("Still possible: {scores}.", scores=ends)


def _fate(match: Match, tell: Tell) -> str:
    """Return a sentence if nothing can change the score or the winner any more; otherwise empty."""
    if match.game.has_points and match.bounds.settled:
        return tell("The game is settled: no move can change the score anymore.")
    if winner := match.bounds.decided:
        return tell(
            "The game is decided: {winner} will win no matter what.", winner=match.players[winner]
        )
    return ""


def _reading(match: Match, read: Reading, tell: Tell) -> str:
    """Return the likely result; advice, not a fact."""
    players = match.players
    if match.game.has_points:
        return tell(
            "The score will probably be {score}: whenever one cell of a pair below is"
            " taken, the player named there takes the other.",
            score=f"{players['X']} {read.points[0]}, {players['O']} {read.points[1]}",
        )
    assert read.winner is not None  # without points every full board has a winner
    return tell(
        "{winner} will probably win: whenever one cell of a pair below is taken, the "
        "player named there takes the other.",
        winner=players[read.winner],
    )


def _pairs(match: Match, read: Reading) -> tuple[str, ...]:
    return tuple(
        f"{match.players[player]}: {', '.join(f'{a}-{b}' for a, b in read.pairs[player])}"
        for player in PLAYERS
        if read.pairs[player]
    )


# -- the steps of a preview


def preview_steps(match: Match, first: int, translator: Translator) -> list[str]:
    """Return for each entry from ``first`` on a line: the move, the scores, and those still possible."""
    return [_line(each, translator) for each in steps(match, first)]


def _line(match: Match, translator: Translator) -> str:
    entry = match.record[-1]
    move = entry.move if entry.number is None else f"{entry.number} {entry.move}"
    standing = ", ".join(_standing(match, translator))
    return translator.tell(
        "{move} by {userid}: {standing}", move=move, userid=entry.userid, standing=standing
    )


def _standing(match: Match, translator: Translator) -> list[str]:
    tell = translator.tell
    if len(match.seats) == 1:
        notes = [*map(translator.say, match.score.notes)]
        return [*notes, tell("over")] if match.position.over else notes
    parts, bounds = [], match.bounds
    if match.game.has_points:
        for points, (who, low, high) in zip(match.points, match.ends, strict=True):
            if match.position.over:
                parts.append(f"{who} {points}")
            elif is_possible(match):
                now = f"{who} {points}"
                parts.append(tell("{now} ({low} to {high})", now=now, low=low, high=high))
            else:  # a score that the game cannot end with is left out
                parts.append(tell("{who} {low} to {high}", who=who, low=low, high=high))
    if match.position.over and match.winner:
        parts.append(tell("{winner} wins the game", winner=match.winner))
    elif match.position.over:
        parts.append(tell("the game ends in a tie"))
    elif match.game.has_points and bounds.settled:
        parts.append(tell("the score is final"))
    elif bounds.decided:
        parts.append(tell("{winner} is certain to win", winner=match.players[bounds.decided]))
    return parts or [tell("still open")]
