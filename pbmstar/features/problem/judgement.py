"""Judging an answer to a problem, which needs nothing but its board."""

from __future__ import annotations

from typing import NamedTuple

from ... import games
from ...command import Command, Reply, named, read_reply
from ...errors import Refusal, Sentence, UsageError, say, together
from ...games.base import PLAYERS, other
from ...inbound import Inbound
from ...match import Match, Terms, begin
from ...match.terms import NONE
from .rows import StoredProblem

_ROW = named(None)["problem"]
_TERMS = Terms(time=NONE)
_NO_ANSWER = say("I couldn't find a cell on the first line of your reply.")


class Judgement(NamedTuple):
    """A judgement of an answer: a sentence, True if the move decides, the move, and the board after it.

    move   the cell; empty if the answer was not a possible move
    after  the board with that move; None if there is no move
    """

    said: Sentence
    right: bool = False
    move: str = ""
    after: Match | None = None


def board_of(stored: StoredProblem) -> Match:
    """Return the position of a problem as a match whose players are called X and O; it has no number."""
    game = games.load(stored.game, stored.options)
    seats = tuple(reversed(PLAYERS)) if "swap" in stored.moves else PLAYERS
    match = begin(0, game, seats, 0.0, _TERMS)
    for move in stored.moves:
        match = match.after(match.to_move, move, 0.0)
    return match


def read_answer(mail: Inbound, stored: StoredProblem, own: int = 0) -> Reply:
    """Read a reply to a problem: an answer, a word for help, or commands.

    own  the number of a problem of the player's own; 0 for a problem of the week
    """
    reply = read_reply(mail.subject, mail.is_reply, mail.lines, type(board_of(stored).game))
    first = reply.commands[0]
    if not reply.bare or (isinstance(first, Command) and first.verb.name == "help"):
        return reply
    args = {"own": own, "answer": first} if own else {"problem": stored.number, "answer": first}
    return Reply((Command(_ROW, None, args, _ROW.name),), is_talk=reply.is_talk)


def judge(stored: StoredProblem, answer: Command | UsageError) -> Judgement:
    """Return the judgement of an answer. Raises nothing."""
    before = board_of(stored)
    if isinstance(answer, UsageError) or answer.verb.name != "move":
        return Judgement(_NO_ANSWER)
    try:
        move = before.game.read(answer["move"])
        if before.game.grid.index.get(move) is None:
            return Judgement(_NO_ANSWER)
        after = before.after(before.to_move, move, 0.0)
    except Refusal as error:
        return Judgement(error.told)
    if after.bounds.decided == before.to_move:
        said = say("{move} decides the game: {proof}.", move=move, proof=proof(after))
        return Judgement(said, True, move, after)
    said = say(
        "After {move}, {rival} still has a chance. Scores still possible: {scores}.",
        move=move,
        rival=other(before.position.mover),
        scores=ends(after),
    )
    return Judgement(said, False, move, after)


def ends(match: Match) -> Sentence:
    """Return the points that the players can still have: ``X 10 to 20, O 9 to 19``."""
    return together(
        *(
            say("{who} {low} to {high}", who=player, low=low, high=high)
            for player in PLAYERS
            for low, high in [match.bounds.of(player)]
        ),
        by=", ",
    )


def proof(match: Match) -> Sentence:
    """Return a clause that says why a board is decided: the least lead, and the bounds."""
    bounds = match.bounds
    winner = bounds.decided
    assert winner is not None
    x, o = (bounds.worst if winner == "X" else bounds.best).points
    least = x - o if winner == "X" else o - x
    form = say("{winner} wins whatever happens ({scores})")
    if least > 0:
        form = say("{winner} wins by at least {points} whatever happens ({scores})")
    return form.given(winner=winner, points=least, scores=ends(match))
