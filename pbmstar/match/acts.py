"""What players may do to a match, and what happens then. Pure: no store, no letters, no clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from ..errors import IllegalMove, Refusal
from ..games.base import PLAYERS
from . import planned
from .match import Match
from .record import AGREE, CANCEL, DRAW, FORFEIT, RESIGN, Happening, Request


class Act(NamedTuple):
    """What somebody wants to do to a match.

    kind   one of the keys of ``_ACTS``
    text   for a move, the player's words; for a proposal, the points, ``11 10``, or ``draw``; for
           a plan, its words, or ``none``
    guard  the number that a move is meant to have, if the player said one
    plan   the words of a plan that comes with a move
    seen   of a plan: how long the record was in the letter that it answers, if it answers one
    """

    userid: str
    kind: str
    text: str = ""
    guard: int | None = None
    plan: str = ""
    seen: int | None = None


def act(match: Match, act: Act, at: float) -> tuple[Match, tuple[Happening, ...]]:
    """The match after an act at that time and all planned answers to it, and what happened.

    After ``declined`` there is no match any more: the one returned is as it was. Raises Refusal.
    """
    if not match.is_open:
        raise _over()
    after, happenings = _ACTS[act.kind](match, act, at)
    if act.plan:
        after, happenings = planned.add(after, act.userid, act.plan, happenings)
    if match.plans or after.plans:
        after, happenings = planned.carry_out(match, after, happenings, at)
        if act.plan and planned.plan_of(after, act.userid):
            happenings += planned.confirmed(after, act.userid)
    return after, happenings


_Result = tuple[Match, tuple[Happening, ...]]


def _over() -> IllegalMove:
    return IllegalMove("The game is over.", "game-over")


def _move(match: Match, act: Act, at: float) -> _Result:
    """A move, pass or swap in turn; ``resign`` and ``undo`` as moves are those acts."""
    move = match.game.read(act.text.split(" "))
    if move == RESIGN:
        return _resign(match, act, at)
    if move == "undo":
        return _undo(match, act, at)
    if match.position.over:
        raise _over()
    if match.to_move != act.userid:
        raise _too_early(match, act, move)
    if act.guard is not None and act.guard != match.turn:
        raise IllegalMove(
            f"Your move is meant as move {act.guard}, but this is move {match.turn}.", "guard"
        )
    after = match.after(act.userid, move, at)
    return after, (Happening(_MOVED.get(move, "moved"), act.userid, move),)


_MOVED = {"pass": "passed", "swap": "swapped"}


def _undo(match: Match, act: Act, at: float) -> _Result:
    """Take back the last move of a puzzle."""
    after = match.taken_back(at)
    return after, (Happening("undone", act.userid, match.record[-1].move),)


def _too_early(match: Match, act: Act, move: str) -> IllegalMove:
    """Why a move is refused that comes while the other player is to move."""
    if act.guard is not None and act.guard < match.turn:
        return IllegalMove(f"Move {act.guard} has already been played.", "played-already")
    last = match.record[-1] if match.record else None
    if last and (last.userid, last.move) == (act.userid, move):
        return IllegalMove(
            f"{move} has been played already. It is not your turn.", "played-already"
        )
    return IllegalMove("It is not your turn.", "not-your-turn")


def _resign(match: Match, act: Act, at: float) -> _Result:
    return match.after(act.userid, RESIGN, at), (Happening("resigned", act.userid),)


def _leave(match: Match, act: Act, at: float) -> _Result:
    """Resign because the player leaves the server."""
    return match.after(act.userid, RESIGN, at), (Happening("left", act.userid),)


def _forfeit(match: Match, act: Act, at: float) -> _Result:
    return match.after(act.userid, FORFEIT, at), (Happening("forfeited", act.userid, act.text),)


def _propose(match: Match, act: Act, at: float) -> _Result:
    """Offer to end the game with a score or as a draw, until the next entry of the record."""
    if match.request and match.request.kind == "cancel":
        raise Refusal(
            f"{match.request.userid} cannot be reached to accept that; you may cancel the game.",
            "unreached",
        )
    if act.text == DRAW:
        request = Request(DRAW, act.userid, DRAW, at)
        return replace(match, request=request), (Happening("proposed", act.userid, DRAW),)
    x, o = (int(word) for word in act.text.split(" "))
    if not match.game.has_points:
        raise Refusal(
            f"{match.game.title} has no score to agree on; you may propose a draw.", "no-score"
        )
    if not match.game.can_end(match.bounds, (x, o)):
        ends = " and ".join(
            f"{player} {low} to {high}"
            for player in PLAYERS
            for low, high in [match.bounds.of(player)]
        )
        total = match.game.total
        together = f", {total} together" if total is not None else ""
        raise Refusal(f"The score {x}-{o} cannot come about: {ends}{together}.", "no-such-score")
    request = Request("score", act.userid, f"{x} {o}", at)
    return replace(match, request=request), (Happening("proposed", act.userid, request.data),)


def _accept(match: Match, act: Act, at: float) -> _Result:
    """Agree to what the opponent has proposed."""
    request = match.request
    if request is None or request.kind not in ("score", DRAW) or request.userid == act.userid:
        raise Refusal("Your opponent has proposed nothing since the last move.", "no-request")
    after = match.after(act.userid, f"{AGREE} {request.data}", at)
    return after, (Happening("agreed", act.userid, request.data),)


def _decline(match: Match, act: Act, _at: float) -> _Result:
    """Refuse a new game before one's own first move."""
    if match.has_moved(act.userid):
        raise Refusal("You have made a move already; you may resign instead.", "moved-already")
    return match, (Happening("declined", act.userid),)


def _plan(match: Match, act: Act, at: float) -> _Result:
    """Plan answers, or drop the plan; one that crossed the opponent's move answers that at once."""
    if act.text == "none":
        return planned.drop(match, act.userid)
    if match.to_move == act.userid:
        return planned.answer_late(match, act.userid, act.text, act.seen, at)
    return planned.keep(match, act.userid, act.text, act.seen)


def _unreached(match: Match, act: Act, at: float) -> _Result:
    """No letter gets through to a player who is to move: the opponent may end the game."""
    request = Request("cancel", act.userid, "", at)
    return replace(match, request=request), (Happening("unreached", act.userid, act.text),)


def _cancel(match: Match, act: Act, at: float) -> _Result:
    """End a game without result whose other player cannot be reached."""
    request = match.request
    if request is None or request.kind != "cancel" or request.userid == act.userid:
        raise Refusal(
            "A game can be ended without result only after no mail has got through to your opponent "
            "for a while; then you are asked. You may resign.",
            "no-request",
        )
    return match.after(act.userid, CANCEL, at), (
        Happening("cancelled", act.userid, request.userid),
    )


_ACTS: dict[str, Callable[[Match, Act, float], _Result]] = {
    "move": _move,
    "resign": _resign,
    "leave": _leave,
    "forfeit": _forfeit,
    "propose": _propose,
    "accept": _accept,
    "decline": _decline,
    "undo": _undo,
    "plan": _plan,
    "unreached": _unreached,
    "cancel": _cancel,
}
