"""What players may do to a match, and what happens then. Pure: no store, no letters, no clock."""

from __future__ import annotations

from collections.abc import Callable

from ..errors import IllegalMove
from . import planned, requests
from .match import Match
from .record import FORFEIT, RESIGN, UNDO, UNREACHED, Act, Happening


def act(match: Match, act: Act, at: float) -> tuple[Match, tuple[Happening, ...]]:
    """The match after an act at that time and all planned answers to it, and what happened.

    After ``declined`` there is no match any more: the one returned is as it was. Raises Refusal.
    """
    after, happenings = ACTS[act.kind](match, act, at)
    if act.plan:
        after, happenings = planned.add(after, act.userid, act.plan, happenings)
    if match.plans or after.plans:
        after, happenings = planned.carry_out(match, after, happenings, at)
        if act.plan and planned.plan_of(after, act.userid):
            happenings += planned.confirmed(after, act.userid)
    return after, happenings


def _move(match: Match, act: Act, at: float) -> requests.Result:
    """A move, pass or swap in turn; ``resign`` and ``undo`` as moves are those acts."""
    move = match.game.read(act.text.split(" "))
    if move == RESIGN:
        return _resign(match, act._replace(text=""), at)
    if move == UNDO:
        return requests.undo(match, act, at)
    if match.position.over:
        raise requests.over()
    if match.to_move != act.userid:
        raise _too_early(match, act, move)
    if act.guard is not None and act.guard != match.turn:
        raise IllegalMove(
            f"Your move is meant as move {act.guard}, but this is move {match.turn}.", "guard"
        )
    after = match.after(act.userid, move, at)
    moved = Happening(_MOVED.get(move, "moved"), act.userid, move)
    return after, (*_lapsed(match, after, act.userid), moved)


def _lapsed(match: Match, after: Match, mover: str) -> tuple[Happening, ...]:
    """That a move has made a request lapse, if it has and the game goes on."""
    request = match.request
    if request is None or request.kind == UNREACHED or after.request or after.position.over:
        return ()
    return (Happening("lapsed", mover, request.userid),)


_MOVED = {"pass": "passed", "swap": "swapped"}


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


def _resign(match: Match, act: Act, at: float) -> requests.Result:
    """``text``: why, ``lost`` if that is proved; else nothing is said."""
    return match.after(act.userid, RESIGN, at), (Happening("resigned", act.userid, act.text),)


def _leave(match: Match, act: Act, at: float) -> requests.Result:
    """Resign because the player leaves the server."""
    return match.after(act.userid, RESIGN, at), (Happening("left", act.userid),)


def _forfeit(match: Match, act: Act, at: float) -> requests.Result:
    return match.after(act.userid, FORFEIT, at), (Happening("forfeited", act.userid, act.text),)


def _plan(match: Match, act: Act, at: float) -> requests.Result:
    """Plan answers, or drop the plan; one that crossed the opponent's move answers that at once."""
    if match.position.over:
        raise requests.over()
    if act.text == "none":
        return planned.drop(match, act.userid)
    if match.to_move == act.userid:
        return planned.answer_late(match, act.userid, act.text, act.seen, at)
    return planned.keep(match, act.userid, act.text, act.seen)


ACTS: dict[str, Callable[[Match, Act, float], requests.Result]] = {
    "move": _move,
    "resign": _resign,
    "leave": _leave,
    "forfeit": _forfeit,
    "plan": _plan,
    "propose": requests.propose,
    "undo": requests.undo,
    "cancel": requests.cancel,
    "claim": requests.claim,
    "accept": requests.accept,
    "decline": requests.decline,
    "refuse": requests.refuse,
    "unreached": requests.unreached,
}
