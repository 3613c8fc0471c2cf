"""A match: its players, its game, its record, and the position that follows from the record."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from ..errors import IllegalMove, say
from ..games.adjudicate import Reading, reading
from ..games.base import Bounds, Game, Player, Position, Score, other
from ..machine.times import Epoch
from .clock import UNTIMED, Clock
from .plan_grammar import Planned
from .record import UNDO, UNREACHED, Entry, Noted, Request, advance
from .terms import USUAL, Terms

BOTS = tuple(f"bot{level}" for level in range(1, 11))  # their userids, which no person can have

RESULTS = ("tie", "void", "unsolved")  # of a game that nobody has won


def program_among(seats: Iterable[str]) -> str:
    """Return the userid of the program among players; empty if only people play."""
    return next((userid for userid in seats if userid in BOTS), "")


@dataclass(frozen=True)
class Match:
    """One board in play. Immutable; ``acts.act`` makes the next one.

    number    the board's number
    seats     the players' userids, in the order of ``Game.seats``, as the game began
    position  the position that follows from the record
    request   the open request of one player to the other, if there is one
    plans     each player's plan for this position, if there is one; nobody else is told of it
    notes     each player's last note, if there is one; nobody else is told of it
    counts    the rows that features keep about the board, by table
    resets    how often the record has been cut back, by the operator or by taking back a move
    made      the time when the game began, in seconds since 1970 UTC
    since     the time when the turn began or the game ended, in seconds since 1970 UTC
    terms     the agreement of the players beside the game's options
    clock     the players' time
    """

    number: int
    seats: tuple[str, ...]
    position: Position
    record: tuple[Entry, ...] = ()
    request: Request | None = None
    plans: tuple[Planned, ...] = ()
    notes: tuple[Noted, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    resets: int = 0
    made: Epoch = 0.0
    since: Epoch = 0.0
    terms: Terms = USUAL
    clock: Clock = UNTIMED

    def __hash__(self) -> int:
        """Return a number that equal matches share, without a look at each entry of the record."""
        return hash((*self.state, self.made))

    @property
    def game(self) -> Game:
        """Return the rules, with the board's options."""
        return self.position.game

    @property
    def state(self) -> tuple[int, int, int]:
        """Return the number, ``resets`` and the length of the record: any move or cut changes them."""
        return self.number, self.resets, len(self.record)

    @property
    def offset(self) -> int:
        """Return the number of moves on the board when the game began; mostly 0."""
        return self.terms.offset

    @cached_property
    def whole(self) -> tuple[Entry, ...]:
        """Return the record below the moves on the board when the game began, as if its players made them."""
        if not self.terms.setup:
            return self.record
        position, entries = self.game.start(), list[Entry]()
        for move in self.terms.setup:
            seats = reversed(self.seats) if position.swapped else self.seats
            players = dict(zip(self.game.seats, seats, strict=True))
            assert position.to_move is not None
            userid, before = players[position.to_move], position.played
            position = position.play(move)
            number = position.played if position.played > before else None
            entries.append(Entry(number, userid, move, self.made))
        return (*entries, *self.record)

    @property
    def options(self) -> str:
        """Return the options and terms that are not default, as a challenge spells them."""
        terms = self.terms.described() if len(self.seats) > 1 else ""
        return " ".join(filter(None, (self.game.described(), terms)))

    @cached_property
    def players(self) -> dict[Player, str]:
        """Return the userid that plays each colour now; a swap exchanges the userids."""
        seats = reversed(self.seats) if self.position.swapped else self.seats
        return dict(zip(self.game.seats, seats, strict=True))

    def player(self, userid: str) -> Player | None:
        """Return the colour that a user plays; None for a user who does not play here."""
        for player, who in self.players.items():
            if who == userid:
                return player
        return None

    def opponent(self, userid: str) -> str:
        """Return the other player's userid; empty if there is none."""
        for who in self.seats:
            if who != userid:
                return who
        return ""

    @cached_property
    def program(self) -> str:
        """Return the userid of the program among the players; empty if only people play."""
        return program_among(self.seats)

    @cached_property
    def to_move(self) -> str:
        """Return the userid whose turn it is; empty when the game is over."""
        return self.players[self.position.to_move] if self.position.to_move else ""

    @property
    def winner(self) -> str:
        """Return the userid of the winner, or of the player who solved a puzzle; empty if there is none."""
        if not self.position.over:
            return ""
        if len(self.seats) == 1:
            return self.seats[0] if self.rank == 0 else ""
        return self.players[self.position.winner] if self.position.winner else ""

    @property
    def result(self) -> str:
        """Return the winner's userid, or else one of ``RESULTS``; empty while the game runs.

        The results are 'tie', 'void' for a game without result, and 'unsolved' for a puzzle. Old
        accounts may have such a name, so only ``winner`` tells who has won.
        """
        ending = self.position.ending
        if ending is None or self.winner:
            return self.winner
        if ending.how == "cancelled":
            return "void"
        return "tie" if len(self.seats) > 1 else "unsolved"

    @property
    def rank(self) -> int | None:
        """Return the rank of a puzzle's end, 0 for the best; None while it runs and if it was given up."""
        ending = self.position.ending
        played_out = ending is not None and ending.how == "finished"
        return self.game.rank(self.position.stones) if played_out else None

    @property
    def turns(self) -> int:
        """Return the number of turns of a puzzle in which fewer are better; 0 in other games."""
        return self.position.played if self.game.few_turns else 0

    def to_take_back(self, userid: str) -> int:
        """Return how many entries of the record an undo of that player takes back; 0 if it takes none.

        They are the player's last move, and the opponent's answer to it if there is one. After the end
        of the game this is possible if it ended with two passes or the last move of a puzzle.
        """
        ending = self.position.ending
        if ending and ending.how not in ("passes", "finished"):
            return 0
        last_two = enumerate(self.record[:-3:-1], 1)
        return next((count for count, entry in last_two if entry.userid == userid), 0)

    def last_moves(self, count: int) -> tuple[str, ...]:
        return tuple(entry.move for entry in self.record[-count:])

    def can_claim(self, userid: str) -> bool:
        """Tell if a player may claim the game: the board proves its result, or the player's win."""
        if self.position.over or len(self.seats) == 1 or not self.terms.claim:
            return False
        certain = self.game.has_points and self.bounds.is_certain
        return certain or self.bounds.decided == self.player(userid)

    @property
    def may_cancel(self) -> str:
        """Return the player who may end the game alone, as the other cannot be reached; empty if none."""
        request = self.request
        unreached = request is not None and request.kind == UNREACHED
        return self.opponent(request.userid) if request and unreached else ""

    @property
    def turn(self) -> int:
        """Return the number of the move that is due."""
        return self.position.played + 1

    @property
    def has_begun(self) -> bool:
        """Tell if every player has made a move: before that nobody can lose."""
        return all(map(self.has_moved, self.seats))

    def has_moved(self, userid: str) -> bool:
        """Tell if a player has made a move of their own."""
        return userid in [entry.userid for entry in self.record]

    @cached_property
    def score(self) -> Score:
        """Return the board counted as it stands."""
        return self.game.score(self.position.stones)

    @cached_property
    def bounds(self) -> Bounds:
        """Return the bounds of the scores that the board can still reach."""
        return self.game.bounds(self.position.stones)

    @cached_property
    def reading(self) -> Reading | None:
        """Return the likely score if both answer in pairs of cells; None if it cannot be read off."""
        return reading(self.game, self.position.stones, self.bounds)

    @property
    def ends(self) -> list[tuple[str, int, int]]:
        """Return each player with the lowest and the highest score that they can still have."""
        return [(who, *self.bounds.of(player)) for player, who in self.players.items()]

    @property
    def points(self) -> tuple[int, ...]:
        """Return the score of each player: the agreed one, or the board's."""
        ending = self.position.ending
        return ending.points if ending and ending.points else self.score.points

    def after(self, userid: str, move: str, at: Epoch, by_plan: int = 0) -> Match:
        """Return the match with an entry by ``userid`` added to its record. Raises IllegalMove."""
        player = self.player(userid)
        if player is None:
            raise IllegalMove(say("Only the players in this game can do that."), "not-a-player")
        position = advance(self.position, player, move)
        number = position.played if position.played > self.position.played else None
        entry = Entry(number, userid, move, at, by_plan)
        after = replace(self, position=position, record=(*self.record, entry), since=at)
        return after if self.request is None else after._without_what_lapses(userid, move)

    def _without_what_lapses(self, userid: str, move: str) -> Match:
        """Return the match after a player's move, without its request if the move makes that lapse.

        The mover's own request stays open if it still means the same and is still possible.
        """
        request = self.request
        points = request.points if request else None
        stays = (
            request is not None
            and request.userid == userid
            and request.kind not in (UNDO, UNREACHED)
            and not self.position.over
            and (points is None or (move != "swap" and self.game.can_end(self.bounds, points)))
        )
        return self if stays else replace(self, request=None)

    def cut(self, count: int, at: Epoch) -> Match:
        """Return the match without the last ``count`` entries of its record; older addresses become void."""
        before = self.before_last(count)
        return replace(before, plans=self.plans, resets=self.resets + 1, since=at)

    def at_move(self, number: int) -> Match:
        """Return the match as it stood after move ``number``, and after a swap that follows this move."""
        place = played = 0
        for entry in self.whole:
            if played >= number and entry.move != "swap":
                break
            played = entry.number or played
            place += 1
        return self.before_entry(place)

    def before_entry(self, place: int) -> Match:
        """Return the match as it stood before the entry at that place of ``whole``, the first being 0."""
        count = place - len(self.terms.setup)
        if count >= 0:
            return self._replayed(self.record[:count])
        agreed = self.terms._replace(setup=self.terms.setup[:place], origin=0)
        return begin(self.number, self.game, self.seats, self.made, agreed)

    def before_last(self, count: int = 1) -> Match:
        """Return the match without the last ``count`` entries of its record."""
        return self._replayed(self.record[: len(self.record) - count])

    def _replayed(self, record: Iterable[Entry]) -> Match:
        start = replace(
            self,
            position=_set_up(self.game, self.terms),
            record=(),
            request=None,
            plans=(),
            since=self.made,
        )
        return replay(start, record)


def spelled_result(result: str, winner: str) -> str:
    """Return a result for programs; a winner with the name of a result is spelled ``player tie``."""
    return f"player {winner}" if winner in RESULTS else result


def _set_up(game: Game, agreed: Terms) -> Position:
    """Return the position in which a game with these terms begins. Raises IllegalMove if there is none."""
    position = game.start()
    for move in agreed.setup:
        position = position.play(move)
    return position


def begin(
    number: int, game: Game, seats: tuple[str, ...], at: Epoch, terms: Terms = USUAL
) -> Match:
    """Return a match before its first move. Raises IllegalMove for terms with another game's moves."""
    pace = terms.pace
    banks = (pace.bank if pace else 0,) * len(seats)
    position = _set_up(game, terms)
    return Match(number, seats, position, made=at, since=at, terms=terms, clock=Clock(banks))


def positions(start: Match, entries: Iterable[Entry]) -> Iterator[Position]:
    """Yield the position after each of those entries of a record. Raises IllegalMove for a corrupt one."""
    position = start.position
    for entry in entries:
        first: Player = start.game.seats[0]
        player = first if (entry.userid == start.seats[0]) != position.swapped else other(first)
        try:
            position = advance(position, player, entry.move)
        except (LookupError, ValueError):
            raise IllegalMove(
                say("The record of board {number} is damaged.", number=start.number), "corrupt"
            ) from None
        yield position


def replay(start: Match, entries: Iterable[Entry]) -> Match:
    """Return the match after those entries of a record. Raises IllegalMove for a corrupt one."""
    entries, position = tuple(entries), start.position
    for after in positions(start, entries):
        position = after
    record = (*start.record, *entries)
    since = record[-1].at if record else start.since
    return replace(start, position=position, record=record, since=since)
