"""The choices of a player on a board now: commands to be sent, and words that a reply may begin with."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, islice
from typing import NamedTuple

from ...games.grids import EMPTY
from ...games.placement import Placement
from ...match import CANCEL, CLAIM, DRAW, RESIGN, SCORE, UNDO, UNREACHED, Match


class Choices(NamedTuple):
    """The verbs of a player on a board now; ``""`` is a reader who only looks on, and has none.

    moves    the moves, an example first, if it is the player's turn
    answers  the verbs that answer a request to the player; ``claim`` and ``undo``, if they are possible
    offer    an end to propose, see ``_to_propose``
    """

    match: Match
    userid: str
    moves: Sequence[str] = ()
    answers: Sequence[str] = ()
    claim: Sequence[str] = ()
    undo: Sequence[str] = ()
    offer: str = ""

    @classmethod
    def of(cls, match: Match, userid: str, example: str) -> Choices:
        """Return the choices of a player; ``example`` is the move to show, see ``example``."""
        if not userid:
            return cls(match, userid)
        answers, undo = _answers(match, userid), _undo(match, userid)
        if match.position.over:
            return cls(match, userid, (), answers, (), undo)
        moves = [example, *_moves_besides(match)] if match.to_move == userid else ()
        if len(match.seats) == 1:
            return cls(match, userid, moves, answers, (), undo)
        claim = [CLAIM] if match.can_claim(userid) else []
        offer = "" if match.request or claim else _to_propose(match)
        return cls(match, userid, moves, answers, claim, undo, offer)

    def commands(self) -> tuple[str, ...]:
        """Return command lines for the player to fill in and send."""
        word, number = self.match.game.word, self.match.number
        own = self._own_commands() if self.userid else ()
        return (*own, f"{word} show {number}", f"{word} help")

    def _own_commands(self) -> list[str]:
        """Return the commands that only a player of the board can send."""
        match, word = self.match, self.match.game.word
        seat = f"{match.number} {self.userid} password"
        undo = [f"{word} {verb} {seat}" for verb in self.undo]
        answers = [f"{word} {verb} {seat}" for verb in self.answers]
        if match.position.over:
            return [*answers, f"{word} rematch {seat}", *undo]
        lines = [f"{word} move {seat} {move}#{match.turn}" for move in self.moves]
        if len(match.seats) == 1:
            return [*lines, *undo, f"{word} hint {seat}", f"{word} resign {seat}"]
        lines += [*answers, *(f"{word} {verb} {seat}" for verb in self.claim)]
        if self.offer:
            lines.append(f"{word} propose {seat} {self.offer}")
        lines += [*undo, f"{word} resign {seat}"]
        if not (match.has_moved(self.userid) or answers or match.terms.contest):
            other_seat = "o" if match.player(self.userid) == "X" else "x"
            lines += [f"{word} decline {seat}", f"{word} counter {seat} -seat={other_seat}"]
        return lines

    def reply_words(self, asks: Sequence[str] = ()) -> tuple[str, ...]:
        """Return the words, except a move, that a reply may begin with, most needed first.

        ``asks``: more words for a game that is over. A reader who looks at the board as it was can only
        ask and say something.
        """
        match = self.match
        talk = [] if len(match.seats) == 1 or match.program else ["say"]  # a program reads no words
        if not self.userid:
            return (*talk, *ASIDE)
        if match.position.over:
            return (*self.answers, "rematch", *asks, *talk, *self.undo, *ASIDE)
        if len(match.seats) == 1:
            return ("hint", *self.undo, *ASIDE, RESIGN)
        words = [*self.answers, *self.claim, *self.moves[1:], *talk, *self.undo]
        if not self.moves and not match.program:  # a program answers before a plan could
            words.append("plan")
        if self.offer:
            words.append(f"propose {self.offer}")
        if not (match.has_moved(self.userid) or match.terms.contest or "decline" in words):
            words.append("decline")
        return (*words, *(f"{TRY} {move}" for move in self.moves[:1]), *ASIDE, RESIGN)


ASIDE = ("score", "show", "help")  # words that change nothing
TRY = "try"


def _moves_besides(match: Match) -> list[str]:
    """Return the moves of the player to move that are not stones: pass and swap, where they are allowed."""
    swap = ["swap"] if match.position.swappable else []
    return ["pass", *swap] if match.game.has_pass else swap


def _answers(match: Match, userid: str) -> list[str]:
    """Return the verbs that answer a request to that player; none if there is no request."""
    request = match.request
    if request is None or request.userid == userid:
        return []
    return [CANCEL] if request.kind == UNREACHED else ["accept", "decline"]


def _undo(match: Match, userid: str) -> list[str]:
    """Return the verb that takes back a move, or asks for it, if there is a move to take back."""
    may_not = match.terms.undo == "no" or (len(match.seats) > 1 and match.request is not None)
    return [UNDO] if match.to_take_back(userid) and not may_not else []


def _to_propose(match: Match) -> str:
    """Return an end that a player has reason to propose, ``11-10`` or ``draw``; empty if there is none.

    Without passes only the players' word, or a position that comes again, makes a draw. The score
    is the settled one, or the score of a reading; in a game that is decided but not settled it is the
    winner's guaranteed score.
    """
    bounds = match.bounds
    if not match.game.has_points:
        return "" if match.game.has_pass else DRAW
    if match.reading and not bounds.settled:
        x, o = match.reading.points
    elif bounds.decided or bounds.settled:
        x, o = (bounds.best if bounds.decided == "O" else bounds.worst).points
    else:
        return ""
    return f"{x}-{o}"


def asks(words: Sequence[str]) -> str:
    """Return the verb of a command, or of a reply's words; with ``propose``, also the kind of proposal."""
    if words[0] != "propose":
        return words[0]
    return proposal(DRAW if words[-1] == DRAW else SCORE)


def proposal(kind: str) -> str:
    """Return the form in which ``asks`` names a request of that kind."""
    return kind if kind == UNDO else f"propose {kind}"


def example(match: Match) -> str:
    """Return a move that could be made now, as an example of the notation."""
    if not isinstance(match.game, Placement):
        return next(match.position.moves())
    due = 1 if match.game.one_stone or not match.position.played else 2
    names, stones = match.game.grid.names, match.position.stones
    middle = len(stones) // 2
    cells = chain(range(middle, len(stones)), range(middle))
    return " ".join(islice((names[cell] for cell in cells if stones[cell] == EMPTY), due))
